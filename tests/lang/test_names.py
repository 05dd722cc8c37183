"""Names: whatever a program holds comes back from its text as it was, or the program is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyloop
from hyloop.errors import HyloopError
from hyloop.lang import Count, Flag, LanguageError, Outputs, Vertex, algorithm
from hyloop.lang.names import is_entry, is_name
from hyloop.lang.program import Input
from hyloop.lang.size import Size
from hyloop.lang.source import Location
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracing import load
from hyloop.lang.verify import verify


@algorithm
def example(h, source: Vertex, k: Count):
    near = h.vertices.state(Flag, False)
    count = h.state(Count, 0)
    near[source] = True
    with h.loop(at_most=h.vertices.count + 1) as loop:
        more = count + 2 * k
        count.assign(more)
        loop.stop_when(count > 3)
    return Outputs(near=near, counts=[count, count])


PROGRAM = example.program


def ops(change, which=lambda _: True):
    """The program with every operation changed of which something holds."""

    def changed(section):
        return replace(section, ops=tuple(change(op) if which(op) else op for op in section.ops))

    return replace(PROGRAM, before=changed(PROGRAM.before), body=changed(PROGRAM.body))


def with_bound(size):
    """The program with a declared bound of its state `count`."""
    return replace(
        PROGRAM, states=tuple(replace(each, at_most=size) if each.name == "count" else each for each in PROGRAM.states)
    )


def renamed(name):
    """The program with another name for its state `count`, wherever it stands."""
    sections = {
        part: replace(
            PROGRAM.section(part),
            ops=tuple(
                replace(op, argument=name) if (op.name, op.argument) == ("state", "count") else op
                for op in PROGRAM.section(part).ops
            ),
            updates={name if key == "count" else key: value for key, value in PROGRAM.section(part).updates.items()},
        )
        for part in ("before", "body")
    }
    states = tuple(replace(each, name=name) if each.name == "count" else each for each in PROGRAM.states)
    outputs = tuple(replace(each, state=name) if each.state == "count" else each for each in PROGRAM.outputs)
    return replace(PROGRAM, states=states, outputs=outputs, **sections)


def input_named(name):
    """The program with another name for its input `k`, wherever it stands."""
    changed = ops(lambda op: replace(op, argument=name), lambda op: (op.name, op.argument) == ("input", "k"))
    return replace(changed, inputs=(PROGRAM.inputs[0], replace(PROGRAM.inputs[1], name=name)))


def elsewhere(**place):
    return ops(lambda op: replace(op, where=replace(op.where, **place)))


PLACES = {
    "algorithm": lambda text: replace(PROGRAM, name=text),
    "about": lambda text: replace(PROGRAM, about=text),
    "input": input_named,
    "state": renamed,
    "output": lambda text: replace(PROGRAM, outputs=(replace(PROGRAM.outputs[0], name=text), *PROGRAM.outputs[1:])),
    "form": lambda text: replace(PROGRAM, outputs=(replace(PROGRAM.outputs[0], form=text), *PROGRAM.outputs[1:])),
    "label": lambda text: ops(lambda op: replace(op, label=text)),
    "argument": lambda text: ops(lambda op: replace(op, argument=text), lambda op: op.name == "add"),
    "size": lambda text: ops(lambda op: replace(op, argument=text), lambda op: op.name == "size"),
    "bound": lambda text: replace(PROGRAM, at_most=Size(text)),
    "bound of a state": lambda text: with_bound(Size(text)),
    "file": lambda text: elsewhere(file=text),
    "file of a state": lambda text: replace(
        PROGRAM, states=tuple(replace(state, where=Location(text, 1, 2, 3)) for state in PROGRAM.states)
    ),
}
HOSTILE = [
    "",
    " ",
    "number of steps",
    "a = near\noutput b",
    "near\noutput b",
    "a\r",
    "a\u2028b",
    "a\x00",
    "a[1]",
    "a[1][2]",
    "a[-1]",
    "a[٣]",
    "[1]",
    "1a",
    "a b",
    "a:b",
    "a %0: flag",
    "x  @f.py:1:1-1",
    "count  @a:1:1-2\n  3 constant true: flag",
    "ª²",
    "℘",
    "a·",
    "größe",
    "é",
    "stop",
    "before",
    "class",
    "known",
    "<lambda>",
    "\ud800",
    "n_v",
    "n_v\nloop at most 9",
    "🂡",
]


def comes_back_or_is_refused(program):
    try:
        verify(program)
    except LanguageError as wrong:
        str(wrong).encode(errors="backslashreplace")
        return False
    again = from_text(to_text(program))
    assert again == program
    assert [op.label for op in again.body.ops] == [op.label for op in program.body.ops]
    return True


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_comes_back_or_is_refused(place, text):
    comes_back_or_is_refused(PLACES[place](text))


words = st.text(max_size=12) | st.text("ab[]01 :=%@\n\r\t\\\"'.,-²℘·", max_size=9) | st.sampled_from(HOSTILE)


@given(st.sampled_from(sorted(PLACES)), words, words)
def test_any_text_comes_back_or_is_refused(place, one, other):
    comes_back_or_is_refused(PLACES[place](one + other))


@pytest.mark.parametrize("place", ["algorithm", "input", "state", "output", "label"])
@pytest.mark.parametrize("name", ["größe", "℘", "stop", "class", "_x1"])
def test_a_name_of_pythons_is_a_name(place, name):
    assert comes_back_or_is_refused(PLACES[place](name))


@pytest.mark.parametrize("place", ["algorithm", "input", "state", "output", "label", "argument", "bound", "file"])
@pytest.mark.parametrize("text", ["a = near\noutput b", "a\nb", "a\u2028b"])
def test_what_would_be_two_lines_is_refused(place, text):
    assert not comes_back_or_is_refused(PLACES[place](text))


NUMBERS = {
    "a bound below nothing": replace(PROGRAM, inputs=(*PROGRAM.inputs, Input("z", PROGRAM.inputs[1].type, -1))),
    "a bound that is true": replace(PROGRAM, inputs=(*PROGRAM.inputs, Input("z", PROGRAM.inputs[1].type, True))),
    "a place below nothing": replace(PROGRAM, outputs=tuple(replace(each, place=-1) for each in PROGRAM.outputs[:1])),
    "a line below nothing": elsewhere(line=-1),
    "a factor that is true": ops(lambda op: replace(op, argument=True), lambda op: op.name == "multiple"),
    "a fraction": ops(lambda op: replace(op, argument=3.0), lambda op: op.name == "constant"),
    "a loop without a bound": replace(PROGRAM, at_most=Size("constant", value=-1)),
    "a state with a bound below 0": with_bound(Size("constant", value=-1)),
    "a state with a bound in words": with_bound("n_v"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_that_cannot_be_read_back_is_refused(name):
    with pytest.raises(LanguageError):
        verify(NUMBERS[name])


def test_names_and_entries():
    assert [text for text in HOSTILE if is_name(text)] == [
        "℘", "a·", "größe", "é", "stop", "before", "class", "known", "n_v",
    ]  # fmt: skip
    assert is_entry("a[12]")
    assert not any(is_entry(text) for text in ("a[]", "a[1][2]", "[1]", "a[1] ", "a[٣]", 3))


def test_a_text_with_a_name_that_is_none_is_refused():
    with pytest.raises(HyloopError):
        from_text(to_text(PROGRAM).replace("output near", "output 1"))


def test_a_file_with_a_name_of_two_lines(tmp_path):
    """The name of the user's file stands in the text, too."""
    file = tmp_path / "a\noutput b = near\n.py"
    file.write_text(
        "from hyloop.lang import *\n\n@algorithm\ndef example(h):\n    x = h.state(Count, 0)\n"
        "    with h.loop(at_most=3) as loop:\n        loop.stop_when(x == 0)\n    return Outputs(x=x)\n",
        encoding="utf-8",
    )
    [made] = load(file)
    assert from_text(to_text(made.program)) == made.program


