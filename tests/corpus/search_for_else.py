def first_duplicate(values: list[int]) -> int:
    for i, x in enumerate(values):
        for y in values[i + 1 :]:
            if x == y:
                break
        else:
            continue
        return i
    else:
        return -1
