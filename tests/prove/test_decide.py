"""All mutants of a model, from Python."""

import pytest

pytest.importorskip("z3", reason="proofs need z3: pip install 'hyloop[prove]'")

import hyloop
from hyloop.cli.prove import DEFAULTS
from hyloop.prove import decide
from hyloop.prove.decide import FATES, chosen, decide_all

MODEL = hyloop.compile("levels", hyloop.Capacity(9, 9))


def test_a_sample_of_mutants_is_decided():
    told = []
    found = decide_all(MODEL, zeros=20, sample=12, processes=1, progress=told.append)
    assert (len(found.decisions), told[-1]) == (12, 12)
    assert found.count("undecided") == 0
    assert found.count("shown by a run") > 0
    assert [len(counts) for _, _, counts in found.table()] == [len(FATES)] * 6
    assert found.table()[-1][:2] == ("all", 12)
    assert [each["mutant"] for each in found.document()["mutants"]] == [str(each) for each in chosen(MODEL, 20, 12)]


def test_the_help_tells_the_defaults():
    assert DEFAULTS == {"zeros": decide.ZEROS, "processes": decide.PROCESSES}
