"""The command line, as a person and as a program use it."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import commands
from effort import share
from hyloop import __version__, io
from hyloop.algorithms import ALGORITHMS as LANGUAGE
from hyloop.lang.text import from_text
from hyloop.paper.algorithms import ALGORITHMS, Name

HARBOUR = str(Path(__file__).parents[2] / "examples" / "harbour.hif.json")


def hyloop(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return commands.run_text(*arguments, given=given)


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


@pytest.mark.parametrize("positions", share(["parabola", "circle"], "parabola"))
@pytest.mark.parametrize("name", share(sorted(ALGORITHMS), "dijkstra", "helly-lemmas"))
def test_every_algorithm_runs_and_is_verified(name, positions):
    source = ("--source", "Mill") if ALGORITHMS[name].inputs else ()
    done = hyloop("paper", "run", name, HARBOUR, *source, "--verify", "--json", "--positions", positions)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verified"] is True


def test_standard_input_and_an_edge_list():
    done = hyloop("paper", "run", "helly", "-", "--format", "edge-list", "--json", given="1 2\n2 3\n1 3\n")
    assert json.loads(done.stdout)["scalars"] == {"helly": False, "witness": [1, 2, 3]}


def test_an_inexact_distance_is_a_fraction():
    done = hyloop("paper", "run", "bfs", "-", "--format", "edge-list", "--source", "1", "--json", given="1 2 | 1/3\n")
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


def test_directed_files_run_where_direction_is_used():
    done = hyloop("run", "forward-chaining", "-", "--json", given=DIRECTED)
    assert [record["derived"] for record in json.loads(done.stdout)["vertices"]] == [False, False]
    done = hyloop("check", "reachable", "-", "--source", "2", given=DIRECTED)
    assert "0 differences" in done.stdout
    there, back = (hyloop("run", "reachable", "-", "--source", v, "--json", given=DIRECTED) for v in "12")
    assert [record["reached"] for record in json.loads(there.stdout)["vertices"]] == [True, True]
    assert [record["reached"] for record in json.loads(back.stdout)["vertices"]] == [False, True]


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
    assert [each["right"] for each in by_name["dijkstra"]["as_printed"].values()] == [0, 0]


@pytest.mark.parametrize(
    ("dtype", "parabola", "circle"),
    share([("bfloat16", 16, 21), ("float16", 45, 46), ("float32", 4096, 894)], ("float16", 45, 46)),
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


def test_convert_to_gzip_and_tabs(tmp_path):
    packed, tabs = tmp_path / "a.csv.gz", tmp_path / "a.tsv"
    for source, target in ((HARBOUR, packed), (packed, tabs)):
        done = hyloop("convert", "-q", str(source), str(target))
        assert (done.returncode, done.stderr) == (0, "")
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert tabs.read_text("utf-8").startswith("vertex\thyperedge\tweight\n")
    assert io.read(tabs).weights == io.read(HARBOUR).weights


def test_what_looks_the_same_is_told(tmp_path):
    (tmp_path / "a.txt").write_text('1 "1"\n')
    done = hyloop("describe", str(tmp_path / "a.txt"))
    assert done.returncode == 0
    assert "Warning: " in done.stderr
    assert "different vertices, though they look the same: 1 (an integer) and '1'." in " ".join(done.stderr.split())
    assert hyloop("describe", "-q", str(tmp_path / "a.txt")).stderr == ""


def test_convert_there_and_back(tmp_path):
    csv, back = tmp_path / "harbour.csv", tmp_path / "harbour.edges"
    assert hyloop("convert", HARBOUR, str(csv)).returncode == 0
    assert hyloop("convert", str(csv), str(back)).returncode == 0
    assert json.loads(hyloop("describe", str(back), "--json").stdout) == json.loads(
        hyloop("describe", HARBOUR, "--json").stdout
    )


HOSTILE = '"[red]x" ":cat:" "a\\u001b[31mb" "1" 1\n'


def test_labels_are_shown_as_they_are_and_never_as_markup():
    done = hyloop("run", "components", "-", "--format", "edge-list", given=HOSTILE)
    assert done.returncode == 0
    for shown in ("[red]x", ":cat:", r'"a\u001b[31mb"', '"1"'):
        assert shown in done.stdout
    assert "\x1b" not in done.stdout


def test_a_file_name_is_no_markup(tmp_path):
    (tmp_path / "[").mkdir()
    file = tmp_path / "[" / "x.txt"
    file.write_text("1 2\n")
    assert hyloop("describe", str(file)).returncode == 0
    assert "[/]y.txt" in hyloop("describe", str(tmp_path / "[/]y.txt")).stderr


def hyloop_in(
    environment: dict[str, str], *arguments: str, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hyloop", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here, which limits the size of a file")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_is_full_after_a_part_is_a_sentence(unbuffered, tmp_path):
    many = tmp_path / "many.edges"
    many.write_text("".join(f"vertex{number} vertex{number + 1}\n" for number in range(2_000)))
    command = f"trap '' XFSZ; ulimit -f 16; exec {sys.executable} -m hyloop convert {many} - --to hif > {tmp_path}/out"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the output cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("environment", "arguments", "told"),
    [
        ({"LOKY_MAX_CPU_COUNT": "x"}, ("check", "levels", "--random", "3000"), "is LOKY_MAX_CPU_COUNT right?"),
        ({"MPLBACKEND": "x"}, ("draw", HARBOUR, "-o", "x.svg"), "is MPLBACKEND right?"),
    ],
)
def test_an_odd_environment_is_a_sentence(environment, arguments, told):
    done = hyloop_in(environment, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_defect_has_a_status_of_its_own():
    code = "import hyloop.cli as c; c.app = lambda **_: 1 / 0; c.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "ZeroDivisionError" in done.stderr
    assert "please report it" in done.stderr


def test_a_terminal_without_the_letters_gets_others():
    done = hyloop_in({"PYTHONIOENCODING": "ascii"}, "paper", "run", "dijkstra", HARBOUR, "--source", "Quay")
    assert done.returncode == 0
    assert "Wreck" in done.stdout


def test_json_survives_any_encoding():
    given = json.dumps({"incidences": [{"edge": 1, "node": "é"}]})
    done = hyloop_in({"PYTHONIOENCODING": "ascii"}, "run", "components", "-", "--json", given=given)
    assert json.loads(done.stdout)["vertices"] == [{"vertex": "é", "component": "é"}]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_a_sentence():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*commands.python(), "-m", "hyloop", "describe", HARBOUR],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: the output cannot be written")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there are no such signals here")
def test_a_closed_pipe_ends_the_command_quietly():
    command = (
        f"{shlex.join(commands.python())} -m hyloop paper lemmas --trials 20 --json | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.split() in (["[", "0"], ["[", "141"])
    assert done.stderr == ""


def interrupted(after: float) -> tuple[int, str]:
    """How a long run ends that Ctrl-C reaches so many seconds after its start."""
    command = [*commands.python(), "-m", "hyloop", "paper", "run", "helly-lemmas", "-", "--format", "edge-list"]
    edges = "\n".join(f"{i} {i + 1} {i + 2}" for i in range(40))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdin is not None
        run.stdin.write(edges)
        run.stdin.close()
        time.sleep(after)
        run.send_signal(signal.SIGINT)
        assert run.stderr is not None
        told = run.stderr.read()
        return run.wait(timeout=60), told


def test_interrupting_a_run_is_no_traceback():
    """On a busy machine Python may still be starting, and then it is not the run that was interrupted."""
    ended = (interrupted(after) for after in (1, 3, 10, 30))
    code, told = next((each for each in ended if each[0] != -signal.SIGINT), (None, "never began"))
    assert code == 130, told
    assert "Traceback" not in told


OWN = """
from hyloop.lang import Count, Flag, Outputs, algorithm, any

