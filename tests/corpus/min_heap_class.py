class MinHeap:
    def __init__(self) -> None:
        self._items: list[int] = []

    @property
    def size(self) -> int:
        return len(self._items)

    @staticmethod
    def _parent(i: int) -> int:
        return (i - 1) // 2

    def push(self, value: int) -> None:
        self._items.append(value)
        i = self.size - 1
        while i > 0 and self._items[i] < self._items[self._parent(i)]:
            p = self._parent(i)
            self._items[i], self._items[p] = self._items[p], self._items[i]
            i = p


def fill(values: list[int]) -> int:
    heap = MinHeap()
    for v in values:
        heap.push(v)
    return heap.size
