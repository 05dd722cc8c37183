"""What a program may cost to read, whoever wrote it: limits far above any real one, checked before the work.

A model file carries its program as text, and a stranger may have written it. A few bytes can ask for much: a bound such
as `choose(9...9, 5000000)`, 900 nested sums, a text of a gigabyte. What is beyond these limits is refused.
"""

from __future__ import annotations

from hyloop.errors import HyloopError

TEXT = 2**20  # letters of a program's text
LINE = 2**14  # letters of one of its lines
DIGITS = 100  # of a number in it
OPERATIONS = 4_000  # of a program, its two sections together
CHAIN = 300  # operations that wait for one another in a row
NAMES = 500  # inputs; states; outputs
SIZE_TEXT = 4_000  # letters of a loop's bound
SIZE_PARTS = 200  # numbers and operators of such a bound
SIZE_DEPTH = 50  # and its levels of brackets
ITERATIONS = 10**18  # a bound of that much or more is taken for this: nobody waits for so many


def within(what: str, given: int, most: int) -> None:
    """Raise before the work where something is beyond its limit."""
    if given > most:
        raise HyloopError(f"{what}: {given:,}, which is more than the {most:,} that hyloop takes.")
