"""`hyloop.prepare`: one hypergraph, encoded once, for many inputs; and an output for all of them as a matrix."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hyloop.batch import portable, require_processes, unpacked
from hyloop.compiler.heaviest import TooLargeError
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.backends import BACKENDS
from hyloop.execute.cpu.engines import ENGINE_VARIABLE
from hyloop.execute.decode import Reader
from hyloop.execute.given import numbers_in
from hyloop.execute.many import Many
from hyloop.execute.prepare import (
    Encoded,
    Given,
    encoded,
    program_of,
    require_direction,
    with_inputs,
)
from hyloop.execute.prepare import prepare as given_to_program
from hyloop.fitting import compiled, fitting_model, holds_counts
from hyloop.hypergraph import Hypergraph, shown
from hyloop.hypergraph.values import require_flags
from hyloop.interop import as_hypergraph
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope
from hyloop.lang.program import Input, InputValue, Output
from hyloop.lang.tracing import OPTIONS
from hyloop.machine.model import Capacity, Model
from hyloop.memory import require_memory
from hyloop.parallel import in_parallel
from hyloop.result import Result
from hyloop.running import DEFAULT_BACKEND, simulated

SHARE = 250  # inputs that a worker process runs at a time
MANY = 16  # inputs that are worth code for running them side by side
FEW = (1_023, 8_191)  # rows of models whose numbers may fit 16 bits


def prepare(
    algorithm: str | Algorithm | Program | Model,
    hypergraph: object,
    *,
    backend: str | None = None,
    ignore_direction: bool = False,
) -> Prepared:
    """An algorithm on one hypergraph, compiled and encoded once, for many inputs.

    >>> import hyloop
    >>> h = hyloop.Hypergraph.from_arrays([0, 1, 1, 2], [0, 0, 1, 1])
    >>> levels = hyloop.prepare("levels", h)
    >>> levels.run(source=0)["level"]
    {0: 0, 1: 1, 2: 2}
    >>> levels.matrix("level").tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    chosen = DEFAULT_BACKEND if backend is None else backend
    if chosen not in BACKENDS:
        raise HyloopError(f"There is no backend {shown(chosen)} to prepare for; there are {', '.join(BACKENDS)}.")
    program, h = program_of(algorithm), as_hypergraph(hypergraph)
    require_flags(ignore_direction=ignore_direction)
    h = h.ignoring_direction() if ignore_direction else h
    require_direction(program, h)
    return Prepared(program, h, chosen, algorithm if isinstance(algorithm, Model) else None)


