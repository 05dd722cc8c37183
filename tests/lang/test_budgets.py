"""A few bytes that ask for much are refused at once, whoever wrote them: in a program's text, or in Python."""

import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import HyloopError
from hyloop.lang import Count, Flag, LanguageError, Outputs, algorithm
from hyloop.lang.budgets import CHAIN, ITERATIONS, NAMES, OPERATIONS, TEXT
from hyloop.lang.size import Size, largest, parse_size
from hyloop.lang.text import from_text, to_text
from hyloop.lang.tracer import Tracer

N, M = Size.of("n_v"), Size.of("n_e")
PLACE = "@a.py:1:0-1"
SECONDS = 3  # of CPU time: far more than any of these takes, far less than the work that they ask for


@pytest.fixture(autouse=True)
def _at_once():
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def text(ops=(), bound="n_v", states=("x: flag = false",)):
    """A program whose loop has these operations after `0 state x`."""
    declared = "".join(f"state {state}  {PLACE}\n" for state in states)
    body = "".join(f"  {number} {op}  {PLACE}\n" for number, op in enumerate(("state x: flag", *ops)))
    return f'algorithm a\nabout ""\n{declared}loop at most {bound}\n{body}  stop 0\noutput x = x\n'


def test_the_text_itself_is_fine():
    assert to_text(from_text(text(["not %0: flag"]))).startswith("algorithm a\n")


REFUSED = {
    "a text without end": "\n" * (TEXT + 1),
    "a line without end": text(["not %0: flag" + " " * 20_000]),
    "many operations": text(["not %0: flag"] * OPERATIONS),
    "many states": text(states=[f"x{number}: flag = false" for number in range(NAMES + 1)]),
    "a chain": text([f"not %{number}: flag" for number in range(CHAIN)]),
    "nested sums": text(bound="(" * 900 + "n_v" + " + 1)" * 900),
    "sums in a row": text(bound="n_v" + " + 1" * 900),
    "many minus signs": text(bound="-" * 3_900 + "1"),
    "brackets": text(bound="(" * 3_900),
    "a bound of many digits": text(bound="9" * 3_999),
    "a state of many digits": text(states=("x: flag = false", f"c: count = {'9' * 4_000}")),
    "a state of more digits than Python reads": text(states=("x: flag = false", f"c: count = {'9' * 9_000}")),
    "a constant of many digits": text([f"constant {'9' * 4_000}: count"]),
    "a factor of many digits": text(["size n_v: count", f"multiple {'9' * 4_000} %1: count"]),
    "a place of many digits": text().replace("@a.py:1:", f"@a.py:{'9' * 9_000}:"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_before_the_work(name):
    with pytest.raises(HyloopError) as caught:
        from_text(REFUSED[name])
    assert len(str(caught.value)) < 1_000  # a stranger's text does not fill the screen


@pytest.mark.parametrize("join", ["and", "or"])
def test_conditions_that_share_their_parts_are_looked_at_once(join):
    """40 conditions, each of the one before twice: 2^40 ways through them."""
    ops = ["constant infinity: length", "constant true: flag"]
    ops += [f"{join} %{number + 2} %{number + 2}: flag" for number in range(40)]
    ops += ["where %42 %1 %1: length"]
    from_text(text(ops))


# -- sizes ------------------------------------------------------------------------------------------------------------

HUGE = {
    "choose(999999999999, 5000000)": ITERATIONS,
    "choose(n_v, n_e)": ITERATIONS,
    "choose(n_v, 3)": math.comb(131_071, 3),
    "choose(choose(choose(n_v, 9), 9), 9)": ITERATIONS,
    "1000000000000": 10**12,
    "n_v * n_v * n_v * n_v": ITERATIONS,
    "choose(n_v, n_e) - n_v": ITERATIONS,  # still beyond all
    "choose(n_v, n_e) // 1000000": ITERATIONS,
    "choose(n_v, n_e) * 0": 0,
    "max(3, 9999999999999999999)": ITERATIONS,
}


@pytest.mark.parametrize("bound", HUGE)
def test_a_size_is_found_at_once(bound):
    size = parse_size(bound)
    assert size.at(131_071, 65_535) == HUGE[bound]
    assert size.most(131_071) >= size.at(131_071, 65_535)


def test_what_is_taken_from_a_number_beyond_the_limit_may_leave_anything():
    size = parse_size("n_v - (choose(n_v, n_e) - choose(n_v, n_e))")
    assert size.most(131_071) == 131_071


@given(st.integers(0, 400), st.integers(0, 400))
def test_choices(n, k):
    assert Size.of(n).choose(k).at(0, 0) == min(math.comb(n, k), ITERATIONS)


def test_a_size_made_in_python_is_bounded_too():
    def doubled():
        size = N
        for _ in range(60):
            size = largest(size, size)  # 2^60 numbers

    def added():
        size = M
        for _ in range(900):
            size = size + 1

    for make in (doubled, added):
        with pytest.raises(HyloopError, match="a size has at most 200 numbers and operators"):
            make()


def test_each_of_many_stops_is_recorded_in_a_few_operations(monkeypatch):
    """Every statement asks for all conditions in force, which is a chain of as many operations as there are stops."""
    asked, op = [], Tracer.op
    monkeypatch.setattr(Tracer, "op", lambda *given, **named: asked.append(given) or op(*given, **named))

    @algorithm
    def stops(h):
        s = h.state(Count, 0)
        with h.loop(at_most=2) as loop:
            for _ in range(250):
                loop.stop_when(s > 0)
        return Outputs(s=s)

    with pytest.raises(LanguageError, match="more than 300 operations in a row"):
        _ = stops.program
    assert len(asked) < 250 * 8


def test_a_loop_in_python_that_has_no_end():
    @algorithm
    def endless(h):
        flag = h.state(Flag, False)
        with h.loop(at_most=1) as loop:
            while True:
                flag.assign(~flag)
            loop.stop_when(flag)
        return Outputs(flag=flag)

    with pytest.raises(HyloopError, match="Operations of the program"):
        _ = endless.program


@pytest.mark.parametrize("number", [10**100, Fraction(10**100)], ids=["integer", "fraction"])
def test_a_number_in_python(number):
    @algorithm
    def large(h):
        count = h.state(Count, 0)
        with h.loop(at_most=1) as loop:
            count.assign(count + number)
            loop.stop_when(True)
        return Outputs(count=count)

    with pytest.raises(HyloopError):
        _ = large.program
