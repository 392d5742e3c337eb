def follow(links: list[int], start: int) -> int:
    at = start
    steps = 0
    while steps < len(links) and at >= 0:
        at = links[at]
        steps += 1
    return steps
