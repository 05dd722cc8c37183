"""Programs of any number of operations, each with one structure that costs a compiler dear."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, argmin, first, when, where
from hyloop.lang.program import Program

ITERATIONS = 3


def _program(body: Callable) -> Program:
    """A program whose loop makes its states with `body`, and stops after a few iterations."""

    def large(h):
        clock = h.state(Count, 0)
        states, work = body(h)
        with h.loop(at_most=ITERATIONS + 1) as loop:
            work()
            loop.stop_when(clock == ITERATIONS - 1)
            clock.assign(clock + 1)
        return Outputs(**{f"output_{place}": state for place, state in enumerate(states)})

    return algorithm(large).program


def chain(operations: int) -> Program:
    """One attention after the other."""

    def body(h):
        x = h.vertices.state(Flag, False)

        def work():
            value = h.vertices.number == h.vertices.first
            for _ in range(operations // 2):
                value = h.covered(h.touching(value))
            x.assign(value)

        return [x], work

    return _program(body)


def heads(operations: int) -> Program:
    """Many heads that do not depend on each other."""

    def body(h):
        states = [h.vertices.state(Flag, False) for _ in range(operations // 5)]

        def work():
            for state in states:
                state[first(~state)] = True

        return states, work

    return _program(body)


def fan(operations: int) -> Program:
    """One value, and many heads that need it in different ways."""

    def body(h):
        x = h.vertices.state(Count, 1)
        states = [h.hyperedges.state(Flag, False) for _ in range(operations // 3)]

        def work():
            for place, state in enumerate(states):
                state.assign(h.touching(x == place))
            x.assign(x + 1, where=h.vertices.every & any(states[0]))

        return [x, *states], work

    return _program(body)


def nest(operations: int) -> Program:
    """A long nest of `where` with masks that are there from the start."""

    def body(h):
        x = h.vertices.state(Count, 1)

        def work():
            value = x
            for place in range(operations // 3):
                value = where(x == place, place + 1, value)
            x.assign(value)

        return [x], work

    return _program(body)


def ladder(operations: int) -> Program:
    """A long nest of `where`, each of which looks at the one before it."""

    def body(h):
        x = h.vertices.state(Count, 1)

        def work():
            value = x
            for place in range(operations // 4):
                value = where(value == place, value + 1, value)
            x.assign(where(value < 9, value, 0))

        return [x], work

    return _program(body)


def long_sum(operations: int) -> Program:
    """A sum of many values, through the incidence."""

    def body(h):
        states = [h.vertices.state(Count, place % 2) for place in range(10)]

        def work():
            total = states[0]
            for place in range(operations):
                total = total + states[place % 10]
            states[0].assign(1, where=h.covered(h.incidence.T @ total > operations))

        return states, work

    return _program(body)


def doubling(operations: int) -> Program:
    """A chain that is a tree of 2ⁿ leaves to whoever does not see that its values are shared."""

    def body(h):
        x = h.vertices.state(Count, 1)

        def work():
            value = x
            for place in range(operations):
                value = where(value < place, x, 1) if place % 30 == 29 else value + value
            x.assign(where(value < 3, 1, 2))

        return [x], work

    return _program(body)


def clauses(operations: int) -> Program:
    """Many conditional statements, each with reads and an assignment of its own."""

    def body(h):
        states = [h.vertices.state(Count, 0) for _ in range(operations // 6)]
        at = h.state(Vertex)

        def work():
            for place, state in enumerate(states):
                with when(state[at] <= states[place - 1][at]):
                    state.assign(state + 1)
            at.assign(argmin(states[0])[0])

        return [*states, at], work

    return _program(body)


SHAPES: Mapping[str, Callable[[int], Program]] = {
    "chain": chain,
    "heads": heads,
    "fan": fan,
    "nest": nest,
    "ladder": ladder,
    "long sum": long_sum,
    "doubling": doubling,
    "clauses": clauses,
}
