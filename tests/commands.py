"""`python -m hyloop` as a process of its own, without importing everything anew each time."""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SERVER = Path(__file__).parent / "command_server.py"


@cache
def _channel() -> socket.socket:
    ours, theirs = socket.socketpair()
    server = subprocess.Popen(
        [sys.executable, SERVER, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    theirs.close()
    atexit.register(server.wait)
    atexit.register(server.terminate)  # what was registered last comes first
    atexit.register(ours.close)
    return ours


def run(
    *arguments: str, given: bytes = b"", environment: Mapping[str, str] | None = None, together: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """What `python -m hyloop` does with these arguments, in this folder and environment, and what is set besides.

    With `together`, errors are written where the output goes. What Python reads when it starts, such as
    `PYTHONIOENCODING`, has no effect: that takes a process from the very beginning.
    """
    variables = {**os.environ, **(environment or {})}
    if not hasattr(os, "fork"):
        command = [sys.executable, "-m", "hyloop", *arguments]
        errors = subprocess.STDOUT if together else subprocess.PIPE
        return subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=errors, env=variables, check=False)
    asked = {"arguments": arguments, "folder": str(Path.cwd()), "environment": variables}
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        files = [stdin.fileno(), out.fileno(), out.fileno() if together else err.fileno()]
        socket.send_fds(_channel(), [json.dumps(asked).encode()], files)
        status = int(_channel().recv(20))
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["hyloop", *arguments], status, out.read(), err.read())


def run_text(
    *arguments: str, given: str | None = None, environment: Mapping[str, str] | None = None, together: bool = False
) -> subprocess.CompletedProcess[str]:
    """The same with text."""
    done = run(*arguments, given=(given or "").encode(), environment=environment, together=together)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
