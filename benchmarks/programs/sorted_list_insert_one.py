"""One insertion into a sorted linked list of n numbers; only the insertion is measured.

Learn it with --assume 'all(x <= y for x, y in zip(values, values[1:]))'
"""

import xsynth


class Node:
    def __init__(self, value, following):
        self.value = value
        self.following = following


class SortedList:
    def __init__(self):
        self.head = None

    def push(self, value):
        self.head = Node(value, self.head)

    def insert(self, value):
        if self.head is None or value <= self.head.value:
            self.head = Node(value, self.head)
            return
        node = self.head
        while node.following is not None and node.following.value < value:
            node = node.following
        node.following = Node(value, node.following)


def sorted_list_insert_one(values: list[int], new: int) -> SortedList:
    numbers = SortedList()
    for i in range(len(values) - 1, -1, -1):
        numbers.push(values[i])
    with xsynth.measured():
        numbers.insert(new)
    return numbers
