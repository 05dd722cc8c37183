"""Why the circle needs a tie tolerance, and the parabola none."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.execute.dense import Blocks, apply
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Circle, Parabola
from hyloop.paper.lemmas import read_incidence
from paper.lemma_runs import CIRCLE, LAST


def column_read(c, *, longer, tie_tolerance):
    """What read incidence brings if the pointer to `c` is longer than the position by that factor; `Ã[:, c] = 3`."""
    columns = (*STANDARD, *(Column(name, "array") for name in ("C_1", "C_2", "D")), Column("halt", "global"))
    layout, size = Layout(columns, CIRCLE, "halt"), 6
    X = np.zeros((1, size, len(layout)))
    X[0, 0, layout.number("B_global")] = 1
    X[0, 1:, layout.number("B_local")] = 1
    for part in (0, 1):
        X[0, 1:, layout.number(f"P_{part + 1}")] = CIRCLE.table(LAST)[1:size, part]
        X[0, 0, layout.number(f"C_{part + 1}")] = CIRCLE.table(LAST)[c, part] * (1 + longer)
    rows = np.arange(1, size)
    incidence = PaddedIncidence(size, rows, np.full(size - 1, c), np.full(size - 1, 3.0))
    layer = read_incidence.printed(layout, ("C_1", "C_2"), "D")
    after = apply(layer, X, Blocks.of([incidence], size, size, "float64"), tie_tolerance)
    return after[0, 1:, layout.number("D")].tolist()


@pytest.mark.parametrize("c", [1, 3, 5])
def test_a_pointer_longer_by_1e_15_reads_twice_the_column_without_a_tolerance(c):
    """Row c then sees row 0 alone instead of tying with it, and the factor 2 that mends the tie is too much."""
    assert column_read(c, longer=1e-15, tie_tolerance=0.0) == [6.0] * 5
    assert column_read(c, longer=1e-15, tie_tolerance=1e-9) == [3.0] * 5


def fused(a, b, c):
    """`a b + c` rounded once, as a fused multiply-add does; `float` of a fraction rounds to nearest."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def ways_to_add(q, k):
    """A score `q·k` with every operation rounded, and with either product fused into the sum."""
    return q[0] * k[0] + q[1] * k[1], fused(q[0], k[0], q[1] * k[1]), fused(q[1], k[1], q[0] * k[0])


@pytest.mark.parametrize("rows", [8, 39, 100])
def test_on_the_circle_a_tie_breaks_between_two_ways_to_add_up_one_score(rows):
    """Row 0 and row c have equal keys: their scores tie only if both happen to be added up in the same way."""
    codes = Circle(rows).table(rows).tolist()
    torn = [c for c in range(1, rows + 1) if len(set(ways_to_add(codes[c], codes[c]))) > 1]
    assert torn
    spread = max(max(scores) - min(scores) for scores in (ways_to_add(code, code) for code in codes))
    assert 0 < spread < Circle(rows).tie_tolerance


@given(i=st.integers(0, 94_906_265), j=st.integers(0, 94_906_265))
def test_on_the_parabola_every_way_to_add_up_a_score_gives_the_same(i, j):
    (c, square), feeds = (float(j), float(j * j)), Parabola().query("first", "second", ["one"])
    query = (feeds["first", 0] * i, feeds["one", 1])
    assert set(ways_to_add(query, (c, square))) == {float(2 * i * j - j * j)}
