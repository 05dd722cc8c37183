"""What a run gives back: labels instead of numbers, exact values, and a form for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hyloop.hypergraph import Hypergraph, Label

Value = Label | Fraction | bool | None | tuple[Label, ...]


@dataclass(frozen=True)
class Result:
    """The outputs of a run, by name: one value a vertex, one a hyperedge, or one in all."""

    algorithm: str
    backend: str
    iterations: int
    halted: bool
    hypergraph: Hypergraph = field(repr=False)
    vertices: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    hyperedges: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    scalars: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A document of plain JSON types; infinite and none are null, an inexact fraction is a string `p/q`."""
        return {
            "algorithm": self.algorithm,
            "backend": self.backend,
            "iterations": self.iterations,
            "halted": self.halted,
            "vertices": _records("vertex", self.hypergraph.vertices, self.vertices),
            "hyperedges": _records("hyperedge", self.hypergraph.hyperedges, self.hyperedges),
            "scalars": {name: plain(value) for name, value in self.scalars.items()},
        }


def plain(value: Value) -> Any:  # noqa: ANN401  (JSON is any of several types)
    """A value as JSON has it: a number only if a double holds it exactly."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1 and abs(value.numerator) <= 2**53:
        return value.numerator
    return float(value) if _double_holds(value) else f"{value.numerator}/{value.denominator}"


def _double_holds(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False


def _records(what: str, labels: tuple[Label, ...], outputs: Mapping[str, tuple[Value, ...]]) -> list[dict[str, Any]]:
    if not outputs:
        return []
    return [
        {what: label, **{name: plain(values[number]) for name, values in outputs.items()}}
        for number, label in enumerate(labels)
    ]
