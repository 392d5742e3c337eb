import copy


def rotations(values: list[int]) -> int:
    """How many rotations until the list is as it was."""
    original = copy.deepcopy(values)
    turns = 0
    while True:
        values[:] = values[1:] + values[:1]
        turns += 1
        if values == original:
            return turns
