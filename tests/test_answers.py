"""Answers of the user's own: what counts as the same, and how a mistake in them is told."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import hyloop
from hyloop import HyloopError, Hypergraph
from hyloop.answers import ask, disagreements, holds, load_function, same

H = Hypergraph.from_hyperedges({"x": ["a", "b"], "y": ["b", "c"]}, vertices=["a", "b", "c", "d"], weights=[0.5, 2])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (None, None),
        (None, math.inf),
        (None, np.float64("inf")),
        (Fraction(1, 10), 0.1),
        (Fraction(1, 10), Decimal("0.1")),
        (Fraction(1, 3), Fraction(1, 3)),
        (Fraction(2), 2),
        (3, np.int64(3)),
        (3, 3.0),
        (2**53 + 1, 2**53 + 1),
        (True, True),
        (False, 0),
        (True, np.True_),
        ("a", "a"),
        (("a", "b"), ["a", "b"]),
    ],
)
def test_the_same(ours, theirs):
    assert same(ours, theirs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (None, 0),
        (None, -math.inf),
        (None, math.nan),
        (None, "none"),
        (Fraction(1, 3), 1 / 3),  # a float is its decimal, and that is not a third
        (Fraction(1, 10), 0.1 + 1e-17 + 1e-16),
        (Fraction(2), None),
        (3, math.inf),
        (3, math.nan),
        (2**53 + 1, float(2**53)),
        (2**53, 2**53 + 1),
        (1, True),
        (True, 2),
        (True, None),
        (1, "1"),
        ("1", 1),
        (("a", "b"), ["b", "a"]),
        (("a", "b"), "ab"),
        (("a",), None),
        (3, [3]),
    ],
)
def test_not_the_same(ours, theirs):
    assert not same(ours, theirs)


def differ(answer, algorithm="dijkstra", **inputs):
    found = hyloop.run(algorithm, H, **(inputs or {"source": "a"}), backend="interpreter")
    return [str(each) for each in disagreements(found, answer, differ)]


def test_right_answers():
    half = Fraction(1, 2)
    assert differ({"distance": {"a": 0, "b": half, "c": 2.5}}) == []  # d is not reached: it may be left out
    assert differ({"distance": [0, 0.5, Fraction(5, 2), math.inf], "predecessor": [None, "a", "b", None]}) == []
    assert differ({"distance": np.array([0, 0.5, 2.5, np.inf])}) == []


def test_a_series_is_read_by_its_labels():
    pd = pytest.importorskip("pandas")
    assert differ({"distance": pd.Series({"d": np.inf, "c": 2.5, "b": 0.5, "a": 0})}) == []


def test_every_difference_is_told():
    assert differ({"distance": {"a": 1, "b": 0.5, "c": 3}}) == [
        "distance of vertex 'a' is 0 here, 1 in the answer",
        "distance of vertex 'c' is 2.5 here, 3 in the answer",
    ]
    assert differ({"distance": {"b": 0.5, "c": 2.5}}) == ["distance of vertex 'a' is 0 here, none in the answer"]
    assert differ({"distance": {"a": 0, "b": 0.5, "c": 2.5, "d": 7}}) == [
        "distance of vertex 'd' is none here, 7 in the answer"
    ]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "returns None; expected is a dictionary of outputs, such as {'distance': ...}"),
        ({}, "expected is a dictionary of outputs"),
        ({"distances": {}}, "has an entry 'distances'; the outputs of dijkstra are distance, "),
        ({"distance": {"z": 1}}, "gives distance for 'z', which is not there"),
        ({"distance": [1, 2]}, "gives 2 values for distance; there are 4"),
        ({"distance": 3}, "gives 3 for distance; expected is a dictionary by label, or a list"),
        ({"distance": "abcd"}, "expected is a dictionary by label, or a list"),
        ({"distance": {0, 1, 2, 3}}, "expected is a dictionary by label, or a list"),  # a set has no order
    ],
)
def test_what_is_no_answer(answer, says):
    with pytest.raises(HyloopError) as caught:
        differ(answer)
    assert says in str(caught.value)
    assert str(caught.value).startswith("test_answers.py:differ ")


def test_scalars():
    found = hyloop.run("helly", H, backend="interpreter")
    assert list(disagreements(found, {"helly": True}, differ)) == []
    [told] = disagreements(found, {"helly": False}, differ)
    assert str(told) == "helly is True here, False in the answer"


def test_lists():
    found = hyloop.run("motifs", H, backend="interpreter")
    [(name, counts)] = found.scalars.items()
    assert list(disagreements(found, {name: list(counts)}, differ)) == []
    [told] = disagreements(found, {name: [counts[0] + 1, *counts[1:]]}, differ)
    assert str(told) == f"{name}, number 1, is {counts[0]} here, {counts[0] + 1} in the answer"
    assert len(list(disagreements(found, {name: counts[1:]}, differ))) == 1
    assert len(list(disagreements(found, {name: None}, differ))) == 1


def test_streams():
    found = hyloop.run("projection", H, backend="interpreter")
    [(name, stream)] = found.streams.items()
    pairs = [(entry.about, dict(entry.values)) for entry in stream.entries]
    assert pairs
    assert list(disagreements(found, {name: pairs}, differ)) == []
    assert list(disagreements(found, {name: dict(reversed(pairs))}, differ)) == []  # by label, in any order
    assert list(disagreements(found, {name: [(about, values | {"d": 0}) for about, values in pairs]}, differ)) == []
    assert len(list(disagreements(found, {name: pairs[:-1]}, differ))) == 1
    wrong = [(about, {label: value + 1 for label, value in values.items()}) for about, values in pairs]
    assert list(disagreements(found, {name: wrong}, differ))
    with pytest.raises(HyloopError, match="expected is a list of pairs"):
        list(disagreements(found, {name: 3}, differ))


# -- functions in files ---------------------------------------------------------------------------------------------

FILE = """import sys
print("while it is read")


