"""Examples in memory, as features and targets of numpy, one by one or in batches (padded or packed).

The other views (torch, PyTorch Geometric, CLRS, text) are made of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from hyloop.data.columns import HYPERGRAPH, Example
from hyloop.data.fits import METADATA, PARTS, require_fields
from hyloop.data.hints import NONE
from hyloop.data.parquet import read_examples
from hyloop.data.problem import IntArray, Problem
from hyloop.data.read import shards, steps_of
from hyloop.errors import HyloopError
from hyloop.hypergraph import shown
from hyloop.hypergraph.values import require_flags
from hyloop.numbers import plural

Features = npt.NDArray[np.float32]
Arrays = dict[str, Any]
SAME = ("algorithm", "directed", "inputs", "outputs", "variables")  # of the metadata: the same in a batch


@dataclass(frozen=True, eq=False)
class Sample:
    """An example with the metadata of its shard."""

    document: Mapping[str, Any]
    example: Example

    def __repr__(self) -> str:
        key, example = self.key, self.example
        sizes = (
            plural(int(example["vertices"]), "vertex", "vertices"),
            plural(int(example["hyperedges"]), "hyperedge"),
        )
        return f"<Sample {key['number']} of {key['part']} of {key['algorithm']}: {', '.join(sizes)}>"

    @property
    def key(self) -> dict[str, Any]:
        """Which example it is: the first columns of a prediction."""
        told = self.document
        return {
            "algorithm": told["algorithm"]["name"],
            "part": told["part"]["name"],
            "number": int(self.example["number"]),
        }

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs by name."""
        return {each["name"]: self.example[each["column"]] for each in self.document["inputs"]}

    @property
    def outputs(self) -> dict[str, Any]:
        """The outputs by name."""
        return {each["name"]: self.example[each["column"]] for each in self.document["outputs"]}

    @property
    def problem(self) -> Problem:
        """The hypergraph as arrays, and the inputs."""
        return Problem.of(self.document, self.example)

    def steps(self) -> Iterator[dict[str, IntArray]]:
        """Every variable before the first step and after each."""
        return steps_of(self.document, self.example)

    def arrays(self) -> Arrays:
        """Features and targets: see docs/data.md, "Loaders"."""
        problem, at = self.problem, _Channels(self)
        return {
            "vertex": at.vertex,
            "hyperedge": at.hyperedge,
            "graph": at.graph,
            "incidence": np.stack([problem.member, problem.hyperedge]),
            "incidence_features": at.incidence,
            **{f"output_{name}": np.atleast_1d(np.array(value, np.int64)) for name, value in self.outputs.items()},
        }


class _Channels:
    """The features of an example by location, float32; `channels` names their columns."""

    def __init__(self, sample: Sample) -> None:
        problem, example = sample.problem, sample.example
        columns: dict[str, list[Any]] = {
            "vertex": [np.arange(problem.n) / max(problem.n, 1)],
            "hyperedge": [np.arange(problem.m) / max(problem.m, 1), problem.weight],
            "graph": [],
        }
        count = {"vertex": problem.n, "hyperedge": problem.m}
        for each in sample.document["inputs"]:
            value = example[each["column"]]
            if each["location"] == "graph" and each["kind"] in count:  # a pointer: a mark at what it points at
                columns[each["kind"]].append(np.arange(count[each["kind"]]) == value)
            else:
                columns[each["location"]].append(np.atleast_1d(value))
        self.vertex, self.hyperedge = (_side_by_side(columns[name], count[name]) for name in count)
        self.graph = _side_by_side(columns["graph"], 1)
        self.incidence = _side_by_side([problem.direction <= 0, problem.direction >= 0], len(problem.member))


def _side_by_side(columns: Sequence[Any], count: int) -> Features:
    return np.array(columns, np.float32).T if columns else np.zeros((count, 0), np.float32)


