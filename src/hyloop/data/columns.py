"""The columns of a shard, what stands in them, and the hash of the content: docs/data.md is this file in words.

A row is an example. The hash is of the numbers and the metadata themselves, so that it does not depend on how a file is
compressed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from hyloop.data.hints import LOCATIONS, Hinted
from hyloop.data.record import Recorded
from hyloop.errors import HyloopError
from hyloop.execute.prepare import Given
from hyloop.hypergraph import HEAD, TAIL, Hypergraph
from hyloop.lang.kinds import Scope
from hyloop.lang.program import Program
from hyloop.numbers import written

Example = Mapping[str, Any]  # by column: an int, a str, or an array
HASH = 2  # the version of the hash; version 1 did not have the metadata
UNHASHED = frozenset({"hyloop", "hash"})  # of the metadata


@dataclass(frozen=True)
class Column:
    """A column: one value a row, or (`many`) a list of them. `type` is numpy's, little-endian, or "string"."""

    name: str
    type: str
    many: bool = False


HYPERGRAPH = (
    Column("number", "<i8"),
    Column("generator", "string"),
    Column("vertices", "<i4"),
    Column("hyperedges", "<i4"),
    Column("member_at", "<i4", many=True),
    Column("member", "<i4", many=True),
    Column("direction", "<i1", many=True),
    Column("weight", "<i8", many=True),
    Column("unit", "string"),
)
HINTS = (
    Column("steps", "<i4"),
    Column("hint_step", "<i4", many=True),
    Column("hint_variable", "<i2", many=True),
    Column("hint_index", "<i4", many=True),
    Column("hint_value", "<i8", many=True),
)
# Where the parts of the hypergraph are, for those who build features of them.
FEATURES = (
    {"column": "direction", "location": "incidence", "kind": "direction"},
    {"column": "weight", "location": "hyperedge", "kind": "length"},
)


def columns_of(program: Program) -> tuple[Column, ...]:
    """The columns of an algorithm's shards, in order."""
    return columns_in({"inputs": inputs_document(program), "outputs": outputs_document(program)})


def columns_in(document: Mapping[str, Any]) -> tuple[Column, ...]:
    """The columns of a shard, in order, from its metadata."""
    own = [Column(each["column"], "<i8", each["many"]) for side in ("inputs", "outputs") for each in document[side]]
    return (*HYPERGRAPH, *own, *HINTS)


def require_columns(program: Program) -> None:
    """Raise `HyloopError` unless each column of an algorithm's shards has a name of its own, and one kind of values."""
    lists: dict[str, list[str]] = {}
    names = [f"input_{each.name}" for each in program.inputs]
    for output in program.outputs:
        column, is_quotient = f"output_{output.name}", output.over is not None
        if output.place is None:
            names += [column, f"{column}_over"] if is_quotient else [column]
        else:
            kind = "quotient" if is_quotient else str(program.state(output.state).type.kind)
            lists.setdefault(column, []).append(kind)
    for column, kinds in lists.items():
        _require_one_kind(program, column, kinds)
    found = Counter([*names, *lists, *(each.name for each in (*HYPERGRAPH, *HINTS))])
    if twice := next((name for name, count in found.items() if count > 1), None):
        raise HyloopError(
            f"{program.name}: two columns of a data set would be called {twice} (a quotient NAME has a second one, "
            "NAME_over): rename one of the outputs."
        )


def _require_one_kind(program: Program, column: str, kinds: list[str]) -> None:
    """Raise `HyloopError` unless a column can hold a list with entries of these kinds."""
    if len(set(kinds)) > 1 or "quotient" in kinds:
        raise HyloopError(
            f"{program.name}: {column} would be a list of these kinds: {', '.join(dict.fromkeys(kinds))}. A list in a "
            "data set has values of one kind, and no quotients: give each of them an output of its own."
        )


# -- metadata ---------------------------------------------------------------------------------------------------------


def inputs_document(program: Program) -> list[dict[str, Any]]:
    """What the inputs of an algorithm are."""
    return [
        {
            "name": each.name,
            "column": f"input_{each.name}",
            "kind": str(each.type.kind),
            "location": LOCATIONS[each.type.scope],
            "many": each.type.scope is not Scope.SCALAR,
        }
        for each in program.inputs
    ]


