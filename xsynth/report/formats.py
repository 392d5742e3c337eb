"""An input as a file: Python assignments, plain text, a numpy array; written aside first."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from xsynth.errors import UsageError


def as_python(arguments: Mapping[str, object]) -> str:
    """`name = value` lines that can be pasted."""
    return "".join(f"{name} = {value!r}\n" for name, value in arguments.items())


def as_text(arguments: Mapping[str, object]) -> str:
    """A string as it is, numbers with spaces between them, a row of a table a line."""
    return "".join(f"{_text(value)}\n" for value in arguments.values())


def _text(value: object) -> str:
    match value:
        case str():
            return value
        case bytes():
            return value.decode("latin-1")
        case bool():
            return str(int(value))
        case list() | tuple() if value and any(isinstance(v, list | tuple | str) for v in value):
            return "\n".join(_text(row) for row in value)
        case list() | tuple():
            return " ".join(_text(item) for item in value)
        case _:
            return str(value)


def as_numpy(arguments: Mapping[str, object]) -> bytes:
    """One array as .npy; several arguments as .npz, by name."""
    import numpy as np

    arrays: dict[str, Any] = {}
    for name, value in arguments.items():
        try:
            array = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.array(value)
        except ValueError:
            raise _no_array(name, "its rows have different lengths") from None
        if array.dtype == object:
            raise _no_array(name, "its numbers do not fit 64 bits")
        arrays[name] = array
    file = io.BytesIO()
    if len(arrays) == 1:
        np.save(file, next(iter(arrays.values())))
    else:
        np.savez(file, **arrays)
    return file.getvalue()


def _no_array(name: str, reason: str) -> UsageError:
    return UsageError(f"--format npy: {name} is no array: {reason}", "use --format json")


def check_writable(path: Path) -> None:
    """Refuses a path that cannot be written before any work is done for it."""
    folder = path.parent
    if path.is_dir():
        reason = "it is a folder"
    elif not folder.is_dir():
        reason = f"there is no folder {folder}"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = "permission denied"
    else:
        return
    raise UsageError(f"{path}: cannot be written: {reason}", "give the path of another file")


def write_aside(path: Path, data: bytes | Iterable[bytes]) -> None:
    """The whole file or none of it: written beside its place, then renamed."""
    parts = (data,) if isinstance(data, bytes) else data
    check_writable(path)
    try:
        if path.exists() and not path.is_file():  # a pipe, /dev/stdout
            with path.open("wb") as file:
                file.writelines(parts)
            return
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
            aside = Path(name)
            aside.chmod(0o666 & ~_umask())
            aside.replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written: {error.strerror}", "give the path of a file"
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