def fine(h, **inputs):
    print("while it runs")
    return inputs


def fails(h):
    return deeper(h)


def deeper(h):
    return h.weights[9]


def leaves(h):
    sys.exit(3)


def forgets(h):
    pass


def said(h):
    assert not h.vertices, "there are vertices."
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_a_function_of_a_file(file, capsys):
    assert ask(load_function(f"{file}:fine"), "it", H, {"k": 3}) == {"k": 3}
    assert capsys.readouterr().out == ""  # what it prints is no result


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("fails", "own.py:fails fails on it: own.py:15: IndexError: tuple index out of range."),
        ("leaves", "own.py:leaves fails on it: own.py:19: it ends Python (sys.exit)."),
        ("said", "own.py:said fails on it: own.py:27: AssertionError: there are vertices."),
    ],
)
def test_an_error_names_file_and_line(file, name, says):
    with pytest.raises(HyloopError) as caught:
        ask(load_function(f"{file}:{name}"), "it", H, {})
    assert str(caught.value) == says


def test_a_condition_says_true_or_false(file):
    with pytest.raises(HyloopError, match=r"own\.py:forgets returns None for the hypergraph .*expected is True or"):
        holds(load_function(f"{file}:forgets"), H)
    assert holds(lambda h: np.bool_(len(h.vertices) == 4), H)
    assert not holds(lambda h: not h.vertices, H)


@pytest.mark.parametrize(
    ("which", "text", "says"),
    [
        ("own.py", "", "is given as FILE.py:NAME; 'own.py' is not"),
        ("own.txt:f", "", "is given as FILE.py:NAME"),
        ("missing.py:f", None, "There is no file missing.py."),
        ("own.py:nothing", "def f(h): ...\n", "has no function 'nothing'; its functions: f."),
        ("own.py:f", "\n\ndef f(:\n", "own.py cannot be run: line 3: invalid syntax."),
        ("own.py:f", "x = 1\ny = x / 0\n", "own.py cannot be run: line 2: ZeroDivisionError: division by zero."),
        ("own.py:f", "raise SystemExit\n", "own.py cannot be run: line 1: it ends Python (sys.exit)."),
    ],
)
def test_files_that_cannot_be_used(which, text, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "own.py").write_text(text, encoding="utf-8")
    with pytest.raises(HyloopError) as caught:
        load_function(which)
    assert says in str(caught.value)


def test_an_array_of_no_dimension_is_no_list():
    assert not same((5,), np.array(5))
