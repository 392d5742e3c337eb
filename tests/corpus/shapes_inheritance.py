from abc import ABC, abstractmethod
from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


class Shape(ABC):
    @abstractmethod
    def area(self) -> int: ...

    def __lt__(self, other: "Shape") -> bool:
        return self.area() < other.area()


class Square(Shape):
    def __init__(self, side: int) -> None:
        self.side = side

    def area(self) -> int:
        return self.side * 2


class Box(Square):
    def area(self) -> int:
        return super().area() + 1


def largest(sides: list[int]) -> int:
    shapes: list[Shape] = [Square(s) if i % 2 else Box(s) for i, s in enumerate(sides)]
    best = shapes[0]
    for shape in shapes[1:]:
        if best < shape:
            best = shape
    return Point(best.area(), 0).x
