"""The default hypergraph of `hyloop view`."""

from __future__ import annotations

from hyloop.hypergraph import Hypergraph

# The boats of a made-up harbour, as in examples/harbour.hif.json: each calls at several piers.
HARBOUR = Hypergraph.from_hyperedges(
    {
        "ferry": ["Quay", "Isle", "Cove"],
        "launch": ["Quay", "Mole"],
        "mail boat": ["Mole", "Isle", "Light"],
        "dinghy": ["Light", "Cove"],
        "barge": ["Cove", "Dunes", "Mill"],
        "steamer": ["Quay", "Mill"],
    },
    weights=[4, 1.5, 2, 0.5, 3, 7],
    vertices=["Quay", "Mole", "Isle", "Light", "Cove", "Dunes", "Mill", "Wreck"],
)
