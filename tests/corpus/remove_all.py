def remove_all(values: list[int], x: int) -> list[int]:
    while x in values:
        values.remove(x)
    return values
