def lcs(x: list[int], y: list[int]) -> int:
    table = [[0 for _ in range(len(y) + 1)] for _ in range(len(x) + 1)]
    for i, a in enumerate(x, 1):
        for j, b in enumerate(y, 1):
            match = 1 if a == b else 0
            table[i][j] = max(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1] + match)
    return table[-1][-1]
