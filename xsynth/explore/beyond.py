"""Which scales beyond the explored ones are looked at before anything is believed.

With several variables each of them is taken further alone, and all of them together: a
formula that is right on a small square can be wrong where one side is much longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from xsynth.scale import Scale, grown, grown_in

OUTWARD = 12
"""How far the search for a formula goes in steps, with several variables."""


def near(largest: Scale) -> tuple[Scale, ...]:
    """The next scales: few, since a search is asked for them too."""
    if isinstance(largest, int):
        return largest + 1, largest + 2, largest + 3
    alone = [grown_in(largest, name, 1) for name in largest]
    return *alone, grown(largest, 2)


def far(largest: Scale) -> tuple[Scale, ...]:
    """About twice as large."""
    if isinstance(largest, int):
        return (2 * largest + 3,)
    alone = [grown_in(largest, name, 3, 2) for name in largest]
    return *alone, grown(largest, 3, 2)


def afar(largest: Scale) -> Scale:
    """Where values that a range bounds are used up, and other things that end have ended."""
    return grown(largest, 9, 6)


def between(largest: Scale) -> tuple[Scale, ...]:
    """Up to twice as large, each an eighth more than the one before, or one more.

    What steps at powers of two (times something) up to here may step elsewhere from here on.
    """
    if not isinstance(largest, int):
        return ()
    found, last = [], largest
    while last < 2 * largest:
        last = max(last + 1, last * 9 // 8)
        found.append(last)
    return tuple(found)


def challenged(largest: Scale) -> tuple[Scale, ...]:
    """Where inputs that follow no model try to beat the formula."""
    steps = (grown(largest, 1), grown(largest, 3), grown(largest, 3, 2), grown(largest, 5, 3))
    if isinstance(largest, int):
        return steps
    return *steps, *(grown_in(largest, name, 3, 2) for name in largest)


def distant(largest: Scale) -> tuple[Scale, ...]:
    """The same much further on, where each of them is run once and no more."""
    return (10 * largest, 30 * largest) if isinstance(largest, int) else ()


def outward(largest: Scale) -> Iterator[Scale]:
    """One scale after the other, for as long as no formula explains their costs."""
    if isinstance(largest, int):
        yield from range(largest + 1, 6 * largest + 7)
        return
    for step in range(1, OUTWARD + 1):
        for name in largest:
            yield grown_in(largest, name, step)
        yield grown(largest, step)
