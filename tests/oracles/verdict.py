"""A run of an algorithm against its oracles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import hyloop
import oracles
from hyloop import Hypergraph, Result
from hyloop.algorithms import ALGORITHMS
from hyloop.result import Stream
from oracles.sets import UnsuitedError


def disagreements(name: str, H: Hypergraph, inputs: Mapping[str, Any], *, skip: tuple[str, ...] = ()) -> list[str]:
    """Run an algorithm; a sentence for every oracle that says otherwise, and for iterations out of bounds."""
    result = hyloop.run(name, H, **inputs)
    return list(differences(result, inputs, skip=skip))


def differences(result: Result, inputs: Mapping[str, Any], *, skip: tuple[str, ...] = ()) -> Iterator[str]:
    """The same for a run that is over. Oracles in `skip` (too slow here) and unsuited ones are left out."""
    return compared(result, inputs, answers(result.algorithm, result.hypergraph, inputs, skip=skip))


def answers(
    name: str, H: Hypergraph, inputs: Mapping[str, Any], *, skip: tuple[str, ...] = ()
) -> Mapping[str, Mapping[str, Any]]:
    """What each oracle says, of those that can judge this input."""
    said = {}
    for who, oracle in oracles.ORACLES[name].items():
        if who not in skip:
            with suppress(UnsuitedError):
                said[who] = oracle(H, **inputs)
    return said


def compared(result: Result, inputs: Mapping[str, Any], said: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for everything in which a run differs from what the oracles said."""
    for who, answer in said.items():
        for output, expected in answer.items():
            if shaped(result[output]) != expected:
                yield f"{output}: {who} says {expected}, the run {shaped(result[output])}"
    yield from _iterations(result, inputs)


def _iterations(result: Result, inputs: Mapping[str, Any]) -> Iterator[str]:
    H = result.hypergraph
    allowed = oracles.ITERATIONS[result.algorithm](H, **inputs)
    declared = ALGORITHMS[result.algorithm].program.most_iterations(len(H.vertices), len(H.hyperedges))
    if result.iterations not in allowed or result.iterations > declared or not result.halted:
        yield f"iterations: {result.iterations}, expected in {allowed}, declared at most {declared}"


def shaped(output: Any) -> Any:
    """An output in the form in which oracles answer: a stream as a list of (label, values)."""
    return [(entry.about, dict(entry.values)) for entry in output.entries] if isinstance(output, Stream) else output
