"""What the records of heads claim; and that records that are wrong, foreign or missing never make a proof."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

import hyloop
from effort import sample
from hyloop import Capacity
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.lang import (
    INFINITY,
    Count,
    Flag,
    Hyperedge,
    Length,
    Outputs,
    Vertex,
    algorithm,
    argmax,
    argmin,
    first,
    where,
)
from hyloop.lang import all as all_of
from hyloop.lang import any as any_of
from hyloop.lang import max as max_of
from hyloop.lang import min as min_of
from hyloop.lang import sum as sum_of
from hyloop.lang.purpose import Purpose
from hyloop.machine.layout import state_column
from hyloop.machine.purpose import HeadPurpose
from hyloop.prove import prove
from hyloop.prove.basis import Basis, program_in
from hyloop.prove.claims import ITSELF, claims, products
from hyloop.prove.decide import decide
from hyloop.prove.meaning import PRODUCT, SEARCH, OperationRef
from hyloop.prove.mutants import caught, mutants, reference
from prove.situations import small_runs

SMALL = Capacity(9, 9)


@cache
def compiled(name):
    return hyloop.compile(name, SMALL)


def claimed(program):
    """The operations whose rows and whose products the records of a program's heads claim."""
    meaning, heads = heads_of(compile_program(program, rows=9, weight=9, packing="one operation per layer"))
    rows = {claim.at(meaning.one) for head in heads for claim in claims(meaning, head) if claim is not ITSELF}
    brought = {made for head in heads for column in head.value for made in products(meaning, head, column)}
    body = meaning.program.body
    places = [OperationRef(body, number) for number in range(len(body.ops))]
    seeking = {place.op.name for place in places if place.op.name in SEARCH and meaning.search_of(place).row in rows}
    pointers = {str(place.op.argument) for place in places if value_of(meaning, place) in rows}
    multiplying = {
        place.op.name for place in places if place.op.name in PRODUCT and meaning.product_of(place) in brought
    }
    return seeking or pointers, multiplying, (len(rows), len(brought))


def heads_of(model):
    basis = Basis(model, program_in(model))
    return basis.meaning, [head for layer in basis.layers for head in layer.heads]


def value_of(meaning, place):
    return meaning.full(place.section, place.number, meaning.now)(meaning.one)


# -- one head for each operation ------------------------------------------------------------------------------------

SEEKING: dict[str, Callable] = {
    "argmin": lambda x, p: argmin(x)[0] == p,
    "argmax": lambda x, p: argmax(x)[0] == p,
    "first": lambda x, p: first(x == 3) == p,
    "min": lambda x, p: min_of(x) == 3,
    "max": lambda x, p: max_of(x) == 3,
    "any": lambda x, p: any_of(x == 3),
    "all": lambda x, p: all_of(x == 3),
    "p": lambda x, p: x[p] == 3,  # a read
    "": lambda x, p: p.is_none,  # no head but those that empty columns
}


@pytest.mark.parametrize("what", SEEKING)
def test_the_row_of_an_operation(what):

    @algorithm
    def seeking(h):
        x = h.vertices.state(Count, 0)
        p = h.state(Vertex)
        done = h.state(Flag, False)
        with h.loop(at_most=5) as loop:
            done.assign(SEEKING[what](x, p))
            x.assign(x + 1)
            loop.stop_when(done)
        return Outputs(x=x)

    rows, brought, counts = claimed(seeking.program)
    assert rows == ({what} if what else set())
    assert not brought
    assert counts == (len(rows), 0)


def test_a_read_that_a_search_does_is_at_the_row_of_the_search():
    @algorithm
    def riding(h):
        x = h.vertices.state(Count, 0)
        seen = h.state(Count, 0)
        with h.loop(at_most=5) as loop:
            seen.assign(x[argmin(x)[0]])
            x.assign(x + 1)
            loop.stop_when(seen == 3)
        return Outputs(x=x)

    meaning, heads = heads_of(compile_program(riding.program, rows=9, weight=9))
    [claim] = [claim for head in heads for claim in claims(meaning, head) if claim is not ITSELF]
    assert claim.at(meaning.one) in meaning.searches


MULTIPLYING: dict[str, Callable] = {
    "members": lambda h, x, y, e, v: h.members(e),
    "containing": lambda h, x, y, e, v: h.containing(v),
    "touching": lambda h, x, y, e, v: h.touching(x == 1),
    "covered": lambda h, x, y, e, v: h.covered(y == 1),
    "incidence": lambda h, x, y, e, v: (h.incidence @ y) == 1,
    "transposed": lambda h, x, y, e, v: (h.incidence.T @ x) == 1,
}


