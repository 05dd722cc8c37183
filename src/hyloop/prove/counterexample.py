"""Counterexamples: the smallest row that breaks an obligation, and a small hypergraph on which a run shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from hyloop.compare import Difference, compare
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.given import labels_of
from hyloop.execute.prepare import prepare
from hyloop.hypergraph import Hypergraph
from hyloop.lang.kinds import SCOPE_OF, Scope
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.prove.basis import program_in
from hyloop.prove.solver import Obligation, Outcome, ask, refutes
from hyloop.prove.terms import Valuation, atoms_of
from hyloop.samples import hypergraphs, random_inputs

CAPS = (1, 2, 3, 5, 10, 100, 10_000)
SIZES = (1, 2, 3, 4, 6)
TRIES = 60  # hypergraphs of each size


# -- rows -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BadRow:
    """Values for which an obligation fails, in the program's words; with the number found and the one expected."""

    values: dict[str, int]
    found: int | None
    expected: int | None

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value:,}" for name, value in self.values.items())
        if self.found is None:
            return shown
        return f"{shown}: it is {self.found:,}, not {self.expected:,}"


def bad_row(obligation: Obligation, outcome: Outcome) -> BadRow | None:
    """The smallest values found that break an obligation; None if there are none to show."""
    if outcome.answer != "refuted" or outcome.values is None:
        return None
    values = next(filter(None, (_capped(obligation, most) for most in CAPS)), outcome.values)
    asked = [*obligation.facts, obligation.goal]
    compared = obligation.compares or ()
    at = values.of([*asked, *compared])
    named: dict[str, int] = {}
    for atom in atoms_of([obligation.goal]):
        if atom.kind == "variable":
            named[atom.name] = at.atom(atom)
        elif atom.kind == "function":
            named[f"{atom.name}[{at.term(atom.index)}]"] = at.atom(atom)
    found, expected = (at.term(term) for term in compared) if compared else (None, None)
    return BadRow(dict(sorted(named.items())), found, expected)


def _capped(obligation: Obligation, most: int) -> Valuation | None:
    for exact in (False, True):
        outcome = ask(obligation.question(exact_products=exact, most=most), milliseconds=2000)
        if outcome.answer != "refuted":
            return None
        if refutes(outcome.values, obligation):
            return outcome.values
    return None


# -- hypergraphs ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BadRun:
    """A hypergraph and inputs on which model and program differ, and where."""

    hypergraph: Hypergraph
    inputs: dict[str, Any]
    difference: Difference


def bad_run(
    model: Model, *, tries: int = TRIES, seed: int = 0, progress: Callable[[int], None] | None = None
) -> BadRun | None:
    """A small hypergraph on which a model does not do what its program says, if the search finds one."""
    program, rng = program_in(model), np.random.default_rng(seed)
    for done, h in enumerate(_small_hypergraphs(model, tries, seed)):
        if progress is not None:
            progress(done)
        inputs = random_inputs(program, h, rng)
        if inputs is not None and (found := _differs(model, h, inputs)) is not None:
            return _shrunk(model, BadRun(h, inputs, found))
    return None


def searched(tries: int = TRIES) -> int:
    """How many hypergraphs `bad_run` tries at most."""
    return 2 * tries * len(SIZES)


def _small_hypergraphs(model: Model, tries: int, seed: int) -> Iterator[Hypergraph]:
    """Small ones first; each with its own weights, then with some at the largest weight of the model."""
    rng = np.random.default_rng(seed)
    for size in SIZES:
        for h in islice(hypergraphs(seed, vertices=size, hyperedges=size, directed=model.layout.directed), tries):
            yield h
            weights = tuple(Fraction(int(rng.choice([1, 2, model.capacity.weight]))) for _ in h.hyperedges)
            yield replace(h, weights=weights)


