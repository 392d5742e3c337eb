def climb(heights: list[int]) -> int:
    """Jumps of one or two; the lesser sum of differences."""
    memo: dict[int, int] = {0: 0}

    def cost(i: int) -> int:
        if i in memo:
            return memo[i]
        one = cost(i - 1) + abs(heights[i] - heights[i - 1])
        if i > 1:
            one = min(one, cost(i - 2) + abs(heights[i] - heights[i - 2]))
        memo[i] = one
        return one

    return cost(len(heights) - 1)
