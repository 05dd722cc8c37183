"""The size of an algorithm: claimed by the paper, corrected, and compiled."""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.build import compile
from hyloop.compiler.lower import lower
from hyloop.compiler.schedule import least_layers
from hyloop.lang import Algorithm
from hyloop.paper.algorithms import ALGORITHMS
from hyloop.paper.steps import setting


@dataclass(frozen=True)
class Sizes:
    """Layers: claimed by the paper, corrected, compiled, the lower bound, and with one operation per layer.

    `heads` and `hidden` are maxima over layers, `columns` those of the state. None: the paper has no such algorithm.
    """

    algorithm: str
    claimed: int | None
    corrected: int | None
    compiled: int
    least: int
    one_a_layer: int
    heads: int
    columns: int
    hidden: int


def sizes(algorithm: Algorithm) -> Sizes:
    """Compile an algorithm both ways, and compare with the paper.

    >>> from hyloop.algorithms import ALGORITHMS
    >>> found = sizes(ALGORITHMS["dijkstra"])
    >>> found.claimed, found.corrected, found.compiled
    (27, 15, 3)
    """
    model, spread_out = compile(algorithm), compile(algorithm, schedule="one operation per layer")
    corrected = {str(name): each for name, each in ALGORITHMS.items()}.get(algorithm.name)
    return Sizes(
        algorithm.name,
        claimed=None if corrected is None else corrected.claim.layers,
        corrected=None if corrected is None else len(corrected.build(setting()).layers),
        compiled=len(model.layers),
        least=least_layers(lower(algorithm.program)),
        one_a_layer=len(spread_out.layers),
        heads=max(len(layer.heads) for layer in model.layers),
        columns=len(model.layout),
        hidden=max(layer.mlp.width for layer in model.layers),
    )
