"""What the measurements were taken on."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from xsynth import __version__


def machine() -> dict[str, str]:
    cores = os.cpu_count() or 1
    found = {
        "processor": f"{_processor()}, {cores} core{'s' * (cores != 1)}",
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "xsynth": __version__,
    }
    for package in ("z3-solver", "numpy", "hypothesis"):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    with suppress(OSError, AttributeError):
        found["load at the start"] = f"{os.getloadavg()[0]:.1f}"
    return found


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine()


def _memory() -> str:
    with suppress(OSError, ValueError, AttributeError):
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
    return "unknown"
