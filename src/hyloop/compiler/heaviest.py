"""The largest weight that fits, in a few attempts: each failure says by how much, and the next guess follows from that.

A number of the machine is at most a + b·w for hyperedges of weight w. So two attempts that fail at the same number
determine where it would fit. A wrong guess costs one attempt and nothing else: the answer lies between a weight that
fits and one that does not, and bisection narrows what the guesses leave.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hyloop.errors import CapacityError

Made = TypeVar("Made")


class TooLargeError(CapacityError):
    """A number beyond the exact range, and what it is: `what` is equal for equal numbers of two attempts.

    `why` is the part of the message that says so, without advice; `fits` is a sentence that says what fits, if known,
    and `weight` the largest weight that fits with the rows that were asked for, 0 where none does.
    """

    def __init__(
        self, message: str, number: int = 0, what: str = "", why: str = "", fits: str = "", weight: int = 0
    ) -> None:
        super().__init__(f"{message} {fits}".rstrip())
        self.number, self.what, self.why, self.fits, self.weight = number, what, why, f"{fits} ".lstrip(), weight


def heaviest(attempt: Callable[[int], Made], top: int, limit: int, least: int = 1) -> Made:
    """The result of `attempt` at the largest weight up to `top` at which every number is below `limit`.

    `attempt` raises `TooLargeError` for a weight that does not fit; so does this if not even `least` fits.
    """
    try:
        return attempt(top)
    except TooLargeError as wrong:
        high, failed, earlier = top, wrong, (0, TooLargeError(""))
    best: Made | None = None
    low = min(least, top)
    widths = [high - low]
    while high - low > 1:
        slow = len(widths) > 2 and 2 * widths[-1] > widths[-3]
        guess = (low + high) // 2 if slow else _guess(limit - 1, (high, failed), earlier)
        if best is None and (guess <= low or len(widths) > 1):
            best = attempt(low)  # what does not fit at all is refused here, and not after a search
        weight = min(max(guess, low + 1), high - 1)
        try:
            best, low = attempt(weight), weight
        except TooLargeError as wrong:
            earlier, high, failed = (high, failed), weight, wrong
        widths.append(high - low)
    return attempt(low) if best is None else best


def _guess(most: int, last: tuple[int, TooLargeError], earlier: tuple[int, TooLargeError]) -> int:
    """The weight at which the number would be `most`, by the line through two failures, or through one and zero."""
    (high, failed), (weight, other) = last, earlier
    number = other.number
    if other.what != failed.what or number <= failed.number:
        weight, number = 0, 0
    return high + (most - failed.number) * (high - weight) // (failed.number - number)
