"""Objects of the program's own classes as keys and elements, against brute force."""

from __future__ import annotations

from itertools import product

import pytest

from xsynth.errors import UnsupportedError
from xsynth.explore.worst import concrete, explore
from xsynth.program.values import Made

POINT = """
    class P:
        def __init__(self, x: int, y: int) -> None:
            self.x = x
            self.y = y
        def __eq__(self, other):
            return isinstance(other, P) and self.x == other.x and self.y == other.y
        def __hash__(self):
            return {hash}
"""
PAIR = "hash((self.x, self.y))"
DISTINCT = """
    def f(ps: list[P]):
        seen = set()
        for p in ps:
            if p not in seen:
                seen.add(p)
        return len(seen)
"""
COUNTED = """
    from collections import defaultdict
    def f(ps: list[P]):
        found = defaultdict(int)
        for p in ps:
            found[p] += 1
        for p, k in found.items():
            if k > 1 and p.x > 0:
                del found[p]
                break
        return dict(found)
"""
SETS = """
    def f(ps: list[P]):
        first, rest = {ps[0]}, set(ps[1:])
        both = first & rest
        if P(0, 1) in first | rest:
            return len(both)
        first.discard(ps[-1])
        k = 0
        for p in first:
            k += p.x
        return k
"""
NESTED = """
    class Q:
        def __init__(self, p: P) -> None:
            self.p = p
        def __eq__(self, other):
            return self.p == other.p
        def __hash__(self):
            return hash(("Q", self.p))
    def g(ps):
        seen = dict.fromkeys(map(Q, ps))
        again = dict(seen)
        return [q.p.x for q in again if Q(q.p) in seen]
    def f(ps: list[P]):
        return g(ps)
"""


@pytest.mark.parametrize(
    ("code", "hashed", "exact"),
    [
        pytest.param(DISTINCT, PAIR, True, id="set"),
        pytest.param(DISTINCT, "hash(self.x)", False, id="objects that differ with one hash"),
        pytest.param(DISTINCT, "self.x * 2 + self.y", False, id="computed"),
        pytest.param(DISTINCT, "7", True, id="all collide"),
        pytest.param(COUNTED, PAIR, True, id="defaultdict"),
        pytest.param(SETS, PAIR, True, id="operations"),
        pytest.param(NESTED, PAIR, False, id="nested"),
    ],
)
def test_the_worst_cost_is_that_of_all_inputs(program, code, hashed, exact):
    source = POINT.format(hash=hashed) + code
    domain = range(-2, 2)
    target = program(source, function="f", ranges={"ps.x": "-2..1", "ps.y": "0..1"})
    costs = []
    for values in product(product(domain, range(2)), repeat=3):
        made = target.replay({"ps": [Made("P", {"x": x, "y": y}) for x, y in values]})
        costs.append(-1 if made.cost is None else made.cost)
    found = explore(target, 3)
    assert found.exhaustive is exact
    assert not exact or found.cost == max(costs)
    assert exact or "two objects with one hash differ" in found.incomplete
    assert not found.findings
    for path in found.kept[:20]:
        plain = concrete(target, 3, path.witness)
        assert target.replay(plain).cost == path.cost


def test_a_frozen_dataclass_needs_no_bounds(program):
    source = """
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Q:
        x: int
        name: str

    def f(qs: list[Q]):
        return len({q for q in qs})
    """
    found = explore(program(source, sizes={"qs.name": "1"}, ranges={"qs.x": "0.."}), 3)
    assert found.exhaustive
    assert found.paths == 12  # which of the three are alike, and what of them differs


def test_a_hash_that_is_computed_with_is_refused_by_name(program):
    source = POINT.format(hash="hash((self.x, self.y)) % 5") + DISTINCT
    with pytest.raises(UnsupportedError, match=r"hash of symbolic values") as raised:
        explore(program(source, function="f"), 2)
    assert "tuple of the fields" in raised.value.advice


def test_plain_objects_are_as_before(program):
    source = (
        POINT.format(hash="hash((self.x, self.y)) % 5")
        + """
    def f(a: list[int]):
        seen = {P(1, 2): 1, P(2, 1): 2}
        seen[P(1, 2)] = 3
        total = 0
        for p in {P(3, 1), P(1, 2), P(2, 2), P(3, 1)}:
            total = total * 10 + p.x
        return a[0] > total + seen[P(1, 2)]
    """
    )
    target = program(source, function="f")
    found = explore(target, 1)
    assert found.exhaustive
    assert {path.cost for path in found.kept} == {target.replay({"a": [0]}).cost}
