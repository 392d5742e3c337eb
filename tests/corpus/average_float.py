def above_average(samples: list[float]) -> int:
    mean = sum(samples) / len(samples)
    count = 0
    for x in samples:
        if x > mean:
            count += 1
    return count
