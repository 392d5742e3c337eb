"""The JDK 1.5 quicksort of arrays, without its median of nine (as in the paper)."""


def quicksort(x: list[int]) -> list[int]:
    sort(x, 0, len(x))
    return x


def sort(x, off, length):
    if length < 7:
        for i in range(off, off + length):
            j = i
            while j > off and x[j - 1] > x[j]:
                x[j], x[j - 1] = x[j - 1], x[j]
                j -= 1
        return
    m = off + length // 2
    if length > 7:
        m = median(x, off, m, off + length - 1)
    v = x[m]
    a = b = off
    c = d = off + length - 1
    while True:
        while b <= c and x[b] <= v:
            if x[b] == v:
                x[a], x[b] = x[b], x[a]
                a += 1
            b += 1
        while c >= b and x[c] >= v:
            if x[c] == v:
                x[c], x[d] = x[d], x[c]
                d -= 1
            c -= 1
        if b > c:
            break
        x[b], x[c] = x[c], x[b]
        b += 1
        c -= 1
    n = off + length
    s = min(a - off, b - a)
    for k in range(s):
        x[off + k], x[b - s + k] = x[b - s + k], x[off + k]
    s = min(d - c, n - d - 1)
    for k in range(s):
        x[b + k], x[n - s + k] = x[n - s + k], x[b + k]
    if b - a > 1:
        sort(x, off, b - a)
    if d - c > 1:
        sort(x, n - (d - c), d - c)


def median(x, a, b, c):
    if x[a] < x[b]:
        if x[b] < x[c]:
            return b
        return c if x[a] < x[c] else a
    if x[b] > x[c]:
        return b
    return c if x[a] > x[c] else a
