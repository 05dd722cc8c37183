"""Limits for untrusted programs, far above any real program and checked before the work.

A model file contains its program as text, which is untrusted. A few bytes can cost much: a bound such as
`choose(9...9, 5000000)`, 900 nested sums, a text of a gigabyte. What exceeds these limits is refused.
"""

from __future__ import annotations

from hyloop.errors import HyloopError

TEXT = 2**20  # characters of a program's text
LINE = 2**14  # characters of one of its lines
ABOUT = LINE - 100  # characters of its docstring, as the text has it
DIGITS = 100  # digits of a number in it
OPERATIONS = 4_000  # operations of a program, its two sections together
CHAIN = 300  # longest chain of operations, each an operand of the next
LETTERS = 200  # letters of a name; columns are called by them, and a model's file takes 1,000 for a column
NAMES = 500  # inputs; states; outputs
SIZE_TEXT = 4_000  # characters of a loop's bound
SIZE_PARTS = 200  # numbers and operators of such a bound
SIZE_DEPTH = 50  # and its nesting depth
ITERATIONS = 10**18  # a larger bound is replaced by this one: no run takes so many


def within(what: str, given: int, most: int) -> None:
    """Raise if `given` exceeds its limit."""
    if given > most:
        raise HyloopError(f"{what}: {given:,}, which is more than the {most:,} that hyloop takes.")
