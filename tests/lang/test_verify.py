"""The verifier: every invariant of a program, broken by hand, is refused with a sentence; the whole program is not."""

from dataclasses import replace

import pytest

from hyloop.algorithms import ALGORITHMS
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
    any,
    known,
    stream,
    total,
)
from hyloop.lang.kinds import Kind, Scope, Type
from hyloop.lang.program import Op, Output
from hyloop.lang.size import Size
from hyloop.lang.verify import verify
from lang.raises import reached, sites


@algorithm
def example(h, source: Vertex, k: Count):
    flag = h.state(Flag, False)
    edge = h.state(Hyperedge)
    count = h.state(Count, 0)
    counts = h.vertices.state(Count, 0)
    flags = h.vertices.state(Flag, False)
    lengths = h.vertices.state(Length, INFINITY)
    sums = h.hyperedges.state(Count, 0)
    flags[source] = True
    with h.loop(at_most=h.vertices.count) as loop:
        counts.assign(counts + k)
        sums.assign(h.incidence.T @ counts)
        count.assign(counts[source])
        flag.assign(any(flags))
        edge.assign(edge + 1)
        lengths.assign(0, where=flags)
        loop.stop_when(flag)
    return Outputs(
        flag=flag, count=count, seen=known(counts, where=flags), all=total(counts), parts=stream(counts, of=edge)
    )


PROGRAM = example.program
WHERE = PROGRAM.body.ops[0].where


def body(*ops, **changes):
    """The program with more operations at the end of its loop."""
    return replace(PROGRAM, body=replace(PROGRAM.body, ops=PROGRAM.body.ops + ops, **changes))


def op(name, operands=(), argument=None, kind=Count, scope=Scope.SCALAR):
    return Op(name, tuple(operands), argument, Type(kind, scope), WHERE)


def number(name, argument=None):
    """The number of an operation of the loop."""
    return next(
        number
        for number, each in enumerate(PROGRAM.body.ops)
        if each.name == name and argument in {None, each.argument}
    )


def outputs(*more):
    return replace(PROGRAM, outputs=PROGRAM.outputs + more)


def states(name, **changes):
    """The program with one state declared otherwise."""
    changed = tuple(replace(each, **changes) if each.name == name else each for each in PROGRAM.states)
    return replace(PROGRAM, states=changed)


COUNTS, K, EDGE = number("state", "counts"), number("input", "k"), number("state", "edge")
FLAGS = number("state", "flags")
NO_MEAN = "a mean is of as many times a number as there are rows; anything else may be no integer."

