"""`hyloop program`: the program that an algorithm was traced into."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hyloop.cli.given import chosen_program, require_algorithm
from hyloop.cli.options import Edited, Which
from hyloop.lang.coq import to_coq
from hyloop.lang.text import to_text


def program(
    algorithm: Which,
    edited: Edited = False,
    coq: Annotated[bool, typer.Option("--coq", help="As definitions of Coq, on which coq/ proves theorems.")] = False,
) -> None:
    """Print the program that an algorithm was traced into: its operations, typed, with their places in the source.

    Examples:
      hyloop program dijkstra
      hyloop program my_algorithm.py
      hyloop program levels --coq
    """
    require_algorithm("program", algorithm)
    chosen = chosen_program(algorithm, edited=edited)
    sys.stdout.write(to_coq(chosen) if coq else to_text(chosen))
