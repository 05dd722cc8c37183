"""The command before anything is imported."""

import os
import subprocess
import sys

import pytest

import commands
import hyloop_command

INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
import hyloop_command
hyloop_command.main()
"""

STOPPED = (130, "", "Stopped: interrupted.\n")


def test_ctrl_c_while_it_starts_is_a_sentence():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == STOPPED


MISSING = """
import sys

class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            raise ImportError("no numpy here")

sys.meta_path.insert(0, Broken())
"""


@pytest.mark.parametrize(("sudden", "expected"), [(INTERRUPTED, STOPPED[2]), (MISSING, "ImportError: no numpy here\n")])
def test_python_m_while_it_starts(tmp_path, sudden, expected):
    (tmp_path / "sitecustomize.py").write_text(sudden.partition("import hyloop_command")[0])
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-m", "hyloop", "--version"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.stderr.endswith(expected)
    assert ("Traceback" in done.stderr) == (expected != STOPPED[2])
    assert done.returncode == (130 if expected == STOPPED[2] else 1)


def test_importing_leaves_exceptions_to_python(monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    for first, changed in (("-m", True), ("-c", False)):
        monkeypatch.setattr(sys, "argv", [first])
        hyloop_command.begin_import()
        assert (sys.excepthook is not sys.__excepthook__) is changed
        hyloop_command.end_import()
        assert sys.excepthook is sys.__excepthook__


def test_completion_without_a_shell_is_a_sentence(monkeypatch):
    for name in ("COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    for more in ({}, {"COMP_WORDS": "hyloop ru"}, {"COMP_WORDS": "hyloop ru", "COMP_CWORD": "x"}):
        done = commands.run_text(environment={"_HYLOOP_COMPLETE": "complete_bash", **more})
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Error: _HYLOOP_COMPLETE is for a shell that completes a command")
