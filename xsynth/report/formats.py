"""An input as a file: Python assignments, plain text, a numpy array; written aside first.

A table of 5,000 by 5,000 is much text, so it is made and written a row at a time.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from xsynth.errors import UsageError


def as_python(arguments: Mapping[str, object]) -> Iterator[str]:
    """`name = value` lines that can be pasted."""
    for name, value in arguments.items():
        yield f"{name} = "
        if type(value) is list and value and type(value[0]) is list:
            for number, row in enumerate(value):
                yield ("[" if number == 0 else ", ") + repr(row)
            yield "]\n"
        else:
            yield f"{value!r}\n"


def as_text(arguments: Mapping[str, object]) -> Iterator[str]:
    """A string as it is, numbers with spaces between them, a row of a table a line."""
    for value in arguments.values():
        yield from _lines(value)


def _lines(value: object) -> Iterator[str]:
    match value:
        case list() | tuple() if value and any(isinstance(v, list | tuple | str) for v in value):
            for row in value:
                yield from _lines(row)
        case list() | tuple():
            yield " ".join(map(_word, value)) + "\n"
        case _:
            yield _word(value) + "\n"


def _word(value: object) -> str:
    match value:
        case bytes():
            return value.decode("latin-1")
        case bool():
            return str(int(value))
        case _:
            return str(value)


def as_numpy(arguments: Mapping[str, object]) -> Iterator[bytes | memoryview]:
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
    if len(arrays) != 1:
        np.savez(file, **arrays)
        return iter((file.getbuffer(),))
    (array,) = arrays.values()
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    return iter((file.getbuffer(), memoryview(array).cast("B") if array.size else b""))


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


def write_aside(path: Path, data: bytes | Iterable[bytes | memoryview]) -> None:
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
