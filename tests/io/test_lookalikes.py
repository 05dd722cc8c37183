from __future__ import annotations

import io as streams
import json
import warnings

import pytest

from hyloop import io
from hyloop.errors import HyloopWarning
from hyloop.hypergraph import Hypergraph
from hyloop.io.lookalikes import warn_of_lookalikes

ALIKE = {
    "composed": ("Mühle", "Mu\u0308hle"),
    "a blank behind": ("Quay", "Quay "),
    "a blank before": (" Quay", "Quay"),
    "a blank that does not break": ("North Point", "North\u00a0Point"),
    "two blanks": ("North Point", "North  Point"),
    "no width": ("Quay", "Qu\u200bay"),
    "a mark of direction": ("Quay", "\u200eQuay"),
    "a variant": ("❤", "❤\ufe0f"),
    "an integer": (1, "1"),
    "a line end": ("Quay", "Quay\r"),
}
# Letters that another script has too, and the case of letters, are often meant.
UNLIKE = [("a", "A"), ("1", "01"), ("-0", 0), ("ab", "a b"), ("ß", "ss"), ("A", "А"), ("x", "x'")]


@pytest.mark.parametrize("pair", ALIKE.values(), ids=ALIKE.keys())
@pytest.mark.parametrize("kind", ["vertices", "hyperedges"])
def test_labels_that_look_the_same_are_named_and_kept_apart(pair, kind):
    made = (
        Hypergraph.from_hyperedges([pair]) if kind == "vertices" else Hypergraph.from_hyperedges({e: [] for e in pair})
    )
    data = streams.StringIO()
    io.write(made, data, format="hif")
    data.seek(0)
    with pytest.warns(HyloopWarning, match=f"different {kind}, though they look the same: ") as warned:
        assert io.read(data, format="hif") == made
    told = str(warned[0].message)
    assert all(ascii(label) in told for label in pair)
    assert told.isascii()


@pytest.mark.parametrize("pair", UNLIKE)
def test_labels_that_do_not_look_the_same_are_no_matter(pair):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_lookalikes(Hypergraph.from_hyperedges([pair]), "a")


def test_many_are_one_warning():
    text = json.dumps({"incidences": [{"edge": 1, "node": label} for n in range(9) for label in (n, str(n))]})
    with pytest.warns(HyloopWarning) as warned:
        io.read(streams.StringIO(text))
    assert [str(each.message).count("an integer") for each in warned] == [3]
    assert str(warned[0].message).endswith("; and 6 more.")


def test_the_end_of_a_long_label_is_shown():
    with pytest.warns(HyloopWarning, match=r"a \(a blank\)' and 'aaaa") as warned:
        warn_of_lookalikes(Hypergraph.from_hyperedges([["a" * 100 + " (a blank)", "a" * 100 + " (a blank) "]]), "a")
    assert len(str(warned[0].message)) < 200


def test_labels_of_many_marks_take_no_time():
    """Normalising a run of marks takes time with its square: thousands of such labels would take hours."""
    marks = "\u0315" * 4900 + "\u0300" + "\u0334" * 4900
    h = Hypergraph.from_hyperedges([[f"{number}x{marks}" for number in range(2000)]])
    warn_of_lookalikes(h, "marks")
