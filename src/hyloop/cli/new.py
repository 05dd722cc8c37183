"""`hyloop new`: a small algorithm to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from hyloop.atomic import write_out
from hyloop.cli.options import Quiet
from hyloop.cli.show import line
from hyloop.errors import HyloopError
from hyloop.lang.template import template


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The Python file to write, such as my_algorithm.py.")],
    quiet: Quiet = False,
) -> None:
    """Write a small algorithm to start from. It runs as it is.

    Examples:
      hyloop new my_algorithm.py
      hyloop run my_algorithm.py examples/harbour.hif.json --source Quay
    """
    if not file.name.removesuffix(".py").strip("."):
        raise HyloopError(f"{file} is no name for a Python file: put one before .py, such as my_algorithm.py.")
    if file.suffix != ".py":
        raise HyloopError(f"{file} should end in .py, for it is a Python file.")
    if file.exists():
        raise HyloopError(f"{file} exists already; it is not overwritten.")
    write_out(file, template(file.stem).encode())
    if not quiet:
        name = shlex.quote(str(file))
        line(f"Wrote {file}. Run it: hyloop run {name} HYPERGRAPH --source LABEL; watch it: hyloop view {name}")
