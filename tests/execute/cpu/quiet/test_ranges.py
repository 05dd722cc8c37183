"""Ranges hold all values that a row may take for numbers within the boxes; rows that are watched are woken."""

from itertools import product

import numpy as np
import pytest

from hyloop.execute.cpu.expressions import Ref
from hyloop.execute.cpu.quiet.gadgets import Gadget, Linear, Shape
from hyloop.execute.cpu.quiet.kernel import NumpyArithmetic
from hyloop.execute.cpu.quiet.ranges import Range, Row
from hyloop.execute.cpu.quiet.wiring import Part, RowNode, Slot

ROW, HEIGHT, NUMBER = (Ref("column", at) for at in range(3))


def part(kind, watched):
    """A part whose output is a step or a tent of the row less a number, less 2 times that number's ReLU."""
    heights = {"step": (0, -1), "tent": (1, 0, -1)}[kind]
    weights = {"step": (1, -1), "tent": (1, -2, 1)}[kind]
    nodes = {}
    for at, height in enumerate(heights):
        of = Linear(0, ((ROW, 1), (NUMBER, -1), *(((HEIGHT, height),) if height else ())))
        nodes[at] = RowNode(of, True, Shape(0, of.terms, ()), True)
    terms = tuple((Ref("node", at), weight) for at, weight in enumerate(weights))
    gadget = Gadget(kind, 1, heights.index(0), Linear(0, ((HEIGHT, 1),)), watched)
    nodes[9] = RowNode(Linear(7, terms), False, Shape(7, (), (gadget,)), True)
    return Part(0, nodes, (NUMBER,), ((Slot(5, 0), Ref("node", 9)),), (), (ROW, HEIGHT))


def output(kind, watched, row, height, number, box=(0, 0)):
    values = {ROW: np.array(row), HEIGHT: np.array(height)}
    scalar = Range(*(np.array(each) for each in (number, *box)))
    (found,) = Row(part(kind, watched), NumpyArithmetic(), values.__getitem__, lambda _: scalar).outputs()
    return tuple(int(each) for each in (found.now, found.low, found.high))


@pytest.mark.parametrize("kind", ["step", "tent"])
def test_a_range_has_every_value_and_no_more_at_its_ends(kind):
    for row, height, low, width in product(range(5), range(-2, 4), range(4), range(4)):
        values = [output(kind, False, row, height, number)[0] for number in range(low, low + width + 1)]
        _, least, most = output(kind, False, row, height, low, (low, low + width))
        assert (least, most) == (min(values), max(values))


@pytest.mark.parametrize("kind", ["step", "tent"])
def test_of_a_watched_row_the_range_holds_until_the_number_meets_it(kind):
    for row, height, number, other in product(range(5), (-1, 0, 1), range(6), range(6)):
        now, low, high = output(kind, True, row, height, number, (0, 5))
        meets = row == other if kind == "tent" else min(number, other) - 1 <= row <= max(number, other) + 1
        if low == now == high and not meets:
            assert output(kind, True, row, height, other, (0, 5))[0] == now


def test_a_number_that_cannot_move_leaves_no_doubt():
    assert output("tent", True, 3, 1, 3, (3, 3)) == (8, 8, 8)
    assert output("tent", True, 3, 1, 3, (0, 5)) == (8, 7, 7)  # woken, as long as the number names the row
