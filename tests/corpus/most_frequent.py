from collections import defaultdict


def most_frequent(words: list[str]) -> str:
    counts: dict[str, int] = defaultdict(int)
    for word in words:
        counts[word] += 1
    best = words[0]
    for word, count in counts.items():
        if count > counts[best]:
            best = word
    return best
