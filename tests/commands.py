"""`python -m hyloop` as a process of its own, without importing everything anew each time."""

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

CLIENT, SERVER = (Path(__file__).parent / name for name in ("command_client.py", "command_server.py"))


@cache
def _server() -> str:
    """The path of the socket of a server that has imported hyloop."""
    folder = tempfile.mkdtemp(prefix="hyloop-")
    path = f"{folder}/socket"
    server = subprocess.Popen([sys.executable, SERVER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.wait)
    atexit.register(server.terminate)  # what was registered last comes first
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return path


def python() -> list[str]:
    """Words to start `python` with, followed by `-m` or `-c`: a process that has imported hyloop before it begins.

    What Python reads when it starts, such as `PYTHONIOENCODING`, has no effect. The three standard streams must be
    open, and no other file is passed on. What kills the process leaves the fork alone. All that takes `sys.executable`.
    """
    if not hasattr(os, "fork"):
        return [sys.executable]
    return [sys.executable, "-IS", str(CLIENT), _server()]


def run(
    *arguments: str, given: bytes = b"", environment: Mapping[str, str] | None = None, together: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """What `python -m hyloop` does with these arguments, in this folder and environment, and what is set besides.

    With `together`, errors are written where the output goes. `python` says what has no effect.
    """
    variables = {**os.environ, **(environment or {})}
    if not hasattr(os, "fork"):
        command = [sys.executable, "-m", "hyloop", *arguments]
        errors = subprocess.STDOUT if together else subprocess.PIPE
        return subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=errors, env=variables, check=False)
    asked = {"arguments": ("-m", "hyloop", *arguments), "folder": str(Path.cwd()), "environment": variables}
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        status = _status(asked, [stdin.fileno(), out.fileno(), out.fileno() if together else err.fileno()])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["hyloop", *arguments], status, out.read(), err.read())


def _status(asked: Mapping[str, object], files: list[int]) -> int:
    """The exit status of a command with these standard streams."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(_server())
        socket.send_fds(channel, [b" "], files)
        channel.sendall(json.dumps(asked).encode())
        channel.shutdown(socket.SHUT_WR)
        with channel.makefile("rb") as answers:
            _, status = answers
            return int(status)


def run_text(
    *arguments: str, given: str | None = None, environment: Mapping[str, str] | None = None, together: bool = False
) -> subprocess.CompletedProcess[str]:
    """The same with text."""
    done = run(*arguments, given=(given or "").encode(), environment=environment, together=together)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
