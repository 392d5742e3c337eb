"""Merging two sorted arrays.

Sortedness is a precondition: learn it with
--assume 'all(x <= y for x, y in zip(a, a[1:]))' and the same for b.
"""


def merge_sorted(a: list[int], b: list[int]) -> list[int]:
    merged = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    while i < len(a):
        merged.append(a[i])
        i += 1
    while j < len(b):
        merged.append(b[j])
        j += 1
    return merged
