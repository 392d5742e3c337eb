def search(matrix: list[list[int]], key: int) -> bool:
    i, j = len(matrix) - 1, 0
    while i >= 0 and j < len(matrix[0]):
        if key == matrix[i][j]:
            return True
        if key < matrix[i][j]:
            i -= 1
        else:
            j += 1
    return False
