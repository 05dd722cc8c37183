"""Obligations in full: nothing is simplified, and nothing is missing."""

import pytest

import hyloop
from hyloop import Capacity
from hyloop.prove import prove
from hyloop.prove.full import full_script, in_full_work
from hyloop.prove.terms import at_least, choice, constant, equal, in_full, negation, relu, variable


@pytest.fixture(scope="module")
def proof():
    return prove(hyloop.compile("levels", Capacity(9, 9)))


@pytest.fixture(scope="module")
def work(proof):
    return in_full_work(proof)


def test_terms_are_as_they_are_written():
    x = variable("x", 1, 9)
    assert relu(x) is x
    with in_full():
        assert relu(x) is not x
        assert at_least(x, 0).kind == "at least"
        assert equal(x, 0).kind == "equal"
        assert negation(negation(equal(x, 0))).kind == "not"
        assert choice(equal(0, 0), 1, 2).value is None
        assert constant(1).value == 1
    assert relu(x) is x


def test_everything_is_stated_and_proved(proof, work):
    assert work.finished
    stated = [verdict.obligation for verdict in work.journal.verdicts]
    said = {(each.layer, each.part, each.says) for each in stated}
    simplified = {
        (verdict.obligation.layer, verdict.obligation.part, verdict.obligation.says) for verdict in proof.verdicts
    }
    assert simplified <= said
    assert len(stated) > len(proof.verdicts) + len(proof.work.sizes)  # also what intervals decide
    assert not any(each.is_trivial for each in stated)


def test_hypotheses_have_names(work):
    script = full_script(work, work.journal.verdicts[40].obligation)
    asserted = [line for line in script.text.splitlines() if line.startswith("(assert")]
    assert len(asserted) == len(script.assertions)
    assert all(" :named |h" in line for line in asserted[:-1])
    assert asserted[-1].endswith(" :named |goal negated|))")