@algorithm
def spread(h, turns: Count):
    seen = h.vertices.state(Flag, False)
    left = h.state(Count, 0)
    left.assign(turns)
    seen[h.vertices.first] = True
    with h.loop(at_most=h.vertices.count + 1) as loop:
        loop.stop_when((left == 0) | ~any(h.covered(h.touching(seen)) & ~seen))
        seen.assign(True, where=h.covered(h.touching(seen)))
        left.assign(left - 1)
    return Outputs(seen=seen)
"""


ONCE = """
from hyloop.lang import Count, Outputs, algorithm

@algorithm
def once(h):
    x = h.state(Count, 0)
    with h.loop(at_most=1) as loop:
        x.assign(1)
        loop.stop_when(True)
    return Outputs(x=x)
"""


def test_an_algorithm_of_ones_own(tmp_path):
    file = tmp_path / "spread.py"
    file.write_text(OWN)
    done = hyloop("run", str(file), HARBOUR, "--input", "turns=1", "--json")
    seen = [record["vertex"] for record in json.loads(done.stdout)["vertices"] if record["seen"]]
    assert seen == ["Quay", "Mole", "Isle", "Cove", "Mill"]
    assert "needs turns, a count" in hyloop("run", str(file), HARBOUR).stderr
    assert "has no algorithm 'other'" in hyloop("run", f"{file}:other", HARBOUR).stderr


def test_a_mistake_in_ones_own_algorithm_is_shown_at_its_line(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(OWN.replace("left == 0", "left == seen"))
    done = hyloop("run", str(file), HARBOUR, "--input", "turns=1")
    assert done.returncode == 2
    assert "wrong.py:11" in done.stderr
    assert "^^^^" in done.stderr
    assert "Traceback" not in done.stderr
    file.write_text("def broken(:\n")
    assert "line 1" in hyloop("run", str(file), HARBOUR).stderr


def test_a_new_algorithm_runs_as_it_is(tmp_path):
    file = str(tmp_path / "fresh.py")
    assert hyloop("new", file).returncode == 0
    done = hyloop("run", file, HARBOUR, "--source", "Mill", "--json")
    assert {record["vertex"]: record["steps"] for record in json.loads(done.stdout)["vertices"]}["Isle"] == 2
    again = hyloop("new", file)
    assert again.returncode == 2
    assert "not overwritten" in again.stderr


def test_algorithms_are_listed_and_their_programs_printed():
    listed = json.loads(hyloop("algorithms", "--json").stdout)
    assert [each["algorithm"] for each in listed] == list(LANGUAGE)
    assert len(hyloop("algorithms").stdout.splitlines()) < len(LANGUAGE) + 8
    one = hyloop("algorithms", "s-distance").stdout
    assert "source: hyperedge, s: count" in one
    assert "distance, previous" in one
    assert hyloop("algorithms", "sccc").stderr == "Error: There is no algorithm 'sccc'. Did you mean scc?\n"
    text = hyloop("program", "levels").stdout
    assert from_text(text) == LANGUAGE["levels"].program


def test_paths_and_json_lines():
    done = hyloop("run", "dijkstra", HARBOUR, "--source", "Quay", "--path", "Dunes")
    assert "Quay —[ferry]→ Cove —[barge]→ Dunes" in done.stdout
    document = json.loads(hyloop("run", "dijkstra", HARBOUR, "--source", "Quay", "--path", "Dunes", "--json").stdout)
    assert document["path"] == {"vertices": ["Quay", "Cove", "Dunes"], "hyperedges": ["ferry", "barge"]}
    nowhere = ["dijkstra", HARBOUR, "--source", "Quay", "--path", "nope"]
    for wrong in (nowhere, ["components", HARBOUR, "--path", "Mill"]):
        done = hyloop("run", *wrong)
        assert (done.returncode, done.stdout) == (2, "")  # told before the run
    assert "--source LABEL" in hyloop("run", "dijkstra", HARBOUR).stderr
    lines = [json.loads(text) for text in hyloop("run", "projection", HARBOUR, "--json-lines").stdout.splitlines()]
    assert lines[0]["algorithm"] == "projection"
    assert lines[2] == {
        "stream": "overlap",
        "hyperedge": "launch",
        "values": [["ferry", 1], ["mail boat", 1], ["steamer", 1]],
    }


def test_json_has_the_inputs(tmp_path):
    words = ("run", "levels", HARBOUR, "--source", "Quay")
    assert json.loads(hyloop(*words, "--json").stdout)["inputs"] == {"source": "Quay"}
    assert json.loads(hyloop(*words, "--json-lines").stdout.splitlines()[0])["inputs"] == {"source": "Quay"}
    assert json.loads(hyloop("paper", "run", "bfs", *words[2:], "--json").stdout)["inputs"] == {"source": "Quay"}
    (tmp_path / "spread.py").write_text(OWN)
    done = hyloop("run", str(tmp_path / "spread.py"), HARBOUR, "--input", "turns=1", "--json")
    assert json.loads(done.stdout)["inputs"] == {"turns": 1}


def test_one_iteration_is_one(tmp_path):
    (tmp_path / "once.py").write_text(ONCE)
    once = str(tmp_path / "once.py")
    assert "\n1 iteration (cpu)." in hyloop("run", once, HARBOUR).stdout
    assert ": 1 iteration of once, " in hyloop("trace", once, HARBOUR, "-o", str(tmp_path / "run.json")).stdout
    assert "on 1 hypergraph, 1 iteration, " in hyloop("check", once, HARBOUR).stdout
    assert "\n2 iterations (cpu)." in hyloop("run", "components", "-", "--format", "edge-list", given="1\n").stdout


def test_compile_writes_the_circuit_beside_the_weights(tmp_path):
    target = tmp_path / "levels.safetensors"
    assert hyloop("compile", "levels", "-o", str(target), "--circuit").returncode == 0
    document = json.loads((tmp_path / "levels.circuit.json").read_text(encoding="utf-8"))
    assert document["model"] == "levels"
    assert {node["kind"] for node in document["nodes"]} == {"column", "head", "unit"}


def test_no_label_is_lost_where_output_is_not_utf8():
    given = 'é: ü ö "☃ x"\nö: a ü\n'
    words = ("run", "projection", "-", "--format", "edge-list")
    done = hyloop_in({"PYTHONIOENCODING": "ascii"}, *words, "--json-lines", given=given)
    assert [json.loads(line).get("hyperedge") for line in done.stdout.splitlines()[1:]] == ["é", "ö"]
    done = hyloop_in({"PYTHONIOENCODING": "ascii"}, *words, given=given)
    assert "\\xe9" in done.stdout
    assert "\\xf6" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["prove", "levels", "--smt", ""],
        ["prove", "levels", "--counterexample", ""],
        ["prove", "levels", "--certificate", ""],
        ["prove", "levels", "--output", ""],
        ["draw", "levels", HARBOUR, "--source", "Quay", "-o", "x.svg", "--colour-by", ""],
        ["check", "levels", HARBOUR, "--save", ""],
        ["check", "levels", "--random", "2", "--against", ""],
        ["run", "levels", HARBOUR, "--source", "Quay", "--checkpoint", ""],
        ["run", "levels", HARBOUR, "--source", "Quay", "--watch", ""],
        ["convert", HARBOUR, "x.csv", "--to", ""],
        ["data", "info", ""],
        ["data", "score", "", "x"],
        ["data", "make", "levels", "--size", "3", "--count", "2", "-o", ""],
        ["data", "make", "levels", "--real", "", "-o", "x"],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_a_mistake(words, tmp_path, monkeypatch):
    """As of a variable of a shell that is not set: it names neither nothing nor the folder one is in."""
    monkeypatch.chdir(tmp_path)
    done = hyloop(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert not list(tmp_path.iterdir())
