"""Started by `commands.py`: imports hyloop once, then is `python` in a fork of itself whenever it is asked.

It is asked through a connection to the socket whose path is the argument: what to run as JSON, with three files to be
its standard input, output and errors. It answers with the number of the process, and with the exit status when that has
ended. A fork is a fresh process in all but the imports.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import threading
import types
import warnings
from collections.abc import Sequence
from functools import partial

import hyloop.cli

# What hyloop, and the library of its command line, import on first use; that takes longer than most commands.
ON_USE = (
    "typer._adapters",
    "rich.table",
    "rich.progress",
    "llvmlite.binding",
    "z3",
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "joblib.externals.loky",
)
APART = ("hyloop.__main__", "hyloop.export", "hyloop.interop")  # one is run, the others need large libraries
INTERRUPTED, NOT_WRITTEN = -signal.SIGINT, 120  # how Python ends
STREAMS = sys.stdin, sys.stdout, sys.stderr  # kept: they would close their files

warnings.filterwarnings("ignore", category=DeprecationWarning, module="__main__")  # of forks, from Python 3.12 on


def preload() -> None:
    """Import what commands import only when they need it, and leave it alone from then on: so forks share it."""
    found = (each.name for each in pkgutil.walk_packages(hyloop.__path__, "hyloop."))
    for name in (*ON_USE, *(name for name in found if not name.startswith(APART))):
        with contextlib.suppress(ImportError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


def accepted(listening: socket.socket) -> socket.socket:
    """In a fork: a connection. The parent stays here until the tests end, however they end: that closes its input."""
    while True:
        if 0 in select.select([listening, 0], [], [])[0]:
            os._exit(0)
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            return connection
        connection.close()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # forks that have ended
                pass


def asked(connection: socket.socket) -> dict:
    """In a fork of the fork: what to run. The parent stays here, and tells how that ends."""
    text, files, *_ = socket.recv_fds(connection, 1 << 16, 3)
    while more := connection.recv(1 << 16):
        text += more
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        with contextlib.suppress(OSError):  # whoever asked may have gone
            connection.sendall(f"{child}\n".encode())
            connection.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
        os._exit(0)
    connection.close()
    begin_streams(files)
    return json.loads(text)


def begin_streams(files: Sequence[int]) -> None:
    """Make these files the standard streams."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", 1 if os.isatty(1) else -1, encoding="utf-8", closefd=False)
    errors = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = sys.__stderr__ = errors


def begin(command: dict) -> None:
    """Run a module or code as Python does."""
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    option, what, *arguments = command["arguments"]
    if option == "-m":
        sys.argv = [what, *arguments]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv = [option, *arguments]
        sys.modules["__main__"] = main = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(main))


def status_of(run: partial[None]) -> int:
    """Run something, and end as Python does, except that nothing imported is torn down: that takes the longest."""
    status = 0
    try:
        run()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException as error:  # noqa: BLE001  (as Python does with what nobody caught)
        sys.excepthook(type(error), error, error.__traceback__)
        status = INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except (OSError, ValueError):
        status = NOT_WRITTEN
    return status


if __name__ == "__main__":
    preload()
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen()
    os.write(1, b"ready\n")
    ended = status_of(partial(begin, asked(accepted(server))))
    if ended == INTERRUPTED:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(ended & 0xFF)
