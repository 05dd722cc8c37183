"""Tracing: names, places, what is noted once, what goes into the loop, and that a program cannot be changed."""

import copy
import dataclasses
import pickle
import types
from pathlib import Path

import pytest

import hyloop
from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    LanguageError,
    Length,
    Outputs,
    Vertex,
    algorithm,
    any,
    known,
    quotient,
    total,
    when,
)
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.size import Size
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracing import traced

HEAD = "from hyloop.lang import *\n\n@algorithm\ndef example(h, k: Count):\n    count = h.state(Count, 0)\n"
TAIL = "        loop.stop_when(count == k)\n    return Outputs(count=count)\n"


def from_lines(tmp_path, body, before=""):
    """A program from a file, with these lines before and in its loop, and the text of the file."""
    text = HEAD + before + "    with h.loop(at_most=3) as loop:\n" + body + TAIL
    file = tmp_path / "example.py"
    file.write_text(text, encoding="utf-8")
    # By no loader: its bytecode would be that of the text before, if that was as long and of the same second.
    module = types.ModuleType("example")
    exec(compile(text, str(file), "exec"), vars(module))
    return module.example.program, text.splitlines()


def shown(op, lines):
    """The piece of the file that an operation points at."""
    return lines[op.where.line - 1][op.where.column : op.where.end]


def pieces(program, lines, name):
    return [shown(op, lines) for op in program.body.ops if op.name == name]


# -- names ----------------------------------------------------------------------------------------------------------


@algorithm
def named(h, source: Vertex):
    level = h.vertices.state(Count, 0)
    x, y = h.state(Count, 0), h.state(Count, 1)
    again = y
    several = [h.state(Count, place) for place in range(2)]
    both = (h.state(Flag, True), h.state(Length, 0))
    {"hidden": h.state(Count, 5)}
    with h.loop(at_most=3) as loop:
        total = x + again
        parts = [total + 1, total + 2]
        near = h.containing(source)
        level.assign(1, where=h.covered(near))
        x.assign(parts[1])
        several[1].assign(parts[0])
        loop.stop_when(both[0] & any(near))
    return Outputs(level=level)


def test_states_have_the_users_names():
    names = [state.name for state in named.program.states]
    assert names == ["level", "x", "y", "several[0]", "several[1]", "both[0]", "both[1]", "state7"]


def test_values_have_the_users_names():
    labels = {op.label: op.name for op in named.program.body.ops if op.label}
    assert labels == {"total": "add", "parts[0]": "add", "parts[1]": "add", "near": "containing"}


def test_the_name_and_the_description_are_the_functions():
    @algorithm
    def somebody(h):
        """First line.

        More.
        """
        x = h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            loop.stop_when(x == 0)
        return Outputs(x=x)

    assert (somebody.program.name, somebody.program.about) == ("somebody", "First line.\n\nMore.")
    assert (somebody.name, somebody.about, somebody.inputs) == ("somebody", "First line.\n\nMore.", ())
    assert repr(somebody) == "<algorithm somebody>"
    assert somebody.__doc__.startswith("First line.")


def test_a_program_is_traced_once():
    assert named.program is named.program


# -- places ---------------------------------------------------------------------------------------------------------


def test_a_place_is_the_files_name_and_never_its_path(tmp_path):
    program, _ = from_lines(tmp_path, "        count.assign(count + 1)\n")
    places = [op.where for section in (program.before, program.body) for op in section.ops]
    assert {place.file for place in places} == {"example.py"}
    assert {state.where.file for state in program.states} == {"example.py"}


def test_a_place_is_the_expression(tmp_path):
    program, lines = from_lines(tmp_path, "        count.assign((count + 1) * 2 - k)\n")
    assert pieces(program, lines, "add") == ["count + 1"]
    assert pieces(program, lines, "multiple") == ["(count + 1) * 2"]
    assert pieces(program, lines, "subtract") == ["(count + 1) * 2 - k"]
    assert shown(program.states[0], lines) == "h.state(Count, 0)"


def test_an_input_is_at_the_def(tmp_path):
    program, lines = from_lines(tmp_path, "        pass\n")
    [given] = [op for op in program.body.ops if op.name == "input"]
    assert shown(given, lines) == "def example(h, k: Count):"


def test_a_place_after_letters_of_several_bytes(tmp_path):
    program, lines = from_lines(tmp_path, "        größe = '日本語', count + 3, 'é'  # ☃\n")
    assert pieces(program, lines, "add") == ["count + 3"]


