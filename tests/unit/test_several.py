"""Several variables: scales, formulas, regions, classes, and what a model file says of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sympy

from xsynth.errors import UsageError
from xsynth.explore.scales import explore_alone
from xsynth.explore.worst import WorstCase
from xsynth.model.bases import FittedExpr
from xsynth.model.file import read_model, write_model
from xsynth.model.fit import NoFit, fit_values
from xsynth.model.growth import growth
from xsynth.model.isg import evaluate, parse_expr
from xsynth.model.model import Model, ScaleRecord
from xsynth.model.region import Region, parse_region, regions
from xsynth.options import grid, parse_scale, parse_scales
from xsynth.program.program import Program
from xsynth.program.spec import InputSpec
from xsynth.scale import (
    Scale,
    Sizes,
    at_least,
    corner,
    holds_from,
    named,
    shown,
    sizes_of,
    tails,
)
from xsynth.session import Opened, check_scale, in_order


def at(n: int, m: int) -> Sizes:
    return Sizes((("n", n), ("m", m)))


GRID = parse_scales("n=2..5,m=2..4")

# -- scales


def test_one_variable_stays_a_number() -> None:
    assert parse_scales("n=2..4") == parse_scales("2..4") == (2, 3, 4)
    assert parse_scale("n=7") == parse_scale("7") == 7
    assert sizes_of({"n": 3}) == 3


def test_a_grid_is_every_combination_in_rising_order() -> None:
    assert len(GRID) == 12 and set(GRID) == {at(n, m) for n in range(2, 6) for m in (2, 3, 4)}
    assert list(map(str, GRID[:4])) == ["n=2,m=2", "n=2,m=3", "n=3,m=2", "n=2,m=4"]
    assert parse_scales("n=2,3,5,m=1..9..4") == grid({"n": [2, 3, 5], "m": [1, 5, 9]})
    assert shown(at(2, 3)) == "n = 2, m = 3"


def test_a_scale_is_at_least_another_in_every_variable() -> None:
    assert at_least(at(3, 2), at(3, 1)) and not at_least(at(9, 1), at(2, 2))
    assert corner([at(2, 5), at(4, 1)]) == at(4, 5)
    assert corner([at(2, 5), at(4, 1)], lowest=True) == at(2, 1)


def test_tails_leave_out_the_smallest_variable_by_variable() -> None:
    assert list(tails((2, 3, 4))) == [(2, 3, 4), (3, 4)]
    lowest = [corner(tail, lowest=True) for tail in tails(GRID)]
    assert lowest == [at(2, 2), at(2, 3), at(3, 2), at(3, 3), at(4, 2), at(4, 3)]


def test_where_a_formula_holds() -> None:
    assert holds_from([2, 3, 4, 5], [3]) == 4
    assert holds_from([2, 3], [3]) == 4
    assert holds_from(GRID, []) == at(2, 2)
    assert holds_from(GRID, [at(4, 2), at(2, 2)]) == at(2, 3)


@pytest.mark.parametrize(
    "text", ["n=2..4,m", "m=2..4,n=2..4,m=5", "floor=2..4,n=2..4", "n=..4", "n=,m=2..4", "=2..4"]
)
def test_no_grid(text: str) -> None:
    with pytest.raises(UsageError):
        parse_scales(text)


@pytest.mark.parametrize("text", ["", "n=", "n=1.5", "n=3,4", "3,4", "n=3,m=4,n=5", "for=3"])
def test_no_scale(text: str) -> None:
    with pytest.raises(UsageError):
        parse_scale(text)


# -- formulas


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", lambda n, m: 7),
        ("2*n - m + 1", lambda n, m: 2 * n - m + 1),
        ("3*n*m + n - 4", lambda n, m: 3 * n * m + n - 4),
        ("n**2/2 + n/2", lambda n, m: n * (n + 1) // 2),
        ("n**2*m - m", lambda n, m: n * n * m - m),
        ("Min(n, m) + 5", lambda n, m: min(n, m) + 5),
        ("2*Max(n, m)", lambda n, m: 2 * max(n, m)),
        ("n*Min(n, m) + 1", lambda n, m: n * min(n, m) + 1),
        ("floor(n/2) + m", lambda n, m: n // 2 + m),
    ],
)
def test_the_formula_is_found(text: str, value: Callable[[int, int], int]) -> None:
    fitted = fit_values({s: value(s["n"], s["m"]) for s in GRID if isinstance(s, Sizes)})
    assert isinstance(fitted, FittedExpr)
    assert str(fitted.expr) == text
    far = at(300, 17)
    assert evaluate(fitted.expr, far) == value(300, 17)
    assert sympy.sympify(text).subs({"n": 300, "m": 17}) == value(300, 17)


def test_no_formula_without_levels_to_spare() -> None:
    """Three values of m have a parabola through anything."""
    values = {s: s["m"] ** 2 for s in GRID if isinstance(s, Sizes)}
    assert isinstance(fit_values(values), NoFit)
    more = parse_scales("n=2..5,m=2..5")
    fitted = fit_values({s: s["m"] ** 2 for s in more if isinstance(s, Sizes)})
    assert isinstance(fitted, FittedExpr) and str(fitted.expr) == "m**2"


def test_two_formulas_are_none() -> None:
    diagonal = {at(k, k): k for k in range(2, 7)}
    assert isinstance(fit_values(diagonal), NoFit)


def test_unknown_values_do_not_matter() -> None:
    values = {s: None if s == at(3, 3) else s["n"] + s["m"] for s in GRID if isinstance(s, Sizes)}
    fitted = fit_values(values)
    assert isinstance(fitted, FittedExpr) and str(fitted.expr) == "n + m"


@pytest.mark.parametrize("kind", [pow, math.comb], ids=["power", "binomial"])
def test_what_has_no_formula(kind: Callable[[int, int], int]) -> None:
    values = {s: kind(s["n"], s["m"]) for s in GRID if isinstance(s, Sizes)}
    assert isinstance(fit_values(values, exotic=True), NoFit)


@pytest.mark.parametrize(
    ("formula", "region", "wanted"),
    [
        ("4*n*m + 5*n + 2*m + 11", None, "O(n*m)"),
        ("4*m + n + 5", None, "O(m + n)"),
        ("n**2 + n*m + m", None, "O(n^2 + n*m)"),
        ("n**2/2 + 3*m", None, "O(n^2 + m)"),
        ("n*floor(log(m, 2)) + n + m", None, "O(n*log m + m)"),
        ("2*Min(n, m) + 3", None, "O(min(n, m))"),
        ("2*Min(n, m) + n", None, "O(n)"),
        ("Max(n, m) - 1", None, "O(n + m)"),
        ("n*m - m*n + n + m", None, "O(n + m)"),
        ("2**n*m", None, "O(2**n*m)"),
        ("2*n*m - 2*m**2", None, "O(n*m + m^2)"),
        ("2*n*m - 2*m**2", Region("n", ">", "m"), "O(n*m)"),
    ],
)
def test_classes(formula: str, region: Region | None, wanted: str) -> None:
    assert growth(parse_expr(formula), region) == wanted


# -- regions and models


def test_regions_by_how_many_scales_they_have() -> None:
    found = list(regions(GRID))
    assert found[0] is None
    assert str(found[1]) == "n >= m" and {str(r) for r in found[2:4]} == {"n > m", "m >= n"}
    assert list(regions((2, 3, 4))) == [None]
    assert list(regions(parse_scales("n=7..9,m=2..4"))) == [None]
    assert all(r is None or parse_region(str(r)) == r for r in found)


def _model(region: Region | None, wrong: tuple[Scale, ...] = ()) -> Model:
    formula = parse_expr("n*m")
    records = [
        ScaleRecord(s, 1, True, 0 if s in wrong else math.prod(named(s).values()), 1) for s in GRID
    ]
    return Model(
        program="p.py",
        function="f",
        digest="0" * 64,
        spec=InputSpec(()),
        measure="steps",
        formula=formula,
        scales=tuple(records),
        guided=(at(6, 4), at(13, 11)),
        family="first",
        points=(),
        policies=(),
        region=region,
    )


@pytest.mark.parametrize("region", [None, Region("n", ">=", "m"), Region("m", ">", "n")])
def test_a_model_file_with_several_variables(region: Region | None) -> None:
    model = _model(region)
    text = write_model(model)
    assert "scale n=5,m=4: paths 1" in text and "guided n=6,m=4 n=13,m=11" in text
    assert ("where " in text) == (region is not None)
    assert read_model(text) == model


def test_a_model_holds_from_a_corner_in_its_region() -> None:
    outside = tuple(s for s in GRID if isinstance(s, Sizes) and s["n"] <= s["m"])
    model = _model(Region("n", ">", "m"), wrong=(*outside, at(3, 2)))
    assert model.holds_from == at(4, 2)
    opened = Opened(model, None, changed=False)  # type: ignore[arg-type]
    assert check_scale(opened, sizes_of({"m": 2, "n": 4})) == at(4, 2)
    for scale in (at(3, 2), at(5, 5), at(4, 1)):
        with pytest.raises(UsageError):
            check_scale(opened, scale)
    with pytest.raises(UsageError, match="k is unknown"):
        in_order(model, sizes_of({"n": 3, "m": 3, "k": 1}))
    with pytest.raises(UsageError, match="no value for m"):
        in_order(model, 3)
    assert in_order(replace(model, scales=(ScaleRecord(3, 1, True, 1, 1),)), 9) == 9


# -- exploring


def test_what_is_larger_than_an_unfinished_scale_is_left_out(
    program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    def explored(program: Program, scale: Scale, *_: object) -> WorstCase:
        unfinished = "time" if at_least(scale, at(3, 3)) else None
        return WorstCase(scale, 1, 1, 1, (), {}, (), unfinished, 0.0)

    monkeypatch.setattr("xsynth.explore.scales.explore", explored)
    found = explore_alone(program("def f(a: list[int]): pass"), GRID, math.inf)
    assert {c.scale for c in found if not c.exhaustive} == {at(3, 3)}
    assert {c.scale for c in found if c.exhaustive} == {
        s for s in GRID if not at_least(s, at(3, 3))
    }


def test_the_folder_of_a_model_does_not_matter(tmp_path: Path) -> None:
    """A model in several variables is a text file like any other."""
    from xsynth.model import store

    model = replace(_model(Region("n", ">=", "m")), program=str(tmp_path / "p.py"))
    store.save(model, tmp_path / "m.isg")
    assert store.load(tmp_path / "m.isg") == model
