"""The command before anything is imported."""

import os
import subprocess
import sys

import pytest

import commands

INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from hyloop.__main__ import main
main()
"""

STOPPED = (130, "", "Stopped: interrupted.\n")


def test_ctrl_c_while_it_starts_is_a_sentence():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == STOPPED


MISSING = """
import sys

class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise ImportError("no typer here")

sys.meta_path.insert(0, Broken())
"""


@pytest.mark.parametrize(("sudden", "expected"), [(INTERRUPTED, STOPPED[2]), (MISSING, "ImportError: no typer here\n")])
def test_python_m_while_it_starts(tmp_path, sudden, expected):
    (tmp_path / "sitecustomize.py").write_text(sudden.partition("from hyloop")[0])
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-m", "hyloop", "--version"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.stderr.endswith(expected)
    assert ("Traceback" in done.stderr) == (expected != STOPPED[2])
    assert done.returncode == (130 if expected == STOPPED[2] else 1)


def test_completion_without_a_shell_is_a_sentence(monkeypatch):
    for name in ("COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    for more in ({}, {"COMP_WORDS": "hyloop ru"}, {"COMP_WORDS": "hyloop ru", "COMP_CWORD": "x"}):
        done = commands.run_text(environment={"_HYLOOP_COMPLETE": "complete_bash", **more})
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Error: _HYLOOP_COMPLETE is for a shell that completes a command")
