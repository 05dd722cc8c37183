"""Text in pieces gives what the whole text gives, and runs of plain records what each of them alone gives."""

from __future__ import annotations

import random
import warnings

import pytest

from hyloop import io
from hyloop.errors import FormatError, HyloopWarning
from hyloop.io import edge_list, hif, incidence_csv
from hyloop.io.budgets import BUDGETS, Budgets
from hyloop.io.window import Window

HIF = """{"network-type": "undirected", "metadata": {"made": [2024, 1.5e3, null]},
 "nodes": [{"node": "Quay"}, {"node": "Isle"},  {"node": "Mühle", "attrs": {"lit": true}}, {"node": 3}, {"node": -0},
  {"node": "Mill", "weight": 2}],
 "edges": [{"edge": "ferry", "weight": 4}, {"edge": "bus", "weight": 0.25}, {"edge": "tug", "weight": 1.5, "attrs":
  {"weight": 1.5}}, {"edge":"t2","weight":10,"attrs":{"weight":10}} , {"edge": "old", "attrs": {"weight": 3}},
  {"edge": 7}, {"edge": 8}, {"edge": "ferry", "weight": 4}, {"edge": "x"}],
 "incidences": [{"edge": "ferry", "node": "Quay"}, {"edge": "ferry", "node": "Isle"}, {"edge": "tug", "node": 3},
  {"node": "Isle", "edge": "tug"}, {"node": "Quay", "edge": "tug"},{"edge": 7, "node": "Mill"}, {"edge": 7, "node": 12},
  {"edge": 8, "node": 12}, {"edge": "ferry", "node": "Isle", "weight": 0.25}, {"edge": "f\\u00e9", "node": "Isle"},
  {"edge": "ferry", "node": "Quay"}]}
"""
EDGES = (
    '# boats\nferry: Quay Isle "North Point" | 1/2\nQuay 3 | 2.5\n* Lighthouse 7\nempty: | 3\n"a b": Isle 3\r\nA B\r'
    "C D\né: A\nx:\n\n e :A B|3\nq: A B |3 \nlast: Quay"
)
CSV = (
    "vertex,hyperedge,weight\nAlone,,\nTwo,,\nQuay,ferry,1/2\nIsle,ferry,\nQuay,ferry,0.5\r\n"
    '"North, Point",tug,3\nLighthouse,,\n,empty,0.37\n3,tug,3\nNorth Point,x y,\n a , tug ,\nMühle,tug,\n'
    'b,tug,3.0\n"two\nlines",tug,\rc,last,7'
)
TEXTS = {
    "hif": (hif.read, HIF),
    "edges": (edge_list.read, EDGES),
    "csv": (incidence_csv.read, CSV),
    "semicolons": (incidence_csv.read, CSV.replace('"North, Point"', "North").replace(",", ";")),
    "tabs": (incidence_csv.read, CSV.replace('"North, Point"', "North").replace(",", "\t")),
    "other columns": (incidence_csv.read, "edge,node\ne,1\ne,2\ne,3\n,4\nf,1\n"),
}


def pieces(text, size):
    return (text[start : start + size] for start in range(0, len(text), size))


