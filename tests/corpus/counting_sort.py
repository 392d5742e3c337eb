def counting_sort(values: list[int]) -> list[int]:
    counts = [0] * 3
    for v in values:
        counts[v] += 1
    result = []
    for v, count in enumerate(counts):
        result.extend([v] * count)
    return result
