def zero_sum_stretch(values: list[int]) -> int:
    first = {0: -1}
    total = longest = 0
    for i, value in enumerate(values):
        total += value
        if total in first:
            if i - first[total] > longest:
                longest = i - first[total]
        else:
            first[total] = i
    return longest
