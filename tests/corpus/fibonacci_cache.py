from functools import cache


@cache
def fib(k):
    return k if k < 2 else fib(k - 1) + fib(k - 2)


def table(queries: list[int]) -> list[int]:
    return [fib(q) for q in queries]
