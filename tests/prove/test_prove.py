"""Models that are wrong somewhere far off, and files that say odd things: none of them is ever called proved."""

from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import hyloop
from effort import every
from hyloop import Capacity, HyloopError, ModelError
from hyloop.compiler.compile import compile_program
from hyloop.lang import Count, Flag, Length, Outputs, Vertex, algorithm, smaller, where
from hyloop.lang.purpose import Purpose
from hyloop.machine.layer import Mlp
from hyloop.machine.layout import Cardinality, Column, Everywhere, Fill, Mark, Pointer, Position
from hyloop.machine.positions import Parabola
from hyloop.machine.purpose import Held, UnitPurpose
from hyloop.paper.algorithms import ALGORITHMS as PAPER
from hyloop.paper.steps import Setting
from hyloop.prove import bad_run, prove
from hyloop.prove.basis import program_in

ROWS, WEIGHT = 50, 30


@cache
def sound(name="dijkstra"):
    return hyloop.compile(name, Capacity(ROWS, WEIGHT))


@algorithm
def sizes(h):
    """A program that looks at both counts, so that its model has them in columns."""
    x = h.vertices.state(Count, 0)
    far = h.hyperedges.state(Length, 0)
    clock = h.state(Count, 0)
    with h.loop(at_most=9) as loop:
        x.assign(x + h.vertices.count + h.hyperedges.count)
        far.assign(h.weight)
        clock.assign(clock + 1)
        loop.stop_when(clock == 7)
    return Outputs(x=x, far=far)


@cache
def counting():
    return compile_program(sizes.program, rows=ROWS, weight=WEIGHT)


def with_units(model, layer, units):
    """A model with more hidden units: of each, what it adds up and what it writes; and columns, as room for them."""
    old = model.layers[layer].mlp
    room = [Column(f"room {number}", "array") for number in range(old.width + len(units))]
    layout = replace(model.layout, columns=(*model.layout.columns, *room))
    d, h = len(layout), old.width + len(units)
    layers = []
    for number, each in enumerate(model.layers):
        heads = tuple(
            replace(head, query=_padded(head.query, d, 2), key=_padded(head.key, d, 2), value=_padded(head.value, d, d))
            for head in each.heads
        )
        width = h if number == layer else each.mlp.width
        shapes = ((d, width), (width, width), (width, width), (width, d))
        weights = [_padded(weight, *shape) for weight, shape in zip(each.mlp.weights, shapes, strict=True)]
        purposes = tuple((*stage, *[UnitPurpose()] * (width - len(stage))) for stage in each.mlp.purposes)
        if number == layer:
            for unit, (reads, writes) in enumerate(units, start=old.width):
                weights[1][unit, unit] = weights[2][unit, unit] = 1
                for column, weight in reads.items():
                    weights[0][layout.number(column), unit] += weight
                for column, weight in writes.items():
                    weights[3][unit, layout.number(column)] += weight
        layers.append(replace(each, heads=heads, mlp=Mlp(tuple(weights), purposes)))
    return replace(model, layout=layout, layers=tuple(layers))


def _padded(matrix, rows, columns):
    found = np.zeros((rows, columns))
    found[: matrix.shape[0], : matrix.shape[1]] = matrix
    return found


def test_more_room_changes_nothing():
    assert prove(with_units(sound(), 1, [])).answer == "proved"
    assert prove(with_units(counting(), 0, [])).answer == "proved"


# What the unit adds up (it fires where that is positive), what it then changes, and whether that is ever seen.
FAR_OFF = {
    "the last row": (sound, {"P_1": 1, "B_local": 1 - ROWS}, {"distance": 1}, True),
    "a row past the last": (sound, {"P_1": 1, "B_local": -ROWS}, {"distance": 1}, False),
    "the heaviest weight": (sound, {"weight": 1, "B_local": 1 - WEIGHT}, {"key": 1}, True),
    "a weight that is too heavy": (sound, {"weight": 1, "B_local": -WEIGHT}, {"key": 1}, False),
    "padding rows": (sound, {"B_local": 1, "vertices": -1, "hyperedges": -1}, {"settled": 1}, True),
    "row 0": (sound, {"B_global": 1}, {"settled": 1}, True),
    "row 0, of a vertex": (sound, {"B_global": 1, "B_local": -1, "vertices": 1}, {"settled": 1}, True),
    "vertices that are no rows": (sound, {"vertices": 1, "B_local": -1}, {"settled": 1}, False),
    "a position": (sound, {"P_1": 1, "B_local": 1 - ROWS}, {"P_2": 1}, True),
    "the last source": (sound, {"input source": 1, "B_local": 1 - ROWS}, {"halt": 1}, True),
    "no source": (sound, {"B_global": 1, "B_local": 1, "input source": -1}, {"halt": 1}, True),  # none is a source too
    "no vertices": (counting, {"B_local": 1, "n_v": -1}, {"far": 1}, True),
    "no hyperedges": (counting, {"B_local": 1, "B_global": 1, "n_e": -1}, {"clock": 1}, True),
    "all rows are vertices": (counting, {"B_local": 1 - ROWS, "n_v": 1}, {"x": 1}, True),
    "too many vertices": (counting, {"B_local": -ROWS, "B_global": -ROWS, "n_v": 1}, {"x": 1}, False),
    "the seventh iteration": (counting, {"clock": 1, "B_local": -5, "B_global": -5}, {"x": 1}, True),
    "halting later": (counting, {"clock": 1, "B_local": -5, "B_global": -5}, {"halt": -1}, True),
    "the fifteenth iteration": (counting, {"clock": 1, "B_local": -14, "B_global": -14}, {"x": 1}, False),
    "weights and rows": (counting, {"weight": 1, "P_1": 1, "B_local": 1 - WEIGHT - ROWS}, {"far": 1}, True),
}


