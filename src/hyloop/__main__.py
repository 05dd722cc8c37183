"""The command `hyloop`, and `python -m hyloop`. Ctrl-C while the command line is being imported is a sentence, too."""

from __future__ import annotations

import sys

INTERRUPTED = 130  # exit status, as in `hyloop.cli.help`


def main() -> None:
    """Import the command line, and run it."""
    try:
        from hyloop.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("Stopped: interrupted.\n")
        sys.stderr.flush()
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
