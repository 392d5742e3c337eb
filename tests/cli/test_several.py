"""Sizes with more than one parameter, as a person types them.

Each program is learned from a small grid; the worst costs there are those of brute force over
all inputs of few values, and inputs far beyond the grid are generated and verified.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import xsynth
from tests.cli.conftest import Folder
from xsynth.commands import LearnRequest, learn
from xsynth.complexity import measure
from xsynth.errors import UsageError
from xsynth.program.program import Options, load
from xsynth.report.jsonable import model_json
from xsynth.scale import sizes_of
from xsynth.session import open_model

SORTED_A = "all(x <= y for x, y in zip(a, a[1:]))"
SORTED_B = "all(x <= y for x, y in zip(b, b[1:]))"


@dataclass(frozen=True)
class Case:
    name: str
    source: str
    options: tuple[str, ...]
    formula: str
    growth: str
    arguments: Callable[[int, int, tuple[int, ...]], Mapping[str, object]]
    """An input of the scale from n + m (or n * m) small numbers."""
    cells: Callable[[int, int], int] = lambda n, m: n + m
    values: int = 3
    scales: str = "n=2..4,m=2..4"
    where: str | None = None
    far: tuple[int, int] = (300, 200)
    allowed: Callable[[Mapping[str, object]], bool] = lambda _: True


def two_lists(n: int, m: int, values: tuple[int, ...]) -> Mapping[str, object]:
    return {"a": list(values[:n]), "b": list(values[n:])}


def table(n: int, m: int, values: tuple[int, ...]) -> Mapping[str, object]:
    return {"grid": [list(values[i * m : (i + 1) * m]) for i in range(n)]}


def are_sorted(arguments: Mapping[str, object]) -> bool:
    return all(value == sorted(value) for value in arguments.values())  # type: ignore[call-overload]


CASES = [
    Case(
        "edit_distance",
        """
def edit_distance(a: list[int], b: list[int]) -> int:
    n, m = len(a), len(b)
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        table[i][0] = i
    for j in range(m + 1):
        table[0][j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1]
            else:
                best = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
                table[i][j] = best + 1
    return table[n][m]
""",
        ("--size", "b=m"),
        "4*n*m + 5*n + 2*m + 11",
        "O(n*m)",
        two_lists,
    ),
    Case(
        "lcs",
        """
def lcs(a: list[int], b: list[int]) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                up, left = table[i][j + 1], table[i + 1][j]
                table[i + 1][j + 1] = up if up >= left else left
    return table[-1][-1]
""",
        ("--size", "b=m"),
        "4*n*m + 3*n + 4",
        "O(n*m)",
        two_lists,
        scales="n=2..4,m=1..3",
    ),
    Case(
        "merge",
        """
def merge(a: list[int], b: list[int]) -> list[int]:
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    while i < len(a):
        out.append(a[i])
        i += 1
    while j < len(b):
        out.append(b[j])
        j += 1
    return out
""",
        ("--size", "b=m", "--assume", SORTED_A, "--assume", SORTED_B),
        "4*n + 4*m + 5",
        "O(n + m)",
        two_lists,
        values=4,
        allowed=are_sorted,
    ),
    Case(
        "row_sums",
        """
def row_sums(grid: list[list[int]]) -> list[int]:
    sums = []
    for row in grid:
        total = 0
        for x in row:
            if x > 0:
                total += x
        sums.append(total)
    return sums
""",
        ("--size", "grid=n,m"),
        "3*n*m + 4*n + 3",
        "O(n*m)",
        table,
        cells=lambda n, m: n * m,
        values=2,
        scales="n=1..3,m=1..3",
        far=(60, 40),
    ),
    Case(
        "naive_search",
        """
def naive_search(a: list[int], b: list[int]) -> int:
    for i in range(len(a) - len(b) + 1):
        j = 0
        while j < len(b) and a[i + j] == b[j]:
            j += 1
        if j == len(b):
            return i
    return -1
""",
        ("--size", "b=m"),
        "2*n*m - 2*m**2 + 2*n + 6",
        "O(n*m)",
        two_lists,
        values=2,
        scales="n=2..5,m=2..4",
        where="n > m",
    ),
    Case(
        "relaxations",
        """
def relaxations(grid: list[list[int]]) -> list[int]:
    dist = [0]
    for edges in grid:
        best = 10**6
        for w in edges:
            if dist[-1] + w < best:
                best = dist[-1] + w
        dist.append(best)
    return dist
""",
        ("--size", "grid=n,m"),
        "3*n*m + 4*n + 3",
        "O(n*m)",
        table,
        cells=lambda n, m: n * m,
        values=3,
        scales="n=1..3,m=1..3",
        far=(60, 40),
    ),
    Case(
        "common_prefix",
        """
def common_prefix(a: list[int], b: list[int]) -> int:
    k = 0
    while k < len(a) and k < len(b) and a[k] == b[k]:
        k += 1
    return k
