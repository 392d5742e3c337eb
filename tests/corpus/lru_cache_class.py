from collections import OrderedDict


class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.store = OrderedDict()

    def get(self, key):
        if key not in self.store:
            return None
        self.store.move_to_end(key)
        return self.store[key]

    def put(self, key, value):
        self.store[key] = value
        if len(self.store) > self.capacity:
            self.store.popitem(last=False)


def misses(keys: list[int]) -> int:
    cache = LRU(2)
    count = 0
    for key in keys:
        if cache.get(key) is None:
            count += 1
            cache.put(key, True)
    return count
