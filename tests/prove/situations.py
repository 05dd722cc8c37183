"""Concrete situations: a hypergraph, inputs, and one iteration of the interpreter, put into the symbols of a proof."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hyloop.execute.dense import Blocks, apply, cast
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import prepare, program_of
from hyloop.interpreter import interpret
from hyloop.lang.kinds import INFINITY, Kind, Scope, Type
from hyloop.prove.arithmetic import Dividing
from hyloop.prove.meaning import MeanSymbol, Search
from hyloop.prove.terms import Valuation, atoms_of, constant
from hyloop.samples import hypergraphs, random_inputs


@dataclass(frozen=True)
class Situation:
    """An iteration: the section that is run, what stood in the states before, what the interpreter made of it.

    `X[l]` is the transformer's state after layer `l` (0: before the iteration).
    """

    h: object
    section: str
    time: int
    size: int
    weights: tuple[int, ...]
    inputs: dict[str, int]
    states: dict[str, object]
    step: object
    X: list[np.ndarray]
    infinity: int  # the model's

    def integer(self, value):
        return self.infinity if int(value) == self.step.infinity else int(value)

    def count(self, scope):
        return len(self.h.vertices) if scope is Scope.VERTICES else len(self.h.hyperedges)

    def entries(self, scope, value):
        """A value of the program by rows, as the machine keeps it: 0 outside its rows."""
        if scope is Scope.SCALAR:
            return dict.fromkeys(range(self.size), self.integer(value))
        return dict.fromkeys(range(self.size), 0) | {row: self.integer(each) for row, each in enumerate(value, start=1)}


def situations(model, h, given, padding=0) -> Iterator[Situation]:
    """Every iteration of a run."""
    program = program_of(model)
    prepared = prepare(program, h, given)
    frame = Frame(len(h.vertices), len(h.hyperedges), prepared.weights, prepared.inputs, padding)
    layers = [cast(layer, model.dtype) for layer in model.layers]
    X = encode(model, frame)[np.newaxis]
    size = X.shape[1]
    blocks = Blocks.of([pad(model, h, size)], size, size, model.dtype)
    states = None
    for step in interpret(program, h, prepared.inputs, prepared.weights):
        if states is None:
            states = {each.name: _first(each, frame, step.infinity) for each in program.states}
        after = [X]
        for layer in layers:
            after.append(apply(layer, after[-1], blocks))
        yield Situation(
            h, step.section, step.iteration - 1, size, prepared.weights, dict(prepared.inputs), states, step,
            [each[0] for each in after], model.infinity,
        )  # fmt: skip
        X, states = after[-1], dict(step.states)


def _first(state, frame, infinity):
    value = infinity if state.initial is INFINITY else int(state.initial or 0)
    many = {Scope.SCALAR: None, Scope.VERTICES: frame.vertices, Scope.HYPEREDGES: frame.hyperedges}[state.type.scope]
    return value if many is None else [value] * many


def values(meaning, situation, layout=None, rows=None) -> Valuation:
    """What every symbol of a proof is in a situation; what a search finds and what is summed up, by trying all rows.

    `rows` is how many are looked at, all unless it is given.
    """
    h, size = situation.h, situation.size
    variables = {
        "K": size,
        "n_v": len(h.vertices),
        "n_e": len(h.hyperedges),
        "t": situation.time,
        "started": int(situation.section == "body"),
    }
    functions = {"weight": dict(enumerate(situation.weights, start=1))}
    for name, value in situation.inputs.items():
        if isinstance(value, tuple):
            functions[f"input {name}"] = dict(enumerate(value, start=1))
        else:
            variables[f"input {name}"] = value
    functions["quarter square"] = {row: row * row // 4 for row in range(size)}
    for state in meaning.program.states:
        if state.type.scope is Scope.SCALAR:
            variables[f"state {state.name}"] = situation.integer(situation.states[state.name])
        else:
            functions[f"state {state.name}"] = situation.entries(state.type.scope, situation.states[state.name])
    for number, column in enumerate(layout.columns if layout is not None else ()):
        functions[f"left in {column.name}"] = {row: int(X[number]) for row, X in enumerate(situation.X[0])}
    known = Valuation(variables, functions)
    for name, each in _in_order(meaning, rows or size, _extent(meaning)):
        if isinstance(each, Operand | Result):
            _put(variables, functions, each, known, rows or size)
        elif isinstance(each, Search):
            variables[name] = _found(each, known, rows or size)
        elif isinstance(each, MeanSymbol):
            variables[name] = _averaged(each, known, situation)
        else:
            functions[name] = _summed(each, known, h)
    return known


def _extent(meaning):
    """How many symbols there are: they become more as a proof goes on."""
    return tuple(map(len, (meaning.searches, meaning.products, meaning.means, meaning.operands, meaning._arithmetic)))


@lru_cache(maxsize=8)
def _in_order(meaning, rows, _):
    """The symbols whose values follow from others, each after those that it needs."""
    waiting = {
        each.name: each for table in (meaning.searches, meaning.products, meaning.means) for each in table.values()
    }
    waiting |= {symbol.name: Operand(symbol, value) for symbol, value in meaning.operands.items()}
    waiting |= {made.name: made for made in _results(meaning)}
    needs = {name: _needs(each, rows) for name, each in waiting.items()}
    found = []
    while waiting:
        ready = [name for name in waiting if not needs[name] & waiting.keys()]
        assert ready, f"{', '.join(waiting)} need each other"
        found += [(name, waiting.pop(name)) for name in ready]
    return found


@dataclass(frozen=True)
class Operand:
    """What is multiplied or divided: its symbol, and what it is."""

    symbol: object
    value: object

    def parts(self, row):
        return [self.value(row)]

    def of(self, value):
        return value


@dataclass(frozen=True)
class Result:
    """A product or quotient: its symbol, what it is made of, and how."""

    symbol: object
    parts: object
    of: object

    @property
    def name(self):
        return self.symbol.name


def _results(meaning):
    """By Python's own arithmetic: nothing of the proof's lemmas is used."""
    for made in meaning._arithmetic.values():
        if isinstance(made, Dividing):
            yield Result(made.quotient, lambda row, made=made: [made.a.at(row), made.by(row)], lambda a, b: a // b)
        product = made.taken if isinstance(made, Dividing) else made
        if product is not None:
            yield Result(product.made, lambda row, it=product: [it.a.at(row), it.b.at(row)], lambda a, b: a * b)


def _put(variables, functions, each, known, size):
    rows = [constant(row) for row in range(size)]
    found = [each.of(*map(known.of(parts).term, parts)) for parts in map(each.parts, rows)]
    if each.symbol.scalar:
        variables[each.symbol.name] = found[0]
    else:
        functions[each.symbol.name] = dict(enumerate(found))


def _terms(each, row):
    if isinstance(each, Operand | Result):
        return each.parts(row)
    return [each.x(row), each.candidate(row)] if isinstance(each, Search) else [each.x(row)]


def _needs(each, size):
    atoms = atoms_of([term for row in range(size) for term in _terms(each, constant(row))])
    return {atom.name for atom in atoms}


def _found(search, known, size):
    best = None
    for row in range(size):
        x, candidate = _terms(search, constant(row))
        at = known.of([x, candidate])
        if at.formula(candidate):
            key = {"least": at.term(x), "greatest": -at.term(x), "first": 0}[search.mode]
            best = min(best or (key, row), (key, row))
    return best[1] if best else 0


def _summed(product, known, h):
    found = {}
    members = {"tails": h.tails_of, "heads": h.heads_of}.get(product.matrix.removesuffix("_transposed"), h.members_of)
    by_vertex = {h.vertex_number(v) + 1: [] for v in h.vertices}
    by_edge = {}
    for e in h.hyperedges:
        rows = [h.vertex_number(v) + 1 for v in members(e)]
        by_edge[h.hyperedge_number(e) + 1] = rows
        for row in rows:
            by_vertex[row].append(h.hyperedge_number(e) + 1)
    for row, others in (by_edge if product.matrix.endswith("transposed") else by_vertex).items():
        terms = [product.x(constant(other)) for other in others]
        at = known.of(terms)
        found[row] = sum(at.term(term) for term in terms)
    return found


def _averaged(mean, known, situation):
    """The sum, divided by the number of rows: without rest, or it is no mean of the language."""
    terms = [mean.x(constant(row)) for row in range(1, situation.count(mean.scope) + 1)]
    if not terms:
        return 0
    whole, rest = divmod(sum(map(known.of(terms).term, terms)), len(terms))
    assert rest == 0
    return whole


def at_row(known, **rows):
    """The same values, with the rows that a statement speaks of."""
    return Valuation({**known.variables, **{f"row {name}": row for name, row in rows.items()}}, known.functions)


def small_runs(model, count, seed, size=4):
    """Random small hypergraphs that fit a model, some as heavy as it allows, with random inputs and padding."""
    draw, rng, program = random.Random(seed), np.random.default_rng(seed), program_of(model)
    size = min(size, model.capacity.rows)
    found = []
    for drawn in hypergraphs(seed, vertices=size, hyperedges=size, directed=model.layout.directed):
        if max(len(drawn.vertices), len(drawn.hyperedges)) > size:
            continue
        heavy = tuple(Fraction(draw.choice([1, 2, model.capacity.weight])) for _ in drawn.hyperedges)
        fits = max(drawn.integer_weights()[0], default=1) <= model.capacity.weight
        h = drawn if fits and draw.random() < 0.5 else replace(drawn, weights=heavy)
        given = random_inputs(program, h, rng)
        if given is not None:
            lengths = [each.name for each in program.inputs if each.type == Type(Kind.LENGTH)]
            given |= {name: draw.randint(0, min(3, model.capacity.weight)) * h.integer_weights()[1] for name in lengths}
            room = model.capacity.rows - max(len(h.vertices), len(h.hyperedges), 1)
            found.append((h, given, draw.randint(0, min(2, room))))
        if len(found) == count:
            return found
    return found