def test_an_expression_over_several_lines_is_shown_to_the_end_of_its_first(tmp_path):
    body = "        count.assign(\n            count\n            + (1 + k)\n            + 2\n        )\n"
    program, lines = from_lines(tmp_path, body)
    assert pieces(program, lines, "add") == ["1 + k", "count", "count"]
    assert [op.where.line for op in program.body.ops if op.name == "add"] == [9, 8, 8]


def test_several_lines_with_letters_of_several_bytes(tmp_path):
    body = "        ééé = (count +\n            k)\n"
    program, lines = from_lines(tmp_path, body)
    assert pieces(program, lines, "add") == ["count +"]


def test_the_place_of_a_helper_is_where_it_computes(tmp_path):
    helper = "    def twice(x):\n        return x + x\n"
    program, lines = from_lines(tmp_path, "        count.assign(twice(count))\n", helper)
    assert pieces(program, lines, "add") == ["x + x"]


def test_an_error_in_a_helper_points_into_it(tmp_path):
    helper = "    def half(x):\n        return x / 2\n"
    with pytest.raises(LanguageError) as caught:
        from_lines(tmp_path, "        count.assign(half(count))\n", helper)
    assert str(caught.value).splitlines()[1:] == ["    return x / 2", "           ^^^^^"]


def test_a_file_that_is_gone_still_has_lines(tmp_path):
    code = HEAD + "    with h.loop(at_most=3) as loop:\n        count.assign(count / 2)\n" + TAIL
    names = {}
    exec(compile(code, "/nowhere/at all/gone.py", "exec"), names)
    with pytest.raises(LanguageError) as caught:
        _ = names["example"].program
    assert str(caught.value).startswith("gone.py:7: there are no fractions")
    assert "nowhere" not in str(caught.value)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_places_of_our_algorithms_lie_in_their_files(name):
    program = ALGORITHMS[name].program
    file = Path(ALGORITHMS[name].function.__code__.co_filename)
    lines = file.read_text(encoding="utf-8").splitlines()
    for op in (*program.before.ops, *program.body.ops):
        assert op.where.file == file.name
        assert shown(op, lines).strip()


# -- sections -------------------------------------------------------------------------------------------------------


def names(section):
    return [op.name for op in section.ops]


def test_a_value_made_before_the_loop_is_made_again_in_it():
    @algorithm
    def example(h, source: Vertex):
        count = h.vertices.state(Count, 0)
        degree = h.incidence @ h.containing(source)
        with h.loop(at_most=3) as loop:
            count.assign(degree + 1)
            loop.stop_when(any(count > 0))
        return Outputs(count=count)

    program = example.program
    assert not program.begins
    assert names(program.body)[:5] == ["input", "containing", "number", "incidence", "constant"]
    assert program.most_iterations(9, 9) == 3


def test_what_is_assigned_before_the_loop_is_an_iteration():
    @algorithm
    def example(h, source: Vertex):
        seen = h.vertices.state(Flag, False)
        seen[source] = True
        with h.loop(at_most=h.vertices.count) as loop:
            loop.stop_when(any(seen))
        return Outputs(seen=seen)

    assert example.program.begins
    assert list(example.program.before.updates) == ["seen"]
    assert example.program.body.updates == {}
    assert example.program.most_iterations(4, 0) == 5


def test_what_nobody_needs_is_left_out():
    @algorithm
    def example(h, k: Count):
        x = h.vertices.state(Count, 0)
        x + 2
        with h.loop(at_most=3) as loop:
            x - 3
            kept = x + 4  # noqa: F841  (named, so somebody may want to see it)
            _ignored = x + 5
            loop.stop_when(any(x == k))
        return Outputs(x=x)

    program = example.program
    assert program.before.ops == ()
    assert names(program.body) == ["state", "constant", "add", "input", "equal", "any"]
    assert [op.label for op in program.body.ops] == ["", "", "kept", "", "", ""]


def test_equal_operations_are_noted_once():
    @algorithm
    def example(h, source: Vertex):
        count = h.hyperedges.state(Count, 0)
        with h.loop(at_most=3) as loop:
            count.assign(count + 1, where=h.containing(source))
            count.assign(count + 1, where=h.containing(source))  # another count, the same hyperedges
            loop.stop_when(any(h.containing(source)))
        return Outputs(count=count)

    noted = names(example.program.body)
    assert noted.count("containing") == 1
    assert noted.count("constant") == 1
    assert noted.count("add") == 2


