"""An output for many inputs of one hypergraph, where they can run side by side (`execute/cpu/lanes`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.errors import ModelError
from hyloop.execute.cpu.lanes.engine import Block, Lanes, LeftError, Tables, lanes_for, widened
from hyloop.execute.decode import columns_of, write_array
from hyloop.execute.encode import encode, encode_columns
from hyloop.execute.prepare import Encoded, Given, frame_of
from hyloop.lang.program import InputValue, Output, Program

AGAIN = 4  # how often boxes are made wider before inputs run one by one

Inputs = Sequence[Mapping[str, InputValue]]
Part = tuple[int, int]  # the first input, and the one after the last
Rows = Callable[[int, int], npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Many:
    """One output of a program, for many inputs. `begin` is what was encoded without inputs."""

    program: Program
    output: Output
    given: Given
    begin: Encoded

    def matrix(self, inputs: Inputs, whole: npt.NDArray[Any], threads: int, alone: Rows) -> None:
        """Write a row of `whole` for every input. `alone` computes those that cannot run with others."""
        chosen = sorted({0, len(inputs) // 2, len(inputs) - 1, self._largest(inputs)})
        lanes = lanes_for(
            self.begin.model,
            self.begin.X,
            self.begin.incidence,
            frozenset(columns_of(self.begin.model, self.output).values()),
            self._tables([inputs[each] for each in chosen]),
        )
        waiting = [(0, len(inputs))]
        for _ in range(AGAIN):
            if lanes is None or not waiting:
                break
            parts = [part for begin, end in waiting for part in _parts(begin, end, lanes.width)]
            left = self._in_threads(lanes, inputs, parts, whole, threads)
            waiting = [part for part, _ in left]
            if left:
                lanes = widened(lanes, self._state(inputs[left[0][1]]))
        for begin, end in waiting:
            whole[begin:end] = alone(begin, end)

    def _largest(self, inputs: Inputs) -> int:
        """The place of the input with the largest numbers: what depends on it may be as large."""
        return max(range(len(inputs)), key=lambda n: [v for v in inputs[n].values() if isinstance(v, int)])

    def _tables(self, inputs: Inputs, room: Tables | None = None) -> Tables:
        return encode_columns(self.begin.model, frame_of(self.given), self.begin.X, inputs, room)

    def _state(self, inputs: Mapping[str, InputValue]) -> npt.NDArray[np.floating]:
        given = Given(self.given.hypergraph, self.given.weights, inputs, self.given.unit)
        return encode(self.begin.model, frame_of(given), self.begin.X)

    def _in_threads(
        self, lanes: Lanes, inputs: Inputs, parts: Sequence[Part], whole: npt.NDArray[Any], threads: int
    ) -> list[tuple[Part, int]]:
        """Run the parts; returns those that were left, with the number of an input that left its box."""
        own = threading.local()

        def run(part: Part) -> tuple[Part, int] | None:
            if not hasattr(own, "block"):
                own.block = Block(lanes)
            try:
                self._run(own.block, inputs[slice(*part)], whole[slice(*part)])
            except LeftError as lane:
                return part, min(part[0] + lane.lane, part[1] - 1)
            except ModelError:  # an input that runs alone says more
                return part, part[0]
            return None

        with ThreadPoolExecutor(threads) as pool:
            try:
                return [left for left in pool.map(run, parts) if left is not None]
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _run(self, block: Block, inputs: Inputs, out: npt.NDArray[Any]) -> None:
        tables = self._tables(inputs, block.room)
        block.run(tables, self.program.most_iterations(*self.given.counts), self.program.name)
        write_array(self.begin.model, self.given, self.output, block.column, out)


def _parts(begin: int, end: int, width: int) -> Iterator[Part]:
    for first in range(begin, end, width):
        yield first, min(first + width, end)
