"""Random programs with loops in loops, `each` and `otherwise`."""

from __future__ import annotations

from random import Random
from typing import Any

from fuzz.generate import Growing, asked, bound, first_value, output
from fuzz.syntax import Expr, Source, Statement


class Nesting:
    """A program that is being made: blocks in blocks."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.growing = rng, Growing(rng, directed=rng.random() < 0.3)
        self.states: list[list[Any]] = []

    def state(self, kind: str, scope: str, first: Any) -> str:
        """A new state."""
        name = self.growing.name("s")
        self.states.append([name, kind, scope, first])
        return name

    def some(self, most: int, *, looping: bool) -> list[Statement]:
        """A few statements without loops; sometimes both branches of a condition."""
        found: list[Statement] = []
        for _ in range(self.rng.randint(0, most)):
            if self.rng.random() < 0.2:
                scope = self.rng.choice("sve")
                flag = self.growing.expr("flag", scope, 1, constant=False)
                found.append(["when", flag, [self.growing.assignment(1, scope)]])
                found.append(["otherwise", [self.growing.assignment(1, scope)]])
            else:
                found.append(self.growing.statement(1, "s", looping=looping and self.rng.random() < 0.3))
        return found

    def block(self, level: int, *, looping: bool) -> list[Statement]:
        """The statements of a loop: some, and inner loops between them."""
        found = self.some(2, looping=looping)
        for _ in range(self.rng.choice([0, 1, 1, 2]) if level < 3 else 0):
            found += self.held(level) if self.rng.random() < 0.25 else self.inner(level)
            found += self.some(2, looping=looping)
        return found

    def held(self, level: int) -> list[Statement]:
        """A loop in a condition, sometimes with another one in the other branch."""
        flag = self.growing.expr("flag", "s", 1, constant=False)
        found: list[Statement] = [["when", flag, [*self.some(1, looping=False), *self.inner(level)]]]
        found[0][-1] += self.some(1, looping=False)
        self.growing.lets = {}
        if self.rng.random() < 0.3:
            found.append(["otherwise", self.inner(level)])
        return found

    def inner(self, level: int) -> list[Statement]:
        """A loop. What was named outside is not used inside, nor the other way round."""
        self.growing.lets = {}
        if self.rng.random() < 0.35:
            side = self.rng.choice("ve")
            name = self.growing.name("v")
            self.growing.states[name] = ({"v": "vertex", "e": "hyperedge"}[side], "each")
            made: list[Statement] = [["each", side, name, self.block(level + 1, looping=False)]]
        else:
            made = self.counted(level)
        self.growing.lets = {}
        return made

    def counted(self, level: int) -> list[Statement]:
        """A loop that stops on a flag, or after some rounds: then a state counts, and is reset before, or not."""
        at_most = self.rng.choice([1, 2, 3, 4, ["+", self.rng.choice("ve"), 1], ["+", self.rng.choice("ve"), 2]])
        if self.rng.random() < 0.3:
            stop: list[Statement] = [["stop", self.growing.expr("flag", "s", 1)]]
            return [["loop", at_most, [*self.block(level + 1, looping=True), *stop]]]
        counter = self.state("count", "s", 0)
        steps: Expr = ["state", counter]
        counts: list[Statement] = [["assign", counter, ["add", steps, ["const", "count", 1]], None]]
        ends: list[Statement] = [["stop", ["ge", steps, ["const", "count", self.rng.choice([1, 1, 2, 3])]]]]
        body = self.block(level + 1, looping=self.rng.random() < 0.3)
        body = [*counts, *body, *ends] if self.rng.random() < 0.6 else [*counts, *ends, *body]
        reset: list[Statement] = [["assign", counter, ["const", "count", 0], None]]
        return [*(reset if self.rng.random() < 0.8 else []), ["loop", at_most, body]]


def nested(rng: Random) -> Source:
    """A program with loops in loops."""
    made = Nesting(rng)
    inputs = asked(made.growing)
    for _ in range(rng.randint(2, 4)):
        kind, scope = rng.choice(["flag", "count", "length", "vertex", "hyperedge"]), rng.choice("sve")
        name = made.state(kind, scope, first_value(rng, kind))
        made.growing.states[name] = (kind, scope)
    rounds = made.state("count", "s", 0)
    steps: Expr = ["state", rounds]
    before = made.some(2, looping=False) if rng.random() < 0.5 else []
    made.growing.lets = {}
    counts: list[Statement] = [["assign", rounds, ["add", steps, ["const", "count", 1]], None]]
    ends: list[Statement] = [["stop", ["ge", steps, ["const", "count", rng.choice([1, 2, 2, 3])]]]]
    body = [*counts, *made.some(1, looping=True), *made.inner(1), *made.some(1, looping=True), *ends]
    made.growing.states = {name: (kind, scope) for name, kind, scope, _ in made.states}
    outputs = [output(rng, made.growing, name) for name, *_ in made.states]
    pointers = [name for name, kind, scope, _ in made.states if scope == "s" and kind in {"vertex", "hyperedge"}]
    arrays = [name for name, _, scope, _ in made.states if scope != "s"]
    if pointers and arrays:
        outputs.append(["streamed", "stream", rng.choice(arrays), rng.choice(pointers)])
    return Source(made.states, body, bound(rng), before, inputs, outputs)
