def hamming(a: str, b: str) -> int:
    if len(a) != len(b):
        raise ValueError(f"lengths differ: {len(a)} and {len(b)}")
    count = 0
    for x, y in zip(a, b):
        if x != y:
            count += 1
    return count
