def kth(items: list[int], k: int) -> int:
    pivot = items[0]
    below = [x for x in items if x < pivot]
    equal = [x for x in items if x == pivot]
    if k < len(below):
        return kth(below, k)
    if k < len(below) + len(equal):
        return pivot
    return kth([x for x in items if x > pivot], k - len(below) - len(equal))
