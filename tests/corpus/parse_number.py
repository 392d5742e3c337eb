def parse_number(text: str) -> int:
    value = 0
    try:
        for part in text:
            value = value * 10 + int(part)
    except ValueError:
        return -1
    finally:
        value += 1
    return value
