"""The ten lemmas as printed: one test for each defect, named after it; and the ranges in which they do hold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.machine.layer import Layer, Mlp
from hyloop.paper.judge import layout_for
from hyloop.paper.lemma import Trial
from hyloop.paper.lemmas import LEMMAS
from paper.lemma_runs import CIRCLE, PARABOLA, after, both_codes, trials
from paper.promises import BY_NAME, promised

DEFECTS = [
    pytest.param(lemma, defect, id=f"{lemma.name.replace(' ', '_')}-{defect.name}")
    for lemma in LEMMAS
    for defect in lemma.defects
]


def code_of(lemma):
    """The printed increment is a rotation: it means something on the circle only."""
    return CIRCLE if lemma.name == "increment" else PARABOLA


def breaks(lemma, form, trial, code=None, **options):
    """The columns that are not as promised after the layer."""
    code = code or code_of(lemma)
    return after(lemma, form, code, trial, **options).differs_from(promised(lemma, code, trial))


def in_integers(trial):
    """The corrected comparison is for integers: the same input in units of 1/(2Ω)."""
    unit = 2 * trial.omega
    fractional = any(value % 1 for values in trial.columns.values() for value in values)
    scaled = {name: tuple(unit * value for value in values) for name, values in trial.columns.items()}
    return replace(trial, columns=scaled) if fractional else trial


@pytest.mark.parametrize(("lemma", "defect"), DEFECTS)
def test_the_printed_layer_breaks_its_promise_and_the_corrected_one_keeps_it(lemma, defect):
    assert breaks(lemma, "printed", defect.trial)
    assert not breaks(lemma, "corrected", in_integers(defect.trial))


def test_all_lemmas_but_two_have_a_defect():
    assert [lemma.name for lemma in LEMMAS if not lemma.defects] == ["read incidence", "repeat addition"]


# What the errata says that the printed layers give, figure by figure.
FIGURES = [
    pytest.param("comparison", Trial(8, {"C": (0,), "D": (0.5 / 8,), "E": (0,)}), "E", [0.5], id="gap_0.5/Ω_gives_0.5"),
    pytest.param("read scalar", Trial(8, {"D": (0, -3), "E": (0, 0)}, 1), "E", [-3, -3], id="row_1_keeps_-3"),
    pytest.param("write scalar", Trial(8, {"D": (0, 0), "E": (0, 0)}, 1), "E", [-1, 0], id="v=0_leaves_-1_on_top"),
    pytest.param("write scalar", Trial(8, {"D": (5, 0), "E": (0, 0)}, 1), "E", [4, 5], id="v=5_leaves_4_on_top"),
    pytest.param("termination", Trial(1, {"C": (0, 0, 1), "E": (0, 0, 0)}), "E", [0.5, 0, 0], id="Ω=n/2_gives_0.5"),
    pytest.param("AND", Trial(8, {"C": (0, 0), "D": (0, 1), "E": (0, 0)}), "E", [0, 1], id="0_and_1_is_1_in_arrays"),
    pytest.param("repeat AND", Trial(8, {"C": (1, 0), "D": (0, 1), "E": (0, 0)}), "D", [0, 0], id="1_and_1_is_0"),
]


@pytest.mark.parametrize(("name", "trial", "column", "rows"), FIGURES)
def test_the_stated_figure(name, trial, column, rows):
    assert after(BY_NAME[name], "printed", PARABOLA, trial)[column] == rows


def test_a_printed_increment_past_a_quarter_turn_leaves_the_negative_cosine_unchanged():
    """δ = 9°, θ = 135°, onto itself: cos 144° is negative, its ReLU is 0, so the second part stays cos 135°."""
    lemma, trial = BY_NAME["increment"], Trial(8, {"D_1": (0,), "D_2": (0,)}, pointer=15)
    onto_itself = {"D_1": "C_1", "D_2": "C_2"}
    cosine = CIRCLE.table(15)[15, 1]
    assert after(lemma, "printed", CIRCLE, trial, onto_itself)["C_2"] == [cosine]
    assert after(lemma, "corrected", CIRCLE, trial, onto_itself)["C_2"] == pytest.approx([CIRCLE.table(16)[16, 1]])


class TestSelectionWithW4Mended:
    """(S_1, E) for (E, S_1) in W4: even so only for values in [0, Ω] and a stale target ≥ 0."""

    lemma = BY_NAME["selection"]

    def mended(self, omega):
        layout = layout_for(self.lemma, PARABOLA)
        own = {column.name: column.name for column in layout.columns}
        mlp = self.lemma.printed(layout, own, omega).mlp
        last = np.zeros_like(mlp.weights[3])
        last[mlp.names.index("E"), layout.number("E")] = -1
        last[mlp.names.index("S_1"), layout.number("E")] = 1
        return Layer((), Mlp((*mlp.weights[:3], last), names=mlp.names))

    def result(self, trial):
        return after(self.lemma, "printed", PARABOLA, trial, layer=self.mended(trial.omega))["E"]

    @given(data=st.data())
    def test_it_holds_for_values_from_0_to_omega_on_a_target_that_is_not_negative(self, data):
        within = {slot: lambda omega: st.integers(0, omega) for slot in ("V_0", "V_1", "E")}
        trial = data.draw(trials(self.lemma, "printed", **within))
        assert not breaks(self.lemma, "printed", trial, layer=self.mended(trial.omega))

    @given(data=st.data())
    def test_without_the_mend_the_target_is_only_ever_emptied(self, data):
        within = {slot: lambda omega: st.integers(0, omega) for slot in ("V_0", "V_1", "E")}
        trial = data.draw(trials(self.lemma, "printed", **within))
        assert set(after(self.lemma, "printed", PARABOLA, trial)["E"]) == {0}

    def test_a_negative_value_is_lost(self):
        assert self.result(Trial(8, {"C": (1,), "V_0": (0,), "V_1": (-5,), "E": (0,)})) == [0]

    def test_a_negative_stale_target_stays(self):
        assert self.result(Trial(8, {"C": (1,), "V_0": (0,), "V_1": (2,), "E": (-6,)})) == [-4]

    def test_a_value_above_omega_leaks_through_the_shut_gate(self):
        assert self.result(Trial(8, {"C": (1,), "V_0": (11,), "V_1": (2,), "E": (0,)})) == [5]


class TestWherePrintedLayersHold:
    """The ranges that the errata grants them."""

    @given(data=st.data())
    def test_increment_inside_the_first_quadrant_on_a_target_that_is_not_negative(self, data):
        lemma = BY_NAME["increment"]
        stale = dict.fromkeys(("D_1", "D_2"), lambda _: st.integers(0, 1))
        trial = data.draw(trials(lemma, "printed", pointers=lambda _: st.integers(0, 9), **stale))
        assert not breaks(lemma, "printed", trial)

    @pytest.mark.parametrize("c", range(10, 39))
    def test_increment_nowhere_outside_the_first_quadrant(self, c):
        assert breaks(BY_NAME["increment"], "printed", Trial(8, {"D_1": (0,), "D_2": (0,)}, pointer=c))

    @given(data=st.data())
    def test_comparison_if_the_gap_is_at_most_0_or_at_least_one_omegath_and_the_target_is_not_negative(self, data):
        """Ω a power of two: then multiples of 1/Ω, and Ω times them, are exact."""
        lemma = BY_NAME["comparison"]
        steps = {
            slot: lambda omega: st.integers(-omega * omega, omega * omega).map(lambda k: k / omega) for slot in "CD"
        }
        stale = {"E": lambda omega: st.integers(0, omega)}
        powers = st.sampled_from([1, 2, 8, 64, 4096])
        trial = data.draw(trials(lemma, "printed", omegas=powers, **steps, **stale))
        assert not breaks(lemma, "printed", trial)

    @given(omega=st.sampled_from([2, 8, 64]), share=st.floats(0.01, 0.99))
    def test_comparison_never_if_the_gap_lies_between(self, omega, share):
        assert breaks(BY_NAME["comparison"], "printed", Trial(omega, {"C": (0,), "D": (share / omega,), "E": (0,)}))

    def test_comparison_in_float64_breaks_once_omega_squared_does_not_fit(self):
        """`Ω relu(g) - Ω relu(g - 1/Ω)` cancels: exact at Ω = 2²⁶, not far above it."""

        def at(omega):
            return Trial(float(omega), {"C": (0.0,), "D": (float(omega),), "E": (0.0,)})

        lemma = BY_NAME["comparison"]
        assert not breaks(lemma, "printed", at(2**26))
        assert breaks(lemma, "printed", at(2**28))
        assert not breaks(lemma, "corrected", at(2**28))

    @both_codes
    @given(data=st.data())
    def test_read_scalar_if_the_column_is_not_negative(self, code, data):
        lemma = BY_NAME["read scalar"]
        trial = data.draw(trials(lemma, "printed", D=lambda omega: st.integers(0, omega)))
        assert not breaks(lemma, "printed", trial, code)

    def test_read_scalar_not_if_the_value_is_above_omega(self):
        assert breaks(BY_NAME["read scalar"], "printed", Trial(8, {"D": (0, 9), "E": (0, 0)}, pointer=1))

    @both_codes
    @given(data=st.data())
    def test_write_scalar_of_1_onto_0(self, code, data):
        lemma = BY_NAME["write scalar"]
        onto = {"pointers": lambda size: st.integers(1, size - 1), "D": lambda _: st.just(1)}
        trial = data.draw(trials(lemma, "printed", **onto))
        empty = tuple(0.0 if row == trial.pointer else value for row, value in enumerate(trial.columns["E"]))
        trial = replace(trial, columns={**trial.columns, "E": empty})
        assert not breaks(lemma, "printed", trial, code)

    @both_codes
    @given(data=st.data())
    def test_termination_if_entries_are_0_or_1_and_omega_is_at_least_the_number_of_rows(self, code, data):
        lemma = BY_NAME["termination"]
        trial = data.draw(trials(lemma, "printed", omegas=st.integers(6, 2**20), C=lambda _: st.integers(0, 1)))
        assert not breaks(lemma, "printed", trial, code)

    @pytest.mark.parametrize("n", [3, 4, 9, 30])
    def test_termination_not_with_one_zero_if_omega_is_below_that(self, n):
        ones_but_one = (0, 0, *(1,) * (n - 1))
        enough, too_small = (
            Trial(omega, {"C": ones_but_one, "E": (0,) * (n + 1)}, None) for omega in (float(n), n - 1.0)
        )
        assert not breaks(BY_NAME["termination"], "printed", enough)
        assert breaks(BY_NAME["termination"], "printed", too_small)

    @given(data=st.data())
    def test_and_for_scalars_on_a_target_that_is_not_negative(self, data):
        lemma = BY_NAME["AND"]
        trial = data.draw(trials(lemma, "printed", E=lambda omega: st.integers(0, omega)))
        scalars = {name: (values[0], *(0.0,) * (trial.size - 1)) for name, values in trial.columns.items()}
        assert not breaks(lemma, "printed", replace(trial, columns=scalars))

    @given(data=st.data())
    def test_repeat_and_gives_0_everywhere_and_is_right_only_if_that_is_the_answer(self, data):
        lemma = BY_NAME["repeat AND"]
        trial = data.draw(trials(lemma, "printed"))
        answer = promised(lemma, PARABOLA, trial)["D"]
        assert set(after(lemma, "printed", PARABOLA, trial)["D"]) == {0}
        assert bool(breaks(lemma, "printed", trial)) == any(answer)

    @both_codes
    @pytest.mark.parametrize("name", ["read incidence", "repeat addition"])
    @given(data=st.data())
    def test_read_incidence_and_repeat_addition_always(self, name, code, data):
        lemma = BY_NAME[name]
        assert not breaks(lemma, "printed", data.draw(trials(lemma, "printed")), code)
