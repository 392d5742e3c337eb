"""The shortest tour by branch and bound over a symmetric matrix of distances, of any sign."""


def salesman(distance: list[list[int]]) -> int | None:
    n = len(distance)
    return extend(distance, [False] * n, 0, 1, 0, None)


def extend(distance, visited, city, count, length, best):
    n = len(distance)
    if best is not None and length > best:
        return best
    if count == n:
        length = length + distance[0][city]
        return length if best is None or length < best else best
    for following in range(1, n):
        if not visited[following]:
            visited[following] = True
            step = distance[min(city, following)][max(city, following)]
            best = extend(distance, visited, following, count + 1, length + step, best)
            visited[following] = False
    return best
