"""A page with all algorithms inside: a run to watch and to edit, files to open, examples to choose from.

>>> import hyloop
>>> from hyloop.viewer.playground import playground
>>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
>>> html = playground("dijkstra", h, {"source": "Quay"})  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hyloop.errors import HyloopError
from hyloop.hypergraph import Annotations, Hypergraph
from hyloop.io import hif
from hyloop.labels import label_in_json
from hyloop.lang import Algorithm, Program
from hyloop.machine.model import Model
from hyloop.recording import record_run
from hyloop.viewer.library import library
from hyloop.viewer.page import exact_in_page, page

__all__ = ["playground"]

# With more rows, every layer would take too much of a page.
ROWS = 2000


def playground(
    algorithm: str | Algorithm | Program | Model,
    h: Hypergraph,
    inputs: Mapping[str, Any],
    *,
    name: str = "",
    original: Hypergraph | None = None,
    progress: Callable[[int], None] | None = None,
) -> str:
    """A self-contained HTML page that shows a run, and has the algorithm and all of hyloop's inside.

    It needs neither Python nor a network: the transformers run in the page. `name` is the title of the hypergraph.
    `original` is the one of the file, if `h` has other labels or no directions: what is saved in the page keeps its
    labels, and whatever else the file says.
    """
    layers = False if max(len(h.vertices), len(h.hyperedges)) > ROWS else None
    trace = record_run(algorithm, h, inputs, name=name, layers=layers, progress=progress)
    # The library has the models that the page runs; of one that it only opens, the page has the file besides.
    opened = None if trace.model is None or exact_in_page(trace.model) else trace.model
    origin = _origin(h if original is None else original)
    return page(trace.document, model=opened, library=library(trace), origin=origin)


def _origin(original: Hypergraph) -> Mapping[str, Any] | None:
    """The file of a hypergraph and its labels there; None if it says no more than the page knows."""
    if original.annotations == Annotations():
        return None
    try:
        text = "".join(hif.write(original))
    except HyloopError:  # weights that HIF cannot hold: such a file is not saved as HIF, either
        return None
    return {
        "hif": text,
        "vertices": [*map(label_in_json, original.vertices)],
        "hyperedges": [*map(label_in_json, original.hyperedges)],
    }
