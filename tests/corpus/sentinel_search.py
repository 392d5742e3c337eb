def sentinel_search(sequence: list[int], target: int) -> int | None:
    sequence.append(target)
    index = 0
    while sequence[index] != target:
        index += 1
    sequence.pop()
    if index == len(sequence):
        return None
    return index
