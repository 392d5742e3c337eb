"""Searching a fixed pattern in a text, by trying every position."""


def pattern_search(text: str, pattern: str = "aab") -> int:
    for start in range(len(text) - len(pattern) + 1):
        matched = 0
        while matched < len(pattern) and text[start + matched] == pattern[matched]:
            matched += 1
        if matched == len(pattern):
            return start
    return -1
