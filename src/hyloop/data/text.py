"""Examples as text, for language models: a question, its answer, and the trace; and answers read back from text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from hyloop.data.hints import NONE
from hyloop.data.loaders import Sample, document_of
from hyloop.data.problem import IntArray
from hyloop.data.read import is_own
from hyloop.errors import FormatError
from hyloop.hypergraph import shown
from hyloop.numbers import plural
from hyloop.strict import printable

NOTHING = "none"
INTEGER = re.compile(r"-?[0-9]+")  # Python's own int() also takes 1_000
KINDS = {
    "flag": ("number, 0 or 1", "numbers, 0 or 1"),
    "count": ("number",),
    "length": ("number",),
    "vertex": ("vertex", "vertices"),
    "hyperedge": ("hyperedge",),
}
PLACES = {"vertex": ", one for each vertex, in order", "hyperedge": ", one for each hyperedge, in order", "graph": ""}
SIDES = {-1: "<", 1: ">", 0: ""}  # a tail, a head, both


PATH = {
    "predecessor": "the vertex before it on a shortest path; none for the source, and where there is no path",
    "hyperedge": "the hyperedge that the last step of that path crosses; none where predecessor is none",
}
LEVEL = "how many hyperedges a shortest path from the source crosses; 0 for the source, none where there is no path"
# What the outputs of the standard data set mean, for a reader who does not know the program.
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "dijkstra": {
        "distance": "the least sum of weights on a path from the source; 0 for the source, none where there is no path",
        **PATH,
    },
    "levels": {"level": LEVEL},
    "bfs": {"level": LEVEL, **PATH},
    "dfs": {
        "order": "its place in the order in which the search visits vertices, from 1; none if it is not visited",
        "predecessor": "the vertex from which the search came to it; none for the source, and if it is not visited",
    },
    "components": {"component": "the lowest-numbered vertex of its component"},
    "core_numbers": {
        "core": "the largest k for which it is in a set of vertices that are each in k or more hyperedges with two or "
        "more vertices of the set"
    },
    "s_distance": {
        "distance": "how many steps lead to it; 0 for the source, none if it is not reached",
        "previous": "the hyperedge before it on a shortest walk; none for the source, and if it is not reached",
    },
    "scc": {"component": "the lowest-numbered vertex of its strongly connected component; a tail leads to every head"},
    "forward_chaining": {
        "derived": "1 if it is derived, 0 if not",
        "round": "the round in which it is derived first, 1 for facts; none if it is not derived",
    },
    "helly": {
        "helly": "1 if all families of hyperedges that meet in pairs have a common vertex, 0 if not",
        "witness": "if not, three vertices, each two of them in a hyperedge, where the hyperedges that have two of the "
        "three have no common vertex; else none none none",
    },
    "motifs": {"counts": "of motifs 1 to 26, in the numbering of Lee, Ko and Shin (2020)"},
}


def as_text(sample: Sample) -> dict[str, str]:
    """The `question`, the `answer` and, where hints were loaded, the `trace`."""
    document_of([sample])
    found = {"question": question(sample), "answer": answer(sample.outputs)}
    return {**found, "trace": trace(sample)} if "hint_step" in sample.example else found


def question(sample: Sample) -> str:
    """What is asked: the algorithm, the hypergraph, the inputs, and the form of the answer."""
    document, problem = sample.document, sample.problem
    lines = [
        f"{document['algorithm']['name']}: {document['algorithm']['about']}",
        f"vertices: 0 to {problem.n - 1}",
        *(["In a hyperedge, <v is a tail, >v is a head, and v is both."] if document["directed"] else []),
        *(f"hyperedge {edge}: {_members(sample, edge)}; weight {problem.weight[edge]}" for edge in range(problem.m)),
        *(f"{name}: {_written(value)}" for name, value in sample.inputs.items()),
        f"Answer with a line for each of these: its name, a colon, and integers separated by blanks, or {NOTHING}.",
        *_forms(sample),
    ]
    return "\n".join(lines)


def _members(sample: Sample, edge: int) -> str:
    at = sample.example["member_at"]
    places = range(at[edge], at[edge + 1])
    directed, example = sample.document["directed"], sample.example
    sides = [SIDES[int(example["direction"][place])] if directed else "" for place in places]
    return " ".join(f"{side}{example['member'][place]}" for side, place in zip(sides, places, strict=True))


def _forms(sample: Sample) -> list[str]:
    """A line for each output: how many numbers, of what, and what they mean."""
    document = sample.document
    known = MEANINGS.get(document["algorithm"]["name"], {}) if is_own(document) else {}
    found = []
    for each in document["outputs"]:
        count, kind = np.size(sample.example[each["column"]]), KINDS[each["kind"]]
        told = f"{each['name']}: {plural(count, *kind)}{PLACES[each['location']]}"
        found.append(f"{told}: {known[each['name']]}" if each["name"] in known else told)
    return found


def answer(outputs: Mapping[str, Any]) -> str:
    """Outputs as text: a line for each, its numbers in order."""
    return "\n".join(f"{name}: {_written(value)}" for name, value in outputs.items())


def _written(value: Any) -> str:
    return " ".join(NOTHING if each == NONE else str(each) for each in np.atleast_1d(value).tolist())


def trace(sample: Sample) -> str:
    """The changes of every step, a line a step."""
    example, about = sample.example, sample.document["variables"]
    lines: list[list[str]] = [[] for _ in range(example["steps"] + 1)]
    changes = zip(*(example[f"hint_{name}"].tolist() for name in ("step", "variable", "index", "value")), strict=True)
    for step, variable, index, value in changes:
        each = about[variable]
        place = "" if each["location"] == "graph" else f"[{index}]"
        pointer_or_length = each["kind"] in {"vertex", "hyperedge", "length"}
        told = NOTHING if value == NONE and pointer_or_length else value
        lines[step].append(f"{each['name']}{place} = {told}")
    return "\n".join(f"step {number}: {'; '.join(line)}" for number, line in enumerate(lines) if number)


def parse_answer(text: str, sample: Sample) -> dict[str, Any]:
    """A prediction from text: which example it is, and the outputs. Lines that begin with no output are passed over.

    An output may stand there more than once, with the same numbers. Raises `FormatError` for a text that is no answer
    to this question, such as one with fewer numbers than it asks for.
    """
    if not isinstance(text, str):
        raise FormatError(f"An answer is a text; given {shown(text)}.")
    document_of([sample])
    wanted = {each["name"]: each["column"] for each in sample.document["outputs"]}
    found: dict[str, IntArray] = {}
    for line in text.splitlines():
        name, colon, rest = line.partition(":")
        column = wanted.get(name.strip()) if colon else None
        if column is None:
            continue
        value = _read(line, rest)
        if not np.array_equal(found.setdefault(column, value), value):
            raise FormatError(f"The answer gives {name.strip()} twice, with other numbers; give one line for it.")
    lacking = next((name for name, column in wanted.items() if column not in found), None)
    if lacking is not None:
        raise FormatError(f"The answer has no line '{lacking}: ...'; it needs one for each of {', '.join(wanted)}.")
    for name, column in wanted.items():
        given, count = len(found[column]), np.size(sample.example[column])
        if given != count:
            raise FormatError(f"The answer has {plural(given, 'number')} for {name}; the question asks for {count:,}.")
    return {**sample.key, **found}


def _read(line: str, words: str) -> IntArray:
    split = words.split()
    if not all(word == NOTHING or INTEGER.fullmatch(word) for word in split):
        told = printable(repr(line))
        raise FormatError(f"{told} is no line of an answer: after the colon stand integers, or {NOTHING}.")
    try:
        return np.array([NONE if word == NOTHING else int(word) for word in split], np.int64)
    except (OverflowError, ValueError):  # ValueError: more digits than Python reads
        raise FormatError(f"{printable(repr(line))} has a number beyond 64 bits.") from None