BROKEN = {
    "two inputs of one name": (
        replace(PROGRAM, inputs=PROGRAM.inputs * 2),
        "Two inputs of example have the same name.",
    ),
    "two states of one name": (
        replace(PROGRAM, states=PROGRAM.states * 2),
        "Two states of example have the same name.",
    ),
    "a bound of flags": (
        replace(PROGRAM, states=tuple(replace(each, at_most=Size.of(3)) for each in PROGRAM.states)),
        "Only counts have a declared bound; flag is a flag.",
    ),
    "a first value above the bound": (
        replace(
            PROGRAM,
            states=tuple(
                replace(each, initial=1, at_most=Size.of("n_v")) if each.name == "count" else each
                for each in PROGRAM.states
            ),
        ),
        "count starts with 1, and its declared bound n_v may be less than that.",
    ),
    "two outputs of one name": (
        replace(PROGRAM, outputs=PROGRAM.outputs * 2),
        "Two outputs of example have the same name.",
    ),
    "a state without a name": (
        replace(PROGRAM, states=(*PROGRAM.states, replace(PROGRAM.states[0], name="1 2"))),
        "'1 2' is not a name for a state.",
    ),
    "a first value of another kind": (states("count", initial=True), "True cannot be the first value of a count."),
    "a negative first value": (states("count", initial=-1), "-1 cannot be the first value of a count."),
    "a first value of a pointer": (states("edge", initial=1), "1 cannot be the first value of a hyperedge."),
    "a length outright": (
        states("lengths", initial=3),
        "3 cannot be the first value of lengths over the vertices.",
    ),
    "no such operation": (body(op("sum", [0])), "There is no operation 'sum'."),
    "an operation of the core": (
        body(op("positive", [K], kind=Flag)),
        "positive is an operation that only the compiler makes; a program cannot hold it.",
    ),
    "a conjunction of three": (body(op("and", [0, 0, 0], kind=Flag)), "and takes 2 to 2 operands, not 3."),
    "a state of the compiler": (states("flag", role="ahead"), "flag is a state that only the compiler makes."),
    "too few operands": (body(op("add", [K])), "add takes 2 to 2 operands, not 1."),
    "too many operands": (body(op("argmin", [COUNTS] * 3)), "argmin takes 1 to 2 operands, not 3."),
    "an operand that comes later": (body(op("number", [99])), "The operands of number must come before it."),
    "an operand of itself": (
        body(op("number", [len(PROGRAM.body.ops)])),
        "The operands of number must come before it.",
    ),
    "a negative operand": (body(op("number", [-1])), "The operands of number must come before it."),
    "another type": (body(op("add", [K, K], kind=Length)), "add gives count, not length."),
    "another scope": (body(op("add", [K, COUNTS])), "add gives count[vertices], not count."),
    "operands that do not go together": (
        body(op("add", [K, EDGE])),
        "a count and a hyperedge do not go together.",
    ),
    "a number that counts": (body(op("number", [K])), "only a flag counts as 0 or 1; this is a count."),
    "an array spread": (
        body(op("spread", [COUNTS], Scope.VERTICES, Count, Scope.VERTICES)),
        "only a scalar can be spread over all rows.",
    ),
    "spread over nothing": (body(op("spread", [K])), "only a scalar can be spread over all rows."),
    "the number of a hyperedge among the vertices": (
        body(op("ordinal", [EDGE], Scope.VERTICES)),
        "a hyperedge is one of the hyperedges, not of vertices.",
    ),
    "an entry of a scalar": (body(op("read", [K, EDGE])), "a count has no entries to read."),
    "a condition that is none": (
        body(op("where", [K, K, K])),
        "the condition must be a flag; this is a count.",
    ),
    "an input that is none": (body(op("input", (), "depth")), "input 'depth' is not declared."),
    "a state that is none": (body(op("state", (), "depth")), "state 'depth' is not declared."),
    "a constant of another kind": (body(op("constant", (), True)), "constant True is not declared."),
    "a size of nothing": (body(op("size", (), "n")), "size 'n' is not declared."),
    "own number of a scalar": (body(op("own", (), Scope.SCALAR)), "own <Scope.SCALAR: 'scalar'> is not declared."),
    "an update of nothing": (body(updates={"depth": 0}), "'depth' is assigned, but there is no such state."),
    "an update out of range": (
        body(updates={"count": 99}),
        "count is a count and is assigned something else.",
    ),
    "an update of another type": (
        body(updates={"count": COUNTS}),
        "count is a count and is assigned something else.",
    ),
    "a stop before the loop": (
        replace(PROGRAM, before=replace(PROGRAM.before, stop=0)),
        "Only the loop can stop.",
    ),
    "no stop": (body(stop=None), "The loop of example needs one flag that stops it."),
    "a stop that is no flag": (body(stop=K), "The loop of example needs one flag that stops it."),
    "a stop out of range": (body(stop=99), "The loop of example needs one flag that stops it."),
    "an output of no state": (
        outputs(Output("depth", "depth")),
        "The output 'depth' is of 'depth', which is no state.",
    ),
    "a total of lengths": (
        outputs(Output("far", "lengths", "total")),
        "A total is of an array of counts; lengths is lengths over the vertices.",
    ),
    "a stream of nothing": (
        outputs(Output("far", "counts", "stream")),
        "The output 'far': a stream, and nothing else, is `of` a pointer.",
    ),
    "a value of a pointer": (
        outputs(Output("far", "counts", of="edge")),
        "The output 'far': a stream, and nothing else, is `of` a pointer.",
    ),
    "a stream in a list": (
        outputs(Output("far", "counts", "stream", of="edge", place=0)),
        "The output 'far' has a stream in a list; give the stream an output of its own.",
    ),
    "a stream of one value": (
        outputs(Output("far", "count", "stream", of="edge")),
        "A stream is of an array; count is a count.",
    ),
    "a stream of a count": (
        outputs(Output("far", "counts", "stream", of="count")),
        "A stream is `of` one vertex or hyperedge; count is a count.",
    ),
    "known where a count is": (
        outputs(Output("far", "counts", known="counts")),
        "counts is known where a flag of the same rows says so; counts is none such.",
    ),
    "known where other rows are": (
        outputs(Output("far", "counts", unless="flag")),
        "counts is known where a flag of the same rows says so; flag is none such.",
    ),
    "a list of arrays": (
        outputs(Output("both", "counts", place=0), Output("both", "flags", place=1)),
        "A list is of single values or totals; counts is counts over the vertices. Give it an output of its own.",
    ),
    "an output named like the labels": (
        outputs(Output("vertex", "counts")),
        "The output 'vertex' needs another name: the labels of its rows have this one.",
    ),
    "a number beyond everything": (
        body(op("constant", (), 10**100)),
        "a number of more than 100 digits is beyond every machine.",
    ),
    "operations in a row": (
        body(*(op("add", [K if number == 0 else len(PROGRAM.body.ops) + number - 1, K]) for number in range(300))),
        "more than 300 operations in a row each need the one before; keep some in states, and let the loop do the "
        "rest.",
    ),
    "infinity added up": (
        body(
            op("state", (), "lengths", Length, Scope.VERTICES),
            op("transposed", [len(PROGRAM.body.ops)], None, Length, Scope.HYPEREDGES),
        ),
        "the incidence adds up, and this may be infinite; mask it first with `where`.",
    ),
    "a quotient of flags": (
        outputs(Output("far", "counts", over="flags")),
        "A quotient is of two counts or lengths over the same rows; counts is counts over the vertices, and flags is "
        "flags over the vertices.",
    ),
    "a quotient of other rows": (
        outputs(Output("far", "counts", over="sums")),
        "A quotient is of two counts or lengths over the same rows; counts is counts over the vertices, and sums is "
        "counts over the hyperedges.",
    ),
    "a quotient of a total": (
        outputs(Output("far", "counts", "total", over="counts")),
        "The output 'far' is a quotient, and nothing else: no total, stream or `known`.",
    ),
    "a quotient that is known": (
        outputs(Output("far", "counts", known="flags", over="counts")),
        "The output 'far' is a quotient, and nothing else: no total, stream or `known`.",
    ),
    "infinity in a sum": (
        body(
            op("state", (), "lengths", Length, Scope.VERTICES),
            op("size", (), "n_v"),
            op("multiply", [len(PROGRAM.body.ops) + place for place in (0, 1)], None, Length, Scope.VERTICES),
            op("mean", [len(PROGRAM.body.ops) + 2], None, Length),
        ),
        "a sum cannot have infinite parts, and this may be infinite; mask it first with `where`.",
    ),
    "a mean that may be a fraction": (body(op("mean", [COUNTS])), NO_MEAN),
    "a mean of multiples of another number": (
        body(
            op("size", (), "n_e"),
            op("multiply", [COUNTS, len(PROGRAM.body.ops)], None, Count, Scope.VERTICES),
            op("mean", [len(PROGRAM.body.ops) + 1]),
        ),
        NO_MEAN,
    ),
    "a mean with other numbers": (
        body(
            op("size", (), "n_v"),
            op("where", [FLAGS, len(PROGRAM.body.ops), K], None, Count, Scope.VERTICES),
            op("mean", [len(PROGRAM.body.ops) + 1]),
        ),
        NO_MEAN,
    ),
}