@pytest.mark.parametrize("what", MULTIPLYING)
def test_the_product_of_an_operation(what):
    @algorithm
    def multiplying(h):
        x, y = h.vertices.state(Count, 0), h.hyperedges.state(Count, 1)
        e, v = h.state(Hyperedge), h.state(Vertex)
        found = (h.hyperedges if what in {"containing", "touching", "transposed"} else h.vertices).state(Flag, False)
        with h.loop(at_most=5) as loop:
            found.assign(MULTIPLYING[what](h, x, y, e, v))
            x.assign(x + 1)
            y.assign(y + 1)
            e.assign(e + 1)
            v.assign(v + 1)
            loop.stop_when(v.is_none)
        return Outputs(found=found)

    rows, brought, counts = claimed(multiplying.program)
    assert not rows
    assert brought == {what}
    assert counts == (0, 1)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_head_that_we_ship_has_one_claim(name):
    """Nothing is guessed: one row, and one product for each column of a head with the incidence."""
    meaning, heads = heads_of(compiled(name))
    for head in heads:
        assert len(claims(meaning, head)) == 1
        brought = [products(meaning, head, column) for column in head.value]
        assert [len(each) for each in brought] == [head.kind != "plain"] * len(brought)


# -- records that are not right -------------------------------------------------------------------------------------


def with_records(model, heads=lambda purpose: purpose, columns=lambda column: column):
    """A model with other records of its heads and columns, its weights as they were."""
    layers = tuple(
        replace(layer, heads=tuple(replace(head, purpose=heads(head.purpose)) for head in layer.heads))
        for layer in model.layers
    )
    layout = replace(model.layout, columns=tuple(map(columns, model.layout.columns)))
    return replace(model, layers=layers, layout=layout)


def _moved(purposes, move):
    return tuple(move(each) for each in purposes)


def _each(move):
    """Every purpose in all records changed."""

    def heads(purpose):
        value = tuple(replace(each, purposes=_moved(each.purposes, move)) for each in purpose.value)
        return HeadPurpose(_moved(purpose.query, move), _moved(purpose.key, move), value, purpose.empties)

    return lambda model: with_records(
        model, heads, lambda column: replace(column, purposes=_moved(column.purposes, move))
    )


def _shuffled(model):
    """The records of all heads, dealt out anew; and those of the columns."""
    draw = random.Random(model.name)
    records = [head.purpose for layer in model.layers for head in layer.heads]
    roles = [(column.role, column.of, column.purposes) for column in model.layout.columns]
    draw.shuffle(records)
    draw.shuffle(roles)
    left, kinds = iter(records), iter(roles)

    def dealt(column):
        role, of, purposes = next(kinds)
        return replace(column, role=role, of=of, purposes=purposes)

    return with_records(model, lambda _: next(left), dealt)


WRONG: dict[str, Callable] = {
    "none": lambda model: with_records(
        model, lambda _: HeadPurpose(), lambda column: replace(column, role="value", of="", purposes=())
    ),
    "shuffled": _shuffled,
    "outside the program": _each(lambda purpose: replace(purpose, op=purpose.op + 1000)),
    "before the program": _each(lambda purpose: replace(purpose, op=-1)),
    "of the operation before": _each(lambda purpose: replace(purpose, op=max(purpose.op - 1, 0))),
    "of the operation after": _each(lambda purpose: replace(purpose, op=purpose.op + 1)),
    "of the other section": _each(
        lambda purpose: replace(purpose, section="before" if purpose.section == "body" else "body")
    ),
    "of another part": _each(lambda purpose: replace(purpose, part="one-hot")),
    "all columns ahead": lambda model: with_records(
        model, columns=lambda column: replace(column, role="ahead", purposes=(Purpose("body", 0),))
    ),
    "all columns started": lambda model: with_records(model, columns=lambda column: replace(column, role="started")),
}
NAMES = ("levels", "components", "projection")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", WRONG)
def test_wrong_records_are_no_errors(what, name):
    """The model is sound, so that a proof would be right; without records there is nothing to prove it by."""
    answer = prove(WRONG[what](compiled(name))).answer
    if what in {"none", "outside the program", "before the program"}:
        assert answer != "proved"


@cache
def broken(name):
    """Models that a run shows to be wrong: a weight of a head changed, and one of the units."""
    model = compiled(name)
    runs = reference(model, [(h, given) for h, given, _ in small_runs(model, 15, 1)])
    draw, found = random.Random(name), []
    every = mutants(model, 0)
    for part in ("query", "value", "w4"):
        some = [each for each in every if each.tensor.part == part]
        draw.shuffle(some)
        found.append(next(each for each in some if caught(runs, each)))
    return [mutant.model(model) for mutant in found]


@pytest.mark.parametrize("what", ["as they were", *WRONG])
def test_no_record_makes_a_broken_model_proved(what):
    for name in NAMES:
        for model in broken(name):
            assert prove(WRONG.get(what, lambda each: each)(model)).answer != "proved"


