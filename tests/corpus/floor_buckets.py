import math


def fullest(values: list[float]) -> int:
    buckets: dict[int, int] = {}
    for value in values:
        key = math.floor(value)
        buckets[key] = buckets.get(key, 0) + 1
        if buckets[key] > 1 and value % 1 > 0.25:
            buckets[key] += 1
    return len(buckets)
