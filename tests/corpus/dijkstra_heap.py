import heapq
from math import inf


def dijkstra(weights: list[list[int]]) -> list[float]:
    distance = [inf] * len(weights)
    distance[0] = 0
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, w in enumerate(weights[u]):
            if v != u and (new := d + w) < distance[v]:
                distance[v] = new
                heapq.heappush(heap, (new, v))
    return distance
