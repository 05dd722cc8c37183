"""Pictures of hypergraphs, of results, and of the layers of a model.

`positions` needs numpy only. `draw` and `draw_model` need matplotlib: `pip install 'hyloop[draw]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyloop.draw.library import own_settings, require_matplotlib, save, to_bytes
from hyloop.draw.positions import Positions, positions
from hyloop.errors import HyloopError
from hyloop.hypergraph import shown
from hyloop.interop import as_hypergraph
from hyloop.machine.model import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hyloop.draw.picture import Style
    from hyloop.hypergraph import Hypergraph, Label
    from hyloop.result import Result

__all__ = ["Positions", "draw", "draw_model", "positions", "save", "to_bytes"]


def draw(
    h: Hypergraph,
    *,
    result: Result | None = None,
    path: Label | None = None,
    colour_by: str | None = None,
    style: Style = "auto",
    labels: bool | None = None,
    names: bool = True,
    width: float | None = None,
    at: Positions | None = None,
) -> Figure:
    """A hypergraph as a matplotlib figure; `save(figure, "h.svg")` writes it.

    Hyperedges are regions with their labels and weights or, if there are many, squares joined to their members
    (`style`); directed ones are squares with arrows, from their tails and to their heads. With the `result` of a run,
    vertices are coloured by its first number (distance, level, order) or by the output `colour_by`, and `path` shows
    the path to a vertex. `labels`: whether to write them (None: if there is room). `names`: whether
    attributes `name` stand in the place of labels that are bare numbers. `width`: of the figure, in inches.
    `at`: the positions, by default `positions(h)`. Objects of other libraries are taken, as by `hyloop.run`.
    """
    require_matplotlib()
    from hyloop.draw.picture import laid_out

    h = as_hypergraph(h)

    with own_settings():
        return laid_out(
            h,
            result=result,
            path=path,
            colour_by=colour_by,
            style=style,
            labels=labels,
            names=names,
            width=width,
            at=at,
        ).figure()


def draw_model(model: Model, *, width: float | None = None) -> Figure:
    """The layers of a model as a matplotlib figure: columns are lines from left to right, heads and MLPs on them."""
    require_matplotlib()
    from hyloop.draw.diagram import diagram

    if not isinstance(model, Model):
        raise HyloopError(f"A model is drawn, hyloop.compile(...); not {shown(model)}.")

    with own_settings():
        return diagram(model, width=width)
