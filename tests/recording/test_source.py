"""Source lines: those of the functions and constants that an algorithm uses, too; the states that the language made."""

import pytest

from hyloop.algorithms import ALGORITHMS
from hyloop.errors import FormatError
from hyloop.hypergraph import Hypergraph
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.text import from_text, to_text
from hyloop.lookup import program_named
from hyloop.recording import record_run
from hyloop.recording.schema import require_trace
from hyloop.recording.source import source_of

H = Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})


@pytest.fixture(scope="module")
def pagerank():
    return source_of(ALGORITHMS["pagerank"].program)


def test_what_an_algorithm_uses_of_its_file_is_shown_with_it(pagerank):
    assert pagerank.lines[0].startswith("MEAN, DIGITS, TOP = ")
    [divide] = pagerank.functions
    assert divide.name == "divide"
    assert divide.about.startswith("`number` becomes the quotient")
    assert pagerank.lines[divide.first - pagerank.first].startswith("def divide(")
    assert pagerank.lines[divide.last - pagerank.first + 1 :][:3] == ("", "", "@algorithm")
    assert source_of(ALGORITHMS["dijkstra"].program).functions == ()


def test_notes_come_with_the_source(pagerank):
    """One for each call of `divide`: of ranks, and of sums."""
    ops = ALGORITHMS["pagerank"].program.body.ops
    for note, scope in zip(pagerank.notes, (Scope.VERTICES, Scope.HYPEREDGES), strict=True):
        assert note.about[0] == "one step of a long division, "
        assert {ops[part].type.scope for part in note.each if isinstance(part, int)} == {scope}
        assert ops[note.guard].type == Type(Kind.FLAG)
    assert source_of(ALGORITHMS["dijkstra"].program).notes == ()


def test_every_operation_of_a_called_function_has_its_line(pagerank):
    body = ALGORITHMS["pagerank"].program.body
    texts = [pagerank.lines[pagerank.of_op("body", number, op) - pagerank.first] for number, op in enumerate(body.ops)]
    first = next(number for number, op in enumerate(body.ops) if op.name == "less" and op.type.scope is Scope.VERTICES)
    assert texts[first].strip() == "one = number >= TOP"
    assert all(text.strip() for text in texts)


def test_what_is_far_from_the_algorithm_is_not_shown(tmp_path):
    file = tmp_path / "far.py"
    file.write_text(
        "from hyloop.lang import Count, Outputs, algorithm\n\nSTEP = 1\n"
        + "\n" * 500
        + "@algorithm\ndef far(h):\n    clock = h.state(Count, 0)\n    with h.loop(at_most=2) as loop:\n"
        "        loop.stop_when(clock == STEP)\n        clock.assign(clock + STEP)\n    return Outputs(clock=clock)\n",
        encoding="utf-8",
    )
    found = source_of(program_named(str(file)))
    assert (found.first, found.shipped) == (504, False)


def test_states_that_the_language_made_say_for_what(pagerank):
    assert pagerank.made == {
        "phase": "phase",
        "rounds": "rounds",
        "times": "times",
        "rounds_": "rounds",
        "times_": "times",
    }
    # The pointer of `each()` has a name of the author's; the one that comes next has not.
    assert {"source", "coming"} & {*source_of(ALGORITHMS["closeness"].program).made} == {"coming"}


def test_that_is_no_part_of_the_program(pagerank):
    program = ALGORITHMS["pagerank"].program
    again = from_text(to_text(program))
    assert again == program
    assert again.key == program.key
    assert source_of(again).made == pagerank.made  # found by the shipped program, which is equal


def test_the_recording_says_so():
    document = record_run("closeness", H, {}, first=1, backend="dense").document
    made = {each["name"]: each["made"] for each in document["variables"] if "made" in each}
    assert made == {"coming": "coming", "phase": "phase", "rounds": "rounds", "times": "times"}
    assert "shipped" not in document["algorithm"]
    require_trace(document, "run.json")
    wrong = {**document, "variables": [{**document["variables"][0], "made": "nobody knows"}]}
    with pytest.raises(FormatError, match="made"):
        require_trace(wrong, "run.json")
