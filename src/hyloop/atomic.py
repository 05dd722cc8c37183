"""Atomic writing of files: the only way in which hyloop writes files.

The data go into a temporary file of a unique name beside the target, which is then renamed to the target. So a crash
leaves the old file or the new one, and several processes may write one file: the last one wins.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hyloop.errors import HyloopError

UNFINISHED = ".unfinished"  # suffix of temporary files; a killed process leaves one
WAIT = 5  # seconds for which a named pipe may be without a reader, as for a writer where it is read
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write_whole(
    path: str | Path, data: bytes | Iterable[bytes], *, durable: bool = True, private: bool = False
) -> None:
    """Write a file atomically. Raises `OSError`, also for an invalid name.

    A link is followed, so that the file it names is written; a pipe or a terminal is written into. A file that was
    there keeps its permissions; a new one gets what the user's umask says. `durable` waits for the disk.
    `private` is for folders whose contents are trusted later: only the user has access to the file, and it replaces
    whatever has its name.
    """
    path = path_of(path)
    pieces = [data] if isinstance(data, bytes) else data
    before = None if private else _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        pipe = stat.S_ISFIFO(before.st_mode)
        with os.fdopen(_with_reader(path), "wb") if pipe else Path(path).open("wb") as stream:  # raises for a folder
            stream.writelines(pieces)
        return
    target = Path(path) if private else Path(os.path.realpath(path))
    with _beside(target, 0o600 if private else 0o666) as (unfinished, descriptor):
        with os.fdopen(descriptor, "wb") as file:
            if before is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)
            file.writelines(pieces)
            file.flush()
            if durable:
                os.fsync(descriptor)
        unfinished.replace(target)
    if durable:
        _sync_folder(target.parent)


def write_out(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """`write_whole` for what a user asked for: an error is a sentence with the file's name (`HyloopError`)."""
    try:
        write_whole(path, data)
    except OSError as wrong:
        raise HyloopError(f"{path}: this cannot be written ({wrong.strerror}).") from None


def path_of(given: object, *, folder: bool = False) -> Path:
    """A file by its name; raises `HyloopError` for anything that is no name: None, 5, an open file, an empty text.

    A name that ends in a slash is that of a folder, which is not written or read as a file.
    """
    name = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(name, str):
        raise HyloopError(
            f"A file is given by its name, a str or a Path; not by a value of the type {type(given).__name__}."
        )
    if not name:
        raise HyloopError("The name of the file is empty; give one.")
    if not folder and name.endswith((os.sep, os.altsep or os.sep)):
        raise HyloopError(f"{name} is the name of a folder; the name of a file does not end in {name[-1]}.")
    return Path(name)


def _with_reader(pipe: str | Path) -> int:
    """A named pipe, open for writing once it has a reader; raises `OSError` after a timeout."""
    until = time.monotonic() + WAIT
    while True:
        try:
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as wrong:
            if wrong.errno != errno.ENXIO:
                raise
            if time.monotonic() >= until:
                told = f"this is a pipe without a reader (timeout: {WAIT} seconds)"
                raise OSError(errno.ENXIO, told, str(pipe)) from None
            time.sleep(0.01)
        else:
            os.set_blocking(descriptor, True)
            return descriptor


def require_place(path: str | Path) -> None:
    """Raise what `write_whole` would raise where no file can be made: before long work rather than after it."""
    path = path_of(path)
    _status(path)
    with _beside(Path(os.path.realpath(path)), 0o600) as (_, descriptor):
        os.close(descriptor)


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None
    except ValueError as wrong:  # a null character, or one that no file name can hold
        raise OSError(errno.EINVAL, str(wrong), str(path)) from None


@contextmanager
def _beside(target: Path, mode: int) -> Iterator[tuple[Path, int]]:
    """A new, open file in the folder of the target; it is removed unless it was renamed."""
    # The random part makes it unique; a long name is cut.
    unfinished = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}{UNFINISHED}")
    descriptor = os.open(unfinished, _NEW, mode)
    try:
        yield unfinished, descriptor
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where folders can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
