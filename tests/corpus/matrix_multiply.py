def multiply(a: list[list[int]], b: list[list[int]]) -> int:
    positive = 0
    for row in a:
        for column in zip(*b):
            if sum(x * y for x, y in zip(row, column)) > 0:
                positive += 1
    return positive
