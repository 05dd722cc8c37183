"""The command `hyloop`, before anything is imported: Ctrl-C within that half second is a sentence, too.

It cannot stand in the package: whoever imports a module of `hyloop` has imported all of it by then.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130  # exit status, as in `hyloop.cli.help`


def main() -> None:
    """Load the command line, and run it."""
    try:
        from hyloop.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("Stopped: interrupted.\n")
        sys.exit(INTERRUPTED)
    run()