def test_a_head_that_does_what_its_record_says_and_not_what_the_program_says():
    """The record is honest about the wrong weights: the claim is proved, and what follows is refuted."""

    @algorithm
    def reading(h):
        x = h.vertices.state(Count, 0)
        p, q = h.state(Vertex), h.state(Vertex)
        seen = h.state(Count, 0)
        with h.loop(at_most=5) as loop:
            seen.assign(x[p] + 2 * x[q])
            p.assign(first(x == 3))
            q.assign(first(x == 4))
            x.assign(x + 1)
            loop.stop_when(seen >= 3)
        return Outputs(seen=seen)

    model = compile_program(reading.program, rows=9, weight=9)
    assert prove(model).answer == "proved"
    [(layer, place, head)] = [
        (layer, place, head)
        for layer, each in enumerate(model.layers)
        for place, head in enumerate(each.heads)
        if head.query[model.layout.number("p")].any()
    ]
    other = next(head for each in model.layers for head in each.heads if head.query[model.layout.number("q")].any())
    wrong = replace(head, query=other.query, purpose=replace(head.purpose, query=other.purpose.query))
    heads = (*model.layers[layer].heads[:place], wrong, *model.layers[layer].heads[place + 1 :])
    layers = (*model.layers[:layer], replace(model.layers[layer], heads=heads), *model.layers[layer + 1 :])
    proof = prove(replace(model, layers=layers))
    assert (proof.answer, proof.failure.outcome.answer) == ("undecided", "refuted")
    assert not proof.failure.obligation.part.startswith("head ")


def test_a_record_of_a_state_does_not_move_the_state():
    """A state is proved where it is read, whatever column is said to hold it."""
    model = compiled("levels")
    state = state_column(program_in(model).states[0].name)
    other = next(column.name for column in model.layout.columns if column.role == "temporary")
    there = {state: ("temporary", ""), other: ("state", program_in(model).states[0].name)}

    def swapped(column):
        role, of = there.get(column.name, (column.role, column.of))
        return replace(column, role=role, of=of)

    basis = Basis(with_records(model, columns=swapped), program_in(model))
    assert basis.roles[model.layout.number(state)] == "state"
    assert basis.roles[model.layout.number(other)] != "state"


def test_a_head_without_a_record_is_neither_proved_nor_refuted():
    model = with_records(compiled("dijkstra"), lambda _: HeadPurpose())
    proof = prove(model)
    assert proof.answer == "undecided"
    assert proof.failure.obligation.says == "the record of the head names a row that it looks at"
    meaning, heads = heads_of(model)
    assert claims(meaning, heads[0]) == []


# -- heads that average ---------------------------------------------------------------------------------------------


@algorithm
def summing(h, source: Vertex):
    """How many vertices are reached; `any` of all rows shares its head."""
    seen, many, some = h.vertices.state(Flag, False), h.state(Count, 0), h.state(Flag, False)
    weight = h.state(Length, 0)
    seen[source] = True
    with h.loop(at_most=h.vertices.count + 1) as loop:
        fresh = h.covered(h.touching(seen)) & ~seen
        many.assign(sum_of(seen))
        some.assign(any_of(h.vertices.every))
        weight.assign(sum_of(h.weight))
        loop.stop_when(~any_of(fresh))
        seen.assign(True, where=fresh)
    return Outputs(many=many, some=some, weight=weight)


@algorithm
def summed_before_the_loop(h):
    """The sum of what is 0 until the loop begins: the state's range does not hold the sum of any such array."""
    far = h.vertices.state(Length, 0)
    far.assign(sum_of(where(far != INFINITY, far, 0)))
    with h.loop(at_most=1) as loop:
        far.assign(h.weight[where(h.vertices.every, h.hyperedges.first, None)])
        loop.stop_when(True)
    return Outputs(far=far)


def test_a_sum_of_nothing_before_the_loop_is_nothing():
    assert prove(hyloop.compile(summed_before_the_loop)).answer == "proved"


def test_a_sum_is_proved_at_the_default_capacity():
    proof = prove(hyloop.compile(summing))
    assert proof.answer == "proved"
    assert {head.looks_at for head in proof.heads if head.averages} == {"all vertices", "all hyperedges"}


def test_mutants_of_heads_that_average_are_decided():
    proof = prove(hyloop.compile(summing, hyloop.Capacity(5, 9)))
    model = proof.model
    averaging = {(head.layer - 1, head.head - 1) for head in proof.heads if head.averages}
    changed = [each for each in mutants(model, 0) if (each.layer, each.tensor.head) in averaging]
    fates = [decide(proof.work, None, each).fate for each in changed]
    assert len(fates) > 20
    assert "undecided" not in fates
    assert "refuted by a row" in fates
