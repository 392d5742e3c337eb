"""Mergesort as the JDK had it, from one array into the other, with its test for sorted halves.

The JDK sorts fewer than seven elements by insertion; here only single ones are left alone.
"""


def mergesort(a: list[int]) -> list[int]:
    merge_into(list(a), a, 0, len(a))
    return a


def merge_into(source, target, low, high):
    if high - low < 2:
        return
    middle = (low + high) // 2
    merge_into(target, source, low, middle)
    merge_into(target, source, middle, high)
    if source[middle - 1] <= source[middle]:
        for i in range(low, high):
            target[i] = source[i]
        return
    p = low
    q = middle
    for i in range(low, high):
        if q >= high or (p < middle and source[p] <= source[q]):
            target[i] = source[p]
            p += 1
        else:
            target[i] = source[q]
            q += 1
