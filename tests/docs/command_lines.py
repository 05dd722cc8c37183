"""The command lines of README.md, of docs/ and of the commands' own help, and how they are run."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from typer.main import get_command

import commands
import hyloop
from hyloop import data
from hyloop.cli import app
from hyloop.cli.help import INTERRUPTED

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_A_BLOCK = re.compile(r"^(?:\$ )?(hyloop .*)$", re.MULTILINE)
INLINE = re.compile(r"(?<!`)`(hyloop\s[^`]+)`(?!`)")
CODE = {"python", "py", "ts", "json", "text", "smt2"}  # blocks in which a line that begins with hyloop is no command


@dataclass(frozen=True)
class CommandLine:
    """A command as a page shows it, without the comment behind it."""

    page: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}: {self.text}"

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)[1:]


def in_page(page: str, text: str) -> Iterator[CommandLine]:
    """Every command of a page, in order: lines of blocks, and code within sentences."""
    found: list[tuple[int, str]] = []
    for block in FENCED.finditer(text):
        if block[1] not in CODE:
            found += [(block.start(2) + each.start(), each[1]) for each in IN_A_BLOCK.finditer(block[2])]
    prose = FENCED.sub(lambda block: " " * len(block[0]), text)
    found += [(each.start(), " ".join(each[1].split())) for each in INLINE.finditer(prose)]
    for _, command in sorted(found):
        yield CommandLine(page, re.sub(r"\s+# .*", "", command).strip())


def pages() -> list[str]:
    return ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]


@cache
def _command() -> Any:
    """The command line, as typer makes it of the app: once."""
    return get_command(app)


@cache
def command_lines() -> tuple[CommandLine, ...]:
    """Every command of every page, each once a page."""
    read = (in_page(page, (ROOT / page).read_text(encoding="utf-8")) for page in pages())
    return tuple(dict.fromkeys(each for page in read for each in page))


def examples() -> Iterator[CommandLine]:
    """The examples in the help of every command, which the site's reference shows."""

    def texts(command: object, name: str) -> Iterator[tuple[str, str]]:
        yield name, str(command.help)
        for word, each in getattr(command, "commands", {}).items():
            yield from texts(each, f"{name} {word}")

    for name, text in texts(_command(), "hyloop"):
        for line in re.findall(r"^ +(hyloop .*)$", text, re.MULTILINE):
            yield CommandLine(f"{name} --help", line)


def is_mention(words: list[str]) -> bool:
    """Whether it is the name of a command and no more, in a sentence about it: it has to exist, and is not run."""
    command = _command()
    for word in words:
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            return False
    needs = [each for each in command.params if each.required]
    return bool(words) and (bool(needs) or hasattr(command, "commands"))


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")

# -- what they are run with -----------------------------------------------------------------------------------------

# Words that stand for something of the reader's own.
PLACEHOLDERS = {
    "FILE": "examples/harbour.hif.json",
    "LABEL": "Quay",
    "ALGORITHM": "components",
    "MODEL": "dijkstra.safetensors",
}

# What is not executed, and why.
NOT_RUN = {
    "hyloop proof": "no command: the key of the verdict in a model file",
    "hyloop check dijkstra --random 1000000 --backend cuda": "it needs a GPU; test_checking.py has a smaller one",
    "hyloop data make standard -o standard": "minutes on all cores; with --share 0.01 it is run",
    "hyloop data make standard --share 0.1 -o tenth": "minutes on all cores; with --share 0.01 it is run",
    "hyloop --install-completion": "it would change the shell of whoever runs the tests",
}

