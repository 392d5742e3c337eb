"""Preconditions: Python expressions over the arguments, as one Boolean term.

The syntax tree is rewritten so that whatever would ask a symbolic value for its
truth builds a term instead: `and`, `or`, `not`, chained comparisons, `x if c
else y`, `all`, `any`, `sum`, equality of lists, `in`, sets, and bounds on `min`
and `max`.  What is left (sorting, a key of a dict, an index) still asks, and the
recorder in force answers.  The same code evaluates a precondition on plain arguments.

The text is the user's own and runs with the user's rights; the restrictions
below keep mistakes from having effects, they are no sandbox.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import CodeType

from xsynth.errors import InputSpecError
from xsynth.program.conditions import FAULTS, truth
from xsynth.program.members import HELPERS
from xsynth.program.values import Made
from xsynth.trace.terms import Term

_BUILTINS = (
    "len", "range", "zip", "enumerate", "all", "any", "sum", "min", "max", "abs", "sorted",
    "reversed", "set", "frozenset", "list", "tuple", "dict", "int", "bool", "float", "str", "ord",
    "chr", "map", "filter", "divmod", "pow",
)  # fmt: skip
_MUTATORS = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
_MUTATORS |= {"popitem", "setdefault", "update"}
_MUTATORS |= {name for name in dir(set) if name not in dir(frozenset)}
_METHODS = {
    name for kind in (str, bytes, list, dict, set) for name in dir(kind) if not name.startswith("_")
} - (_MUTATORS | {"format", "format_map"})
_SYNTAX = (
    ast.Expression, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp, ast.Call,
    ast.keyword, ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred,
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.GeneratorExp, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.comprehension, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
    ast.expr_context,
)  # fmt: skip
_EXAMPLE = "Write a Python expression over the parameters and n, such as all(x >= 0 for x in a)."


def assumption_term(
    text: str, arguments: Mapping[str, object], scale: Mapping[str, int]
) -> Term | bool:
    """The precondition on symbolic arguments; a plain bool where they do not matter."""
    return truth(_evaluate(text, arguments, scale))


def assumption_holds(text: str, arguments: Mapping[str, object], scale: Mapping[str, int]) -> bool:
    """The precondition on plain arguments."""
    return bool(_evaluate(text, arguments, scale))


def check_assumption(
    text: str,
    parameters: Iterable[str],
    variables: tuple[str, ...] = ("n",),
    attributes: Iterable[str] = (),
) -> None:
    """Refuses what cannot be a precondition on these parameters, whose objects have attributes."""
    _compiled(text, frozenset(parameters) | set(variables), frozenset(attributes))


def names_in(text: str) -> frozenset[str]:
    """The names that a precondition uses, as far as it can be read."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _evaluate(text: str, arguments: Mapping[str, object], scale: Mapping[str, int]) -> object:
    values = {**scale, **arguments}
    attributes = frozenset(name for value in values.values() for name in _attributes(value))
    code = _compiled(text, frozenset(values), attributes)
    namespace = {"__builtins__": {}, **_NAMESPACE, **values}
    try:
        return eval(code, namespace)
    except FAULTS as error:
        at = ", ".join(f"{name} = {value}" for name, value in scale.items())
        raise InputSpecError(
            f"the assumption `{text}` failed{' at ' if at else ''}{at}:"
            f" {type(error).__name__}: {error}",
            "Guard it so that it has a value at every scale, or begin at a larger one.",
        ) from error


_NAMESPACE: dict[str, object] = {
    **{name: getattr(builtins, name) for name in _BUILTINS},
    **HELPERS,
}


@lru_cache(maxsize=256)
def _compiled(
    text: str, names: frozenset[str], attributes: frozenset[str] = frozenset()
) -> CodeType:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputSpecError(
            f"the assumption `{text}` is not a Python expression", _EXAMPLE
        ) from error
    _check(tree, text, names, attributes)
    shadowed = names | _bound(tree)
    rewritten = _Rewrite(shadowed).visit(tree)
    return compile(ast.fix_missing_locations(rewritten), "<assumption>", "eval")


def _bound(tree: ast.AST) -> frozenset[str]:
    stores = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return frozenset(node.id for node in stores if isinstance(node.ctx, ast.Store))


def _attributes(value: object) -> Iterable[str]:
    """The attributes of the objects in a value: elements of a list are alike."""
    match value:
        case Made(arguments=arguments):
            inner: Iterable[object] = arguments.values()
            yield from arguments
        case list() | tuple():
            inner = value if isinstance(value, tuple) else value[:1]
        case dict():
            inner = list(value.values())[:1]
        case _:
            return
    for item in inner:
        yield from _attributes(item)


