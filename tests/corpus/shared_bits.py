def shared_bits(values: list[int], mask: int) -> int:
    count = 0
    for value in values:
        both = value & mask
        while both:
            both &= both - 1
            count += 1
    return count
