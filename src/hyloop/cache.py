"""What is worth keeping between two runs: compiled models and their native code, in a folder of the user.

`HYLOOP_CACHE` names another folder. A file that is damaged is taken for missing; a folder that cannot be written is not
used; the oldest files go when there are many.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

CACHE_VARIABLE = "HYLOOP_CACHE"
MOST_FILES = 256


def folder() -> Path:
    """Where things are kept."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hyloop" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hyloop"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hyloop"


def kept(name: str) -> bytes | None:
    """What was kept under a name; None if there is nothing, or nothing whole."""
    try:
        whole = (folder() / name).read_bytes()
    except (OSError, RuntimeError):  # no such file; or a user without a home
        return None
    digest, data = whole[:32], whole[32:]
    return data if hashlib.sha256(data).digest() == digest else None


def keep(name: str, data: bytes) -> None:
    """Keep something under a name, whole or not at all, if that is possible."""
    with contextlib.suppress(OSError, RuntimeError):
        here = folder()
        here.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=here, suffix=".part", delete=False) as file:
            part = Path(file.name)
            try:
                file.write(hashlib.sha256(data).digest() + data)
                file.close()
                part.replace(here / name)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        for old in sorted(here.glob(f"*{Path(name).suffix}"), key=lambda each: each.stat().st_mtime)[:-MOST_FILES]:
            old.unlink()


@cache
def code_digest(*folders: Path) -> str:
    """A digest of the modules in some folders: what they have made is of no use when they have changed."""
    found = hashlib.sha256()
    for path in sorted(path for each in folders for path in each.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()
