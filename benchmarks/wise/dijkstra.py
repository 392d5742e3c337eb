"""Shortest paths from node 0 on an n x n matrix of weights.

Weights are not negative: learn it with --range weight=0..100000
"""

INFINITY = 10**9


def dijkstra(weight: list[list[int]]) -> list[int]:
    n = len(weight)
    distance = [INFINITY] * n
    done = [False] * n
    distance[0] = 0
    for _ in range(n):
        nearest = -1
        for v in range(n):
            if not done[v] and (nearest == -1 or distance[v] < distance[nearest]):
                nearest = v
        done[nearest] = True
        for v in range(n):
            if not done[v] and distance[nearest] + weight[nearest][v] < distance[v]:
                distance[v] = distance[nearest] + weight[nearest][v]
    return distance
