"""A binary search tree: n - 1 numbers are inserted, then one is looked up, and measured."""

import xsynth


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert(root, key):
    if root is None:
        return Node(key)
    node = root
    while True:
        if key < node.key:
            if node.left is None:
                node.left = Node(key)
                return root
            node = node.left
        elif key > node.key:
            if node.right is None:
                node.right = Node(key)
                return root
            node = node.right
        else:
            return root


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


def search_tree(keys: list[int]) -> bool:
    root = None
    for i in range(len(keys) - 1):
        root = insert(root, keys[i])
    with xsynth.measured():
        return contains(root, keys[len(keys) - 1])
