from functools import reduce


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def gcd_all(values: list[int]) -> int:
    return reduce(gcd, values)
