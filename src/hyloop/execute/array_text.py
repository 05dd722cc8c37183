"""Inputs that are arrays, in the words of a command line: `start=A,B`, `load=A:3,B:5,default=0`, `load=@population`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from hyloop.errors import HyloopError
from hyloop.execute.given import MISSING, Attribute, entries_of, labels_of, what_of
from hyloop.hypergraph import Hypergraph, Label, label_from_text, shown
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Input
from hyloop.numbers import written

DEFAULT = "default="
# A label in quotes as JSON has them, where \" does not end it. One without escapes is also taken: "a"b" is a"b.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"(?=\s*(?:[,:]|\Z))', re.DOTALL)
_QUOTED_VALUE = re.compile(r':("(?:[^"\\]|\\.)*+")\Z', re.DOTALL)
# Reads one entry; the second text says what it is, for messages.
Read = Callable[[str, str], Any]


def array_text(entries: Mapping[Label, Any]) -> str:
    """An array by label, as `--input` takes it: the labels where a flag holds, or `LABEL:VALUE` for each."""
    if all(isinstance(entry, bool) for entry in entries.values()):
        return ",".join(_quoted(label) for label, entry in entries.items() if entry)
    return ",".join(f"{_quoted(label)}:{_entry_text(entry)}" for label, entry in entries.items())


def _entry_text(entry: Any) -> str:
    if entry is None:
        return ""
    return _quoted(entry) if isinstance(entry, str) else written(entry)


def _quoted(label: Label) -> str:
    """A label that can stand in a list; a text that looks like a number or like more than a label is JSON."""
    text = str(label)
    plain = isinstance(label, int) or (
        isinstance(label_from_text(text), str) and not any(sign in text for sign in ',:"@=') and text == text.strip()
    )
    return text if plain and text else json.dumps(text, ensure_ascii=False)


def array_from_text(each: Input, h: Hypergraph, text: str, read: Read) -> dict[Label, Any]:
    """The entries of an input by label; `read` reads one of them. The text is one of three:

    `@ATTRIBUTE`, or labels where a flag holds, or `LABEL:VALUE` for each row; `default=VALUE` is for the others.
    """
    if text.startswith("@"):
        name, comma, otherwise = text[1:].partition(f",{DEFAULT}")
        default = _entry(each, read, otherwise, _default_of(each)) if comma else MISSING
        return entries_of(each, h, Attribute(name, default))
    items = _items(text)
    if each.type.kind is Kind.FLAG:
        held = _once(each, [_label(each.type.scope, h, item) for item in items])
        return {label: label in held for label in labels_of(h, each.type.scope)}
    defaults = [item.removeprefix(DEFAULT) for item in items if item.startswith(DEFAULT)]
    if len(defaults) > 1:
        raise HyloopError(f"The input {each.name} has {len(defaults)} defaults; one is enough.")
    rest = [_entry(each, read, item, _default_of(each)) for item in defaults]
    pairs = [_pair(each, h, item, read) for item in items if not item.startswith(DEFAULT)]
    _once(each, [label for label, _ in pairs])
    found = dict.fromkeys(labels_of(h, each.type.scope), rest[0]) if rest else {}
    return {**found, **dict(pairs)}


def _items(text: str) -> list[str]:
    """The parts between commas; a comma in a quoted label is none of them."""
    items, quoted, at = [""], False, 0
    while at < len(text):
        letter, begins = text[at], not quoted and (not items[-1].strip() or items[-1].endswith(":"))
        whole = _QUOTED.match(text, at) if begins else None
        if letter == '"' and whole is None and (quoted or begins):
            quoted = not quoted
        if letter == "," and not quoted:
            items.append("")
        else:
            items[-1] += letter if whole is None else whole[0]
        at += 1 if whole is None else len(whole[0])
    return [item.strip() for item in items] if text.strip() else []


def _label(scope: Scope, h: Hypergraph, text: str) -> Label:
    return h.find_vertex(text) if scope is Scope.VERTICES else h.find_hyperedge(text)


def _once(each: Input, labels: list[Label]) -> set[Label]:
    seen: set[Label] = set()
    for label in labels:
        if label in seen:
            raise HyloopError(f"The input {each.name} names {shown(label)} twice.")
        seen.add(label)
    return seen


def _pair(each: Input, h: Hypergraph, item: str, read: Read) -> tuple[Label, Any]:
    label, colon, value = _divided(item)
    if not colon:
        raise HyloopError(
            f"The input {each.name} is {each.type.phrase}: LABEL:VALUE for each, with commas between, or @ATTRIBUTE; "
            f"{item!r} is none."
        )
    found = _label(each.type.scope, h, label)
    return found, _entry(each, read, value, what_of(each, found))


def _divided(item: str) -> tuple[str, str, str]:
    """An entry as its label, a colon and its value: at the last colon that is not in quotes; no colon if none is."""
    whole = _QUOTED.match(item)
    if whole is not None and item[whole.end() :].lstrip().startswith(":"):
        return whole[0], *item[whole.end() :].lstrip().partition(":")[1:]
    if found := _QUOTED_VALUE.search(item):
        return item[: found.start()], ":", found[1]
    if not item.endswith('"'):
        return item.rpartition(":")
    label, colon, value = item.rpartition(':"')
    return label, colon, f'"{value}'


def _default_of(each: Input) -> str:
    return f"The default of the input {each.name}"


def _entry(each: Input, read: Read, text: str, what: str) -> Any:
    """One entry; a pointer to none is empty."""
    return None if each.type.kind.is_pointer and not text else read(text, what)
