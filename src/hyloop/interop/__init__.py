"""Hypergraphs to and from the objects of other libraries: one module and one entry of `ADAPTERS` per library.

>>> import networkx
>>> as_hypergraph(networkx.path_graph(3))
<Hypergraph: 3 vertices, 2 hyperedges, 4 incidences>

Labels are strings and integers and keep their type; others are refused. Weights are exact: a float stands for the
decimal that Python prints for it; a weight that no float stands for is written as a Fraction if the library can hold
one. What a library cannot hold is left out with a HyloopWarning; what would change the hypergraph itself is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike

from hyloop.errors import HyloopError
from hyloop.hypergraph import Hypergraph
from hyloop.interop import hypergraphx, hypernetx, networkx, pandas, pyg, scipy, xgi
from hyloop.interop.common import Foreign, Library, described
from hyloop.interop.hypergraphx import from_hypergraphx, to_hypergraphx
from hyloop.interop.hypernetx import from_hypernetx, to_hypernetx
from hyloop.interop.networkx import from_networkx, to_networkx
from hyloop.interop.pandas import Tables, from_pandas, to_pandas
from hyloop.interop.pyg import from_pyg, to_pyg
from hyloop.interop.scipy import Matrix, from_scipy, to_scipy
from hyloop.interop.xgi import from_xgi, to_xgi

__all__ = [
    "ADAPTERS",
    "Adapter",
    "Matrix",
    "Tables",
    "as_hypergraph",
    "from_hypergraphx",
    "from_hypernetx",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "from_scipy",
    "from_xgi",
    "is_hypergraph",
    "to_hypergraphx",
    "to_hypernetx",
    "to_networkx",
    "to_pandas",
    "to_pyg",
    "to_scipy",
    "to_xgi",
]


@dataclass(frozen=True)
class Adapter:
    """A library: which of its objects can be read, and the functions in both directions."""

    kind: Library
    read: Callable[[Foreign], Hypergraph]
    write: Callable[[Hypergraph], Foreign]


ADAPTERS = (
    Adapter(xgi.KIND, from_xgi, to_xgi),
    Adapter(hypernetx.KIND, from_hypernetx, to_hypernetx),
    Adapter(networkx.KIND, from_networkx, to_networkx),
    Adapter(hypergraphx.KIND, from_hypergraphx, to_hypergraphx),
    Adapter(pyg.KIND, from_pyg, to_pyg),
    Adapter(pandas.KIND, from_pandas, to_pandas),
    Adapter(scipy.KIND, from_scipy, to_scipy),
)


def is_hypergraph(thing: object) -> bool:
    """Whether `as_hypergraph` accepts `thing`."""
    return isinstance(thing, Hypergraph | Tables | Matrix) or any(adapter.kind.has(thing) for adapter in ADAPTERS)


def as_hypergraph(thing: object) -> Hypergraph:
    """`thing` as a hypergraph: a `Hypergraph`, or an object of one of the libraries in `ADAPTERS`.

    Directions are kept; running on a directed hypergraph is refused unless they are ignored.
    """
    if isinstance(thing, Hypergraph):
        return thing
    if isinstance(thing, Tables):
        return from_pandas(thing)
    if isinstance(thing, Matrix):
        return from_scipy(thing)
    for adapter in ADAPTERS:
        if adapter.kind.has(thing):
            return adapter.read(thing)
    if isinstance(thing, str | PathLike):
        raise HyloopError(
            f"A hypergraph is needed, not the name of a file; read it first: hyloop.read({str(thing)!r})."
        )
    known = ", ".join(adapter.kind.in_words for adapter in ADAPTERS)
    raise HyloopError(
        f"A hypergraph is needed, not {described(thing)}: a hyloop Hypergraph (Hypergraph.from_hyperedges makes one of "
        f"lists, hyloop.read of a file), {known}, or the tuple that to_pandas or to_scipy gives."
    )
