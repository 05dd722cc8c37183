"""One input on executors that only a share of the programs meets: the bits of dense after every iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from fuzz import runs
from fuzz.companions import inputs_by_name
from fuzz.generate import directions
from fuzz.runs import Trial, fits, hypergraph_of, labels_of, require, same_bits
from fuzz.syntax import Case, is_directed
from hyloop.errors import CapacityError
from hyloop.execute import cpu, dense
from hyloop.execute.columns import Columns
from hyloop.execute.cpu import engines
from hyloop.execute.cpu.native import gather
from hyloop.execute.cpu.quiet import relay
from hyloop.execute.encode import (
    encode_by_column,
    encode_by_column_without_inputs,
    encode_without_inputs,
)
from hyloop.execute.gathering import Gathered, Gathering, Wanted
from hyloop.execute.prepare import Encoded, encoded, frame_of, prepare, with_inputs
from hyloop.execute.session import Mirror
from hyloop.execute.watch import Watched
from hyloop.lang.kinds import Kind, Scope
from hyloop.machine.layout import state_column

FEW = 8  # iterations on many rows, which dense takes its time for
MANY_ROWS = ((520, 30), (40, 700), (600, 600), (900, 20))


def followed(trial: Trial, what: str, session: Any, first: int = 0) -> None:
    """Advance a session that is at iteration `first`, and compare after every iteration."""
    for number in range(first + 1, len(trial.states) + 1):
        session.advance(1)
        trial.same(what, number, session.state())
        require(session.iterations().tolist(), [number - first], "iterations", what)
        halted = bool(trial.states[number - 1][0, trial.model.layout.number(trial.model.layout.halt)] == 1)
        require(session.halted().tolist(), [halted], "halted", f"{what}, iteration {number}")
    session.close()


def in_blocks(trial: Trial) -> int:
    """The formulas, a row or a few at a time: in the least memory that is enough, and in some more."""
    memory, most = 2**10, trial.drawn("blocks").choice([1, 2, 3])
    for _ in range(40):
        with suppress(CapacityError):
            followed(trial, "dense", dense.start(trial.model, *trial.start, memory=memory))
            most -= 1
        if not most:
            return 1
        memory += memory // 4
    return 0


def layer_by_layer(trial: Trial) -> int:
    """The layers that a recording shows: with the attention of every head, and the states between them."""
    X, incidence = trial.start
    watched = Watched(trial.model, incidence, len(X))
    session = dense.start(trial.model, X, incidence, layers=True)
    for number, wanted in enumerate(trial.states, start=1):
        session.advance(1)
        found = [state for state, _ in watched.iteration(X.astype(trial.model.dtype))]
        for layer, (state, other) in enumerate(zip(found, session.after_layers(), strict=True), start=1):
            # Between layers a sum may be -0 here: equal numbers are asked for, and the state's bits at the end.
            same_bits(trial.model, f"iteration {number}, layer {layer}", state + 0, other[0] + 0)
        trial.same("layers", number, found[-1])
        X = wanted
    return 1


def by_columns(trial: Trial) -> int:
    """A first state by its columns, as on many rows; also with the inputs added later, and as a whole again."""
    X, incidence = trial.start
    frame = frame_of(trial.run.given, trial.padding)
    plain = encode_by_column(trial.model, frame)
    without = encode_by_column_without_inputs(trial.model, frame)
    later = with_inputs(Encoded(trial.model, without, incidence), trial.run.given).first if not trial.padding else plain
    begun = encode_without_inputs(trial.model, frame)
    whole = with_inputs(Encoded(trial.model, begun, incidence), trial.run.given).first if not trial.padding else X
    for what, first in (("by columns", plain), ("inputs later", later), ("as a whole, inputs later", whole)):
        state = first.whole() if isinstance(first, Columns) else first
        same_bits(trial.model, f"first state {what}", np.ascontiguousarray(state) + 0, np.ascontiguousarray(X) + 0)
    for name in trial.engines:
        followed(trial, f"{name}, by columns", cpu.start(trial.model, plain, incidence, engine=name))
        followed(trial, f"{name}, inputs later", cpu.start(trial.model, later, incidence, engine=name))
    return 1


def strides(trial: Trial, purpose: str) -> Iterator[tuple[int, int]]:
    """The run in stretches: how many iterations to advance, and how many have been run then."""
    rng, done = trial.drawn(purpose), 0
    while done < len(trial.states):
        more = min(rng.choice([1, 1, 2, 5, 40]), len(trial.states) - done)
        done += more
        yield more, done


def mirrored(trial: Trial) -> int:
    """The state brought up to date by what has changed, and one column at a time."""
    for name in trial.engines:
        session, other = (cpu.start(trial.model, *trial.start, engine=name) for _ in range(2))
        mirror = Mirror(session)
        for more, done in strides(trial, f"mirrored {name}"):
            session.advance(more)
            other.advance(more)
            trial.same(f"{name}, changes", done, mirror.state().copy())
            column = Mirror(other).by_column()
            rows, count = trial.states[0].shape
            found = np.stack([np.asarray(column(number, rows)) for number in range(count)], axis=1)
            trial.same(f"{name}, by column", done, found)
    return 1


def wanted_streams(trial: Trial) -> list[Wanted]:
    """Some pairs of a pointer and an array of the program, as a stream has them; also what no output streams."""
    number, counts = trial.model.layout.number, trial.run.given.counts
    states = trial.run.program.states
    pointers = [each for each in states if each.type.scope is Scope.SCALAR and each.type.kind.is_pointer]
    arrays = [each for each in states if each.type.scope is not Scope.SCALAR]
    found = [
        Wanted(
            number(state_column(of.name)),
            number(state_column(state.name)),
            counts[0 if state.type.scope is Scope.VERTICES else 1],
            trial.model.infinity if state.type.kind is Kind.LENGTH else 0,
        )
        for of in pointers
        for state in arrays
    ]
    return trial.drawn("streams").sample(found, min(len(found), 3))


def entries_of(wanted: Wanted, states: Sequence[Any]) -> list[tuple[float, list[int], list[float]]]:
    """What a stream has of some states: what each is about, places and values."""
    found = []
    for X in states:
        rows = X[1 : 1 + wanted.rows, wanted.column]
        places = np.flatnonzero(rows != wanted.absent)
        if X[0, wanted.of]:
            found.append((float(X[0, wanted.of]), places.tolist(), rows[places].tolist()))
    return found


def unpacked(stretches: list[Gathered]) -> list[tuple[float, list[int], list[float]]]:
    """What was gathered, in the same form."""
    found = []
    for each in stretches:
        for about, begin, end in zip(each.about, [0, *each.ends], each.ends, strict=False):
            found.append((float(about), each.places[begin:end].tolist(), each.values[begin:end].tolist()))
    return found


def gathered(trial: Trial) -> int:
    """What streams gather while a session runs: by native code, whose room is small here, and from the state."""
    wanted = wanted_streams(trial)
    if not wanted:
        return 0
    for name in trial.engines:
        with patch.object(gather, "SPACE", trial.drawn("space").choice([1, 3, 2**16])):
            gathering = Gathering(cpu.start(trial.model, *trial.start, engine=name), wanted)
            stretches = []
            for more, done in strides(trial, f"gathered {name}"):
                gathering.advance(more)
                stretches += gathering.taken()
                trial.same(f"{name} that gathers", done, gathering.state())
        for place, each in enumerate(wanted):
            found = unpacked([stretch[place] for stretch in stretches])
            require(found, entries_of(each, trial.states), "another stream", f"{name}, stream {place}")
    return 1


def resumed(trial: Trial) -> int:
    """A run that another engine goes on with from a state."""
    rng = trial.drawn("resumed")
    _, incidence = trial.start
    for _ in range(2):
        name, at = rng.choice(("dense", *trial.engines)), rng.randrange(len(trial.states))
        state = trial.states[at].copy()
        session = dense if name == "dense" else cpu
        options = {} if name == "dense" else {"engine": name}
        what = f"{name} from iteration {at + 1}"
        followed(trial, what, session.start(trial.model, state, incidence, **options), at + 1)  # type: ignore[attr-defined]
    return 1


def eager(stack: ExitStack, awake: int) -> None:
    """A relay that changes its engines as soon as it can, whatever that takes: seconds decide nothing."""
    for name, value in {
        "AGAIN": -1.0,
        "BEGINS": 0.0,
        "COMPILES": -1.0,
        "SETTLED": 1,
        "MANY": 2,
        "AWAKE": awake,
    }.items():
        stack.enter_context(patch.object(relay, name, value))
    stack.enter_context(patch.object(engines, "ROWS", 0))


def relayed(trial: Trial) -> int:
    """The default engine, from all rows to those that are awake and back: it looks after the first iteration."""
    if not trial.quiet:
        return 0
    relay.experience_of.cache_clear()
    for awake in (0, 1):
        with ExitStack() as stack:
            eager(stack, awake)
            session = cpu.start(trial.model, *trial.start)
            for more, done in strides(trial, f"relayed {awake}"):
                session.advance(more)
                trial.same("relay", done, session.state())
    relay.experience_of.cache_clear()
    return 1


def many_rows(trial: Trial) -> int:
    """More rows than a relay or a state by columns begin with, by everything that `hyloop.run` decides itself."""
    case = large(trial.run.case, trial.drawn("many rows"))
    if case is None:
        return 0
    given = prepare(trial.run.program, hypergraph_of(case, trial.run.program), labels_of(case))
    if not fits(replace(trial.run, case=case, given=given), trial.model):
        return 0
    begin = encoded(trial.model, given)
    most = min(trial.run.program.most_iterations(*given.counts), FEW)
    states = runs.states_alone(trial.model, begin.X, begin.incidence, most)[1:]
    wide = replace(trial, run=replace(trial.run, case=case, given=given), padding=0, states=states)
    followed(wide, "many rows, by default", begin.start("cpu"))
    for name in trial.engines:
        followed(wide, f"many rows, {name}", cpu.start(trial.model, begin.first, begin.incidence, engine=name))
    relayed(wide)
    return 1


def large(case: Case, rng: Random) -> Case | None:
    """The case with a hypergraph of many rows."""
    vertices, count = rng.choice(MANY_ROWS)
    hyperedges = [sorted(rng.sample(range(vertices), rng.choice([0, 1, 2, 3, 5]))) for _ in range(count)]
    inputs = inputs_by_name(case.source, rng.random(), vertices, count)
    if inputs is None:
        return None
    sides = directions(rng, hyperedges) if is_directed(case.source) else (None, None)
    weights = [rng.choice(["1", "2", "3"]) for _ in range(count)]
    made = replace(case, vertices=vertices, hyperedges=hyperedges, weights=weights, inputs=inputs)
    return replace(made, tails=sides[0], leads=sides[1])
