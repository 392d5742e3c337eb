import re

ONES = re.compile(r"(1+)+$")


def is_unary(text: str) -> bool:
    return ONES.match(text) is not None
