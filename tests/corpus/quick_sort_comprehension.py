def quick_sort(items: list[int]) -> list[int]:
    if len(items) < 2:
        return items
    pivot, *rest = items
    lesser = [x for x in rest if x <= pivot]
    greater = [x for x in rest if x > pivot]
    return [*quick_sort(lesser), pivot, *quick_sort(greater)]
