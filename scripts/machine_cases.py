"""Runs that the page's transformer has to repeat: model files, traces, hashes and results, as JSON.

python scripts/machine_cases.py                   write viewer/test/machine.json, a few small runs, operations.json, and
                                                  told.json, the beginnings of runs whose sentences are tested
python scripts/machine_cases.py CASES.json.gz 8   all algorithms on eight random hypergraphs each, for
                                                  HYLOOP_MACHINE_CASES=CASES.json.gz npx vitest run test/machine.test.ts
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import hyloop
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.execute.prepare import program_of
from hyloop.lang import Algorithm, Count, Flag, Hyperedge, Hyperedges, Length, Outputs, Vertices, algorithm, at_most
from hyloop.lang.matrices import uses_direction
from hyloop.lang.ops import LANGUAGE
from hyloop.machine.files import to_bytes
from hyloop.machine.model import Model
from hyloop.recording import record_run
from hyloop.recording.run_hash import run_hash
from hyloop.samples import hypergraphs, random_inputs

ROOT = Path(__file__).parents[1]
FILE = ROOT / "viewer" / "test" / "machine.json"
TOLD = ROOT / "viewer" / "test" / "told.json"
OPERATIONS = ROOT / "viewer" / "test" / "operations.json"
OUTPUTS = ("vertices", "hyperedges", "scalars", "streams")
Run = tuple[Hypergraph, Mapping[str, Any]]


def kept() -> list[dict[str, Any]]:
    """The runs in the repository: with weights, with and without layers; directions; inputs of no use, and sets."""
    harbour = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    directed = next(h for h in hypergraphs(3, directed=True) if h.directed and len(h.hyperedges) > 2)
    return [
        case("dijkstra", [(harbour, {"source": "Quay"})]),
        case("dijkstra", [(harbour, {"source": "Mill"})], layers=False),
        case("reachable", [(directed, {"source": directed.vertices[0]})]),
        case(without_use(), [(harbour, unused_inputs(harbour))]),
        case("levels", [(harbour, {"source": "Quay"})]),
        case(from_several(), [(harbour, {"seeds": {"Quay", "Isle"}, "rounds": 2})]),
    ]


def told() -> list[dict[str, Any]]:
    """Runs whose sentences are tested: with a function that is called, loops in loops, states used after a change."""
    cycle = hyloop.read(ROOT / "examples" / "citric_acid_cycle.hif.json")
    few = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, vertices=["Quay", "Isle", "Wreck"])
    return [
        case("pagerank", [(cycle, {"rounds": 1})], first=3),
        case("closeness", [(few, {})]),
        case("topological", [(cycle, {})]),
        case("b_distance", [(cycle, {})], first=4),
        case("scc", [(cycle, {})], first=2),
        case("set_cover", [(few, {})]),
        case("subleq", [addition()]),
        case("weighted_set_cover", [(few, {})]),
        case("label_propagation", [(few, {"rounds": 1})]),
        case("dfs", [(few, {"source": "Quay"})]),
    ]


def addition() -> Run:
    """The subleq program that adds two numbers: it halts where it jumps out of the memory."""
    file = ROOT / "examples" / "subleq" / "add.hif.json"
    cells = {each["node"]: each["attrs"] for each in json.loads(file.read_text(encoding="utf-8"))["nodes"]}
    signs = {sign: {name: cell[sign] for name, cell in cells.items()} for sign in ("positive", "negative")}
    return hyloop.read(file), {**signs, "budget": 100}


def without_use() -> Algorithm:
    """An algorithm that uses none of its inputs: no column has them."""

    @algorithm
    def unused(
        h: Any, start: Vertices[Flag], load: Hyperedges[Length], via: Vertices[Hyperedge], rank: Hyperedges[Count]
    ) -> Outputs:
        del start, load, via, rank
        n = h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            n.assign(n + 1)
            loop.stop_when(n == 2)
        return Outputs(n=n)

    return unused


def from_several() -> Algorithm:
    """An algorithm with an input that is a set of vertices, which a column has."""

    @algorithm
    def several(h: Any, seeds: Vertices[Flag], rounds: at_most(Count, 100)) -> Outputs:
        seen = h.vertices.state(Flag, False)
        done = h.state(Count, 0)
        seen.assign(seeds)
        with h.loop(at_most=rounds + 1) as loop:
            loop.stop_when(done == rounds)
            seen.assign(True, where=h.incidence @ (h.incidence.T @ seen) > 0)
            done.assign(done + 1)
        return Outputs(seen=seen)

    return several


def unused_inputs(h: Hypergraph) -> Mapping[str, Any]:
    """Inputs of that algorithm, of every kind."""
    return {
        "start": {h.vertices[0]},
        "load": [Fraction(number, 3) for number in range(len(h.hyperedges))],  # the unit depends on it
        "via": [None, *h.hyperedges, *h.hyperedges][: len(h.vertices)],
        "rank": list(range(len(h.hyperedges))),
    }


def operations() -> str:
    """The names of all operations of the language, each of which the page's interpreter has to know."""
    return json.dumps(sorted(LANGUAGE)) + "\n"


def case(of: str | Algorithm, runs: list[Run], *, layers: bool = True, first: int | None = None) -> dict[str, Any]:
    """A model, and its runs; with `first`, only so many iterations are recorded."""
    model = hyloop.compile(of)
    told = [_told(model, h, inputs, layers=layers, first=first) for h, inputs in runs]
    file = base64.b64encode(gzip.compress(to_bytes(model), 9, mtime=0)).decode()
    return {"name": model.name, "model": file, "runs": told}


def _told(
    model: Model, h: Hypergraph, inputs: Mapping[str, Any], *, layers: bool, first: int | None = None
) -> dict[str, Any]:
    document = record_run(model, h, inputs, backend="dense", layers=layers, first=first).document
    result = {} if first else hyloop.run(model, h, backend="dense", **inputs).to_json()
    outputs = {name: result[name] for name in OUTPUTS if name in result}
    return {"trace": document, "hash": run_hash(document), "outputs": outputs}


def drawn(name: str, count: int, seed: int = 1, rows: int = 6) -> Iterator[Run]:
    """Random hypergraphs and inputs that an algorithm takes."""
    program = program_of(name)
    rng = np.random.default_rng(seed)
    found = 0
    for h in hypergraphs(seed, vertices=rows, hyperedges=rows, directed=uses_direction(program)):
        inputs = random_inputs(program, h, rng)
        if inputs is not None and _runs(name, h, inputs):
            yield h, inputs
            found += 1
        if found == count:
            return


def _runs(name: str, h: Hypergraph, inputs: Mapping[str, Any]) -> bool:
    try:
        hyloop.run(name, h, **inputs)
    except HyloopError:  # such as a hypergraph that is no graph, for an algorithm on graphs
        return False
    return True


def main(given: list[str]) -> None:
    """Write a file of cases."""
    if not given:
        for file, cases in ((FILE, kept()), (TOLD, told())):
            file.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        OPERATIONS.write_text(operations(), encoding="utf-8")
        return
    cases = [case(name, [*drawn(name, int(given[1]))]) for name in ALGORITHMS]
    Path(given[0]).write_bytes(gzip.compress(json.dumps(cases).encode(), 1, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