def small_inputs(model: Model, count: int, seed: int = 0) -> list[tuple[Hypergraph, dict[str, Any]]]:
    """`count` small hypergraphs that fit a model, each with random inputs."""
    program, rng = program_in(model), np.random.default_rng(seed)
    found: list[tuple[Hypergraph, dict[str, Any]]] = []
    for h in hypergraphs(seed, vertices=6, hyperedges=6, directed=model.layout.directed):
        inputs = random_inputs(program, h, rng)
        fits = max(len(h.vertices), len(h.hyperedges)) <= model.capacity.rows
        if inputs is not None and fits and max(h.integer_weights()[0], default=1) <= model.capacity.weight:
            found.append((h, inputs))
        if len(found) == count:
            return found
    return found


def _differs(model: Model, h: Hypergraph, inputs: dict[str, Any]) -> Difference | None:
    try:
        with np.errstate(all="ignore"):  # a broken model may overflow
            return compare(model, prepare(program_in(model), h, inputs)).difference
    except (CapacityError, HyloopError):
        return None  # it does not fit, or the program itself refuses it


def _shrunk(model: Model, bad: BadRun) -> BadRun:
    """The input reduced greedily, step by step, as long as model and program still differ."""
    while True:
        single = {value for value in bad.inputs.values() if not isinstance(value, dict)}
        for h in _simpler(bad.hypergraph, keep=single):
            inputs = _kept(program_in(model), bad.inputs, h)
            found = _differs(model, h, inputs)
            if found is not None:
                bad = BadRun(h, inputs, found)
                break
        else:
            return bad


def _kept(program: Program, inputs: dict[str, Any], h: Hypergraph) -> dict[str, Any]:
    """The inputs for fewer rows: of arrays, the entries of those that are left; what points at another is none."""
    found = dict(inputs)
    for each in program.inputs:
        if each.type.scope is Scope.SCALAR:
            continue
        entries = {label: inputs[each.name][label] for label in labels_of(h, each.type.scope)}
        if each.type.kind.is_pointer:
            left = labels_of(h, SCOPE_OF[each.type.kind])
            entries = {label: entry if entry in left else None for label, entry in entries.items()}
        found[each.name] = entries
    return found


def _simpler(h: Hypergraph, keep: set[Any]) -> Iterator[Hypergraph]:
    if not h.directed:
        yield from _simpler_members(h, keep)
        return
    yield from (_directed_as(each, h) for each in _simpler_members(h.ignoring_direction(), keep))
    yield h.ignoring_direction()


def _directed_as(simpler: Hypergraph, h: Hypergraph) -> Hypergraph:
    """A hypergraph with fewer members, in their directions."""
    ends = {label: (set(h.tails_of(label)), set(h.heads_of(label))) for label in simpler.hyperedges}
    arcs = {
        label: tuple([vertex for vertex in simpler.members_of(label) if vertex in side] for side in ends[label])
        for label in simpler.hyperedges
    }
    weights = dict(zip(simpler.hyperedges, simpler.weights, strict=True))
    return Hypergraph.from_arcs(arcs, vertices=simpler.vertices, weights=weights)  # type: ignore[arg-type]


def _simpler_members(h: Hypergraph, keep: set[Any]) -> Iterator[Hypergraph]:
    edges = [(label, list(h.members_of(label)), weight) for label, weight in zip(h.hyperedges, h.weights, strict=True)]
    for number, (label, members, weight) in enumerate(edges):
        others = edges[:number] + edges[number + 1 :]
        if label not in keep:
            yield _rebuilt(list(h.vertices), others)
        for member in members:
            fewer = (label, [each for each in members if each != member], weight)
            yield _rebuilt(list(h.vertices), [*edges[:number], fewer, *edges[number + 1 :]])
        if weight != 1:
            yield _rebuilt(list(h.vertices), [*edges[:number], (label, members, Fraction(1)), *edges[number + 1 :]])
    for vertex in h.vertices:
        if vertex not in keep:
            rest = [(label, [each for each in members if each != vertex], weight) for label, members, weight in edges]
            yield _rebuilt([each for each in h.vertices if each != vertex], rest)


def _rebuilt(vertices: list[Any], edges: list[tuple[Any, list[Any], Fraction]]) -> Hypergraph:
    return Hypergraph.from_hyperedges(
        {label: members for label, members, _ in edges},
        vertices=vertices,
        weights={label: weight for label, _, weight in edges},
    )
