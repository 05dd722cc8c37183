"""The key of a program tells programs apart, as far as models differ, and no further."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from hyloop.algorithms import ALGORITHMS
from hyloop.lang import Count, Outputs, algorithm
from hyloop.lang.key import key_of
from hyloop.lang.kinds import Kind, Type
from hyloop.lang.program import Input
from hyloop.lang.size import Size
from hyloop.lang.text import from_text, to_text

LEVELS = ALGORITHMS["levels"].program


def key(program):
    return program.key


def with_op(**changes):
    first, *others = LEVELS.body.ops
    return replace(LEVELS, body=replace(LEVELS.body, ops=(replace(first, **changes), *others)))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_equal_programs_have_equal_keys(name):
    program = ALGORITHMS[name].program
    assert key(program) == key(from_text(to_text(program)))


def test_shipped_programs_differ():
    assert len({key(each.program) for each in ALGORITHMS.values()}) == len(ALGORITHMS)


OP = LEVELS.body.ops[0]
CHANGES = {
    "name": replace(LEVELS, name="other"),
    "description": replace(LEVELS, about="other"),
    "a label": with_op(label=f"{OP.label} too"),
    "a line": with_op(where=replace(OP.where, line=OP.where.line + 1)),
    "an argument": with_op(argument=1),
    "an argument that equals it": with_op(argument=True),
    "the same digits as text": with_op(argument="1"),
    "a large argument": with_op(argument=10**5000),
    "one more input": replace(LEVELS, inputs=(*LEVELS.inputs, Input("k", Type(Kind.COUNT), 3))),
    "its bound": replace(LEVELS, inputs=(*LEVELS.inputs, Input("k", Type(Kind.COUNT)))),
    "the most iterations": replace(LEVELS, at_most=Size.of("n_e")),
    "an update": replace(LEVELS, body=replace(LEVELS.body, updates={})),
    "where it stops": replace(LEVELS, body=replace(LEVELS.body, stop=0)),
}


def test_every_change_counts():
    found = {name: key(program) for name, program in {"none": LEVELS, **CHANGES}.items()}
    assert len(set(found.values())) == len(found)


def test_where_the_file_is_does_not_count():
    assert key(with_op(where=replace(OP.where, path="/elsewhere/levels.py"))) == key(LEVELS)


def test_what_is_no_part_of_a_program():
    with pytest.raises(TypeError, match="a program cannot hold"):
        key(with_op(argument=1.5))


def test_a_program_of_a_user():
    @algorithm
    def counting(h):
        """Count to three."""
        count = h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            loop.stop_when(count == 2)
            count.assign(count + 1)
        return Outputs(count=count)

    assert counting.program.key == from_text(to_text(counting.program)).key


def test_the_key_is_the_same_in_every_process():
    """A cache outlives the process; the hashes of Python do not."""
    code = "from hyloop.algorithms import ALGORITHMS; print(ALGORITHMS['levels'].program.key)"
    command = [sys.executable, "-c", code]
    found = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{LEVELS.key}\n"}


def test_no_two_lists_of_words_run_into_one():
    assert len({key_of(each) for each in (("ab", "c"), ("a", "bc"), ("abc",), (("ab", "c"),), ("ab", ("c",)))}) == 5
