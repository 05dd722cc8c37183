"""`checker/state_obligations.py`: it states the same obligations as the package, and tells every change of one side.

Other algorithms, random programs and mistakes in the package are in tests/thorough/prove/test_second_statement.py.
"""

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

import hyloop
from hyloop import Capacity
from hyloop.lang import Count, Outputs, algorithm, largest, smaller
from hyloop.lang.text import from_text, to_text
from hyloop.machine.files import to_bytes
from lang.test_text import everything
from prove.second_statement import (
    FILE,
    differs,
    leaves,
    second,
    stated,
    weights,
    with_choice,
    with_text,
    with_weight,
)
from prove.test_prove import nothing_to_divide_by

SECOND = second()
SMALL = Capacity(9, 9)


@pytest.fixture(scope="module")
def levels():
    """A model as its file, and what its certificate says."""
    model = hyloop.compile("levels", SMALL)
    return to_bytes(model), stated(model)


@pytest.fixture(scope="module")
def statement(levels):
    return SECOND.Statement(SECOND.Model(levels[0]), levels[1]["choices"])


def test_both_statements_are_the_same(levels):
    assert differs(SECOND, *levels) is None
    assert len(levels[1]["obligations"]) > 250


def test_of_another_program_too():
    model = hyloop.compile("independent_set", SMALL)
    assert differs(SECOND, to_bytes(model), stated(model)) is None


def test_of_sums_that_are_0_until_the_loop_begins():
    model = hyloop.compile(nothing_to_divide_by, SMALL)
    said = stated(model)
    assert said["choices"]["late sums"]
    assert differs(SECOND, to_bytes(model), said) is None


@algorithm
def bounded(h):
    bound = largest(h.vertices.count - 2, 2 * h.hyperedges.count + 3)
    found = h.state(Count, 0, at_most=bound)
    row = h.vertices.state(Count, 0, at_most=h.vertices.count)
    with h.loop(at_most=h.vertices.count + 1) as loop:
        found.assign(smaller(found + 1, 3))
        row.assign(smaller(row + 1, h.vertices.count))
        loop.stop_when(found == 2)
    return Outputs(found=found, row=row)


def test_of_declared_bounds():
    model = hyloop.compile(bounded, SMALL)
    assert differs(SECOND, to_bytes(model), stated(model)) is None


@pytest.mark.parametrize("bound", ["0", "2", "n_v", "n_v + 5", "n_v * n_e", "n_v // 2", "n_v ** 2", "2 ** 40", "x"])
def test_a_bound_of_a_state_is_told(levels, bound):
    """`depth` is at most n_v + 1. Declared to be less, the program ends in an error where the model gives levels."""
    data, said = levels
    text = hyloop.compile("levels", SMALL).program
    assert text.count("state depth: count = 0") == 1
    changed = text.replace("state depth: count = 0", f"state depth: count at most {bound} = 0")
    assert differs(SECOND, with_text(data, changed), said) is not None


