"""Facts about a hypergraph, an algorithm or a model, as plain values: `hyloop describe`, `algorithms`, `info`.

>>> import hyloop
>>> from hyloop.facts import of_hypergraph, of_model
>>> of_hypergraph(hyloop.Hypergraph.from_hyperedges([[1, 2], [2, 3]]))["incidences"]
4
>>> of_model(hyloop.compile("dijkstra"))["layers"]
3
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.meanings import MEANINGS
from hyloop.compiler.compile import ROWS
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_for_any_schedule, least_layers
from hyloop.errors import HypergraphError
from hyloop.execute.prepare import encoded, given_to, program_of
from hyloop.hypergraph import Hypergraph
from hyloop.known import whose
from hyloop.lang import Algorithm, Program
from hyloop.machine.files import model_hash
from hyloop.machine.layer import Layer
from hyloop.machine.model import EXACT, Model
from hyloop.machine.words import PartOfLayer, Words
from hyloop.result import Value

__all__ = [
    "attribute_names",
    "of_algorithm",
    "of_hypergraph",
    "of_layers",
    "of_model",
    "of_sleep",
    "remark_on_capacity",
]

PATH = 13  # vertices of the path on which it is tried when rows sleep
FEW = 100  # a model that holds no larger weights than this gets a remark


def of_hypergraph(h: Hypergraph) -> dict[str, Value]:
    """Counts, sizes and weights of a hypergraph."""
    sizes = [len(h.members_of(name)) for name in h.hyperedges]
    integers, unit = _in_units(h)
    return {
        "vertices": len(h.vertices),
        "hyperedges": len(h.hyperedges),
        "incidences": sum(sizes),
        "largest_hyperedge": max(sizes, default=0),
        "empty_hyperedges": sizes.count(0),
        "isolated_vertices": sum(not h.hyperedges_of(label) for label in h.vertices),
        "least_weight": min(h.weights, default=None),
        "largest_weight": max(h.weights, default=None),
        "largest_integer_weight": max(integers, default=None),
        "unit_of_weight": unit,
        "directed": h.directed,
    }


def _in_units(h: Hypergraph) -> tuple[Sequence[int], Fraction | None]:
    """Weights in integers and their unit; nothing where they have none, which only a run needs."""
    try:
        return h.integer_weights()
    except HypergraphError:
        return (), None


def attribute_names(h: Hypergraph) -> dict[str, list[str]]:
    """The names of the attributes of vertices and of hyperedges, for `--label-by` and `Hypergraph.labelled_by`."""
    told = h.annotations
    return {
        "vertices": list(dict.fromkeys(name for each in told.vertex_attributes.values() for name in each)),
        "hyperedges": list(dict.fromkeys(name for each in told.hyperedge_attributes.values() for name in each)),
    }


def of_algorithm(each: Algorithm) -> dict[str, Any]:
    """What an algorithm takes and gives, and how many iterations it takes at most."""
    return {
        "algorithm": each.name,
        "about": each.about.partition("\n")[0],
        "meaning": MEANINGS.get(each.name, "") if ALGORITHMS.get(each.name) is each else "",
        "inputs": {given.name: str(given.type) for given in each.program.inputs},
        "outputs": list(dict.fromkeys(output.name for output in each.program.outputs)),
        "at_most": _at_most(each.program),
    }


def of_model(model: Model) -> dict[str, Any]:
    """The dimensions of a compiled model: layers, heads, columns, units, capacity."""
    program = program_of(model)
    graph = lower(program)
    certificate = model.certificate
    return {
        "algorithm": model.name,
        "program": whose(program),
        "verified": model.verified,
        "layers": len(model.layers),
        "heads": [len(layer.heads) for layer in model.layers],
        "columns": len(model.layout),
        "hidden": [layer.mlp.width for layer in model.layers],
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "at_most": _at_most(program),
        "least_layers": least_layers(graph),
        "least_for_any_schedule": least_for_any_schedule(graph),
        "capacity": {"rows": model.capacity.rows, "weight": model.capacity.weight, "dtype": model.dtype},
        "largest_value": model.largest,
        "largest_value_at": certificate.largest_at if certificate is not None and model.reproduced else None,
        "hash": model_hash(model),
    }


def of_layers(model: Model) -> list[dict[str, Any]]:
    """What each layer does: the source lines of its heads and units, and the columns that they write."""
    return [_of_layer(model, layer) for layer in model.layers]


def of_sleep(model: Model) -> dict[str, Any]:
    """When the rows of a model sleep in the fast executor: for each layer and column, what wakes it, and why not."""
    from hyloop.execute.cpu.plan import integral, plan_for
    from hyloop.execute.cpu.quiet.report import report
    from hyloop.samples import random_inputs

    if not integral(model):
        return {"refused": "All rows are computed in every iteration: weights are no integers.", "licences": ()}
    rows = max(2, min(PATH, model.capacity.rows))
    path = Hypergraph.from_hyperedges([[at, at + 1] for at in range(1, rows)])
    given = random_inputs(model.parsed, path, np.random.default_rng(0), largest=2)
    if given is None:
        return {"refused": "A short run shows when rows sleep, and this model has no input to try.", "licences": ()}
    first = encoded(model, given_to(model.parsed, path, given))
    names = [column.name for column in model.layout.columns]
    return report(plan_for(model, first.X), names, first.X, first.incidence).as_dict()


def _of_layer(model: Model, layer: Layer) -> dict[str, Any]:
    names, words = [column.name for column in model.layout.columns], Words(model)
    return {
        "heads": [
            {
                "kind": head.kind,
                "implements": list(words.of_head(head)),
                "writes": [names[n] for n in sorted(head.writes)],
            }
            for head in layer.heads
        ],
        "units": layer.mlp.width,
        "stages": [
            {"implements": list(stage.implements), "carries": stage.carries} for stage in words.of_stages(layer.mlp)
        ],
        "writes": [names[n] for n in sorted(layer.mlp.writes)],
        "parts": [_of_part(names, part) for part in words.parts(layer)],
    }


def _of_part(names: list[str], part: PartOfLayer) -> dict[str, Any]:
    what = {"head": part.head, "kind": part.kind} if part.head is not None else {"units": part.units}
    return what | {
        "for": list(part.names),
        "at": [{"file": place.file, "line": place.line} for place in part.places],
        "writes": [names[n] for n in part.writes],
    }


def _at_most(program: Program) -> str:
    return f"1 + {program.at_most}" if program.begins else str(program.at_most)


def remark_on_capacity(model: Model) -> str | None:
    """A remark on a model that reads weights and holds only small ones; else None."""
    if not model.takes_weights or model.capacity.weight >= FEW:
        return None
    return (
        f"{model.name} holds weights up to {model.capacity.weight:,} only, in integer units, with "
        f"{model.capacity.rows:,} rows: what is checked or proved of it says nothing of larger ones. "
        "Fewer rows leave room for larger weights: --rows N."
    )


def reason_for_few_rows(model: Model) -> str | None:
    """Why a model that was compiled for no particular number of rows holds fewer than most do; else None."""
    if model.certificate is None or not model.reproduced or model.capacity.rows >= ROWS[model.dtype]:
        return None
    return (
        f"More rows leave less room for weights: {model.certificate.largest_at} can reach "
        f"{model.certificate.largest:,} here, and {model.dtype} is exact below {EXACT[model.dtype]:,}. "
        "Another balance: --rows N."
    )
