def caesar(text: str, key: int = 3) -> str:
    out = []
    for ch in text:
        if ch.isupper():
            out.append(chr((ord(ch) - ord("A") + key) % 26 + ord("A")))
        elif ch.islower():
            out.append(chr((ord(ch) - ord("a") + key) % 26 + ord("a")))
        else:
            out.append(ch)
    return "".join(out)
