"""The final state of a run of the paper's algorithms is read as it is: what is no integer is not rounded to one."""

from fractions import Fraction

import numpy as np
import pytest

from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Parabola
from hyloop.paper.algorithms import Answer


def answer_with(value):
    """An answer whose columns hold a value on every row."""
    layout = Layout((*STANDARD, Column("keys", "uniform"), Column("halt", "uniform")), Parabola(), "halt")
    return Answer(layout, np.full((3, len(layout)), value), 2, Fraction(1, 2), 1000)


def test_integers():
    answer = answer_with(6.0)
    assert (answer.scalar("keys"), answer.array("keys")) == (6, [6, 6])
    assert answer.length(answer.scalar("keys")) == 3
    assert answer.length(answer_with(1000.0).scalar("keys")) is None


@pytest.mark.parametrize("value", [6.5, 6.0000001, np.inf, -np.inf])
def test_what_is_no_integer_stays_what_it_is(value):
    answer = answer_with(value)
    assert answer.scalar("keys") == value
    assert answer.length(answer.array("keys")[0]) == value  # and so differs from what any oracle says
