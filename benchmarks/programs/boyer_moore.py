"""Boyer and Moore's search with both tables: delta1 by character, delta2 by position.

Learn it with --fix 'pattern="abc"'
"""


def bad_characters(pattern):
    last = {}
    for position, character in enumerate(pattern):
        last[character] = len(pattern) - 1 - position
    return last


def good_suffixes(pattern):
    m = len(pattern)
    shifts = [0] * m
    for j in range(m):
        suffix = pattern[j + 1 :]
        shift = 1
        while not plausible(pattern, suffix, j, shift):
            shift += 1
        shifts[j] = shift + m - 1 - j
    return shifts


def plausible(pattern, suffix, j, shift):
    for k, character in enumerate(suffix):
        at = j + 1 + k - shift
        if at >= 0 and pattern[at] != character:
            return False
    at = j - shift
    return at < 0 or pattern[at] != pattern[j]


def boyer_moore(text: str, pattern: str) -> int:
    n = len(text)
    m = len(pattern)
    delta1 = bad_characters(pattern)
    delta2 = good_suffixes(pattern)
    i = m - 1
    while i < n:
        j = m - 1
        while j >= 0 and text[i] == pattern[j]:
            i -= 1
            j -= 1
        if j < 0:
            return i + 1
        by_character = m
        for character in delta1:
            if text[i] == character:
                by_character = delta1[character]
        i += max(by_character, delta2[j])
    return -1
