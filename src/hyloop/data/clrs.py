"""Examples in the manner of CLRS-30: every array has a stage, a location and a type; hints have time first.

The words are those of the benchmark (Veličković et al., 2022), with two more locations: `hyperedge` and `incidence`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.data.fits import METADATA, PARTS, require_fields
from hyloop.data.hints import NONE
from hyloop.data.loaders import Sample, below, document_of
from hyloop.data.problem import IntArray
from hyloop.errors import HyloopError

Spec = dict[str, tuple[str, str, str]]
LOCATIONS = {"vertex": "node", "hyperedge": "hyperedge", "graph": "graph"}
TYPES = {"flag": "mask", "count": "scalar", "length": "scalar", "vertex": "pointer", "hyperedge": "pointer"}
ALWAYS: Spec = {
    "pos": ("input", "node", "scalar"),
    "hyperedge_pos": ("input", "hyperedge", "scalar"),
    "weight": ("input", "hyperedge", "scalar"),
    "incidence": ("input", "incidence", "mask"),
    "tail": ("input", "incidence", "mask"),
    "head": ("input", "incidence", "mask"),
}


def clrs_spec(document: Mapping[str, Any]) -> Spec:
    """Stage, location and type of everything, by name.

    A hint is called `NAME_h`, and an input with the name of an output `NAME_i`. A pointer of the graph, such as
    a source, is a mask at what it points at: `mask_one` for an input, which always points at something. Raises
    `HyloopError` where two arrays would have one name.
    """
    require_fields(document, METADATA, PARTS)
    outputs = {each["name"]: _place("output", each) for each in document["outputs"]}
    named = [
        *((_always(name, outputs), place) for name, place in ALWAYS.items()),
        *((_input(each["name"], outputs), _place("input", each)) for each in document["inputs"]),
        *outputs.items(),
        *((f"{each['name']}_h", _place("hint", each)) for each in document["variables"]),
    ]
    names = [name for name, _ in named]
    if len(set(names)) < len(names):
        raise HyloopError(
            f"Two arrays would be called {max(names, key=names.count)} here, where a hint is NAME_h, and an input with "
            "the name of an output, or of what every example has, NAME_i: rename one of them in the program, and make "
            "the data set anew."
        )
    return dict(named)


def _always(name: str, outputs: Mapping[str, Any]) -> str:
    return f"{name}_i" if name in outputs else name


def _input(name: str, outputs: Mapping[str, Any]) -> str:
    return f"{name}_i" if name in outputs or name in ALWAYS else name


def _place(stage: str, each: Mapping[str, Any]) -> tuple[str, str, str]:
    kind, location = each["kind"], each["location"]
    if _is_mark(each):
        return stage, LOCATIONS[kind], "mask_one" if stage == "input" else "mask"
    return stage, LOCATIONS[location], TYPES[kind]


def _is_mark(each: Mapping[str, Any]) -> bool:
    return _is_pointer(each) and each["location"] == "graph" and not each.get("many", False)


def _is_pointer(each: Mapping[str, Any]) -> bool:
    return TYPES[each["kind"]] == "pointer"


def clrs_targets(document: Mapping[str, Any]) -> dict[str, str]:
    """The location that each pointer points at, by name: `node` or `hyperedge`. CLRS has only pointers to nodes."""
    require_fields(document, METADATA, PARTS)
    outputs = {each["name"]: each for each in document["outputs"]}
    named = [
        *((_input(each["name"], outputs), each) for each in document["inputs"]),
        *outputs.items(),
        *((f"{each['name']}_h", each) for each in document["variables"]),
    ]
    return {name: LOCATIONS[each["kind"]] for name, each in named if _is_pointer(each) and not _is_mark(each)}


def clrs_feedback(samples: Sequence[Sample]) -> dict[str, Any]:
    """A batch: `spec`, `inputs` and `outputs` [batch, ...], `hints` [time, batch, ...], and what of them is there.

    `lengths` has the frames of each example's hints; time 0 is before the first step. `counts` has its nodes and
    hyperedges, and `masks` is True where they are no padding: by location, `node` [batch, nodes], `hyperedge` and
    `incidence`, and `time` [time, batch]. Padding is 0, of pointers -1, and of hints their last value. `targets` says
    where pointers point. As in CLRS, a pointer from a vertex to none points at the vertex itself (and so from
    hyperedges to hyperedges); -1 stays for a pointer to another location, and for an infinite length.
    """
    document = document_of(samples)
    spec = clrs_spec(document)
    given = [_inputs(sample) for sample in samples]
    outputs = [_values(document["outputs"], sample.outputs, sample) for sample in samples]
    hints = [_hints(sample) for sample in samples]
    lengths = np.array([int(sample.example["steps"]) + 1 for sample in samples])
    longest = int(lengths.max())
    counts = {
        location: np.array([int(sample.example[column]) for sample in samples])
        for location, column in (("node", "vertices"), ("hyperedge", "hyperedges"))
    }
    return {
        "spec": spec,
        "targets": clrs_targets(document),
        "inputs": {name: _batch([each[name] for each in given], spec[name][2]) for name in given[0]},
        "outputs": {name: _batch([each[name] for each in outputs], spec[name][2]) for name in outputs[0]},
        "hints": {
            name: _batch([_until(each[name], longest) for each in hints], spec[name][2]).swapaxes(0, 1)
            for name in hints[0]
        },
        "lengths": lengths,
        "counts": counts,
        "masks": _masks(counts, lengths),
    }


def _masks(counts: Mapping[str, IntArray], lengths: IntArray) -> dict[str, npt.NDArray[np.bool_]]:
    node, hyperedge = (below(counts[location]) for location in ("node", "hyperedge"))
    return {
        "node": node,
        "hyperedge": hyperedge,
        "incidence": node[:, :, np.newaxis] & hyperedge[:, np.newaxis, :],
        "time": below(lengths).T,
    }


def _inputs(sample: Sample) -> dict[str, Any]:
    problem = sample.problem
    sides = np.zeros((3, problem.n, problem.m), np.int64)
    sides[0, problem.member, problem.hyperedge] = 1
    sides[1, problem.member, problem.hyperedge] = problem.direction <= 0
    sides[2, problem.member, problem.hyperedge] = problem.direction >= 0
    outputs = {each["name"]: each for each in sample.document["outputs"]}
    own = _values(sample.document["inputs"], sample.inputs, sample)
    always = {
        "pos": np.arange(problem.n) / max(problem.n, 1),
        "hyperedge_pos": np.arange(problem.m) / max(problem.m, 1),
        "weight": problem.weight,
        **dict(zip(("incidence", "tail", "head"), sides, strict=True)),
    }
    return {
        **{_always(name, outputs): value for name, value in always.items()},
        **{_input(name, outputs): value for name, value in own.items()},
    }


def _hints(sample: Sample) -> dict[str, Any]:
    frames = [_values(sample.document["variables"], frame, sample) for frame in sample.steps()]
    return {f"{name}_h": np.stack([frame[name] for frame in frames]) for name in frames[0]}


def _values(about: Sequence[Mapping[str, Any]], given: Mapping[str, Any], sample: Sample) -> dict[str, Any]:
    return {each["name"]: _value(each, np.array(given[each["name"]], np.int64), sample) for each in about}


def _value(each: Mapping[str, Any], value: npt.NDArray[np.int64], sample: Sample) -> npt.NDArray[np.int64]:
    if _is_mark(each):
        count = sample.example["vertices" if each["kind"] == "vertex" else "hyperedges"]
        return np.equal(np.arange(count), value.reshape(-1)).astype(np.int64)
    if each["location"] == "graph" and not each.get("many", False):
        return value.reshape(())
    if each["kind"] == each["location"]:
        return np.where(value == NONE, np.arange(len(value)), value)
    return value


def _until(value: npt.NDArray[Any], longest: int) -> npt.NDArray[Any]:
    """Hints as long as the longest of the batch: the last value stays."""
    return value[np.minimum(np.arange(longest), len(value) - 1)]


def _batch(parts: Sequence[Any], type_: str) -> npt.NDArray[Any]:
    """Arrays in one, as large as the largest."""
    arrays = [np.asarray(part) for part in parts]
    shape = np.max([array.shape for array in arrays], axis=0).astype(int).tolist() if arrays[0].ndim else []
    found = np.full((len(arrays), *shape), NONE if type_ == "pointer" else 0, arrays[0].dtype)
    for place, array in enumerate(arrays):
        corner = tuple(slice(0, length) for length in array.shape)
        found[place, ...][corner] = array
    return found