@dataclass(frozen=True, eq=False)
class Prepared:
    """What `prepare` gives: `run` takes inputs, `matrix` takes many at once."""

    program: Program
    hypergraph: Hypergraph
    backend: str
    model: Model | None = None

    def run(self, /, **inputs: Any) -> Result:
        """The result for these inputs, equal to that of `hyloop.run`."""
        return self._run(self._given(inputs))

    def matrix(self, output: str, /, *, processes: int = 1, **inputs: Any) -> npt.NDArray[Any]:
        """An output over the vertices or hyperedges, for many inputs: a row each, as `Result.array` has them.

        One input that is a vertex or a hyperedge may be a list of labels; where it is left out, it is all of them, in
        order. Lengths are integers: times `unit` they are in the unit of the weights. With several `processes`, or -1
        for one a core, several rows are computed at a time. Where the algorithm follows no pointers, as levels, many
        inputs run side by side in one thread, in as many lanes as a vector has.
        """
        require_processes(processes)
        many = self._many(inputs)
        numbers = self._numbers(many, inputs.get(many.name))
        shape = len(numbers), self._count(self._scope_of(output))
        require_memory(8 * shape[0] * shape[1], f"{output} for {shape[0]:,} inputs as a matrix")
        rest = {each: value for each, value in inputs.items() if each != many.name}
        if shape[0] >= MANY and self._lasting and self._side_by_side:
            first = self._given({**rest, many.name: self._label(many, numbers[0])})
            if holds_counts(self._begun.model, self.program, first):
                return self._in_lanes(output, many, numbers, first, rest, processes)
        shares = [numbers[first : first + SHARE] for first in range(0, shape[0], SHARE)]
        rows = self._in_shares(output, many, shares, rest, processes)
        return np.concatenate(rows) if shares else np.zeros(shape, self._dtype(output))

    @property
    def unit(self) -> Fraction:
        """What 1 stands for in a matrix of lengths, as `Result.unit`.

        >>> import hyloop
        >>> h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[0.37, 0.5])
        >>> dijkstra = hyloop.prepare("dijkstra", h)
        >>> dijkstra.matrix("distance")[0] * dijkstra.unit
        array([Fraction(0, 1), Fraction(37, 100), Fraction(87, 100)], dtype=object)
        """
        if any(each.type.kind is Kind.LENGTH for each in self.program.inputs):
            raise HyloopError(
                f"{self.program.name} is given lengths, which the unit depends on: `run(...).unit` has it."
            )
        return self.hypergraph.in_units[1]

    @property
    def _side_by_side(self) -> bool:
        """Whether inputs may run side by side: on the default engine."""
        return self.backend == "cpu" and not os.environ.get(ENGINE_VARIABLE)

    @property
    def _lasting(self) -> bool:
        """Whether one model and one first state serve all inputs; lengths and arrays have a say in the capacity."""
        types = [each.type for each in self.program.inputs]
        return all(type_.scope is Scope.SCALAR and type_.kind is not Kind.LENGTH for type_ in types)

    def _in_lanes(
        self, output: str, many: Input, numbers: Sequence[int], first: Given, rest: Mapping[str, Any], processes: int
    ) -> npt.NDArray[Any]:
        inputs = [{**first.inputs, many.name: number + 1} for number in numbers]

        def alone(begin: int, end: int) -> npt.NDArray[Any]:
            shares = [numbers[at : min(at + SHARE, end)] for at in range(begin, end, SHARE)]
            return np.concatenate(self._in_shares(output, many, shares, rest, processes))

        threads = (os.cpu_count() or 1) if processes == -1 else processes
        whole = np.empty((len(numbers), self._count(self._scope_of(output))), self._dtype(output))
        narrow = holds_counts(self._narrow.model, self.program, first)
        begun = self._narrow if narrow else self._begun
        Many(self.program, self._output(output), first, begun).matrix(inputs, whole, threads, alone)
        return whole

    @cached_property
    def _narrow(self) -> Encoded:
        """As `_begun`, of a model whose numbers are small where they can be: 16 bits hold twice as many as 32."""
        weights, unit = self.hypergraph.in_units
        given = Given(self.hypergraph, weights, {}, unit)
        rows = next((rows for rows in FEW if given.rows <= rows), None)
        if self.model is not None or rows is None:
            return self._begun
        try:
            heaviest = given.heaviest if self.program.reads_weights else 1
            return encoded(compiled(self.program, Capacity(rows, heaviest)), given, inputs=False)
        except (TooLargeError, CapacityError):
            return self._begun

    def _in_shares(
        self, output: str, many: Input, shares: list[Any], rest: Mapping[str, Any], processes: int
    ) -> list[npt.NDArray[Any]]:
        if processes == 1 or len(shares) < 2:
            return [self._rows(output, many, share, rest) for share in shares]
        packed = portable(self.model or self.program)
        tasks = ((packed, self.hypergraph, self.backend, output, many, share, rest) for share in shares)
        return list(in_parallel(_rows, tasks, None if processes == -1 else processes))

    def _rows(self, output: str, many: Input, numbers: Iterable[int], rest: Mapping[str, Any]) -> npt.NDArray[Any]:
        first = self._given({**rest, many.name: self._label(many, next(iter(numbers)))})
        results = (self._run(_with(first, many.name, number + 1)) for number in numbers)
        return np.stack([result.array(output) for result in results])

    # -- one input ------------------------------------------------------------------------------------------------

    def _given(self, inputs: Mapping[str, Any]) -> Given:
        if options := OPTIONS & inputs.keys():
            raise HyloopError(f"{min(options)} is no input, and no option here: `hyloop.prepare` has those.")
        return given_to_program(self.program, self.hypergraph, inputs)

    def _run(self, given: Given) -> Result:
        if not (self._lasting and holds_counts(self._begun.model, self.program, given)):
            model = self.model or fitting_model(self.program, given)
            begin = encoded(model, given)
        else:
            model, begin = self._begun.model, self._begun
            begin = with_inputs(begin, given)
        return simulated(Reader(model, given, self.program), begin, self.backend)

    @cached_property
    def _begun(self) -> Encoded:
        """The model, the incidence, and all of the first state that does not depend on inputs."""
        weights, unit = self.hypergraph.in_units
        given = Given(self.hypergraph, weights, {}, unit)
        return encoded(self.model or fitting_model(self.program, given), given, inputs=False)

    # -- what there is --------------------------------------------------------------------------------------------

    def _many(self, inputs: Mapping[str, Any]) -> Input:
        """The input that has many values: the one that is left out, or given as a list."""
        pointers = [each for each in self.program.inputs if each.type.kind.is_pointer]
        single = [each for each in pointers if each.type.scope is Scope.SCALAR]
        found = [each for each in single if not isinstance(inputs.get(each.name), str | int | np.integer)]
        if len(found) == 1:
            return found[0]
        if not single:
            raise HyloopError(
                f"A matrix has a row for each vertex or hyperedge that one input may be; {self.program.name} has no "
                "such input. `run` gives its outputs."
            )
        raise HyloopError(
            f"A matrix has a row for each value of one input, a vertex or a hyperedge; {self.program.name} has "
            f"{len(found)} such that are left out or given as a list."
        )

    def _numbers(self, many: Input, labels: Any) -> Sequence[int]:
        """The places of the labels that are given for the rows, from 0."""
        scope = SCOPE_OF[many.type.kind]
        if labels is None:
            return range(self._count(scope))
        ordered = isinstance(labels, Iterable) and not isinstance(labels, bytes | Set | Mapping)
        if not ordered or getattr(labels, "ndim", 1) != 1:
            raise HyloopError(f"For a matrix, {many.name} is a list of labels, one a row; not {shown(labels)}.")
        return numbers_in(self.hypergraph, scope, list(labels))

    def _dtype(self, name: str) -> type[np.generic]:
        """The type of `Result.array`, of a matrix without rows."""
        output = self._output(name)
        flags = self.program.state(output.state).type.kind is Kind.FLAG
        return np.bool_ if flags and output.known is None and output.unless is None else np.int64

    def _output(self, name: str) -> Output:
        return next(each for each in self.program.outputs if each.name == name)

    def _label(self, many: Input, place: int) -> Any:
        h = self.hypergraph
        return h.vertices[place] if many.type.kind is Kind.VERTEX else h.hyperedges[place]

    def _count(self, scope: Scope) -> int:
        return self.hypergraph.counts[0 if scope is Scope.VERTICES else 1]

    def _scope_of(self, name: object) -> Scope:
        scopes = {
            output.name: self.program.state(output.state).type.scope
            for output in self.program.outputs
            if output.form not in {"stream", "total"}
        }
        if not isinstance(name, str) or scopes.get(name, Scope.SCALAR) is Scope.SCALAR:
            arrays = ", ".join(each for each, scope in scopes.items() if scope is not Scope.SCALAR) or "none"
            raise HyloopError(
                f"{self.program.name} has no output {shown(name)} over vertices or hyperedges; it has {arrays}."
            )
        return scopes[name]


def _with(given: Given, name: str, number: int) -> Given:
    inputs: dict[str, InputValue] = {**given.inputs, name: number}
    return Given(given.hypergraph, given.weights, inputs, given.unit)


def _rows(
    packed: bytes | str,
    h: Hypergraph,
    backend: str,
    output: str,
    many: Input,
    numbers: Iterable[int],
    rest: Mapping[str, Any],
) -> npt.NDArray[Any]:
    """Some rows of a matrix, in a worker process."""
    prepared = prepare(unpacked(packed), h, backend=backend)
    return prepared._rows(output, many, numbers, rest)
