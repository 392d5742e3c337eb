"""Insertion of n numbers into a sorted linked list; the last one is measured (figure 1)."""

import xsynth


class Node:
    def __init__(self, value, following):
        self.value = value
        self.following = following


def insert(node, data):
    while node.value is not None and data > node.value:
        node = node.following
    node.following = Node(node.value, node.following)
    node.value = data


def sorted_list(values: list[int]) -> Node:
    head = Node(None, None)
    for i in range(len(values) - 1):
        insert(head, values[i])
    with xsynth.measured():
        insert(head, values[len(values) - 1])
    return head
