"""What a person types on the command line, as values: targets, pairs, scales."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

from xsynth.errors import UsageError
from xsynth.model.isg import WORDS
from xsynth.scale import Scale, sizes_of

FEWEST_SCALES = 3
"""Two scales give a line through anything; the third is the spare one."""
MOST_SCALES = 1000


def split_target(text: str) -> tuple[Path, str | None]:
    """`sort.py::my_sort`, `heap.py::Heap.push` or `sort.py`."""
    path, colons, function = text.partition("::")
    if colons and not all(part.isidentifier() for part in function.split(".")):
        raise UsageError(
            f"{text}: {function!r} is not the name of a function",
            "write PROGRAM::FUNCTION, as in sort.py::my_sort",
        )
    return Path(path), function or None


def parse_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE`, each name once; `edges.0` names the first component of a tuple, `self.items`
    an argument of the constructor of an object.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not value or not re.fullmatch(r"\w+(\.\w+)*", name):
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
_HOW_SEVERAL = "name every variable, as in --scales 'n=2..5,m=2..4'"
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_RESERVED = WORDS | {"min", "max", "range", "list"}


def parse_scales(text: str) -> tuple[Scale, ...]:
    """`2..6`, `2..10..2`, `2,3,5`, rising and without repetition; or `n=2..5,m=2..4`.

    With several variables it is every combination of their values.
    """
    if "=" not in text:
        return check_scales(_parse_range(text, f"--scales {text}"), f"--scales {text}")
    ranges: dict[str, list[str]] = {}
    name = ""
    for part in text.split(","):
        before, equals, after = (piece.strip() for piece in part.partition("="))
        if equals:
            name = _variable(before, ranges, f"--scales {text}", _HOW_SEVERAL)
            ranges[name] = [after]
        elif not name:
            raise UsageError(f"--scales {text}: {part.strip()} belongs to no name", _HOW_SEVERAL)
        else:
            ranges[name].append(before)
    parsed = {
        name: _parse_range(",".join(parts), f"--scales {name}={','.join(parts)}")
        for name, parts in ranges.items()
    }
    return grid(parsed, "--scales ")


def parse_single_scales(text: str) -> tuple[int, ...]:
    """Scales of the one variable n, where several are not supported."""
    found = parse_scales(text)
    single = tuple(scale for scale in found if isinstance(scale, int))
    if len(single) < len(found):
        raise UsageError(f"--scales {text}: only one variable, n, is possible here", _HOW)
    return single


def grid(values: Mapping[str, Iterable[int]], option: str = "scales ") -> tuple[Scale, ...]:
    """Every combination of the values of several variables."""
    if not values:
        raise UsageError(f"{option.strip()}: no variable has a scale", _HOW_SEVERAL)
    own = []
    for name, given in values.items():
        listed = list(given)
        text = ",".join(map(str, listed))
        shown = f"{option}{name}={text if len(text) < 40 else text[:40] + '...'}"
        _variable(name, {}, shown, _HOW_SEVERAL)
        own.append(check_scales(listed, shown))
    if math.prod(map(len, own)) > MOST_SCALES:
        raise UsageError(f"{option.strip()}: more than {MOST_SCALES} combinations", _FEWER)
    return tuple(
        sorted(sizes_of(dict(zip(values, chosen, strict=True))) for chosen in product(*own))
    )


def parse_scale(text: str, option: str = "--scale") -> Scale:
    """One scale: `300`, or `n=300,m=200`."""
    found: dict[str, int] = {}
    how = f"give a whole number, as in {option} 500, or {option} n=300,m=200"
    for part in text.split(","):
        before, equals, after = (piece.strip() for piece in part.partition("="))
        name = _variable(before, found, f"{option} {text}", how) if equals else "n"
        number = after if equals else before
        if re.fullmatch(r"-?[0-9]+", number) is None or name in found:
            raise UsageError(f"{option} {text}: {part.strip()!r} is not a whole number", how)
        found[name] = int(number)
    return sizes_of(found)


def _variable(name: str, known: Mapping[str, object], shown: str, how: str) -> str:
    if _NAME.fullmatch(name) is None or keyword.iskeyword(name) or name in _RESERVED:
        raise UsageError(f"{shown}: {name!r} is no name for a variable", how)
    if name in known:
        raise UsageError(f"{shown}: {name} is given twice", "leave one of them out")
    return name


_FEWER = "a few small ones are enough: the smallest show how the worst case grows"


def _parse_range(text: str, shown: str) -> set[int]:
    found: set[int] = set()
    for part in (part.strip() for part in text.split(",")):
        if re.fullmatch(r"-\d+|-\d+\.\..*", part):
            raise _not_positive(shown)
        if part.isascii() and part.isdigit():
            found.add(int(part))
            continue
        ends = _RANGE.fullmatch(part)
        if ends is None:
            raise UsageError(f"{shown}: {part!r} is not a range of whole numbers", _HOW)
        first, last, step = int(ends[1]), int(ends[2]), int(ends[3] or 1)
        if step < 1 or last < first:
            raise UsageError(f"{shown}: the range {part} is empty", _HOW)
        if (last - first) // step >= MOST_SCALES:
            raise UsageError(f"{shown}: more than {MOST_SCALES} scales", _FEWER)
        found.update(range(first, last + 1, step))
    return found


def check_scales(scales: Iterable[int], shown: str) -> tuple[int, ...]:
    """Rising scales that something can be fitted to."""
    rising = tuple(sorted(set(scales)))
    if any(not isinstance(n, int) or n < 1 for n in rising):
        raise _not_positive(shown)
    if len(rising) < FEWEST_SCALES:
        raise UsageError(
            f"{shown}: {len(rising)} scale{'s' if len(rising) != 1 else ''}, too few to fit:"
            " any two costs lie on a line, so a third has to agree",
            f"give at least {FEWEST_SCALES}, as in --scales {_more(rising)}",
        )
    return rising


def _more(scales: Sequence[int]) -> str:
    """Enough scales, from the first of these."""
    first = scales[0] if scales else 2
    return f"{first}..{first + FEWEST_SCALES + 1}"


def _not_positive(shown: str) -> UsageError:
    return UsageError(f"{shown}: a scale is a whole number from 1 on", _HOW)
