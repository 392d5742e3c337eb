def ways(coins: list[int], amount: int) -> int:
    table = [1] + [0] * amount
    for coin in coins:
        for i in range(coin, amount + 1):
            table[i] += table[i - coin]
    return table[amount]
