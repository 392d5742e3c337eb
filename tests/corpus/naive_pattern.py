def occurrences(text: str, pattern: str) -> list[int]:
    found = []
    for i in range(len(text) - len(pattern) + 1):
        for j in range(len(pattern)):
            if text[i + j] != pattern[j]:
                break
        else:
            found.append(i)
    return found
