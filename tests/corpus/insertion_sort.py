def insertion_sort(data: list[int]) -> list[int]:
    """Shift larger elements to the right, a turn of while for each."""
    for i in range(1, len(data)):
        key = data[i]
        j = i - 1
        while j >= 0 and data[j] > key:
            data[j + 1] = data[j]
            j -= 1
        data[j + 1] = key
    return data
