def place(marks: list[int]) -> int:
    taken = [False] * len(marks)
    clashes = 0
    for mark in marks:
        if taken[mark]:
            clashes += 1
        taken[mark] = True
    return clashes