# What takes longer than a second or two, or needs more than `make test` installs: in tests/thorough/docs.
LONG = {
    "hyloop check dijkstra --random 2000": "thousands of runs",
    "hyloop check dijkstra --random 2000 --backend cpu": "thousands of runs",
    "hyloop check dijkstra --random 2000 --backend cpu --processes 2": "thousands of runs",
    "hyloop check ALGORITHM --random 600 --backend cpu": "hundreds of runs",
    "hyloop check matching.py --random 300 --against believed.py:slow": "hundreds of runs; test_docs.py runs it too",
    "hyloop check mine.py --random 500 --connected --against answers.py:mine": "hundreds of runs",
    "hyloop check n1000.safetensors --random 300 --edited": "hundreds of runs",
    "hyloop data make standard --share 0.01 -o small": "thousands of runs",
    "hyloop data make dijkstra --size 16 --size 80 --count 1000 -o paths": "2,000 runs",
    "hyloop data make levels components --real examples/davis.hif.json -o davis": "worker processes",
    "hyloop data make levels --size 8 --size 16 --count 500 -o train": "a thousand runs",
    "hyloop data make levels --size 16 --size 80 --count 100 --split test -o test": "worker processes",
    "hyloop prove dijkstra": "a proof",
    "hyloop prove ALGORITHM": "a proof",
    "hyloop prove my_algorithm.py": "a proof",
    "hyloop prove matching.py": "a proof",
    "hyloop prove MODEL": "a proof",
    "hyloop prove MODEL -o proved.safetensors": "a proof",
    "hyloop prove dijkstra -o proved.safetensors": "a proof",
    "hyloop prove dijkstra --smt obligations": "a proof",
    "hyloop prove dijkstra --certificate FILE": "a proof, and certificates",
    "hyloop prove dijkstra.safetensors --certificate dijkstra.certificate": "a proof, and certificates",
    "hyloop prove dijkstra --recheck": "a proof, and cvc5",
    "hyloop prove dijkstra --recheck --smt obligations": "a proof, and cvc5",
    "hyloop prove dijkstra --mutate": "more than a thousand proofs",
    "hyloop prove dijkstra --mutate --processes 4": "more than a thousand proofs",
    "hyloop prove ALGORITHM --mutate": "hundreds of proofs",
    "hyloop prove n1.safetensors --edited --counterexample bad.hif.json": "a search for a counterexample",
    "hyloop prove model.safetensors --edited --counterexample bad.hif.json": "a proof",
    "hyloop prove n1000.safetensors --edited": "a search for a counterexample",
    "hyloop paper lemmas": "trials of every lemma",
    "hyloop paper lemmas --prove": "proofs of every lemma",
    "hyloop paper algorithms --sweep 2000": "thousands of runs",
    "hyloop paper capacity": "a search up to n = 4,096",
    "hyloop paper capacity --dtype float32": "a search up to n = 4,096",
    "hyloop algorithms --sizes": "every algorithm compiled twice",
    "hyloop run motifs FILE": "a large model",
    "hyloop paper algorithms": "every algorithm built; test_cli.py runs it with --sweep",
    "hyloop paper algorithms --json": "every algorithm built; test_cli.py runs it with --sweep",
    'hyloop info dijkstra --json --schedule "one operation per layer"': "test_how_it_works.py runs it too",
    "hyloop trace helly FILE -o - --quiet | jq .differences": "a large model",
    "hyloop compile my_algorithm.py -o mine.safetensors --rows 1000 --dtype float32": "`make test` compiles others",
    "hyloop compile OLD.safetensors -o NEW.safetensors": "`make test` compiles others",
    "hyloop compile dijkstra -o dijkstra.safetensors --circuit": "test_cli.py runs another",
    "hyloop export dijkstra -o dijkstra.onnx": "onnx; test_export.py writes another",
    "hyloop export dijkstra -o dijkstra.pt2": "PyTorch; test_pt2.py writes another",
    "hyloop export dijkstra.safetensors -o dijkstra.pt2": "PyTorch; test_pt2.py writes another",
    "hyloop check matching.safetensors --random 200": "hundreds of runs; test_docs.py runs it too",
    "hyloop draw dijkstra -o dijkstra.pdf": "matplotlib; `make test` draws another",
    "hyloop draw my_algorithm.py -o mine.pdf": "matplotlib; `make test` draws another",
    "hyloop draw dijkstra.safetensors -o dijkstra.pdf": "matplotlib; `make test` draws another",
    "hyloop draw dijkstra FILE --source LABEL --path LABEL -o way.pdf": "matplotlib; `make test` draws another",
    "hyloop draw examples/davis.hif.json -o davis.svg": "matplotlib; `make test` draws another",
    "hyloop draw levels lesmis.hif.json --source 0 -o lesmis.svg": "matplotlib; `make test` draws another",
    "hyloop view": "a page in this folder; `make test` writes another",
    "hyloop view dijkstra examples/harbour.hif.json": "a page in this folder; `make test` writes another",
    "hyloop view matching.py examples/harbour.hif.json": "a page in this folder; `make test` writes another",
    "hyloop view my_algorithm.py examples/harbour.hif.json -o mine.html": "`make test` writes another",
}

# How a command ends, where a page shows that something is refused or wrong.
STATUS = {
    "hyloop compile dijkstra -o dijkstra.safetensors --rows 131071 --weight 200000": 2,
    "hyloop run small.safetensors examples/harbour.hif.json --source Quay": 2,
    "hyloop run nearest.py towns.hif.json --input start=Isle --input toll=default=0 --input people=@population": 2,
    "hyloop prove n1.safetensors --edited --counterexample bad.hif.json": 1,
    "hyloop check n1.safetensors bad.hif.json --source 1 --edited": 1,
    "hyloop prove n1000.safetensors --edited": 1,
}

SMALL = '{"incidences": [{"edge": 0, "node": 0}, {"edge": 0, "node": 1}]}'
TOWNS = """{"nodes": [{"node": "Quay", "attrs": {"population": 3}}, {"node": "Isle"}, {"node": "Mole"}],
"edges": [{"edge": "tug"}], "incidences": [{"edge": "tug", "node": "Quay"}]}"""
BAD = '{"edges": [{"edge": 1, "weight": 2}], "incidences": [{"edge": 1, "node": 1}, {"edge": 3, "node": 1}]}'


def every_command() -> list[CommandLine]:
    """Each command once, wherever it stands first."""
    found: dict[str, CommandLine] = {}
    for each in (*command_lines(), *examples()):
        found.setdefault(each.text, each)
    return list(found.values())