def test_a_state_without_a_name_takes_none_that_is_taken():
    def pair(h):
        return {"first": h.state(Count, 0)}

    @algorithm
    def unnamed(h):
        held = pair(h)
        state0 = h.state(Count, 1)
        with h.loop(at_most=2) as loop:
            held["first"].assign(1)
            loop.stop_when(state0 == 1)
        return Outputs(a=held["first"], b=state0)

    assert [state.name for state in unnamed.program.states] == ["state0_", "state0"]


LONG = """from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any

@algorithm
def {algorithm}(h, {input}: Vertex):
    {state} = h.vertices.state(Flag, False)
    with h.loop(at_most=3) as loop:
        {local} = h.touching({state} | (h.vertices.number == {input}))
        {state}.assign(h.covered({local}))
        loop.stop_when(any({state}))
    return Outputs({output}={state})
"""
NAMES = {"algorithm": "near", "input": "source", "state": "seen", "local": "lines", "output": "found"}


@pytest.mark.parametrize(("what", "line"), [*zip(NAMES, (4, 4, 5, 7, 10), strict=True)])
def test_a_long_name_is_refused_where_it_is_given(what, line, tmp_path):
    (tmp_path / "long.py").write_text(LONG.format(**{**NAMES, what: "x" * 201}), encoding="utf-8")
    with pytest.raises(LanguageError, match=rf"^long\.py:{line}: `x{{20}}\.\.\.` has 201 letters, .* at most 200"):
        [each.program for each in load(tmp_path / "long.py")]


@pytest.mark.parametrize("what", NAMES)
def test_the_longest_names_are_saved_and_loaded(what, tmp_path):
    (tmp_path / "long.py").write_text(LONG.format(**{**NAMES, what: "x" * 200}), encoding="utf-8")
    [found] = load(tmp_path / "long.py")
    hyloop.compile(found, hyloop.Capacity(4, 4)).save(tmp_path / "m.safetensors")
    assert hyloop.load(tmp_path / "m.safetensors").parsed == found.program


def test_a_long_name_in_a_text_is_refused():
    with pytest.raises(HyloopError, match="has 201 letters"):
        from_text(to_text(PROGRAM).replace("near", "n" * 201))
