"""Whether functions of a module may leave something behind between two calls.

Caches, default arguments that are mutable, `global` names, containers and objects that the
module or a class holds, attributes of functions, classes and modules.  It is a look at the
syntax, which says yes rather too often than too seldom: then the module is executed anew
for each run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_MAKES = (
    *(ast.List, ast.Dict, ast.Set, ast.Call),
    *(ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp),
)


def keeps_state(tree: ast.Module) -> bool:
    shared = frozenset(_names(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Global():
                return True
            case ast.Import(names=[ast.alias(name="random"), *_]) | ast.ImportFrom(module="random"):
                return True
            case ast.FunctionDef(decorator_list=decorators, args=arguments):
                defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d)]
                if decorators or not all(isinstance(d, ast.Constant | ast.Name) for d in defaults):
                    return True
            case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()) if _shares(owner, shared):
                return True
            case ast.Name(id="setattr"):
                return True
            case _:
                pass
    bodies = [tree.body, *(n.body for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]
    return any(_makes_object(statement) for body in bodies for statement in body)


def _names(tree: ast.Module) -> Iterator[str]:
    """The names that the module itself binds to functions, classes and modules."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield alias.asname or alias.name.partition(".")[0]
            case ast.ClassDef(name=name):
                yield name
            case _:
                pass
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name


def _shares(owner: ast.expr, shared: frozenset[str]) -> bool:
    """Whether an attribute is set of something that outlives the call, as `C.n` and `cls.n`."""
    while isinstance(owner, ast.Attribute | ast.Subscript):
        if isinstance(owner, ast.Attribute) and owner.attr == "__class__":
            return True
        owner = owner.value
    match owner:
        case ast.Name(id=name):
            return name == "cls" or name in shared
        case ast.Call(func=ast.Name(id="type")):
            return True
        case _:
            return False


def _makes_object(statement: ast.stmt) -> bool:
    """Whether a statement of a module or class may make something that can be changed."""
    match statement:
        case ast.FunctionDef() | ast.ClassDef():  # looked at by themselves
            return False
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return False
        case ast.Expr(value=value):
            return any(isinstance(node, ast.NamedExpr) for node in ast.walk(value))
        case _:
            return any(isinstance(node, _MAKES) for node in ast.walk(statement))
