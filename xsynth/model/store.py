"""Where models are kept: `.xsynth/NAME.isg` beside the program, and which is the latest.

A file is written aside and then put in place, so a failure leaves the old one as it
was.  In the file the program's path is relative to the file's own folder: a project
folder can be moved as a whole.  A module keeps its name (see `program/locate.py`).
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath

from xsynth.errors import ModelFileError, UsageError
from xsynth.model.file import LEARN_AGAIN, read_model, write_model
from xsynth.model.model import Model
from xsynth.program.described import describe
from xsynth.program.locate import MODULE

FOLDER = ".xsynth"
LATEST = "latest"
_LEARN_FIRST = "run: xsynth learn prog.py --scales 2..6"


def model_path(folder: Path, name: str) -> Path:
    return folder / FOLDER / f"{name}.isg"


def save(model: Model, path: Path) -> None:
    own = model.program
    if not own.startswith(MODULE):
        own = _relative(Path(own), path.parent)
    stored = replace(model, program=own)
    _put(path, write_model(stored).encode())


def put_aside(model: Model, path: Path) -> Path | None:
    """Where the model in a file was put, if another one is about to take its place.

    Models are named by their function.  One of the same file with the same inputs and measure
    is the same model, learned again; any other is kept under a name of its own.
    """
    try:
        old = load(path)
    except ModelFileError:
        return None
    if _what(old) == _what(model):
        return None
    mark = hashlib.sha256(repr(_what(old)).encode()).hexdigest()[:6]
    aside = path.with_suffix(f".{mark}{path.suffix}")
    save(old, aside)
    return aside


def _what(model: Model) -> tuple[str, ...]:
    """What a model is of: the file, the inputs, the measure."""
    own = model.program
    if not own.startswith(MODULE):
        own = str(_real(Path(own)))
    return own, model.function, model.measure, *describe(model.spec)


def load(path: Path) -> Model:
    """The model in a file, with the program's path made absolute."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise ModelFileError(
            f"{path}, line 1: not a model, it is not UTF-8 text",
            "Give the file that xsynth learn wrote, .xsynth/NAME.isg.",
        ) from None
    except FileNotFoundError:
        raise ModelFileError(f"{path}: there is no such model", _LEARN_FIRST) from None
    except IsADirectoryError:
        raise ModelFileError(f"{path}: a folder, not a model", _LEARN_FIRST) from None
    except (OSError, ValueError) as error:
        raise ModelFileError(
            f"{path}: cannot be read: {_why(error)}",
            f"Make the file readable. {LEARN_AGAIN}",
        ) from None
    model = read_model(text, str(path))
    if model.program.startswith(MODULE):
        return model
    program = os.path.normpath(_real(path.parent) / model.program)
    return replace(model, program=program)


def remember_latest(folder: Path, path: Path) -> None:
    own = folder / FOLDER
    _put(own / LATEST, os.fsencode(_relative(path, own)) + b"\n")


def latest(folder: Path) -> Path:
    """The model that was learned last in this folder."""
    own = folder / FOLDER
    try:
        name = os.fsdecode((own / LATEST).read_bytes()).removesuffix("\n")
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{folder}: nothing was learned here yet", _LEARN_FIRST) from None
    except OSError as error:
        raise UsageError(f"{own / LATEST}: cannot be read: {_why(error)}", _LEARN_FIRST) from None
    path = Path(os.path.normpath(own / name))
    if "\n" in name or not path.is_file():
        raise UsageError(
            f"{own / LATEST}: the model it names, {name[:80]!a}, does not exist", _LEARN_FIRST
        )
    return path


def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))


def _relative(path: Path, folder: Path) -> str:
    """`path` as seen from `folder`; absolute where no way leads there (another drive)."""
    real = _real(path.parent) / path.name
    try:
        return PurePath(os.path.relpath(real, _real(folder))).as_posix()
    except ValueError:
        return real.as_posix()


def _put(path: Path, content: bytes) -> None:
    """Writes aside in the same folder, then replaces."""
    aside = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path}: cannot be written: {_why(error)}",
            "Choose another place with --model FILE, or make the folder writable.",
        ) from None
    finally:
        with suppress(OSError, ValueError):
            aside.unlink(missing_ok=True)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
