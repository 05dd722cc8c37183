"""A live page: a run to watch in the browser; it reruns after an edit, and runs the other algorithms.

>>> import hyloop
>>> from hyloop.viewer.live import view
>>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
>>> with view("dijkstra", h, {"source": "Quay"}) as serving:
...     serving.address.startswith("http://127.0.0.1:")
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hyloop.algorithms import ALGORITHMS
from hyloop.execute.given import entries_of, labels_of
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph, Label
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Scope
from hyloop.machine.model import Model
from hyloop.recording import record_run
from hyloop.viewer.asked import Offer, Point
from hyloop.viewer.kept import directed_as, kept
from hyloop.viewer.server import Make, Serving, serve

__all__ = ["view"]

# With more rows, recording every layer would be too slow after an edit.
ROWS = 2000
# For each input that is an array, its entries by label.
ArrayInputs = Mapping[str, Mapping[Label, Any]]


def view(
    algorithm: str | Algorithm | Program | Model,
    h: Hypergraph,
    inputs: Mapping[str, Any],
    *,
    name: str = "",
    original: Hypergraph | None = None,
    port: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Serving:
    """Record a run and serve the page that shows it, on this machine only; `with` closes it, `wait` waits for the page.

    `name` is the file's. `original` is the hypergraph of the file, if `h` has other labels or no directions: files
    saved from the page keep its annotations.
    """
    program = program_of(algorithm)
    known: dict[str, str | Algorithm | Program | Model] = {**ALGORITHMS, program.name: algorithm}
    trace = record_run(algorithm, h, inputs, name=name, layers=_layers(h), progress=progress)
    offers = [_offer(program_of(each)) for each in known.values()]
    read = h if original is None else original
    return serve(
        trace.document,
        maker(known, name, h, {program.name: _arrays(program, h, inputs)}),
        algorithms=offers,
        file=name,
        port=port,
        whole=lambda edited: kept(edited, h, read),
        model=trace.model,
    )


def maker(
    known: Mapping[str, str | Algorithm | Program | Model],
    name: str,
    seen: Hypergraph | None = None,
    arrays: Mapping[str, ArrayInputs] | None = None,
) -> Make:
    """The function that runs an algorithm for the page, which showed `seen` at first and knows no directions.

    `arrays` are the array inputs of algorithms, by name, as they were given: the page does not edit them. Rows that are
    removed there lose their entries; for one that is added, there is none, and the run is refused with its label.
    """

    def make(
        h: Hypergraph, algorithm: str, inputs: Mapping[str, Any], keep: Mapping[Label, Point]
    ) -> Mapping[str, Any]:
        directed = h if seen is None else directed_as(h, seen)
        entries = (arrays or {}).get(algorithm, {})
        whole: dict[str, Any] = {
            each.name: _of(entries[each.name], labels_of(h, each.type.scope))
            for each in program_of(known[algorithm]).inputs
            if each.name in entries
        }
        every = {**inputs, **whole}
        return record_run(known[algorithm], directed, every, name=name, layers=_layers(h), keep=keep).document

    return make


def _of(entries: Mapping[Label, Any], labels: Iterable[Label]) -> dict[Label, Any]:
    left = set(labels)
    return {label: entry for label, entry in entries.items() if label in left}


def _arrays(program: Program, h: Hypergraph, inputs: Mapping[str, Any]) -> ArrayInputs:
    """The entries of the inputs that are arrays, by label."""
    arrays = [each for each in program.inputs if each.type.scope is not Scope.SCALAR]
    return {each.name: entries_of(each, h, inputs[each.name]) for each in arrays}


def _offer(program: Program) -> Offer:
    kinds = {given.name: str(given.type.kind) for given in program.inputs if given.type.scope is Scope.SCALAR}
    return Offer(program.name, program.about.partition("\n")[0], kinds)


def _layers(h: Hypergraph) -> bool | None:
    """Whether to record every layer: not for large hypergraphs, else the default of `trace`."""
    return False if max(len(h.vertices), len(h.hyperedges)) > ROWS else None