# What is in the text of a program and in no obligation (docs/proof.md, "What of a program is not stated").
HARMLESS = {
    "about": lambda text: re.sub(r'(?m)^about ".', 'about "Other words: ', text),
    "outputs": lambda text: text.replace("output level = level known reached", "output other = depth"),
    "the loop's bound, if its most is the same": lambda text: text.replace("loop at most n_v", "loop at most n_e"),
    "columns of a line": lambda text: re.sub(r"(@.*:\d+):\d+-\d+", r"\1:0-1", text),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_no_obligation_is_about(levels, what):
    text = hyloop.compile("levels", SMALL).program
    changed = HARMLESS[what](text)
    assert changed != text
    assert differs(SECOND, with_text(levels[0], changed), levels[1]) is None


@pytest.mark.parametrize("line", ["algorithm ", "before", "loop at most ", "reached := ", "  stop ", "state depth"])
def test_a_line_twice_is_told(levels, line):
    """Readers of one text must not read two programs: of two loops, one could be proved and the other run."""
    lines = hyloop.compile("levels", SMALL).program.split("\n")
    place = next(number for number, each in enumerate(lines) if each.strip().startswith(line.strip()))
    twice = "\n".join([*lines[: place + 1], *lines[place:]])
    assert differs(SECOND, with_text(levels[0], twice), levels[1]) is not None
    assert refused(from_text, twice)


def test_a_bound_of_a_pointer_is_told(levels):
    text = hyloop.compile("levels", SMALL).program.replace("input source: vertex", "input source: vertex at most 3")
    assert differs(SECOND, with_text(levels[0], text), levels[1]) is not None


def test_it_needs_python_alone_and_nothing_of_the_package(levels, tmp_path):
    lines = [line.split() for line in FILE.read_text(encoding="utf-8").splitlines()]
    imported = {words[1] for words in lines if words[:1] in (["import"], ["from"])}
    assert imported <= sys.stdlib_module_names
    said = {**levels[1], "obligations": levels[1]["obligations"][:2]}
    (tmp_path / "model").write_bytes(levels[0])
    (tmp_path / "certificate").write_text(json.dumps(said), encoding="utf-8")
    command = [sys.executable, "-I", FILE, tmp_path / "model", tmp_path / "certificate"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("not the same: obligation 3 is missing: input, encoder: reached starts as")


def test_a_changed_weight_is_told(levels):
    data, said = levels
    every = list(weights(data))
    chance = random.Random(0)
    some = chance.sample([each for each in every if each[1]], 3) + chance.sample([e for e in every if not e[1]], 2)
    for place, weight in some:
        assert differs(SECOND, with_weight(data, place, weight + 1), said), place


def changes() -> Iterator[Callable[[list[dict[str, str]]], object]]:
    """Changes of the second of three obligations."""
    yield lambda every: every.pop(1)
    yield lambda every: every.insert(1, every[1])
    yield lambda every: every.reverse()
    yield lambda every: every[1].update(part="heads" if every[1]["part"] != "heads" else "step")
    yield lambda every: every[1].update(says=every[1]["says"] + " or not")
    for before, after in (("(not ", "(and "), (" 0) :named", " 1) :named"), ("|row i|", "|row k|"), ("1", "2")):
        yield lambda every, a=before, b=after: every[1].update(script=every[1]["script"].replace(a, b))
    for name in (":named |h0 ", ":named |goal negated|"):
        yield lambda every, n=name: every[1].update(script=_without(every[1]["script"], n))


def _without(script: str, name: str) -> str:
    return "\n".join(line for line in script.split("\n") if name not in line)


@pytest.mark.parametrize("at", [1, 20, 40, 45, 150, 290])
def test_a_changed_obligation_is_told(levels, statement, at):
    """Left out, stated twice, another part or name, an assertion that is weaker, another one, or dropped."""
    three, mine = levels[1]["obligations"][at - 1 : at + 2], statement.obligations[at - 1 : at + 2]
    SECOND.compare_lists(mine, three)
    told = 0
    for change in changes():
        changed = copy.deepcopy(three)
        change(changed)
        if changed != three:
            told += 1
            with pytest.raises((SECOND.Refused, KeyError)):
                SECOND.compare_lists(mine, changed)
    assert told >= 6


def test_a_changed_choice_is_told(levels):
    """Other choices make other obligations. (Of `values` not all are used.)"""
    data, said = levels
    every = [path for path in leaves(said["choices"]) if path[0] != "values"]
    for path in random.Random(0).sample(every, 4):
        assert differs(SECOND, data, with_choice(said, path)), path


def _clock(choices):
    choices["states"]["level"]["clock"] = choices["states"]["depth"]["clock"] = "depth"


# What a certificate must not choose: each would assume what no obligation shows.
REFUSED = {
    "a line is not of the form": lambda choices: choices["states"]["level"].update(most=[9, -1]),
    "is no length": lambda choices: choices["states"]["reached"].update(infinite=True),
    "a clock has a clock": _clock,
    "a head that takes no means has some": lambda choices: choices["heads"][1][1].update(means={"16": 1}),
    "adds up nothing": lambda choices: choices["heads"][1][1].update(sums={"16": 1}),
    "looks at another row": lambda choices: choices["heads"][0][0].update(at=["search", "body", 5]),
    "along another matrix": lambda choices: choices["heads"][0][0].update(sums={"13": 1}),
    "brings a sum with no weights": lambda choices: choices["heads"][0][0].update(sums={"13": 2, "12": 2}),
    "different matrices": lambda choices: choices.update({"equal sums": [[2, 1]]}),
    "a head has no claim": lambda choices: choices["heads"][0].pop(),
    "more bounds than sums": lambda choices: choices["bounds"][0].append(0),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_choice_that_would_assume_more_is_refused(levels, why):
    choices = copy.deepcopy(levels[1]["choices"])
    REFUSED[why](choices)
    with pytest.raises(SECOND.Refused, match=why):
        SECOND.Statement(SECOND.Model(levels[0]), choices)


def test_another_theorem_is_told(levels):
    data, said = levels
    assert "the theorem is another one" in differs(SECOND, data, {**said, "theorem": "All is well."})
    assert "the name is another one" in differs(SECOND, data, {**said, "name": "dijkstra"})


def refused(read, text) -> bool:
    try:
        read(text)
    except Exception:  # noqa: BLE001  (of two readers)
        return True
    return False


def test_a_program_is_read_as_the_package_reads_it():
    """The program that has every operation; and with a type, an operand, an argument or an operation changed."""
    text = to_text(everything.program)
    read = SECOND.Program(text)
    assert [len(each.ops) for each in (read.before, read.body)] == [
        len(each.ops) for each in (everything.program.before, everything.program.body)
    ]
    assert read.iterations(9) == everything.program.most_iterations_within(9)
    chance, lines = random.Random(0), text.split("\n")
    words = ["flag", "count", "length", "vertex", "[vertices]", "[hyperedges]", "%0", "%1", "%2", "min", "equal", "5"]
    told = 0
    for _ in range(150):
        at = chance.choice([number for number, line in enumerate(lines) if line.startswith("  ")])
        old = chance.choice(re.findall(r"\[?\w+\]?|%\d+", lines[at].partition("  @")[0]) or ["x"])
        changed = [*lines[:at], lines[at].replace(old, chance.choice(words), 1), *lines[at + 1 :]]
        wrong = refused(from_text, "\n".join(changed))
        told += wrong
        assert refused(SECOND.Program, "\n".join(changed)) == wrong, changed[at]
    assert told > 40
