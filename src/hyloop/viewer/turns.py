"""One run at a time, and of those that wait only the newest: whoever edits again wants no answer to the edit before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class SupersededError(Exception):
    """Another run was asked for while this one waited, or there will be no more runs."""


class Turns:
    """Who may run."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._newest = 0
        self._running = False

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Wait until nobody runs, then run; raises SupersededError as soon as a newer one waits."""
        with self._changed:
            number = self._ask()
            self._changed.wait_for(lambda: number != self._newest or not self._running)
            if number != self._newest:
                raise SupersededError
            self._running = True
        try:
            yield
        finally:
            with self._changed:
                self._running = False
                self._changed.notify_all()

    def end(self) -> None:
        """Whoever waits gives up."""
        with self._changed:
            self._ask()

    def _ask(self) -> int:
        self._newest += 1
        self._changed.notify_all()
        return self._newest
