"""What is said of a capacity that is of little use."""

from __future__ import annotations

from hyloop.cli.show import complain
from hyloop.machine.model import Model

FEW = 100  # a largest weight below which there is little to choose from


def warn_of_small_weights(model: Model, asked: int | None) -> None:
    """Say it where a model computes with weights and holds hardly any, unless that is what was asked for."""
    if asked is None and model.takes_weights and model.capacity.weight < FEW:
        complain(
            "Warning",
            f"{model.name} holds weights up to {model.capacity.weight:,} only, in integer units, with "
            f"{model.capacity.rows:,} rows: what is checked or proved of it says nothing of larger ones. "
            "Fewer rows leave room for larger weights: --rows N.",
        )
