"""The notebooks of examples/ run, show what they store, and store nothing of the machine that ran them."""

import importlib.util
import json
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SPEC = importlib.util.spec_from_file_location("notebooks", ROOT / "scripts" / "notebooks.py")
notebooks = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(notebooks)

EVERY = {path.stem: path for path in notebooks.notebooks()}
NEEDS = {"first_steps": ["matplotlib"], "from_program_to_proof": ["matplotlib", "z3"], "your_own_data": ["pandas"]}


def texts(notebook):
    """What each cell of code prints and shows, as text: pictures differ between versions of matplotlib."""
    return [
        ["".join(each.get("text") or each["data"]["text/plain"]) for each in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_all_are_known():
    assert set(EVERY) == set(NEEDS)


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_they_run_and_show_what_they_store(name):
    for package in NEEDS[name]:
        pytest.importorskip(package, reason=f"the notebook needs {package}")
    stored = json.loads(EVERY[name].read_text(encoding="utf-8"))
    assert texts(notebooks.executed(EVERY[name])) == texts(stored)
    assert (ROOT / "README.md").read_text(encoding="utf-8").count(f"examples/{name}.ipynb") == 1


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_they_are_small_and_say_nothing_of_a_machine(name):
    text = EVERY[name].read_text(encoding="utf-8")
    assert len(text) < 150_000
    for place in (str(ROOT), str(Path.home()), tempfile.gettempdir(), "site-packages", "Traceback"):
        assert place not in text
    notebook = json.loads(text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
