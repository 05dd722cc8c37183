"""Examples as text: what stands there, and answers read back."""

import pytest

from hyloop import data
from hyloop.data.loaders import Sample
from hyloop.data.standard_set import ALGORITHMS
from hyloop.data.text import MEANINGS
from hyloop.errors import FormatError
from hyloop.execute.prepare import program_of


@pytest.fixture
def sample(small):
    [sample] = data.load(small, "dijkstra", part="test-4")[:1]
    example = dict(sample.example, vertices=3, hyperedges=1, member_at=[0, 2], member=[0, 2], weight=[5])
    return Sample(
        sample.document,
        example
        | {"direction": [0, 0], "input_source": 2}
        | {"output_distance": [5, -1, 0], "output_predecessor": [2, -1, -1], "output_hyperedge": [0, -1, -1]},
    )


def test_a_question_and_its_answer(sample):
    found = data.as_text(sample)
    assert found["question"].splitlines() == [
        "dijkstra: Least distance from `source`; crossing a hyperedge costs its weight.",
        "vertices: 0 to 2",
        "hyperedge 0: 0 2; weight 5",
        "source: 2",
        "Answer with a line for each of these: its name, a colon, and integers separated by blanks, or none.",
        "distance: 3 numbers, one for each vertex, in order: the least sum of weights on a path from the source; 0 for "
        "the source, none where there is no path",
        "predecessor: 3 vertices, one for each vertex, in order: the vertex before it on a shortest path; none for the "
        "source, and where there is no path",
        "hyperedge: 3 hyperedges, one for each vertex, in order: the hyperedge that the last step of that path "
        "crosses; none where predecessor is none",
    ]
    assert found["answer"] == "distance: 5 none 0\npredecessor: 2 none none\nhyperedge: 0 none none"


def test_every_output_of_the_standard_data_set_is_explained():
    for name in ALGORITHMS:
        assert list(MEANINGS[name]) == list(dict.fromkeys(each.name for each in program_of(name).outputs))


def test_an_output_of_another_program_is_not_explained(sample, monkeypatch):
    monkeypatch.setattr("hyloop.data.read._own_text", lambda _: "another program")
    assert data.as_text(sample)["question"].endswith("\nhyperedge: 3 hyperedges, one for each vertex, in order")


@pytest.mark.parametrize("algorithm", ["dijkstra", "s_distance", "scc", "helly"])
def test_answers_are_read_back_and_score(algorithm, small, tmp_path):
    samples = data.load(small, algorithm)
    told = [data.parse_answer(f"Sure!\n{data.as_text(each)['answer']}\n", each) for each in samples]
    data.write_predictions(tmp_path / "told.parquet", told, small)
    for part in data.score(tmp_path / "told.parquet", small)["parts"]:
        assert part["graphs"] == {"right": 5, "all": 5}


def test_the_same_line_twice_is_an_answer(small):
    sample = data.load(small, "dijkstra")[0]
    answer = data.as_text(sample)["answer"]
    found = data.parse_answer(f"{answer}\nSo the answer is:\n{answer}", sample)
    assert found["output_distance"].tolist() == sample.outputs["distance"].tolist()


def test_directions_are_marked(small):
    sample = next(each for each in data.load(small, "scc") if -1 in each.example["direction"])
    lines = [line for line in data.as_text(sample)["question"].splitlines() if line.startswith("hyperedge")]
    words = [word for line in lines for word in line.partition(": ")[2].partition(";")[0].split()]
    assert "In a hyperedge, <v is a tail, >v is a head, and v is both." in data.as_text(sample)["question"]
    signs = {"<": -1, ">": 1}
    assert [signs.get(word[0], 0) for word in words] == sample.example["direction"].tolist()


def test_the_trace_has_every_change(small):
    sample = data.load(small, "dijkstra")[0]
    lines = data.as_text(sample)["trace"].splitlines()
    assert len(lines) == sample.example["steps"]
    assert sum(line.count(" = ") for line in lines) == len(sample.example["hint_step"])
    assert lines[0].startswith("step 1: distance[")
    assert "trace" not in data.as_text(data.load(small, "dijkstra", hints=False)[0])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("distance: 1 2 3", "no line 'predecessor: ...'; it needs one for each of distance, predecessor, hyperedge"),
        ("distance: " + "9" * 30, "'distance: 9+' has a number beyond 64 bits"),
        ("distance: " + "9" * 9000, "has a number beyond 64 bits"),
        ("distance: 1_000", "'distance: 1_000' is no line of an answer"),
        ("distance: 1 2\ndistance: 1 3", "The answer gives distance twice, with other numbers; give one line for it"),
        ("distance: 1 2\ndistance: 1 2 2", "The answer gives distance twice"),
        (b"distance: 1", "An answer is a text; given b'distance: 1'"),
        ("distance: one", "'distance: one' is no line of an answer: after the colon stand integers, or none"),
    ],
)
def test_what_is_no_answer(text, told, small):
    with pytest.raises(FormatError, match=told):
        data.parse_answer(text, data.load(small, "dijkstra")[0])


@pytest.mark.parametrize("numbers", ["1 2", "1 2 3 4 5 6 7 8 9", ""])
def test_an_answer_of_another_length_is_none(numbers, small):
    sample = data.load(small, "scc")[0]
    count = len(sample.outputs["component"])
    with pytest.raises(FormatError, match=rf"has {len(numbers.split())} numbers for component; .* asks for {count}\."):
        data.parse_answer(f"component: {numbers}", sample)
