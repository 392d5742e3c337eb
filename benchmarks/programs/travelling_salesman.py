"""The shortest tour by branch and bound, over an n x n matrix of distances.

Learn it with --range distance=0..100000
"""

INFINITY = 10**9


def travelling_salesman(distance: list[list[int]]) -> int:
    n = len(distance)
    return extend(distance, [False] * n, 0, 1, 0, INFINITY)


def extend(distance, visited, city, count, length, best):
    n = len(distance)
    if length >= best:
        return best
    if count == n:
        return min(best, length + distance[city][0])
    for following in range(1, n):
        if not visited[following]:
            visited[following] = True
            best = extend(
                distance, visited, following, count + 1, length + distance[city][following], best
            )
            visited[following] = False
    return best