""",
        ("--size", "b=m"),
        "2*Min(n, m) + 3",
        "O(min(n, m))",
        two_lists,
        values=2,
    ),
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_learned_and_verified_far_beyond(case: Case, folder: Folder) -> None:
    file = folder.write(f"{case.name}.py", case.source)
    learned = folder.xsynth("learn", file.name, "--scales", case.scales, *case.options, "--json")
    assert learned.code == 0, learned
    found = learned.json
    assert (found["status"], found["formula"]) == ("learned", case.formula)
    assert (found["class"], found["where"]) == (case.growth, case.where)
    worst = {key: one["cost"] for key, one in found["scales"].items()}
    for n, m in ((2, 2), (2, 3), (3, 2)):
        assert worst[f"n={n},m={m}"] == brute_force(case, file, n, m)
    n, m = case.far
    made = folder.xsynth("generate", "--scale", f"n={n},m={m}", "--output", "worst.json")
    assert made.code == 0, made
    written = json.loads((folder.path / "worst.json").read_text())
    assert written["scale"] == {"n": n, "m": m}
    assert written["verified"] is True and written["strategy"] == "synthesize"
    expected = eval(case.formula, {"n": n, "m": m, "Min": min})  # a text of this file
    assert written["cost"]["observed"] == expected


def brute_force(case: Case, file: Path, n: int, m: int) -> int:
    """The worst cost over all inputs of few different numbers."""
    pairs = zip(case.options[::2], case.options[1::2], strict=True)
    sizes = dict(value.split("=") for option, value in pairs if option == "--size")
    program = load(file, case.name, Options(sizes=sizes, variables=("n", "m")))
    costs = []
    for values in itertools.product(range(case.values), repeat=case.cells(n, m)):
        # Falling numbers are needed where every comparison is with what went before.
        arguments = case.arguments(n, m, tuple(-value for value in values))
        for given in (arguments, case.arguments(n, m, values)):
            if case.allowed(given):
                costs.append(program.replay(given).cost or 0)
    return max(costs)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A folder with a model in n and m, everywhere, and one for n > m."""
    own = Folder(tmp_path_factory.mktemp("several"))
    for case in CASES:
        if case.name in ("common_prefix", "naive_search"):
            file = own.write(f"{case.name}.py", case.source)
            learned = xsynth.learn(f"{file}::{case.name}", scales=case.scales, sizes={"b": "m"})
            learned.save(own.path / f"{case.name}.isg")
    return own


def test_outside_of_the_region(prefix: Folder) -> None:
    search = ("--model", "naive_search.isg")
    with pytest.raises(UsageError, match="the model holds where n > m"):
        xsynth.load(prefix.path / "naive_search.isg").generate(n=20, m=30)
    given = json.dumps({"arguments": {"a": [1, 2], "b": [1, 2, 3]}})
    done = prefix.xsynth("replay", "-", *search, stdin=given)
    assert done.code == 1 and "the model holds where n > m" in done.out


def test_the_scale_of_an_input_is_told_from_its_lengths(prefix: Folder) -> None:
    given = json.dumps({"a": [1] * 9, "b": [1] * 7})
    done = prefix.xsynth("replay", "-", "--model", "common_prefix.isg", "--json", stdin=given)
    assert done.code == 0
    assert done.json["scale"] == {"n": 9, "m": 7} and done.json["verified"]


def test_variables_in_any_order_and_a_replay(prefix: Folder) -> None:
    asked = ("--scale", "m=6,n=40", "--model", "common_prefix.isg", "--output", "worst.json")
    assert prefix.xsynth("generate", *asked).code == 0
    made = json.loads((prefix.path / "worst.json").read_text())
    assert made["scale"] == {"n": 40, "m": 6}
    assert (len(made["arguments"]["a"]), len(made["arguments"]["b"])) == (40, 6)
    replayed = prefix.xsynth("replay", "worst.json", "--model", "common_prefix.isg")
    assert replayed.code == 0 and "at n = 40, m = 6: cost 15 steps, as predicted" in replayed.out


def test_explained(prefix: Folder) -> None:
    shown = prefix.xsynth("explain", "--model", "naive_search.isg").out
    assert "O(n*m), for n > m" in shown and "a worst-case input at n = 9, m = 8" in shown
    found = model_json(open_model(prefix.path / "naive_search.isg").model)
    assert found["where"] == "n > m" and "n=5,m=4" in found["scales"]


def test_complexity(prefix: Folder) -> None:
    asked = ("complexity", "--upto", "n=40,m=20", "--json", "--model", "common_prefix.isg")
    found = prefix.xsynth(*asked).json
    assert found["fit"]["name"] == "min(n, m)" and found["fit"]["r2"] == 1.0
    assert found["class"] == "O(min(n, m))"
    assert found["sizes"][-1]["scale"] == {"n": 40, "m": 20}
    assert all(one["verified"] for one in found["sizes"])


