"""The hypergraphs that a page offers to begin with; they are those of the folder `examples`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from io import StringIO
from typing import Any

from hyloop.hypergraph import Hypergraph
from hyloop.io import hif, read
from hyloop.recording.describe import hypergraph_document

FIRST = "harbour"


@dataclass(frozen=True)
class Example:
    """A hypergraph to choose from, by the name of its file."""

    name: str
    about: str

    @cached_property
    def hypergraph(self) -> Hypergraph:
        """The hypergraph itself."""
        file = files("hyloop.viewer") / "static" / "examples" / f"{self.name.replace(' ', '_')}.hif.json"
        return read(StringIO(file.read_text(encoding="utf-8")))

    def to_json(self) -> Mapping[str, Any]:
        """The example as a page has it: a HIF document, and where the vertices are drawn."""
        placed = hypergraph_document(self.hypergraph, self.name)["positions"]
        text = "".join(hif.write(self.hypergraph))
        return {"name": self.name, "about": self.about, "hif": text, "positions": placed["vertices"]}


EXAMPLES = (
    Example(FIRST, "The boats of a made-up harbour: each calls at several piers, and a trip costs what it costs."),
    Example("davis", "Davis's southern women: 18 women, 14 social events, 1941."),
    Example("citric acid cycle", "Reactions from what they take to what they make: a directed hypergraph."),
)


def example(name: str = FIRST) -> Hypergraph:
    """The hypergraph of an example."""
    return next(each.hypergraph for each in EXAMPLES if each.name == name)
