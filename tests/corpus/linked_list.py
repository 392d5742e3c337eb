class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class SortedList:
    def __init__(self):
        self.head = None
        self._size = 0

    def __len__(self):
        return self._size

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next

    def insert(self, value):
        if self.head is None or value <= self.head.value:
            self.head = Node(value, self.head)
        else:
            node = self.head
            while node.next is not None and node.next.value < value:
                node = node.next
            node.next = Node(value, node.next)
        self._size += 1


def insert_all(values: list[int]) -> list[int]:
    items = SortedList()
    for v in values:
        items.insert(v)
    assert len(items) == len(values)
    return [v for v in items]
