"""Places as the user's file has them.

A comparison of keys is made inside of a dictionary, in code that is not the user's; what
they want to see is the line of theirs that led there.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from xsynth.trace.terms import Place, Site


def own_site(place: Place, source: str | None) -> Site:
    """The innermost site around a place, or its own, that is in a function of the source."""
    if source is None:
        return place.site
    names = _functions(source)
    for site in (place.site, *reversed(place.context)):
        if site.function.partition(".<locals>")[0] in names:
            return site
    return place.site


@lru_cache(maxsize=4)
def _functions(source: str) -> frozenset[str]:
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
