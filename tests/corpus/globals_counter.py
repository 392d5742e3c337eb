CALLS = 0


def step(x):
    global CALLS
    CALLS += 1
    if x % 2:
        return 3 * x + 1
    return x // 2


def hailstones(values: list[int]) -> int:
    for v in values:
        while v > 1 and CALLS < 20:
            v = step(v)
    return CALLS