def channels(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the features, by location."""
    require_fields(document, METADATA, PARTS)
    found = {
        "vertex": ["position"],
        "hyperedge": ["position", "weight"],
        "incidence": ["tail", "head"],
        "graph": list[str](),
    }
    for each in document["inputs"]:
        pointer = each["location"] == "graph" and each["kind"] in found
        place = each["kind"] if pointer else each["location"]
        if each["name"] in found[place]:
            raise HyloopError(
                f"Two channels of a {place} would be called {each['name']}: rename that input in the program, and make "
                "the data set anew."
            )
        found[place].append(each["name"])
    return found


class Samples(Sequence[Sample]):
    """Examples of one algorithm, in memory."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples

    def __repr__(self) -> str:
        of = f" of {self._samples[0].key['algorithm']}" if self._samples else ""
        return f"<Samples: {plural(len(self), 'example')}{of}>"

    def __len__(self) -> int:
        return len(self._samples)

    @overload
    def __getitem__(self, place: int) -> Sample: ...
    @overload
    def __getitem__(self, place: slice) -> Samples: ...
    def __getitem__(self, place: int | slice) -> Sample | Samples:
        return Samples(self._samples[place]) if isinstance(place, slice) else self._samples[place]

    @property
    def document(self) -> Mapping[str, Any]:
        """The metadata of the first shard: algorithm, inputs, outputs and variables are the same in all."""
        return document_of(self._samples)


def load(
    folder: str | Path, algorithm: str, *, split: str | None = None, part: str | None = None, hints: bool = True
) -> Samples:
    """The examples of an algorithm, of a split or of one part, in memory; without hints they take less of it."""
    for what, name in (("algorithm", algorithm), ("split", split or ""), ("part", part or "")):
        if not isinstance(name, str):
            raise HyloopError(f"{what} is a name; given {shown(name)}.")
    require_flags(hints=hints)
    found = [
        Sample(shard.document, example)
        for shard in shards(folder, algorithm=algorithm, split=split)
        if part is None or part == shard.document["part"]["name"]
        for example in read_examples(
            shard.path, None if hints else columns_without_hints(shard.document), shard.document
        )
    ]
    if not found:
        told = "".join(f" in the {word} {name}" for word, name in (("split", split), ("part", part)) if name)
        raise HyloopError(f"{folder} has no examples of {algorithm}{told}; hyloop data info shows what it has.")
    return Samples(found)


def columns_without_hints(document: Mapping[str, Any]) -> list[str]:
    """The columns of a shard but those of the hints, from its metadata."""
    own = [each["column"] for name in ("inputs", "outputs") for each in document[name]]
    return [*(each.name for each in HYPERGRAPH), *own, "steps"]


# -- batches ----------------------------------------------------------------------------------------------------------


def document_of(samples: Any) -> Mapping[str, Any]:
    """The metadata of the first example. Raises `HyloopError` unless there is one, and all are of one algorithm."""
    if not isinstance(samples, Sequence) or not all(isinstance(each, Sample) for each in samples):
        raise HyloopError("A batch is a list of examples, as load(...) gives them.")
    if not samples:
        raise HyloopError("A batch has at least one example; none was given.")
    first: Mapping[str, Any] = samples[0].document
    for each in samples:
        if each.document is not first and any(each.document[name] != first[name] for name in SAME):
            names = (document["algorithm"]["name"] for document in (first, each.document))
            raise HyloopError(f"The examples of a batch are of one algorithm and program; given {' and '.join(names)}.")
    return first


def padded(samples: Sequence[Sample]) -> Arrays:
    """A batch in rectangles: features [batch, rows, channels], incidence [batch, vertices, hyperedges], and masks.

    Features are 0 and targets are -1 where `vertex_mask` or `hyperedge_mask` is False.
    """
    outputs = document_of(samples)["outputs"]
    parts = [sample.arrays() for sample in samples]
    count = {name: np.array([len(part[name]) for part in parts]) for name in ("vertex", "hyperedge")}
    most = {name: int(each.max()) for name, each in count.items()}
    tail_head = np.zeros((len(parts), most["vertex"], most["hyperedge"], 2), np.float32)
    for place, part in enumerate(parts):
        tail_head[place, part["incidence"][0], part["incidence"][1]] = part["incidence_features"]
    return {
        **{name: _rectangle([part[name] for part in parts], 0) for name in ("vertex", "hyperedge", "graph")},
        **{f"{name}_mask": below(each) for name, each in count.items()},
        "incidence": tail_head.any(axis=-1),
        "incidence_features": tail_head,
        **_each_output(outputs, lambda name, _: _rectangle([part[name] for part in parts], NONE)),
    }


def below(counts: IntArray) -> npt.NDArray[np.bool_]:
    """A mask for each count: that many True, then False, as long as the largest count."""
    return np.arange(int(counts.max())) < counts[:, np.newaxis]


def _rectangle(parts: Sequence[npt.NDArray[Any]], filled: int) -> npt.NDArray[Any]:
    rows = max(len(part) for part in parts)
    found = np.full((len(parts), rows, *parts[0].shape[1:]), filled, parts[0].dtype)
    for place, part in enumerate(parts):
        found[place, : len(part)] = part
    return found


def packed(samples: Sequence[Sample]) -> Arrays:
    """A batch end to end, as one hypergraph: numbers of vertices and hyperedges are shifted, -1 stays.

    `vertex_batch` and `hyperedge_batch` say which example each belongs to.
    """
    outputs = document_of(samples)["outputs"]
    parts = [sample.arrays() for sample in samples]
    begins = {name: np.cumsum([0, *(len(part[name]) for part in parts)]) for name in ("vertex", "hyperedge")}
    shift = np.stack([begins["vertex"][:-1], begins["hyperedge"][:-1]], axis=1)[..., np.newaxis]
    joined = ("vertex", "hyperedge", "graph", "incidence_features")
    return {
        **{name: np.concatenate([part[name] for part in parts]) for name in joined},
        **{f"{name}_batch": np.repeat(np.arange(len(parts)), np.diff(each)) for name, each in begins.items()},
        "incidence": np.concatenate([part["incidence"] + shift[at] for at, part in enumerate(parts)], axis=1),
        **_each_output(outputs, lambda name, kind: _shifted([part[name] for part in parts], begins.get(kind))),
    }


def _shifted(parts: Sequence[IntArray], begins: IntArray | None) -> IntArray:
    if begins is None:
        return np.concatenate(parts)
    return np.concatenate([np.where(part == NONE, NONE, part + begins[place]) for place, part in enumerate(parts)])


def _each_output(outputs: Sequence[Mapping[str, Any]], value: Callable[[str, str], Any]) -> Arrays:
    return {each["column"]: value(each["column"], each["kind"]) for each in outputs}
