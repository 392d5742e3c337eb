def radix_pass(numbers: list[int]) -> list[int]:
    """One pass of a radix sort, base 2."""
    buckets: list[list[int]] = [[] for _ in range(2)]
    for number in numbers:
        buckets[number % 2].append(number)
    return [x for bucket in buckets for x in bucket]
