"""The native engine on a packed batch: encode, run and compare by one call, with nothing of Python for a hypergraph.

It takes what another machine left of the runs (iterations, whether they halted, last states), and says which of them
are not the engine's own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cplusplus import library as compiled_library
from hyloop.execute.cpu.claims import claims
from hyloop.execute.cpu.memory import brought_places, padded_rows, places
from hyloop.execute.cpu.native.emit import SLOTS
from hyloop.execute.cpu.native.layers import sources
from hyloop.execute.cpu.native.library import library, unusable
from hyloop.execute.cpu.plan import Plan, analyse, integral
from hyloop.execute.cpu.sparse import ROLES, TO_HYPEREDGES
from hyloop.execute.pages import zeros
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.machine import layout
from hyloop.machine.layer import HeadKind
from hyloop.machine.layout import InitialTerm
from hyloop.machine.model import Model
from hyloop.machine.positions import Parabola

WHAT: dict[type[InitialTerm], int] = {
    layout.Fill: 0,
    layout.Position: 1,
    layout.Pointer: 2,
    layout.Mark: 3,
    layout.Weights: 4,
    layout.Everywhere: 5,
    layout.Entries: 6,
    layout.Cardinality: 7,
    layout.Numbers: 8,
    layout.QuarterSquares: 9,
}
REGIONS = ("global", "rows", "vertices", "hyperedges", "past vertices", "past hyperedges")
CONSTANT, NUMBER, VECTOR = 0, 1, 2

TERM = np.dtype([(name, np.int64) for name in ("column", "what", "region", "part", "input")] + [("value", np.float64)])
COLUMN = np.dtype(
    [(name, np.int64) for name in ("first_known", "rest", "place")] + [("first", np.float64), ("constant", np.float64)]
)
ADDRESSES_BEFORE = (
    "vertices hyperedges vertex_at hyperedge_at member_at member role weight limit state_at state iterations halted "
    "found"
)
NUMBERS_GIVEN = "bits least columns terms kinds fixed halt count"
ADDRESSES_AFTER = (
    "term column kind once weights input begin run context X first rest body brought sum valid flags counts start next "
    "target brought_first brought_rest"
)
NUMBERS_AFTER = (
    "vectors brought_vectors brought_numbers layers listed padded most slot_rows slot_stopped slot_iterations"
)
FIELDS = f"{ADDRESSES_BEFORE} {NUMBERS_GIVEN} {ADDRESSES_AFTER} {NUMBERS_AFTER}".split()  # as `Job` in batch.cpp


@dataclass(frozen=True, eq=False)
class Left:
    """What another machine left of the runs of a batch."""

    iterations: npt.NDArray[np.int32]
    halted: npt.NDArray[np.bool_]
    state: npt.NDArray[np.integer[Any]]  # the columns of each hypergraph one after the other, row 0 first
    state_at: npt.NDArray[np.int64]
    limit: npt.NDArray[np.int64]


def comparable(model: Model) -> bool:
    """Whether batches of this model can be compared so: by integers throughout, and where native code can be made."""
    return (
        unusable() is None
        and integral(model)
        and model.dtype == "float64"
        and model.layout.incidence == "ones"
        and isinstance(model.layout.positions, Parabola)
        and not any(layer.slow for layer in analyse(model, claims(model)).layers)
    )


def differing(model: Model, batch: HypergraphBatch, inputs: Mapping[str, Any], left: Left) -> npt.NDArray[np.intp]:
    """The hypergraphs whose runs are not those of the native engine, or that it does not compute by integers alone.

    The model is `comparable`, and the inputs are those that it takes. Raises `ModelError` without a C++ compiler.
    """
    job = _Job(model, analyse(model, claims(model)), batch, inputs, left)
    compiled_library(_text()).compare(ctypes.c_void_p(job.table.ctypes.data))
    return np.flatnonzero(job.arrays["found"])


@cache
def _text() -> str:
    return files("hyloop.execute.cpu.native").joinpath("batch.cpp").read_text(encoding="utf-8")


class _Job:
    """All arrays that the code works on, and the table of their addresses."""

    def __init__(self, model: Model, plan: Plan, batch: HypergraphBatch, inputs: Mapping[str, Any], left: Left) -> None:
        self.model, self.plan = model, plan
        self.rows = max([1, model.layout.least, *(int(n.max()) for n in (batch.vertices, batch.hyperedges) if len(n))])
        self.padded = padded_rows(self.rows, 8)
        self.most = int(np.diff(batch.member_at[batch.hyperedge_at]).max(initial=1))
        self.kinds: list[HeadKind] = sorted({product.kind for layer in plan.layers for product in layer.products})
        self.arrays = self._given(batch, inputs, left) | self._said() | self._memory()
        self.arrays["context"] = self._context()
        native = library(plan)
        numbers = self._numbers(len(batch), left) | {
            "begin": ctypes.cast(native.begin, ctypes.c_void_p).value,
            "run": ctypes.cast(native.run, ctypes.c_void_p).value,
        }
        values = [self.arrays[name].ctypes.data if name in self.arrays else numbers[name] for name in FIELDS]
        self.table = np.array(values, np.int64)

    def _given(self, batch: HypergraphBatch, inputs: Mapping[str, Any], left: Left) -> dict[str, Any]:
        self.inputs = {name: np.ascontiguousarray(array, np.int64) for name, array in inputs.items()}
        wide = np.int32 if left.state.dtype == np.int32 else np.int64
        found = {
            "vertices": (batch.vertices, np.int32),
            "hyperedges": (batch.hyperedges, np.int32),
            "vertex_at": (batch.vertex_at, np.int32),
            "hyperedge_at": (batch.hyperedge_at, np.int32),
            "member_at": (batch.member_at, np.int32),
            "member": (batch.member, np.int32),
            "role": (batch.role, np.uint8),
            "weight": (batch.weight, np.int64),
            "limit": (left.limit, np.int64),
            "state_at": (left.state_at, np.int64),
            "state": (left.state, wide),
            "iterations": (left.iterations, np.int32),
            "halted": (left.halted, np.uint8),
        }
        return {name: np.ascontiguousarray(array, kind) for name, (array, kind) in found.items()} | {
            "found": np.zeros(len(batch), np.uint8),
            "input": np.array([array.ctypes.data for array in self.inputs.values()] or [0], np.int64),
        }

    def _said(self) -> dict[str, Any]:
        """What layout and plan say: terms, columns, matrices, and products that are computed once."""
        names = list(self.inputs)
        terms = [
            (number, *_term(term, names))
            for number, column in enumerate(self.model.layout.columns)
            for term in column.initial
        ]
        place = places(self.plan)
        columns = [
            (
                fact.first is not None,
                VECTOR if fact.vector else NUMBER if fact.rest is None else CONSTANT,
                place.get(number, -1),
                fact.first or 0.0,
                fact.rest or 0.0,
            )
            for number, fact in enumerate(self.plan.boundary)
        ]
        kinds = [(int(kind in TO_HYPEREDGES), ROLES[kind], SLOTS.index(f"{kind}_start")) for kind in self.kinds]
        once, weights = [(0, 0)][:0], []
        for layer, product in _fixed(self.plan):
            once.append((brought_places(self.plan)[0][layer, product.to], self.kinds.index(product.kind)))
            head, column = self.model.layers[layer].heads[product.head], self.plan.layers[layer].brought[product.to]
            weights.append(head.value[:, column.column])
        return {
            "term": np.array(terms, TERM),
            "column": np.array(columns, COLUMN),
            "kind": np.array(kinds or [(0, 0, 0)], np.int64),
            "once": np.array(once or [(0, 0)], np.int64),
            "weights": np.array(weights or [[0.0]], np.float64),
        }

    def _memory(self) -> dict[str, Any]:
        plan, columns, float64 = self.plan, len(self.model.layout), np.dtype(np.float64)
        lists = max(1, len(sources(plan)))
        brought = max(1, sum(len(layer.brought) for layer in plan.layers))
        return {
            "X": np.zeros(columns * (self.rows + 1)),
            "first": np.zeros(columns),
            "rest": np.zeros(columns),
            "body": zeros((max(1, len(places(plan))), self.padded), float64),
            "brought": zeros((max(1, brought_places(plan)[1]), self.padded), float64),
            "sum": np.zeros(self.rows + 1),
            "valid": zeros((1, self.padded), float64),
            "flags": np.zeros(len(plan.layers), np.int64),
            "counts": np.zeros(lists, np.int64),
            "start": np.zeros((len(self.kinds), self.padded + 1), np.int64),
            "next": np.zeros(self.padded, np.int64),
            "target": np.zeros((len(self.kinds), self.most), np.int32),
            "brought_first": np.zeros(brought),
            "brought_rest": np.zeros(brought),
            "sources": zeros((lists, self.padded), float64),
            "lists": np.zeros((lists, self.padded), np.int32),
            "ones": np.ones(self.most),
        }

    def _context(self) -> npt.NDArray[np.int64]:
        """What the engine's own functions are given."""
        arrays = dict(self.arrays)
        for number, kind in enumerate(self.kinds):
            arrays |= {
                f"{kind}_start": arrays["start"][number],
                f"{kind}_target": arrays["target"][number],
                f"{kind}_value": arrays["ones"],
            }
        numbers = {"padded": self.padded}
        return np.array(
            [arrays[slot].ctypes.data if slot in arrays else numbers.get(slot, 0) for slot in SLOTS], np.int64
        )

    def _numbers(self, count: int, left: Left) -> dict[str, Any]:
        return {
            "bits": 32 if left.state.dtype == np.int32 else 64,
            "least": max(1, self.model.layout.least),
            "columns": len(self.model.layout),
            "terms": len(self.arrays["term"]),
            "kinds": len(self.kinds),
            "fixed": len(_fixed(self.plan)),
            "halt": self.plan.halt,
            "count": count,
            "vectors": len(self.arrays["body"]),
            "brought_vectors": len(self.arrays["brought"]),
            "brought_numbers": len(self.arrays["brought_first"]),
            "layers": len(self.plan.layers),
            "listed": len(self.arrays["counts"]),
            "padded": self.padded,
            "most": self.most,
            **{f"slot_{name}": SLOTS.index(name) for name in ("rows", "stopped", "iterations")},
        }


def _fixed(plan: Plan) -> list[tuple[int, Any]]:
    return [(n, product) for n, layer in enumerate(plan.layers) for product in layer.products if product.fixed]


def _term(term: InitialTerm, names: Sequence[str]) -> tuple[int, int, int, int, float]:  # noqa: PLR0911  (one each)
    """A term as numbers: what, region, part, input, value."""
    what = WHAT[type(term)]
    match term:
        case layout.Fill(value, region):
            return what, REGIONS.index(region), 0, -1, value
        case layout.Position(part):
            return what, 0, part, -1, 0.0
        case layout.Pointer(part, to):
            return what, 0, part, names.index(to) if isinstance(to, str) else -1, 0.0 if isinstance(to, str) else to
        case layout.Mark(value, at):
            return what, 0, 0, names.index(at), value
        case layout.Everywhere(name, _):
            return what, 0, 0, names.index(name), 0.0
        case layout.Entries(name, of, _):
            return what, REGIONS.index(of), 0, names.index(name), 0.0
        case layout.Cardinality(region) | layout.Numbers(region):
            return what, REGIONS.index(region), 0, -1, 0.0
    return what, 0, 0, -1, 0.0
