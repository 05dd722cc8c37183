"""Make a data set: its shards on all cores or on a cluster, those that are there not again, and the list of them."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hyloop._version import __version__
from hyloop.atomic import UNFINISHED, write_whole
from hyloop.batch import in_parallel, require_processes
from hyloop.data.columns import hash_of_set, require_columns
from hyloop.data.fits import content_of, folder_of
from hyloop.data.hints import hinted
from hyloop.data.parquet import FORMAT, VERSION, pyarrow, read_document
from hyloop.data.plan import Plan, Shard, shards_of
from hyloop.data.shard import FOUND, make_shard, metadata_of
from hyloop.errors import HyloopError
from hyloop.hypergraph.values import require_progress

LIST = "dataset.json"


def make(
    plan: Plan,
    folder: str | Path,
    *,
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Make a data set in a folder, and give its list: what `dataset.json` holds.

    Shards that are there already are kept, so a run that was killed goes on where it was. On a cluster (under
    `joblib.parallel_config(backend="dask")`) all machines must see the folder. `progress` gets the cost of the shards
    that are done; `total_cost` is that of all.
    """
    pyarrow("pyarrow.parquet")
    if not isinstance(plan, Plan):
        raise HyloopError("make takes a plan, as custom(...) or standard(...) gives it.")
    require_processes(processes)
    require_progress(progress, "units of cost")
    for task in plan.tasks:
        hinted(task.program)  # what cannot be recorded is refused before anything is made
        require_columns(task.program)
    folder = folder_of(folder)
    _begin(plan, folder)
    shards = sorted(shards_of(plan), key=lambda shard: (-shard.cost, shard.path))  # the longest ones first
    done, found = 0, []
    processes = 1 if len(shards) == 1 else processes  # no other process need start
    made = in_parallel(make_shard, ((str(folder), shard) for shard in shards), processes)
    with _writing(folder):
        for shard, summary in zip(shards, made, strict=True):
            found.append(summary)
            done += shard.cost
            if progress is not None:
                progress(done)
    document = _list(plan, sorted(found, key=lambda each: str(each["path"])))
    _write(folder / LIST, document)
    for left in folder.glob(f"*/.*{UNFINISHED}"):  # of a run that was killed
        left.unlink(missing_ok=True)
    return document


def total_cost(plan: Plan) -> int:
    """The cost of all shards, for a progress bar."""
    return sum(shard.cost for shard in shards_of(plan))


def _begin(plan: Plan, folder: Path) -> None:
    """Make the folder, and say in it what it is for; raise if it is for something else."""
    place = folder / LIST
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {each.name for each in folder.iterdir() if not each.name.endswith(UNFINISHED)}  # what a kill may leave
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or wrong
        raise HyloopError(f"{folder}: this folder cannot be made, or read ({reason}).") from None
    if LIST not in there:
        if there:
            raise HyloopError(f"{folder} has files of something else; a data set is made in a folder of its own.")
        _write(place, _list(plan, []))
        return
    _require_same(plan, folder)
    _require_sound(folder, shards_of(plan))


def _require_same(plan: Plan, folder: Path) -> None:
    """Raise unless a folder is for this data set."""
    place = folder / LIST
    try:
        there = content_of(place)
    except (OSError, ValueError) as wrong:
        raise HyloopError(f"{place} is no list of a data set ({wrong}); choose another folder.") from None
    ours = (__version__, VERSION, plan.document())
    if not isinstance(there, dict) or (there.get("hyloop"), there.get("version"), there.get("plan")) != ours:
        raise HyloopError(
            f"{folder} holds another data set, or one that another version of hyloop began; choose another folder."
        )


def _require_sound(folder: Path, shards: Iterable[Shard]) -> None:
    """Raise for a shard that is there and cannot be read, or is another: files are written as a whole."""
    for shard in shards:
        path = folder / shard.path
        if path.exists():
            there, ours = read_document(path), metadata_of(shard)
            if any(there[key] != ours[key] for key in ours.keys() - set(FOUND)):
                raise HyloopError(f"{path} is a shard of another data set: delete it, and run the command once more.")


def _list(plan: Plan, shards: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "hyloop": __version__,
        "made_with": {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "pyarrow")}},
        "plan": plan.document(),
        "hash": hash_of_set(plan.document(), ((each["path"], each["hash"]) for each in shards)) if shards else None,
        "shards": shards,
    }


def _write(path: Path, document: dict[str, Any]) -> None:
    with _writing(path):
        write_whole(path, json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What the system says of a file that cannot be written, as a sentence."""
    try:
        yield
    except OSError as wrong:
        told = path if wrong.filename is None else wrong.filename
        raise HyloopError(f"{told}: this cannot be written ({wrong.strerror or wrong}).") from None
