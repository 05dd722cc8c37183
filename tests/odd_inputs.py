"""Inputs that end, hold up or break the process that reads them.

They are in a module of their own: other processes import it, and find only what is on the path of these tests.
"""

from __future__ import annotations

import os
import signal
import time


class Odd:
    """An input that is no label, and does something when it is told so."""

    def __init__(self):
        self.parent = os.getpid()

    def __repr__(self):
        self.happen()
        return "an odd thing"

    def happen(self):
        raise NotImplementedError


class Killer(Odd):
    def happen(self):
        assert os.getpid() != self.parent
        os.kill(os.getpid(), signal.SIGKILL)


class KillerOnTheWay(Odd):
    """It ends the process before anything has begun, when it arrives there."""

    def __reduce__(self):
        return arrive, (self.parent,)


def arrive(parent):
    if os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return KillerOnTheWay()


class KillerAtFirst(Odd):
    """It ends the first process that it meets, and no other."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def happen(self):
        if os.getpid() != self.parent and not self.path.exists():
            self.path.touch()
            os.kill(os.getpid(), signal.SIGKILL)


class Raiser(str):
    """A label that raises when it is looked at."""

    def __new__(cls, error):
        found = super().__new__(cls)
        found.error = error
        return found

    def __reduce__(self):
        return Raiser, (self.error,)

    def __len__(self):
        raise self.error


class Sleeper(Odd):
    def happen(self):
        time.sleep(60)


class Stubborn(Odd):
    """It lets nothing else run, signals included."""

    def happen(self):
        assert os.getpid() != self.parent
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(60)
