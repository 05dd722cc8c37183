"""Edge lists: one hyperedge per line, for hypergraphs written by hand.

    # name: members | weight
    ferry: Quay Isle "North Point" | 1/2
    Quay Mill
    * Lighthouse

The name and the weight may be left out; the k-th hyperedge, if it has no name, is k. A line that begins with * and a
blank lists vertices, which come first in the numbering. A label that looks like an integer is one, a label in double
quotes (written as in JSON) is always a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat

from hyloop.errors import FormatError, HypergraphError
from hyloop.hypergraph import Hypergraph, Label, as_label, label_from_text, looks_like_integer, positive_weight, shown
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.fields import (
    BYTE_ORDER_MARK,
    OTHER_LINE_ENDS,
    joined_files,
    number_from_text,
    other_line_end,
    vertices_appear_in_order,
    warn_of_loss,
)
from hyloop.io.gathering import Gathering
from hyloop.io.window import Window
from hyloop.numbers import written

# U+FEFF is not bare: at the beginning of a file it would be read as a byte order mark.
_BARE = r'[^\s\x00-\x1f\x7f-\x9f"#|:,\ufeff]++'
_TOKEN = re.compile(
    rf"""[ \t]*+(?:(?P<end>\#[^{BYTE_ORDER_MARK}{OTHER_LINE_ENDS}]*$|$)
    |(?P<quoted>"(?:[^"\\]|\\.)*+")(?=[ \t:|\#]|$)
    |(?P<bare>{_BARE})(?=[ \t:|\#]|$)
    |(?P<mark>[:|]))""",
    re.VERBOSE,
)
# Bare ASCII labels, perhaps with a name before and a weight after them: the fast path for most lines of large files.
_PLAIN = r"[!$-+\--9;-{}~]++"
_PLAIN_LINE = re.compile(rf"[ \t]*+(?:({_PLAIN}):)?([ \t]*+(?:{_PLAIN}[ \t]*+)*+)(?:\|[ \t]*+({_PLAIN})[ \t]*+)?")
_LABEL_BEGUN = re.compile(f"(?:{_BARE}|#[^{BYTE_ORDER_MARK}{OTHER_LINE_ENDS}]*+)?+")
_VERTICES_A_LINE = 20
_LISTS = "*"  # begins a line that lists vertices


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    kind: str  # "quoted", "bare" or "mark"

    @property
    def label(self) -> Label:
        """The token as a label."""
        if self.kind == "mark":
            raise HypergraphError(f"{self.text} is out of place; put a label that contains it in double quotes.")
        if self == _Token(_LISTS, "bare"):
            raise HypergraphError('* begins a line that lists vertices; the label "*" needs double quotes.')
        return as_label(json.loads(self.text) if self.kind == "quoted" else label_from_text(self.text))

    def is_mark(self, text: str) -> bool:
        return self.kind == "mark" and self.text == text


@dataclass
class _Reading:
    """The content of the lines read so far."""

    gathered: Gathering
    weights: dict[str, Fraction] = field(default_factory=dict)  # by how they are written; equal ones are one object

    def line(self, line: str) -> None:
        """Parse one line."""
        plain = _PLAIN_LINE.fullmatch(line)
        if plain is not None and "*" not in line and (plain[1] or plain[2]):
            words = plain[2].split()
            if words or plain[1]:
                name = len(self.gathered.hyperedges) + 1 if plain[1] is None else label_from_text(plain[1])
                self._hyperedge(name, [*map(label_from_text, words)], plain[3])
                return
        if tokens := _tokens(line):
            self._use(tokens)

    def _use(self, tokens: list[_Token]) -> None:
        if tokens[0] == _Token(_LISTS, "bare"):
            self.gathered.record()
            for token in tokens[1:]:
                self.gathered.list_vertex(token.label)
            return
        if tokens[0].kind == "bare" and tokens[0].text.startswith(_LISTS):
            raise HypergraphError(
                f"{shown(tokens[0].text)} begins the line: to list vertices, put a blank after the first *; a label "
                "that begins with * needs double quotes here."
            )
        tokens, weight = _without_weight(tokens)
        name, tokens = _name(tokens, len(self.gathered.hyperedges) + 1)
        self._hyperedge(name, [token.label for token in tokens], weight)

    def _hyperedge(self, name: Label, members: Sequence[Label], weight: str | None) -> None:
        self.gathered.record()
        known = len(self.gathered.hyperedges)
        number = self.gathered.hyperedges.number(name)
        if number != known:
            raise HypergraphError(f"there is a hyperedge {shown(name)} already.")
        self.gathered.incidences(repeat(number, len(members)), members)
        if weight is not None:
            if weight not in self.weights:
                stated = number_from_text(weight, self.gathered.budgets.number)
                self.weights[weight] = positive_weight(stated, name)
            self.gathered.weights[number] = self.weights[weight]


def read(text: str | Window, budgets: Budgets = BUDGETS) -> Hypergraph:
    """The hypergraph of an edge list.

    >>> read("Quay Isle Mill | 2").weights
    (Fraction(2, 1),)
    """
    gathered = Gathering(budgets)
    reading = _Reading(gathered)
    number = 0
    for block in (text if isinstance(text, Window) else Window(text)).lines():
        for number, line in enumerate(block, number + 1):  # noqa: B020  (the number goes on)
            try:
                reading.line(line)
            except json.JSONDecodeError as error:
                raise FormatError(_not_json(error), where=f"line {number}") from None
            except HypergraphError as error:
                raise FormatError(str(error), where=f"line {number}") from None
    return gathered.hypergraph()


def _not_json(error: json.JSONDecodeError) -> str:
    """The sentence that refuses a label in quotes."""
    label = error.doc if len(error.doc) < 60 else f"{error.doc[:60]}..."
    return (
        f"the label {label} in double quotes is not written as in JSON, by its character {error.pos + 1}: an unknown "
        'escape, or a control character. Write \\" for a double quote and \\\\ for a backslash.'
    )


def _tokens(line: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while True:
        match = _TOKEN.match(line, position)
        if match is None:
            raise HypergraphError(_unreadable(line[position:].strip(" \t")))
        kind = str(match.lastgroup)
        if kind == "end":
            return tokens
        tokens.append(_Token(match[kind], kind))
        position = match.end()


def _unreadable(rest: str) -> str:
    begun = _LABEL_BEGUN.match(rest)
    odd = rest[begun.end() if begun else 0 :][:1]
    if odd and odd in OTHER_LINE_ENDS:
        return other_line_end(odd)
    if odd == BYTE_ORDER_MARK:
        return joined_files()
    if odd and (odd.isspace() or not odd.isprintable()):
        return (
            f"here stands the character U+{ord(odd):04X}; labels are separated by blanks or tabs, and one with any "
            "other white space or control character in it needs double quotes."
        )
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
        yield " ".join([_LISTS, *map(_word, H.vertices[start : start + _VERTICES_A_LINE])]) + "\n"


def _word(label: Label) -> str:
    if isinstance(label, int):
        return str(label)
    plain = re.fullmatch(_BARE, label) and not label.startswith(_LISTS) and not looks_like_integer(label)
    return label if plain else json.dumps(label, ensure_ascii=False)
