def take(data: list[int], k: int) -> int:
    """A loop of slices: linear in steps, quadratic in work."""
    total = 0
    while data:
        if data[0] > 0:
            total += 1
        data = data[k:]
    return total
