"""The ten lemmas, corrected: each keeps its promise over its whole declared range, on both position codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import examples
from hyloop.errors import ModelError
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.model import Capacity, Model
from hyloop.paper.judge import differences, judge
from hyloop.paper.lemma import Trial
from hyloop.paper.lemmas import LEMMAS
from paper.lemma_runs import CIRCLE, PARABOLA, after, both_codes, trials
from paper.promises import BY_NAME, PROMISES, promised


def ways():
    for lemma in LEMMAS:
        for names in ({}, *lemma.aliases):
            shared = "-" + "_".join(f"{slot}_is_{column}" for slot, column in names.items()) if names else ""
            yield pytest.param(lemma, names, id=f"{lemma.name.replace(' ', '_')}{shared}")


def test_there_are_ten_lemmas_each_with_a_promise():
    assert list(BY_NAME) == list(PROMISES)


@both_codes
@pytest.mark.parametrize(("lemma", "names"), list(ways()))
@examples(15)
@given(data=st.data())
def test_the_corrected_layer_keeps_the_promise_and_changes_nothing_else(lemma, names, code, data):
    trial = data.draw(trials(lemma))
    assert not after(lemma, "corrected", code, trial, names).differs_from(promised(lemma, code, trial, names))


def test_every_corrected_lemma_is_one_layer_of_at_most_three_heads():
    for lemma in LEMMAS:
        layer = judge(lemma, "corrected", PARABOLA, trials=1).layer
        assert len(layer.heads) <= 3


class TestJudge:
    """The judge that the command line shows: it must agree with the promises stated here, and be able to say no."""

    @both_codes
    @pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name.replace(" ", "_"))
    @examples(15)
    @given(data=st.data())
    def test_it_finds_a_printed_layer_wrong_exactly_where_it_is(self, lemma, code, data):
        trial = data.draw(trials(lemma, "printed"))
        (found,) = differences(lemma, "printed", code, [trial], {})
        wrong = after(lemma, "printed", code, trial).differs_from(promised(lemma, code, trial))
        assert (found is None) == (not wrong)
        if found is not None:
            assert found.column in wrong
            assert found.expected == promised(lemma, code, trial)[found.column][found.row]

    @pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name.replace(" ", "_"))
    def test_every_correction_holds_and_only_two_lemmas_do_as_printed(self, lemma):
        assert judge(lemma, "corrected", PARABOLA, trials=60).holds
        assert judge(lemma, "corrected", CIRCLE, trials=60).holds
        assert judge(lemma, "printed", CIRCLE, trials=60).holds == (lemma.name in {"read incidence", "repeat addition"})

    def test_the_counterexample_that_it_shows_is_one_and_small(self):
        lemma = BY_NAME["AND"]
        verdict = judge(lemma, "printed", PARABOLA, trials=60)
        assert 0 < verdict.failures < verdict.trials
        smallest = verdict.smallest.trial
        assert after(lemma, "printed", PARABOLA, smallest).differs_from(promised(lemma, PARABOLA, smallest))
        assert smallest.size == 1
        assert sum(map(abs, (*smallest.columns["C"], *smallest.columns["D"], *smallest.columns["E"]))) == 1

    def test_a_difference_says_what_was_given_found_and_expected(self):
        trial = Trial(8, {"D": (0, -3), "E": (0, 0)}, pointer=1)
        (found,) = differences(BY_NAME["read scalar"], "printed", PARABOLA, [trial], {})
        assert str(found) == "Ω=8, D=(0, -3), E=(0, 0), c=1: E[1] is -3, not 0"


def test_a_scratch_column_left_full_would_break_repeat_and():
    """Why the corrected layer empties its scratch column again: used twice, it must find it empty."""
    lemma, trial = BY_NAME["repeat AND"], Trial(8, {"C": (1, 0, 0), "D": (0, 1, 1), "E": (0, 0, 1)})
    assert after(lemma, "corrected", PARABOLA, trial)["S"] == [0, 0, 0]


def test_a_lemma_on_a_layout_without_its_columns_is_an_error():
    layout = Layout((*STANDARD, Column("halt", "global")), PARABOLA, "halt")
    with pytest.raises(ModelError, match="no column 'C'"):
        Model("test", layout, (BY_NAME["AND"].corrected(layout, {"C": "C", "D": "D", "E": "E"}, 8),), Capacity(1, 1))
