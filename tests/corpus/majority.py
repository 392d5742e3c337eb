def majority(values: list[int]) -> int | None:
    candidate, count = None, 0
    for v in values:
        if count == 0:
            candidate, count = v, 1
        elif candidate == v:
            count += 1
        else:
            count -= 1
    return candidate
