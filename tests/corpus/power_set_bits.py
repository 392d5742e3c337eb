def count_bits(values: list[int]) -> int:
    total = 0
    for v in values:
        while v:
            total += v & 1
            v >>= 1
    return total
