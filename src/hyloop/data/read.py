"""Read a data set: its list, its shards, the hypergraph of an example, and its variables after every step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.algorithms import shipped
from hyloop.atomic import path_of
from hyloop.data.columns import Example, hash_of_parts, hash_of_set
from hyloop.data.fits import METADATA, NEEDED, PARTS, content_of, folder_of, require_fields, require_list, wrong_hints
from hyloop.data.making import LIST
from hyloop.data.parquet import FORMAT, VERSION, content_hash, read_document, read_examples
from hyloop.data.plan import Part
from hyloop.data.shard import summary_of
from hyloop.errors import FormatError, HyloopError
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.hypergraph_batch import owners
from hyloop.lang.text import to_text

IntArray = npt.NDArray[np.int64]


def read_list(folder: str | Path) -> dict[str, Any]:
    """The list of a data set: `dataset.json`."""
    path = folder_of(folder) / LIST
    try:
        document = content_of(path)
    except OSError as wrong:
        raise FormatError(f"{folder} is no data set: {LIST} cannot be read ({wrong.strerror}).") from None
    except ValueError as wrong:
        raise FormatError(f"{path} is no list of a data set ({wrong}).") from None
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise FormatError(f"{path} is no list of a data set in version {VERSION} of the format.")
    require_list(document, path)
    if not document["shards"]:
        raise FormatError(f"{folder} is not finished: run the command that began it once more.")
    return document


@dataclass(frozen=True)
class ShardFile:
    """A shard of a data set: its file, and its metadata (docs/data.md)."""

    path: Path
    document: Mapping[str, Any] = field(repr=False)  # it has the whole program

    @staticmethod
    def load(path: str | Path) -> ShardFile:
        """A shard by the name of its file."""
        return ShardFile(path_of(path), read_document(path))

    def __len__(self) -> int:
        return int(self.document["examples"])

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return str(self.document["algorithm"]["name"])

    @property
    def part(self) -> Part:
        """The part of the data set that it belongs to."""
        told = self.document["part"]
        return Part(**{**told, "sizes": tuple(told["sizes"]), "generators": tuple(told["generators"])})

    def examples(self) -> Iterator[Example]:
        """Its examples, one by one."""
        return read_examples(self.path, document=self.document)

    def hash(self) -> str:
        """The hash of its content, computed anew."""
        return content_hash(self.path, self.document)


def shards(folder: str | Path, *, algorithm: str | None = None, split: str | None = None) -> list[ShardFile]:
    """The shards of a data set, or those of an algorithm, or of a split."""
    document = read_list(folder)
    return [
        listed(folder, document, each)
        for each in document["shards"]
        if algorithm in {None, each["algorithm"]} and split in {None, each["split"]}
    ]


def listed(folder: str | Path, document: Mapping[str, Any], about: Mapping[str, Any]) -> ShardFile:
    """A shard by what the list of its data set says about it. Raises `FormatError` for a file that is another."""
    shard = ShardFile.load(Path(folder) / about["path"])
    if not _as_listed(shard, document, about):
        raise FormatError(
            f"{shard.path} is not the shard that {LIST} lists: one of the two was changed. Make the data set anew."
        )
    return shard


def require_content(shard: ShardFile, about: Mapping[str, Any]) -> None:
    """Raise `FormatError` where the hash of a shard's content is another than the list of its data set says."""
    if shard.hash() != about["hash"]:
        raise FormatError(f"{shard.path}: its content is not what its hash says. Make the data set anew.")


def _as_listed(shard: ShardFile, document: Mapping[str, Any], about: Mapping[str, Any]) -> bool:
    """Whether a shard is what the list says: which part it is of, how much it has, its hash, and what made it."""
    told = shard.document
    planned = [
        part
        for each in document["plan"]["algorithms"]
        for part in each["parts"]
        if (each["name"], part["name"]) == (about["algorithm"], about["part"])
    ]
    return (
        summary_of(told, about["path"]) == about and [told["part"]] == planned and told["hyloop"] == document["hyloop"]
    )


def is_own(document: Mapping[str, Any]) -> bool:
    """Whether the program of a shard is the one of hyloop with that name, and not another's."""
    told = document["algorithm"]
    return bool(told["program"] == _own_text(told["name"]))


@cache
def _own_text(name: str) -> str | None:
    found = shipped(name)
    return None if found is None else to_text(program_of(found))


def hypergraph_of(example: Example) -> Hypergraph:
    """The hypergraph of an example; its vertices and hyperedges are called 0, 1, …"""
    require_fields(example, "An example", NEEDED)
    starts = np.asarray(example["member_at"], np.int64)
    unit = Fraction(example["unit"])
    weights: Any = example["weight"] if unit == 1 else [int(weight) * unit for weight in example["weight"]]
    directed = bool(np.any(example["direction"]))
    return Hypergraph.from_arrays(
        example["member"],
        owners(np, starts),
        weights,
        direction=example["direction"] if directed else None,
        counts=(int(example["vertices"]), int(example["hyperedges"])),
    )