@pytest.mark.parametrize("what", every(2, FAR_OFF))
def test_what_is_wrong_far_off_only(what):
    model, reads, writes, seen = FAR_OFF[what]
    changed = with_units(model(), len(model().layers) - 1, [(reads, writes)])
    assert (prove(changed).answer == "proved") is not seen


@pytest.mark.parametrize(
    ("name", "reads", "writes"),
    [
        ("components", {"touched": -2, "B_global": 1}, {"P_1": -1}),
        ("projection", {"coming": 1, "B_local": -4}, {"B_local": 1}),
        ("projection", {"spare 2": 1, "overlap": 2, "B_local": -3, "B_global": -2}, {"B_global": 1}),
    ],
)
def test_a_head_of_which_nothing_is_claimed_ends_no_proof(name, reads, writes):
    """Once these were called proved: no claim about a head was found, none was refuted, and the rest was left out."""
    model = hyloop.compile(name, Capacity(3, 3))
    assert prove(with_units(model, 0, [(reads, writes)])).answer != "proved"


def test_two_errors_that_cancel_need_exact_numbers():
    """On paper both units add up to nothing; in floating point the large numbers are rounded."""

    def cancelling(large):
        reads = {"P_1": large, "weight": 1}
        return with_units(counting(), 0, [(reads, {"far": 1}), (reads, {"far": -1})])

    assert prove(cancelling(2**40)).answer == "proved"
    assert prove(cancelling(2**48)).answer != "proved"
    assert prove(replace(cancelling(2**20), dtype="float32")).answer != "proved"


def test_what_is_left_behind_must_stay_small():
    model = counting()
    growing = with_units(model, 0, [({"room 0": 2, "B_local": 1}, {"room 0": 1})])
    assert prove(growing).answer != "proved"


# -- what files may say ---------------------------------------------------------------------------------------------


def column(model, which, **changes):
    columns = tuple(replace(each, **changes) if each.name == which else each for each in model.layout.columns)
    renamed = {which: changes.get("name", which)}
    halt = renamed.get(model.layout.halt, model.layout.halt)
    return replace(model, layout=replace(model.layout, columns=columns, halt=halt))


