import bisect


def build_sorted(values: list[int]) -> list[int]:
    result: list[int] = []
    for value in values:
        at = bisect.bisect_left(result, value)
        if at == len(result) or result[at] != value:
            result.insert(at, value)
    return result
