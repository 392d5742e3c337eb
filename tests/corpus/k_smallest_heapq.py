import heapq


def k_smallest(values: list[int], k: int = 2) -> list[int]:
    heap: list[int] = []
    for v in values:
        if len(heap) < k:
            heapq.heappush(heap, -v)
        elif -v > heap[0]:
            heapq.heapreplace(heap, -v)
    return sorted(-v for v in heap)
