"""The language in which algorithms are written: ten to forty lines that read like pseudo-code.

>>> from hyloop.lang import Flag, Outputs, Vertex, algorithm, any
>>> @algorithm
... def reached(h, source: Vertex):
...     seen = h.vertices.state(Flag, False)
...     seen[source] = True
...     with h.loop(at_most=h.vertices.count) as loop:
...         fresh = h.covered(h.touching(seen)) & ~seen
...         loop.stop_when(~any(fresh))
...         seen.assign(True, where=fresh)
...     return Outputs(seen=seen)
"""

from hyloop.lang.handles import (
    all,
    any,
    argmax,
    argmin,
    exists,
    first,
    larger,
    max,
    min,
    number,
    otherwise,
    smaller,
    sum,
    when,
    where,
)
from hyloop.lang.inputs import Hyperedges, Vertices, at_most
from hyloop.lang.kinds import INFINITY, Count, Flag, Hyperedge, Length, Vertex
from hyloop.lang.program import Program
from hyloop.lang.size import largest, log2
from hyloop.lang.source import LanguageError
from hyloop.lang.tracing import Algorithm, Outputs, algorithm, known, quotient, stream, total

__all__ = [
    "INFINITY",
    "Algorithm",
    "Count",
    "Flag",
    "Hyperedge",
    "Hyperedges",
    "LanguageError",
    "Length",
    "Outputs",
    "Program",
    "Vertex",
    "Vertices",
    "algorithm",
    "all",
    "any",
    "argmax",
    "argmin",
    "at_most",
    "exists",
    "first",
    "known",
    "larger",
    "largest",
    "log2",
    "max",
    "min",
    "number",
    "otherwise",
    "quotient",
    "smaller",
    "stream",
    "sum",
    "total",
    "when",
    "where",
]
