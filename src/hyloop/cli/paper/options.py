"""Options of several commands of `hyloop paper`."""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop.cli.help import one_of
from hyloop.paper.steps import CodeName

Positions = Annotated[
    CodeName,
    typer.Option("--positions", metavar=one_of(CodeName), help="How rows are numbered: exactly, or as in the paper."),
]
