"""Bubble sort that stops after a pass without a swap."""


def bubble_sort(a: list[int]) -> list[int]:
    for done in range(len(a) - 1):
        swapped = False
        for i in range(len(a) - 1 - done):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        if not swapped:
            break
    return a
