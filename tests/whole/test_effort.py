"""A test run tries the same every time, and what it leaves out is there."""

import importlib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import conftest
from effort import EVERYTHING, EXAMPLES, every, share

TESTS = Path(__file__).parents[1]


def drawn():
    """What hypothesis draws for one and the same test."""
    seen = []

    @settings(max_examples=300)
    @given(st.integers() | st.text())
    def looks(value):
        seen.append(value)

    looks()
    return seen


def test_examples_do_not_depend_on_the_modules_that_were_loaded_before(tmp_path, monkeypatch):
    first = drawn()
    constants = ", ".join(f"{7**n}, 'word {n}'" for n in range(3, 90))
    (tmp_path / "other_constants.py").write_text(f"CONSTANTS = [{constants}]\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("other_constants")
    assert drawn() == first


def test_no_example_is_random_and_none_has_a_deadline():
    now = settings()
    assert (now.derandomize, now.deadline, now.max_examples) == (True, None, EXAMPLES)


def test_what_is_left_out_is_there_and_has_a_command():
    makefile = (TESTS.parent / "Makefile").read_text(encoding="utf-8")
    for path, command in conftest.APART.items():
        assert (TESTS / path).exists(), path
        assert f"\n{command.removeprefix('make ')}:" in makefile


def test_a_share_is_taken_in_make_test_alone():
    assert list(share("abc", "b")) == (["a", "b", "c"] if EVERYTHING else ["b"])
    assert list(every(2, "abc")) == (["a", "b", "c"] if EVERYTHING else ["a", "c"])
