"""What a newcomer types first, and is told."""

from __future__ import annotations

from .conftest import Folder

SERVE = """
def serve(requests: list[int], size: int = 3) -> int:
    hits = 0
    for request in requests:
        if request == size:
            hits += 1
    return hits
"""


def test_arguments_with_defaults_may_be_left_out(folder: Folder) -> None:
    folder.write("serve.py", SERVE)
    assert folder.xsynth("learn", "serve.py", "--scales", "2..4").code == 0
    done = folder.xsynth("replay", "-", stdin='{"requests": [3, 3, 3]}')
    assert done.code == 0, done
    assert "as predicted" in done.out


def test_a_wrong_name_or_element_is_not_blamed_on_the_scale(folder: Folder) -> None:
    folder.write("serve.py", SERVE)
    assert folder.xsynth("learn", "serve.py", "--scales", "2..4").code == 0
    for text in ('{"request": [3, 3, 3]}', '{"requests": ["a", "b"]}'):
        done = folder.xsynth("replay", "-", stdin=text)
        assert done.code == 2
        assert "say the scale" not in done.err, done


def test_the_name_of_a_function_in_place_of_its_model(folder: Folder) -> None:
    folder.write("serve.py", SERVE)
    assert folder.xsynth("learn", "serve.py", "--scales", "2..4").code == 0
    for given in ("serve", "serve.py", "serve.py::serve"):
        done = folder.xsynth("explain", given)
        assert done.code == 2
        assert "did you mean xsynth explain --model .xsynth/serve.isg?" in done.err
    assert "see xsynth explain --help" in folder.xsynth("explain", "other").err


def test_complexity_says_how_sure_it_is(folder: Folder) -> None:
    folder.write("serve.py", SERVE)
    assert folder.xsynth("learn", "serve.py", "--scales", "2..4").code == 0
    done = folder.xsynth("complexity", "--upto", "8")
    assert "every path was explored at 2, 3, 4; beyond, this is an extrapolation" in done.out