def broken(name):
    program, message = BROKEN[name]
    with pytest.raises(LanguageError) as caught:
        verify(program)
    assert caught.value.message == message
    return caught.value


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_invariant_is_refused(name):
    broken(name)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_was_traced_is_whole(name):
    program = ALGORITHMS[name].program
    assert verify(program) is program


def test_more_operations_than_needed_are_fine():
    assert verify(body(op("add", [K, K]), op("constant", (), 3)))
    assert verify(outputs(Output("far", "counts", unless="flags"), Output("top", "count", place=0)))


def test_every_invariant_has_a_case():
    everything = sites("verify")
    seen = {everything[site] for name in BROKEN for site in reached(broken(name)) if site in everything}
    assert set(everything.values()) - seen == set()


def test_infinity_spreads_through_states():
    """A state that takes its value from an infinite one may be infinite, whatever it starts with."""

    @algorithm
    def spreading(h):
        far = h.vertices.state(Length, INFINITY)
        near = h.vertices.state(Length, 0)
        sums = h.hyperedges.state(Length, 0)
        with h.loop(at_most=3) as loop:
            sums.assign(h.incidence.T @ near)
            near.assign(far)
            loop.stop_when(any(sums == 0))
        return Outputs(sums=sums)

    with pytest.raises(LanguageError, match="may be infinite"):
        _ = spreading.program


def test_a_finite_length_can_be_added_up():
    @algorithm
    def finite(h, d: Length):
        near = h.vertices.state(Length, 0)
        sums = h.hyperedges.state(Length, 0)
        with h.loop(at_most=3) as loop:
            sums.assign(h.incidence.T @ near)
            near.assign(near + d)
            loop.stop_when(any(sums == d))
        return Outputs(sums=sums)

    assert finite.program.state("sums").type == Type(Kind.LENGTH, Scope.HYPEREDGES)
