"""The attention patterns: who sees whom, on both position codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.execute.dense import Blocks, hardmax
from hyloop.machine.heads import broadcast, identity, least, pointer
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Circle, Parabola

COLUMNS = (*STANDARD, Column("c_1", "global"), Column("c_2", "global"), Column("x", "array"), Column("halt", "global"))
LAST = 20
LAYOUTS = {code.name: Layout(COLUMNS, code, "halt") for code in (Parabola(), Circle(LAST))}
both_codes = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
sizes = st.integers(1, 9)


def attention(layout, head, size, *, c=0, x=()):
    """The attention matrix: what a head brings if row j holds the j-th unit vector."""
    X = np.zeros((1, size, len(layout)))
    X[0, 0, layout.number("B_global")] = 1
    X[0, 1:, layout.number("B_local")] = 1
    codes = layout.positions.table(LAST)
    for part in (0, 1):
        X[0, 1:, layout.number(f"P_{part + 1}")] = codes[1:size, part]
        X[0, 0, layout.number(f"c_{part + 1}")] = codes[c, part]
    X[0, 1:, layout.number("x")] = x or 0
    blocks = Blocks([], size, size, "float64")
    return hardmax(head, X, np.eye(size)[np.newaxis], blocks, layout.positions.tie_tolerance)[0]


@both_codes
@given(size=sizes)
def test_identity_lets_every_row_see_itself(layout, size):
    assert attention(layout, identity(layout, {}), size).tolist() == np.eye(size).tolist()


@both_codes
@given(size=sizes)
def test_broadcast_lets_every_row_see_the_top(layout, size):
    assert (attention(layout, broadcast(layout, {}), size) == np.eye(1, size)).all()


@both_codes
@given(size=st.integers(2, 9), data=st.data())
def test_a_pointer_ties_the_top_with_the_row_that_it_names(layout, size, data):
    c = data.draw(st.integers(1, size - 1))
    expected = np.eye(size)
    for row in (0, c):
        expected[row] = 0
        expected[row, [0, c]] = 1 / 2
    assert attention(layout, pointer(layout, ("c_1", "c_2"), {}), size, c=c).tolist() == expected.tolist()


@both_codes
@given(size=sizes, data=st.data())
def test_a_pointer_to_no_row_leaves_every_row_with_itself(layout, size, data):
    c = data.draw(st.one_of(st.just(0), st.integers(size, LAST)))
    seen = attention(layout, pointer(layout, ("c_1", "c_2"), {}), size, c=c)
    assert seen.tolist() == np.eye(size).tolist()


@both_codes
@given(x=st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_least_lets_the_top_see_the_rows_with_the_least_entry_and_them_the_top(layout, x):
    seen = attention(layout, least(layout, "x", 8, {}), len(x) + 1, x=x)
    here = [entry == min(x) for entry in x]
    assert seen[0].tolist() == [0, *(each / sum(here) for each in here)]
    assert (seen[1:] == np.eye(1, len(x) + 1)).all()
