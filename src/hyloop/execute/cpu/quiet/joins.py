"""Numbers of the iteration that stand on one another are one number where rows add them up.

Comparisons of numbers are compiled to ReLUs, too: `relu(x) - relu(x - 1)` is 0 or 1, whatever x is. A row that adds up
both has a box for each, and from two boxes its sum could be anything. As one number, it has the box of a flag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import gcd

from hyloop.execute.cpu.expressions import Expression, Formulas, Ref, Sum, Value
from hyloop.execute.cpu.plan import LayerPlan, Plan

Terms = tuple[tuple[Ref, float], ...]


def joined(plan: Plan) -> Plan:
    """The same plan, with a node for each sum of numbers that stand on the same sum."""
    return replace(plan, layers=tuple(map(_layer, plan.layers)))


def _layer(layer: LayerPlan) -> LayerPlan:
    return replace(layer, body=_program(layer.body, layer.is_vector))


def _program(program: Formulas, is_vector: Callable[[Ref], bool]) -> Formulas:
    place: dict[Ref, Ref] = {}
    nodes: list[Expression] = []
    made: dict[frozenset[tuple[Ref, float]], Ref] = {}

    def added(of: Expression) -> Ref:
        nodes.append(of)
        return Ref("node", len(nodes) - 1)

    def moved(terms: Sequence[tuple[Ref, float]]) -> Terms:
        return tuple((place.get(ref, ref), weight) for ref, weight in terms)

    def join(part: Terms) -> Ref:
        if (key := frozenset(part)) not in made:
            made[key] = added(Expression(Sum(0.0, moved(part)), relu=False, vector=False))
        return made[key]

    for number, node in enumerate(program.nodes):
        numbers = [term for term in node.of.terms if not is_vector(term[0])]
        parts = _parts(program, numbers) if node.vector else []
        alone = [term for term in node.of.terms if not any(term in part for part in parts)]
        terms = (*moved(alone), *((join(part), 1.0) for part in parts))
        place[Ref("node", number)] = added(replace(node, of=Sum(node.of.constant, terms)))

    def value(of: Value) -> Value:
        return place.get(of, of) if isinstance(of, Ref) else of

    return Formulas(tuple(nodes), tuple(map(value, program.new)))


def _parts(program: Formulas, terms: Sequence[tuple[Ref, float]]) -> list[Terms]:
    """The terms of a sum that stand on the same sum of numbers: two or more, each time."""
    groups: dict[frozenset[tuple[Ref, float]], list[tuple[Ref, float]]] = {}
    for ref, weight in terms:
        groups.setdefault(_stands_on(program, ref), []).append((ref, weight))
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _stands_on(program: Formulas, ref: Ref) -> frozenset[tuple[Ref, float]]:
    """What moves a number: the terms of its sum, up to a factor."""
    terms = sorted(program.nodes[ref.number].of.terms) if ref.space == "node" else [(ref, 1.0)]
    by = gcd(*(int(weight) for _, weight in terms)) * (1 if terms[0][1] > 0 else -1)
    return frozenset((each, weight / by) for each, weight in terms)
