from collections import defaultdict, deque


def order(edges: list[tuple[int, int]], n: int) -> list[int]:
    graph = defaultdict(list)
    degree = [0] * n
    for u, v in edges:
        graph[u].append(v)
        degree[v] += 1
    queue = deque(i for i in range(n) if degree[i] == 0)
    result = []
    while queue:
        u = queue.popleft()
        result.append(u)
        for v in graph[u]:
            degree[v] -= 1
            if not degree[v]:
                queue.append(v)
    return result
