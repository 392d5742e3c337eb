import re


def trimmed(line: str) -> str:
    return re.sub(r"\s+$", "", line)
