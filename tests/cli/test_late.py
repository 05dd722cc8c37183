"""Commands that are imported when they are needed."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import commands
import hyloop
from hyloop.cli import COMMANDS, app
from hyloop.cli.help import _paragraphs

ALL = [(name, late) for commands in COMMANDS.values() for name, late in commands.items()]


@pytest.mark.parametrize(("name", "late"), ALL, ids=[name for name, _ in ALL])
def test_the_list_says_what_the_command_says(name, late):
    command = get_command(app).commands[name]
    assert " ".join(_paragraphs(command.help)[0].split()) == late.about
    assert command.name == name


def test_looking_at_the_names_imports_nothing():
    commands = get_command(app).commands
    assert list(commands) == [name for name, _ in ALL]
    assert len(commands) == len(ALL)
    assert "run" in commands
    assert "nothing" not in commands
    with pytest.raises(KeyError):
        commands["nothing"]
    del commands["run"]
    assert "run" not in commands
    with pytest.raises(KeyError):
        del commands["run"]


def _imported(*words: str) -> set[str]:
    told = "import sys; from hyloop.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", told, *words], capture_output=True, text=True, check=False)
    return set(done.stderr.split())


def test_help_imports_no_numbers_and_no_tables():
    assert not {"numpy", "rich", "hyloop.cli.run", "hyloop.compiler"} & _imported("--help")


def test_a_command_imports_no_other():
    found = _imported("describe", "--help")
    assert "hyloop.cli.describe" in found
    assert not {"hyloop.cli.prove", "hyloop.cli.view"} & found


def test_a_misspelt_command():
    done = subprocess.run([sys.executable, "-m", "hyloop", "descibe"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Did you mean 'describe'?" in done.stderr


@pytest.mark.parametrize("word", ["dijkstra", "s-distance", "mine.py"])
def test_an_algorithm_is_no_command(word):
    done = commands.run_text(word, "a file.json", "--source", "A")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{word} is an algorithm, not a command." in done.stderr
    assert f"Did you mean: hyloop run {word} 'a file.json' --source A" in done.stderr


def test_the_package_offers_its_names_and_modules():
    assert set(hyloop.__all__) <= set(dir(hyloop))
    for name in hyloop.__all__:
        assert getattr(hyloop, name) is not None
    assert hyloop.draw.__name__ == "hyloop.draw"
    with pytest.raises(AttributeError, match="module 'hyloop' has no attribute 'rum'"):
        hyloop.rum  # noqa: B018


def test_no_module_hides_a_name():
    folder = Path(hyloop.__file__).parent
    modules = {each.stem for each in folder.iterdir()}
    assert "running" in modules
    assert not modules & set(hyloop.__all__)