def outputs_document(program: Program) -> list[dict[str, Any]]:
    """What the outputs of an algorithm are; a quotient has a second column, of what divides."""
    found: dict[str, dict[str, Any]] = {}
    for output in program.outputs:
        for part, state in (("", output.state), ("_over", output.over)):
            if state is None:
                continue
            type_ = program.state(state).type
            scope = Scope.SCALAR if output.form == "total" else type_.scope
            found[f"output_{output.name}{part}"] = {
                "name": f"{output.name}{part}",
                "column": f"output_{output.name}{part}",
                "kind": str(type_.kind),
                "location": LOCATIONS[scope],
                "many": scope is not Scope.SCALAR or output.place is not None,
            }
    return list(found.values())


# -- an example -------------------------------------------------------------------------------------------------------


def example_of(number: int, generator: str, what: Hinted, given: Given, recorded: Recorded) -> Example:
    """The row of an example, by column."""
    h, hints = given.hypergraph, recorded.hints
    by_hyperedge = h.incidence_transposed
    pointers = {each.name: each.type.kind.is_pointer for each in what.program.inputs}
    return {
        "number": number,
        "generator": generator,
        "vertices": h.counts[0],
        "hyperedges": h.counts[1],
        "member_at": by_hyperedge.indptr,
        "member": by_hyperedge.indices,
        "direction": directions(h),
        "weight": np.asarray(given.weights),
        "unit": written(given.unit),
        **{f"input_{name}": np.asarray(value) - int(pointers[name]) for name, value in given.inputs.items()},
        **recorded.outputs,
        "steps": recorded.steps,
        "hint_step": hints.step,
        "hint_variable": hints.variable,
        "hint_index": hints.index,
        "hint_value": hints.value,
    }


def directions(h: Hypergraph) -> Any:
    """Of every member, in the order of the hyperedges: -1 a tail, 1 a head, 0 both, as in an undirected hypergraph."""
    by_hyperedge, width = h.incidence_transposed, max(h.counts[0], 1)
    members = by_hyperedge.row_numbers() * width + by_hyperedge.indices
    found = np.zeros(len(members), np.int8)
    for side, bit in ((h.tails_transposed, TAIL), (h.heads_transposed, HEAD)):
        if side is not by_hyperedge:
            found |= np.isin(members, side.row_numbers() * width + side.indices).astype(np.int8) * bit
        else:
            found |= bit
    return np.array([0, -1, 1, 0], np.int8)[found]


# -- the hash ---------------------------------------------------------------------------------------------------------


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


def add_to_hash(digest: _Digest, columns: Sequence[Column], example: Example) -> None:
    """Add an example to the hash of its shard: for every column its name, type and length, and then its bytes."""
    for column in columns:
        value = example[column.name]
        if column.type == "string":
            data, count = value.encode(), 1
        else:
            array = np.asarray(value, dtype=column.type)
            data, count = array.tobytes(), array.size
        digest.update(f"{column.name} {column.type} {count} {len(data)}\n".encode())
        digest.update(data)


def hash_of_shard(document: Mapping[str, Any], examples: str) -> str:
    """The hash of a shard, from its metadata and the digest of its examples: all that a reader can see.

    Which hyloop made it is left out, so that every version that makes the same content gives the same hash.
    """
    seen = {name: value for name, value in document.items() if name not in UNHASHED}
    return _versioned(f"{_canonical(seen)}\n{examples}\n")


def hash_of_set(plan: Mapping[str, Any], parts: Iterable[tuple[str, str]]) -> str:
    """The hash of a data set, from its plan, and the paths of its shards and their hashes."""
    return _versioned(f"{_canonical(plan)}\n{_lines(parts)}")


def hash_of_parts(parts: Iterable[tuple[str, str]]) -> str:
    """The hash of some shards, from their paths and hashes; their order does not matter."""
    return _versioned(_lines(parts))


def _lines(parts: Iterable[tuple[str, str]]) -> str:
    return "".join(f"{json.dumps(path)} {digest}\n" for path, digest in sorted(parts))


def _canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def _versioned(text: str) -> str:
    """The SHA-256 of a text; which version of the hash it is stands before it, and is part of the text."""
    whole = f"hyloop-data hash {HASH}\n{text}"
    return f"v{HASH}:{sha256(whole.encode()).hexdigest()}"
