"""The process of one measurement: a job as JSON in one file, what was found into another.

Whatever happens is written down as a result; the parent watches time and memory, and this
process ends by itself should the parent be gone.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from xsynth.bench.limited import peak_of_this_process
from xsynth.bench.methods import Job, perform
from xsynth.errors import XsynthError


def main(job_file: str, found_file: str) -> None:
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    sys.set_int_max_str_digits(0)
    given = json.loads(Path(job_file).read_text())
    job = Job(**{**given, "scales": tuple(given["scales"]), "at": tuple(given["at"])})
    found = {**_performed(job), "megabytes": peak_of_this_process()}
    Path(found_file).write_text(json.dumps(found))


def _performed(job: Job) -> dict[str, Any]:
    try:
        return perform(job)
    except XsynthError as error:
        return {"status": "failed", "reason": " ".join(error.found.split()), "kind": "refused"}
    except MemoryError:
        return {"status": "OOM", "reason": "Python ran out of memory"}
    except Exception as error:
        what = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        if "out of memory" in what:  # as Z3 says it
            return {"status": "OOM", "reason": what}
        return {"status": "failed", "reason": f"internal error: {what}"}


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
