"""How much memory there is, and refusals before it is taken."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from hyloop.errors import HyloopError

# Windows has no such limits.
resource: ModuleType | None = import_module("resource") if find_spec("resource") else None
SMALL = 2**26  # bytes that are taken without asking: to ask takes longer than most runs on small hypergraphs
_MEMORY = Path("/proc/meminfo")
_CONTROL_GROUP = Path("/sys/fs/cgroup")
_ADDRESSES = Path("/proc/self/statm")


class NotEnoughMemoryError(HyloopError, MemoryError):
    """What was asked for needs more memory than is free; the message gives both figures."""


def free_bytes() -> int | None:
    """How many bytes can be taken now, of the machine, the container or the process, whichever allows least."""
    known = [found for found in (_of_machine(), _of_container(), _of_process()) if found is not None]
    return min(known, default=None)


def _of_machine() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        lines = _MEMORY.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _of_container() -> int | None:
    with suppress(OSError, ValueError):  # no limit is written as the word max
        most, taken = (
            int((_CONTROL_GROUP / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current")
        )
        return max(0, most - taken)
    return None


def _of_process() -> int | None:
    """What a limit on the address space leaves, `ulimit -v`."""
    if resource is None:
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    with suppress(OSError, ValueError, IndexError):
        taken = int(_ADDRESSES.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        return None if most == resource.RLIM_INFINITY else max(0, int(most) - taken)
    return None


def require_memory(needed: int, what: str, instead: str = "") -> None:
    """Raise `NotEnoughMemoryError` if `needed` bytes are more than are free. `what` begins the sentence."""
    if needed <= SMALL:
        return
    free = free_bytes()
    if free is not None and needed > free:
        raise NotEnoughMemoryError(
            f"{what} takes about {in_words(needed)} of memory, and {in_words(free)} are free.{instead and ' '}{instead}"
        )


def in_words(count: int) -> str:
    """A number of bytes: `184 MB`, `1.9 GB`."""
    for unit, size in (("TB", 10**12), ("GB", 10**9)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{max(1, round(count / 10**6)):,} MB"
