"""The score of a trigram, from a table of n trigrams that is looked through from its start.

Learn it with --size table=n,3 --size gram=3
"""

UNKNOWN = -1


def same(left, right):
    for i in range(len(left)):
        if left[i] != right[i]:
            return False
    return True


def ngram_lookup(table: list[list[int]], gram: list[int]) -> int:
    for score in range(len(table)):
        if same(table[score], gram):
            return score
    return UNKNOWN
