def two_sum(nums: list[int], target: int) -> tuple[int, int] | None:
    seen: dict[int, int] = {}
    for i, x in enumerate(nums):
        if (want := target - x) in seen:
            return seen[want], i
        seen[x] = i
    return None