INJECTED = "x| (Int) Int)\n(assert false)\n(declare-fun |y"
ODD_FILES = {
    "a state without a column": (lambda m: column(m, "distance", name="ahead distance"), "no column 'distance'"),
    "a state that halts": (lambda m: replace(m, layout=replace(m.layout, halt="settled")), "the halt flag"),
    "half a constant": (lambda m: column(m, "B_local", initial=(Fill(1.5, "rows"),)), "starts with Fill"),
    "no number": (lambda m: column(m, "B_local", initial=(Fill(float("nan"), "rows"),)), "starts with Fill"),
    "too large a number": (lambda m: column(m, "B_local", initial=(Fill(float("inf"), "rows"),)), "starts with Fill"),
    "a region that is none": (lambda m: column(m, "B_local", initial=(Fill(1, "elsewhere"),)), "starts with Fill"),
    "a third part": (lambda m: column(m, "P_1", initial=(Position(2),)), "starts with Position"),
    "a size of what": (lambda m: column(m, "P_1", initial=(Cardinality("loops"),)), "starts with Cardinality"),
    "a pointer": (lambda m: column(m, "P_1", initial=(Pointer(0, 1),)), "starts with Pointer"),
    "a mark": (lambda m: column(m, "P_1", initial=(Mark(1, "source"),)), "starts with Mark"),
    "few sources": (lambda m: column(m, "input source", initial=(Everywhere("source", 3),)), "takes it up to 50"),
    "no sources": (lambda m: column(m, "input source", initial=(Everywhere("source", -1),)), "takes it up to 50"),
    "another input": (lambda m: column(m, "input source", initial=(Everywhere("sink", 50),)), "does not have"),
    "a name with SMT-LIB in it": (lambda m: column(m, "temporary 1", name=INJECTED), "not a name for a column"),
    "a name with a backslash": (lambda m: column(m, "temporary 1", name="a\\b"), "not a name for a column"),
    "a value that is none": (
        lambda m: replace(m, held=(Held(1, 0, (Purpose("body", 10**6),)),)),
        "no such operation",
    ),
    "no program": (lambda m: replace(m, program=""), "carries no program"),
    "a broken program": (
        lambda m: replace(m, program=m.program[: len(m.program) // 2]),
        "program's text cannot be read",
    ),
    "another program": (lambda m: replace(m, program="program x\nnonsense"), "program's text cannot be read"),
    "incidence with weights": (lambda m: replace(m, layout=replace(m.layout, incidence="weights")), "not a compiled"),
}


@pytest.mark.parametrize("what", ODD_FILES)
def test_odd_models_are_refused(what):
    change, says = ODD_FILES[what]
    with pytest.raises(HyloopError, match=says):
        prove(change(sound()))


def test_weights_must_be_whole_numbers_that_the_format_holds():
    for weight, says in ((0.5, "whole numbers"), (np.nan, "whole numbers"), (2.0**24 + 1, "cannot hold")):
        model = hyloop.compile("levels", Capacity(9, 9), dtype="float32")
        weights = [each.copy() for each in model.layers[0].mlp.weights]
        weights[0][0, 0] = weight
        changed = replace(model.layers[0], mlp=Mlp(tuple(weights), model.layers[0].mlp.purposes))
        with pytest.raises(ModelError, match=says):
            prove(replace(model, layers=(changed, *model.layers[1:])))


def test_models_of_the_paper_are_refused():
    model = PAPER["helly"].build(Setting(Capacity(9, 9), Parabola(), "float64"))
    with pytest.raises(ModelError, match="no program"):
        program_in(model)
    with pytest.raises(ModelError, match="not a compiled model"):
        program_in(replace(model, program=sound().program))


@pytest.mark.parametrize("infinity", [0, -1, 1, WEIGHT, 2**53, 2**60])
def test_infinity_must_be_above_all_lengths_and_exact(infinity):
    """Also where the columns that start as infinity agree with the file."""
    model, old = sound(), sound().infinity
    columns = tuple(
        replace(
            each,
            initial=tuple(
                Fill(infinity, term.rows) if isinstance(term, Fill) and term.value == old else term
                for term in each.initial
            ),
        )
        for each in model.layout.columns
    )
    changed = replace(model, infinity=infinity, layout=replace(model.layout, columns=columns))
    assert prove(changed).answer != "proved"


def test_an_infinity_that_only_stands_there_must_be_exact():
    @algorithm
    def idle(h):
        far = h.vertices.state(Length, hyloop.lang.INFINITY)
        done = h.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(done)
            done.assign(True)
        return Outputs(far=far)

    model = compile_program(idle.program, rows=9, weight=9)
    assert prove(model).answer == "proved"
    large = 2**53 + 1
    changed = replace(column(model, "far", initial=(Fill(large, "vertices"),)), infinity=large)
    assert prove(changed).answer != "proved"


def test_values_said_to_stand_elsewhere():
    model = sound()
    first, *rest = (each for each in model.held if any(purpose.part == "value" for purpose in each.purposes))
    wrong = replace(first, column=next(each.column for each in rest if each.column != first.column))
    assert prove(replace(model, held=(wrong, *rest))).answer != "proved"


def test_a_model_of_another_program():
    other = hyloop.compile("bfs", Capacity(ROWS, WEIGHT))
    model = replace(sound(), program=other.program)
    with suppress(HyloopError):  # its columns are not those of that program
        assert prove(model).answer != "proved"


def test_a_smaller_capacity_is_not_a_larger_one():
    model = replace(sound("levels"), capacity=Capacity(10 * ROWS, WEIGHT))
    with suppress(ModelError):  # it takes fewer sources than there are rows
        assert prove(model).answer != "proved"


def test_what_is_refuted_is_shown_by_a_run():
    changed = with_units(counting(), 0, [({"B_global": 1}, {"far": 1})])
    found = bad_run(changed)
    assert found is not None
    assert found.difference.variable == "far"
    assert len(found.hypergraph.vertices) == len(found.hypergraph.hyperedges) == 0


@algorithm
def never_written(h):
    """The core shows that the mask is never set, and so that s stays none; the program shows less."""
    false = h.state(Flag, False)
    s = h.hyperedges.state(Vertex, None)
    with h.loop(at_most=5) as loop:
        never = ~~where(False, False, False)
        s.assign(h.vertices.first, where=never & h.hyperedges.every)
        false.assign(never)
        loop.stop_when(~never)
    return Outputs(s=s)


@algorithm
def nothing_to_divide_by(h):
    """Before the loop t is 0, so that the remainders are 0, and so is what they add up to."""
    t, x = h.state(Count, 0), h.vertices.state(Count, 3)
    size = where(h.hyperedges.every, h.hyperedges.count, h.hyperedges.count)
    rest = smaller(size, 12) % where(h.hyperedges.every, t, t)
    x.assign(smaller(h.incidence @ rest, 5) * 3)
    with h.loop(at_most=5) as loop:
        x.assign(7)
        t.assign(t + 1)
        loop.stop_when(t >= 3)
    return Outputs(x=x)


@pytest.mark.parametrize("program", [never_written, nothing_to_divide_by])
def test_what_the_compiler_knows_of_a_state_the_prover_knows_too(program):
    assert prove(program).answer == "proved"