def test_the_complexity_of_a_region_stays_within_it(prefix: Folder) -> None:
    opened = open_model(prefix.path / "naive_search.isg")
    found = measure(opened, 20)
    assert all(one.scale["n"] > one.scale["m"] for one in found.sizes)  # type: ignore[index]
    assert found.sizes[-1].scale == sizes_of({"n": 20, "m": 10})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--scales", "n=2..4,m=2..4"), "m has a scale, but no size depends on it"),
        (("--scales", "v=2..4,e=2..4", "--size", "a=v"), "n has no scale"),
        (("--size", "b=m"), "uses the unknown name m"),
        (("--scales", "n=2..4,m=2..3", "--size", "b=m"), "2 scales, too few to fit"),
        (("--scales", "n=2..4,n=2..4"), "n is given twice"),
        (("--scales", "n=2..4,2m=2..4"), "'2m' is no name for a variable"),
        (("--scales", "2..4,m=2..4"), "2..4 belongs to no name"),
        (("--scales", "n=2..4,m=2..4", "--size", "b=k"), "uses the unknown name k"),
        (
            ("--scales", "n=2..4,m=2..4", "--size", "b=m", "--assume", "n > m + 9"),
            "no input of scale",
        ),
    ],
)
def test_wrong_usage(folder: Folder, options: tuple[str, ...], said: str) -> None:
    file = folder.write(
        "f.py", "def f(a: list[int], b: list[int]) -> bool:\n    return a[0] < b[0]\n"
    )
    given: dict[str, list[str]] = {"--scales": ["2..4"], "--size": [], "--assume": []}
    for option, value in zip(options[::2], options[1::2], strict=True):
        given[option] = [*(given[option] if option != "--scales" else []), value]
    request = LearnRequest(
        str(file),
        given["--scales"][0],
        tuple(given["--size"]),
        assumptions=tuple(given["--assume"]),
    )
    with pytest.raises(UsageError) as refused:
        learn(request, as_json=False)
    assert refused.value.exit_code == 2 and said in str(refused.value)


def test_an_assumption_on_the_sizes_leaves_out_combinations(folder: Folder) -> None:
    case = next(case for case in CASES if case.name == "naive_search")
    folder.write("s.py", case.source)
    options = ("--size", "b=m", "--assume", "m < n")
    found = folder.xsynth("learn", "s.py", "--scales", "n=2..5,m=1..3", *options, "--json").json
    assert set(found["scales"]) == {
        f"n={n},m={m}" for n in range(2, 6) for m in range(1, 4) if m < n
    }
    assert found["status"] == "learned" and found["where"] is None


def test_from_python(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "common_prefix")
    file = tmp_path / "p.py"
    file.write_text(case.source)
    scales = {"n": range(2, 5), "m": range(2, 5)}
    model = xsynth.learn(f"{file}::common_prefix", scales=scales, sizes={"b": "m"})
    assert (model.formula, model.growth) == (case.formula, case.growth)
    made = model.generate(n=50, m=70)
    assert made.verified and made.scale == model.generate({"m": 70, "n": 50}).scale
    assert len(made.arguments["b"]) == 70  # type: ignore[arg-type]
    for wrong in ({}, {"n": 3}, {"scale": 3}, {"scale": 3, "n": 3}):
        with pytest.raises(xsynth.XsynthError):
            model.generate(**wrong)  # type: ignore[arg-type]


def test_three_variables_in_sizes_ranges_and_fixed_values(tmp_path: Path) -> None:
    file = tmp_path / "t.py"
    file.write_text("""
def tally(a: list[int], b: list[int], c: list[bool], least: int) -> int:
    total = 0
    for x in a:
        if x > least:
            for _ in b:
                total += 1
    for flag in c:
        if flag:
            total += 1
    for y in b:
        if y < 5:
            total += 1
    return total
""")
    model = xsynth.learn(
        f"{file}::tally",
        scales={"n": range(1, 4), "m": range(1, 4), "k": range(1, 4)},
        sizes={"b": "m", "c": "k"},
        fix={"least": "m - 1"},
        ranges={"a": "0..m", "b": "0..n+5"},
    )
    assert (model.formula, model.growth) == ("2*n*m + 3*n + 3*m + 3*k + 5", "O(n*m + k)")
    made = model.generate(n=20, m=30, k=10)
    assert made.verified and made.observed == 1200 + 60 + 90 + 30 + 5
    assert made.arguments["least"] == 29 and made.arguments["a"] == [30] * 20


def test_one_degenerate_size_does_not_spoil_the_others(folder: Folder) -> None:
    """A pattern longer than the text is never compared: one explored scale is so."""
    folder.write(
        "find.py",
        """
        def find(text: str, pat: str) -> int:
            for i in range(len(text) - len(pat) + 1):
                j = 0
                while j < len(pat) and text[i + j] == pat[j]:
                    j += 1
                if j == len(pat):
                    return i
            return -1
        """.replace("\n        ", "\n"),
    )
    scales = ("--scales", "n=2..6,m=1..3", "--size", "pat=m")
    learned = folder.xsynth("learn", "find.py", *scales, "--json")
    assert learned.code == 0, learned
    assert learned.json["where"] == "n >= m"
    made = folder.xsynth("generate", "--scale", "n=40,m=9", "--json")
    assert made.code == 0 and made.json["verified"] is True
    n, m = 40, 9
    assert made.json["cost"]["observed"] == 2 * n * m - 2 * m**2 + 2 * n + 6
