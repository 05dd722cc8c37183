"""hyloop: hypergraph algorithms as the exact weights of a looped transformer.

>>> import hyloop
>>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, weights={"ferry": 2})
>>> h.members_of("ferry")
('Quay', 'Isle')
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hyloop._version import __version__

if TYPE_CHECKING:
    from hyloop.batch import Failure, run_many
    from hyloop.batch_runs import BatchResult
    from hyloop.build import compile, load, save
    from hyloop.checking import check
    from hyloop.compare import Checked, Difference
    from hyloop.errors import CapacityError, FormatError, HyloopError, HyloopWarning, HypergraphError, ModelError
    from hyloop.execute.given import Attribute
    from hyloop.hypergraph import Hypergraph
    from hyloop.hypergraph_batch import HypergraphBatch
    from hyloop.io import read, write
    from hyloop.machine.model import Capacity, Model
    from hyloop.prepared import Prepared, prepare
    from hyloop.recording.record import trace
    from hyloop.recording.trace import Trace
    from hyloop.result import Result
    from hyloop.running import run
    from hyloop.survey import Finding, Survey, check_many, check_random

# Where each name is defined. It is imported when it is first used: `hyloop --help` needs a tenth of the package, and
# `import hyloop` takes milliseconds. No module may be called as one of these names: importing it would hide the name.
_PLACES = {
    "batch": ("Failure", "run_many"),
    "batch_runs": ("BatchResult",),
    "build": ("compile", "load", "save"),
    "checking": ("check",),
    "compare": ("Checked", "Difference"),
    "errors": ("CapacityError", "FormatError", "HyloopError", "HyloopWarning", "HypergraphError", "ModelError"),
    "execute.given": ("Attribute",),
    "hypergraph": ("Hypergraph",),
    "hypergraph_batch": ("HypergraphBatch",),
    "io": ("read", "write"),
    "machine.model": ("Capacity", "Model"),
    "prepared": ("Prepared", "prepare"),
    "recording.record": ("trace",),
    "recording.trace": ("Trace",),
    "result": ("Result",),
    "running": ("run",),
    "survey": ("Finding", "Survey", "check_many", "check_random"),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "Attribute",
    "BatchResult",
    "Capacity",
    "CapacityError",
    "Checked",
    "Difference",
    "Failure",
    "Finding",
    "FormatError",
    "HyloopError",
    "HyloopWarning",
    "Hypergraph",
    "HypergraphBatch",
    "HypergraphError",
    "Model",
    "ModelError",
    "Prepared",
    "Result",
    "Survey",
    "Trace",
    "__version__",
    "check",
    "check_many",
    "check_random",
    "compile",
    "load",
    "prepare",
    "read",
    "run",
    "run_many",
    "save",
    "trace",
    "write",
]


def __getattr__(name: str) -> object:
    """A name that this package offers, or one of its modules."""
    if name in _PLACE_OF:
        found = getattr(import_module(f"hyloop.{_PLACE_OF[name]}"), name)
        globals()[name] = found
        return found
    if not name.startswith("_") and find_spec(f"hyloop.{name}") is not None:
        return import_module(f"hyloop.{name}")
    raise AttributeError(f"module 'hyloop' has no attribute {name!r}", name=name, obj=import_module("hyloop"))


def __dir__() -> list[str]:
    """The names that this package offers."""
    return sorted(__all__)
