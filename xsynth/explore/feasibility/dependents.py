"""Which asserted terms a cell takes part in, directly or through definitions.

When a repair moves a few cells, only the terms above them can have changed their value: a
path of a hundred thousand clauses is not evaluated again at every branch.  Definitions are
nodes of their own, so a running sum costs one edge for each of its steps.

Everything is undone in the order of the stack.
"""

from __future__ import annotations

from collections.abc import Iterable

from xsynth.explore.feasibility.cells import Cells, DefValues
from xsynth.trace.terms import Apply, Cell, Const, Def, Term, Value


class Dependents:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._above_cell: dict[int, list[int]] = {}
        """For each cell the nodes that mention it; a node is a term or a definition."""
        self._above: list[list[int]] = []
        self._nodes: list[Def | Term] = []
        self._is_definition: list[bool] = []
        self._of_definition: dict[int, int] = {}
        self._trail: list[list[int]] = []
        """The lists that were added to, in order."""

    def mark(self) -> tuple[int, int]:
        return len(self._trail), len(self._nodes)

    def undo(self, mark: tuple[int, int]) -> None:
        edges, nodes = mark
        for added in reversed(self._trail[edges:]):
            added.pop()
        del self._trail[edges:]
        for number in range(nodes, len(self._nodes)):
            if self._is_definition[number]:
                del self._of_definition[id(self._nodes[number])]
        del self._nodes[nodes:], self._above[nodes:], self._is_definition[nodes:]

    def add(self, term: Term) -> None:
        waiting = [self._node(term, definition=False)]
        for number in waiting:
            node = self._nodes[number]
            pending: list[Term] = [node.value if self._is_definition[number] else node]  # type: ignore[union-attr, list-item]
            while pending:
                part = pending.pop()
                if type(part) is Apply:
                    pending.extend(part.args)
                elif type(part) is Cell:
                    above = self._above_cell.setdefault(self._cells.number(part), [])
                    above.append(number)
                    self._trail.append(above)
                elif type(part) is Def:
                    below = self._of_definition.get(id(part))
                    if below is None:
                        below = self._node(part, definition=True)
                        waiting.append(below)
                    self._above[below].append(number)
                    self._trail.append(self._above[below])
                else:
                    assert type(part) is Const

    def _node(self, node: Def | Term, *, definition: bool) -> int:
        number = len(self._nodes)
        self._nodes.append(node)
        self._above.append([])
        self._is_definition.append(definition)
        if definition:
            self._of_definition[id(node)] = number
        return number

    def knows(self, definition: Def) -> bool:
        return id(definition) in self._of_definition

    def affected(self, changed: Iterable[int]) -> tuple[set[int], list[Term]]:
        """The identities of the definitions and the terms that these cells take part in."""
        seen: set[int] = set()
        for cell in changed:
            seen.update(self._above_cell.get(cell, ()))
        waiting = list(seen)
        for number in waiting:
            for above in self._above[number]:
                if above not in seen:
                    seen.add(above)
                    waiting.append(above)
        definitions: set[int] = set()
        terms: list[tuple[int, Term]] = []
        for number in waiting:
            node = self._nodes[number]
            if self._is_definition[number]:
                definitions.add(id(node))
            else:
                terms.append((number, node))
        return definitions, [term for _, term in sorted(terms, key=lambda one: one[0])]


class Overlay(DefValues):
    """Values of definitions after a change: those that it touched anew, the others as before.

    Others are only those below asserted terms: of no other it is known what it depends on.
    """

    __slots__ = ("before", "touched")

    def __init__(self, before: DefValues, touched: set[int]) -> None:
        super().__init__()
        self.before = before
        self.touched = touched

    def __contains__(self, definition: object) -> bool:
        key = id(definition)
        return key in self.entries or (key not in self.touched and key in self.before.entries)

    def __getitem__(self, definition: Def) -> Value:
        own = self.entries.get(id(definition))
        return self.before.entries[id(definition)][1] if own is None else own[1]


class Values(DefValues):
    """Values under the current witness.

    Of the definitions below asserted terms it is known which cells they depend on, so their
    values outlast a change of other cells; any other value is forgotten at the next change.
    """

    __slots__ = ("_dependents", "_passing")

    def __init__(self, dependents: Dependents) -> None:
        super().__init__()
        self._dependents = dependents
        self._passing = DefValues()

    def __contains__(self, definition: object) -> bool:
        return super().__contains__(definition) or definition in self._passing

    def __getitem__(self, definition: Def) -> Value:
        own = self.entries.get(id(definition))
        return self._passing[definition] if own is None else own[1]

    def __setitem__(self, definition: Def, value: Value) -> None:
        if self._dependents.knows(definition):
            super().__setitem__(definition, value)
        else:
            self._passing[definition] = value

    def settle(self, now: Overlay) -> None:
        """The change came true."""
        self._passing = DefValues()
        for key in now.touched & self.entries.keys():
            del self.entries[key]
        for definition, value in now.entries.values():
            self[definition] = value
