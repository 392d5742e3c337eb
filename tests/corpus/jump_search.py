import math


def jump_search(arr: list[int], item: int) -> int:
    n = len(arr)
    step = int(math.sqrt(n))
    prev = 0
    while arr[min(step, n) - 1] < item:
        prev = step
        step += int(math.floor(math.sqrt(n)))
        if prev >= n:
            return -1
    while arr[prev] < item:
        prev += 1
        if prev == min(step, n):
            return -1
    return prev if arr[prev] == item else -1
