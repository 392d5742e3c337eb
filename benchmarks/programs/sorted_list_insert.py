"""Insertion into a sorted linked list: n numbers, one after another."""


class Node:
    def __init__(self, value, following):
        self.value = value
        self.following = following


class SortedList:
    def __init__(self):
        self.head = None

    def insert(self, value):
        if self.head is None or value <= self.head.value:
            self.head = Node(value, self.head)
            return
        node = self.head
        while node.following is not None and node.following.value < value:
            node = node.following
        node.following = Node(value, node.following)


def sorted_list_insert(values: list[int]) -> SortedList:
    numbers = SortedList()
    for value in values:
        numbers.insert(value)
    return numbers