def test_constants_of_different_kinds_are_not_equal():
    """True == 1 and False == 0 in Python, but not here."""

    @algorithm
    def example(h):
        count, flag, length = h.state(Count, 0), h.state(Flag, False), h.state(Length, 0)
        with h.loop(at_most=3) as loop:
            count.assign(1)
            flag.assign(True)
            count.assign(0, where=flag)
            length.assign(0)
            loop.stop_when(flag)
        return Outputs(count=count)

    constants = [(op.argument, op.type.kind) for op in example.program.body.ops if op.name == "constant"]
    assert [(type(value), value, kind) for value, kind in constants] == [
        (int, 1, Kind.COUNT),
        (bool, True, Kind.FLAG),
        (int, 0, Kind.COUNT),
        (int, 0, Kind.LENGTH),
    ]


def test_a_stop_masks_what_follows_and_not_what_came_before():
    @algorithm
    def example(h):
        before, after = h.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            before.assign(before + 1)
            loop.stop_when(before == 2)
            after.assign(after + 1)
        return Outputs(before=before, after=after)

    body = example.program.body
    assert body.ops[body.updates["before"]].name == "add"
    assert body.ops[body.updates["after"]].name == "where"


def test_conditions_nest_and_end():
    @algorithm
    def example(h):
        a, b = h.state(Flag, False), h.state(Flag, False)
        x, y, z = h.state(Count, 0), h.state(Count, 0), h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            with when(a):
                x.assign(1)
                with when(b):
                    y.assign(1)
            z.assign(1)
            loop.stop_when(a)
        return Outputs(x=x, y=y, z=z)

    body = example.program.body
    conditions = {name: body.ops[body.updates[name]] for name in ("x", "y", "z")}
    assert conditions["z"].name == "constant"
    assert body.ops[conditions["x"].operands[0]].name == "state"
    assert body.ops[conditions["y"].operands[0]].name == "and"


# -- programs are values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALGORITHMS)
def test_two_traces_are_equal(name):
    first, second = traced(ALGORITHMS[name].function), traced(ALGORITHMS[name].function)
    assert first is not second
    assert first == second
    assert [op.label for op in first.body.ops] == [op.label for op in second.body.ops]


def test_different_programs_differ():
    programs = [each.program for each in ALGORITHMS.values()]
    assert all(a != b for place, a in enumerate(programs) for b in programs[:place])
    bfs = ALGORITHMS["bfs"].program
    assert dataclasses.replace(bfs, at_most=Size.of("n_v")) != bfs


@pytest.mark.parametrize("part", ["program", "section", "op", "state", "input", "output", "place", "type", "size"])
def test_nothing_of_a_program_can_be_changed(part):
    program = ALGORITHMS["bfs"].program
    parts = {
        "program": program,
        "section": program.body,
        "op": program.body.ops[0],
        "state": program.states[0],
        "input": program.inputs[0],
        "output": program.outputs[0],
        "place": program.body.ops[0].where,
        "type": program.states[0].type,
        "size": program.at_most,
    }
    for each in dataclasses.fields(parts[part]):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(parts[part], each.name, None)


def test_the_updates_cannot_be_changed():
    program = traced(ALGORITHMS["bfs"].function)
    with pytest.raises(TypeError):
        program.body.updates["level"] = 0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda program: pickle.loads(pickle.dumps(program))])
def test_a_program_can_be_copied(copied):
    program = ALGORITHMS["dijkstra"].program
    again = copied(program)
    assert again == program
    assert again.body.updates == dict(program.body.updates)
    assert again.state("distance").initial is INFINITY
    assert dataclasses.replace(program.body, stop=None) != program.body


def test_types_in_words():
    assert str(Type(Kind.COUNT)) == "count"
    assert str(Type(Kind.FLAG, Scope.VERTICES)) == "flag[vertices]"
    assert Type(Kind.HYPEREDGE, Scope.VERTICES).phrase == "hyperedges over the vertices"


def test_a_state_that_loses_its_name_in_the_loop():
    @algorithm
    def example(h):
        depth = h.state(Count, 0)
        seen = h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            depth = depth + 1  # meant: depth.assign(depth + 1)
            seen.assign(depth)
            loop.stop_when(seen == 3)
        return Outputs(seen=seen)

    with pytest.raises(LanguageError, match=r"write `depth.assign\(...\)`"):
        _ = example.program


