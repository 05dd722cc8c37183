"""The names of heads in other people's tools: the layer, the head, and what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hyloop.machine.layer import Head

WORDS = 4  # a head may serve many variables; a name says the first of them


def layer_name(layer: int) -> str:
    """`layer1` for layer 0."""
    return f"layer{layer + 1}"


def head_name(head: int, serves: Iterable[str]) -> str:
    """`head2_members_read` for head 1 of a layer that serves `members (file.py:3)` and `read (file.py:4)`."""
    words = dict.fromkeys(_word(text) for text in serves)
    return "_".join([f"head{head + 1}", *list(filter(None, words))[:WORDS]])


def head_names(heads: Iterable[Head]) -> list[str]:
    """The names of the heads of one layer: all different, since each has its number."""
    return [head_name(number, head.serves) for number, head in enumerate(heads)]


def _word(text: str) -> str:
    """What a head serves, without the source line, as part of a name."""
    return re.sub(r"\W+", "_", text.partition(" (")[0]).strip("_")
