"""What of a model may sleep, and when: the licences of each column, for people.

Runs do not use it: they show for each row, with its own values, that it may sleep. Here rows are all cases of 0 and 1
in what a column depends on, and the boxes of numbers are those of a short run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.cpu.quiet.engine import LeftError, QuietEngine
from hyloop.execute.cpu.quiet.gadgets import Linear
from hyloop.execute.cpu.quiet.kernel import NumpyArithmetic, NumpyKernel
from hyloop.execute.cpu.quiet.memory import IntArray, QuietMemory
from hyloop.execute.cpu.quiet.ranges import Range, Row
from hyloop.execute.cpu.quiet.wiring import Part, RefusedError, Wiring
from hyloop.machine.incidence import PaddedIncidence

CASES = 12  # inputs of which all cases are tried; of more, some
BEGINNING, ITERATIONS = 3, 9  # of the short run
FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Licence:
    """When a column of a row sleeps in a layer: what wakes it, and what must hold of the row besides."""

    layer: int
    column: str
    woken_by: tuple[str, ...]  # its own columns, products and numbers that name rows
    sleeps: str
    moved_by: tuple[str, ...]  # numbers that keep it awake otherwise


@dataclass(frozen=True)
class Report:
    """The licences of a model; or why there are none."""

    refused: str
    numbers: dict[str, str]
    licences: tuple[Licence, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def report(plan: Plan, names: Sequence[str], X: FloatArray, incidence: PaddedIncidence) -> Report:
    """The licences of a plan, with the boxes of a short run from a state."""
    try:
        wiring = Wiring(plan)  # one of its own: what it says does not depend on runs before
        memory = _boxed(wiring, X, incidence)
    except RefusedError as refused:
        return Report(f"All rows are computed in every iteration: {refused}.", {}, ())
    except LeftError:
        return Report("All rows are computed in every iteration: sums could be too large to be exact.", {}, ())
    named = _Names(wiring, names)
    boxes: dict[str, str] = {}
    licences = []
    for number, part in enumerate(wiring.parts):
        for ref, low, high in zip(part.scalars, memory.low[number], memory.high[number], strict=True):
            boxes[f"{named.number(part, ref)}, layer {part.layer + 1}"] = (
                f"{low} to {high}" if low < high else "until it changes"
            )
        licences += _Part(memory, number, named).licences()
    return Report("", boxes, tuple(licences))


def _boxed(wiring: Wiring, X: FloatArray, incidence: PaddedIncidence) -> QuietMemory:
    engine = QuietEngine(wiring.plan, X, incidence, NumpyKernel, patient=True, wiring=wiring)
    engine.run(BEGINNING)
    engine.memory.unbox()  # what changed at the beginning only is a constant from now on
    engine.run(ITERATIONS)
    return engine.memory


class _Names:
    def __init__(self, wiring: Wiring, columns: Sequence[str]) -> None:
        self.wiring, self.columns = wiring, columns

    def number(self, part: Part, ref: Ref) -> str:
        """A number of the iteration: the columns that it is made from."""
        if ref.space == "column":
            return self.columns[ref.number]
        if ref.space == "brought":
            return self.columns[self.wiring.plan.layers[part.layer].brought[ref.number].column]
        node = self.wiring.plan.layers[part.layer].body.nodes[ref.number]
        made_from = [self.number(part, each).removeprefix("from ") for each, _ in node.of.terms]
        return f"from {' and '.join(dict.fromkeys(made_from))}"

    def vector(self, part: Part, ref: Ref) -> str:
        """A column of the row, or a product that it receives."""
        if ref.space == "column":
            return self.columns[ref.number]
        for each in self.wiring.products:
            if (each.layer, each.to) == (part.layer, ref.number):
                sources = [self.columns[source.number] for source, _ in each.source[0].terms]
                return f"{' and '.join(sources)} times {each.kind}"
        for gather in self.wiring.gathers:
            if gather.layer == part.layer and ref.number in gather.to:
                _, body = gather.values[gather.to.index(ref.number)]
                return f"{self.sum(part, body)} of the row that its {self.sum(part, gather.pointer.own)} names"
        return self.columns[self.wiring.plan.layers[part.layer].brought[ref.number].column]

    def sum(self, part: Part, of: Linear) -> str:
        """The columns of a sum."""
        return " and ".join(self.vector(part, ref) for ref, _ in of.terms)


class _Part:
    """All cases of a part."""

    def __init__(self, memory: QuietMemory, number: int, names: _Names) -> None:
        self.memory, self.wiring, self.number, self.names = memory, memory.wiring, number, names
        self.part = self.wiring.parts[number]
        position = Ref("column", self.wiring.position)
        self.inputs = [ref for ref in self.part.reads if ref != position]
        self.cases = _cases(len(self.inputs))
        self.values: dict[Ref, IntArray] = dict(zip(self.inputs, self.cases.T, strict=True))
        self.values[position] = np.full(len(self.cases), memory.count + 7)  # a row that no number names

    def licences(self) -> list[Licence]:
        awake = self._awake({})
        return [self._licence(at, awake[at]) for at in range(len(self.part.outputs))]

    def _awake(self, narrow: dict[Ref, int]) -> list[npt.NDArray[np.bool_]]:
        """For each output, the cases in which it may become something else."""
        place = {ref: at for at, ref in enumerate(self.part.scalars)}

        def scalar(ref: Ref) -> Range[IntArray]:
            at, arrays = place[ref], (self.memory.scalars, self.memory.low, self.memory.high)
            now, low, high = (np.asarray(each[self.number][at]) for each in arrays)
            now = np.clip(now, low, high)
            return Range(now, now, now) if ref in narrow else Range(now, low, high)

        found = Row(self.part, NumpyArithmetic(), self.values.__getitem__, scalar).outputs()
        return [np.broadcast_to((each.low != each.now) | (each.high != each.now), len(self.cases)) for each in found]

    def _licence(self, at: int, awake: npt.NDArray[np.bool_]) -> Licence:
        part, names = self.part, self.names
        moved = (
            [ref for ref in part.scalars if not np.array_equal(self._awake({ref: 1})[at], awake)] if awake.any() else []
        )
        woken = [names.vector(part, ref) for ref in self.inputs if self._changes(ref)]
        for watch in part.watches:
            named = " and ".join(names.number(part, ref) for ref, _ in watch.offset.terms)
            row = "the row" if watch.own is None else f"its {names.sum(part, watch.own)}"
            woken.append(f"{named}, {'passing' if watch.across else 'naming'} {row}")
        slot = part.outputs[at][0]
        column = names.columns[slot.column]
        if slot.case is not None and self.wiring.split is not None:
            column += f", where {names.number(part, self.wiring.split.flag)} is {slot.case}"
        return Licence(
            part.layer + 1,
            column,
            tuple(dict.fromkeys(woken)),
            self._when(awake),
            tuple(dict.fromkeys(names.number(part, ref) for ref in moved)),
        )

    def _changes(self, ref: Ref) -> bool:
        return ref.space == "brought" or self.wiring.slot(self.part.layer, ref.number).writer is not None

    def _when(self, awake: npt.NDArray[np.bool_]) -> str:
        if not awake.any():
            return "always"
        enough = [
            f"{self.names.vector(self.part, ref)} = {value}"
            for ref in self.inputs
            for value in (0, 1)
            if not awake[self.values[ref] == value].any()
        ]
        if enough:
            return "if " + " or ".join(enough)
        return f"in {int((~awake).sum())} of {len(awake)} cases" if not awake.all() else "while no number changes"


def _cases(inputs: int) -> IntArray:
    if inputs <= CASES:
        return np.array(list(product((0, 1), repeat=inputs)), np.int64).reshape(2**inputs, inputs)
    return np.random.default_rng(0).integers(0, 2, (2**CASES, inputs))
