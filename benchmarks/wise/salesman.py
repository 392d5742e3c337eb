"""The shortest closed tour by branch and bound: a part of a tour that is no shorter is given up.

Distances are not negative, and may differ by direction.
"""


def salesman(distance: list[list[int]]) -> int | None:
    n = len(distance)
    return extend(distance, [True] + [False] * (n - 1), 0, n - 1, 0, None)


def extend(distance, visited, city, left, length, best):
    if left == 0:
        length = length + distance[city][0]
        return length if best is None or length < best else best
    if best is not None and length >= best:
        return best
    for following in range(len(distance)):
        if not visited[following]:
            visited[following] = True
            step = distance[city][following]
            best = extend(distance, visited, following, left - 1, length + step, best)
            visited[following] = False
    return best
