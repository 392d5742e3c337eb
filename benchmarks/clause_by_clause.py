"""The straightforward encoding, as a yardstick: one Z3 term a clause, default solver.

    python benchmarks/clause_by_clause.py MODEL N

expands the model at scale N like `generate`, but builds every clause and definition
through Z3's Python API, asks the default solver, and checks that there is an answer.
Clauses that a loop repeats are left out here too: for a product of Boolean matrices 2 n^2
terms are built, and not 2 n^3.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import z3

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.model.store import load
from xsynth.program.program import Options
from xsynth.program.program import load as load_program
from xsynth.synthesize.assumed import extra_columns
from xsynth.synthesize.columns import sort_of
from xsynth.synthesize.direct import Undirected, direct, preferences
from xsynth.synthesize.expand import recorded, synthesize
from xsynth.synthesize.preconditions import preconditions
from xsynth.trace.terms import Op, Sort

OPERATIONS = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.NEG: lambda a: -a,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.GT: lambda a, b: a > b,
    Op.GE: lambda a, b: a >= b,
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.FLOORDIV: lambda a, b: z3.If(b > 0, a / b, -a / -b),
    Op.MOD: lambda a, b: a - b * z3.If(b > 0, a / b, -a / -b),
    Op.NOT: z3.Not,
    Op.AND: z3.And,
    Op.OR: z3.Or,
    Op.ITE: z3.If,
}
MAKE = {Sort.INT: z3.Int, Sort.BOOL: z3.Bool, Sort.REAL: z3.Real}


def term(pattern: Pattern, leaves: Iterator[int]) -> z3.ExprRef:
    match pattern:
        case CellHole(name=name, arity=arity, sort=sort):
            index = [next(leaves) for _ in range(arity)]
            return MAKE[sort](f"{name}{index}")
        case DefHole(place=place, arity=arity, sort=sort):
            at = [next(leaves) for _ in range(arity)]
            return MAKE[sort](f"{place}{at}")
        case IntHole():
            return z3.IntVal(next(leaves))
        case Fixed(value=value):
            return value
        case Node(op=op, args=args):
            return OPERATIONS[op](*[term(a, leaves) for a in args])


def main(model_path: str, scale: int) -> None:
    start = time.perf_counter()
    model = load(Path(model_path))
    options = Options(cost=model.measure)
    program = load_program(Path(model.program), model.function, options, spec=model.spec)
    extra = preconditions(program, scale)
    if model.points:
        condition = synthesize(model.points, model.spec, scale, extra)
    else:  # no generators: the clauses are those of a run that the decisions direct
        guide = preferences(model.policies)
        directed = direct(program, scale, model.decisions, guide, most=10**9, deadline=None)
        if isinstance(directed, Undirected):
            sys.exit(f"no directed run: {directed.reason}")
        condition = recorded(directed.trace, model.spec, extra)
    solver = z3.Solver()
    count = 0
    for layout in condition.layouts:
        for cell in layout.cells():
            variable = MAKE[cell.sort](f"{cell.name}{list(cell.index)}")
            if layout.lo is not None:
                solver.add(variable >= layout.lo)
            if layout.hi is not None:
                solver.add(variable <= layout.hi)
    for column in (*condition.clauses, *extra_columns(condition.extra)):
        for block in column.blocks():
            for row in block.tolist():
                solver.add(term(column.pattern, iter(row)))
                count += 1
    for column in condition.defs:
        for counters, row in zip(column.counters.tolist(), column.leaves.tolist(), strict=True):
            name = MAKE[sort_of(column.pattern)](f"{column.place}{counters}")
            solver.add(name == term(column.pattern, iter(row)))
            count += 1
    answer = solver.check()
    print(f"{answer} {count} clauses {time.perf_counter() - start:.2f} s")
    if answer != z3.sat:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
