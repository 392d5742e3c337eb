def bellman_ford(edges: list[tuple[int, int, int]], vertices: int) -> list[float]:
    distance = [float("inf")] * vertices
    distance[0] = 0.0
    for _ in range(vertices - 1):
        for u, v, w in edges:
            if distance[u] != float("inf") and distance[u] + w < distance[v]:
                distance[v] = distance[u] + w
    return distance
