"""Rows of integer matrices as keys: repeats and lookup, without a Python loop a row.

A row becomes one int64 key by mixed radix, column after column; where the product of
the ranges would not fit, the key so far is replaced by its rank, so nothing overflows
and equal keys always mean equal rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"

_KEY_LIMIT = 2**62
_RANGE_LIMIT = 2**31


def row_keys(columns: Sequence[Array], rows: int) -> Array:
    """One int64 for each row; two rows have the same key if and only if they are equal."""
    key = np.zeros(rows, dtype=np.int64)
    if rows == 0:
        return key
    span = 1
    for column in columns:
        low = int(column.min())
        extent = int(column.max()) - low + 1
        digits = column
        if extent >= _RANGE_LIMIT:
            _, digits = np.unique(column, return_inverse=True)
            low, extent = 0, rows
        if extent == 1:
            continue
        if span * extent >= _KEY_LIMIT:
            _, key = np.unique(key, return_inverse=True)
            span = rows
        key = key * extent + (digits - low)
        span *= extent
    return key


def all_different(keys: Array) -> bool:
    """Whether no key repeats; sorting is several times faster than `np.unique` here."""
    ordered = np.sort(keys)
    return not (ordered[1:] == ordered[:-1]).any()


def occurring(numbers: Array) -> Array:
    """The different numbers, none negative, ascending."""
    return np.flatnonzero(np.bincount(numbers))


def first_of_each(matrix: Array) -> Array:
    """The positions of the first occurrence of each different row, ascending."""
    _, first = np.unique(row_keys(list(matrix.T), len(matrix)), return_index=True)
    return np.sort(first)


class RowIndex:
    """Numbers the different rows of a matrix in lexicographic order, and finds them again."""

    def __init__(self, matrix: Array) -> None:
        rows, _ = matrix.shape
        self._steps: list[tuple[Array, Array]] = []
        key = np.zeros(rows, dtype=np.int64)
        for column in matrix.T:
            values, rank = np.unique(column, return_inverse=True)
            keys, key = np.unique(key * max(len(values), 1) + rank, return_inverse=True)
            self._steps.append((values, keys))
        self.ids: Array = key
        self.size: int = int(key.max()) + 1 if rows else 0

    def find(self, matrix: Array) -> Array:
        """The number of each row, or -1 where the index does not have it."""
        rows, width = matrix.shape
        if self.size == 0 or width != len(self._steps):
            return np.full(rows, -1, dtype=np.int64)
        key = np.zeros(rows, dtype=np.int64)
        known = np.ones(rows, dtype=bool)
        for column, (values, keys) in zip(matrix.T, self._steps, strict=True):
            digit = np.minimum(np.searchsorted(values, column), len(values) - 1)
            known &= values[digit] == column
            wanted = key * len(values) + digit
            key = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            known &= keys[key] == wanted
        return np.where(known, key, -1)
