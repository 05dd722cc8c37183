"""Read a data set: its list, its shards, the hypergraph of an example, and its variables after every step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.data.columns import Example, add_to_hash, columns_of, hash_of_parts
from hyloop.data.fits import parsed, require_list
from hyloop.data.making import LIST
from hyloop.data.parquet import FORMAT, VERSION, read_document, read_examples
from hyloop.data.plan import Part
from hyloop.errors import FormatError
from hyloop.hypergraph import Hypergraph
from hyloop.hypergraph_batch import owners
from hyloop.lang.text import from_text

IntArray = npt.NDArray[np.int64]


def read_list(folder: str | Path) -> dict[str, Any]:
    """The list of a data set: `dataset.json`."""
    path = Path(folder) / LIST
    try:
        document = parsed(path.read_bytes())
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
    document: Mapping[str, Any]

    @staticmethod
    def load(path: str | Path) -> ShardFile:
        """A shard by the name of its file."""
        return ShardFile(Path(path), read_document(path))

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
        columns, digest = columns_of(from_text(self.document["algorithm"]["program"])), sha256()
        for each in self.examples():
            add_to_hash(digest, columns, each)
        return digest.hexdigest()


def shards(folder: str | Path, *, algorithm: str | None = None, split: str | None = None) -> list[ShardFile]:
    """The shards of a data set, or those of an algorithm, or of a split."""
    return [
        ShardFile.load(Path(folder) / each["path"])
        for each in read_list(folder)["shards"]
        if algorithm in {None, each["algorithm"]} and split in {None, each["split"]}
    ]


def hypergraph_of(example: Example) -> Hypergraph:
    """The hypergraph of an example; its vertices and hyperedges are called 0, 1, …"""
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

    Arrays of one number are those of location `graph`. They are changed in place: whoever keeps one needs a copy.
    """
    counts = {"graph": 1, "vertex": example["vertices"], "hyperedge": example["hyperedges"]}
    variables = document["variables"]
    lengths = [counts[each["location"]] for each in variables]
    starts = np.cumsum([0, *lengths])
    now = np.repeat(np.array([each["initial"] for each in variables], np.int64), lengths)
    found = {each["name"]: now[starts[place] : starts[place + 1]] for place, each in enumerate(variables)}
    places = starts[example["hint_variable"]] + example["hint_index"]
    steps = np.searchsorted(example["hint_step"], np.arange(example["steps"] + 2)).tolist()
    for first, last in pairwise(steps):
        now[places[first:last]] = example["hint_value"][first:last]
        yield found


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
        known = shard.document["hash"]
        if known != each["hash"] or (verify and shard.hash() != known):
            wrong.append(each["path"])
        part = parts[each["algorithm"], each["part"]]
        for name in ("examples", "steps", "changes"):
            part[name] += each[name]
        part["left_out"] += len(each["left_out"])
        part["longest"] = max(part["longest"], each["longest"])
        part["shards"] += 1
        part["bytes"] += path.stat().st_size
    return {
        "name": document["plan"]["name"],
        "hash": hash_of_parts((each["path"], each["hash"]) for each in document["shards"]),
        "published": published(document),
        "verified": verify and not wrong,
        "wrong": wrong,
        "hyloop": document["hyloop"],
        "algorithms": hashes(document),
        "parts": list(parts.values()),
    }


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
    return bool(wanted == hash_of_parts((each["path"], each["hash"]) for each in document["shards"]))
