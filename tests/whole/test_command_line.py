"""The command line as a whole: one look of the help, one meaning of a flag, clean pipes, sentences for mistakes."""

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

import commands
from effort import every
from hyloop.algorithms import ALGORITHMS
from hyloop.cli import EXIT_CODES, app, complete
from hyloop.cli.help import one_of
from hyloop.errors import HyloopError, HyloopWarning
from hyloop.execute.backends import BACKENDS
from hyloop.io import EVERY_FORMAT

ROOT = Path(__file__).parents[2]
HARBOUR = str(ROOT / "examples" / "harbour.hif.json")
RUNNER = CliRunner()
PLAIN = {"NO_COLOR": "1", "TERM": "dumb"}


def hyloop(*arguments: str, given: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    if not environment:
        return commands.run_text(*map(str, arguments), given=given)
    return subprocess.run(
        [sys.executable, "-m", "hyloop", *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def every_command(command=None, path=()):
    command = command or get_command(app)
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from every_command(each, (*path, name))


COMMANDS = dict(every_command())
NAMES = sorted(COMMANDS, key=" ".join)


def params(command):
    return [each for each in command.params if not getattr(each, "hidden", False)]


def help_of(path, columns=80):
    done = RUNNER.invoke(app, [*path, "--help"], env={**PLAIN, "COLUMNS": str(columns)}, prog_name="hyloop")
    assert done.exit_code == 0
    return done.stdout


# -- help -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("path", NAMES, ids=" ".join)
def test_help_fits_and_is_plain(path, columns):
    text = help_of(path, columns)
    assert max(map(len, text.splitlines())) <= columns
    assert not re.search(r"<\w|TEXT|INTEGER|bool\b|range>", text.partition("Usage:")[2].replace("< my", "")), text
    assert text.startswith("Usage: hyloop")


@pytest.mark.parametrize("path", NAMES, ids=" ".join)
def test_every_command_has_an_example_that_can_be_copied(path):
    """On its own line, and with words that the command takes."""
    examples = re.findall(r"^  (hyloop .*)$", help_of(path), re.MULTILINE)
    wanted = " ".join(("hyloop", *path))
    assert any(each.startswith(wanted) for each in examples)
    for each in examples:
        words = each.partition(" <")[0].split()[1:]
        name = next(path for path in sorted(NAMES, key=len, reverse=True) if tuple(words[: len(path)]) == path)
        known = {option for each in COMMANDS[name].params for option in (*each.opts, *each.secondary_opts)} | {
            "--help",
            "-",
        }
        assert {word for word in words if word.startswith("-")} <= known, each


@pytest.mark.parametrize("path", NAMES, ids=" ".join)
def test_every_option_says_what_it_takes(path):
    for each in params(COMMANDS[path]):
        assert each.help, each.name
        if not getattr(each, "is_flag", False):
            assert each.metavar, each.name


def test_the_commands_are_grouped():
    text = help_of(())
    places = [text.index(f"\n{title}:") for title in ("Run and watch", "Write your own", "Check", "Hypergraph files")]
    assert places == sorted(places)
    assert text.index("\n  paper ") < places[3]


def test_exit_codes_are_in_the_help():
    text = help_of(())
    assert set(EXIT_CODES) == {0, 1, 2, 70, 130}
    for code, meaning in EXIT_CODES.items():
        assert f"  {code:<4} {meaning}" in text


def test_choices():
    assert one_of(["a", "b"]) == "[a|b]"
    assert "--dtype [float64|float32]" in help_of(("compile",))


# -- one meaning ----------------------------------------------------------------------------------------------------

SAME = ["--quiet", "--json", "--format", "--source", "--input", "--edited", "--ignore-direction", "--rows", "--weight"]


@pytest.mark.parametrize("option", [*SAME, "--seed", "--dtype"])
def test_a_flag_means_the_same_everywhere(option):
    found = [(path, each) for path in NAMES for each in params(COMMANDS[path]) if option in each.opts]
    assert found
    if option == "--quiet":  # `info` has no progress to be quiet about: there it tells of quiet rows
        found = [(path, each) for path, each in found if path != ("info",)]
    assert len({each.metavar for path, each in found if path != ("paper", "capacity")}) == 1
    if option in SAME[:7]:
        assert len({each.help for _, each in found}) == 1
        assert len({tuple(sorted(each.opts)) for _, each in found}) == 1


def test_the_algorithm_is_called_so_everywhere():
    for path in NAMES:
        for each in params(COMMANDS[path]):
            if each.name == "algorithm":
                assert each.metavar.strip("[]") == "ALGORITHM"


@pytest.mark.parametrize("path", NAMES, ids=" ".join)
def test_the_algorithm_comes_before_the_file(path):
    names = [each.name for each in params(COMMANDS[path]) if each.param_type_name == "argument"]
    if "algorithm" in names:
        assert names in (["algorithm"], ["algorithm", "file"], ["algorithm", "files"])


def test_a_model_file_that_was_edited_is_taken_by_every_command_that_takes_models():
    for path in (("run",), ("info",), ("program",), ("compile",), ("check",), ("prove",)):
        assert any("--edited" in each.opts for each in params(COMMANDS[path])), path


def test_an_old_spelling_still_works():
    workers = next(each for each in COMMANDS["prove",].params if "--workers" in each.opts)
    assert workers.hidden
    done = hyloop("prove", "levels", "--workers", "2")
    assert done.returncode == 2
    assert "go with --mutate" in done.stderr


def test_quiet_leaves_results_and_errors(tmp_path):
    target = tmp_path / "levels.safetensors"
    for words in (["compile", "levels", "-o", target], ["new", tmp_path / "mine.py"]):
        done = hyloop(*words, "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert hyloop("describe", "nowhere.json", "-q").stderr.startswith("Error: ")
    loud, quiet = (hyloop("run", target, HARBOUR, "--source", "Quay", *more).stdout for more in ([], ["-q"]))
    assert loud == f"{quiet}4 iterations (cpu).\n"


def test_quiet_hushes_warnings(monkeypatch):
    import warnings

    def read(*_, **__):
        warnings.warn(HyloopWarning("something is left out"), stacklevel=1)
        raise typer.Exit(0)

    monkeypatch.setattr("hyloop.io.read", read)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert RUNNER.invoke(app, ["describe", HARBOUR, "-q"]).exit_code == 0
    assert caught == []


# -- how it is built ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [path for path in NAMES if not hasattr(COMMANDS[path], "commands")], ids=" ".join)
def test_a_command_is_one_file(path):
    assert COMMANDS[path].callback.__module__ == ".".join(("hyloop", "cli", *path))


def test_nothing_is_computed_here():
    """What takes processes, arrays, chance or a solver is in modules that Python users call."""
    for file in (ROOT / "src/hyloop/cli").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        imported = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
        imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        roots = {name.partition(".")[0] for name in imported}
        assert not roots & {"numpy", "concurrent", "multiprocessing", "joblib", "random", "z3"}, file


# -- check ----------------------------------------------------------------------------------------------------------


def test_check_says_which_source_it_drew():
    document = json.loads(hyloop("check", "levels", HARBOUR, "--json").stdout)
    drawn = document["given"]["source"]
    assert f"on 1 hypergraph (source = {drawn})," in hyloop("check", "levels", HARBOUR).stdout
    assert "given" not in json.loads(hyloop("check", "levels", "--random", "2", "--json").stdout)


DIRECTED = json.dumps(
    {
        "network-type": "directed",
        "incidences": [{"edge": 1, "node": 1, "direction": "tail"}, {"edge": 1, "node": 2, "direction": "head"}],
    }
)


def test_check_reads_standard_input_once_and_minds_directions(tmp_path):
    done = hyloop("check", "components", "-", HARBOUR, "--format", "hif", given=Path(HARBOUR).read_text())
    assert "on 2 hypergraphs" in done.stdout
    assert "once" in hyloop("check", "components", "-", "-").stderr
    refused = hyloop("check", "components", "-", given=DIRECTED)
    assert refused.returncode == 2
    assert "--ignore-direction" in refused.stderr
    assert hyloop("check", "components", "-", "--ignore-direction", given=DIRECTED).returncode == 0


# -- mistakes -------------------------------------------------------------------------------------------------------

LEAVES = b"""import sys
from hyloop.lang import algorithm

class Odd(BaseException):
    pass

@algorithm
def exits(h):
    sys.exit(0)


@algorithm
def odd(h):
    raise Odd


def answer(h, **inputs):
    sys.exit(0)


def condition(h):
    raise Odd
"""
CHECK = ["check", "components", "--random", "1"]
FILES = {
    "empty.json": b"",
    "binary.json": bytes(range(128, 256)),
    "binary.safetensors": bytes(range(256)),
    "empty.safetensors": b"",
    "empty.py": b"",
    "syntax.py": b"def f(:\n",
    "exits.py": b"import sys\nsys.exit(0)\n",
    "raises.py": b"raise ValueError('no')\n",
    "leaves.py": LEAVES,
    "edges.txt": b"1 2\n",
}
MISTAKES = [
    (["run", HARBOUR, "dijkstra"], f"the algorithm comes first: hyloop run dijkstra {HARBOUR}"),
    (["run", "edges.txt", "components"], "the algorithm comes first: hyloop run components edges.txt"),
    (["trace", "edges.txt", "components", "-o", "x.json"], "hyloop trace components edges.txt"),
    (["check", "edges.txt", "--random", "2"], "the algorithm comes first: hyloop check dijkstra edges.txt"),
    (["prove", "edges.txt"], "hyloop prove takes an algorithm, such as dijkstra, and no hypergraph."),
    (["program", "edges.txt"], "What is in the file: hyloop describe edges.txt"),
    (["info", HARBOUR], "hyloop info takes an algorithm, such as dijkstra, and no hypergraph."),
    (["run", HARBOUR], f"run takes ALGORITHM and FILE: {HARBOUR} is taken for ALGORITHM, and FILE is missing."),
    (["trace", "levels", "-o", "x.json"], "trace takes ALGORITHM and FILE: levels is taken for ALGORITHM"),
    (["convert", HARBOUR], f"convert takes FILE and TARGET: {HARBOUR} is taken for FILE, and TARGET is missing."),
    (["new", ".py"], ".py is no name for a Python file: put one before .py, such as my_algorithm.py."),
    (["new", "..py"], "..py is no name for a Python file"),
    (["view", "-"], "- is standard input; the algorithm comes first: hyloop view dijkstra -"),
    (["run", "levels", HARBOUR, "--source", "Quay", "--source", "Mole"], "--source is given twice"),
    (["run", "levels", HARBOUR, "--source", "Quay", "--every", "5"], "--checkpoint FILE"),
    (["run", "djikstra", HARBOUR], "Did you mean dijkstra?"),
    (["run", "dijkstra", HARBOUR], "--source LABEL (such as Quay, Mole or Isle)."),
    (["run", "dijkstra", HARBOUR, "--source", "Quai"], "Did you mean 'Quay'?"),
    (["run", "components", "empty.safetensors"], "a model file, not a hypergraph"),
    (["run", "components", "syntax.py"], "a Python file, not a hypergraph"),
    (["run", "components", "empty.json"], "empty.json"),
    (["run", "components", "binary.json"], "not UTF-8"),
    (["run", "components", "."], "folder"),
    (["run", "binary.safetensors", HARBOUR], "not a model file"),
    (["run", "empty.py", HARBOUR], "no function with @algorithm"),
    (["run", "syntax.py", HARBOUR], "line 1"),
    (["run", "exits.py", HARBOUR], "it ends Python"),
    (["run", "raises.py", HARBOUR], "ValueError: no"),
    (["run", "leaves.py:exits", HARBOUR], "leaves.py:9: it ends Python (sys.exit)."),
    (["prove", "leaves.py:exits"], "leaves.py:9: it ends Python (sys.exit)."),
    (["check", "leaves.py:exits", "--random", "1"], "leaves.py:9: it ends Python (sys.exit)."),
    (["program", "leaves.py:exits"], "leaves.py:9: it ends Python (sys.exit)."),
    (["info", "leaves.py:odd"], "leaves.py:14: Odd."),
    ([*CHECK, "--against", "leaves.py:answer"], "leaves.py:18: it ends Python (sys.exit)."),
    ([*CHECK, "--where", "leaves.py:condition"], "leaves.py:22: Odd."),
    (["run", "levels", HARBOUR, "--source", "Quay", "--checkpoint", "no/x"], "cannot be written"),
    (["run", "components", HARBOUR, "--json", "--json-lines"], "leave out one"),
    (["compile", "levels", "-o", "no/x.safetensors"], "cannot be written"),
    (["compile", "levels", "-o", "x.bin"], "ends in .safetensors"),
    (["compile", "levels", "-o", "x.safetensors", "--rows", "9" * 30], "Lower the capacity"),
    (["info", "exits.py"], "it ends Python"),
    (["check", "levels"], "--random N"),
    (["new", "no/x.py"], "cannot be written"),
    (["convert", "edges.txt", "no/x.csv"], "no such folder"),
    (["paper", "run", "dijkstra", HARBOUR], "--source LABEL (such as Quay, Mole or Isle)."),
]
USAGE = [
    (["run", "levels", HARBOUR, "--sorce", "Quay"], "--source"),
    (["ru"], "run"),
    (["run"], "ALGORITHM"),
    (["compile", "levels"], "--output"),
    (["check", "levels", "--seed", "-1"], "--seed"),
    (["info", "levels", "--dtype", "float8"], "'float64'"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("words", "expected"), MISTAKES, ids=lambda each: " ".join(each).replace(HARBOUR, "HARBOUR"))
def test_a_mistake_is_a_sentence(words, expected):
    done = RUNNER.invoke(app, words)
    assert isinstance(done.exception, HyloopError)
    assert expected in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize(("words", "expected"), USAGE, ids=lambda each: " ".join(each).replace(HARBOUR, "HARBOUR"))
def test_a_wrong_option_is_a_sentence(words, expected):
    done = RUNNER.invoke(app, words)
    assert done.exit_code == 2
    assert "\nError: " in done.stderr
    assert expected in done.stderr.partition("\nError: ")[2]


@pytest.mark.usefixtures("folder")
def test_a_mistake_as_the_shell_sees_it():
    done = hyloop("run", "exits.py", HARBOUR)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: exits.py cannot be run: line 2: it ends Python (sys.exit).\n"


def test_a_fault_of_ours_is_a_traceback(monkeypatch):
    monkeypatch.setattr("hyloop.io.read", lambda *_, **__: 1 / 0)
    assert isinstance(RUNNER.invoke(app, ["describe", HARBOUR]).exception, ZeroDivisionError)


@pytest.mark.parametrize("environment", [{"HYLOOP_CACHE": HARBOUR}, {"HYLOOP_CACHE": "", "HOME": ""}])
def test_a_cache_that_cannot_be_is_none(environment):
    assert commands.run_text("run", "levels", HARBOUR, "--source", "Quay", environment=environment).returncode == 0


# -- pipes ----------------------------------------------------------------------------------------------------------

NOISY = """
print("noise")
from hyloop.lang import Count, Outputs, algorithm

@algorithm
def one(h):
    x = h.state(Count, 0)
    with h.loop(at_most=1) as loop:
        x.assign(1)
        loop.stop_when(True)
    return Outputs(x=x)
"""


def test_json_is_all_there_is_on_standard_output(tmp_path):
    (tmp_path / "noisy.py").write_text(NOISY)
    done = hyloop("run", tmp_path / "noisy.py", HARBOUR, "--json")
    assert json.loads(done.stdout)["scalars"] == {"x": 1}
    assert done.stderr == "noise\n"


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there are no such signals here")
@pytest.mark.parametrize("words", ["program motifs", "algorithms --json", "--help"])
def test_a_closed_pipe_is_no_matter(words):
    command = f"{shlex.join(commands.python())} -m hyloop {words} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["program", "levels"], ["convert", HARBOUR, "-", "--to", "hif"], ["--help"]])
def test_a_full_device_is_a_sentence(words):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*commands.python(), "-m", "hyloop", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "Error: the output cannot be written: No space left on device.\n")


CLOSED = "Error: the output cannot be written: standard output is closed.\n"


@pytest.mark.skipif(os.name == "nt", reason="a shell is needed that closes streams")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"convert {HARBOUR} - --to hif", CLOSED),
        ("--version", CLOSED),
        (f"convert {HARBOUR} /dev/stdout --to hif", "Error: /dev/stdout: this is a folder, not a file.\n"),
    ],
)
def test_a_closed_output_is_a_sentence(words, told):
    command = f"{sys.executable} -m hyloop {words} >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, told)


@pytest.mark.skipif(os.name == "nt", reason="a shell is needed that closes streams")
def test_closed_streams():
    for redirection, status in (("<&-", 2), (">&-", 2), ("2>&-", 0)):
        file = "- --format hif" if redirection == "<&-" else HARBOUR
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m hyloop describe {file} {redirection}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        assert "Traceback" not in done.stderr
        if redirection == "<&-":
            assert done.stderr == "Error: Standard input is closed; nothing can be read from it.\n"


def test_letters_that_the_locale_lacks():
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words in (["paper", "lemmas", "--help"], ["run", "dijkstra", HARBOUR, "--source", "Quay", "--path", "Dunes"]):
        done = hyloop(*words, **ascii_only)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals here")
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}])
def test_a_terminal_that_wants_it_plain(environment):
    for words in (["--help"], ["describe", HARBOUR]):
        text = on_a_terminal(words, environment)
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]", text)
        assert "TERM" not in environment or environment["TERM"] != "dumb" or "\x1b" not in text


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals here")
def test_tables_fit_a_terminal_of_80_columns():
    size = ("--rows", "9", "--weight", "9")
    for words in (
        ["algorithms"],
        ["info", "dijkstra", "--layers"],
        ["prove", "levels", *size],
        ["paper", "algorithms"],
    ):
        text = on_a_terminal([*words], {"TERM": "dumb", "COLUMNS": "80"})
        assert "┃" in text
        assert max(map(len, text.splitlines())) <= 80, text


