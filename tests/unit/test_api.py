from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import xsynth

SOURCE = """\
import functools


def largest(a: list[int]) -> int:
    best = a[0]
    for x in a[1:]:
        if x > best:
            best = x
    return best


def logged(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)
    return call


def endless(a: list[int]) -> None:
    while True:
        pass


def pick(a: list[int], k: int, word: str) -> int:
    count = 0
    for x in a:
        if x == k:
            count += 1
    return count


def outer():
    def inner(a: list[int]): ...
    return inner
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    file = tmp_path_factory.mktemp("api") / "target.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("target", file)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def model(module: ModuleType) -> xsynth.Learned:
    return xsynth.learn(module.largest, scales=range(2, 6))


def test_two_calls(model: xsynth.Learned) -> None:
    assert model.status == "learned"
    assert model.formula == "3*n"
    assert model.growth == "O(n)"
    made = model.generate(30)
    assert made.verified is True
    assert made.observed == made.predicted == 90
    a = made.arguments["a"]
    assert isinstance(a, list)
    assert a == sorted(set(a))


def test_the_input_is_one_for_the_function_itself(
    model: xsynth.Learned, module: ModuleType
) -> None:
    made = model.generate(10)
    assert module.largest(**made.arguments) == max(made.arguments["a"])


def test_explain(model: xsynth.Learned) -> None:
    text = model.explain()
    assert "if x > best:" in text
    assert "O(n)" in text


def test_save_and_load(model: xsynth.Learned, tmp_path: Path) -> None:
    model.save(tmp_path / "m.isg")
    again = xsynth.load(tmp_path / "m.isg")
    assert again.status == "learned"
    assert again.formula == model.formula
    assert not again.changed
    assert again.generate(12).arguments == model.generate(12).arguments


def test_a_text_names_the_function(model: xsynth.Learned, module: ModuleType) -> None:
    again = xsynth.learn(f"{module.__file__}::largest", scales="2..5")
    assert again.model == model.model


def test_options(module: ModuleType) -> None:
    model = xsynth.learn(
        module.pick,
        scales=[2, 3, 4],
        sizes={"a": "n+1"},
        fix={"k": 3, "word": "'abc'"},
        ranges={"a": (0, 9)},
        assume="a[0] == 1",
        cost="branches",
    )
    assert model.status == "learned"
    made = model.generate(7)
    assert made.arguments["k"] == 3
    assert made.arguments["word"] == "abc"
    a = made.arguments["a"]
    assert isinstance(a, list)
    assert len(a) == 8
    assert a[0] == 1
    assert all(0 <= x <= 9 for x in a)


def test_not_learned_is_a_value_and_generating_from_it_is_not(module: ModuleType) -> None:
    model = xsynth.learn(module.endless, budget=1.0)
    assert model.status == "not learned"
    assert "budget" in model.reason
    assert model.formula is None
    for use in (lambda: model.generate(9), model.explain, lambda: model.save("x")):
        with pytest.raises(xsynth.HonestNo, match="not learned"):
            use()


@pytest.mark.parametrize(
    ("use", "said"),
    [
        pytest.param(lambda m: xsynth.learn(m.outer()), "top of its file", id="inner function"),
        pytest.param(lambda m: xsynth.learn(lambda a: a), "top of its file", id="lambda"),
        pytest.param(lambda m: xsynth.learn(len), "no source file", id="built in"),
        pytest.param(lambda m: xsynth.learn(m.largest, scales=[2, 3]), "too few", id="two scales"),
        pytest.param(lambda m: xsynth.learn(m.largest, scales=[0, 1, 2]), "from 1 on", id="zero"),
        pytest.param(lambda m: xsynth.learn("gone.py"), "no such file", id="no file"),
    ],
)
def test_wrong_usage(module: ModuleType, use, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(xsynth.UsageError, match=said):
        use(module)


def test_wrong_requests(model: xsynth.Learned) -> None:
    for scale in (0, 1, -5):
        with pytest.raises(xsynth.UsageError):
            model.generate(scale)
    with pytest.raises(xsynth.UsageError, match="no such strategy"):
        model.generate(9, strategy="luck")


def test_import_is_quick() -> None:
    code = (
        "import sys, xsynth\n"
        "print([m for m in ('z3', 'sympy', 'numpy', 'lark', 'typer') if m in sys.modules])\n"
        "print(xsynth.Range, xsynth.learn)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[]\n")


def test_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'wat'"):
        _ = xsynth.wat
    assert set(xsynth.__all__) <= {*dir(xsynth), "learn", "load", "Learned"}
