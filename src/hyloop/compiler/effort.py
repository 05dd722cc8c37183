"""Limits on the work of a compile: steps of the passes, and weights of the model, checked before the work is done.

A user's own program has no limit of steps, but no model of several gigabytes is made. A program from a file is not
trusted, and is compiled again only `within` limits that follow from the size of its model. Steps, not seconds: the same
file gives the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from hyloop.errors import HyloopError

MOST_WEIGHTS = 2**27  # of a model, zeros counted: a gigabyte


class TooMuchError(HyloopError):
    """A compile that would exceed its limits."""


@dataclass
class Effort:
    """The limits of a compile, and the steps left."""

    steps: int
    weights: int


_CURRENT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def within(steps: int, weights: int) -> Iterator[Effort]:
    """Inside this context, a compile raises `TooMuchError` before it exceeds that many steps or weights."""
    effort = Effort(steps, weights)
    token = _CURRENT.set(effort)
    try:
        yield effort
    finally:
        _CURRENT.reset(token)


def spend(steps: int) -> None:
    """Count steps: a step is about a microsecond."""
    effort = _CURRENT.get()
    if effort is None:  # the user's own program
        return
    effort.steps -= steps
    if effort.steps < 0:
        raise TooMuchError("it takes more steps than a file may ask for")


def require_weights(name: str, weights: int, what: str) -> None:
    """Raise, before a model is made, if it has too many weights; `what` says how many layers and columns it has."""
    effort = _CURRENT.get()
    most = MOST_WEIGHTS if effort is None else min(effort.weights, MOST_WEIGHTS)
    if weights > most:
        raise TooMuchError(
            f"{name} is too large to compile: {what} have at least {weights:,} weights, zeros counted "
            f"({weights * 8 // 10**6:,} MB); a model has at most {most:,}. "
            'Split it, or run it by the interpreter (backend="interpreter").'
        )
