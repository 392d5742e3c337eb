def interpret(program: list[tuple[int, int]]) -> int:
    total = 0
    for step in program:
        match step:
            case (0, 0):
                continue
            case (0, int(x)):
                total += x
            case (1, x) if x > 0:
                for _ in range(2):
                    total -= x
            case _:
                total = 0
    return total