def on_a_terminal(words, environment):
    ours, theirs = os.openpty()
    done = {**os.environ, "COLUMNS": "80", **environment}
    with subprocess.Popen(
        [*commands.python(), "-m", "hyloop", *words], stdin=theirs, stdout=theirs, stderr=theirs, env=done
    ) as run:
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 2**16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            pieces.append(piece)
        run.wait()
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n")


# -- Ctrl-C ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals here")
@pytest.mark.parametrize(
    "words",
    every(2, [["check", "dijkstra", "--random", "4000", "--processes", "2"], ["prove", "dijkstra", "--mutate"]]),
    ids=" ".join,
)
def test_interrupting_is_one_sentence(words):
    """As a terminal does it: every process of the group is told."""
    with subprocess.Popen(
        [sys.executable, "-m", "hyloop", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        time.sleep(4)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (130, "", "Stopped: interrupted.\n")


# -- completion -----------------------------------------------------------------------------------------------------


def completed(line: str, **environment: str) -> list[str]:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_HYLOOP_COMPLETE": "complete_bash"}
    done = commands.run_text(environment={**words, **environment})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hyloop comp", ["compile"]),
        ("hyloop run d", [name for name in ALGORITHMS if name.startswith("d")]),
        ("hyloop run dijkstra --backend d", ["dense"]),
        ("hyloop check dijkstra --backend ", list(BACKENDS)),
        ("hyloop describe x --format ", [each.name for each in EVERY_FORMAT]),
        (f"hyloop run dijkstra {HARBOUR} --source M", ["Mole", "Mill"]),
        (f"hyloop check dijkstra {HARBOUR} --backend cpu --source Q", ["Quay"]),
        (f"hyloop run dijkstra {HARBOUR} -i ", ["source="]),
        ("hyloop info dijkstra --dtype ", ["float64", "float32"]),
    ],
)
def test_what_the_shell_offers(line, expected):
    assert completed(line) == expected


