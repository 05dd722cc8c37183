"""The algorithms that a page has inside: for each its model, and what a recording needs to say of it.

The page runs a model by itself, exactly, and records the run. What does not depend on the input (source lines,
variables, what each head is for) it takes from a template: a recording of the first iteration on the smallest
hypergraph.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from hyloop._version import __version__
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.in_short import IN_SHORT
from hyloop.cache import code_digest, keep, kept, key
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input
from hyloop.machine.model import Model
from hyloop.recording import Trace, record_run
from hyloop.viewer.examples import EXAMPLES
from hyloop.viewer.page import exact_in_page, packed, packed_model

SMALLEST = Hypergraph.from_hyperedges({"e": ["v"]})


def library(shown: Trace) -> dict[str, Any]:
    """The algorithms of hyloop, the one whose run a page shows, and examples: for `hyloop.viewer.page.page`.

    A model that a page would not compute exactly is left out, and so is ours of the same name: the page must not run
    another model than the one it shows. The template of a model that is not ours is the trace: an empty text.
    """
    ours = shipped()
    model = shown.model
    own = [] if model is None or not exact_in_page(model) else [_entry(model, "")]
    if own and own[0]["model"] in {each["model"] for each in ours["algorithms"]}:
        return ours
    others = [each for each in ours["algorithms"] if model is None or each["name"] != shown.algorithm]
    return ours | {"algorithms": own + others}


def shipped() -> dict[str, Any]:
    """The algorithms that come with hyloop, and the examples; kept from an earlier page, if there was one."""
    name = f"{key((__version__, code_digest(Path(__file__).parents[1]), 'page'))[:40]}.library"
    held = kept(name)
    if held is not None:
        found: dict[str, Any] = json.loads(held)
        return found
    made = {
        "algorithms": [_of_algorithm(each) for each in ALGORITHMS],
        "examples": [dict(each.to_json()) for each in EXAMPLES],
    }
    keep(name, json.dumps(made).encode())
    return made


def _of_algorithm(name: str) -> dict[str, Any]:
    trace = template(name)
    if trace.model is None:
        raise TypeError(name)
    return _entry(trace.model, base64.b64encode(packed(trace.document)).decode()) | {"short": IN_SHORT[name]}


def template(algorithm: str | Algorithm | Program | Model) -> Trace:
    """A recording on the smallest hypergraph, every layer of the first iteration."""
    given = {each.name: _something(each) for each in program_of(algorithm).inputs}
    return record_run(algorithm, SMALLEST, given, layers=True, first=1, backend="dense")


def _entry(model: Model, recorded: str) -> dict[str, Any]:
    program = model.parsed
    inputs = [
        {"name": each.name, "kind": str(each.type.kind), "scope": str(each.type.scope)} for each in program.inputs
    ]
    about = program.about.partition("\n")[0]
    return {
        "name": program.name,
        "about": about,
        "inputs": inputs,
        "directed": uses_direction(program),
        "model": packed_model(model),
        "template": recorded,
    }


def _something(each: Input) -> Any:
    values = {Kind.VERTEX: SMALLEST.vertices[0], Kind.HYPEREDGE: SMALLEST.hyperedges[0], Kind.FLAG: False}
    value = values.get(each.type.kind, 0)
    if each.type.scope is Scope.SCALAR:
        return value
    labels = SMALLEST.vertices if each.type.scope is Scope.VERTICES else SMALLEST.hyperedges
    return dict.fromkeys(labels, value)
