"""The command line, as a person and as a program use it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hyloop import __version__
from hyloop.cli.paper import Name
from hyloop.paper.algorithms import ALGORITHMS

HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")


def hyloop(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hyloop", *arguments], input=given, capture_output=True, text=True, check=False
    )


def test_version():
    assert hyloop("--version").stdout == f"hyloop {__version__}\n"


def test_every_algorithm_can_be_named():
    assert set(Name.__args__) == set(ALGORITHMS)


def test_dijkstra_for_people():
    done = hyloop("paper", "run", "dijkstra", HARBOUR, "--source", "Quay", "--verify")
    assert done.returncode == 0
    assert "Light" in done.stdout
    assert "3.5" in done.stdout
    assert "104 iterations of 15 layers" in done.stdout
    assert "equal to the independent answer" in done.stdout
    assert done.stderr == ""


def test_dijkstra_for_programs():
    done = hyloop("paper", "run", "dijkstra", HARBOUR, "--source", "Quay", "--json")
    document = json.loads(done.stdout)
    assert document["algorithm"] == "dijkstra"
    assert document["halted"] is True
    assert document["iterations"] == 8 * (8 + 6 - 1)
    by_vertex = {record["vertex"]: record for record in document["vertices"]}
    assert by_vertex["Cove"] == {"vertex": "Cove", "distance": 4, "predecessor": "Quay"}
    assert by_vertex["Wreck"] == {"vertex": "Wreck", "distance": None, "predecessor": None}


@pytest.mark.parametrize("positions", ["parabola", "circle"])
@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_runs_and_is_verified(name, positions):
    source = ("--source", "Mill") if ALGORITHMS[name].inputs else ()
    done = hyloop("paper", "run", name, HARBOUR, *source, "--verify", "--json", "--positions", positions)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verified"] is True


def test_standard_input_and_an_edge_list():
    done = hyloop("paper", "run", "helly", "-", "--format", "edge-list", "--json", given="1 2\n2 3\n1 3\n")
    assert json.loads(done.stdout)["scalars"] == {"helly": False, "witness": [1, 2, 3]}


def test_an_inexact_distance_is_a_fraction():
    done = hyloop(
        "paper", "run", "bfs", "-", "--format", "edge-list", "--source", "1", "--json", given="1 2 | 1/3\n"
    )
    assert [record["level"] for record in json.loads(done.stdout)["vertices"]] == [0, 1]
    done = hyloop(
        "paper", "run", "dijkstra", "-", "--format", "edge-list", "--source", "1", "--json", given="1 2 | 1/3\n"
    )
    assert [record["distance"] for record in json.loads(done.stdout)["vertices"]] == [0, "1/3"]


MISTAKES = {
    "no source": (("run", "dijkstra", HARBOUR), "needs a vertex to start from"),
    "unknown source": (("run", "dijkstra", HARBOUR, "--source", "Quai"), "Quay"),
    "source for helly": (("run", "helly", HARBOUR, "--source", "Quay"), "leave out --source"),
    "no such file": (("run", "helly", "nowhere.json"), "nowhere.json"),
    "too few rows": (("run", "helly", HARBOUR, "--rows", "5"), "8 vertices and 6 hyperedges"),
    "too light": (("run", "helly", HARBOUR, "--weight", "9"), "weighs 14"),
    "beyond float32": (("run", "helly", HARBOUR, "--rows", "9000", "--dtype", "float32"), "exact up to 16,777,216"),
    "circle too fine": (("run", "helly", HARBOUR, "--rows", "90000", "--positions", "circle"), "tie tolerance"),
    "too few iterations": (("run", "dijkstra", HARBOUR, "--source", "Quay", "--limit", "5"), "after 5 iterations"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_a_sentence(mistake):
    arguments, expected = MISTAKES[mistake]
    done = hyloop("paper", *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


DIRECTED = json.dumps(
    {
        "network-type": "directed",
        "incidences": [
            {"edge": 1, "node": 1, "direction": "tail"},
            {"edge": 1, "node": 2, "direction": "head"},
        ],
    }
)


def test_directed_files_are_refused_unless_direction_is_ignored():
    refused = hyloop("paper", "run", "bfs", "-", "--source", "1", given=DIRECTED)
    assert refused.returncode == 2
    assert "--ignore-direction" in refused.stderr
    done = hyloop("paper", "run", "bfs", "-", "--source", "1", "--ignore-direction", "--json", given=DIRECTED)
    assert [record["level"] for record in json.loads(done.stdout)["vertices"]] == [0, 1]


def test_lemmas():
    documents = json.loads(hyloop("paper", "lemmas", "--trials", "40", "--json").stdout)
    assert len(documents) == 10
    assert all(each["corrected"]["holds"] for each in documents)
    assert [each["lemma"] for each in documents if each["printed"]["holds"]] == ["read incidence", "repeat addition"]
    assert all(each["printed"]["counterexample"] for each in documents if not each["printed"]["holds"])


def test_algorithms_with_a_small_sweep():
    documents = json.loads(hyloop("paper", "algorithms", "--sweep", "20", "--json").stdout)
    assert [each["algorithm"] for each in documents] == list(ALGORITHMS)
    assert all(each["sweep"]["mismatches"] == 0 for each in documents)
    assert {each["algorithm"]: each["claimed_layers"] for each in documents}["dijkstra"] == 27
    by_name = {each["algorithm"]: each for each in documents}
    assert by_name["dijkstra"]["measured_iterations"]["iterations"] == 5 * (5 + 4 - 1)
    assert by_name["dijkstra"]["as_printed"]["right"] == 0


@pytest.mark.parametrize(
    ("dtype", "parabola", "circle"), [("bfloat16", 16, 21), ("float16", 45, 46), ("float32", 4096, 894)]
)
def test_capacity(dtype, parabola, circle):
    found = json.loads(hyloop("paper", "capacity", "--dtype", dtype, "--json").stdout)
    assert {each["code"]: each["rows"] for each in found} == {"parabola": parabola, "circle": circle}


def test_describe():
    facts = json.loads(hyloop("describe", HARBOUR, "--json").stdout)
    assert facts["vertices"] == 8
    assert facts["isolated_vertices"] == 1
    assert facts["least_weight"] == 0.5
    assert facts["largest_integer_weight"] == 14


def test_convert_there_and_back(tmp_path):
    csv, back = tmp_path / "harbour.csv", tmp_path / "harbour.edges"
    assert hyloop("convert", HARBOUR, str(csv)).returncode == 0
    assert hyloop("convert", str(csv), str(back)).returncode == 0
    assert json.loads(hyloop("describe", str(back), "--json").stdout) == json.loads(
        hyloop("describe", HARBOUR, "--json").stdout
    )
