"""A binary heap as the JDK's PriorityQueue: n numbers are offered, then one more.

Only the last offer is measured.
"""

import xsynth


class PriorityQueue:
    def __init__(self):
        self.queue = []

    def offer(self, value):
        self.queue.append(value)
        self.sift_up(len(self.queue) - 1, value)

    def sift_up(self, k, value):
        while k > 0:
            parent = (k - 1) // 2
            if value >= self.queue[parent]:
                break
            self.queue[k] = self.queue[parent]
            k = parent
        self.queue[k] = value


def heap_insert(values: list[int], new: int) -> PriorityQueue:
    heap = PriorityQueue()
    for value in values:
        heap.offer(value)
    with xsynth.measured():
        heap.offer(new)
    return heap
