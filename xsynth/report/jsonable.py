"""The JSON forms of results, and arguments as plain JSON values and back.

Lists, numbers, Booleans and strings are themselves; a tuple is a list, `bytes` are the
list of their codes, a set the sorted list of its members, an object the object of the
arguments that make it, a member of an enumeration its name; keys of a dict are strings.
`decode` goes by the shape of the parameter, so what a tuple or a set was becomes one again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, assert_never

from xsynth.program.values import Made, Member
from xsynth.report.caveats import dearest, never_ran
from xsynth.scale import Scale, named, plain

if TYPE_CHECKING:
    from xsynth.model.model import Model
    from xsynth.pipeline import Learning
    from xsynth.program.program import Program, Replay
    from xsynth.program.shapes import Shape
    from xsynth.program.spec import InputSpec
    from xsynth.synthesize.condition import Stats
    from xsynth.synthesize.generate import Generated
    from xsynth.synthesize.recipe import Failed
    from xsynth.trace.terms import Place

JsonObject = dict[str, Any]
_PLAIN = {bool, int, float, str}
"""Values that are themselves in JSON."""


# -- arguments


def encode(value: object) -> Any:
    match value:
        case Member():
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case Made(arguments=arguments):
            return {name: encode(inner) for name, inner in arguments.items()}
        case Fraction():
            return float(value)
        case bytes() | bytearray():
            return list(value)
        case Mapping():
            return {str(k): encode(v) for k, v in value.items()}
        case list() if set(map(type, value)) <= _PLAIN:
            return value
        case list() | tuple() | range():
            return [encode(item) for item in value]
        case set() | frozenset():
            return [encode(item) for item in sorted(value, key=lambda v: (str(type(v)), v))]
        case _:
            return str(value)


def encode_arguments(arguments: Mapping[str, object]) -> JsonObject:
    return {name: encode(value) for name, value in arguments.items()}


def decode_arguments(spec: InputSpec, scale: Scale, given: Mapping[str, Any]) -> dict[str, object]:
    """What the function takes; what has another shape stays as it is, for others to refuse."""
    shapes = {param.name: param.shape for param in spec.params}
    return {
        name: decode(shapes[name], scale, value) if name in shapes else value
        for name, value in given.items()
    }


def decode(shape: Shape, scale: Scale, value: Any) -> object:
    from xsynth.program.shapes import (
        Choice,
        DictOf,
        FixedValue,
        ListOf,
        ObjectOf,
        Scalar,
        SetOf,
        Text,
        TupleOf,
    )
    from xsynth.trace.terms import Sort

    match shape:
        case FixedValue(value=expression):
            fixed = expression.evaluate(named(scale))
            return fixed if encode(fixed) == value else value
        case Scalar(sort=sort):
            return float(value) if sort is Sort.REAL and _is_number(value) else value
        case Text(kind="bytes"):
            return bytes(value) if _are_codes(value) else value
        case Text():
            return value
        case ListOf(element=element, kind=kind):
            if not isinstance(value, list):
                return value
            items = [decode(element, scale, item) for item in value]
            return tuple(items) if kind == "tuple" else items
        case TupleOf(elements=elements):
            if not isinstance(value, list) or len(value) != len(elements):
                return value
            parts = zip(elements, value, strict=True)
            return tuple([decode(element, scale, item) for element, item in parts])
        case Choice(options=options):
            return next((option for option in options if encode(option) == value), value)
        case SetOf(kind="neighbours"):
            return value
        case SetOf(kind=kind):
            if not isinstance(value, list) or not all(isinstance(v, int | str) for v in value):
                return value
            return set(value) if kind == "set" else frozenset(value)
        case DictOf(key=key, value=inner):
            if not isinstance(value, dict):
                return value
            return {_key(key, k): decode(inner, scale, v) for k, v in value.items()}
        case ObjectOf(made_by=made_by, fields=fields):
            if not isinstance(value, dict) or set(value) != {name for name, _ in fields}:
                return value
            return Made(made_by, {name: decode(s, scale, value[name]) for name, s in fields})
        case _:
            assert_never(shape)


def _key(kind: str, text: str) -> int | str:
    return int(text) if kind == "int" and text.removeprefix("-").isdecimal() else text


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_codes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(code, int) and not isinstance(code, bool) and 0 <= code < 256 for code in value
    )


# -- results


def learning_json(learning: Learning, program: Program, model_file: str | None) -> JsonObject:

    model = learning.model
    formula = None if model is None else model.formula
    worst = dearest(learning, program)
    return {
        "status": learning.status.value,
        "reason": learning.reason,
        "scales": {
            str(case.scale): {
                "paths": case.paths,
                "exhaustive": case.exhaustive,
                "cost": case.cost,
                "ties": case.ties,
            }
            for case in learning.worst
        },
        "ties_kept": {str(case.scale): len(case.kept) for case in learning.worst},
        "formula": None if formula is None else str(formula),
        "class": None if model is None else model.growth,
        "holds_from": None if model is None else plain(model.holds_from),
        **_where(model),
        "generator_points": 0 if model is None else len(model.points),
        "model": None if model is None else model_file,
        "last_resort": model_file if model is None else None,
        "seconds": round(learning.seconds, 3),
        "program": str(program.path),
        "function": program.function,
        "measure": program.measure.name,
        "notes": list(program.notes),
        "family": None if model is None else model.family,
        "guided": [] if model is None else [plain(scale) for scale in model.guided],
        "never_ran": list(never_ran(learning, program)),
        "worst_input": None
        if worst is None
        else {
            "scale": plain(worst.scale),
            "cost": worst.cost,
            "arguments": encode_arguments(worst.arguments),
        },
        "findings": [
            {
                "scale": plain(finding.scale),
                "exception": finding.raised.kind,
                "message": finding.raised.message,
                "line": finding.raised.line,
                "arguments": encode_arguments(finding.arguments),
                "paths": finding.paths,
            }
            for case in learning.worst
            for finding in case.findings
        ],
    }


def _where(model: Model | None) -> JsonObject:
    """With several variables, the region where the model holds; None is everywhere."""
    if model is None or len(model.variables) == 1:
        return {}
    return {"where": None if model.region is None else str(model.region)}


def generated_json(
    made: Generated, program: Program, *, changed: bool, seconds: float
) -> JsonObject:
    found: JsonObject = {
        "program": str(program.path),
        "function": program.function,
        "scale": plain(made.scale),
        "arguments": encode_arguments(made.arguments),
        "cost": {
            "measure": program.measure.name,
            "predicted": made.predicted,
            "observed": made.observed,
        },
        "verified": made.verified,
        "strategy": made.strategy.value,
        "seconds": {name: round(s, 4) for name, s in {**made.seconds, "total": seconds}.items()},
        "megabytes": {name: round(most, 1) for name, most in made.megabytes.items()},
        "conforms": made.conforms,
        "notes": list(made.notes),
        "failed": failures_json(made.failed),
        "solver": None if made.stats is None else stats_json(made.stats),
        "program_changed": changed,
    }
    if made.effort is not None:
        effort = made.effort
        found["search"] = {
            "paths": effort.paths,
            "decisions": {
                "resolved": effort.resolved,
                "unresolved": effort.unresolved,
                "by": dict(effort.by),
            },
            "checks": dict(effort.checks),
            "solver_calls": effort.solver_calls,
            "finished": effort.finished,
        }
    if made.raised is not None:
        found["raised"] = asdict(made.raised)
    return found


def failures_json(failed: tuple[Failed, ...]) -> list[JsonObject]:
    return [{"strategy": f.strategy.value, "reason": f.reason} for f in failed]


def stats_json(stats: Stats) -> JsonObject:
    return {
        "calls": stats.solver_calls,
        "clauses": dict(stats.clauses),
        "variables": stats.variables,
        "theory": stats.theory,
        "name": stats.solver,
        "seconds": {name: round(s, 4) for name, s in stats.seconds.items()},
        "megabytes": {name: round(most, 1) for name, most in stats.megabytes.items()},
    }


def replay_json(
    program: Program, scale: Scale, predicted: int | None, replay: Replay
) -> JsonObject:
    return {
        "program": str(program.path),
        "function": program.function,
        "scale": plain(scale),
        "cost": {
            "measure": program.measure.name,
            "predicted": predicted,
            "observed": replay.cost,
        },
        "verified": replay.cost is not None and replay.cost == predicted,
        "raised": None if replay.raised is None else asdict(replay.raised),
        "seconds": round(replay.seconds, 4),
    }


def model_json(model: Model, source: str | None = None) -> JsonObject:
    """The model; places are those of the source, where that is still what was learned."""
    from xsynth.program.inputs import describe
    from xsynth.program.places import own_site
    from xsynth.report.decisions import decision_words
    from xsynth.report.patterns import pattern_text

    def line_of(place: Place) -> int:
        return own_site(place, source).line

    def site(place: Place) -> JsonObject:
        return {"line": line_of(place), "function": own_site(place, source).function}

    return {
        "program": model.program,
        "function": model.function,
        "digest": model.digest,
        "measure": model.measure,
        "inputs": list(describe(model.spec)),
        "scales": {
            str(s.scale): {
                "paths": s.paths,
                "exhaustive": s.exhaustive,
                "cost": s.cost,
                "ties": s.ties,
            }
            for s in model.scales
        },
        "guided": [plain(scale) for scale in model.guided],
        "family": model.family,
        "formula": None if model.formula is None else str(model.formula),
        "class": model.growth,
        "holds_from": plain(model.holds_from),
        **_where(model),
        "points": [
            {
                **site(point.place),
                "taken": point.taken,
                "pattern": pattern_text(point.pattern, None, line_of),
                "generators": [[str(isg) for isg in piece.leaves] for piece in point.pieces],
            }
            for point in model.points
        ],
        "policies": [
            {
                **site(policy.place),
                "prefer": policy.prefer,
            }
            for policy in model.policies
        ],
        "decisions": [
            {
                **site(decision.place),
                "rule": list(decision_words(decision, source)),
            }
            for decision in model.decisions
        ],
    }


def generated_parts(
    made: Generated, program: Program, *, changed: bool, seconds: float
) -> Iterator[str]:
    """`dump` of `generated_json` piece by piece: a table is encoded a row at a time."""
    found = generated_json(replace(made, arguments={}), program, changed=changed, seconds=seconds)
    yield "{\n"
    for number, (key, value) in enumerate(found.items()):
        yield f"{',' * (number > 0)}{chr(10) * (number > 0)}  {json.dumps(key)}: "
        if key == "arguments":
            yield from _argument_parts(made.arguments)
        else:
            yield json.dumps(value)
    yield "\n}"


def _argument_parts(arguments: Mapping[str, object]) -> Iterator[str]:
    yield "{"
    for number, (name, value) in enumerate(arguments.items()):
        yield f"{', ' * (number > 0)}{json.dumps(name)}: "
        if isinstance(value, list) and value and isinstance(value[0], list):
            for row_number, row in enumerate(value):
                yield ("[" if row_number == 0 else ", ") + json.dumps(encode(row))
            yield "]"
        else:
            yield json.dumps(encode(value))
    yield "}"


def dump(found: Mapping[str, Any]) -> str:
    """JSON with one line a top-level key: an input of 500 numbers is one line, not 500."""
    lines = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in found.items())
    return f"{{\n{lines}\n}}"
