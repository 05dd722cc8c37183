"""One run of a batch: hypergraphs sorted into shapes by their rows, arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from hyloop.errors import CapacityError, ModelError
from hyloop.execute.cpu.claims import claims
from hyloop.execute.cpu.plan import Plan, analyse, integral
from hyloop.execute.cuda.guess import guessed, unguarded
from hyloop.execute.cuda.machines import Machine
from hyloop.execute.cuda.source import ARRAYS, BEYOND, MISGUESSED, Dialect, Reading, Shape, inputs_of, source
from hyloop.hypergraph_batch import HypergraphBatch
from hyloop.machine.layout import Entries, Everywhere, Mark, Pointer
from hyloop.machine.model import Model

Array = Any
NARROW = 2**30  # with numbers below it no sum of two leaves 32 bits

# Rows besides row 0, and the threads (and rows of each) that take so many. Measured: docs/gpu.md.
SHAPES: tuple[tuple[int, int, int], ...] = (
    (32, 32, 1),
    (64, 32, 2),
    (128, 32, 4),
    (256, 64, 4),
    (384, 96, 4),
    (512, 128, 4),
    (768, 192, 4),
    (1024, 256, 4),
    (2048, 512, 4),
    (4096, 1024, 4),
)
MOST_ROWS = SHAPES[-1][0]
MOST_ITERATIONS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Ran:
    """What came of a batch: for each hypergraph its iterations and how it ended, and the columns that were read."""

    iterations: Array
    status: Array
    read: tuple[Array, ...]
    state: Array | None = None  # the columns of each hypergraph one after the other
    state_at: Array | None = None


@dataclass
class Launch:
    """A model on a machine. `whole` keeps the whole last state, for comparisons."""

    model: Model
    machine: Machine
    readings: Sequence[Reading] = ()
    whole: bool = False
    shapes: Sequence[tuple[int, int, int]] = SHAPES
    guess: bool = True
    plan: Plan = field(init=False)
    misguessed: int = field(init=False, default=0)  # runs that were run again without the guess

    def __post_init__(self) -> None:
        require_fit(self.model)
        self.plan = analyse(self.model, claims(self.model))

    @property
    def bits(self) -> int:
        """How wide a number is: 32 bits where no sum of two leaves them."""
        return bits_of(self.model)

    def run(self, batch: HypergraphBatch, inputs: Mapping[str, Array], limit: Array) -> Ran:
        """Run the batch; `inputs` are integers by name, one for each hypergraph or one for each entry of an array."""
        xp = self.machine.xp
        batch = batch.to(xp)
        self._require(batch)
        rows = xp.maximum(xp.maximum(batch.vertices, batch.hyperedges), max(1, self.model.layout.least)).astype(
            xp.int32
        )
        number = xp.int32 if self.bits == 32 else xp.int64
        given = {name: xp.asarray(inputs[name]) for name, _ in inputs_of(self.model)}
        self._require_inputs(given, batch)
        arrays = self._arrays(batch, rows, xp.minimum(xp.asarray(limit), MOST_ITERATIONS).astype(xp.int32), number)
        entries = {
            "vertices": int(batch.vertex_at[-1]),
            "hyperedges": int(batch.hyperedge_at[-1]),
            "scalar": len(batch),
        }
        read = tuple(xp.zeros(entries[reading.of], number) for reading in self.readings)
        values = [xp.ascontiguousarray(array.astype(number)) for array in given.values()]
        begins = bool((arrays["limit"] >= 1).all()) and self.plan.boundary[self.plan.halt].first != 1
        for shape, order in self._sorted(rows):
            self._run(shape, order, [arrays, values, read], guess=self.guess and begins)
            again = order[arrays["status"][order] == MISGUESSED]
            self.misguessed += len(again)
            if len(again):
                self._run(shape, again, [arrays, values, read], guess=False)
        found = arrays["state"], arrays["state_at"]
        return Ran(arrays["iterations"], arrays["status"], read, *(found if self.whole else (None, None)))

    def _run(self, shape: Shape, order: Array, given: Sequence[Any], *, guess: bool) -> None:
        arrays, values, read = given
        text = code(self.model, shape, tuple(self.readings), self.machine.dialect(shape), guess=guess)
        table = [{**arrays, "order": order}[name] for name, _ in ARRAYS] + [*values, *read]
        self.machine.run(text, shape, [address(each) for each in table], len(order))

    def _arrays(self, batch: HypergraphBatch, rows: Array, limit: Array, number: Any) -> dict[str, Array]:
        xp = self.machine.xp
        incident_at, incident, incident_role = self._incidents(batch, rows)
        state_at = xp.zeros(len(batch) + 1, xp.int64)
        if self.whole:
            state_at[1:] = xp.cumsum((rows.astype(xp.int64) + 1) * len(self.model.layout))
        return {
            "vertices": batch.vertices,
            "hyperedges": batch.hyperedges,
            "vertex_at": batch.vertex_at,
            "hyperedge_at": batch.hyperedge_at,
            "member_at": batch.member_at,
            "member": batch.member,
            "member_role": batch.role,
            "incident_at": incident_at,
            "incident": incident,
            "incident_role": incident_role,
            "weight": xp.ascontiguousarray(batch.weight.astype(number)),
            "rows": rows,
            "limit": limit,
            "iterations": xp.zeros(len(batch), xp.int32),
            "status": xp.full(len(batch), BEYOND, xp.int32),
            "state": xp.zeros(int(state_at[-1]), number),
            "state_at": state_at,
        }

    def _incidents(self, batch: HypergraphBatch, rows: Array) -> tuple[Array, Array, Array]:
        """The incidence by vertex, which a block needs; a warp makes its own."""
        needs = any(width != 32 for shape, _ in self._sorted(rows) for width in [shape.width])
        return batch.incidents if needs else (batch.member_at, batch.member, batch.role)

    def _sorted(self, rows: Array) -> Iterator[tuple[Shape, Array]]:
        """The hypergraphs by shape."""
        xp, least = self.machine.xp, 0
        for room, width, each in self.shapes:
            order = xp.flatnonzero((rows > least) & (rows <= room)).astype(xp.int32)
            least = room
            if len(order):
                yield Shape(width, each, self.bits, whole=self.whole), order

    # -- what the encoder refuses

    def _require(self, batch: HypergraphBatch) -> None:
        if not len(batch):
            return
        self.model.require(int(batch.vertices.max()), int(batch.hyperedges.max()), batch.heaviest)

    def _require_inputs(self, given: Mapping[str, Array], batch: HypergraphBatch) -> None:
        xp = self.machine.xp
        for column in self.model.layout.columns:
            for term in column.initial:
                match term:
                    case Everywhere(name, most) | Entries(name, _, most):
                        self._within(name, given[name], 0, most)
                    case Mark(_, name) | Pointer(_, str(name)):
                        self._within(name, given[name], 1, xp.maximum(batch.vertices, batch.hyperedges))

    @staticmethod
    def _within(name: str, values: Array, least: int, most: Any) -> None:
        if len(values) and not bool(((values >= least) & (values <= most)).all()):
            raise CapacityError(f"The input {name!r} has a value that this model does not hold.")


@lru_cache(maxsize=64)
def code(model: Model, shape: Shape, readings: tuple[Reading, ...], dialect: Dialect, *, guess: bool) -> str:
    """The text for a shape, with the guess or without it; kept, since a batch may be run in many portions."""
    believed = claims(model)
    assumed = guessed(model, believed, shape.room, shape.bits) if guess else unguarded(analyse(model, believed))
    return source(model, assumed, shape, readings, dialect)


def require_fit(model: Model) -> None:
    """Raise for a model that integers do not compute: the backend cpu, or dense, runs it."""
    if not integral(model) or model.layout.incidence != "ones" or model.certificate is None:
        raise ModelError(f"The backend cuda runs compiled models of integers; {model.name} is none. dense runs it.")
    if model.doubtful:
        raise ModelError(
            f"{model.name} is unverified, so nothing bounds its numbers: `hyloop prove` settles that; the backend "
            "cpu runs it as it is."
        )


def bits_of(model: Model) -> int:
    """How wide a number of the model is."""
    return 32 if model.largest is not None and model.largest < NARROW else 64


def address(array: Array) -> int:
    """Where an array lies in memory."""
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)
