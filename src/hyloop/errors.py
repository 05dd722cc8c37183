"""The errors of hyloop: one base class, so that a caller can catch them all; every message is a sentence."""

from __future__ import annotations


class HyloopError(Exception):
    """Base of every error that hyloop raises on purpose."""


class HypergraphError(HyloopError):
    """An invalid hypergraph: a bad weight, an unknown label, a hyperedge with no such vertex."""


class FormatError(HyloopError):
    """A file that is not what its format says. `where` is the place: a JSON path (`$.edges[3].edge`) or a line.

    The path of the whole document, `$`, says nothing and is not in the message.
    """

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(message if where in (None, "$") else f"{where}: {message}")
        self.where = where


class CapacityError(HyloopError):
    """An input or a model beyond what can be computed exactly; the message gives both figures."""


class ModelError(HyloopError):
    """Weights, layers or columns that do not fit together."""


class NotStoppedError(HyloopError):
    """A program that did not stop within the iterations that it declares."""


class HyloopWarning(UserWarning):
    """Data of a file was replaced, or does not fit into the format being written; or a run uses a slow fallback."""
