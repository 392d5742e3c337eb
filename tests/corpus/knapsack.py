def knapsack(weights: list[int], values: list[int], capacity: int = 3) -> int:
    dp = [0] * (capacity + 1)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            dp[c] = dp[c] if dp[c] >= dp[c - w] + v else dp[c - w] + v
    return dp[capacity]
