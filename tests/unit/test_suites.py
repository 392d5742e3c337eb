"""The shipped programs, their suites and the published figures fit together."""

from __future__ import annotations

import pytest
from suite import CASES, POLICY_CASES, Case

from xsynth import shipped
from xsynth.bench import published
from xsynth.bench.suites import check_methods, parse_at, read_suite, suite_names
from xsynth.errors import UsageError
from xsynth.options import parse_pairs, parse_scales
from xsynth.program.program import Options, load


def test_the_catalogue_lists_every_program() -> None:
    where = shipped.folder()
    files = {p for folder in ("programs", "wise") for p in (where / folder).glob("*.py")}
    listed = {example.path for example in shipped.examples().values()}
    assert files == listed, "benchmarks/catalogue.toml and the folders differ"


@pytest.mark.parametrize("example", shipped.examples().values(), ids=lambda e: e.name)
def test_every_example_loads_as_the_catalogue_describes_it(example: shipped.Example) -> None:
    given = example.described
    options = Options(
        sizes=parse_pairs("--size", given.size),
        fixes=parse_pairs("--fix", given.fix),
        ranges=parse_pairs("--range", given.range),
        inputs=parse_pairs("--input", given.input),
        assumptions=given.assume,
        cost=given.cost,
    )
    program = load(example.path, example.function, options)
    assert program.spec.params
    assert all(path.is_file() for path in example.beside)
    assert len(example.about) > 10
    assert len(parse_scales(example.scales)) >= 3


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES + POLICY_CASES])
def test_the_quality_suite_and_the_catalogue_agree(case: Case) -> None:
    given = shipped.example(case.name).described
    assert dict(case.options.get("ranges", {})) == parse_pairs("--range", given.range)
    assert dict(case.options.get("sizes", {})) == parse_pairs("--size", given.size)
    assert dict(case.options.get("fixes", {})) == parse_pairs("--fix", given.fix)
    assert tuple(case.options.get("assumptions", ())) == given.assume


def test_there_are_the_suites_that_the_help_names() -> None:
    assert suite_names() == ["scale", "smoke", "spf-wca", "wise", "xstressor"]


@pytest.mark.parametrize("name", ["scale", "smoke", "spf-wca", "wise", "xstressor"])
def test_a_suite_is_whole(name: str) -> None:
    suite = read_suite(name)
    assert suite.tasks
    assert len({task.key for task in suite.tasks}) == len(suite.tasks)
    names = {task.published: task.name for task in suite.tasks if task.published}
    figures = published.figures(suite.published, names)
    assert {figure.program for figure in figures} >= {
        task.name for task in suite.tasks if task.published and task.name != "travelling_salesman"
    }
    assert len(published.sources(suite.published)) == len(suite.published)


def test_the_papers_scales_are_measured() -> None:
    suite = read_suite("xstressor")
    assert len(suite.tasks) == 9
    assert suite.tasks[0].at == (10, 20, 30, 40, 50, 100, 200, 300, 400, 500)
    assert len(read_suite("wise").tasks) == 9


def test_a_published_figure() -> None:
    found = published.figures(("xstressor_table1_seconds.csv",), {"Insertion sort": "mine"})
    at_500 = {figure.tool: figure.value for figure in found if figure.scale == 500}
    assert at_500 == {"XSTRESSOR": "96.73", "WISE": "OOT", "SPF-WCA": "OOM"}


@pytest.mark.parametrize(
    ("text", "scales"),
    [("10", (10,)), ("50,10,50", (10, 50)), ("2..4, 10..30..10", (2, 3, 4, 10, 20, 30))],
)
def test_at(text: str, scales: tuple[int, ...]) -> None:
    assert parse_at(text) == scales


@pytest.mark.parametrize("text", ["", "0", "-5", "5..3", "ten", "1..9..0", "1,,2"])
def test_at_refuses(text: str) -> None:
    with pytest.raises(UsageError, match="--at"):
        parse_at(text)


def test_methods_are_kept_in_order_and_checked() -> None:
    assert check_methods(["random", "synthesis"]) == ("synthesis", "random")
    with pytest.raises(UsageError, match="luck"):
        check_methods(["luck"])
