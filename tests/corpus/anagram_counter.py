from collections import Counter


def is_anagram(first: str, second: str) -> bool:
    counts = Counter(first)
    for c in second:
        if counts[c] == 0:
            return False
        counts[c] -= 1
    return True
