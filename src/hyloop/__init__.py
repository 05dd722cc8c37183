"""hyloop: hypergraph algorithms as the exact weights of a looped transformer.

>>> import hyloop
>>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]}, weights={"ferry": 2})
>>> h.members_of("ferry")
('Quay', 'Isle')
"""

from hyloop_command import begin_import, end_import

begin_import()  # before anything that takes time

from hyloop._version import __version__
from hyloop.batch import Failure, run_many
from hyloop.batch_runs import BatchResult
from hyloop.build import compile, load, save
from hyloop.check import check
from hyloop.compare import Checked, Difference
from hyloop.errors import CapacityError, FormatError, HyloopError, HypergraphError, ModelError
from hyloop.execute.given import Attribute
from hyloop.hypergraph import HyloopWarning, Hypergraph
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.io import read, write
from hyloop.machine.model import Capacity, Model
from hyloop.prepared import Prepared, prepare
from hyloop.recording import Trace, trace
from hyloop.result import Result
from hyloop.run import run
from hyloop.survey import Finding, Survey, check_many, check_random

end_import()

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
