import re


def settings(line: str) -> dict[str, str]:
    found = {}
    for key, value in re.findall(r"([a-z])=(\d*)", line):
        if key not in found:
            found[key] = value
    return found
