"""A small algorithm to start from: what `hyloop new` writes. It runs as it is."""

from __future__ import annotations

from keyword import iskeyword

from hyloop import lang

OTHERWISE = "my_algorithm"
TEMPLATE = '''\
"""An algorithm of my own. Run it with: hyloop run THIS_FILE HYPERGRAPH --source LABEL"""

from hyloop.lang import Count, Flag, Outputs, Vertex, algorithm, any, known


@algorithm
def {name}(h, source: Vertex):
    """How far each vertex is from `source`, counted in hyperedges."""
    steps = h.vertices.state(Count, 0)
    reached = h.vertices.state(Flag, False)
    depth = h.state(Count, 0)

    reached[source] = True

    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.covered(h.touching(reached)) & ~reached
        loop.stop_when(~any(fresh))
        depth.assign(depth + 1)
        steps.assign(depth, where=fresh)
        reached.assign(True, where=fresh)
    return Outputs(steps=known(steps, where=reached))
'''


def template(name: str = OTHERWISE) -> str:
    """The text of a Python file with one algorithm of this name, or of a default name if it is not usable.

    >>> "def walk(h, source: Vertex):" in template("walk")
    True
    >>> "def my_algorithm(h, source: Vertex):" in template("any")
    True
    """
    return TEMPLATE.format(name=name if _is_free(name) else OTHERWISE)


def _is_free(name: str) -> bool:
    """Whether a function can have this name without shadowing a name of the language."""
    return name.isidentifier() and not iskeyword(name) and name not in lang.__all__
