"""A hash table with chains: n keys of three characters are entered, then one is looked for.

Only the search is measured.  Learn it with --size keys=n,3 --size wanted=3 and
--range keys=0..255 --range wanted=0..255
"""

import xsynth

BUCKETS = 4


class Entry:
    def __init__(self, key, following):
        self.key = key
        self.following = following


def hash_code(key):
    code = 0
    for character in key:
        code = 31 * code + character
    return code


def same(left, right):
    for i in range(len(left)):
        if left[i] != right[i]:
            return False
    return True


def put(buckets, key):
    bucket = hash_code(key) % BUCKETS
    buckets[bucket] = Entry(key, buckets[bucket])


def find_entry(buckets, key):
    entry = buckets[hash_code(key) % BUCKETS]
    while entry is not None:
        if same(entry.key, key):
            return entry
        entry = entry.following
    return None


def hash_find(keys: list[list[int]], wanted: list[int]) -> bool:
    buckets = [None] * BUCKETS
    for key in keys:
        put(buckets, key)
    with xsynth.measured():
        return find_entry(buckets, wanted) is not None
