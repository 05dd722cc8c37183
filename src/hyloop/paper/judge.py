"""Does a lemma hold? Its layer is run on random inputs within the declared ranges and compared with the promise.

A failing input is shrunk before it is shown: fewer rows, more zeros, smaller numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from hyloop.execute.dense import Blocks, apply
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Layer
from hyloop.machine.layout import B_GLOBAL, B_LOCAL, P1, P2, STANDARD, Column, Layout
from hyloop.machine.positions import PositionCode
from hyloop.paper.lemma import Lemma, Names, Situation, Slot, Trial

Matrix = npt.NDArray[np.float64]
FormName = Literal["printed", "corrected"]
POINTER = ("C_1", "C_2")
SIZES = (1, 2, 3, 6)
LAST = 39  # the circle of the trials has 40 positions, 9° apart
CLOSE = 1e-6  # on the circle only, whose numbers are rounded sines; everything else is compared exactly


@dataclass(frozen=True)
class BrokenPromise:
    """Where a layer breaks its promise: trial, column, row, the expected and the actual value."""

    trial: Trial
    column: str
    row: int
    expected: float
    found: float

    def __str__(self) -> str:
        given = ", ".join(f"{name}={_show(values)}" for name, values in self.trial.columns.items())
        pointer = "" if self.trial.pointer is None else f", c={self.trial.pointer}"
        where = self.column if self.trial.size == 1 else f"{self.column}[{self.row}]"
        found, expected = _number(self.found), _number(self.expected)
        return f"Ω={_number(self.trial.omega)}, {given}{pointer}: {where} is {found}, not {expected}"


@dataclass(frozen=True)
class LemmaVerdict:
    """The outcome of trials: their number, the number of failures, and the smallest failure."""

    trials: int
    failures: int
    smallest: BrokenPromise | None
    layer: Layer

    @property
    def holds(self) -> bool:
        """Whether no trial failed."""
        return self.failures == 0


def judge(
    lemma: Lemma, form: FormName, code: PositionCode, *, trials: int = 300, seed: int = 0, names: Names | None = None
) -> LemmaVerdict:
    """Run a lemma's layer on random inputs of 1 to 6 rows within its declared ranges (and on its named defects)."""
    rng = np.random.default_rng(seed)
    given = [defect.trial for defect in lemma.defects if form == "printed"]
    given += [draw(lemma, form, rng, size) for size in (SIZES if lemma.rowwise else SIZES[1:]) for _ in range(trials)]
    names = names or {}
    failures = [failure for failure in differences(lemma, form, code, given, names) if failure is not None]
    layer = _layer(lemma, form, layout_for(lemma, code), 8.0, names)
    smallest = min((shrink(lemma, form, code, failure) for failure in failures[:20]), key=_weight, default=None)
    return LemmaVerdict(len(given), len(failures), smallest, layer)


def differences(
    lemma: Lemma, form: FormName, code: PositionCode, trials: Sequence[Trial], names: Names
) -> Iterator[BrokenPromise | None]:
    """For each trial, the first place where the layer breaks its promise, if any. Trials of one size form a batch."""
    found: dict[int, BrokenPromise | None] = {}
    groups: dict[tuple[int, float], list[int]] = {}
    for number, trial in enumerate(trials):
        groups.setdefault((trial.size, trial.omega), []).append(number)
    for members in groups.values():
        batch = [trials[number] for number in members]
        found.update(zip(members, _run(lemma, form, code, batch, names), strict=True))
    return (found[number] for number in range(len(trials)))


def draw(lemma: Lemma, form: FormName, rng: np.random.Generator, size: int) -> Trial:
    """A random input of `K = size` rows within the declared ranges. Only the corrected form has pointers to none."""
    omega = float(rng.choice([1, 2, 8]))
    columns = {slot.name: _column(slot, omega, rng, size) for slot in lemma.slots_of(form)}
    first, past = (int(form == "printed"), size) if lemma.points_at_a_row else (0, LAST)
    pointer = int(rng.integers(first, past)) if lemma.pointer else None
    incidence = _matrix(rng, size) if lemma.incidence else ()
    return Trial(omega, columns, pointer, incidence)


def shrink(lemma: Lemma, form: FormName, code: PositionCode, failure: BrokenPromise) -> BrokenPromise:
    """The smallest failing input reachable by single changes: entries to 0, towards 0, a lower pointer."""
    while True:
        smaller = list(_simpler(failure.trial))
        failing = [each for each in differences(lemma, form, code, smaller, {}) if each is not None]
        if not failing:
            return failure
        failure = min(failing, key=_weight)


def layout_for(lemma: Lemma, code: PositionCode) -> Layout:
    """The standard columns and those of the lemma."""
    names = [*(POINTER if lemma.pointer else ()), *(slot.name for slot in lemma.slots), *lemma.scratch]
    return Layout((*STANDARD, *(Column(name, "array") for name in names), Column("halt", "global")), code, "halt")


