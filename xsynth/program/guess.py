"""What type a parameter without an annotation seems to have, from its function's source.

First what the docstring says (`:type a: List[int]`, `a (list): ...`, `>>> f([3, 1])`), then what
the code does with the parameter, with its elements, and with what it passes to functions of
the same file: `len(x)` and `x[i]` make it a list, `x[i][j]` a list of lists, `x.lower()` a
text, `x % 2` a number.  Names (`text`, `n`) settle what is left open.  Where nothing tells, or
an attribute says that it is an object, there is no guess.
A guess is always told to the user, who can say otherwise.

A value is named by its way from the parameter: `("a",)`, an element of it `("a", "[]")`, the
second component of that `("a", "[]", "1")`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from xsynth.errors import InputSpecError
from xsynth.program.annotations import shape_of
from xsynth.program.documented import VAGUE, Function, arguments_of, documented, exemplified

Way: TypeAlias = tuple[str, ...]

ITEM = "[]"
_DEEPEST = 3
_CALLS_DEEP = 3
_SAME = {"list", "sorted", "reversed", "tuple", "iter", "deque", "deepcopy", "copy"}
"""Calls whose result has the elements of their argument."""
_CONSUMERS = {"len", "sum", "min", "max", "any", "all", "enumerate", "zip", "map", "filter"} | _SAME
_NUMERIC = {"range", "abs", "sqrt", "floor", "ceil", "divmod", "pow", "bin", "chr", "hex", "log"}
_OF_LIST = {"append", "extend", "insert", "pop", "sort", "reverse", "remove", "clear"}
_OF_DICT = {"items", "keys", "values", "get", "setdefault"}
_OF_SET = {"add", "discard", "union", "intersection", "difference", "issubset", "issuperset"}
_OF_SHARED = {"index", "count", "copy"}
_OF_CHARACTER = {"isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isnumeric"}
_OF_TEXT = {name for name in dir(str) if not name.startswith("_")} - _OF_SHARED - _OF_CHARACTER
_ARITHMETIC = (ast.Sub, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift, ast.BitAnd, ast.BitXor)


@dataclass
class Guesser:
    """Guesses for the functions of one file."""

    tree: ast.Module
    _functions: dict[str, list[Function]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                self._functions.setdefault(node.name, []).append(node)

    def __call__(self, function: Callable[..., object], name: str) -> str | None:
        node = self._node(function)
        return None if node is None else self.guess(node, name)

    def is_whole(self, function: Callable[..., object], name: str) -> bool:
        """Whether a text is never taken apart: nothing looks at its characters or length."""
        node = self._node(function)
        if node is None:
            return False
        found = _Evidence(self._functions)
        found.collect(node, name, (name,), 0)
        return not found.kinds[name,] & {"sequence", "text", "character"}

    def _node(self, function: object) -> Function | None:
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        code = getattr(function, "__code__", None)
        named = self._functions.get(getattr(function, "__name__", ""), [])
        if code is None or len(named) < 2:
            return named[0] if named else None
        for node in named:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return node
        return None

    def guess(self, node: Function, name: str) -> str | None:
        said = documented(ast.get_docstring(node) or "", name)
        if said is not None and _is_read(said):
            return said
        if said is not None and said not in VAGUE:
            return None  # a type that xsynth does not know
        shown = exemplified(ast.get_docstring(node) or "", node, name)
        if shown is not None and _is_read(shown):
            return shown
        found = _Evidence(self._functions)
        found.collect(node, name, (name,), 0)
        guessed = found.type_of((name,))
        return guessed if guessed is not None and _is_read(guessed) else None


def _is_read(text: str) -> bool:
    try:
        shape_of(text, "")
    except InputSpecError:
        return False
    return True


_TEXTUAL = re.compile(
    r"s\d?|t|st|txt|str\d?|.*(text|string|word|sentence|message|pattern|letter|char|phrase)\d?"
)
_NUMERICAL = re.compile(
    r"[nmkxyij]|num|.*(number|target|value|size|length|index|start|end|limit|capacity|amount|count)"
)


@dataclass
class _Evidence:
    """What is done with a value, and with what is in it."""

    functions: dict[str, list[Function]]
    kinds: dict[Way, set[str]] = field(default_factory=lambda: defaultdict(set))
    same: dict[Way, set[Way]] = field(default_factory=lambda: defaultdict(set))
    """Values that are compared with each other."""
    arity: dict[Way, int] = field(default_factory=dict)

    def collect(self, node: Function, parameter: str, way: Way, depth: int) -> None:
        """Looks through a function in which a parameter is that value."""
        others = {arg.arg: (arg.arg,) for arg in arguments_of(node)} if depth == 0 else {}
        walker = _Walk(self, {**others, parameter: way}, depth)
        for _ in range(2):  # names are bound before and after their use
            for inner in ast.walk(node):
                walker.bind(inner)
        for inner in ast.walk(node):
            walker.look(inner)

    def type_of(self, way: Way, seen: frozenset[Way] = frozenset()) -> str | None:
        kinds, item = self.kinds[way], (*way, ITEM)
        of_item = self.kinds[item]
        if len(way) > _DEEPEST or "object" in kinds or way in seen:
            return None
        if "dict" in kinds:
            inner = "list[int]" if "sequence" in of_item else "int"
            return f"dict[{'str' if 'text' in of_item else 'int'}, {inner}]"
        if "set" in kinds:
            return "set[int]"
        if "text" in kinds:
            return "str"
        if "sequence" in kinds or of_item or way in self.arity or item in self.arity:
            return self._sequence(way, seen | {way})
        if "number" in kinds:
            return "int"
        for other in sorted(self.same[way]):
            found = self.type_of(other, seen | {way})
            if found is not None:
                return found
        named = _NUMERICAL.fullmatch(way[0]) is not None and len(way) == 1
        return "int" if "compared" in kinds or named else None

    def _sequence(self, way: Way, seen: frozenset[Way]) -> str | None:
        item = (*way, ITEM)
        kinds = self.kinds[item]
        if item in self.arity:
            return f"list[tuple[{', '.join(['int'] * self.arity[item])}]]"
        if "character" in kinds and "text" not in kinds and "changed" not in self.kinds[way]:
            return "str"
        if "character" in kinds or "text" in kinds:
            return "list[str]"
        plain = not kinds & {"number", "sequence"} and "changed" not in self.kinds[way]
        if plain and len(way) == 1 and _TEXTUAL.fullmatch(way[0]):
            return "str"
        graph = "graph" in way[0] or "adj" in way[0]
        if graph and len(way) == 1 and "sequence" in kinds and "counted" not in self.kinds[way]:
            return "dict[int, list[int]]"
        inner = self.type_of(item, seen) if kinds or self.same[item] else "int"
        return None if inner is None and "object" in kinds else f"list[{inner or 'int'}]"


@dataclass
class _Walk:
    """One function: which names are which values, and what is done with them."""

    found: _Evidence
    names: dict[str, Way]
    depth: int

    # -- names

    def bind(self, node: ast.AST) -> None:
        match node:
            case (
                ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source)
            ):
                self._bind_items(target, source)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                way = self.way(value)
                if way is not None and name not in self.names:
                    self.names[name] = way
            case ast.Assign(targets=[ast.Tuple() as target], value=value):
                way = self.way(value)
                if way is not None and len(way) > 1:
                    self._unpack(target, way)
            case _:
                pass

    def _bind_items(self, target: ast.expr, source: ast.expr) -> None:
        match source, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), ast.Tuple(
                elts=[_, own]
            ):
                self._bind_items(own, inner)
            case ast.Call(func=ast.Name(id="zip"), args=inners), ast.Tuple(elts=targets):
                for own, inner in zip(targets, inners, strict=False):
                    self._bind_items(own, inner)
            case ast.Call(func=ast.Attribute(attr="items", value=inner)), ast.Tuple(elts=[_, own]):
                self._bind_items(own, inner)
            case _:
                way = self.way(source)
                if way is None:
                    return
                if isinstance(target, ast.Tuple):
                    self._unpack(target, (*way, ITEM))
                elif isinstance(target, ast.Name):
                    self.names.setdefault(target.id, (*way, ITEM))

    def _unpack(self, target: ast.Tuple, way: Way) -> None:
        if any(isinstance(part, ast.Starred) for part in target.elts):
            return
        self.found.arity[way] = len(target.elts)
        for i, part in enumerate(target.elts):
            if isinstance(part, ast.Name):
                self.names.setdefault(part.id, (*way, str(i)))

    def way(self, node: ast.expr) -> Way | None:
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Subscript(value=inner, slice=ast.Slice()):
                return self.way(inner)
            case ast.Subscript(value=inner):
                outer = self.way(inner)
                return None if outer is None else (*outer, ITEM)
            case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _SAME:
                return self.way(inner)
            case ast.Call(func=ast.Attribute(attr="copy", value=inner), args=[]):
                return self.way(inner)
            case _:
                return None

    # -- uses

    def note(self, node: ast.expr, *kinds: str) -> None:
        way = self.way(node)
        if way is not None:
            self.found.kinds[way].update(kinds)

    def look(self, node: ast.AST) -> None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                self._call(name, args, {k.arg: k.value for k in keywords if k.arg})
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _NUMERIC:
                for argument in args:
                    self.note(argument, "number")
            case ast.Attribute(value=inner, attr=name):
                self._attribute(inner, name)
            case ast.Subscript(value=inner, slice=index, ctx=context):
                changed = ("changed",) if not isinstance(context, ast.Load) else ()
                self.note(inner, "sequence", *changed)
                if not isinstance(index, ast.Slice):
                    self.note(index, "number")
            case ast.For(iter=source) | ast.comprehension(iter=source):
                self.note(source, "sequence")
            case ast.BinOp(left=left, op=op, right=right):
                self._arithmetic(left, op, right)
            case ast.AugAssign(target=target, op=op, value=value):
                self._arithmetic(target, op, value)
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=inner):
                self.note(inner, "number")
            case ast.Compare(left=left, ops=ops, comparators=rights):
                for sign, one, other in zip(ops, [left, *rights], rights, strict=False):
                    self._comparison(sign, one, other)
            case _:
                pass

    def _call(self, name: str, args: list[ast.expr], named: dict[str, ast.expr]) -> None:
        if name in self.names:
            self.found.kinds[self.names[name]].add("object")
        for argument in args:
            if name in _CONSUMERS and (name not in ("min", "max") or len(args) == 1):
                self.note(argument, "sequence", *(("counted",) if name == "len" else ()))
            elif name in _NUMERIC or name in ("min", "max"):
                self.note(argument, "number")
            elif name == "ord":
                self.note(argument, "character")
        match name, args:
            case "isinstance", [value, ast.Name(id="str")]:
                self.note(value, "text")
            case "isinstance", [value, ast.Name(id="int" | "float")]:
                self.note(value, "number")
            case "isinstance", [value, ast.Name(id="list" | "tuple")]:
                self.note(value, "sequence")
            case _:
                pass
        for other in self.found.functions.get(name, ()) if self.depth < _CALLS_DEEP else ():
            parameters = [argument.arg for argument in arguments_of(other)]
            given = [*zip(parameters, args, strict=False), *named.items()]
            for parameter, argument in given:
                way = self.way(argument)
                if way is not None and way != (parameter,):
                    self.found.collect(other, parameter, way, self.depth + 1)

    def _attribute(self, inner: ast.expr, name: str) -> None:
        kinds = {
            **dict.fromkeys(_OF_LIST, ("sequence", "changed")),
            **dict.fromkeys(_OF_TEXT, ("text",)),
            **dict.fromkeys(_OF_CHARACTER, ("character",)),
            **dict.fromkeys(_OF_DICT, ("dict",)),
            **dict.fromkeys(_OF_SET, ("set",)),
            **dict.fromkeys(_OF_SHARED, ("sequence",)),
        }
        self.note(inner, *kinds.get(name, ("object",)))

    def _arithmetic(self, left: ast.expr, op: ast.operator, right: ast.expr) -> None:
        for one, other in ((left, right), (right, left)):
            if (isinstance(other, ast.Constant) and isinstance(other.value, str)) or isinstance(
                other, ast.JoinedStr
            ):
                self.note(one, "text")
            elif isinstance(other, ast.List):
                self.note(one, "sequence")
            elif isinstance(op, _ARITHMETIC) or isinstance(other, ast.Constant | ast.Call):
                self.note(one, "number")
            elif isinstance(op, ast.Add | ast.Mult | ast.Mod | ast.Div):
                self.note(one, "compared")

    def _comparison(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> None:
        if isinstance(op, ast.In | ast.NotIn):
            if isinstance(right, ast.Constant) and isinstance(right.value, str):
                self.note(left, "character")
            self.note(right, "sequence")
            inside, item = self.way(left), self.way(right)
            if inside is not None and item is not None:
                self._same(inside, (*item, ITEM))
            return
        if isinstance(op, ast.Is | ast.IsNot):
            return
        for one, other in ((left, right), (right, left)):
            match other:
                case ast.Constant(value=str() as text):
                    self.note(one, "character" if len(text) == 1 else "text")
                case ast.Constant(value=bool() | None):
                    pass
                case ast.Constant():
                    self.note(one, "number")
                case ast.List():
                    self.note(one, "sequence")
                case _:
                    self.note(one, "compared")
        one_way, other_way = self.way(left), self.way(right)
        if one_way is not None and other_way is not None:
            self._same(one_way, other_way)

    def _same(self, one: Way, other: Way) -> None:
        if one != other:
            self.found.same[one].add(other)
            self.found.same[other].add(one)


def _is_text(node: ast.expr) -> bool:
    is_constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_constant or isinstance(node, ast.JoinedStr)
