"""Mergesort with lists of its own; what is left over when one side is used up is copied at once."""


def alternating_merge(a: list[int]) -> list[int]:
    if len(a) < 2:
        return a
    middle = len(a) // 2
    left = alternating_merge(a[:middle])
    right = alternating_merge(a[middle:])
    merged = []
    p = q = 0
    while p < len(left) and q < len(right):
        if left[p] <= right[q]:
            merged.append(left[p])
            p += 1
        else:
            merged.append(right[q])
            q += 1
    merged.extend(left[p:])
    merged.extend(right[q:])
    return merged
