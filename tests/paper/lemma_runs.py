"""A lemma's layer on one input, without the judge: state in, state out, by name; and inputs drawn over whole ranges."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import strategies as st

from hyloop.execute.dense import Blocks, apply
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.positions import Circle, Parabola
from hyloop.paper.judge import layout_for
from hyloop.paper.lemma import Lemma, Trial

LAST = 39
PARABOLA, CIRCLE = Parabola(), Circle(LAST)  # 40 positions, 9° apart
POINTER = ("C_1", "C_2")
both_codes = pytest.mark.parametrize("code", [PARABOLA, CIRCLE], ids=["parabola", "circle"])


@dataclass(frozen=True)
class State:
    """Every column by name, a list of rows each."""

    columns: dict[str, list[float]]
    close: float = 0

    def __getitem__(self, name):
        return self.columns[name]

    def differs_from(self, expected):
        """The columns that are not as expected."""
        return {
            name: (self[name], values)
            for name, values in expected.items()
            if any(abs(a - b) > self.close for a, b in zip(self[name], values, strict=True))
        }


def before(lemma: Lemma, code, trial: Trial, names=None) -> State:
    """The state that a trial describes; a slot that shares another's column holds what that one holds."""
    names = names or {}
    size, table = trial.size, code.table(LAST)
    columns = {
        "B_global": [1.0] + [0.0] * (size - 1),
        "B_local": [0.0] + [1.0] * (size - 1),
        "P_1": [0.0, *table[1:size, 0]],
        "P_2": [0.0, *table[1:size, 1]],
    }
    if lemma.pointer:
        columns |= {name: [table[trial.pointer or 0, part]] + [0.0] * (size - 1) for part, name in enumerate(POINTER)}
    own = {name: list(map(float, values)) for name, values in trial.columns.items() if name not in names}
    rest = {column.name: [0.0] * size for column in layout_for(lemma, code).columns}
    return State({**rest, **columns, **own})


def after(lemma: Lemma, form, code, trial: Trial, names=None, *, layer=None, tie_tolerance=None) -> State:
    """The state after the lemma's layer (or another), printed or corrected."""
    layout, state = layout_for(lemma, code), before(lemma, code, trial, names)
    if layer is None:
        own = {column.name: column.name for column in layout.columns}
        layer = getattr(lemma, form)(layout, {**own, **(names or {})}, trial.omega)
    X = np.array([state[column.name] for column in layout.columns]).T[np.newaxis]
    A = np.array(trial.incidence or np.zeros((trial.size, trial.size)))
    vertex, hyperedge = np.nonzero(A)
    incidence = PaddedIncidence(trial.size, vertex, hyperedge, A[vertex, hyperedge])
    blocks = Blocks.of([incidence], trial.size, trial.size, "float64")
    tolerance = code.tie_tolerance if tie_tolerance is None else tie_tolerance
    rows = apply(layer, X, blocks, tolerance)[0]
    columns = {column.name: rows[:, number].tolist() for number, column in enumerate(layout.columns)}
    return State(columns, close=1e-6 if isinstance(code, Circle) else 0)


OMEGAS = st.one_of(st.sampled_from([1, 2, 8, 2**20]), st.integers(1, 2**20))


@st.composite
def trials(draw, lemma: Lemma, form="corrected", *, omegas=OMEGAS, pointers=None, **slots):
    """Inputs over the whole declared range, its ends often; `slots` narrow some columns, given Ω."""
    omega = draw(omegas)
    size = draw(st.integers(1 if lemma.rowwise else 2, 7))
    columns = {}
    for slot in lemma.slots_of(form):
        unit = omega if slot.of_omega else 1
        low, high = slot.low * unit, slot.high * unit
        whole = st.one_of(st.sampled_from([low, 0, high]), st.integers(low, high))
        entry = slots[slot.name](omega) if slot.name in slots else whole
        values = [draw(entry) for _ in range(size)]
        alive = {"scalar": range(1), "array": range(1, size), "column": range(size)}[slot.shape]
        columns[slot.name] = tuple(float(value) if row in alive else 0.0 for row, value in enumerate(values))
    past = st.integers(0, LAST - 1) if not lemma.points_at_a_row else st.integers(0, LAST)
    where = pointers(size) if pointers else st.one_of(st.integers(0, size - 1), past)
    pointer = draw(where) if lemma.pointer else None
    matrix = ()
    if lemma.incidence:
        inner = [[draw(st.integers(0, 3)) for _ in range(size - 1)] for _ in range(size - 1)]
        matrix = ((0.0,) * size, *((0.0, *map(float, row)) for row in inner))
    return Trial(float(omega), columns, pointer, matrix)
