"""The answer that the page tells at the end of a run: all outputs of all algorithms, as `hyloop.run` gives them."""

from fractions import Fraction

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, Shown, drawn, length_text, name_of, read, seek
from hyloop.algorithms import ALGORITHMS
from hyloop.algorithms.meanings import MEANINGS
from hyloop.lang import Flag, Outputs, algorithm
from hyloop.lang.kinds import Kind, Scope
from hyloop.result import in_line
from hyloop.viewer.playground import playground

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
NUMBER = 2  # what the page gives an input that is a number

CARD = """() => {
  const card = document.querySelector("[data-testid=answer]");
  const texts = (root, what) => [...root.querySelectorAll(what)].map((each) => each.textContent);
  const values = texts(card, "dd");
  return {
    single: Object.fromEntries(texts(card, "dt").map((name, k) => [name, values[k]])),
    tables: [...card.querySelectorAll("table")].map((table) => ({
      names: texts(table, "thead th"),
      rows: [...table.querySelectorAll("tbody tr")].map((row) => texts(row, "th, td")),
    })),
  };
}"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A page with all algorithms, on the harbour."""
    file = tmp_path_factory.mktemp("answers") / "page.html"
    file.write_text(playground("dijkstra", HARBOUR, {"source": "Quay"}, name="harbour.hif.json"), encoding="utf-8")
    return file


def at_the_end(page, name):
    """Run an algorithm in the page, and go to its last frame, with the story beside it."""
    page.evaluate("() => hyloop.show('edit')")
    page.get_by_test_id("edit-algorithm").select_option(name)
    page.wait_for_function("(name) => hyloop.recording.trace.algorithm.name === name", arg=name, timeout=60_000)
    page.evaluate("() => hyloop.show('story')")
    seek(page, page.evaluate("() => hyloop.recording.length - 1"))
    expect(page.get_by_test_id("answer")).to_be_visible()
    drawn(page)
    return page.evaluate(CARD)


def inputs_of(name):
    """What the page gives an algorithm that was chosen after Dijkstra's from Quay."""
    firsts = {Kind.VERTEX: HARBOUR.vertices[0], Kind.HYPEREDGE: HARBOUR.hyperedges[0], Kind.COUNT: NUMBER}
    given = ALGORITHMS[name].program.inputs
    alone = {each.name: firsts[each.type.kind] for each in given if each.type.scope is Scope.SCALAR}
    return alone | {each.name: [0] * len(HARBOUR.vertices) for each in given if each.type.scope is not Scope.SCALAR}


def text(value, *, length=False):
    """A value of a result as the card has it."""
    if value is None:
        return "∞" if length else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return length_text(Fraction(value)) if isinstance(value, int | Fraction) else name_of(value)


def kind_of(name, output):
    program = ALGORITHMS[name].program
    one = next(each for each in program.outputs if each.name == output)
    return "quotient" if one.over is not None else program.state(one.state).type.kind


def column(card, name):
    """A column of a table of the card, by label."""
    table = next(each for each in card["tables"] if name in each["names"][1:])
    at = table["names"].index(name)
    return {row[0]: row[at] for row in table["rows"]}


def test_the_card_has_every_output_of_every_algorithm(visit, page_file):
    page = visit(page_file)
    for name in ALGORITHMS:
        card = at_the_end(page, name)
        result = hyloop.run(name, HARBOUR, **inputs_of(name))
        for output in (*result.vertices, *result.hyperedges):
            length = kind_of(name, output) is Kind.LENGTH
            wanted = {name_of(label): text(value, length=length) for label, value in result[output].items()}
            assert column(card, output) == wanted, (name, output)
        for output, value in result.scalars.items():
            if isinstance(value, tuple) and len(value) > 5:
                assert card["single"][output] == in_line(value, result.kinds[output], str), (name, output)
            elif isinstance(value, tuple):
                assert card["single"][output] == ", ".join(map(text, value)), (name, output)
            else:
                assert card["single"][output] == text(value, length=kind_of(name, output) is Kind.LENGTH)
        for output, stream in result.streams.items():
            told = column(card, output)
            assert len(told) == len(stream.entries)
            for entry in stream.entries:
                pairs = [f"{name_of(label)} = {text(value)}" for label, value in entry.values.items()]
                assert told[name_of(entry.about)] == " and ".join(filter(None, [", ".join(pairs[:-1]), *pairs[-1:]]))


