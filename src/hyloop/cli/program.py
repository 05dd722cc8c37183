"""`hyloop program`: the program that an algorithm was traced into."""

from __future__ import annotations

import sys

from hyloop.cli.given import chosen_program, require_algorithm
from hyloop.cli.options import Edited, Which
from hyloop.lang.text import to_text


def program(algorithm: Which, edited: Edited = False) -> None:
    """Print the program that an algorithm was traced into: its operations, typed, with their places in the source.

    Examples:
      hyloop program dijkstra
      hyloop program my_algorithm.py
    """
    require_algorithm("program", algorithm)
    sys.stdout.write(to_text(chosen_program(algorithm, edited=edited)))
