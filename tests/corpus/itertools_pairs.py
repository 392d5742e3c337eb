from itertools import combinations


def inversions(values: list[int]) -> int:
    return len([1 for a, b in combinations(values, 2) if a > b])
