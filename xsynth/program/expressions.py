"""Arithmetic over the scale, as a user types it: `n*(n-1)`, `[0]*n`, `"abc"`.

The text is parsed by `ast` and walked; it is never given to `eval`.  A size is
an expression of integers, a value may also be any Python literal.  An
expression is its text: two are equal when their texts are.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from xsynth.errors import InputSpecError

_LARGEST_POWER_BITS = 4096
_ACCEPTED = "Accepted: n, whole numbers, + - * // % **, min(...), max(...)."

_BINARY: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_CALLS: dict[str, Callable[..., object]] = {"min": min, "max": max}
_VALUE_CALLS: dict[str, Callable[..., object]] = {**_CALLS, "range": range, "list": list}


@dataclass(frozen=True, slots=True)
class SizeExpr:
    """A length as an expression of the scale; made by `parse_size`."""

    text: str

    def evaluate(self, scale: Mapping[str, int]) -> int:
        value = _walk(_tree(self.text), scale, self.text)
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputSpecError(f"the size `{self.text}` is {value!r}", _ACCEPTED)
        return value

    def names(self) -> frozenset[str]:
        return _free_names(_tree(self.text))


@dataclass(frozen=True, slots=True)
class ValueExpr:
    """A value as a literal or an expression of the scale; made by `parse_value`."""

    text: str

    def evaluate(self, scale: Mapping[str, int]) -> object:
        """The value; containers are fresh at every call."""
        return _walk(_tree(self.text), scale, self.text)

    def names(self) -> frozenset[str]:
        return _free_names(_tree(self.text))


def parse_size(text: str) -> SizeExpr:
    line = _one_line(text)
    tree = _tree(line)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=bool()):
                raise InputSpecError(f"the size `{line}` is not arithmetic", _ACCEPTED)
            case ast.Name(id=("range" | "list")):
                raise InputSpecError(f"the size `{line}` is not a number", _ACCEPTED)
            case ast.Constant(value=int()) | ast.BinOp() | ast.UnaryOp() | ast.Name() | ast.Call():
                pass
            case ast.operator() | ast.unaryop() | ast.expr_context() | ast.Expression():
                pass
            case _:
                raise InputSpecError(f"the size `{line}` is not arithmetic", _ACCEPTED)
    _check(tree, line)
    return SizeExpr(line)


def parse_sizes(text: str) -> tuple[SizeExpr, ...]:
    """Sizes of several dimensions, outermost first: `n,2*n`."""
    line = _one_line(text)
    match _tree(line).body:
        case ast.Tuple(elts=parts) if parts:
            return tuple(parse_size(ast.get_source_segment(line, p) or "") for p in parts)
        case _:
            return (parse_size(line),)


def parse_value(text: str) -> ValueExpr:
    line = _one_line(text)
    tree = _tree(line)
    _check(tree, line)
    return ValueExpr(line)


def literal(value: object) -> ValueExpr | None:
    """The expression of a plain value, or None where it has no literal form."""
    text = repr(value)
    try:
        expression = parse_value(text)
        again = expression.evaluate({})
    except InputSpecError:
        return None
    return expression if type(again) is type(value) and again == value else None


def _one_line(text: str) -> str:
    stripped = text.strip()
    return ast.unparse(_tree(stripped)) if len(stripped.splitlines()) > 1 else stripped


@lru_cache(maxsize=1024)
def _tree(text: str) -> ast.Expression:
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputSpecError(
            f"`{text}` cannot be read as an expression of n",
            'Write for example n, 2*n + 1, [0]*n, or a quoted string "abc".',
        ) from error


def _free_names(tree: ast.Expression) -> frozenset[str]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if id(node) not in called)


def _check(tree: ast.Expression, text: str) -> None:
    """Refuses what `_walk` cannot compute, before any scale is known."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=op) if type(op) not in _BINARY and not isinstance(op, ast.Pow):
                raise InputSpecError(f"`{text}` uses an operator that is not accepted", _ACCEPTED)
            case ast.UnaryOp(op=ast.Not() | ast.Invert()):
                raise InputSpecError(f"`{text}` uses an operator that is not accepted", _ACCEPTED)
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _VALUE_CALLS:
                pass
            case ast.Expression() | ast.BinOp() | ast.UnaryOp() | ast.Constant() | ast.Name():
                pass
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                pass
            case ast.operator() | ast.unaryop() | ast.expr_context():
                pass
            case _:
                raise InputSpecError(
                    f"`{text}` is not a literal or an expression of n",
                    "Accepted: Python literals, n, + - * // % **, min(...), max(...), [0]*n.",
                )


def _walk(tree: ast.Expression, scale: Mapping[str, int], text: str) -> object:
    try:
        return _value(tree.body, scale, text)
    except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
        at = ", ".join(f"{name} = {value}" for name, value in scale.items())
        raise InputSpecError(
            f"`{text}` has no value{' at ' if at else ''}{at}: {error}", _ACCEPTED
        ) from error


def _value(node: ast.expr, scale: Mapping[str, int], text: str) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            if name not in scale:
                raise InputSpecError(
                    f"`{text}` uses the unknown name {name}",
                    f'The scale is called n; a string is written in quotes: "{name}".',
                )
            return scale[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return operator.neg(_value(operand, scale, text))  # type: ignore[arg-type]
        case ast.UnaryOp(operand=operand):
            return operator.pos(_value(operand, scale, text))  # type: ignore[arg-type]
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left, scale, text), _value(right, scale, text))
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_value(left, scale, text), _value(right, scale, text))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _VALUE_CALLS[name](*[_value(a, scale, text) for a in args])
        case ast.List(elts=elements):
            return [_value(e, scale, text) for e in elements]
        case ast.Tuple(elts=elements):
            return tuple([_value(e, scale, text) for e in elements])
        case ast.Set(elts=elements):
            return {_value(e, scale, text) for e in elements}
        case ast.Dict(keys=keys, values=values):
            if None in keys:
                raise InputSpecError(f"`{text}` unpacks a mapping", "Write its entries out.")
            return {
                _value(k, scale, text): _value(v, scale, text)
                for k, v in zip(keys, values, strict=True)
                if k is not None
            }
        case _:
            raise InputSpecError(f"`{text}` is not a literal or an expression of n", _ACCEPTED)


def _power(base: object, exponent: object) -> object:
    if not isinstance(base, int) or not isinstance(exponent, int):
        raise TypeError("** takes whole numbers")
    if exponent < 0:
        raise ValueError("the exponent is negative")
    if base.bit_length() * exponent > _LARGEST_POWER_BITS:
        raise ValueError("the power is too large")
    return base**exponent
