"""A B-tree whose nodes have one to three keys, none of them twice: the last insertion is measured.

Learn it with --size keys=n+1
"""

import xsynth


class Node:
    def __init__(self):
        self.keys = []
        self.children = []


def split_child(node, i):
    full = node.children[i]
    other = Node()
    node.keys.insert(i, full.keys[1])
    node.children.insert(i + 1, other)
    other.keys = full.keys[2:]
    full.keys = full.keys[:1]
    if full.children:
        other.children = full.children[2:]
        full.children = full.children[:2]


def insert(root, key):
    if len(root.keys) == 3:
        top = Node()
        top.children = [root]
        split_child(top, 0)
        root = top
    node = root
    while True:
        i = 0
        while i < len(node.keys) and node.keys[i] < key:
            i += 1
        if i < len(node.keys) and node.keys[i] == key:
            return root
        if not node.children:
            node.keys.insert(i, key)
            return root
        if len(node.children[i].keys) == 3:
            split_child(node, i)
            if node.keys[i] < key:
                i += 1
            elif node.keys[i] == key:
                return root
        node = node.children[i]


def btree_insert_unique(keys: list[int]) -> Node:
    root = Node()
    for i in range(len(keys) - 1):
        root = insert(root, keys[i])
    with xsynth.measured():
        root = insert(root, keys[len(keys) - 1])
    return root
