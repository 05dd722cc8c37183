"""A failing case made smaller, as long as it fails in the same way: delta debugging on statements and expressions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fuzz.syntax import BLOCKS, Case, walk

LEAVES: list[list[Any]] = [["every", "v"], ["every", "e"], ["weight"], ["number", "v"], ["number", "e"]]
LEAVES += [["const", "flag", True], ["const", "flag", False], ["const", "count", 1], ["const", "length", 0]]
STATEMENTS = {"let", "pair", "assign", "put", "stop", *BLOCKS}


def minimised(case: Case, fails: Callable[[Case], bool], seconds: float = 60.0) -> Case:
    """The smallest case that was found in time. `fails` must hold of `case`."""
    end = time.monotonic() + seconds
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in candidates(case):
            if time.monotonic() > end:
                return case
            if weight(smaller) < weight(case) and fails(smaller):
                case, shrunk = smaller, True
                break
    return case


def weight(case: Case) -> tuple[int, int]:
    """How large a case is: what is written down, then how odd it is."""
    source = case.source
    written = sum(1 for part in walk([source.before, source.body, source.at_most]) if part[0] != "const" or part[2])
    named = 3 * len(source.states) + len(source.inputs) + len(source.outputs)
    plain = (case.heads != 3) + (case.schedule != "packed") + (case.dtype != "float64") + (case.capacity is not None)
    size = case.vertices + len(case.hyperedges) + sum(map(len, case.hyperedges)) + sum(w != "1" for w in case.weights)
    values = sum(1 for value in case.inputs.values() if value) + sum(1 for s in source.states if s[3])
    return 10 * written + 10 * named + plain + size, values + len(str(source.at_most))


def candidates(case: Case) -> Iterator[Case]:
    """Cases that are one step smaller, the large steps first."""
    yield from fewer_statements(case)
    yield from simpler_frame(case)
    yield from map(with_arrays_that_fit, smaller_graph(case))
    yield from simpler_expressions(case)


def _with(case: Case, **changes: Any) -> Case:
    return replace(case, source=replace(case.source, **changes))


def fewer_statements(case: Case) -> Iterator[Case]:
    """Without one statement, or with what stands in a `when` in its place."""
    for part in ("before", "body"):
        for smaller in _shorter(getattr(case.source, part)):
            yield _with(case, **{part: smaller})


def _shorter(statements: list[Any]) -> Iterator[list[Any]]:
    for number, statement in enumerate(statements):
        head, tail = statements[:number], statements[number + 1 :]
        yield head + tail
        if statement[0] in BLOCKS:
            yield [*head, *statement[-1], *tail]
            for inside in _shorter(statement[-1]):
                yield [*head, [*statement[:-1], inside], *tail]
        if statement[0] == "assign" and statement[3] is not None:
            yield [*head, [*statement[:3], None], *tail]


def simpler_frame(case: Case) -> Iterator[Case]:
    """Without an output, state or input; with plainer options."""
    source = case.source
    for number in range(len(source.outputs)):
        if len(source.outputs) > 1:
            yield _with(case, outputs=source.outputs[:number] + source.outputs[number + 1 :])
    for output in source.outputs:
        if output[1] != "list":
            yield _with(case, outputs=[[output[0], "state", output[2]]])
    for state in source.states:
        left = [s for s in source.states if s is not state]
        if left:
            yield _with(
                case,
                states=left,
                bounds={k: v for k, v in source.bounds.items() if k != state[0]},
                outputs=[o for o in source.outputs if state[0] not in str(o)] or [["o", "state", left[0][0]]],
            )
        if state[3] not in {False, None}:
            zero = {"flag": False, "count": 0, "length": 0}.get(state[1])
            yield _with(case, states=[[*s[:3], zero] if s is state else s for s in source.states])
    for name, *_ in source.inputs:
        left = [i for i in source.inputs if i[0] != name]
        yield replace(_with(case, inputs=left), inputs={k: v for k, v in case.inputs.items() if k != name})
    for name in source.bounds:
        yield _with(case, bounds={k: v for k, v in source.bounds.items() if k != name})
    for bound in (1, 2):
        yield _with(case, at_most=bound)
    for change in ({"heads": 3}, {"schedule": "packed"}, {"dtype": "float64"}, {"capacity": None}):
        yield replace(case, **change)  # type: ignore[arg-type]


def smaller_graph(case: Case) -> Iterator[Case]:
    """Without a hyperedge, vertex or incidence; without directions; with plainer weights."""
    if case.tails is not None:
        yield replace(case, tails=None, leads=None)
    for number in range(len(case.hyperedges)):
        edges, weights = list(case.hyperedges), list(case.weights)
        del edges[number], weights[number]
        tails, leads = (side and side[:number] + side[number + 1 :] for side in (case.tails, case.leads))
        yield replace(case, hyperedges=edges, weights=weights, tails=tails, leads=leads)
    if case.vertices:
        last = case.vertices - 1
        yield replace(case, vertices=last, hyperedges=[[v for v in e if v != last] for e in case.hyperedges])
    for number, members in enumerate(case.hyperedges):
        for vertex in members:
            edges = list(case.hyperedges)
            edges[number] = [v for v in members if v != vertex]
            yield replace(case, hyperedges=edges)
    for number, heavy in enumerate(case.weights):
        if heavy != "1":
            yield replace(case, weights=[*case.weights[:number], "1", *case.weights[number + 1 :]])


def with_arrays_that_fit(case: Case) -> Case:
    """The inputs for fewer rows: arrays lose their last entries, and pointers beyond the last row are none."""
    counts = {"vertex": case.vertices, "hyperedge": len(case.hyperedges)}
    inputs = dict(case.inputs)
    for name, kind, _, *scope in case.source.inputs:
        if scope:
            rows = inputs[name][: counts[{"v": "vertex", "e": "hyperedge"}[scope[0]]]]
            last = counts.get(kind)
            inputs[name] = [None if last is not None and x is not None and x >= last else x for x in rows]
    return replace(case, inputs=inputs)


def simpler_expressions(case: Case) -> Iterator[Case]:
    """With one expression replaced by a part of it, by a state or by a literal."""
    source = case.source
    leaves = [["state", s[0]] for s in source.states] + LEAVES
    for part in ("before", "body"):
        for smaller in _replaced(getattr(source, part), leaves):
            yield _with(case, **{part: smaller})


def is_expression(tree: list[Any]) -> bool:
    """Whether this is an expression, not a statement; `let` is the name of one of each."""
    return (
        bool(tree) and isinstance(tree[0], str) and (tree[0] not in STATEMENTS or (tree[0] == "let" and len(tree) == 2))
    )


def _replaced(tree: Any, leaves: list[Any]) -> Iterator[Any]:
    """The tree with one expression in it replaced."""
    if not isinstance(tree, list):
        return
    if is_expression(tree) and tree[0] not in {"const", "state"}:
        yield from (part for part in tree[1:] if isinstance(part, list))
        if tree[0] in {"let", "input"} or any(isinstance(part, list) for part in tree):
            yield from leaves
    for number, part in enumerate(tree):
        for smaller in _replaced(part, leaves):
            yield [*tree[:number], smaller, *tree[number + 1 :]]


def lines(statements: list[Any]) -> int:
    """How many statements there are, those in blocks included."""
    return sum(1 + (lines(statement[-1]) if statement[0] in BLOCKS else 0) for statement in statements)
