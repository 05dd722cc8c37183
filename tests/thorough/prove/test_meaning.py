"""Every operation on all small domains: the meaning that proofs use is what the interpreter computes."""

import pytest

from hyloop.lang.ops import LANGUAGE
from hyloop.prove.meaning import PRODUCT, SEARCH
from prove.small_domains import Subject, shapes

SIZES = [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (1, 1), (1, 2), (2, 1), (2, 2)]
LARGER = [(3, 2), (2, 3)]  # of searches, in which rows compete, and along incidences
MANY = 503_491  # situations, as docs/proof.md says


def sizes(name):
    return SIZES + (LARGER if name in {*SEARCH, *PRODUCT} else [])


@pytest.mark.parametrize("name", sorted(LANGUAGE))
def test_an_operation_means_what_the_interpreter_computes(name):
    for shape in shapes(name):
        subject = Subject(shape)
        for size in sizes(name):
            count = 0
            for situation in subject.situations(*size):
                subject.compare(situation)
                count += 1
            assert count == subject.many(*size)


def test_how_many_situations_these_are():
    found = [(name, Subject(shape)) for name in LANGUAGE for shape in shapes(name)]
    assert sum(subject.many(*size) for name, subject in found for size in sizes(name)) == MANY
