"""docs/proof.md says what `hyloop prove` gives now: its blocks are run in order, and compared but for the times.

Python blocks and the `text` below them, and `$ hyloop ...` in console blocks, are run in one folder. Of the mutants
only those of `levels` are decided again; the others are as measured.
"""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.machine.files import read_proof
from hyloop.prove import Proof, prove
from hyloop.prove.solver import second_opinion
from prove.second_statement import stated

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/proof.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(python|text|console|smt2)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FATES = ["shown by a run", "refuted by a row", "harmless", "undecided"]


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]


def rows(title: str) -> dict[str, dict[str, str]]:
    """The table of a section: what it says of each algorithm."""
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section(title).splitlines() if line[:1] == "|"
    ]
    return {line[0]: dict(zip(lines[0], line, strict=True)) for line in lines[2:]}


@cache
def proved(name: str) -> Proof:
    return prove(hyloop.compile(name))


def settled(text: str) -> str:
    """Text without what differs from run to run: times, how lines are folded, and the values that a solver chose."""
    text = re.sub(r"│ +\d+\.\d{3} │", "│ # │", text)
    text = re.sub(r"proved in [\d.]+ s", "proved in # s", text)
    text = re.sub(r"The solver's row: [^.]*\.", "The solver's row: #.", text)
    return " ".join(text.split())


def shell(command: str, folder: Path) -> str:
    """What a command prints in a pipe, messages included."""
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def commands(block: str) -> list[tuple[str, str]]:
    """The hyloop commands of a console block, each with the output below it."""
    parts = [part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in parts if command.startswith("hyloop ")]


@pytest.fixture(scope="module")
def obligations(tmp_path_factory) -> Path:
    """The questions about Dijkstra, as files."""
    folder = tmp_path_factory.mktemp("proof") / "obligations"
    shell(f"hyloop prove dijkstra --quiet --smt {folder}", folder.parent)
    return folder


def test_every_block_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, printed, ran = {}, "", Counter()
    for kind, text in BLOCK.findall(PAGE):
        ran[kind] += 1
        if kind == "console":
            for command, expected in commands(text):
                assert settled(shell(command, tmp_path)) == settled(expected), command
        elif kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(text, names)
            printed = out.getvalue()
        elif kind == "text":
            assert settled(printed) == settled(text)
    assert ran["console"] >= 4
    assert ran["python"] >= 4


def test_the_solvers_rows_are_such_as_the_page_says():
    """Another run may choose other numbers; those shown break the argmin with that N."""
    shown = re.findall(r"The solver's row: (.*)\.$", section("If it fails"), re.MULTILINE)
    assert len(shown) == 2
    for n, row in zip((1, 1000), shown, strict=True):
        values = {name: int(value.replace(",", "")) for name, value in re.findall(r"([^,=]+?) = ([\d,]*\d)", row)}
        named = {name.strip(): value for name, value in values.items()}
        found, other = named["row 1 found by edge"], named["row j"]
        best, worse = named[f"state key[{found}]"], named[f"state key[{other}]"]
        assert (best, found) < (worse, other)
        assert n * worse + other <= n * best + found


def test_the_tables_have_every_algorithm():
    assert set(rows("All algorithms")) == set(ALGORITHMS)
    assert set(rows("Mutants")) - {"all"} <= set(ALGORITHMS)  # some take long


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_table_of_all_is_what_the_proofs_say(name):
    proof, said = proved(name), rows("All algorithms")[name]
    del said["seconds"]
    assert proof.answer == "proved"
    assert {head.margin for head in proof.heads} == {1}
    assert said == {
        "algorithm": name,
        "heads": str(len(proof.heads)),
        "with ties": str(sum(head.ties for head in proof.heads)),
        "obligations": str(len(proof.verdicts)),
        "to the solver": str(sum(not verdict.obligation.is_trivial for verdict in proof.verdicts)),
        "bounds": str(len(proof.work.sizes)),
        "largest number": f"{proof.largest.most:,}",
        "where": f"{proof.largest.what} of {proof.largest.part}",
    }


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_tables_of_certificates_have_as_many_obligations(name):
    scripts = [each["script"] for each in stated(proved(name))["obligations"]]
    of_coq = rows("Every obligation by Coq's kernel")[name]
    assert [of_coq["obligations"], of_coq["different"]] == [f"{len(scripts):,}", f"{len(set(scripts)):,}"]
    assert re.findall(rf"^\| {name} \| ([\d,]+) \|", section("Check it without a solver"), re.MULTILINE) == [
        f"{len(scripts):,}"
    ]


def test_the_line_of_a_key():
    ranges = proved("dijkstra").work.basis.ranges
    a, b = ranges.states["key"]
    assert f"`{a:,} + {b:,}·t`" in PAGE


def test_the_mutants_of_levels_are_as_the_table_says(tmp_path):
    found = json.loads(shell("hyloop prove levels --mutate --json --quiet", tmp_path))["mutants"]
    fates = Counter(mutant["fate"] for mutant in found)
    said = rows("Mutants")["levels"]
    assert [said["mutants"], *(said[fate] for fate in FATES)] == [
        f"{len(found)}",
        *(f"{fates[fate]}" for fate in FATES),
    ]


def test_the_mutants_add_up():
    table = {
        name: [int(row[column].replace(",", "")) for column in ("mutants", *FATES)]
        for name, row in rows("Mutants").items()
    }
    total = table.pop("all")
    assert total == [sum(column) for column in zip(*table.values(), strict=True)]
    assert all(row[0] == sum(row[1:]) for row in table.values())
    assert total[-1] == 0
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{table['dijkstra'][0]:,} changes, none of them undecided" in readme


def test_the_question_shown_is_the_one_that_is_asked(obligations):
    said = section("Check it with another solver")
    [question] = [text for kind, text in BLOCK.findall(said) if kind == "smt2"]
    for name in set(re.findall(r"[\w-]+\.smt2", said)):
        assert (obligations / name).read_text(encoding="utf-8") == question


def test_the_second_solver_agrees(obligations):
    files = sorted(obligations.iterdir())
    assert {second_opinion(file.read_text(encoding="utf-8")) for file in files} == {"proved"}
    said = " ".join(section("Check it with another solver").split())
    assert f"One of the {len(files)} files of Dijkstra" in said
    assert f"cvc5 agrees on {len(files)} of {len(files)} obligations." in said


def test_the_verdict_stands_beside_the_model(tmp_path):
    hyloop.save(hyloop.compile("levels"), tmp_path / "plain.safetensors")
    shell("hyloop prove plain.safetensors -o proved.safetensors --quiet", tmp_path)
    said = read_proof(tmp_path / "proved.safetensors")
    assert said["answer"] == "proved"
    assert said["obligations"] == int(rows("All algorithms")["levels"]["obligations"])
    assert hyloop.load(tmp_path / "proved.safetensors").layers
    assert read_proof(tmp_path / "plain.safetensors") is None
    assert "hyloop proof" in section("A verdict in the file")
