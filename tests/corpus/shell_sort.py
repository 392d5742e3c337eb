def shell_sort(collection: list[int]) -> list[int]:
    gap = len(collection) // 2
    while gap > 0:
        for i in range(gap, len(collection)):
            insert_value = collection[i]
            j = i
            while j >= gap and collection[j - gap] > insert_value:
                collection[j] = collection[j - gap]
                j -= gap
            collection[j] = insert_value
        gap //= 2
    return collection
