"""Random hypergraphs for checks: degenerate ones first, then many shapes, sizes and weights.

Hypergraph `number` of a seed depends on the two and on what the model holds, on nothing else: it is the same on every
machine, with every version of Python and numpy, however many were drawn or rejected before it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from hyloop import samples
from hyloop.errors import HyloopError
from hyloop.execute.encode import encode
from hyloop.execute.prepare import frame_of, prepare, program_of, require_known
from hyloop.hypergraph import Hypergraph
from hyloop.lang.kinds import Scope, Type
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.samples import random_inputs, with_directions

Thing = TypeVar("Thing")
Edges = list[list[int]]

USUAL, LARGE = 8, 16  # vertices, and hyperedges, of most hypergraphs; of some
LONG = 120  # iterations that a large one may take, at most: else it is not drawn
TRIES, AT_LEAST = 20, 2000  # how many are tried for each that is wanted; and in any case
DIRECTIONS = 2**40  # the numbers of draws for directions begin here
BITS = 2**53  # how many values one random number can have
SCARCE = 0.1  # a condition that accepts a smaller share than this gets a remark

# The degenerate ones, one plain pair among them, and those without vertices. What a seed gives depends on their order.
ODD: tuple[tuple[int, Edges], ...] = (*samples.ODD[:6], (2, [[1, 2]]), *samples.ODD[6:], (0, []), (0, [[], []]))


class Draw:
    """Random numbers. Python promises that `random()` never changes for a seed, and promises it of nothing else."""

    def __init__(self, seed: int, number: int) -> None:
        self._next = random.Random((seed << 64) + number).random

    def integers(self, low: int, /) -> int:
        """A random integer from 0 to `low - 1`."""
        if low <= BITS:
            return min(int(self._next() * low), low - 1)
        return (self.integers(-(-low // BITS)) * BITS + self.integers(BITS)) % low

    def chance(self, share: float) -> bool:
        """True with probability `share`."""
        return self._next() < share

    def choice(self, things: Sequence[Thing]) -> Thing:
        """One of several."""
        return things[self.integers(len(things))]

    def some(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """A sample of them without repetition, in any order."""
        rest = [*things]
        return [rest.pop(self.integers(len(rest))) for _ in range(min(count, len(rest)))]


# -- shapes ---------------------------------------------------------------------------------------------------------


def _scattered(share: float) -> Callable[[Draw, int, int], Edges]:
    """Each vertex is in each hyperedge with the same probability."""
    return lambda draw, n_v, n_e: [[v for v in range(1, n_v + 1) if draw.chance(share)] for _ in range(n_e)]


def _small(draw: Draw, n_v: int, n_e: int) -> Edges:
    """Two or three vertices each."""
    return [draw.some(range(1, n_v + 1), 2 + draw.integers(2)) for _ in range(n_e)]


def _pairs(draw: Draw, n_v: int, n_e: int) -> Edges:
    return [draw.some(range(1, n_v + 1), 2) for _ in range(n_e if n_v > 1 else 0)]


def _tree(draw: Draw, n_v: int, n_e: int) -> Edges:
    """A tree, and a few pairs more."""
    tree = [[1 + draw.integers(v - 1), v] for v in range(2, n_v + 1)]
    return tree + _pairs(draw, n_v, max(min(n_e - len(tree), 2), 0))


def _path(_: Draw, n_v: int, __: int) -> Edges:
    return [[v, v + 1] for v in range(1, n_v)]


def _cycle(_: Draw, n_v: int, __: int) -> Edges:
    return [[v, v % n_v + 1] for v in range(1, n_v + 1)] if n_v > 2 else []


def _star(draw: Draw, n_v: int, _: int) -> Edges:
    middle = 1 + draw.integers(max(n_v, 1))
    return [[middle, v] for v in range(1, n_v + 1) if v != middle]


def _nested(draw: Draw, n_v: int, n_e: int) -> Edges:
    """Each hyperedge within the one before."""
    order = draw.some(range(1, n_v + 1), n_v)
    return [order[: max(n_v - e, 0)] for e in range(n_e)]


def _windows(draw: Draw, n_v: int, n_e: int) -> Edges:
    """A chain of hyperedges that overlap in a vertex."""
    width = 2 + draw.integers(3)
    starts = range(1, max(n_v, 1), width - 1)
    return [list(range(start, min(start + width, n_v + 1))) for start in starts][:n_e]


def _apart(draw: Draw, n_v: int, n_e: int) -> Edges:
    """Two halves that no hyperedge connects."""
    half = n_v // 2
    halves = [range(1, half + 1), range(half + 1, n_v + 1)]
    return [draw.some(halves[e % 2], 2) for e in range(n_e) if len(halves[e % 2]) > 1]


GRAPHS = (_pairs, _pairs, _tree, _path, _cycle, _star, _apart)
SHAPES = (*map(_scattered, (0.15, 0.3, 0.5, 0.8)), _small, _small, _nested, _windows, *GRAPHS[1:])


def _dressed(draw: Draw, n_v: int, edges: Edges) -> Edges:
    """With cases that break programs: repeated, empty, one-vertex and complete hyperedges, an isolated vertex."""
    edges = [sorted(edge) for edge in edges]
    everyone = list(range(1, n_v + 1))
    for share, other in ((0.15, []), (0.1, everyone), (0.1, draw.some(everyone, 1))):
        if edges and draw.chance(share):
            edges[draw.integers(len(edges))] = other
    if n_v > 1 and draw.chance(0.2):
        lonely = 1 + draw.integers(n_v)
        edges = [[v for v in edge if v != lonely] for edge in edges]
    return edges


# -- weights --------------------------------------------------------------------------------------------------------

# Integers up to the largest weight that the model holds: equal ones, so that there are ties; the extremes; the rest.
WEIGHTS: tuple[Callable[[Draw, int], Callable[[], int]], ...] = (
    lambda _, __: lambda: 1,
    lambda draw, most: lambda: 1 + draw.integers(min(most, 2)),
    lambda draw, most: lambda: 1 + draw.integers(min(most, 3)),
    lambda draw, most: lambda: 1 + draw.integers(min(most, 9)),
    lambda draw, most: lambda: 1 + draw.integers(min(most, 9)),
    lambda draw, most: lambda: draw.choice([1, min(2, most), max(most - 1, 1), most]),
    lambda draw, most: lambda: 1 + draw.integers(most),
    lambda draw, most: lambda: 2 ** draw.integers(most.bit_length()),
)
UNITS = tuple(map(Fraction, ("1", "1", "1", "1/2", "1/3", "1/10", "3/7", "1000")))


# -- one hypergraph -------------------------------------------------------------------------------------------------


def random_hypergraph(seed: int, number: int, *, rows: int, weight: int, large: bool, graphs: bool) -> Hypergraph:
    """Hypergraph `number` of a seed: at most `rows` vertices and hyperedges, integer weights of at most `weight`.

    `large` lets some have 16 vertices; `graphs` draws hyperedges of two vertices only.
    """
    draw = Draw(2 * seed, number)
    n_v, edges = ODD[number] if number < len(ODD) else _shaped(draw, rows, large=large, graphs=graphs)
    if number >= len(ODD) and len(edges) > 1 and draw.chance(0.25):
        edges[draw.integers(len(edges))] = [*draw.choice(edges)]  # a hyperedge twice
    next_weight, unit = draw.choice(WEIGHTS)(draw, weight), draw.choice(UNITS)
    weights = {place: next_weight() * unit for place in range(1, len(edges) + 1)}
    return Hypergraph.from_hyperedges(edges, vertices=range(1, n_v + 1), weights=weights)


def _shaped(draw: Draw, rows: int, *, large: bool, graphs: bool) -> tuple[int, Edges]:
    most = min(LARGE if large and draw.chance(0.15) else USUAL, rows)
    n_v, n_e = 1 + draw.integers(most), draw.integers(most + 1)
    if draw.chance(0.5):  # small ones are nearly all alike
        n_v, n_e = most - draw.integers((most + 1) // 2), most - draw.integers((most + 1) // 2)
    edges = draw.choice(GRAPHS if graphs else SHAPES)(draw, n_v, n_e)[:rows]
    if graphs and draw.chance(0.2) and n_v < rows:
        return n_v + 1, [sorted(edge) for edge in edges]  # a vertex in no edge
    return n_v, [sorted(edge) for edge in edges] if graphs else _dressed(draw, n_v, edges)


# -- conditions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """A condition on the hypergraphs of a check, and its name."""

    name: str
    holds: Callable[[Hypergraph], bool]


def is_graph(h: Hypergraph) -> bool:
    """Whether every hyperedge has two vertices."""
    return all(len(h.members_of(label)) == 2 for label in h.hyperedges)


def is_connected(h: Hypergraph) -> bool:
    """Whether hyperedges lead from any vertex to any other."""
    reached, waiting = set(h.vertices[:1]), [*h.vertices[:1]]
    while waiting:
        for label in h.hyperedges_of(waiting.pop()):
            fresh = set(h.members_of(label)) - reached
            reached |= fresh
            waiting += fresh
    return len(reached) == len(h.vertices)


ALL_GRAPHS = Condition("graphs", is_graph)
ALL_CONNECTED = Condition("connected", is_connected)


# -- many -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """The input of one check. `number` is that of a random hypergraph."""

    name: str
    hypergraph: Hypergraph
    inputs: Mapping[str, Any]
    padding: int = 0
    number: int | None = None


@dataclass(frozen=True)
class Drawn:
    """The random hypergraphs that were drawn, how many a condition rejected, and remarks on them."""

    cases: tuple[Case, ...]
    tried: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def draw_cases(
    model: Model,
    count: int,
    seed: int,
    conditions: Sequence[Condition],
    progress: Callable[[int], None] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Drawn:
    """`count` random hypergraphs that the model holds and the conditions accept, each with random inputs.

    Inputs in `fixed`, which are numbers or flags, are the same for all.
    """
    require_fixable(program_of(model), fixed or {})
    found: list[Case] = []
    rejected: dict[str, int] = {}
    tried = 0
    for case in _candidates(model, seed, fixed or {}, graphs=ALL_GRAPHS in conditions):
        if len(found) == count or tried >= max(TRIES * count, AT_LEAST):
            break
        tried += 1
        by = next((each.name for each in conditions if not each.holds(case.hypergraph)), None)
        if by is None:
            found.append(case)
            if progress is not None:
                progress(len(found))
        else:
            rejected[by] = rejected.get(by, 0) + 1
    if count and not found:
        raise HyloopError(
            f"None of {tried:,} random hypergraphs can be checked on: {_rejections(rejected)}. "
            "Give hypergraphs of your own, or a condition that more of them meet."
        )
    return Drawn(tuple(found), tried, rejected, tuple(_remarks(model, count, found, tried, rejected)))


def can_be_fixed(type_: Type) -> bool:
    """Whether an input of that type means the same in every hypergraph: a number or a flag."""
    return type_.scope is Scope.SCALAR and not type_.kind.is_pointer


def require_fixable(program: Program, names: Iterable[str]) -> None:
    """Raise unless inputs can be the same for all random hypergraphs, whatever labels these have."""
    names = tuple(names)
    require_known(program, names)
    by_name = {each.name: each.type for each in program.inputs}
    for name in names:
        if not can_be_fixed(by_name[name]):
            raise HyloopError(
                f"{name} is {by_name[name].phrase}, and random hypergraphs differ in their labels: only numbers and "
                "flags can be the same for all of them."
            )


def _candidates(model: Model, seed: int, fixed: Mapping[str, Any], *, graphs: bool) -> Iterator[Case]:
    """Random hypergraphs, with inputs, that the model holds, without end."""
    program, rows = program_of(model), model.capacity.rows
    large = program.most_iterations(min(LARGE, rows), min(LARGE, rows)) <= LONG
    misses = number = 0
    refusal = "there is nothing to choose an input from"
    while misses < AT_LEAST:
        h = random_hypergraph(seed, number, rows=rows, weight=model.capacity.weight, large=large, graphs=graphs)
        h = with_directions(h, Draw(2 * seed + 1, DIRECTIONS + number)) if uses_direction(program) else h
        case = with_inputs(model, program, f"random hypergraph {number} (seed {seed})", h, Draw(2 * seed + 1, number))
        number, misses = number + 1, misses + 1
        if case is None:
            continue
        case = Case(case.name, h, {**case.inputs, **fixed}, case.padding, number - 1)
        try:
            encode(model, frame_of(prepare(program, h, case.inputs), case.padding))
        except HyloopError as error:
            refusal = str(error)
            continue
        misses = 0
        yield case
    raise HyloopError(
        f"No random hypergraph with random inputs fits {program.name}; give a hypergraph and its inputs instead. "
        f"The last one was refused: {refusal.rstrip('.')}."
    )


def with_inputs(model: Model, program: Program, name: str, h: Hypergraph, draw: Draw) -> Case | None:
    """A hypergraph with random inputs and padding rows; None where there is nothing to choose an input from."""
    largest = min(draw.choice([9, 9, model.capacity.weight]), model.capacity.weight)
    inputs = random_inputs(program, h, draw, largest=largest)
    room = model.capacity.rows - max(len(h.vertices), len(h.hyperedges), 1)
    return None if inputs is None else Case(name, h, inputs, draw.integers(min(max(room, 0), 2) + 1))


def _rejections(rejected: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} are rejected by {name}" for name, number in rejected.items()) or "none was drawn"


def _remarks(model: Model, count: int, found: Sequence[Case], tried: int, rejected: Mapping[str, int]) -> Iterator[str]:
    """Remarks on a check that tested less than it seems."""
    if len(found) < count:
        yield (
            f"Only {len(found):,} of the {count:,} wanted were found among {tried:,} random hypergraphs: "
            f"{_rejections(rejected)}."
        )
    elif found and len(found) < SCARCE * tried:
        yield f"Of {tried:,} random hypergraphs, {_rejections(rejected)}: those that are left may be much alike."
    yield from weight_remarks(model)


def weight_remarks(model: Model) -> Iterator[str]:
    """A remark that the model holds small weights only, where its program reads weights."""
    program, most = program_of(model), model.capacity.weight
    if program.reads_weights and most < 10:
        tried = "only unit weights were tried" if most == 1 else "no larger ones were tried"
        yield f"This model holds weights up to {most}: {tried}. Compiled for fewer rows, it holds larger ones (--rows)."
