"""A chain of entries with string keys: n keys are entered, then one is looked for.

A key that is there already is not entered twice, so entering looks for it as well.  Only the
last search is measured.  Learn it with --size keys=n,4 --size wanted=4
"""

import xsynth


class Entry:
    def __init__(self, key, following):
        self.key = key
        self.following = following


def same(left, right):
    for i in range(len(left)):
        if left[i] != right[i]:
            return False
    return True


def find(entry, key):
    while entry is not None:
        if same(entry.key, key):
            return entry
        entry = entry.following
    return None


def find_entry(keys: list[list[int]], wanted: list[int]) -> bool:
    chain = None
    for key in keys:
        if find(chain, key) is None:
            chain = Entry(key, chain)
    with xsynth.measured():
        return find(chain, wanted) is not None
