def components(matrix: list[list[bool]]) -> int:
    visited = [False] * len(matrix)

    def visit(u):
        visited[u] = True
        for v in range(len(matrix)):
            if matrix[u][v] and not visited[v]:
                visit(v)

    count = 0
    for u in range(len(matrix)):
        if not visited[u]:
            count += 1
            visit(u)
    return count
