def selection_sort(data: list[int]) -> list[int]:
    for i in range(len(data)):
        least = i
        for j in range(i + 1, len(data)):
            if data[j] < data[least]:
                least = j
        if least != i:
            data[i], data[least] = data[least], data[i]
    return data
