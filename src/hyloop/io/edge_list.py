"""Edge lists: one hyperedge a line, for people who write hypergraphs by hand.

    # name: members | weight
    ferry: Quay Isle "North Point" | 1/2
    Quay Mill
    * Lighthouse

The name and the weight may be left out; the k-th hyperedge without a name is k. A line that begins with * lists
vertices. A label that looks like an integer is one, a label in double quotes (written as in JSON) is always a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, as_label, label_from_text, positive_weight, shown
from hyloop.io.fields import number_from_text, vertices_appear_in_order, warn_of_loss
from hyloop.numbers import written

# U+FEFF is not bare: at the beginning of a file it would be taken for a byte order mark.
_BARE = r'[^\s"#|:,\ufeff]++'
_TOKEN = re.compile(
    rf"""\s*+(?:(?P<end>\#.*|$)
    |(?P<quoted>"(?:[^"\\]|\\.)*+")(?=[\s:|\#]|$)
    |(?P<bare>{_BARE})(?=[\s:|\#]|$)
    |(?P<mark>[:|]))""",
    re.VERBOSE,
)
_VERTICES_A_LINE = 20


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    kind: str  # "quoted", "bare" or "mark"

    @property
    def label(self) -> Label:
        """The label that the token states."""
        if self.kind == "mark":
            raise HypergraphError(f"{self.text} is out of place; put a label that contains it in double quotes.")
        return as_label(json.loads(self.text) if self.kind == "quoted" else label_from_text(self.text))

    def is_mark(self, text: str) -> bool:
        return self.kind == "mark" and self.text == text


@dataclass
class _Reading:
    """What the lines read so far have said."""

    vertices: dict[Label, None] = field(default_factory=dict)
    members: dict[Label, list[Label]] = field(default_factory=dict)
    weights: dict[Label, Fraction] = field(default_factory=dict)

    def line(self, tokens: list[_Token]) -> None:
        """Use the tokens of one line."""
        if tokens[0] == _Token("*", "bare"):
            self.vertices.update(dict.fromkeys(token.label for token in tokens[1:]))
            return
        tokens, weight = _without_weight(tokens)
        name, tokens = _name(tokens, len(self.members) + 1)
        members = [token.label for token in tokens]
        if name in self.members:
            raise HypergraphError(f"there is a hyperedge {shown(name)} already.")
        self.members[name] = members
        self.vertices.update(dict.fromkeys(members))
        if weight is not None:
            self.weights[name] = positive_weight(number_from_text(weight), name)


def read(text: str) -> Hypergraph:
    """The hypergraph of an edge list.

    >>> read("Quay Isle Mill | 2").weights
    (Fraction(2, 1),)
    """
    reading = _Reading()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            tokens = _tokens(line)
            if tokens:
                reading.line(tokens)
        except (HypergraphError, json.JSONDecodeError) as error:
            raise FormatError(str(error), where=f"line {number}") from None
    return Hypergraph.from_hyperedges(reading.members, reading.weights, reading.vertices)


def _tokens(line: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while True:
        match = _TOKEN.match(line, position)
        if match is None:
            raise HypergraphError(_unreadable(line[position:].strip()))
        kind = str(match.lastgroup)
        if kind == "end":
            return tokens
        tokens.append(_Token(match[kind], kind))
        position = match.end()


def _unreadable(rest: str) -> str:
    if rest.startswith('"'):
        return f"the quoted label {shown(rest)} has no end, or something is attached to it."
    return f'{shown(rest)} cannot be read: labels are separated by white space; one with , or " needs double quotes.'


def _without_weight(tokens: list[_Token]) -> tuple[list[_Token], str | None]:
    bars = [place for place, token in enumerate(tokens) if token.is_mark("|")]
    if not bars:
        return tokens, None
    if len(bars) > 1 or bars[0] != len(tokens) - 2 or tokens[-1].kind != "bare":
        raise HypergraphError("after | one number is expected, the weight, and nothing else.")
    return tokens[:-2], tokens[-1].text


def _name(tokens: list[_Token], otherwise: int) -> tuple[Label, list[_Token]]:
    if len(tokens) > 1 and tokens[1].is_mark(":"):
        return tokens[0].label, tokens[2:]
    if not tokens:
        raise HypergraphError("a hyperedge without members needs a name, as in `name:`.")
    return otherwise, tokens


def write(H: Hypergraph) -> Iterator[str]:
    """The edge list of a hypergraph, line by line. Annotations are left out, with a warning."""
    warn_of_loss(H, "edge-list")
    if not vertices_appear_in_order(H):
        yield from _vertex_lines(H)
    incidence = H.incidence_transposed
    named = _needs_names(H)
    for number, (label, weight) in enumerate(zip(H.hyperedges, H.weights, strict=True)):
        words = [f"{_word(label)}:"] if named else []
        words += [_word(H.vertices[vertex]) for vertex in incidence.row(number)]
        words += [] if weight == 1 else ["|", written(weight)]
        yield " ".join(words) + "\n"


def _needs_names(H: Hypergraph) -> bool:
    empty = len(set(H.incidence_transposed.indptr.tolist())) <= len(H.hyperedges)
    return empty or H.hyperedges != tuple(range(1, len(H.hyperedges) + 1))


def _vertex_lines(H: Hypergraph) -> Iterator[str]:
    for start in range(0, len(H.vertices), _VERTICES_A_LINE):
        yield " ".join(["*", *map(_word, H.vertices[start : start + _VERTICES_A_LINE])]) + "\n"


def _word(label: Label) -> str:
    if isinstance(label, int):
        return str(label)
    plain = re.fullmatch(_BARE, label) and label != "*" and isinstance(label_from_text(label), str)
    return label if plain else json.dumps(label, ensure_ascii=False)
