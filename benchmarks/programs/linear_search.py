"""Linear search."""


def linear_search(items: list[int], wanted: int) -> int:
    for position, item in enumerate(items):
        if item == wanted:
            return position
    return -1
