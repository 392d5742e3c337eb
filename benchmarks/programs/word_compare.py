"""GNU cmp: two files as words; the first word that differs is then compared by bytes.

Words have four bytes: learn it with --range a=0..4294967295 --range b=0..4294967295
"""


def word_compare(a: list[int], b: list[int]) -> int:
    n = len(a)
    word = 0
    while word < n and a[word] == b[word]:
        word += 1
    if word == n:
        return -1
    left = a[word]
    right = b[word]
    byte = 0
    while byte < 3 and left % 256 == right % 256:
        left = left // 256
        right = right // 256
        byte += 1
    return 4 * word + byte
