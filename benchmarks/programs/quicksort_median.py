"""Quicksort with the median of three as pivot, as the JDK had it for small arrays."""


def quicksort_median(a: list[int]) -> list[int]:
    sort(a, 0, len(a) - 1)
    return a


def sort(a, low, high):
    if low >= high:
        return
    middle = (low + high) // 2
    if a[middle] < a[low]:
        a[low], a[middle] = a[middle], a[low]
    if a[high] < a[low]:
        a[low], a[high] = a[high], a[low]
    if a[high] < a[middle]:
        a[middle], a[high] = a[high], a[middle]
    if high - low < 3:
        return
    pivot = a[middle]
    a[middle], a[high - 1] = a[high - 1], a[middle]
    i = low
    j = high - 1
    while True:
        i += 1
        while a[i] < pivot:
            i += 1
        j -= 1
        while pivot < a[j]:
            j -= 1
        if i >= j:
            break
        a[i], a[j] = a[j], a[i]
    a[high - 1], a[i] = a[i], a[high - 1]
    sort(a, low, i - 1)
    sort(a, i + 1, high)
