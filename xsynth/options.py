"""What a person types on the command line, as values: targets, pairs, scales."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from xsynth.errors import UsageError

FEWEST_SCALES = 3
"""Two scales give a line through anything; the third is the spare one."""
MOST_SCALES = 1000


def split_target(text: str) -> tuple[Path, str | None]:
    """`sort.py::my_sort` or `sort.py`."""
    path, colons, function = text.partition("::")
    if colons and not function.isidentifier():
        raise UsageError(
            f"{text}: {function!r} is not the name of a function",
            "write PROGRAM::FUNCTION, as in sort.py::my_sort",
        )
    return Path(path), function or None


def parse_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE`, each name once; `edges.0` names the first component of a tuple."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not value or not re.fullmatch(r"\w+(\.\d+)*", name):
            raise UsageError(
                f"{option} {text}: not of the form NAME=VALUE",
                f"name a parameter of the function, as in {option} {_EXAMPLES[option]}",
            )
        if name in pairs:
            raise UsageError(
                f"{option} {name} is given twice: {pairs[name]} and {value}",
                "leave one of them out",
            )
        pairs[name] = value
    return pairs


_EXAMPLES = {
    "--size": "edges='n*(n-1)'",
    "--fix": "src=0",
    "--range": "a=0..9",
    "--input": "a='list[int]'",
}

_RANGE = re.compile(r"(\d+)\.\.(\d+)(?:\.\.(\d+))?")
_HOW = "write a range or a list, as in --scales 2..6, 2..10..2 or 2,3,5"


def parse_scales(text: str) -> tuple[int, ...]:
    """`2..6`, `2..10..2`, `2,3,5`, rising and without repetition."""
    found: set[int] = set()
    for part in (part.strip() for part in text.split(",")):
        if re.fullmatch(r"-\d+|-\d+\.\..*", part):
            raise _not_positive(text)
        if part.isascii() and part.isdigit():
            found.add(int(part))
            continue
        ends = _RANGE.fullmatch(part)
        if ends is None:
            raise UsageError(f"--scales {text}: {part!r} is not a range of whole numbers", _HOW)
        first, last, step = int(ends[1]), int(ends[2]), int(ends[3] or 1)
        if step < 1 or last < first:
            raise UsageError(f"--scales {text}: the range {part} is empty", _HOW)
        if (last - first) // step >= MOST_SCALES:
            raise UsageError(
                f"--scales {text}: more than {MOST_SCALES} scales",
                "a few small ones are enough: the smallest show how the worst case grows",
            )
        found.update(range(first, last + 1, step))
    return check_scales(found, f"--scales {text}")


def check_scales(scales: Sequence[int] | set[int], shown: str) -> tuple[int, ...]:
    """Rising scales that something can be fitted to."""
    rising = tuple(sorted(set(scales)))
    if any(not isinstance(n, int) or n < 1 for n in rising):
        raise _not_positive(shown.removeprefix("--scales "))
    if len(rising) < FEWEST_SCALES:
        raise UsageError(
            f"{shown}: {len(rising)} scale{'s' if len(rising) != 1 else ''}, too few to fit",
            f"give at least {FEWEST_SCALES}, as in --scales 2..6",
        )
    return rising


def _not_positive(text: str) -> UsageError:
    return UsageError(f"--scales {text}: a scale is a whole number from 1 on", _HOW)
