"""Data sets for neural algorithmic reasoning: hypergraphs, inputs, outputs, and every step of a run (docs/data.md).

Needs pyarrow: `pip install 'hyloop[data]'`.
"""

from hyloop.data.clrs import clrs_feedback, clrs_spec, clrs_targets
from hyloop.data.generators import GENERATORS
from hyloop.data.loaders import Sample, Samples, channels, load, packed, padded
from hyloop.data.making import make
from hyloop.data.plan import custom
from hyloop.data.predictions import write_predictions
from hyloop.data.read import ShardFile, hypergraph_of, info, shards, steps_of
from hyloop.data.scoring import score
from hyloop.data.standard_set import standard
from hyloop.data.text import as_text, parse_answer

__all__ = [
    "GENERATORS",
    "Sample",
    "Samples",
    "ShardFile",
    "as_text",
    "channels",
    "clrs_feedback",
    "clrs_spec",
    "clrs_targets",
    "custom",
    "hypergraph_of",
    "info",
    "load",
    "make",
    "packed",
    "padded",
    "parse_answer",
    "score",
    "shards",
    "standard",
    "steps_of",
    "write_predictions",
]
