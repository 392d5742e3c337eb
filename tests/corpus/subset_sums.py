def subsets(nums: list[int], goal: int) -> int:
    found = 0

    def walk(i: int, total: int) -> None:
        nonlocal found
        if i == len(nums):
            if total == goal:
                found += 1
            return
        walk(i + 1, total)
        walk(i + 1, total + nums[i])

    walk(0, 0)
    return found