def test_labels_that_a_shell_could_misread_are_not_offered(tmp_path):
    file = tmp_path / "hostile.txt"
    file.write_text('"Old Town" "\\\\$(id)" "`id`" Oslo "-x" "it\'s" "a;b" "a\\"b" "*"\n', encoding="utf-8")
    assert completed(f"hyloop run dijkstra {file} --source ") == ["Old\\ Town", "Oslo"]


def context(**params):
    return SimpleNamespace(params=params, args=[])


def test_completion_reads_no_large_files_and_runs_no_code(tmp_path, monkeypatch):
    assert "Quay" in complete.labels(context(file=HARBOUR), "")
    assert complete.labels(context(file=str(tmp_path / "none.json")), "") == []
    assert complete.labels(context(file=str(tmp_path)), "") == []
    own = tmp_path / "own.py"
    own.write_text("raise SystemExit\n")
    assert complete.inputs(context(algorithm=str(own)), "") == []
    monkeypatch.setattr(complete, "LARGEST", 10)
    assert complete.labels(context(file=HARBOUR), "") == []


@pytest.mark.skipif(os.name == "nt", reason="for other shells")
def test_completion_can_be_installed(tmp_path):
    command = f"{sys.executable} -m hyloop --install-completion; true"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(tmp_path)}
    )
    if "bash completion installed" not in done.stdout:
        pytest.skip(f"no shell was found: {done.stdout}{done.stderr}")
    script = (tmp_path / ".bash_completions" / "hyloop.sh").read_text()
    assert "_HYLOOP_COMPLETE=complete_bash" in script
