"""A looped transformer: layers with fixed weights, a layout, and the inputs for which it is exact."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from hyloop.errors import CapacityError, HyloopError, ModelError
from hyloop.hypergraph.values import as_python, is_integer
from hyloop.lang.program import Program
from hyloop.lang.text import from_text
from hyloop.machine.layer import DIRECTED, KEY_SIZE, Layer
from hyloop.machine.layout import Entries, InitialTerm, Layout, Weights
from hyloop.machine.positions import Parabola
from hyloop.machine.purpose import Held
from hyloop.numbers import counted, plural
from hyloop.references import above

if TYPE_CHECKING:
    from pathlib import Path

    from hyloop.circuit import Circuit
    from hyloop.export.torch import LoopedTransformer

DType = Literal["float64", "float32"]
# How far a model is trusted: this hyloop has compiled it; has compiled the program in its file again, with the
# same result; has proved that it does what that program says; or none of these.
Verified = Literal["compiled", "reproduced", "proved", "unverified"]

# Integers up to this are exact in any order of summation, with or without fused operations (design: exact integers).
EXACT: dict[DType, int] = {"float64": 2**53, "float32": 2**24}


BY_NAME = "run the algorithm itself: a model that fits is then compiled for the input, if there is one."


@dataclass(frozen=True)
class Capacity:
    """What a model accepts: at most `rows` vertices and hyperedges, integer weights of at most `weight`."""

    rows: int
    weight: int

    def __post_init__(self) -> None:
        if not (is_integer(self.rows) and is_integer(self.weight)):
            given = f"{as_python(self.rows)} and {as_python(self.weight)}"
            raise CapacityError(f"A capacity is two whole numbers; given {given}.")
        for name in ("rows", "weight"):  # numpy's integers wrap around
            object.__setattr__(self, name, int(getattr(self, name)))
        if self.rows < 1 or self.weight < 1:
            raise CapacityError(
                f"A capacity needs at least 1 row and weight 1; given {counted(self.rows)} and {counted(self.weight)}."
            )

    def require(self, vertices: int, hyperedges: int, heaviest: int) -> None:
        """Raise unless such a hypergraph fits."""
        if max(vertices, hyperedges) > self.rows:
            raise CapacityError(
                f"The hypergraph has {vertices:,} vertices and {hyperedges:,} hyperedges; "
                f"this model holds at most {self.rows:,} of each. Compile it for more rows "
                f"(--rows {max(vertices, hyperedges)}), or {BY_NAME}"
            )
        if heaviest > self.weight:
            raise CapacityError(
                f"The heaviest hyperedge weighs {counted(heaviest)} in integer units; this model holds at most "
                f"{counted(self.weight)}. Compile it for larger weights (--weight), or {BY_NAME}"
            )


@dataclass(frozen=True)
class Certificate:
    """Why a model is exact within its capacity: the largest number that any sum can reach, and where.

    Bounds are sums of absolute values, so they hold in any order of summation, with or without fused operations.
    """

    largest: int
    largest_at: str


@dataclass(frozen=True)
class Built:
    """The options that a model was compiled with, beside capacity and dtype: with them it can be compiled again."""

    heads: int
    schedule: str
    planned: int  # the weight that the schedule was planned with


@dataclass(frozen=True, order=True)
class Local:
    """A value of the program that is held in a column after a layer: operation `op` of section `section`."""

    section: str
    op: int
    layer: int
    column: str


@dataclass(frozen=True, eq=False)
class Model:
    """A looped transformer. Its weights depend on the algorithm and the capacity, never on the input.

    A compiled model also carries its program's text, a certificate, the integer that stands for infinity, and which
    columns hold the program's values after each layer. `built` is how to compile it again, `verified` how far it is
    trusted, and `reproduced` whether it is what its program compiles to, which a proved one need not be: a copy made by
    `dataclasses.replace` is unverified until it is checked again.
    """

    name: str
    layout: Layout
    layers: tuple[Layer, ...]
    capacity: Capacity
    dtype: DType = "float64"
    tie_tolerance: float = 0.0
    program: str = ""
    certificate: Certificate | None = None
    infinity: int = 0
    held: tuple[Held, ...] = ()  # what stands in columns in passing: values of the program and parts of them
    built: Built | None = None
    verified: Verified = field(default="unverified", init=False)
    reproduced: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self.tie_tolerance and isinstance(self.layout.positions, Parabola):
            raise ModelError("A tie tolerance is for the circle only: scores on the parabola are exact.")
        if self.dtype not in EXACT:
            raise ModelError(f"A model computes in {' or '.join(EXACT)}; not in {self.dtype!r}.")
        if not self.layers:
            raise ModelError(f"The model {self.name!r} has no layers.")
        if any(not 0 <= each.column < len(self.layout) for each in self.held):
            raise ModelError(f"The model {self.name!r} says what columns hold that it does not have.")
        for number, layer in enumerate(self.layers):
            _check_shapes(number, layer, self.layout)

    def __repr__(self) -> str:
        layers = f"{plural(len(self.layers), 'layer')}, {plural(len(self.layout), 'column')}"
        doubt = ", unverified" if self.doubtful else ""
        return f"<Model {self.name}: {layers}, rows ≤ {self.capacity.rows:,}, {self.dtype}{doubt}>"

    @property
    def doubtful(self) -> bool:
        """Whether it carries a program, and whether it implements that program is unverified."""
        return bool(self.program) and self.verified == "unverified"

    @property
    def largest(self) -> int | None:
        """The largest number that any sum can reach: the certificate's, if the compiler wrote it.

        Of others it is what a file says of itself. That they are exact is proved, but no smaller number.
        """
        if self.certificate is None:
            return None
        return self.certificate.largest if self.reproduced else EXACT[self.dtype] - 1

    @property
    def parsed(self) -> Program:
        """The program that it implements, from its text."""
        if not self.program:
            raise HyloopError(f"The model {self.name!r} carries no program.")
        return _parsed(self.program)

    @cached_property
    def locals(self) -> tuple[Local, ...]:
        """The values of the program that stand in columns in passing: whole, and of the same iteration."""
        names = [column.name for column in self.layout.columns]
        found = [
            Local(each.section, each.op, held.layer, names[held.column])
            for held in self.held
            for each in held.purposes
            if each.part == "value" and not each.ahead
        ]
        return tuple(sorted(found))

    # Methods that higher layers implement: `references.ABOVE` names the functions.

    def save(self, path: str | Path) -> None:
        """Write the model to a safetensors file; `hyloop.load` reads it."""
        above("Model.save")(self, path)

    def circuit(self) -> Circuit:
        """Columns, heads and units as a graph, with the variable, operation and source line that each implements."""
        found: Circuit = above("Model.circuit")(self)
        return found

    def to_torch(self, **options: Any) -> LoopedTransformer:
        """The model as an ordinary module of PyTorch; see `hyloop.export.to_torch`."""
        found: LoopedTransformer = above("Model.to_torch")(self, **options)
        return found

    def to_onnx(self, path: str | Path) -> None:
        """Write the model, the whole loop, to an ONNX file; see `hyloop.export.to_onnx`."""
        above("Model.to_onnx")(self, path)

    def _repr_html_(self) -> str:
        return str(above("Model._repr_html_")(self))

    @property
    def last(self) -> int:
        """The number of the last row that there may be: more than the capacity, where numbers are looked up in rows."""
        return max(self.capacity.rows, self.layout.least)

    @property
    def reads_weights(self) -> bool:
        """Whether its state or its incidence has the weights of hyperedges; one without takes any weights."""
        terms = (term for column in self.layout.columns for term in column.initial)
        return self.layout.incidence == "weights" or any(isinstance(term, Weights) for term in terms)

    def require(self, vertices: int, hyperedges: int, heaviest: int) -> None:
        """Raise unless such a hypergraph fits."""
        self.capacity.require(vertices, hyperedges, heaviest if self.reads_weights else 1)

    @property
    def takes_weights(self) -> bool:
        """Whether it reads the weights of hyperedges, or arrays of numbers as large."""
        return any(self._as_large(term) for column in self.layout.columns for term in column.initial)

    def _as_large(self, term: InitialTerm) -> bool:
        return isinstance(term, Weights) or (isinstance(term, Entries) and term.most == self.capacity.weight > 1)

    @property
    def parameters(self) -> int:
        """The number of weights, zeros counted."""
        return sum(matrix.size for matrix in _matrices(self))

    @property
    def nonzeros(self) -> int:
        """The number of weights that are not 0."""
        return sum(int(np.count_nonzero(matrix)) for matrix in _matrices(self))


@lru_cache(maxsize=32)  # by its text: models made from one another share it
def _parsed(text: str) -> Program:
    return from_text(text)


def vouched(model: Model, verified: Verified, *, reproduced: bool | None = None) -> Model:
    """The same model with `verified` set: only for callers that have compiled or checked it."""
    known = copy.copy(model)
    object.__setattr__(known, "verified", verified)
    same = verified in {"compiled", "reproduced"} if reproduced is None else reproduced
    object.__setattr__(known, "reproduced", same)
    return known


def _matrices(model: Model) -> Iterator[npt.NDArray[np.float64]]:
    for layer in model.layers:
        for head in layer.heads:
            yield from (head.query, head.key, head.value)
        yield from layer.mlp.weights


def _check_shapes(number: int, layer: Layer, layout: Layout) -> None:
    d, h = len(layout), layer.mlp.width
    expected = [(d, h), (h, h), (h, h), (h, d)]
    if [weight.shape for weight in layer.mlp.weights] != expected:
        raise ModelError(f"The MLP of layer {number} has matrices of the wrong shape; expected {expected}.")
    if h > d:
        raise ModelError(f"Layer {number} has {h} hidden units; the machine allows at most its {d} columns.")
    for head in layer.heads:
        if head.kind in DIRECTED and not layout.directed:
            raise ModelError(f"A head of layer {number} is {head.kind}, and the layout does not declare directions.")
        if [head.query.shape, head.key.shape, head.value.shape] != [(d, KEY_SIZE), (d, KEY_SIZE), (d, d)]:
            raise ModelError(f"A head of layer {number} has matrices of the wrong shape for {d} columns.")