def to_run(*, long: bool) -> list[CommandLine]:
    """The commands that are run: the long ones, or the others."""
    return [
        each
        for each in every_command()
        if each.text not in NOT_RUN and (each.text in LONG) == long and not is_mention(each.words)
    ]


def prepare(folder: Path) -> None:
    """The files that readers of the pages have by then, or have themselves."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("matching.py", "core.py", "believed.py"):
        shutil.copy(ROOT / "examples" / name, folder / name)
    (folder / "mine.py").write_text((ROOT / "examples" / "matching.py").read_text(encoding="utf-8"), encoding="utf-8")
    answers = (ROOT / "examples" / "believed.py").read_text(encoding="utf-8").replace("def slow(", "def mine(")
    (folder / "answers.py").write_text(answers, encoding="utf-8")
    (folder / "my.edges").write_text("1 2\n2 3\n", encoding="utf-8")
    (folder / "big.csv").write_text("vertex,hyperedge\n1,a\n2,a\n", encoding="utf-8")
    (folder / "lesmis.hif.json").write_text(SMALL, encoding="utf-8")
    (folder / "bad.hif.json").write_text(BAD, encoding="utf-8")
    (folder / "towns.hif.json").write_text(TOWNS, encoding="utf-8")
    (folder / "nearest.py").write_text(_python("docs/language.md", "# nearest.py"), encoding="utf-8")
    h = hyloop.read(folder / "examples" / "harbour.hif.json")
    hyloop.write(h, folder / "harbour.json.gz")
    model = hyloop.compile("dijkstra")
    for name in ("dijkstra", "OLD", "model"):
        hyloop.save(model, folder / f"{name}.safetensors")
    hyloop.save(hyloop.compile("dijkstra", hyloop.Capacity(rows=3, weight=100)), folder / "small.safetensors")
    with contextlib.chdir(folder):
        run("compile", "matching.py", "-o", "matching.safetensors", "-q")
        run("new", "my_algorithm.py", "-q")
        run("data", "make", "levels", "--size", "4", "--count", "3", "-o", "mine", "-q")
        told = [{**each.key, "output_level": each.outputs["level"]} for each in data.load("mine", "levels")]
        data.write_predictions("predictions.parquet", told)
        shutil.copytree("mine", "test")
        run("run", "dijkstra", PLACEHOLDERS["FILE"], "--source", "Quay", "--checkpoint", "run.ckpt", "-q")
        exec(_python("docs/proof.md", "save_file("), {})  # what breaks a model


def _python(page: str, part: str) -> str:
    """The code of a page that has some part in it."""
    [code] = [
        block[2]
        for block in FENCED.finditer((ROOT / page).read_text(encoding="utf-8"))
        if block[1] == "python" and part in block[2]
    ]
    return code


def run(*words: str) -> None:
    done = commands.run(*words)
    assert done.returncode == 0, done.stderr.decode()


def execute(each: CommandLine, prepared: Path, folder: Path) -> tuple[int, str]:
    """Run a command in a copy of the prepared folder: how it ends, and what it says on standard error."""
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    for before, name in pairwise(each.words):
        if before in ("new", "--checkpoint"):  # what is there already would be left alone
            (folder / name).unlink()
        elif before == "-o" and each.words[:2] == ["data", "make"]:  # what is there already is another data set
            shutil.rmtree(folder / name, ignore_errors=True)
    text, _, given = filled(each.text).partition(" < ")
    with contextlib.chdir(folder):
        if each.words[0] == "view":
            return _served(shlex.split(text)[1:])
        if "<(" in text:
            return _by_a_shell(text, folder)
        done = commands.run(*shlex.split(text)[1:], given=Path(given).read_bytes() if given else b"")
        return done.returncode, done.stderr.decode()


def filled(text: str) -> str:
    """A command with something for each word that stands for the reader's own; without what comes after a pipe."""
    words = text.partition(" | ")[0].split(" ")
    return " ".join(PLACEHOLDERS.get(word, word) for word in words)


def _by_a_shell(text: str, folder: Path) -> tuple[int, str]:
    """What only a shell understands; `hyloop` there is that of these tests."""
    (folder / "hyloop").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hyloop "$@"\n', encoding="utf-8")
    (folder / "hyloop").chmod(0o755)
    path = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", text], env=path, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stderr


def _served(words: list[str]) -> tuple[int, str]:
    """A command that serves a page: it is ended as soon as the page can be had, and that is no error."""
    without_a_display = {key: value for key, value in os.environ.items() if key not in DISPLAYS}
    with subprocess.Popen(
        [*commands.python(), "-m", "hyloop", *words],
        env=without_a_display,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as command:
        assert command.stdout is not None
        if "Ctrl-C ends it.\n" in command.stdout:
            command.send_signal(signal.SIGINT)
            _, errors = command.communicate()
            return (0 if command.returncode == INTERRUPTED else command.returncode), errors
        _, errors = command.communicate()
        return command.returncode, errors
