"""A binary search tree: n numbers are inserted, then one is looked up.

Only the search is measured.
"""

import xsynth


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert(root, key):
    node = root
    while True:
        if key < node.key:
            if node.left is None:
                node.left = Node(key)
                return
            node = node.left
        elif key > node.key:
            if node.right is None:
                node.right = Node(key)
                return
            node = node.right
        else:
            return


def contains(root, key):
    node = root
    while node is not None:
        if key < node.key:
            node = node.left
        elif key > node.key:
            node = node.right
        else:
            return True
    return False


def tree_search(keys: list[int], wanted: int) -> bool:
    root = Node(keys[0])
    for i in range(1, len(keys)):
        insert(root, keys[i])
    with xsynth.measured():
        return contains(root, wanted)