def _check(
    tree: ast.Expression, text: str, names: frozenset[str], attributes: frozenset[str]
) -> None:
    known = names | _bound(tree) | frozenset(_BUILTINS)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name not in known:
                given = ", ".join(sorted(names - {"n"}))
                raise InputSpecError(
                    f"the assumption `{text}` uses the unknown name {name}",
                    f"It may use the parameters ({given}), n, and {', '.join(_BUILTINS)}.",
                )
            case ast.Attribute(attr=attribute) if attribute not in _METHODS | attributes:
                raise InputSpecError(
                    f"the assumption `{text}` uses .{attribute}",
                    "It may use the methods of str and dict, count and index of list, and what"
                    " the constructors of its objects take.",
                )
            case ast.comprehension(is_async=1):
                raise InputSpecError(f"the assumption `{text}` uses async", _EXAMPLE)
            case _ if not isinstance(node, _SYNTAX):
                raise InputSpecError(
                    f"the assumption `{text}` uses {type(node).__name__}, which is not accepted",
                    _EXAMPLE,
                )


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _later(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


class _Rewrite(ast.NodeTransformer):
    """Replaces what would ask a symbolic value for its truth by calls of `HELPERS`.

    A built-in that the user's own names shadow is left alone.
    """

    def __init__(self, shadowed: frozenset[str]) -> None:
        self._shadowed = shadowed

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        operands = [_later(self.visit(value)) for value in node.values]
        return _call("@and" if isinstance(node.op, ast.And) else "@or", *operands)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _call("@not", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return _call("@if", node.test, _later(node.body), _later(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        operands = [node.left, *node.comparators]
        links = [
            self._comparison(operands[i], op, operands[i + 1]) for i, op in enumerate(node.ops)
        ]
        return links[0] if len(links) == 1 else _call("@and", *map(_later, links))

    def _comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
        special = self._special(left, op, right)
        if special is not None:
            return special
        # Each operand may stand in two links of a chain, so it is copied, not shared.
        pair = [self.visit(_copy(left)), self.visit(_copy(right))]
        match op:
            case ast.Eq():
                return _call("@eq", *pair)
            case ast.NotEq():
                return _call("@not", _call("@eq", *pair))
            case ast.In():
                return _call("@in", *pair)
            case ast.NotIn():
                return _call("@not", _call("@in", *pair))
            case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                return _call(f"@{_SYMBOLS[type(op)]}", *pair)
            case _:
                return ast.Compare(pair[0], [op], [pair[1]])

    def _special(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr | None:
        """Comparisons whose plain evaluation would sort or hash symbolic values."""
        mirrored = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        for one, other, way in (
            (left, right, type(op)),
            (right, left, mirrored.get(type(op), type(op))),
        ):
            if way in (ast.Eq, ast.NotEq):
                found = None
                inner = self._only_argument("sorted", one)
                if inner is not None and _same(inner, other):
                    found = _call("@ordered", self.visit(_copy(inner)))
                if found is not None:
                    return found if way is ast.Eq else _call("@not", found)
            if self._only_argument("len", one) is not None and way in _SYMBOLS:
                counts = [self._counted(_copy(one)), self._counted(_copy(other))]
                return _call("@count", ast.Constant(_SYMBOLS[way]), *counts)
            for extreme in ("min", "max"):
                inner = self._only_argument(extreme, one)
                if inner is not None and way in _SYMBOLS:
                    arguments = (ast.Constant(extreme), ast.Constant(_SYMBOLS[way]))
                    operands = (self.visit(_copy(inner)), self.visit(_copy(other)))
                    return _call("@extreme", *arguments, *operands)
        return None

    def _counted(self, node: ast.expr) -> ast.expr:
        """An operand of a comparison; the length of a set need not be made a number there."""
        inner = self._only_argument("len", node)
        return self.visit(node) if inner is None else _call("@counted", self.visit(inner))

    def _only_argument(self, function: str, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[only], keywords=[]) if (
                name == function
                and name not in self._shadowed
                and not isinstance(only, ast.Starred)
            ):
                return only
            case _:
                return None

    def visit_Set(self, node: ast.Set) -> ast.expr:
        self.generic_visit(node)
        return _call("@set", ast.Tuple(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        self.generic_visit(node)
        return _call("@set", ast.GeneratorExp(node.elt, node.generators))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        self.generic_visit(node)
        if None in node.keys:
            return node
        pairs = zip(node.keys, node.values, strict=True)
        items: list[ast.expr] = [ast.Tuple([key, value], ast.Load()) for key, value in pairs if key]
        return _call("@dict", ast.Tuple(items, ast.Load()))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _call("@dict", ast.GeneratorExp(pair, node.generators))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return _call("@method", node.value, ast.Constant(node.attr))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node.func:
            case ast.Name(id=name) if f"@{name}" in HELPERS and name not in self._shadowed:
                if name in _FILTERED and not node.keywords and len(node.args) == 1:
                    node.args = [self._unfiltered(name, node.args[0])]
                node.func = ast.Name(f"@{name}", ast.Load())
        self.generic_visit(node)
        return node

    def _unfiltered(self, function: str, argument: ast.expr) -> ast.expr:
        """The innermost `if` of a comprehension moves into its element, and where repetitions
        make no difference, it goes through what a set is made of."""
        if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return argument
        for part in argument.generators if function != "sum" else ():
            part.iter = self._only_argument("set", part.iter) or part.iter
        inner = argument.generators[-1]
        for condition in reversed(inner.ifs):
            argument.elt = _FILTERED[function](condition, argument.elt)
        inner.ifs = []
        return ast.GeneratorExp(argument.elt, argument.generators)


_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_FILTERED: dict[str, Callable[[ast.expr, ast.expr], ast.expr]] = {
    "all": lambda test, element: ast.IfExp(test, element, ast.Constant(True)),
    "any": lambda test, element: ast.IfExp(test, element, ast.Constant(False)),
    "sum": lambda test, element: ast.IfExp(test, element, ast.Constant(0)),
}


def _copy(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _same(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)
