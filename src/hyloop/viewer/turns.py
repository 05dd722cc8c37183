"""One run at a time; of the waiting requests only the newest is run, since an edit supersedes earlier ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class SupersededError(Exception):
    """A newer request arrived while this one waited, or the server is closing."""


class Turns:
    """A lock whose waiters are superseded by newer ones."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._newest = 0
        self._running = False

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Wait for the lock; raises SupersededError as soon as a newer request waits."""
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
        """Refuse all waiting and later requests."""
        with self._changed:
            self._ask()

    def _ask(self) -> int:
        self._newest += 1
        self._changed.notify_all()
        return self._newest
