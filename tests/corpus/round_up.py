def payments(amounts: list[float], coin: float) -> int:
    count = 0
    for amount in amounts:
        if round(amount) > int(amount):
            count += 1
        if amount // coin >= 2:
            count += 1
    return count
