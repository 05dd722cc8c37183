"""Summary of each algorithm of the paper: layers, heads and iterations, the paper's claim beside ours, and a sweep.

>>> from hyloop.paper.summary import summary
>>> found = summary("dijkstra")
>>> found.algorithm.claim.layers, len(found.model.layers), found.measured
(27, 15, 40)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Model
from hyloop.paper.algorithms import ALGORITHMS, Name, PaperAlgorithm
from hyloop.paper.run import ProblemInstance, model_of, run
from hyloop.paper.steps import Setting, setting
from hyloop.paper.sweep import AsPrinted, Swept, sweep, sweep_printed

# A hypergraph to measure iterations on, with n_v ≠ n_e.
SAMPLE = Hypergraph.from_hyperedges([[1, 2], [2, 3], [3, 4, 5], [1, 5]])


@dataclass(frozen=True)
class Summary:
    """An algorithm, its model, the iterations on `SAMPLE`; and the sweeps, if any, corrected and as printed."""

    algorithm: PaperAlgorithm
    model: Model
    measured: int
    swept: Swept | None
    printed: AsPrinted | None

    @property
    def operations(self) -> int:
        """The number of lemmas that the layers implement, which the paper counts as layers."""
        return sum(len(layer.notes) for layer in self.model.layers)

    def document(self) -> dict[str, Any]:
        """The JSON document."""
        swept = self.swept and {
            "inputs": self.swept.inputs,
            "mismatches": len(self.swept.mismatches),
            "most_iterations": self.swept.most_iterations,
        }
        size = {"vertices": len(SAMPLE.vertices), "hyperedges": len(SAMPLE.hyperedges)}
        return {
            "algorithm": self.algorithm.name,
            "title": self.algorithm.title,
            "claimed_layers": self.algorithm.claim.layers,
            "claimed_iterations": self.algorithm.claim.iterations,
            "layers": len(self.model.layers),
            "lemmas": self.operations,
            "heads": [len(layer.heads) for layer in self.model.layers],
            "columns": len(self.model.layout),
            "hidden": [layer.mlp.width for layer in self.model.layers],
            "iterations": self.algorithm.formula,
            "measured_iterations": {**size, "iterations": self.measured},
            "sweep": swept,
            "as_printed": self.printed and self.printed.document(),
        }


def summary(
    name: Name,
    given: Setting | None = None,
    *,
    sweep_on: int = 0,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Build an algorithm and run it on `SAMPLE`; with `sweep_on`, on that many random hypergraphs, against oracles."""
    given = setting() if given is None else given
    [ended] = run(name, [ProblemInstance(SAMPLE, dict.fromkeys(ALGORITHMS[name].inputs, 0))], given)
    swept = sweep(name, sweep_on, given, seed=seed, progress=progress) if sweep_on else None
    printed = sweep_printed(name, sweep_on, seed=seed) if sweep_on else None
    return Summary(ALGORITHMS[name], model_of(name, given), ended.iterations, swept, printed)