def test_the_picture_marks_vertices_that_the_answer_lists_once_it_has_them(visit, tmp_path):
    h = hyloop.Hypergraph.from_hyperedges({"a": ["x", "y"], "b": ["y", "z"], "c": ["x", "z"], "d": ["z", "w"]})
    shown = Shown.of(hyloop.trace("helly", h), tmp_path / "helly.html")
    page = visit(shown.file)
    assert "witness: none;" in read(page)["picture"]
    seek(page, shown.frames - 1)
    said = read(page)["picture"]
    assert "witness: x, y, z; hyperedges with at least two of these: a, b, c;" in said
    legend = page.get_by_test_id("picture-legend")
    expect(legend).to_contain_text("in the answer (witness): solid, ★")
    expect(legend).to_contain_text("hyperedge with at least two of these (witness): heavy outline")


@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("closeness", "The answer: closeness: Quay = 12/53, Mole = 6/19, Isle = 2/7, Light = 0.4, Cove = 12/31, "),
        (
            "all_pairs",
            "The answer: distance of Quay: Quay = 0, Mole = 1.5, Isle = 3.5, Light = 3.5, Cove = 4 and 2 more",
        ),
        ("label_propagation", "The answer: stable: no; label: Quay = Quay, Mole = Mole, "),
        (
            "motifs",
            "The answer: counts: number 2 = 2, number 21 = 3, number 22 = 7, number 25 = 3, the other 22 are 0.",
        ),
    ],
)
def test_the_sentence_has_what_the_algorithm_is_for(visit, page_file, name, brief):
    page = visit(page_file)
    at_the_end(page, name)
    expect(page.get_by_test_id("story-text")).to_contain_text(brief)


@pytest.mark.parametrize(("name", "targets"), [("bfs", 7), ("label_propagation", 0), ("spanning_tree", 8)])
def test_paths_lead_along_predecessors_of_the_answer_to_what_it_reaches(visit, page_file, name, targets):
    """Not along pointers that the program only works with, nor to vertices whose value is unknown."""
    page = visit(page_file)
    at_the_end(page, name)
    assert page.get_by_test_id("answer-target").locator("option").count() == targets
    if name == "spanning_tree":
        expect(page.get_by_test_id("answer-path")).to_have_text(
            "Quay –launch→ Mole –mail boat→ Light –dinghy→ Cove –barge→ Dunes"
        )


@algorithm
def marked(h):
    """Which vertices are marked.

    A vertex has `mark` if it is in a hyperedge."""
    mark = h.vertices.state(Flag, False)
    with h.loop(at_most=2) as loop:
        mark.assign(h.covered(h.hyperedges.every))
        loop.stop_when(True)
    return Outputs(mark=mark)


def test_what_the_outputs_mean_stands_with_the_answer(visit, tmp_path):
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    for which, inputs, about in (
        (marked, {}, ["A vertex has mark if it is in a hyperedge."]),
        ("levels", {"source": "Quay"}, []),  # whose docstring is one line, and says it
        ("helly", {}, [MEANINGS["helly"].replace("`", "")]),
    ):
        hyloop.trace(which, h, **inputs).save(tmp_path / "page.html")
        page = visit(tmp_path / "page.html", offline=True)
        page.evaluate("() => hyloop.show('story')")
        seek(page, page.evaluate("() => hyloop.recording.length - 1"))
        expect(page.get_by_test_id("answer-about")).to_have_text(about)
