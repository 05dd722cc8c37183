"""The command `hyloop`, before anything is imported: Ctrl-C within that half second is a sentence, too.

It cannot stand in the package: whoever imports a module of `hyloop` has imported all of it by then. For `python -m
hyloop` Python itself imports the package first, so the package begins with `begin_import` and ends with `end_import`.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType

INTERRUPTED = 130  # exit status, as in `hyloop.cli.help`


def main() -> None:
    """Load the command line, and run it."""
    try:
        from hyloop.cli import main as run
    except KeyboardInterrupt:
        _tell()
        sys.exit(INTERRUPTED)
    run()


def begin_import() -> None:
    """Make Ctrl-C a sentence until `end_import`, if Python is looking for the module of `python -m`."""
    if sys.argv[:1] == ["-m"] and sys.excepthook is sys.__excepthook__:
        sys.excepthook = _stop


def end_import() -> None:
    """Leave exceptions to Python again."""
    if sys.excepthook is _stop:
        sys.excepthook = sys.__excepthook__


def _stop(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    _tell()
    os._exit(INTERRUPTED)  # from here, Python would end with the status of a signal


def _tell() -> None:
    sys.stderr.write("Stopped: interrupted.\n")
    sys.stderr.flush()
