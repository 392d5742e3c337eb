def pancake_sort(arr: list[int]) -> list[int]:
    cur = len(arr)
    while cur > 1:
        mi = arr.index(max(arr[0:cur]))
        if mi != cur - 1:
            arr = arr[mi::-1] + arr[mi + 1 :]
            arr = arr[cur - 1 :: -1] + arr[cur:]
        cur -= 1
    return arr
