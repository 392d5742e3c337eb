"""The type that a docstring gives a parameter: in words, or by its examples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def arguments_of(node: Function) -> list[ast.arg]:
    arguments = node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


VAGUE = {"list", "array", "sequence", "iterable", "tuple", "matrix", "dict", "set", "any"}
_WORDS = {
    **dict.fromkeys(("string", "str", "text"), "str"),
    **dict.fromkeys(("integer", "int", "number", "num"), "int"),
    **dict.fromkeys(("boolean", "bool"), "bool"),
    **dict.fromkeys(("list of int", "list of ints", "list of integers"), "list[int]"),
    **dict.fromkeys(("list of str", "list of strings"), "list[str]"),
    "float": "float",
}


def documented(text: str, name: str) -> str | None:
    """The type that a docstring gives a parameter, in the styles of Sphinx, Google and numpy."""
    own = re.escape(name)
    for pattern in (
        rf"[:@]type {own}: *(.+)",
        rf":param ([\w\[\], ]+?) {own}:",
        rf"^ *{own} ?\(([^()]+)\) ?:",
        rf"^ *{own} : *([\w\[\], ]+)$",
    ):
        found = re.search(pattern, text, re.MULTILINE)
        if found is not None:
            said = re.sub(r",? *optional$", "", found[1].strip().rstrip("."))
            said = re.sub(r"\bList\[", "list[", said)
            return _WORDS.get(said.lower(), said.lower() if said.lower() in VAGUE else said)
    return None


def exemplified(text: str, node: Function, name: str) -> str | None:
    """The type that a parameter has in the examples of a docstring, if all agree on one."""
    names = [argument.arg for argument in arguments_of(node)]
    found: set[str] = set()
    for line in re.findall(r"^ *>>> (.+)$", text, re.MULTILINE):
        try:
            tree = ast.parse(line, mode="eval")
        except (SyntaxError, ValueError):
            continue
        for call in ast.walk(tree):
            match call:
                case ast.Call(func=ast.Name(id=called), args=args, keywords=keywords):
                    if called != node.name:
                        continue
                    given = dict(zip(names, args, strict=False))
                    given |= {k.arg: k.value for k in keywords if k.arg}
                    found |= set(_type_of(given[name])) if name in given else set()
                case _:
                    pass
    if found in ({"int", "float"}, {"list[int]", "list[float]"}):
        found -= {"float", "list[float]"}  # often an example of what is refused
    return found.pop() if len(found) == 1 else None


def _type_of(node: ast.expr) -> Iterator[str]:
    """The type of a literal; nothing where it is none, or says too little."""
    try:
        yield from _text_of(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return


def _text_of(value: object) -> Iterator[str]:
    match value:
        case bool() | int() | float() | str() | bytes():
            yield type(value).__name__
        case tuple() if value:
            parts = [next(_text_of(item), "") for item in value]
            if all(parts):
                yield f"tuple[{', '.join(parts)}]"
        case list() | set() if value:
            inner = {found for item in value for found in _text_of(item)}
            if inner == {"int", "float"}:
                inner = {"float"}
            if len(inner) == 1:
                yield f"{type(value).__name__}[{inner.pop()}]"
        case dict() if value:
            keys = {found for item in value for found in _text_of(item)}
            values = {found for item in value.values() for found in _text_of(item)}
            if len(keys) == len(values) == 1:
                yield f"dict[{keys.pop()}, {values.pop()}]"
        case _:
            return
