"""Data sets for neural algorithmic reasoning: hypergraphs, inputs, outputs, and every step of a run (docs/data.md).

Needs pyarrow: `pip install 'hyloop[data]'`.
"""

from hyloop.data.generators import GENERATORS
from hyloop.data.making import make
from hyloop.data.plan import custom
from hyloop.data.predictions import write_predictions
from hyloop.data.read import ShardFile, hypergraph_of, info, shards, steps_of
from hyloop.data.score import score
from hyloop.data.standard_set import standard

__all__ = [
    "GENERATORS",
    "ShardFile",
    "custom",
    "hypergraph_of",
    "info",
    "make",
    "score",
    "shards",
    "standard",
    "steps_of",
    "write_predictions",
]