def one_in_another(use):
    """Traces a program and, in its loop, another one in which `use` has a flag and the state of each."""

    @algorithm
    def outer(h):
        x = h.state(Count, 3)
        with h.loop(at_most=9) as loop:
            never = x == 0

            @algorithm
            def inner(g):
                z = g.state(Count, 0)
                with g.loop(at_most=3) as inner_loop:
                    use(never, x, z == 0, z)
                    inner_loop.stop_when(True)
                return Outputs(z=z)

            assert inner.program.name == "inner"
            x.assign(x + 1)
            loop.stop_when(x == 4)
        return Outputs(x=x)

    return outer.program


def test_conditions_of_another_program_are_refused():
    def under_the_outer(never, _, __, z):
        with when(never):
            z.assign(5)

    def under_the_inner(_, x, begins, __):
        with when(begins):
            x.assign(5)

    def sound(_, __, begins, z):
        with when(begins):
            z.assign(5)

    assert one_in_another(sound).name == "outer"
    for use in (under_the_outer, under_the_inner):
        with pytest.raises(LanguageError, match="this value belongs to another program"):
            one_in_another(use)


def test_an_output_is_of_the_programs_own_states():
    kept = {}

    @algorithm
    def one(h):
        counts, flags, number = h.vertices.state(Count, 0), h.vertices.state(Flag, False), h.state(Count, 0)
        with h.loop(at_most=3) as loop:
            counts.assign(100)
            loop.stop_when(True)
        kept.update(counts=counts, flags=flags, number=number, total=total(counts), outputs=Outputs(counts=counts))
        return kept["outputs"]

    assert one.program.name == "one"

    def returning(outputs):
        def two(h):
            borrowed = kept["counts"]  # also a name for a state of this program, it would seem by its number
            counts, flags, number = h.vertices.state(Count, 0), h.vertices.state(Flag, False), h.state(Count, 7)
            with h.loop(at_most=3) as loop:
                loop.stop_when(True)
            assert borrowed is not counts
            return outputs(counts, flags, number)

        return traced(two)

    sound = returning(lambda counts, flags, number: Outputs(a=known(counts, flags), b=[number, number]))
    assert [state.name for state in sound.states] == ["counts", "flags", "number"]
    for outputs in (
        lambda *_: Outputs(a=kept["counts"]),
        lambda *_: Outputs(a=kept["total"]),
        lambda *_: kept["outputs"],
        lambda _, __, number: Outputs(a=[number, kept["number"]]),
        lambda counts, *_: Outputs(a=known(counts, kept["flags"])),
        lambda counts, *_: Outputs(a=known(counts, unless=kept["flags"])),
        lambda _, __, number: Outputs(a=quotient(number, kept["number"])),
    ):
        with pytest.raises(LanguageError, match="an output is of a state that belongs to another program"):
            returning(outputs)


def test_states_without_end_are_refused_at_once():
    def endless(h):
        while True:
            h.state(Count, 1)

    with pytest.raises(HyloopError, match="States of the program: 501, which is more than the 500"):
        traced(endless)


@pytest.mark.parametrize("letter", ["word ", "\0", '"', "\U0001f600"])
def test_a_docstring_of_any_length_is_written_and_read_back(letter):
    @algorithm
    def told(h):
        done = h.state(Flag, False)
        with h.loop(at_most=1) as loop:
            loop.stop_when(done)
        return Outputs(done=done)

    told.function.__doc__ = letter * 20_000
    program = traced(told.function)
    assert program.about.startswith(letter * 1_000)
    assert program.about.endswith("…")
    assert from_text(to_text(program)) == program


UNREADABLE = """
from hyloop.lang import Count, Outputs, algorithm
@algorithm
def ones(h):
    one = h.state(Count, {})
    with h.loop(at_most=1) as loop:
        loop.stop_when(True)
    return Outputs(one=one)
"""


def test_a_program_may_be_compiled_under_a_name_of_no_file():
    """Its lines cannot be read, and are not needed."""

    def made(initial):
        names = {}
        exec(compile(UNREADABLE.format(initial), "\ud800.py", "exec"), names)
        return names["ones"]

    assert made("1").program.states[0].where.line == 5
    for wrong, told in (("-1", "5: "), ("1 / 0", "ZeroDivisionError")):
        with pytest.raises(LanguageError, match=told):
            _ = made(wrong).program
    one = hyloop.Hypergraph.from_hyperedges({"e": ["a"]})
    assert hyloop.run(made("1"), one)["one"] == 1
    assert hyloop.trace(made("1"), one, backend="cpu").document
