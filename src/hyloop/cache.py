"""The cache between runs: compiled models and their native code, in a folder of the user.

`HYLOOP_CACHE` names another folder. Cached code runs with the user's permissions, so a folder or a file that another
user could have written is not used: the folder is private, and folder, parents and files are checked each time. A
damaged file counts as missing; a folder that cannot be written is not used; the oldest files are removed when there are
many.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from hyloop.atomic import UNFINISHED, write_whole
from hyloop.errors import HyloopWarning

CACHE_VARIABLE = "HYLOOP_CACHE"
MOST_FILES = 256  # of each kind
MOST_BYTES = 2**28  # in one file: far more than any model or code takes
MOST_IN_ALL = 2**30  # bytes, of each kind
STALE = 24 * 3600  # seconds after which an unfinished file is that of a process that was killed
_NO_FOLDER = "{} is no folder, so compiled models and their code are not kept; " + CACHE_VARIABLE + " names another."
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class UnsafeError(Exception):
    """A folder or a file that another user could have written."""


def folder() -> Path:
    """The cache folder."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hyloop" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hyloop"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hyloop"


def kept(name: str) -> bytes | None:
    """The cached bytes of a name; None if there are none, they are damaged, or another user could have written them."""
    try:
        whole = _read(_safe_folder() / name)
    except NotADirectoryError:
        _say_once(_NO_FOLDER.format(folder()))
        return None
    except (OSError, ValueError, RuntimeError):  # no such file; a name that cannot be; a user without a home
        return None
    except UnsafeError as wrong:
        _say_once(str(wrong))
        return None
    digest, data = whole[:32], whole[32:]
    return data if _digest(name, data) == digest else None


def keep(name: str, data: bytes) -> None:
    """Cache bytes under a name, atomically, if that is possible."""
    if len(data) + 32 > MOST_BYTES:
        return
    try:
        here = _made_folder()
        write_whole(here / name, _digest(name, data) + data, durable=False, private=True)
        _tidy(here, Path(name).suffix)
    except NotADirectoryError:
        _say_once(_NO_FOLDER.format(folder()))
    except (OSError, ValueError, RuntimeError):
        return
    except UnsafeError as wrong:
        _say_once(str(wrong))


def _digest(name: str, data: bytes) -> bytes:
    """The digest covers the name too: a renamed file is invalid."""
    return hashlib.sha256(name.encode() + b"\0" + data).digest()


def _tidy(here: Path, suffix: str) -> None:
    """Remove the oldest files of a kind where there are many, and what killed processes left."""
    found = sorted(((path.lstat(), path) for path in here.glob(f"*{suffix}")), key=lambda each: -each[0].st_mtime)
    total = 0
    for number, (status, path) in enumerate(found):
        total += status.st_size
        if number >= MOST_FILES or total > MOST_IN_ALL:
            path.unlink()
    for path in here.glob(f".*{UNFINISHED}"):
        if path.lstat().st_mtime < time.time() - STALE:
            path.unlink()


@cache
def _say_once(message: str) -> None:
    """Warn why the cache is not used: runs are slower then, and it may be an attack."""
    warnings.warn(message, HyloopWarning, stacklevel=2)


# -- whose it is ----------------------------------------------------------------------------------------------------


def _made_folder() -> Path:
    """The folder, created with its parents where missing, private to the user."""
    here = folder()
    for each in reversed((here, *here.parents)):
        with contextlib.suppress(FileExistsError):
            if not each.exists():
                each.mkdir(mode=0o700)
    return _safe_folder()


def _safe_folder() -> Path:
    """The folder, if no other user can write or replace it."""
    here = Path(os.path.abspath(folder()))  # noqa: PTH100  (the last part is not followed if it is a link)
    status = here.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise UnsafeError(f"{here} is a link, so it is not used to keep compiled code; name the folder that it is.")
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(here)
    here = Path(os.path.realpath(here))  # so that all of its parents are checked
    if os.name == "posix":
        _require_own(here, status)
        for parent in here.parents:
            _require_sound(parent, here)
    return here


def _require_own(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise UnsafeError(f"{path} belongs to another user, so it is not used to keep compiled code.")
    if status.st_mode & _OTHERS_WRITE:
        raise UnsafeError(
            f"Others may write {path}, so it is not used to keep compiled code; chmod go-w makes it yours."
        )


def _require_sound(parent: Path, here: Path) -> None:
    """A user who can write a parent can replace our folder, unless the parent is sticky, as /tmp is."""
    status = parent.lstat()
    others_write = status.st_mode & _OTHERS_WRITE and not status.st_mode & stat.S_ISVTX
    if others_write or status.st_uid not in {0, os.geteuid()}:
        raise UnsafeError(
            f"Others may write {parent}, so {here} is not used to keep compiled code; {CACHE_VARIABLE} names another."
        )


def _read(path: Path) -> bytes:
    """The bytes of a plain file of the user. Links are not followed, and a pipe does not block."""
    descriptor = os.open(path, _FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            raise FileNotFoundError(path)
        if os.name == "posix":
            _require_own(path, status)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(MOST_BYTES)
    finally:
        os.close(descriptor)


# -- what made it ---------------------------------------------------------------------------------------------------


@cache
def code_digest(folder: Path) -> str:
    """A digest of the modules in a folder and below: results of other versions are not reused."""
    named = sorted(folder.rglob("*.py"))
    return key(part for path in named for part in (path.relative_to(folder).as_posix(), path.read_bytes()))


def key(parts: Iterable[str | bytes]) -> str:
    """A key of several parts. Each is hashed with its length, so that no two lists of parts have one key."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()
