"""Shortest paths from node 0 by relaxing every edge, until a round changes nothing.

Weights may be negative: learn it with --range weight=-100000..100000
"""

INFINITY = 10**9


def bellman_ford(weight: list[list[int]]) -> list[int]:
    n = len(weight)
    distance = [INFINITY] * n
    distance[0] = 0
    for _ in range(n):
        changed = False
        for u in range(n):
            for v in range(1, n):
                if u != v and distance[u] + weight[u][v] < distance[v]:
                    distance[v] = distance[u] + weight[u][v]
                    changed = True
        if not changed:
            break
    return distance
