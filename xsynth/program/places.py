"""Places as the user's files have them.

A comparison of keys is made inside of a dictionary, in code that is not the user's; what
they want to see is the line of theirs that led there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from xsynth.trace.building import BUILDERS
from xsynth.trace.terms import Place, Site

MAKING = "while the input is made"


@dataclass(frozen=True, slots=True)
class Places:
    """The functions of a program's files, by qualified name, and the file of each."""

    main: str
    files: Mapping[str, str] = field(default_factory=dict)

    def site(self, place: Place) -> Site:
        """The innermost site around a place, or its own, that is in a function of the files."""
        for site in (place.site, *reversed(place.context)):
            if _outermost(site) in self.files:
                return site
        return place.site

    def file(self, place: Place) -> str:
        return self.files.get(_outermost(self.site(place)), self.main)

    def words(self, place: Place) -> str:
        """`sort.py:12`, in any of the program's own files."""
        if place.site.function in BUILDERS:
            return MAKING
        if not place.site.line:
            return of_the_input(place)
        return f"{self.file(place)}:{self.site(place).line}"


def of_the_input(place: Place) -> str:
    """What is said of the input as a whole has no line."""
    values = place.site.function == "value"
    return "the values of the input" if values else "the order of the elements"


def _outermost(site: Site) -> str:
    return site.function.partition(".<locals>")[0]


def own_site(place: Place, source: str | None) -> Site:
    """The innermost site around a place, or its own, that is in a function of the source."""
    return place.site if source is None else places_of([("", source)]).site(place)


def places_of(sources: Iterable[tuple[str, str]]) -> Places:
    """From the names and sources of a program's files, its own file first."""
    files: dict[str, str] = {}
    main = ""
    for name, source in sources:
        main = main or name
        for function in functions(source):
            files.setdefault(function, name)
    return Places(main, files)


@lru_cache(maxsize=64)
def functions(source: str) -> frozenset[str]:
    """The functions of a module and the methods of its classes, by their qualified names."""
    found: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", node) for node in ast.parse(source).body]
    while waiting:
        prefix, node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(prefix + node.name)
        elif isinstance(node, ast.ClassDef):
            waiting += [(f"{prefix}{node.name}.", child) for child in node.body]
        elif isinstance(node, ast.stmt):
            waiting += [(prefix, child) for child in ast.iter_child_nodes(node)]
    return frozenset(found)
