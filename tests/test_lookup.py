"""Algorithms and inputs by the words that people type."""

from pathlib import Path

import pytest

import hyloop
from compiler.arrays import TOWNS, spread
from hyloop.errors import HyloopError
from hyloop.lang import Program
from hyloop.lookup import (
    algorithm_named,
    first_inputs,
    inputs_from_text,
    is_algorithm,
    is_hypergraph_file,
    option,
    program_named,
)

EXAMPLES = Path(__file__).parents[1] / "examples"
HARBOUR = hyloop.read(EXAMPLES / "harbour.hif.json")
CORE = str(EXAMPLES / "core.py")


def test_ours_and_ones_own():
    assert program_named("dijkstra").name == "dijkstra"
    assert program_named(CORE).name == program_named(f"{CORE}:core").name == "core"
    assert isinstance(algorithm_named(CORE), Program)
    with pytest.raises(HyloopError, match="Did you mean dijkstra"):
        program_named("djikstra")
    with pytest.raises(HyloopError, match="has no algorithm 'other'; it has core"):
        program_named(f"{CORE}:other")


def test_a_model_file(tmp_path):
    file = str(tmp_path / "m.safetensors")
    hyloop.save(hyloop.compile("levels", hyloop.Capacity(9, 9)), file)
    assert algorithm_named(file).capacity == hyloop.Capacity(9, 9)
    assert program_named(file) == program_named("levels")


@pytest.mark.parametrize(
    ("word", "algorithm", "file"),
    [
        ("dijkstra", True, False),
        ("mine.py", True, False),
        ("mine.py:one", True, False),
        ("m.safetensors", True, False),
        ("h.json", False, True),
        ("h.CSV.gz", False, True),
        ("-", False, True),
        ("there", False, True),
        ("djikstra", False, False),
        ("h.xyz", False, False),
    ],
)
def test_what_a_word_looks_like(word, algorithm, file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("there").touch()
    assert (is_algorithm(word), is_hypergraph_file(word)) == (algorithm, file)


def test_inputs():
    core = program_named(CORE)
    assert inputs_from_text(core, HARBOUR, ["k=2"]) == {"k": 2}
    assert inputs_from_text(program_named("dijkstra"), HARBOUR, ["source=Mole"]) == {"source": "Mole"}
    for texts, told in (
        (["k"], "has no ="),
        (["k=1", "k=2"], "given twice"),
        (["k=x"], "is a number, not 'x'"),
        (["k=" + "9" * 6000], r"^The input k cannot be used: '9{56}\.\.\. has 6,000 characters"),
    ):
        with pytest.raises(HyloopError, match=told):
            inputs_from_text(core, HARBOUR, texts)


def test_first_inputs():
    dijkstra = program_named("dijkstra")
    assert first_inputs(dijkstra, HARBOUR, {}) == {"source": "Quay"}
    assert first_inputs(dijkstra, HARBOUR, {"source": "Mole"}) == {}
    with pytest.raises(HyloopError, match="has none"):
        first_inputs(dijkstra, hyloop.Hypergraph.from_hyperedges([]), {})
    with pytest.raises(HyloopError, match="--input k=VALUE"):
        first_inputs(program_named(CORE), HARBOUR, {})


def test_arrays():
    program = spread.program
    texts = ["start=Quay,Isle", "load=@people,default=0", "toll=mail:0.25,default=1"]
    assert inputs_from_text(program, TOWNS, texts) == {
        "start": {"Quay": True, "Isle": True, "Mole": False, "Light": False},
        "load": {"Quay": 30, "Isle": 7, "Mole": 0, "Light": 0},
        "toll": {"ferry": 1, "mail": 0.25, "tug": 1},
    }
    assert [option(each) for each in program.inputs] == [
        "--input start=LABEL,LABEL,... or --input start=@ATTRIBUTE",
        "--input load=LABEL:VALUE,... or --input load=@ATTRIBUTE",
        "--input toll=LABEL:VALUE,... or --input toll=@ATTRIBUTE",
    ]
    with pytest.raises(HyloopError, match="spread needs start, flags over the vertices: --input start=LABEL,LABEL"):
        first_inputs(program, TOWNS, {})


def test_two_names_of_one_algorithm_are_one(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(f"{Path(CORE).read_text()}\n\nalso = core\n")
    assert program_named(str(file)).name == "core"
