def first_repeat(numbers: list[int]) -> int | None:
    seen = set()
    for number in numbers:
        if number in seen:
            return number
        seen.add(number)
    return None
