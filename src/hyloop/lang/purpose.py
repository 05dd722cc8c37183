"""Purposes: which operation of the source program a part of a compiled model implements, and which part of it.

Lowering splits operations, shares common subexpressions and moves some into the next iteration; the results carry the
purposes of the operations they come from. A purpose is a hint for readers; the prover does not rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SectionName = Literal["before", "body"]
# Of an operation: its value; the one-hot of its pointer (`members`, `containing`); the count that it compares with 0
# (`touching`, `covered`), or a number that it is made of (`multiply`, `quotient`, `remainder`); the rows that are
# not
# (`all`), or for which that is so (`any` of them); the rows that it chooses from (searches). Of an
# assignment, the last
# version of a state: the state's new value, and the flag that lets it be written in its own
# section only. Of the flag
# that stops the loop: the halt flag made of it.
Part = Literal["value", "one-hot", "count", "lacking", "any-lacking", "candidates", "assignment", "gate", "halt"]


@dataclass(frozen=True, order=True)
class Purpose:
    """Operation number `op` of a section of the program, and which part of it."""

    section: SectionName
    op: int
    part: Part = "value"
    ahead: bool = False  # of the next iteration: computed early, at the end of this one


def joined(*purposes: tuple[Purpose, ...]) -> tuple[Purpose, ...]:
    """The union of the purposes, in the order of the program."""
    return tuple(sorted({each for some in purposes for each in some}))
