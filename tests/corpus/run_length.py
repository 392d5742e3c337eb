def encode(text: str) -> str:
    if not text:
        return ""
    result, count = "", 1
    for previous, current in zip(text, text[1:]):
        if current == previous:
            count += 1
        else:
            result += f"{count}{previous}"
            count = 1
    return result + f"{count}{text[-1]}"
