"""What files of other formats say of a model: the names of heads in PyTorch and ONNX, and what the columns hold."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hyloop.machine.files import document_of
from hyloop.machine.layer import Layer
from hyloop.machine.model import Model
from hyloop.machine.words import ERASE, Words

WORDS = 4  # a head may implement many variables; its name has the first ones


def labels(model: Model) -> dict[str, str]:
    """What a file says of its model, by name: text unchanged, everything else as JSON."""
    return {
        key: value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        for key, value in (document_of(model) | {"verified": model.verified}).items()
    }


def layer_name(layer: int) -> str:
    """`layer1` for layer 0."""
    return f"layer{layer + 1}"


def head_name(head: int, names: Iterable[str]) -> str:
    """`head2_members_read` for head 1 of a layer that implements `members` and `read`."""
    parts = dict.fromkeys(map(_identifier, names))
    return "_".join([f"head{head + 1}", *list(filter(None, parts))[:WORDS]])


def head_names(words: Words, layer: Layer) -> list[str]:
    """The names of the heads of one layer: all different, since each has its number."""
    found = []
    for number, head in enumerate(layer.heads):
        names = [words.name(each) for each in head.purpose.brings]
        notes = layer.notes if not names else ()
        found.append(head_name(number, [*names, *notes, *([ERASE] if head.purpose.empties else [])]))
    return found


def _identifier(name: str) -> str:
    """A name as part of a Python identifier."""
    return "_".join("".join(letter if letter.isalnum() else " " for letter in name).split())
