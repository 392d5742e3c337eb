"""The score of a text by its trigrams: each one that is known adds its weight."""

GRAMS = [("the", 5), ("and", 3), ("ing", 2)]
UNKNOWN = -1


def weight(text, start):
    for gram, value in GRAMS:
        k = 0
        while k < 3 and text[start + k] == gram[k]:
            k += 1
        if k == 3:
            return value
    return UNKNOWN


def ngram_score(text: str) -> int:
    score = 0
    for start in range(len(text) - 2):
        score += weight(text, start)
    return score
