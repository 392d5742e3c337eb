"""Dicts and sets of traced code against Python's own, on the same values.

Every function is run plainly and in its tracing build, on symbolic numbers that have the
same values; results and costs must agree.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.program.cells import cells_of
from xsynth.program.program import PURE_FORMS, load
from xsynth.trace.proxies import SymBool, SymInt, SymStr
from xsynth.trace.proxies.current import recording
from xsynth.trace.run import ranges_of, root_of, run, standing
from xsynth.trace.source import Witness
from xsynth.trace.terms import evaluate
from xsynth.trace.tracer import Tracer

PROGRAMS = {
    "display": "return {a[0]: 1, a[1]: 2, 3: 4, **{a[2]: 5}}",
    "comprehension": "return {x: i for i, x in enumerate(a)}",
    "set display": "return {a[0], *b, 3}",
    "set comprehension": "return {x % 2 for x in a}",
    "constructors": "return dict(zip(a, b)), set(a), frozenset(b), dict(x=a[0], y=1)",
    "fromkeys": "return dict.fromkeys(a, 0), list(dict.fromkeys(a))",
    "counting": """
        counts = {}
        for x in a:
            counts[x] = counts.get(x, 0) + 1
        return counts, list(counts), list(counts.values()), max(counts.values())""",
    "seen": """
        seen, out = set(), []
        for x in a:
            if x in seen:
                out.append(x)
            elif x not in b:
                seen.add(x)
        return out, len(seen)""",
    "deletion": """
        d = {x: i for i, x in enumerate(a)}
        del d[a[0]]
        found = d.pop(a[1], None), d.pop(1, 'none'), d.setdefault(b[0], 7), d.setdefault(2)
        last = d.popitem()
        return d, found, last, len(d)""",
    "missing": "d = {x: 1 for x in a}\n    return d[b[0]]",
    "missing plain": "d = {x: 1 for x in a}\n    return d[1]",
    "views": """
        d = {x: x + 1 for x in a}
        return [b[0] in d.keys(), (b[0], b[0] + 1) in d.items(), 2 in d.values(),
                d.keys() & set(b), d.keys() == set(a), list(d.items()), list(reversed(d))]""",
    "equality": """
        d, e = {x: 1 for x in a}, {x: 1 for x in reversed(a)}
        return d == e, d != {x: 1 for x in b}, {1: 1} == {b[0]: 1}, d == {1: 1}, e == d""",
    "merging": "return {x: 0 for x in a} | {x: 1 for x in b}, {**{x: 0 for x in a}, 3: 2}",
    "update": """
        d = {1: 1}
        d.update({x: 2 for x in a}); d.update(zip(b, b)); d |= {a[0]: 9}
        return d, d.copy(), bool(d)""",
    "defaultdict": """
        groups = collections.defaultdict(list)
        for x, y in zip(a, b):
            groups[x].append(y)
        return dict(groups), groups[99], len(groups), isinstance(groups, dict)""",
    "nested": """
        graph = defaultdict(set)
        for x, y in zip(a, b):
            graph[x].add(y); graph[y].add(x)
        return {k: set(v) for k, v in graph.items()}, sum(len(v) for v in graph.values())""",
    "Counter": """
        c = Counter(a)
        d = Counter(b)
        return dict(c), c[99], c.most_common(), dict(c + d), dict(c - d), c == d""",
    "OrderedDict": """
        d = OrderedDict((x, 0) for x in a)
        if b[0] in d:
            d.move_to_end(b[0])
        first = d.popitem(last=False)
        return list(d.items()), first, d == OrderedDict(d), d == dict(d)""",
    "operations": """
        s, t = set(a), set(b)
        return s | t, s & t, s - t, s ^ t, s <= t, s < t, s >= t, s == t, s.isdisjoint(t)""",
    "operations with plain": """
        s = set(a)
        return s | {1}, {1, 2} & s, s - {1}, {1, 5} - s, s <= {1, 2}, s != {1}""",
    "methods": """
        s = set(a)
        s.discard(b[0]); s.update(b[1:], [5]); s &= {1, 2, 3, b[0]}; s -= {b[1]}; s ^= {2}
        return s, s.union([9], b), s.intersection(a), s.issubset(a), s.copy()""",
    "remove": "s = set(a)\n    s.remove(b[0])\n    return s",
    "tuples": """
        seen = set()
        for p in zip(a, b):
            if p in seen or (p[1], 1) in seen:
                return p
            seen.add(p)
        return {(x, 1): y for x, y in zip(a, b)}, len(seen)""",
    "frozen sets": """
        groups = {}
        for x, y in zip(a, b):
            groups.setdefault(frozenset((x, y)), []).append(x)
        return list(groups.values())""",
    "memo": """
        @functools.lru_cache(maxsize=2)
        def f(x, k=1):
            return x * x + k
        return [f(x) for x in a], [f(x, k=2) for x in b], f.cache_info().misses""",
    "booleans": "d = {x > 1: x for x in a}\n    return sorted(d), len(d)",
    "in a plain set": "return [x in {1, 3} for x in a], [x in frozenset([2]) for x in b]",
    "table": "t = {0: 'zero', 1: 'one', 2: 'two'}\n    return [t.get(x, 'many') for x in a]",
    "order": "return list({x: 1 for x in a}), sorted(set(a)), sum(set(b)), max({*a, *b})",
    "kinds": """
        d = {a[0]: 1}
        match d:
            case dict():
                kind = 'dict'
        return (isinstance(d, dict), type(d) == dict, type(set(a)) is set, kind,
                isinstance(set(), (list, set)), isinstance(d, int | dict))""",
    "subclass": """
        class Table(dict):
            def __missing__(self, key):
                self[key] = result = key + 1
                return result
        t = Table()
        return [t[x] for x in a], len(t), t""",
    "copies": """
        d = {x: [x] for x in a}
        e, f = copy.copy(d), copy.deepcopy(d)
        d[a[0]].append(1)
        return e, f, copy.deepcopy(set(b))""",
    "sums": """
        seen = {0: -1}
        total = best = 0
        for i, x in enumerate(a):
            total += x - 1
            if total in seen:
                best = max(best, i - seen[total])
            else:
                seen[total] = i
        return best""",
}
HEAD = """
import collections, copy, functools
from collections import Counter, OrderedDict, defaultdict
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder: Path = tmp_path_factory.mktemp("containers")
    made = {}
    for i, (name, body) in enumerate(PROGRAMS.items()):
        path = folder / f"program{i}.py"
        text = body.replace("\n        ", "\n    ").strip()
        path.write_text(f"{HEAD}\ndef f(a: list[int], b: list[int]):\n    {text}\n")
        made[name] = load(path)
    return made