def steps_of(document: Mapping[str, Any], example: Example) -> Iterator[dict[str, IntArray]]:
    """What every variable holds, as stored: before the first step, and after each of them.

    Arrays of one number are those of location `graph`.
    """
    require_fields(document, METADATA, PARTS)
    require_fields(example, "An example", {"vertices", "hyperedges", "steps"})
    if "hint_step" not in example:
        raise HyloopError("These examples were loaded without hints; load(..., hints=True) reads them.")
    if wrong := wrong_hints(document, example):
        raise FormatError(f"These hints do not fit the metadata: {wrong}.")
    return _steps(document["variables"], example)


def _steps(variables: Sequence[Mapping[str, Any]], example: Example) -> Iterator[dict[str, IntArray]]:
    counts = {"graph": 1, "vertex": example["vertices"], "hyperedge": example["hyperedges"]}
    lengths = [counts[each["location"]] for each in variables]
    starts = np.cumsum([0, *lengths])
    now = np.repeat(np.array([each["initial"] for each in variables], np.int64), lengths)
    found = {each["name"]: now[starts[place] : starts[place + 1]] for place, each in enumerate(variables)}
    places = starts[example["hint_variable"]] + example["hint_index"]
    steps = np.searchsorted(example["hint_step"], np.arange(example["steps"] + 2)).tolist()
    for first, last in pairwise(steps):
        now[places[first:last]] = example["hint_value"][first:last]
        yield {name: array.copy() for name, array in found.items()}  # whoever keeps them has them as they were


# -- what a data set has ----------------------------------------------------------------------------------------------


def info(folder: str | Path, *, verify: bool = False) -> dict[str, Any]:
    """A summary of a data set: its parts by algorithm, sizes, and hashes; with `verify`, computed from the content."""
    document = read_list(folder)
    parts = {
        (each["name"], part["name"]): _empty(each["name"], part)
        for each in document["plan"]["algorithms"]
        for part in each["parts"]
    }
    wrong = []
    for each in document["shards"]:
        path = Path(folder) / each["path"]
        shard = ShardFile.load(path)
        if not _as_listed(shard, document, each) or (verify and shard.hash() != each["hash"]):
            wrong.append(each["path"])
        part = parts[each["algorithm"], each["part"]]
        for name in ("examples", "steps", "changes"):
            part[name] += each[name]
        part["left_out"] += len(each["left_out"])
        part["longest"] = max(part["longest"], each["longest"])
        part["shards"] += 1
        part["bytes"] += path.stat().st_size
    if document["hash"] != hash_of_list(document) or not _is_complete(document, parts):
        wrong.append(LIST)
    return {
        "name": document["plan"]["name"],
        "hash": hash_of_list(document),
        "published": published(document),
        "verified": verify and not wrong,
        "wrong": wrong,
        "hyloop": document["hyloop"],
        "algorithms": hashes(document),
        "parts": list(parts.values()),
    }


def _is_complete(document: Mapping[str, Any], parts: Mapping[tuple[str, str], Mapping[str, int]]) -> bool:
    """Whether every part has as many examples as were asked for, or says which were left out."""
    planned = ((each["name"], part) for each in document["plan"]["algorithms"] for part in each["parts"])
    found = ((parts[name, part["name"]], part["count"]) for name, part in planned)
    return all(each["examples"] + each["left_out"] == count for each, count in found)


def _empty(algorithm: str, part: Mapping[str, Any]) -> dict[str, Any]:
    sums = dict.fromkeys(("examples", "left_out", "steps", "longest", "changes", "shards", "bytes"), 0)
    return {"algorithm": algorithm, "part": part["name"], "split": part["split"], **sums}


def hashes(document: Mapping[str, Any]) -> dict[str, str]:
    """The hash of each algorithm's shards."""
    found: dict[str, list[tuple[str, str]]] = {}
    for each in document["shards"]:
        found.setdefault(each["algorithm"], []).append((each["path"], each["hash"]))
    return {name: hash_of_parts(parts) for name, parts in found.items()}


def published(document: Mapping[str, Any]) -> bool | None:
    """Whether the hash is the one that was published for this data set; None if none was."""
    known = json.loads((Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
    wanted = known.get(document["plan"]["name"])
    if wanted is None:
        return None
    return bool(wanted == hash_of_list(document))


def hash_of_list(document: Mapping[str, Any]) -> str:
    """The hash of a data set, computed from its plan and the hashes of its shards."""
    return hash_of_set(document["plan"], ((each["path"], each["hash"]) for each in document["shards"]))