def outcome(read, text, budgets=BUDGETS):
    """The hypergraph, or the refusal; and the warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", HyloopWarning)
        try:
            found = read(text, budgets)
        except FormatError as error:
            found = str(error)
    return found, [str(each.message) for each in told]


@pytest.fixture
def one_by_one(monkeypatch):
    """How the readers read without their fast paths."""

    def read(reader, text, budgets=BUDGETS):
        with monkeypatch.context() as patched:
            patched.setattr(hif, "plain_run", lambda *_: None)
            patched.setattr(incidence_csv._Many, "take", lambda _: None)
            patched.setattr(edge_list, "_PLAIN_LINE", edge_list.re.compile("(?!)"))
            return outcome(reader, text, budgets)

    return read


@pytest.mark.parametrize("name", TEXTS)
def test_pieces_of_any_size(name):
    reader, text = TEXTS[name]
    whole = outcome(reader, text)
    assert not isinstance(whole[0], str)
    for size in (1, 2, 3, 7, 50, 211):
        assert outcome(reader, Window(pieces(text, size))) == whole


@pytest.mark.parametrize("blank", ["\n", " \n", "\t\n", "\t\r", "\t\r\n", "\n\n \r\n", "\t \n\n", ",\n", ";\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_lines_before_the_header_of_a_table(blank, separator):
    """What is blank depends on the separator, which only the header tells; and the lines are counted."""
    for rows in ("Quay,ferry\n", "Quay,ferry\nIsle\n", "vertex,hyperedge\n"):
        text = blank + f"vertex,hyperedge\n{rows}".replace(",", separator)
        whole = outcome(incidence_csv.read, text)
        for size in (1, 2, 3, 7, 50):
            assert outcome(incidence_csv.read, Window(pieces(text, size))) == whole


@pytest.mark.parametrize("name", TEXTS)
def test_one_by_one_and_many_at_once(name, one_by_one):
    reader, text = TEXTS[name]
    assert one_by_one(reader, text) == outcome(reader, text)


DAMAGES = [
    *'{}[]",:;|*#\t\n\r \\x07.-e',
    "",
    "null",
    "é",
    "\u2028",
    "\ufeff",
    '"a"',
    "vertex",
    "node",
    "1e5",
    "99" * 600,
]


@pytest.mark.parametrize("name", TEXTS)
def test_damaged_texts_give_the_same_in_every_way(name, one_by_one):
    reader, text = TEXTS[name]
    draw = random.Random(name)
    refused = 0
    for _ in range(150):
        at, cut = draw.randrange(len(text)), draw.choice([0, 1, 2, 20])
        damaged = text[:at] + draw.choice(DAMAGES) + text[at + cut :]
        expected = one_by_one(reader, damaged)
        assert outcome(reader, damaged) == expected, damaged
        assert outcome(reader, Window(pieces(damaged, draw.choice([1, 5, 64])))) == expected, damaged
        refused += isinstance(expected[0], str)
    assert 10 < refused < 150


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("budget", ["records", "incidences"])
def test_budgets_end_at_the_same_place(name, budget, one_by_one):
    reader, text = TEXTS[name]
    for most in range(0, 24, 3):
        budgets = Budgets(**{budget: most})
        assert outcome(reader, text, budgets) == one_by_one(reader, text, budgets)


def test_lines_and_columns_of_what_was_forgotten():
    window = Window(iter(["ab\ncd", "e\n", "", "fg"]))
    assert (window.text, window.place()) == ("ab\ncd", (1, 1))
    window.position = 4
    assert window.place() == (2, 2)
    assert window.more()
    assert (window.text, window.place()) == ("de\n", (2, 2))
    window.position = 1
    assert window.more()
    assert (window.text, window.place()) == ("e\nfg", (2, 3))
    window.position = 3
    assert (window.place(), window.more(), window.text) == ((3, 2), False, "e\nfg")


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\n", "a\r\nb\rc\n\rd", "\r", "a\r", "a\r\n"])
@pytest.mark.parametrize("size", [1, 2, 9])
def test_lines(text, size):
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [line for block in Window(pieces(text, size)).lines() for line in block] == expected


def test_a_file_that_is_no_text_is_refused_when_it_is_reached(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"#" + b"a" * 1_599_998 + b"\n\xff")
    with pytest.raises(FormatError, match=r"a\.txt: this is not UTF-8 text; the byte 0xff at offset 1600000"):
        io.read(tmp_path / "a.txt")


@pytest.mark.parametrize("text", ["vertex,hyperedge\n{}", "hyperedge,vertex\n{}"])
def test_integers_whose_hashes_collide_are_refused_at_once(text):
    rows = "".join(f"{1 + (2**61 - 1) * 7**30 * number},e\n" for number in range(1, 20_000))
    found, _ = outcome(incidence_csv.read, text.format(rows))
    assert "have the same hash value" in found
