"""The JDK 1.5 mergesort: insertion below seven elements, a test for sorted halves."""


def mergesort(a: list[int]) -> list[int]:
    sort(list(a), a, 0, len(a))
    return a


def sort(source, target, low, high):
    if high - low < 7:
        for i in range(low, high):
            j = i
            while j > low and target[j - 1] > target[j]:
                target[j], target[j - 1] = target[j - 1], target[j]
                j -= 1
        return
    middle = (low + high) // 2
    sort(target, source, low, middle)
    sort(target, source, middle, high)
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
