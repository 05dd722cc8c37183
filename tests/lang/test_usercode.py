"""Python code of the user's own: whatever it raises is a sentence, and the file is run as it is now."""

import os
from pathlib import Path

import pytest

from hyloop.errors import HyloopError
from hyloop.lang import LanguageError
from hyloop.lang.tracing import load
from hyloop.lang.usercode import told

HEAD = """\
import sys
from hyloop.lang import *


class Odd(BaseException):
    pass


class Silent(Exception):
    def __str__(self):
        raise ValueError("no words")


"""
BODY = """\
@algorithm
def mine(h):
    x = h.state(Count, 0)
    {statement}
    with h.loop(at_most=3) as loop:
        loop.stop_when(x == {number})
    return Outputs(x=x)
"""
RAISED = {
    "sys.exit(0)": "it ends Python (sys.exit)",
    "sys.exit('bye')": "it ends Python (sys.exit)",
    "raise Odd": "Odd",
    "raise Odd('strange.')": "Odd: strange",
    "raise Silent": "Silent, which cannot say what is wrong (ValueError)",
    "raise SyntaxError": "SyntaxError: None",
    "raise GeneratorExit": "GeneratorExit",
    "1 / 0": "ZeroDivisionError: division by zero",
}


def mine(folder, statement="pass", number=0, at=None):
    file = folder / "mine.py"
    file.write_text(HEAD + BODY.format(statement=statement, number=number), encoding="utf-8")
    if at is not None:
        os.utime(file, (at, at))
    return load(file)[0]


@pytest.mark.parametrize("statement", RAISED)
def test_whatever_a_traced_function_raises_is_a_sentence(statement, tmp_path):
    with pytest.raises(LanguageError) as caught:
        _ = mine(tmp_path, statement).program
    lines = str(caught.value).splitlines()
    assert lines == [f"mine.py:17: {RAISED[statement]}.", f"    {statement}", f"    {'^' * len(statement)}"]


@pytest.mark.parametrize("statement", RAISED)
def test_whatever_a_file_raises_is_a_sentence(statement, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HEAD + statement + "\n", encoding="utf-8")
    with pytest.raises(LanguageError) as caught:
        load(file)
    assert str(caught.value) == f"{file} cannot be run: line 14: {RAISED[statement]}."


def test_an_interrupt_stays_one(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        _ = mine(tmp_path, "raise KeyboardInterrupt").program
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path / "mine.py")


def test_a_slip_in_another_file_is_told_there(tmp_path, monkeypatch):
    (tmp_path / "other_file.py").write_text("\n\ndef f(:\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("import other_file\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(LanguageError, match=r"cannot be run: other_file\.py:3: invalid syntax\.$"):
        load(tmp_path / "mine.py")


def test_the_words_of_an_error_are_its_own():
    assert told(ValueError("so: it is..."), Path("x")) == "ValueError: so: it is"


# -- files that change ----------------------------------------------------------------------------------------------


def test_a_file_that_is_rewritten_is_read_again(tmp_path):
    """Also when it has as many letters as before, and the clock has not moved."""
    for number in (1, 2, 3):
        program = mine(tmp_path, number=number, at=10**9).program
        assert [op.argument for op in program.body.ops if op.name == "constant"] == [number]


def test_a_message_quotes_the_file_as_it_is_now(tmp_path):
    for statement in ("x[3]", "x[4]", "1 + x[h.vertices.first]"):
        with pytest.raises(HyloopError) as caught:
            _ = mine(tmp_path, statement, at=10**9).program
        assert str(caught.value).splitlines()[1].strip() == statement
