"""A red-black tree that keeps equal keys: n numbers are inserted, then one is looked up.

Only the search is measured.  Keys are compared once a node on the way down.
"""

import xsynth

RED = True
BLACK = False


class Node:
    def __init__(self, key, parent):
        self.key = key
        self.parent = parent
        self.left = None
        self.right = None
        self.color = RED


class RedBlackTree:
    def __init__(self):
        self.root = None

    def contains(self, key):
        node = self.root
        while node is not None:
            if key < node.key:
                node = node.left
            elif key > node.key:
                node = node.right
            else:
                return True
        return False

    def insert(self, key):
        parent = None
        node = self.root
        while node is not None:
            parent = node
            if key < node.key:
                node = node.left
            else:
                node = node.right
        node = Node(key, parent)
        if parent is None:
            self.root = node
        elif key < parent.key:
            parent.left = node
        else:
            parent.right = node
        self.repair(node)

    def repair(self, node):
        while node.parent is not None and node.parent.color == RED:
            parent = node.parent
            grand = parent.parent
            if parent is grand.left:
                uncle = grand.right
                if uncle is not None and uncle.color == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    grand.color = RED
                    node = grand
                    continue
                if node is parent.right:
                    self.rotate_left(parent)
                    parent = node
                parent.color = BLACK
                grand.color = RED
                self.rotate_right(grand)
            else:
                uncle = grand.left
                if uncle is not None and uncle.color == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    grand.color = RED
                    node = grand
                    continue
                if node is parent.left:
                    self.rotate_right(parent)
                    parent = node
                parent.color = BLACK
                grand.color = RED
                self.rotate_left(grand)
            break
        self.root.color = BLACK

    def rotate_left(self, x):
        y = x.right
        x.right = y.left
        if y.left is not None:
            y.left.parent = x
        self.replace(x, y)
        y.left = x
        x.parent = y

    def rotate_right(self, x):
        y = x.left
        x.left = y.right
        if y.right is not None:
            y.right.parent = x
        self.replace(x, y)
        y.right = x
        x.parent = y

    def replace(self, x, y):
        y.parent = x.parent
        if x.parent is None:
            self.root = y
        elif x is x.parent.left:
            x.parent.left = y
        else:
            x.parent.right = y


def red_black(keys: list[int], wanted: int) -> bool:
    tree = RedBlackTree()
    for key in keys:
        tree.insert(key)
    with xsynth.measured():
        return tree.contains(wanted)
