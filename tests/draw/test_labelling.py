"""Labels stay off lines, discs and each other, and beside what they name."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")

import hyloop
from hyloop.draw.labelling import Label, Lines, beside, lengths_inside, placed, strangers
from hyloop.draw.layout import DrawingSizes, Drawn, place
from hyloop.draw.positions import positions
from hyloop.draw.text import Box, Taken, covered, sides_of

SIZES = DrawingSizes(radius=7.6, text=7.0, names=True, hyperedges=True, inside=True)
HARBOUR = hyloop.Hypergraph.from_hyperedges(
    {"ferry": ["Quay", "Isle", "Cove"], "launch": ["Quay", "Mole"], "barge": ["Cove", "Dunes", "Mill"]}
)


def label(boxes, costs=(0, 0), may_go=False):
    return Label("a", 7.0, sides_of(boxes), np.array(costs, float), may_go, np.zeros(len(boxes)))


def test_the_length_of_lines_in_a_box():
    box = np.array([[0.0, 0.0, 10.0, 4.0]])
    lines = np.array([[[-5, 2], [5, 2]], [[3, -9], [3, 9]], [[0, 0], [3, 4]], [[-1, -1], [-1, 9]], [[2, 1], [2, 1]]])
    assert lengths_inside(box, lines.astype(float)).tolist() == [[5, 4, 5, 0, 0]]


def test_candidates_touch_no_disc_and_are_near():
    boxes, costs = beside(np.array([3.0, 4.0]), 5.0, 30.0, 8.0)
    disc = Taken([Box.around(3.0, 4.0, 7.0, 7.0)])  # the square within the disc
    assert len(boxes) == len(costs)
    assert covered(boxes, disc.sides).max() == 0
    assert boxes[int(costs.argmin())][0] == pytest.approx(9.2)  # to the right


def test_of_two_labels_the_later_makes_room_and_one_that_may_go_goes():
    here, there = Box(0, 0, 10, 5), Box(20, 0, 30, 5)
    both = placed([label([here, there]), label([here, there], (0, 9))], Taken())
    assert [each.box for each in both] == [here, there]
    kept = placed([label([here, here]), label([here, here], may_go=True)], Taken())
    assert (kept[0].box, kept[1]) == (here, None)


def test_a_label_that_another_mark_is_nearer_to_pays():
    marks, radii = np.array([[0.0, 0.0], [20.0, 0.0]]), np.array([2.0, 2.0])
    boxes = np.array([[3.0, -2.0, 9.0, 2.0], [12.0, -2.0, 17.0, 2.0]])
    assert (strangers(boxes, 0, marks, radii) > 0).tolist() == [False, True]
    assert (strangers(boxes, 1, marks, radii) > 0).tolist() == [True, False]


def test_no_label_of_the_harbour_cuts_the_path_or_sits_on_another():
    steps = ((0, 0, 2), (2, 2, 4))
    drawn = Drawn(HARBOUR, list(HARBOUR.vertices), list(HARBOUR.hyperedges), steps)
    page = place(drawn, positions(HARBOUR), SIZES, 240, regions=True)
    way = np.array([[page.vertices[u], page.vertices[v]] for u, _, v in steps])
    texts = [each for each in (*page.names, *page.hyperedge_names) if each is not None]
    assert len(texts) == len(HARBOUR.vertices) + len(HARBOUR.hyperedges)
    boxes = [each.box for each in texts]
    assert Lines(way, np.ones(2)).under(sides_of(boxes))[1].max() == 0
    for number, box in enumerate(boxes):
        assert Taken(boxes[:number]).overlaps([box]).sum() == 0
