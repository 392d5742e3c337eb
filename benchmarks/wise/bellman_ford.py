"""Shortest paths from node 0 over a complete graph, in n rounds.

Weights may be negative.  It ends early where a round changes nothing: where none of the n
does, there is a negative cycle.
"""


def bellman_ford(weight: list[list[int]]) -> bool:
    n = len(weight)
    distance = [None] * n
    distance[0] = 0
    for _ in range(n):
        changed = False
        for u in range(n):
            for v in range(n):
                if u != v and distance[u] is not None:
                    if distance[v] is None or distance[u] + weight[u][v] < distance[v]:
                        distance[v] = distance[u] + weight[u][v]
                        changed = True
        if not changed:
            return False
    return True
