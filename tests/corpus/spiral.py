def spiral(matrix: list[list[int]]) -> int:
    """Counts descents along a spiral walk."""
    values = []
    while matrix:
        values += matrix.pop(0)
        matrix = [list(row) for row in zip(*matrix)][::-1]
    return sum(1 for a, b in zip(values, values[1:]) if a > b)
