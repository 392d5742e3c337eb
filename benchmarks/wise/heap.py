"""The JDK's PriorityQueue: n numbers are offered; the last offer is measured."""

import xsynth


def offer(queue, value):
    queue.append(value)
    k = len(queue) - 1
    while k > 0:
        parent = (k - 1) // 2
        if queue[parent] <= value:
            break
        queue[k] = queue[parent]
        k = parent
    queue[k] = value


def heap(values: list[int]) -> list[int]:
    queue = []
    for i in range(len(values) - 1):
        offer(queue, values[i])
    with xsynth.measured():
        offer(queue, values[len(values) - 1])
    return queue
