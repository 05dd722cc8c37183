"""A program as text: a person can read it, it comes back as it was, and what is not such a text is refused."""

import json

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from hyloop.algorithms import ALGORITHMS
from hyloop.errors import HyloopError
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    LanguageError,
    Length,
    Outputs,
    Vertex,
    algorithm,
    all,
    any,
    argmax,
    argmin,
    at_most,
    first,
    known,
    larger,
    largest,
    max,
    min,
    number,
    quotient,
    smaller,
    stream,
    total,
    when,
    where,
)
from hyloop.lang import sum as sum_
from hyloop.lang.ops import LANGUAGE
from hyloop.lang.size import Size, Traced, parse_size
from hyloop.lang.text import from_text, to_text
from lang.raises import reached, sites


def there_and_back(program):
    text = to_text(program)
    again = from_text(text)
    assert again == program
    assert to_text(again) == text  # names of values are no part of equality, but they come back too
    return text


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_comes_back(name):
    there_and_back(ALGORITHMS[name].program)


@algorithm
def everything(h, v: Vertex, e: Hyperedge, k: at_most(Count, 12), d: Length, yes: Flag):
    """Every operation, "quoted", in\nseveral lines; ümlaut, ☃, \\ and a tab\t."""
    größe, length, on = h.state(Count, 0), h.state(Length, 0), h.state(Flag, True)
    counts = [h.vertices.state(Count, place) for place in range(2)]
    keys = h.hyperedges.state(Length, INFINITY)
    marks = h.vertices.state(Flag, False)
    p, q = h.state(Vertex), h.state(Hyperedge)
    arrows = h.vertices.state(Vertex)
    counts[1][v] = 7
    p.assign(v)
    with h.loop(at_most=largest(h.vertices.count.choose(2), 2 * h.hyperedges.count) // 3 + 1) as loop:
        marks.assign(h.members(e) | h.covered(h.containing(v)) & ~marks)
        counts[0].assign(h.incidence @ h.touching(marks) + 3 * counts[1] - k)
        keys.assign(where(h.weight < d, h.weight + d, INFINITY), where=h.hyperedges.number > q)
        marks.assign(h.tails.members(e) | h.heads.members(e) | h.tails.covered(h.tails.containing(v)))
        marks.assign(h.heads.covered(h.heads.containing(v) & h.tails.touching(marks) & h.heads.touching(marks)))
        counts[1].assign((h.tails @ (h.heads.T @ counts[0])) + (h.heads @ (h.tails.T @ counts[0])))
        arrows.assign(first(marks))
        counts[1].assign(counts[0][arrows + 1], where=arrows.is_none & (arrows != v))
        edge, best = argmin(keys)
        far, most = argmax(counts[0], where=marks)
        with when(yes):
            q.assign(edge + 1)
            length.assign(best)
            p.assign(far)
            größe.assign(most + h.vertices.count + number(p - 1))
        on.assign(any(marks) & all(counts[0] == min(counts[1])) & (max(keys) >= d))
        größe.assign(smaller(größe * k // 3 + größe % (k + 1) + sum_(marks), 9))
        length.assign(sum_(h.weight))
        size = smaller(h.incidence.T @ counts[0], larger(h.vertices.count + 0 * größe, k))
        loop.stop_when(on | any(size > 3))
        p.assign(None)
    return Outputs(
        count=known(größe, where=on),
        length=known(length, unless=on),
        all=[total(counter) for counter in counts],
        pair=[p, q],
        marks=marks,
        keys=keys,
        seen=stream(counts[0], of=q),
        where=known(counts[1], where=marks),
        mean=quotient(counts[1], counts[0]),
    )


def test_every_operation_and_every_form_comes_back():
    program = everything.program
    assert {op.name for section in (program.before, program.body) for op in section.ops} == LANGUAGE
    assert {output.form for output in program.outputs} == {"value", "total", "stream"}
    text = there_and_back(program)
    assert "state größe: count = 0" in text
    assert "output all[1] = total counts[1]" in text
    assert "input k: count at most 12" in text


@algorithm
def small(h, source: Vertex):
    """The vertices within one hyperedge of `source`."""
    near = h.vertices.state(Flag, False)
    near[source] = True
    with h.loop(at_most=h.vertices.count + 1) as loop:
        fresh = h.covered(h.touching(near)) & ~near
        loop.stop_when(~any(fresh))
        near.assign(True, where=fresh)
    return Outputs(near=near)


LINE = small.function.__code__.co_firstlineno
SMALL = f"""\
algorithm small
about "The vertices within one hyperedge of `source`."
input source: vertex
state near: flag[vertices] = false  @test_text.py:{LINE + 3}:11-40
before
  0 input source: vertex source  @test_text.py:{LINE + 1}:0-29
  1 own vertices: vertex[vertices]  @test_text.py:{LINE + 4}:4-16
  2 constant true: flag  @test_text.py:{LINE + 4}:4-16
  3 equal %1 %0: flag[vertices]  @test_text.py:{LINE + 4}:4-16
  4 state near: flag[vertices]  @test_text.py:{LINE + 4}:4-16
  5 where %3 %2 %4: flag[vertices]  @test_text.py:{LINE + 4}:4-16
  near := 5
loop at most n_v + 1
  0 state near: flag[vertices]  @test_text.py:{LINE + 6}:26-42
  1 touching %0: flag[hyperedges]  @test_text.py:{LINE + 6}:26-42
  2 covered %1: flag[vertices]  @test_text.py:{LINE + 6}:16-43
  3 not %0: flag[vertices]  @test_text.py:{LINE + 6}:46-51
  4 and %2 %3: flag[vertices] fresh  @test_text.py:{LINE + 6}:16-51
  5 any %4: flag  @test_text.py:{LINE + 7}:24-34
  6 not %5: flag  @test_text.py:{LINE + 7}:23-34
  7 not %6: flag  @test_text.py:{LINE + 7}:8-35
  8 constant true: flag  @test_text.py:{LINE + 8}:8-38
  9 and %7 %4: flag[vertices]  @test_text.py:{LINE + 8}:8-38
  10 where %9 %8 %0: flag[vertices]  @test_text.py:{LINE + 8}:8-38
  near := 10
  stop 6
output near = near
"""


def test_a_person_can_read_it():
    assert to_text(small.program) == SMALL
    assert from_text(SMALL) == small.program


def test_blank_lines_and_indents_do_not_matter():
    spaced = "\n\n".join(f"    {line.strip()}  " for line in SMALL.splitlines())
    assert from_text(spaced) == small.program


# -- random programs ------------------------------------------------------------------------------------------------

STEPS = [
    lambda h, a, b, n: a + b,
    lambda h, a, b, n: a - b,
    lambda h, a, b, n: n * a,
    lambda h, a, b, n: a + n,
    lambda h, a, b, n: a < b,
    lambda h, a, b, n: a <= b,
    lambda h, a, b, n: a == b,
    lambda h, a, b, n: a & b,
    lambda h, a, b, n: a | ~b,
    lambda h, a, b, n: where(a, b, b),
    lambda h, a, b, n: a.exists,
    lambda h, a, b, n: a[b],
    lambda h, a, b, n: argmin(a)[0],
    lambda h, a, b, n: max(a, where=b),
    lambda h, a, b, n: first(a),
    lambda h, a, b, n: any(a),
    lambda h, a, b, n: all(a),
    lambda h, a, b, n: h.members(a),
    lambda h, a, b, n: h.containing(a),
    lambda h, a, b, n: h.touching(a),
    lambda h, a, b, n: h.covered(a),
    lambda h, a, b, n: h.incidence @ a,
    lambda h, a, b, n: h.incidence.T @ a,
]
KINDS = (Flag, Count, Length, Vertex, Hyperedge)
step = st.tuples(st.sampled_from(STEPS), st.integers(0, 99), st.integers(0, 99), st.integers(0, 3))


def random_program(steps, *, before):
    """A program that takes these steps, as far as they go, and keeps what fits in states of every type."""

    def example(h, v: Vertex, e: Hyperedge, k: Count, d: Length):
        zero = {Flag: False, Count: 0, Length: 0}
        states = [rows.state(kind, zero.get(kind)) for rows in (h, h.vertices, h.hyperedges) for kind in KINDS]
        pool = [v, e, k, d, h.weight, h.vertices.number, h.hyperedges.every, *states]
        if before:
            _take(h, steps[::2], [v, e, k, d, *states], states)
        with h.loop(at_most=h.vertices.count * 2) as loop:
            _take(h, steps, pool, states)
            loop.stop_when(states[0])
        return Outputs(**{f"output_{number}": state for number, state in enumerate(states)})

    return algorithm(example).program


def _take(h, steps, pool, states):
    pool = list(pool)
    for work, a, b, n in steps:
        try:
            pool.append(work(h, pool[a % len(pool)], pool[b % len(pool)], n))
        except LanguageError:
            continue
        for state in states:
            if state.type == pool[-1].type and (a + b) % 2:
                state.assign(pool[-1])


@given(st.lists(step, max_size=25), st.booleans())
def test_random_programs_come_back(steps, before):
    try:
        program = random_program(steps, before=before)
    except LanguageError:  # something infinite may have been added up
        reject()
    there_and_back(program)


# -- what is not such a text ----------------------------------------------------------------------------------------

MALFORMED = {
    "no such kind": ("input source: vertex", "input source: colour", "'colour' is not a valid Kind"),
    "no such scope": ("near: flag[vertices]", "near: flag[corners]", "'corners' is not a valid Scope"),
    "an input without a kind": ("input source: vertex", "input source", "not of the form"),
    "a state without a first value": (" = false", "", "not of the form"),
    "a first value that is none": ("= false", "= no", "invalid literal"),
    "a place without a line": (f"@test_text.py:{LINE + 3}:11-40", "@test_text.py", "not of the form"),
    "a number out of order": ("  2 covered", "  7 covered", "expected number 2"),
    "an operation without a type": ("covered %1: flag[vertices]", "covered %1", "not of the form"),
    "a constant that is none": ("constant true", "constant maybe", "invalid literal"),
    "no such operation": ("1 touching %0", "1 shaking %0", "there is no operation 'shaking' in the language"),
    "an operation of the core": ("3 not %0", "3 positive %0", "there is no operation 'positive' in the language"),
    "a product": ("1 touching %0", "1 times transposed %0", "there is no operation 'times' in the language"),
    "a constant of no use": ("3 not %0", "3 not 5 %0", "this operation has no constant part, such as '5'"),
    "a constant that is missing": ("constant true", "constant", "this operation has a constant part, which is missing"),
    "own number of nothing": ("own vertices", "own corners", "'corners' is not a valid Scope"),
    "an update to nothing": ("near := 10", "near := ten", "not of the form"),
    "a stop at nothing": ("stop 6", "stop here", "invalid literal"),
    "a bound that is none": ("at most n_v + 1", "at most sixpence", "'sixpence' is not a size"),
    "a loop without a bound": ("loop at most n_v + 1", "loop n_v + 1", "a loop says how often it may run"),
    "an update in no section": ("input source: vertex", "near := 3", "it must stand below `before` or `loop`"),
    "a bound with more to it": ("at most n_v + 1", "at most n_v ** n_e", "not a size"),
    "an output of nothing": ("output near = near", "output near", "not of the form"),
    "text that is not quoted": ('about "The', "about The", "Expecting value"),
    "something else": ("before\n", "afterwards\n", "not of the form"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_line_that_is_amiss_is_named(name):
    right, wrong, message = MALFORMED[name]
    text = SMALL.replace(right, wrong)
    [(number, line)] = [
        (number, line.strip())
        for number, (line, was) in enumerate(zip(text.splitlines(), SMALL.splitlines(), strict=True), 1)
        if line != was
    ][:1]
    with pytest.raises(HyloopError) as caught:
        from_text(text)
    assert str(caught.value).startswith(f"Line {number} of the program's text cannot be read: {line!r} (")
    assert message in str(caught.value)


def test_a_text_without_a_loop():
    with pytest.raises(HyloopError, match="The program's text has no loop"):
        from_text(SMALL.partition("loop at most")[0])


def test_a_text_without_a_name():
    with pytest.raises(HyloopError, match="The program's text has no name"):
        from_text(SMALL.replace("algorithm small\n", ""))


def test_what_can_be_read_is_verified():
    with pytest.raises(LanguageError, match=r"and gives flag\[vertices\], not flag"):
        from_text(SMALL.replace("4 and %2 %3: flag[vertices] fresh", "4 and %2 %3: flag fresh"))
    with pytest.raises(LanguageError, match="The operands of touching must come before it"):
        from_text(SMALL.replace("touching %0", "touching %1"))


def test_every_refusal_has_a_case():
    everything = sites("text", "size")
    texts = [SMALL.replace(right, wrong) for right, wrong, _ in MALFORMED.values()]
    texts += [SMALL.partition("loop at most")[0], SMALL.replace("algorithm small\n", ""), SMALL + "stop 6\n"]
    errors = []
    for text in texts:
        with pytest.raises(HyloopError) as caught:
            from_text(text)
        errors.append(caught.value)
    n = Size.of("n_v")
    makers = (lambda: Size.of(-1), lambda: Size.of("many"), lambda: n // 0, lambda: n / 2, n, lambda: len(n))
    makers += (lambda: Size.of(10**100), lambda: sum([n] * 60, n), lambda: parse_size("n_v" + " " * 4_000))
    makers += (lambda: n.choose(Traced()),)
    for make in makers:
        with pytest.raises((TypeError, HyloopError)) as wrong:
            make()
        errors.append(wrong.value)
    seen = {everything[site] for error in errors for site in reached(error) if site in everything}
    assert set(everything.values()) - seen == set()


# -- sizes ----------------------------------------------------------------------------------------------------------

sizes = st.recursive(
    st.sampled_from([Size.of("n_v"), Size.of("n_e")]) | st.integers(0, 20).map(Size.of),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, inner).map(lambda pair: largest(*pair)),
        st.tuples(inner, st.integers(1, 5)).map(lambda pair: pair[0] // pair[1]),
        st.tuples(inner, st.integers(0, 4)).map(lambda pair: pair[0].choose(pair[1])),
    ),
    max_leaves=8,
)


@given(sizes, st.integers(0, 9), st.integers(0, 9))
def test_sizes_come_back(size, n_v, n_e):
    again = parse_size(str(size))
    assert again == size
    assert again.at(n_v, n_e) == size.at(n_v, n_e) >= 0


# -- what looks like something else ---------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["before", "stop", "loop", "state", "input", "output", "about", "algorithm"])
def test_a_state_may_be_named_like_a_line(word):
    there_and_back(from_text(SMALL.replace("near", "x")))  # any other name will do
    assert from_text(SMALL.replace("near", word)).body.updates == {word: 10}


@pytest.mark.parametrize("character", ["\u2028", "\u0085"])
def test_line_separators_in_the_description(character):
    about = json.dumps(f"a{character}b", ensure_ascii=False)
    program = from_text(SMALL.replace('"The vertices within one hyperedge of `source`."', about))
    assert program.about == f"a{character}b"
    there_and_back(program)


@pytest.mark.parametrize("bound", ["n_v // 0", "n_v // n_e"])
def test_a_bound_that_may_divide_by_zero(bound):
    with pytest.raises(HyloopError, match="is not a size"):
        from_text(SMALL.replace("n_v + 1", bound))


@pytest.mark.parametrize(
    "line", ["  near := 10\n", "  stop 6\n", "loop at most n_v + 1\n", "algorithm small\n", "before\n"]
)
def test_a_line_twice(line):
    with pytest.raises(HyloopError, match="twice"):
        from_text(SMALL.replace(line, line + line))
