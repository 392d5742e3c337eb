"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE", help="The model file; the latest if left out."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON on standard output.")
]
