"""A trace of which a number cannot be read is refused, never read as something else."""

import copy

import pytest

import hyloop
from hyloop import Hypergraph
from hyloop.errors import FormatError
from hyloop.recording.schema import require_trace

UNREADABLE = ["1e-09", "1E-9", "", "0", "-1", "1/0", "0/5", "abc", "nan", "inf", "∞", " 1", ".5", "1_000", "9" * 20_000]


@pytest.fixture(scope="module")
def document():
    h = Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]}, weights={"e": 0.333333333, "f": 1})
    return hyloop.trace("dijkstra", h, source="a").document


def test_a_trace_of_tiny_units_is_taken(document):
    assert document["unit"] == "0.000000001"
    require_trace(document, "run.json")


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:10])
def test_a_unit_that_is_no_positive_number_is_refused(document, text):
    with pytest.raises(FormatError, match=r"run\.json: this trace does not fit together: unit \("):
        require_trace({**document, "unit": text}, "run.json")


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:10])
def test_a_weight_that_is_no_positive_number_is_refused(document, text):
    changed = copy.deepcopy(dict(document))
    changed["hypergraph"]["weights"][1] = text
    with pytest.raises(FormatError, match=r"run\.json: this trace does not fit together: weights \("):
        require_trace(changed, "run.json")


def test_a_number_that_is_written_in_another_way_is_refused_with_the_right_one(document):
    with pytest.raises(FormatError, match=r"unit \('1/2' is written 0\.5 here\)"):
        require_trace({**document, "unit": "1/2"}, "run.json")
