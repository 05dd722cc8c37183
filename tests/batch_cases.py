"""Random batches with random inputs, right and wrong ones: a batch is held against `hyloop.run` of each hypergraph."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import hyloop
from compiler.random_programs import drawn, program_of
from hyloop import HyloopError, Hypergraph, HypergraphBatch
from hyloop.batch_runs import run_packed
from hyloop.lang import LanguageError
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input, Program
from hyloop.samples import hypergraphs, random_inputs

# What may be given by mistake, for one value or for an entry.
ODD = (
    True,
    None,
    -1,
    0,
    1,
    2,
    1.0,
    1.5,
    0.5,
    float("nan"),
    float("inf"),
    Fraction(3, 2),
    Fraction(4),
    Decimal("2"),
    Decimal("0.25"),
    Decimal("NaN"),
    10**6,
    2**62,
    2**70,
    "1",
    "zzz",
    b"1",
    1j,
    np.int8(1),
    np.uint64(2**63),
    np.float32(0.5),
    np.bool_(True),
    np.timedelta64(1),
    np.array(1),
    object(),
)
# The same for a whole array.
ODD_ARRAYS = (*ODD, [], {}, set(), {1}, {"a": 1}, [1], (True,), [None], np.zeros(3), np.ma.masked_array([1, 2], [0, 1]))
SOME = 5  # hypergraphs of a batch, at most


@dataclass(frozen=True)
class Case:
    """Hypergraphs, what `run` is given for each, and what `run_many` is given for all of them."""

    hypergraphs: list[Hypergraph]
    each: list[dict[str, Any]]
    many: dict[str, Any]
    options: dict[str, Any]
    by_hand: bool = False  # arrays are made without `HypergraphBatch.of`

    @property
    def batch(self) -> HypergraphBatch:
        return by_hand(self.hypergraphs) if self.by_hand else HypergraphBatch.of(self.hypergraphs)


# -- drawing them -----------------------------------------------------------------------------------------------------


def named(h: Hypergraph, draw: random.Random) -> Hypergraph:
    """The same hypergraph under labels of some kind: numbers from 1 or from 0, others, text, or some of each."""
    ways = (
        lambda n: n + 1,
        lambda n: n,
        lambda n: 7 - 3 * n,
        lambda n: f"v{n}",
        lambda n: str(n + 1) if n % 2 else n + 1,
        lambda n: 10**30 + n,
    )
    way, other = draw.choice(ways), draw.choice(ways)
    number = {label: way(place) for place, label in enumerate(h.vertices)}
    edge = {label: other(place) for place, label in enumerate(h.hyperedges)}
    notes = h.annotations
    records = {(edge[e], number[v]): said for (e, v), said in notes.incidences.items()}
    vertices, hyperedges = tuple(number.values()), tuple(edge.values())
    return Hypergraph(vertices, hyperedges, h.incidence, h.weights, replace(notes, incidences=records))


FACTORS = (2, 6, 10**15, 3 * 2**40, 2**61 // 10)  # that all weights of a hypergraph may have in common
WEIGHTS: tuple[Callable[[int, random.Random], Fraction], ...] = (
    lambda place, draw: Fraction(FACTORS[3] * draw.randint(1, 3), 7),
    lambda place, draw: Fraction("0.00012345678901234567") if place == 1 else Fraction(1),  # many digits
    lambda place, draw: Fraction(10**19 if place == 0 else draw.randint(1, 9)),
    lambda place, draw: Fraction(10**19 * draw.randint(1, 9)),
    lambda place, draw: Fraction(1, 10**900 + place),  # without a common unit that is short enough
)


def weighed(h: Hypergraph, draw: random.Random, *, small: bool, unit: bool) -> Hypergraph:
    """The same hypergraph with other weights: with a common factor, or (unless they must be `small`) too long.

    With `unit` they have one, which random lengths are multiples of.
    """
    ways = [lambda _, draw, factor=factor: Fraction(factor * draw.randint(1, 9)) for factor in FACTORS]
    way = draw.choice(ways if small or draw.random() < 0.4 else WEIGHTS[: len(WEIGHTS) - unit])
    return replace(h, weights=tuple(way(place, draw) for place in range(len(h.hyperedges))))


def by_hand(hs: list[Hypergraph]) -> HypergraphBatch:
    """A batch from arrays, in which nothing has been divided: of undirected hypergraphs with labels from 1."""
    members = [[v - 1 for v in h.members_of(e)] for h in hs for e in h.hyperedges]
    return HypergraphBatch.from_arrays(
        [len(h.vertices) for h in hs],
        [len(h.hyperedges) for h in hs],
        np.cumsum([0, *map(len, members)]),
        np.array([v for each in members for v in each], np.int64),
        weight=np.array([int(weight) for h in hs for weight in h.weights], np.int64),
    )


def numbered(h: Hypergraph) -> Hypergraph:
    """The same under numbers from 1, without what a batch from arrays does not have."""
    vertices, hyperedges = (tuple(range(1, len(names) + 1)) for names in (h.vertices, h.hyperedges))
    weights = h.weights if all(each.denominator == 1 for each in h.weights) else (Fraction(4),) * len(hyperedges)
    return Hypergraph(vertices, hyperedges, h.incidence, weights)


def drawn_hypergraphs(program: Program, draw: random.Random) -> list[Hypergraph]:
    directed = uses_direction(program) != (draw.random() < 0.1)
    source = [h for h, _ in zip(hypergraphs(draw.randrange(10**6), directed=directed), range(40), strict=False)]
    if draw.random() < 0.9:  # nearly always there is something to name
        source = [h for h in source if random_inputs(program, h, np.random.default_rng(0)) is not None]
    chosen = [draw.choice(source) for _ in range(draw.randint(1, SOME))]
    if draw.random() < 0.05:
        chosen.append(Hypergraph.from_hyperedges([]))
    same = random.Random(draw.randrange(2**32)) if draw.random() < 0.5 else None
    if same is None:
        return [named(h, draw) for h in chosen]
    seed = same.randrange(2**32)
    return [named(h, random.Random(seed)) for h in chosen]


def listed(each: Input, h: Hypergraph, value: dict[Any, Any], draw: random.Random) -> Any:
    """An array that is given by label, in another form that `run` takes."""
    if each.type.kind is Kind.FLAG and draw.random() < 0.3:
        return {label for label, holds in value.items() if holds}
    return value if draw.random() < 0.3 else list(value.values())


def case(program: Program, seed: int) -> Case:
    """A random case; half of them have something wrong."""
    draw = random.Random(seed)
    hs = drawn_hypergraphs(program, draw)
    bare = draw.random() < 0.3 and not any(h.directed for h in hs)
    if bare:
        hs = [numbered(h) for h in hs]
    if draw.random() < 0.4:
        unit = any(each.type.kind is Kind.LENGTH for each in program.inputs)
        hs = [weighed(h, draw, small=bare, unit=unit) if draw.random() < 0.5 else h for h in hs]
    rng = np.random.default_rng(seed)
    each = [random_inputs(program, h, rng) or {one.name: "nothing" for one in program.inputs} for h in hs]
    many: dict[str, Any] = {}
    odd = 0.4 / max(len(program.inputs), 1)
    for one in program.inputs:
        wrong = draw.randrange(len(hs)) if draw.random() < odd else None
        if one.type.scope is Scope.SCALAR:
            many[one.name] = _scalar(one, each, draw, wrong)
        else:
            many[one.name] = _array(one, hs, each, draw, wrong)
    if draw.random() < 0.05 and many:
        gone = draw.choice(list(many))
        for given in (many, *each):
            del given[gone]
    if draw.random() < 0.05:
        for given in (many, *each):
            given["other"] = 1
    return Case(hs, each, many, {"ignore_direction": True} if draw.random() < 0.2 else {}, bare)


def _scalar(one: Input, each: list[dict[str, Any]], draw: random.Random, wrong: int | None) -> Any:
    if wrong is not None:
        each[wrong][one.name] = draw.choice(ODD)
    if draw.random() < (0.1 if one.type.kind.is_pointer else 0.3):
        for given in each:
            given[one.name] = each[0][one.name]
        return each[0][one.name]
    values = [given[one.name] for given in each]
    plain = set(map(type, values)) in ({int}, {bool}, {Fraction}) and max(values) < 2**63
    if not plain or draw.random() < 0.5:
        return values
    array = np.array(values)
    for given, value in zip(each, array, strict=True):
        given[one.name] = value
    return array


def _array(one: Input, hs: list[Hypergraph], each: list[dict[str, Any]], draw: random.Random, wrong: int | None) -> Any:
    for place, (h, given) in enumerate(zip(hs, each, strict=True)):
        value = given[one.name]
        if place == wrong and isinstance(value, dict) and value:
            value = value | {draw.choice(list(value)): draw.choice(ODD)}
        given[one.name] = listed(one, h, value, draw) if isinstance(value, dict) else value
        if place == wrong and draw.random() < 0.3:
            given[one.name] = draw.choice(ODD_ARRAYS)
    if not any(isinstance(given[one.name], list | tuple | dict | set) for given in each):
        each[0][one.name] = {}  # else it would be a list of entries
    values = [given[one.name] for given in each]
    if all(isinstance(value, list) for value in values) and draw.random() < 0.7:
        flat = [entry for value in values for entry in value]
        plain = set(map(type, flat)) in ({int}, {bool}) and max(flat) < 2**63
        none = one.type.kind.is_pointer and 0 in flat  # in an array of numbers, 0 is none
        return _in_an_array(one, flat, each) if plain and not none and draw.random() < 0.5 else flat
    return values


def _in_an_array(one: Input, flat: list[Any], each: list[dict[str, Any]]) -> Any:
    array, at = np.array(flat), 0
    for given in each:
        given[one.name], at = array[at : at + len(given[one.name])], at + len(given[one.name])
    return array


# -- holding them against each other ----------------------------------------------------------------------------------


def held(program: Program, one: Case, tally: Counter[str], **options: Any) -> None:
    """Run the batch, and each by itself; raises AssertionError where they differ."""
    alone = [
        _tried(partial(hyloop.run, program, h, **one.options, **given))
        for h, given in zip(one.hypergraphs, one.each, strict=True)
    ]
    batch = one.batch
    if one.options:
        batch = batch.undirected()
    wrong = [(place, found) for place, found in enumerate(alone) if isinstance(found, HyloopError)]
    found = _tried(lambda: run_packed(program, batch, one.many, **{"backend": "cpu", **options}))
    if isinstance(found, HyloopError):
        assert wrong, f"each runs by itself, and the batch says: {found}"
        _same_refusal(str(found), wrong)
        tally["refused"] += 1
        return
    tally["ran"] += len(alone)
    for place, expected in enumerate(alone):
        if isinstance(expected, HyloopError):
            _stopped_alike(found, place, expected)
        else:
            _same_result(found, place, expected)
    _same_arrays(program, found, alone)


def _tried(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except HyloopError as error:
        return error


def _same_refusal(said: str, wrong: list[tuple[int, HyloopError]]) -> None:
    own = {f"Hypergraph {place}: {error}" for place, error in wrong} | {str(error) for _, error in wrong}
    shape = "of a batch is" in said  # a list that has entries for no hypergraph
    assert shape or _without_addresses(said) in set(map(_without_addresses, own)), f"{said!r}, and by itself {own}"


def _without_addresses(text: str) -> str:
    return text.partition(" object at ")[0]


def _stopped_alike(found: Any, place: int, expected: HyloopError) -> None:
    assert not found.halted[place], f"hypergraph {place}: {expected}"
    assert repr(_tried(lambda: found[place])) == repr(expected)


def _same_result(found: Any, place: int, expected: hyloop.Result) -> None:
    ours = found[place]
    assert repr(dict(ours)) == repr(dict(expected)), f"hypergraph {place}"
    assert ours.iterations == found.iterations[place] == expected.iterations
    assert (ours.halted, ours.kinds, ours.algorithm) == (expected.halted, expected.kinds, expected.algorithm)
    assert found.halted[place]
    assert ours.unit == found.batch.unit_of(place) == expected.unit
    h, theirs = ours.hypergraph, expected.hypergraph
    assert (h.vertices, h.hyperedges, h.weights) == (theirs.vertices, theirs.hyperedges, theirs.weights)
    assert h.directed == theirs.directed
    assert (h.incidence, h.tails, h.heads) == (theirs.incidence, theirs.tails, theirs.heads)


def _same_arrays(program: Program, found: Any, alone: list[Any]) -> None:
    """Each array of the batch is the arrays of the results one after the other, in their units."""
    if any(isinstance(each, HyloopError) for each in alone):
        return
    for name in dict.fromkeys(output.name for output in program.outputs):
        if name not in alone[0].arrays:
            continue
        ours, at = found.array(name), 0
        for expected in alone:
            theirs = expected.array(name)
            part, at = ours[at : at + len(theirs)], at + len(theirs)
            assert part.dtype.kind == theirs.dtype.kind
            assert part.tolist() == theirs.tolist(), name
        assert at == len(ours)


def random_program(seed: int) -> Program | None:
    """A random program with single inputs, or with arrays; None where the steps are none of a program."""
    try:
        return program_of(drawn(seed, 12), infinite=False, arrays=seed % 2 == 0)
    except LanguageError:
        return None
