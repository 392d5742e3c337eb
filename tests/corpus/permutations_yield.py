def permutations(items: list[int]):
    if len(items) <= 1:
        yield items
        return
    for i, x in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1 :]):
            if not rest or x <= rest[0]:
                yield [x, *rest]
