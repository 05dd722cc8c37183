"""Functions that a lower layer names without importing them: `"module:function"`, resolved on use.

Imports point downwards (docs/development.md has the layers). A few methods are implemented in a higher layer: a model
is saved, exported, shown in a notebook. `ABOVE` is the table of all these references. Backends have a table of the same
kind, in `execute/backends.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

ABOVE: Mapping[str, str] = {
    "Checked._repr_html_": "hyloop.html:of_check",
    "Hypergraph._repr_html_": "hyloop.html:of_hypergraph",
    "Hypergraph.from_arrays": "hyloop.arrays:hypergraph_of",
    "Hypergraph.labelled_by": "hyloop.relabel:labelled_by",
    "Model._repr_html_": "hyloop.html:of_model",
    "Model.circuit": "hyloop.circuit:circuit",
    "Model.save": "hyloop.machine.files:write_model",
    "Model.to_onnx": "hyloop.export:to_onnx",
    "Model.to_torch": "hyloop.export:to_torch",
    "Result._repr_html_": "hyloop.html:of_result",
    "Trace._repr_html_": "hyloop.viewer.page:frame",
    "Trace.load": "hyloop.viewer.embedded:contents_of",  # of a page
    "Trace.page": "hyloop.viewer.embedded:page_of",
    "prove": "hyloop.build:compile",  # of an algorithm: compiled first; a model is proved without
}


def above(name: str) -> Callable[..., Any]:
    """The function of a higher layer that implements a method."""
    return resolve(ABOVE[name])


def resolve(reference: str) -> Callable[..., Any]:
    """The function that `"module:function"` names."""
    module, _, name = reference.partition(":")
    function: Callable[..., Any] = getattr(sys.modules.get(module) or import_module(module), name)
    return function
