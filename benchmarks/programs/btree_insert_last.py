"""The B-tree of btree_insert.py: n numbers are inserted, and only the last insertion is measured."""

from btree_insert import Node, insert

import xsynth


def btree_insert_last(keys: list[int]) -> Node:
    root = Node()
    for i in range(len(keys) - 1):
        root = insert(root, keys[i])
    with xsynth.measured():
        root = insert(root, keys[len(keys) - 1])
    return root
