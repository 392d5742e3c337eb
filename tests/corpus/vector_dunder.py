class Vector:
    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)

    def __eq__(self, other):
        return len(self) == len(other) and all(a == b for a, b in zip(self.items, other.items))

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self.items, other.items)))


def equal_sums(a: list[int], b: list[int]) -> bool:
    return Vector(*a) + Vector(*b) == Vector(*b) + Vector(*[0] * len(a))
