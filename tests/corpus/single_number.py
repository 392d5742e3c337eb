def single_number(numbers: list[int]) -> int:
    left = 0
    for number in numbers:
        left ^= number
        if left | 1 == 3:
            left = left ^ 2
    return left