def _layer(lemma: Lemma, form: FormName, layout: Layout, omega: float, names: Names) -> Layer:
    own = {column.name: column.name for column in layout.columns}
    return (lemma.printed if form == "printed" else lemma.corrected)(layout, {**own, **names}, omega)


def _run(
    lemma: Lemma, form: FormName, code: PositionCode, trials: Sequence[Trial], names: Names
) -> list[BrokenPromise | None]:
    size, omega = trials[0].size, trials[0].omega
    layout = layout_for(lemma, code)
    given = _given(lemma, code, trials, names)
    X = _state(layout, given)
    blocks = Blocks.of([_padded(matrix) for matrix in given.incidence], size, size, "float64")
    after = apply(_layer(lemma, form, layout, omega, names), X, blocks, code.tie_tolerance)
    expected = X.copy()
    for slot, values in lemma.promise(given).items():
        expected[:, :, layout.number(names.get(slot, slot))] = values
    wrong = np.abs(after - expected) > (CLOSE if code.tie_tolerance else 0)
    return [_first(layout, *each) for each in zip(trials, wrong, expected, after, strict=True)]


def _given(lemma: Lemma, code: PositionCode, trials: Sequence[Trial], names: Names) -> Situation:
    size = trials[0].size
    pointers = np.array([trial.pointer or 0 for trial in trials], dtype=np.int64)
    values: dict[str, Matrix] = {
        slot.name: np.array([trial.columns[slot.name] for trial in trials], dtype=np.float64) for slot in lemma.slots
    }
    if lemma.pointer:
        codes = code.table(LAST)[pointers]
        values |= {name: codes[:, [part]] * np.eye(1, size) for part, name in enumerate(POINTER)}
    values |= {slot: values[column] for slot, column in names.items()}
    empty = np.zeros((size, size))
    incidence = np.array([trial.incidence or empty for trial in trials], dtype=np.float64)
    return Situation(values, pointers, incidence, code.table(LAST))


def _state(layout: Layout, given: Situation) -> Matrix:
    X = np.zeros((len(given.pointers), given.size, len(layout)))
    X[:, 0, layout.number(B_GLOBAL)] = 1
    X[:, 1:, layout.number(B_LOCAL)] = 1
    for part, name in enumerate((P1, P2)):
        X[:, 1:, layout.number(name)] = given.codes[1 : given.size, part]
    for slot, values in given.values.items():
        X[:, :, layout.number(slot)] = values
    return X


def _first(layout: Layout, trial: Trial, wrong: Matrix, expected: Matrix, found: Matrix) -> BrokenPromise | None:
    if not wrong.any():
        return None
    row, column = (int(number[0]) for number in np.nonzero(wrong))
    name = layout.columns[column].name
    return BrokenPromise(trial, name, row, float(expected[row, column]), float(found[row, column]))


def _column(slot: Slot, omega: float, rng: np.random.Generator, size: int) -> tuple[float, ...]:
    unit = omega if slot.of_omega else 1
    values = rng.integers(int(slot.low * unit), int(slot.high * unit) + 1, size).astype(np.float64)
    if slot.halves:
        values = np.clip(values + rng.integers(0, 3, size) / (2 * omega), slot.low * unit, slot.high * unit)
    rows = {"scalar": slice(1, None), "array": slice(0, 1), "column": slice(0, 0)}[slot.shape]
    values[rows] = 0
    return tuple(values.tolist())


def _matrix(rng: np.random.Generator, size: int) -> tuple[tuple[float, ...], ...]:
    entries = rng.integers(0, 4, (size, size)) * rng.integers(0, 2, (size, size))
    entries[0] = entries[:, 0] = 0
    return tuple(tuple(float(entry) for entry in row) for row in entries)


def _padded(matrix: Matrix) -> PaddedIncidence:
    vertex, hyperedge = np.nonzero(matrix)
    return PaddedIncidence(len(matrix), vertex, hyperedge, matrix[vertex, hyperedge])


def _simpler(trial: Trial) -> Iterator[Trial]:
    for name, values in trial.columns.items():
        for row, value in enumerate(values):
            for less in {0.0, float(np.sign(value)), float(np.trunc(value / 2)), float(np.trunc(value))} - {value}:
                changed = (*values[:row], less, *values[row + 1 :])
                yield replace(trial, columns={**trial.columns, name: changed})
    if trial.pointer is not None and trial.pointer > 1:
        yield replace(trial, pointer=trial.pointer - 1)


def _weight(failure: BrokenPromise) -> tuple[float, ...]:
    entries = [abs(entry) for values in failure.trial.columns.values() for entry in values]
    pointer = failure.trial.pointer or 0
    return failure.trial.size, sum(entry != 0 for entry in entries), sum(entries), pointer, failure.trial.omega


def _show(values: tuple[float, ...]) -> str:
    shown = [_number(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _number(value: float) -> str:
    return f"{value + 0.0:.6g}"  # adding 0 turns -0 into 0
