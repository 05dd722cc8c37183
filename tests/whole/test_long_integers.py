"""Labels and numbers of many digits, where Python is told to write and read few (`PYTHONINTMAXSTRDIGITS`)."""

import copy
import json
import pickle
import subprocess
import sys
from fractions import Fraction

import pytest

import hyloop
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.checkpoint import input_hash
from hyloop.io import FORMATS
from hyloop.numbers import integer_from, json_text, writable

LONG, LONGER = 10**900, -(7**1100)
LABELS = {LONG: [LONGER, "b"], "f": ["b", 3]}
WEIGHTS = {LONG: Fraction(1, 10**800), "f": Fraction(2, 3**1500)}


@pytest.fixture
def few_digits():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


@pytest.fixture
def h(few_digits):
    return Hypergraph.from_hyperedges(LABELS)


@pytest.mark.usefixtures("few_digits")
def test_digits_are_written_and_read():
    number = writable(LONGER)
    assert (type(writable(10**500)), number) == (int, LONGER)
    text = str(number)
    assert text == repr(number) == f"{number}" == json_text(LONGER)
    assert text == "-" + "".join(str(7**1100 // 10**place % 10) for place in reversed(range(len(text) - 1)))
    assert str(integer_from(text)) == text
    assert integer_from("+" + "0" * 700 + "7") == 7
    assert pickle.loads(pickle.dumps(number)) == copy.deepcopy(number) == LONGER


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_every_format_has_the_same_bytes_and_is_read(name, tmp_path):
    path = tmp_path / "h"
    h = Hypergraph.from_hyperedges(LABELS, weights=None if name == "hif" else WEIGHTS)
    hyloop.write(h, path, format=name)
    before = path.read_bytes()
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert hyloop.read(path, format=name) == h
        hyloop.write(h, path, format=name)
    finally:
        sys.set_int_max_str_digits(limit)
    assert path.read_bytes() == before


def test_results_pages_and_messages(h, tmp_path):
    found = hyloop.run("levels", h, source=LONGER)
    assert found["level"] == {LONGER: 0, "b": 1, 3: 2}
    records = found.to_json()["vertices"]
    assert integer_from(records[0]["vertex"]["integer"]) == LONGER
    assert json.dumps(found.to_json())
    assert h._repr_html_()
    assert found._repr_html_()
    hyloop.run("levels", h, source=LONGER, checkpoint=tmp_path / "checkpoint")
    assert input_hash(h, [LONG], {"k": LONG})
    heavy = Hypergraph.from_hyperedges(LABELS, weights={LONG: Fraction(1, 10**800), "f": 1})
    assert "weight about 10^800" in str(hyloop.check_many("levels", [heavy]))


REFUSED = {
    "a label": lambda h: hyloop.run("levels", h, source=LONG + 1),
    "a count": lambda h: hyloop.run("k_core", h, k=-LONG),
    "a long count": lambda h: hyloop.run("k_core", h, k=LONG),
    "a weight": lambda h: Hypergraph.from_hyperedges(h, weights={"f": -LONG}),
    "weights": lambda _: hyloop.run("dijkstra", Hypergraph.from_hyperedges(LABELS, weights=WEIGHTS), source="b"),
    "a capacity": lambda _: hyloop.compile("levels", Capacity(LONG, LONG)),
    "no capacity": lambda _: Capacity(-LONG, LONG),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_a_sentence(what, h):
    with pytest.raises(HyloopError) as told:
        REFUSED[what](h)
    assert "Exceeds the limit" not in str(told.value)
    assert len(str(told.value)) < 900


def test_the_command_line_goes_by_what_python_has_by_default(tmp_path):
    path = tmp_path / "h.csv"
    hyloop.write(Hypergraph.from_hyperedges(LABELS), path)
    script = (
        "import os, sys; sys.set_int_max_str_digits(640); sys.argv[0] = 'hyloop'\n"
        "from hyloop.cli import main; main()\n"
        "assert sys.get_int_max_str_digits() == sys.int_info.default_max_str_digits\n"
    )
    command = [sys.executable, "-c", script, "run", "levels", str(path), "--source", "b"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
