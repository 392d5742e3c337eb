from collections import defaultdict


def group(words: list[str]) -> dict[str, list[str]]:
    groups = defaultdict(list)
    for word in words:
        groups["".join(sorted(word))].append(word)
    return {key: value for key, value in groups.items() if len(value) > 1}
