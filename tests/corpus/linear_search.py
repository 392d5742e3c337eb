def linear_search(sequence: list[int], target: int) -> int:
    for index, item in enumerate(sequence):
        if item == target:
            return index
    return -1
