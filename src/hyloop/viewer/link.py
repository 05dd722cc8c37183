"""A link to a run that a page makes by itself: hypergraph, algorithm and inputs in the fragment of its address.

`viewer/src/edit/share.ts` reads and writes the same text.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from hyloop.execute.given import labels_of
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import Hypergraph, Label
from hyloop.labels import label_in_json
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.machine.model import Model
from hyloop.numbers import written
from hyloop.recording.describe import hypergraph_document
from hyloop.viewer.page import as_json

LEVEL = 9


def fragment(
    algorithm: str | Algorithm | Program | Model, h: Hypergraph, inputs: Mapping[str, Any], *, name: str = ""
) -> str:
    """The fragment of a link, `#h=...`, for a page that has the algorithm: `playground.html` and this."""
    program = program_of(algorithm)
    drawn = hypergraph_document(h, name)
    body = {
        "hypergraph": _hypergraph(drawn),
        "algorithm": program.name,
        "inputs": {each.name: _input(each.type.kind, each.type.scope, h, inputs[each.name]) for each in program.inputs},
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


def _input(kind: Kind, scope: Scope, h: Hypergraph, value: Any) -> Any:
    if scope is Scope.SCALAR:
        return _single(kind, value)
    return [_single(kind, value[label]) for label in labels_of(h, scope)]


def _single(kind: Kind, value: Any) -> Any:
    if kind is Kind.FLAG:
        return bool(value)
    if kind.is_pointer:
        label: Label | None = value
        return None if label is None else label_in_json(label)
    return written(value)