def reveal(value, cells):
    match value:
        case SymBool() | SymInt():
            return evaluate(value.term, cells)
        case SymStr():
            return "".join(chr(u if isinstance(u, int) else evaluate(u, cells)) for u in value)
        case list():
            return [reveal(item, cells) for item in value]
        case tuple():
            return tuple(reveal(item, cells) for item in value)
        case dict():
            return {reveal(k, cells): reveal(v, cells) for k, v in value.items()}
        case set() | frozenset():
            return {reveal(item, cells) for item in value}
    return value


def traced(program, arguments, scale):
    cells = cells_of(program.spec, scale, arguments)
    build = program.tracing
    tracer = Tracer(root_of(program), Witness(cells), record=True, ranges=ranges_of(program, scale))
    build.renew()
    build.trace_with(tracer)
    with recording(tracer, build.modules[PURE_FORMS]):
        symbolic = {n: standing(v) for n, v in program.spec.symbolic(scale).items()}
        try:
            result = build.target("f")(**symbolic)
        except (KeyError, IndexError) as error:
            return type(error)
        return reveal(result, cells)


def plain(program, arguments):
    build = program.counting
    build.renew()
    try:
        return build.target("f")(**{n: list(v) for n, v in arguments.items()})
    except (KeyError, IndexError) as error:
        return type(error)


@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=30)
@given(data=st.data())
def test_results_and_costs_are_those_of_the_built_ins(programs, name, data):
    program = programs[name]
    scale = data.draw(st.integers(3, 5))
    numbers = st.lists(st.integers(0, 3), min_size=scale, max_size=scale)
    arguments = {"a": data.draw(numbers), "b": data.draw(numbers)}
    expected = plain(program, arguments)
    assert traced(program, arguments, scale) == expected
    outcome = run(program, scale, Witness(cells_of(program.spec, scale, arguments)))
    replay = program.replay(arguments)
    assert (outcome.raised is None) is (replay.raised is None)
    assert replay.raised is not None or outcome.cost == replay.cost


def test_no_value_is_chosen_for_a_key(programs):
    """Equal or not is all that is asked: no clause fixes a key to a number."""

    class Asked(Witness):
        def value(self, term, place):
            raise AssertionError("a key was made plain")

    for name in ("counting", "seen", "deletion", "tuples", "Counter", "operations", "memo"):
        arguments = {"a": [1, 2, 1], "b": [2, 3, 3]}
        program = programs[name]
        run(program, 3, Asked(cells_of(program.spec, 3, arguments)))
