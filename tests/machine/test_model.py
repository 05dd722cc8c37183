"""A model whose parts do not fit together, or an input that does not fit the model, is refused with the figures."""

from dataclasses import replace

import numpy as np
import pytest

from hyloop.errors import CapacityError, ModelError
from hyloop.machine.heads import broadcast
from hyloop.machine.layer import Head, Layer, Mlp, no_mlp, one_stage
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.model import EXACT, Capacity, Model
from hyloop.machine.positions import Circle, Parabola

LAYOUT = Layout((*STANDARD, Column("halt", "global")), Parabola(), "halt")
ROUND = Layout(LAYOUT.columns, Circle(10), "halt")
D = len(LAYOUT)
STOP = Layer((broadcast(LAYOUT, {("B_global", "halt"): 1}),), no_mlp(LAYOUT))


def model(layer=STOP, layout=LAYOUT, **options):
    return Model("test", layout, (layer,), Capacity(5, 9), **options)


class TestModel:
    def test_without_layers_is_refused(self):
        with pytest.raises(ModelError, match="'test' has no layers"):
            Model("test", LAYOUT, (), Capacity(5, 9))

    def test_as_many_hidden_units_as_columns_are_allowed_and_one_more_is_not(self):
        units = {f"unit {number}": {"halt": 1.0} for number in range(D + 1)}
        fits = dict(list(units.items())[:D])
        assert model(Layer((), one_stage(LAYOUT, fits, {}))).layers[0].mlp.width == D
        with pytest.raises(ModelError, match=f"Layer 0 has {D + 1} hidden units; .* at most its {D} columns"):
            model(Layer((), one_stage(LAYOUT, units, {})))

    @pytest.mark.parametrize("part", ["query", "key", "value"])
    def test_a_head_made_for_other_columns_is_refused(self, part):
        head = STOP.heads[0]
        wrong = replace(head, **{part: np.zeros((D + 1, getattr(head, part).shape[1]))})
        with pytest.raises(ModelError, match=f"A head of layer 0 has matrices of the wrong shape for {D} columns"):
            model(Layer((wrong,), no_mlp(LAYOUT)))

    def test_a_head_with_a_key_size_other_than_two_is_refused(self):
        head = Head("plain", np.zeros((D, 3)), np.zeros((D, 3)), np.zeros((D, D)))
        with pytest.raises(ModelError, match="wrong shape"):
            model(Layer((head,), no_mlp(LAYOUT)))

    @pytest.mark.parametrize("stage", range(4))
    def test_an_mlp_matrix_of_another_shape_is_refused(self, stage):
        weights = [np.zeros((D, 1)), np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, D))]
        assert model(Layer((), Mlp(tuple(weights), names=("unit",)))).layers[0].mlp.width == 1
        weights[stage] = np.zeros((D, D))
        with pytest.raises(ModelError, match=r"The MLP of layer 0 .* wrong shape; expected \[\(5, [15]\)"):
            model(Layer((), Mlp(tuple(weights), names=("unit",))))

    def test_directions_are_declared_in_the_layout(self):
        layer = Layer((Head("tails", np.zeros((D, 2)), np.zeros((D, 2)), np.zeros((D, D))),), no_mlp(LAYOUT))
        assert model(layer, replace(LAYOUT, directed=True)).layout.directed
        with pytest.raises(ModelError, match="A head of layer 0 is tails, and the layout does not declare directions"):
            model(layer)

    def test_a_tie_tolerance_is_for_the_circle_only(self):
        on_the_circle = Layer((broadcast(ROUND, {("B_global", "halt"): 1}),), no_mlp(ROUND))
        assert model(on_the_circle, ROUND, tie_tolerance=1e-9).tie_tolerance == 1e-9
        with pytest.raises(ModelError, match="A tie tolerance is for the circle only"):
            model(tie_tolerance=1e-9)

    def test_parameters_count_every_weight_zeros_included(self):
        layer = Layer(STOP.heads, one_stage(LAYOUT, {"a": {"halt": 1.0}, "b": {"P_1": 1.0}}, {}))
        head, mlp = D * 2 + D * 2 + D * D, D * 2 + 2 * 2 + 2 * 2 + 2 * D
        assert model(layer).parameters == head + mlp


class TestCapacity:
    def test_what_fits_is_let_through_up_to_the_last_row_and_unit(self):
        Capacity(5, 9).require(5, 5, 9)

    @pytest.mark.parametrize(("vertices", "hyperedges"), [(6, 2), (2, 6)])
    def test_too_many_rows_are_refused_with_both_figures(self, vertices, hyperedges):
        with pytest.raises(
            CapacityError,
            match=rf"{vertices} vertices and {hyperedges} hyperedges; .* at most 5 .*\(--rows 6\)",
        ):
            Capacity(5, 9).require(vertices, hyperedges, 1)

    def test_too_much_weight_is_refused_with_both_figures(self):
        with pytest.raises(CapacityError, match=r"weighs 10 in integer units; this model holds at most 9\. Compile it"):
            Capacity(5, 9).require(1, 1, 10)

    @pytest.mark.parametrize(("rows", "weight"), [(0, 1), (1, 0), (-1, 5)])
    def test_a_capacity_for_nothing_is_refused_with_both_figures(self, rows, weight):
        with pytest.raises(CapacityError, match=f"given {rows} and {weight}"):
            Capacity(rows, weight)


@pytest.mark.parametrize("dtype", EXACT)
def test_every_integer_up_to_the_exact_limit_is_exact_and_the_next_is_not(dtype):
    kind, limit = np.dtype(dtype).type, EXACT[dtype]
    assert int(kind(limit - 1)) == limit - 1
    assert int(kind(limit)) == limit
    assert int(kind(limit + 1)) != limit + 1


@pytest.mark.parametrize("given", [("1", 1), (None, None), (1.5, 1), (1, True), (float("nan"), 1)])
def test_a_capacity_is_two_whole_numbers(given):
    with pytest.raises(CapacityError, match="A capacity is two whole numbers"):
        Capacity(*given)


def test_integers_of_numpy_are_whole_numbers():
    made = Capacity(np.int64(50), np.uint8(3))
    assert made == Capacity(50, 3)
    assert {type(made.rows), type(made.weight)} == {int}
