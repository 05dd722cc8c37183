"""A layer from named entries; and several independent layers merged into one that does the same."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import ModelError
from hyloop.execute.dense import Blocks, apply
from hyloop.machine.heads import broadcast, identity
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp, head, linear, merge, mlp, no_mlp, nonzero_rows, one_stage
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Parabola

NAMES = ("shared", "a", "a_mlp", "b", "b_mlp")
LAYOUT = Layout(
    (*STANDARD, *(Column(name, "array") for name in NAMES), Column("halt", "global")), Parabola(), halt="halt"
)


def attends(source, target):
    return Layer((broadcast(LAYOUT, {(source, target): 1}),), no_mlp(LAYOUT)).named(f"{target} += {source}")


def computes(source, target):
    return Layer((), one_stage(LAYOUT, {"unit": {source: 1.0}}, {("unit", target): 1})).named(f"{target} ← {source}")


class TestEntries:
    def test_a_head_has_the_named_entries_and_zeros(self):
        made = head(LAYOUT, "incidence", {("a", 0): 2, ("b", 1): -1}, {("P_2", 1): 1}, {("shared", "b"): 3})
        assert made.kind == "incidence"
        assert made.query.shape == made.key.shape == (len(LAYOUT), 2)
        assert {(LAYOUT.columns[i].name, int(j)): made.query[i, j] for i, j in np.argwhere(made.query)} == {
            ("a", 0): 2,
            ("b", 1): -1,
        }
        assert made.value[LAYOUT.number("shared"), LAYOUT.number("b")] == made.value.sum() == 3

    def test_a_head_knows_what_it_reads_and_writes(self):
        made = head(LAYOUT, "plain", {("a", 0): 2}, {("b", 1): 1}, {("shared", "a_mlp"): 3})
        assert made.reads == {LAYOUT.number(name) for name in ("a", "b", "shared")}
        assert made.writes == {LAYOUT.number("a_mlp")}

    def test_an_mlp_makes_a_unit_for_every_name_once(self):
        made = mlp(LAYOUT, {("a", "u"): 1}, {("u", "v"): 2}, {("v", "w"): 3}, {("w", "b"): 4})
        assert made.names == ("u", "v", "w")
        assert [weight.sum() for weight in made.weights] == [1, 2, 3, 4]
        assert made.reads == {LAYOUT.number("a")}
        assert made.writes == {LAYOUT.number("b")}

    def test_an_unknown_column_is_an_error(self):
        with pytest.raises(ModelError, match="no column 'nowhere'"):
            head(LAYOUT, "plain", {("nowhere", 0): 1}, {}, {})
        with pytest.raises(ModelError, match="no column 'nowhere'"):
            mlp(LAYOUT, {("nowhere", "u"): 1}, {}, {}, {})

    def test_weights_cannot_be_changed_afterwards(self):
        layer = merge(LAYOUT, [attends("shared", "a"), computes("shared", "b")])
        for weight in (layer.heads[0].query, layer.heads[0].key, layer.heads[0].value, *layer.mlp.weights):
            with pytest.raises(ValueError, match="read-only"):
                weight[0, 0] = 1

    def test_linear_forms_add_up(self):
        assert linear({"a": 1, "b": 2}, {"a": -1, "c": 3}) == {"a": 0, "b": 2, "c": 3}

    def test_nonzero_rows(self):
        assert nonzero_rows(np.array([[0.0, 0], [0, -1], [2, 0], [0, 0]])) == {1, 2}


class TestOneStage:
    def test_a_unit_whose_weights_cancel_is_left_out_with_what_it_would_write(self):
        units = {"gone": linear({"a": 1.0}, {"a": -1.0}), "kept": {"b": 1.0}}
        made = one_stage(LAYOUT, units, {("gone", "a"): 1, ("kept", "b"): -1})
        assert made.names == ("kept",)
        assert made.writes == {LAYOUT.number("b")}

    @given(x=st.integers(-9, 9))
    def test_it_is_one_relu(self, x):
        X = np.zeros((1, 1, len(LAYOUT)))
        X[0, 0, LAYOUT.number("a")] = x
        layer = Layer((), one_stage(LAYOUT, {"unit": {"a": 2.0}}, {("unit", "b"): 3}))
        assert apply(layer, X, Blocks([], 1, 1, "float64"))[0, 0, LAYOUT.number("b")] == 3 * max(2 * x, 0)


class TestMerge:
    def test_heads_that_attend_alike_become_one(self):
        merged = merge(LAYOUT, [attends("shared", "a"), attends("shared", "b")])
        (only,) = merged.heads
        assert only.value[LAYOUT.number("shared")].tolist() == [
            float(column.name in {"a", "b"}) for column in LAYOUT.columns
        ]
        assert merged.notes == ("a += shared", "b += shared")

    def test_heads_that_attend_differently_stay_apart(self):
        parts = [
            Layer((identity(LAYOUT, {("shared", target): 1}, kind),), no_mlp(LAYOUT)).named(target)
            for kind, target in (("plain", "a"), ("incidence", "b"), ("transposed", "a_mlp"))
        ]
        assert [each.kind for each in merge(LAYOUT, parts).heads] == ["plain", "incidence", "transposed"]
        assert len(merge(LAYOUT, [attends("shared", "a"), parts[1]]).heads) == 2

    def test_layers_without_an_mlp_merge_into_one_without(self):
        assert merge(LAYOUT, [attends("shared", "a"), attends("shared", "b")]).mlp.width == 0

    @pytest.mark.parametrize(
        ("first", "second", "column"),
        [
            pytest.param(computes("shared", "b"), computes("a", "b"), "b", id="both_write_one_column"),
            pytest.param(attends("shared", "a"), computes("a", "b"), "a", id="second_mlp_sees_first_attention"),
            pytest.param(computes("a", "b"), attends("shared", "a"), "a", id="first_mlp_sees_second_attention"),
        ],
    )
    def test_parts_that_are_not_independent_are_refused_by_name(self, first, second, column):
        what = f"{first.notes[0]} and {second.notes[0]}"
        with pytest.raises(ModelError) as refusal:
            merge(LAYOUT, [first, second])
        assert str(refusal.value) == f"{what} cannot share a layer: both use column {column} and one writes it."

    def test_a_part_may_attend_to_what_another_computes(self):
        """Attention comes before the MLP, so it sees the state as it was."""
        X = np.zeros((1, 2, len(LAYOUT)))
        X[0, 0, LAYOUT.number("B_global")] = X[0, 1, LAYOUT.number("B_local")] = 1
        X[0, 0, LAYOUT.number("a")], X[0, 0, LAYOUT.number("shared")] = 5, 7
        both = merge(LAYOUT, [computes("shared", "a"), attends("a", "b")])
        after = apply(both, X, Blocks([], 2, 2, "float64"))[0]
        assert after[:, LAYOUT.number("a")].tolist() == [12, 0]
        assert after[:, LAYOUT.number("b")].tolist() == [5, 5]


# Averages over up to four rows of multiples of 12 are integers, so that everything below is exact.
SIZE, EVEN = 4, 12
small = st.integers(-2, 2)


@st.composite
def parts(draw, own, other):
    """A layer that adds to `own` by attention, to `own` and `own_mlp` by its MLP; it may look at `other_mlp` too."""
    looked_at = draw(st.lists(st.sampled_from([column.name for column in LAYOUT.columns]), min_size=1, max_size=3))
    heads = tuple(
        head(
            LAYOUT,
            draw(st.sampled_from(["plain", "incidence", "transposed"])),
            {(name, dimension): draw(small) for name in looked_at for dimension in (0, 1)},
            {(name, dimension): draw(small) for name in looked_at for dimension in (0, 1)},
            {(name, own): EVEN * draw(small) for name in looked_at},
        )
        for _ in range(draw(st.integers(0, 2)))
    )
    seen = ["shared", own, f"{own}_mlp", f"{other}_mlp"]
    units = [f"{own} unit {number}" for number in range(3)]
    w1 = {(name, unit): draw(small) for name in seen for unit in units}
    w2, w3 = ({(u, v): draw(small) for u in units for v in units} for _ in range(2))
    w4 = {(unit, target): draw(small) for unit in units for target in (own, f"{own}_mlp")}
    return Layer(heads, mlp(LAYOUT, w1, w2, w3, w4)).named(own)


@given(a=parts("a", "b"), b=parts("b", "a"), data=st.data())
def test_a_merged_layer_does_what_its_parts_do_side_by_side(a, b, data):
    X = np.array(data.draw(st.lists(small, min_size=SIZE * len(LAYOUT), max_size=SIZE * len(LAYOUT))), dtype=np.float64)
    X = X.reshape(1, SIZE, len(LAYOUT))
    incidence = PaddedIncidence(SIZE, np.array([1, 1, 3]), np.array([1, 2, 2]), np.array([1.0, 2.0, 3.0]))
    blocks = Blocks.of([incidence], SIZE, SIZE, "float64")
    side_by_side = X + (apply(a, X, blocks) - X) + (apply(b, X, blocks) - X)
    assert apply(merge(LAYOUT, [a, b]), X, blocks).tolist() == side_by_side.tolist()


COPIES = {"itself": lambda each: each, "copy": copy.copy, "deepcopy": copy.deepcopy}
COPIES["pickle"] = lambda each: pickle.loads(pickle.dumps(each))


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_weights_cannot_be_made_writable(copied):
    one = Head("plain", np.ones((3, 2)), np.ones((3, 2)), np.zeros((3, 3)))
    other = Mlp((np.ones((3, 1)), np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 3))))
    for weight in (copied(one).query, copied(one).value, *copied(other).weights):
        with pytest.raises(ValueError, match="WRITEABLE"):
            weight.flags.writeable = True
