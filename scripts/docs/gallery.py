"""The playground, and a page for each algorithm: a picture, a recorded run, sizes, the source; made from the code."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hyloop import Hypergraph, draw, facts, run
from hyloop.algorithms import ALGORITHMS
from hyloop.lang import Algorithm
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.numbers import plural
from hyloop.recording import Trace, record_run
from hyloop.viewer.examples import FIRST, example
from hyloop.viewer.link import fragment
from hyloop.viewer.playground import playground

DIRECTED = "citric acid cycle"
PLAYGROUND = "playground.html"
# Numbers with which something happens on these examples.
NUMBERS = {"k": 2, "s": 1, "rounds": 5, "budget": 20}
WIDTH = 6.0  # inches of a picture


@dataclass(frozen=True)
class Shown:
    """An algorithm on an example."""

    algorithm: Algorithm

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return self.algorithm.name

    @property
    def about(self) -> str:
        """The first sentence of its docstring."""
        return self.algorithm.about.partition("\n")[0]

    @property
    def on(self) -> str:
        """The example that it is shown on."""
        return DIRECTED if uses_direction(self.algorithm.program) else FIRST

    @property
    def hypergraph(self) -> Hypergraph:
        """That example."""
        return example(self.on)

    @property
    def inputs(self) -> dict[str, Any]:
        """Its inputs there."""
        h = self.hypergraph
        first = {Kind.VERTEX: h.vertices[0], Kind.HYPEREDGE: h.hyperedges[0], Kind.FLAG: False}
        rows = {Scope.VERTICES: h.vertices, Scope.HYPEREDGES: h.hyperedges}
        found: dict[str, Any] = {}
        for each in self.algorithm.program.inputs:
            value = first.get(each.type.kind, NUMBERS.get(each.name, 0))
            of = rows.get(each.type.scope)
            found[each.name] = value if of is None else dict.fromkeys(of, value)
        return found

    @cached_property
    def trace(self) -> Trace:
        """The recorded run."""
        return record_run(self.algorithm, self.hypergraph, self.inputs, name=self.on, layers=True)

    @property
    def link(self) -> str:
        """Where the playground runs it."""
        return f"../{PLAYGROUND}{fragment(self.algorithm, self.hypergraph, self.inputs, name=self.on)}"


def files() -> Iterator[tuple[str, str | bytes]]:
    """Paths on the site, and what is there."""
    shown = [Shown(each) for each in ALGORITHMS.values()]
    harbour = example()
    yield PLAYGROUND, playground("dijkstra", harbour, {"source": harbour.vertices[0]}, name=FIRST)
    yield "gallery/index.md", _index(shown)
    for each in shown:
        yield f"gallery/{each.name}.md", _page(each)
        yield f"gallery/{each.name}-run.html", each.trace.page()
        yield f"gallery/{each.name}.svg", _picture(each)


def _picture(each: Shown) -> bytes:
    """What it finds; where that is nothing at the vertices, the hypergraph that it was found in."""
    result = run(each.algorithm, each.hypergraph, **each.inputs)
    return draw.to_bytes(draw.draw(each.hypergraph, result=result if result.vertices else None, width=WIDTH), "svg")


def menu() -> list[dict[str, str]]:
    """The pages, for the menu."""
    return [{"All of them": "gallery/index.md"}, *({name: f"gallery/{name}.md"} for name in ALGORITHMS)]


def _index(shown: list[Shown]) -> str:
    cards = [
        f'<a class="gallery-card" href="{each.name}.html"><img src="{each.name}.svg" alt="" loading="lazy">'
        f"<b>{each.name}</b><span>{_plain(each.about)}</span></a>"
        for each in shown
    ]
    return (
        f"# Gallery\n\n{len(shown)} algorithms, each as one looped transformer: a picture of what it finds, a recorded "
        f"run to step through, its size, its source. [The playground](../index.md) has all of them.\n\n"
        f'<div class="gallery">\n{"".join(cards)}\n</div>\n'
    )


def _plain(text: str) -> str:
    return text.replace("`", "").replace("&", "&amp;").replace("<", "&lt;")


def _page(each: Shown) -> str:
    source = inspect.getsource(inspect.getmodule(each.algorithm.function) or each.algorithm.function)
    given = ", ".join(f"`{name}` {value}" for name, value in each.inputs.items() if not isinstance(value, dict))
    ran = f"{plural(each.trace.iterations, 'iteration')} on the {each.on}{f' ({given})' if given else ''}"
    return f"""# {each.name}

{each.about}

![What {each.name} finds on the {each.on}]({each.name}.svg)

[Run it in the playground]({each.link}){{ .md-button }} [Definition and tie rule](../algorithms.md)

## A recorded run

{ran}. → steps from layer to layer, the space bar plays; *Edit* changes the hypergraph, and it runs again.
[The run alone]({each.name}-run.html).

<iframe class="run" src="{each.name}-run.html" title="{each.name}, step by step" loading="lazy"></iframe>

## Size

{_sizes(each)}

## Source

```python
{source.strip()}
```
"""


def _sizes(each: Shown) -> str:
    if each.trace.model is None:
        raise TypeError(each.name)
    told = facts.of_model(each.trace.model)
    rows = {
        "layers": told["layers"],
        "heads, by layer": ", ".join(map(str, told["heads"])),
        "columns": told["columns"],
        "hidden units, by layer": ", ".join(map(str, told["hidden"])),
        "weights that are not 0": f"{told['nonzeros']:,} of {told['parameters']:,}",
        "iterations at most": f"`{told['at_most']}`",
        "exact for": f"{told['capacity']['rows']:,} rows, weights up to {told['capacity']['weight']:,}",
    }
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in rows.items())
