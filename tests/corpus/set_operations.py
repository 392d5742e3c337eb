def common(a: list[int], b: list[int]) -> list[int]:
    shared = set(a) & set(b)
    result = []
    for x in sorted(shared):
        if x not in result:
            result.append(x)
    return result
