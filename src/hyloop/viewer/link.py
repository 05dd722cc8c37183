"""A link to a run that a page makes by itself: hypergraph, algorithm and inputs in the fragment of its address.

`viewer/src/edit/share.ts` reads and writes the same text.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hyloop.execute.prepare import Given, given_to, program_of
from hyloop.hypergraph import Hypergraph
from hyloop.labels import label_in_json
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind
from hyloop.lang.program import Input
from hyloop.machine.model import Model
from hyloop.numbers import written
from hyloop.recording.describe import hypergraph_document
from hyloop.viewer.page import as_json

LEVEL = 9


def fragment(
    algorithm: str | Algorithm | Program | Model, h: Hypergraph, inputs: Mapping[str, Any], *, name: str = ""
) -> str:
    """The fragment of a link, `#h=...`, for a page that has the algorithm: `playground.html` and this.

    Inputs are refused as `hyloop.run` refuses them.
    """
    program = program_of(algorithm)
    given = given_to(program, h, inputs)
    drawn = hypergraph_document(h, name)
    body = {
        "hypergraph": _hypergraph(drawn),
        "algorithm": program.name,
        "inputs": {each.name: _input(given, each) for each in program.inputs},
        "positions": {"vertices": [*map(list, zip(drawn["vertices"], drawn["positions"]["vertices"], strict=True))]},
    }
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(as_json(body)) + packer.flush()
    return f"#h={base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def _hypergraph(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Hyperedges with their members by label."""

    def labels(numbers: Sequence[int]) -> list[Any]:
        return [drawn["vertices"][number - 1] for number in numbers]

    sides = [side for side in ("members", "tails", "heads") if side in drawn]
    hyperedges = [
        {"name": each, "weight": drawn["weights"][k], **{side: labels(drawn[side][k]) for side in sides}}
        for k, each in enumerate(drawn["hyperedges"])
    ]
    return {"name": drawn["name"], "vertices": drawn["vertices"], "hyperedges": hyperedges}


def _input(given: Given, each: Input) -> Any:
    value = given.inputs[each.name]
    if isinstance(value, int):
        return _single(given, each.type.kind, value)
    return [_single(given, each.type.kind, int(entry)) for entry in value]


def _single(given: Given, kind: Kind, value: int) -> Any:
    if kind is Kind.FLAG:
        return bool(value)
    if kind.is_pointer:
        labels = given.hypergraph.vertices if kind is Kind.VERTEX else given.hypergraph.hyperedges
        return label_in_json(labels[value - 1]) if value else None
    return written(value * given.unit if kind is Kind.LENGTH else Fraction(value))
