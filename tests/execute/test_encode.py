"""The encoder places what it is told, and never sees the incidence."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import CapacityError, ModelError
from hyloop.execute.encode import (
    Frame,
    batch,
    encode,
    encode_by_column,
    encode_by_column_without_inputs,
    encode_without_inputs,
    frame,
    pad,
)
from hyloop.hypergraph import Hypergraph
from hyloop.machine.layer import Layer, no_mlp
from hyloop.machine.layout import STANDARD, Column, Fill, Layout, Mark, Pointer, Position, Weights
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Circle, Parabola
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.run import ProblemInstance, model_of, run
from hyloop.paper.steps import setting


def model_with(*terms, code=None, incidence="weights", dtype="float64"):
    """A model with one column `x` that starts with these terms."""
    columns = (*STANDARD, Column("x", "array", terms), Column("halt", "global"))
    layout = Layout(columns, code or Parabola(), "halt", incidence)
    return Model("test", layout, (Layer((), no_mlp(layout)),), Capacity(5, 9), dtype)


def placed(given_frame, *terms, code=None):
    model = model_with(*terms, code=code)
    X = encode(model, given_frame)
    assert np.array_equal(encode_by_column(model, given_frame).whole(), X)
    begun = encode_by_column_without_inputs(model, given_frame)
    assert np.array_equal(begun.whole(), encode_without_inputs(model, given_frame))
    assert np.array_equal(encode_by_column(model, given_frame, begun).whole(), X)
    assert np.array_equal(begun.whole(), encode_without_inputs(model, given_frame))  # as it was
    return X[:, model.layout.number("x")].tolist()


# Two vertices, three hyperedges, one more row for padding: K = 5.
FRAME = Frame(2, 3, (4, 5, 6), {"source": 2}, padding=1)


@pytest.mark.parametrize(
    ("term", "column"),
    [
        pytest.param(Fill(7, "global"), [7, 0, 0, 0, 0], id="global"),
        pytest.param(Fill(7, "rows"), [0, 7, 7, 7, 7], id="rows"),
        pytest.param(Fill(7, "vertices"), [0, 7, 7, 0, 0], id="vertices"),
        pytest.param(Fill(7, "hyperedges"), [0, 7, 7, 7, 0], id="hyperedges"),
        pytest.param(Fill(7, "past vertices"), [0, 0, 0, 7, 7], id="past_vertices"),
        pytest.param(Fill(7, "past hyperedges"), [0, 0, 0, 0, 7], id="past_hyperedges"),
        pytest.param(Position(0), [0, 1, 2, 3, 4], id="position"),
        pytest.param(Position(1), [0, 1, 4, 9, 16], id="square_of_the_position"),
        pytest.param(Pointer(1, 3), [9, 0, 0, 0, 0], id="pointer_to_a_number"),
        pytest.param(Pointer(1, "source"), [4, 0, 0, 0, 0], id="pointer_to_an_input"),
        pytest.param(Mark(7, "source"), [0, 0, 7, 0, 0], id="mark"),
        pytest.param(Weights(), [0, 4, 5, 6, 0], id="weights"),
    ],
)
def test_a_term_is_placed_on_its_rows(term, column):
    assert placed(FRAME, term) == column


def test_terms_add_up():
    assert placed(FRAME, Fill(7, "vertices"), Mark(-7, "source"), Weights()) == [0, 11, 5, 6, 0]


def test_on_the_circle_positions_and_pointers_are_its_codes():
    quarter = Circle(7)  # 45° a step
    assert placed(FRAME, Position(0), code=quarter) == pytest.approx([0, math.sqrt(1 / 2), 1, math.sqrt(1 / 2), 0])
    assert placed(FRAME, Pointer(1, 0), code=quarter) == [1, 0, 0, 0, 0]
    assert quarter.table(4)[0].tolist() == [0, 1]  # whoever encodes leaves it as it is


def test_the_state_has_the_precision_of_the_model():
    assert encode(model_with(dtype="float32"), FRAME).dtype == np.float32
    assert encode_by_column(model_with(dtype="float32"), FRAME).whole().dtype == np.float32


def test_every_machine_has_at_least_one_row_below_the_top():
    assert Frame(0, 0, ()).size == 2
    assert Frame(1, 4, (1, 1, 1, 1)).size == 5
    assert Frame(4, 1, (1,), padding=2).size == 7


def test_a_missing_input_is_named():
    with pytest.raises(ModelError, match="The input 'source' is missing"):
        placed(Frame(2, 3, (4, 5, 6)), Mark(1, "source"))


@pytest.mark.parametrize(
    ("given_frame", "figures"),
    [
        (Frame(6, 0, ()), "6 vertices and 0 hyperedges; this model holds at most 5"),
        (Frame(1, 6, (1,) * 6), "1 vertices and 6 hyperedges; this model holds at most 5"),
        (Frame(1, 2, (3, 10)), "weighs 10 in integer units; this model holds at most 9"),
    ],
)
def test_an_input_that_does_not_fit_is_refused_with_both_figures(given_frame, figures):
    with pytest.raises(CapacityError, match=figures):
        encode(model_with(), given_frame)


def test_a_batch_is_padded_to_its_largest_input():
    frames = [Frame(1, 0, ()), Frame(2, 4, (1, 2, 3, 4))]
    model = model_with(Weights(), Fill(9, "past hyperedges"))
    states = batch(model, frames)
    assert states.shape[1] == 5
    assert states[:, :, model.layout.number("x")].tolist() == [[0, 9, 9, 9, 9], [0, 1, 2, 3, 4]]


HYPERGRAPH = Hypergraph.from_hyperedges([["a", "b"], ["b"]], weights=[0.5, 0.75], vertices=["a", "b", "c"])


@pytest.mark.parametrize(
    ("entries", "rows"),
    [
        ("ones", [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]),
        ("weights", [[0, 0, 0, 0], [0, 2, 0, 0], [0, 2, 3, 0], [0, 0, 0, 0]]),
    ],
)
def test_the_incidence_is_padded_with_the_entries_that_the_layout_says(entries, rows):
    assert pad(model_with(incidence=entries), HYPERGRAPH, 4).rows(0, 4).tolist() == rows


def test_tails_and_heads_are_placed_where_the_layout_asks_for_them():
    arcs = Hypergraph.from_arcs([(["a", "b"], ["b", "c"]), ([], ["a"]), (["c"], [])], vertices=["a", "b", "c"])
    directed = model_with(incidence="ones")
    directed = replace(directed, layout=replace(directed.layout, directed=True))
    found = pad(directed, arcs, 4)
    assert found.rows(1, 4)[:, 1:].tolist() == [[1, 1, 0], [1, 0, 0], [1, 0, 1]]
    assert found.of_kind("tails").rows(1, 4)[:, 1:].tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert found.of_kind("heads").rows(1, 4)[:, 1:].tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]
    assert not pad(model_with(incidence="ones"), arcs, 4).directed
    same = pad(directed, HYPERGRAPH, 4)
    assert same.of_kind("tails").rows(0, 4).tolist() == same.of_kind("heads").rows(0, 4).tolist()
    assert same.of_kind("tails").rows(0, 4).tolist() == same.rows(0, 4).tolist()


# What the encoder may not know.

ENOUGH = setting(rows=20, weight=100)
numbers_from_1 = st.sets(st.integers(1, 5)).map(sorted)


@st.composite
def twins(draw):
    """Two hypergraphs with the same vertices and the same weights, but other members."""
    weights = draw(st.lists(st.integers(1, 9), max_size=5))
    either = st.lists(numbers_from_1, min_size=len(weights), max_size=len(weights))
    return [Hypergraph.from_hyperedges(draw(either), weights=weights, vertices=range(1, 6)) for _ in range(2)]


@pytest.mark.parametrize("name", ALGORITHMS)
@given(pair=twins(), source=st.integers(0, 4))
def test_another_incidence_gives_the_same_first_state(name, pair, source):
    model = model_of(name, ENOUGH)
    first, second = (
        encode(model, ProblemInstance(h, dict.fromkeys(ALGORITHMS[name].inputs, source)).frame()) for h in pair
    )
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize("code", ["parabola", "circle"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_more_padding_rows_change_nothing(name, code):
    weighted = Hypergraph.from_hyperedges([[1, 2], [2, 3, 4], [4, 1], [5], []], weights=[5, 1, 2, 1, 3])
    task = ProblemInstance(weighted, dict.fromkeys(ALGORITHMS[name].inputs, 3))
    given_setting = setting(rows=20, weight=100, code=code)
    alone = run(name, [task], given_setting)
    for padding in (1, 2, 15):
        assert run(name, [task], given_setting, padding=padding) == alone


def test_a_frame_says_nothing_but_counts_weights_and_inputs():
    said = frame(HYPERGRAPH, {"source": 2}, padding=3)
    assert said == Frame(3, 2, (2, 3), {"source": 2}, 3)
