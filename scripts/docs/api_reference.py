"""The pages of the Python API: which names there are is asked of the modules, what they say is in their docstrings."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Module:
    """A module that people use, and what its page begins with. Pages of modules that do not exist are left out."""

    name: str
    title: str
    about: str

    @property
    def page(self) -> str:
        """Where the page is, from docs/."""
        return f"reference/{self.name.rpartition('.')[2]}.md"


MODULES = (
    Module(
        "hyloop",
        "hyloop",
        "`import hyloop` is enough for most work: read a hypergraph, run an algorithm on it, compile it into a model, "
        "check the model. The first steps are in the [tutorial](../tutorial.md).",
    ),
    Module(
        "hyloop.lang",
        "hyloop.lang",
        "What algorithms are written in. This page lists the names; [the language](../language.md) explains them, "
        "every operation with an example. The hypergraph `h` that an algorithm is given is described there, too.",
    ),
    Module(
        "hyloop.algorithms",
        "hyloop.algorithms",
        "The algorithms that come with hyloop. `hyloop.run` and `hyloop.compile` take them by name; "
        "`hyloop.algorithms.ALGORITHMS` has them all.",
    ),
    Module(
        "hyloop.interop",
        "hyloop.interop",
        "Hypergraphs to and from the objects of other libraries. `hyloop.run` takes such objects as they are. "
        "[What is kept and what is lost](../interop.md#what-is-kept) is a page of its own.",
    ),
    Module(
        "hyloop.data",
        "hyloop.data",
        "Data sets for learning: made, and read back. [Data sets](../data.md) has the format and the standard one.",
    ),
    Module(
        "hyloop.facts",
        "hyloop.facts",
        "What can be said of a hypergraph, an algorithm or a model, in plain values: what `hyloop describe`, "
        "`hyloop algorithms` and `hyloop info` print.",
    ),
    Module(
        "hyloop.lookup",
        "hyloop.lookup",
        "Algorithms and inputs by the words that people type, as the command line takes them.",
    ),
    Module(
        "hyloop.viewer.playground",
        "hyloop.viewer.playground",
        "The page of `hyloop view`. [Watch a run](../viewer.md) shows it.",
    ),
    Module("hyloop.draw", "hyloop.draw", "Pictures of hypergraphs and of runs. Examples: [pictures](../pictures.md)."),
    Module(
        "hyloop.circuit",
        "hyloop.circuit",
        "What each weight of a model is for. `model.circuit()` makes one; [circuits](../interop.md#circuits) has "
        "examples.",
    ),
    Module(
        "hyloop.prove",
        "hyloop.prove",
        "Proofs that a model does what its program says. What is proved, and what is assumed: [proofs](../proof.md).",
    ),
)


PARTS = ("Functions", "Classes", "Errors and warnings")


def modules() -> Iterator[Module]:
    """The modules that have a page."""
    return (each for each in MODULES if importlib.util.find_spec(each.name) is not None)


def pages() -> Iterator[tuple[str, str]]:
    """Each page: where it is, and its Markdown. A thing that several modules offer is explained on the first page."""
    explained: dict[str, str] = {}
    for module in modules():
        yield module.page, _page(module, explained)


def _page(module: Module, explained: dict[str, str]) -> str:
    found = importlib.import_module(module.name)
    intro = f"# {module.title}\n\n{module.about}\n"
    if module.name == "hyloop.algorithms":
        return "\n".join([intro, *_algorithms(found)])
    parts: dict[str, list[str]] = {part: [] for part in (*PARTS, "Constants")}
    for name in public(found):
        parts[_part(getattr(found, name))].append(name)
    lines = [line for part in PARTS if parts[part] for line in _names(found, part, parts[part], explained)]
    return "\n".join([intro, *lines, *_constants(found, parts["Constants"])])


def public(module: ModuleType) -> list[str]:
    """The names that a module offers: its `__all__` or, if it has none, what it defines."""
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("_")]
    return [
        name
        for name, what in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(what) or inspect.isfunction(what))
        and what.__module__ == module.__name__
    ]


def _part(what: object) -> str:
    if inspect.isclass(what):
        return "Errors and warnings" if issubclass(what, Exception) else "Classes"
    return "Functions" if callable(what) and hasattr(what, "__qualname__") else "Constants"


def _names(module: ModuleType, title: str, names: list[str], explained: dict[str, str]) -> Iterator[str]:
    """A part of a page: names that mkdocstrings puts docstrings under."""
    yield f"## {title}\n"
    for name in names:
        what = getattr(module, name)
        # A function such as `hyloop.run` shares its name with a module, so it is told where it is defined.
        where = f"{what.__module__}.{what.__qualname__}"
        if where in explained:
            yield f"### {module.__name__}.{name}\n\nThe same as [`{explained[where]}`][{where}].\n"
            continue
        explained[where] = f"{module.__name__}.{name}"
        yield f"::: {where}\n    options:\n      heading: {explained[where]}\n      toc_label: {name}\n"


def _constants(module: ModuleType, names: list[str]) -> Iterator[str]:
    if names:
        yield "## Constants\n\n| name | is |\n|---|---|"
        yield from (f"| `{name}` | {_constant(getattr(module, name))} |" for name in names)


def _constant(value: Any) -> str:
    """What a constant is, if it has a short name; otherwise its type."""
    text = repr(value)
    return f"`{text}`" if len(text) < 50 and " at 0x" not in text else f"a `{type(value).__name__}`"


def _algorithms(module: ModuleType) -> Iterator[str]:
    """Each algorithm with its inputs and outputs, and its source, which is short."""
    for name, each in module.ALGORITHMS.items():
        program = each.program
        inputs = ", ".join(f"`{given.name}` (a {given.type.kind})" for given in program.inputs) or "none"
        outputs = ", ".join(f"`{output.name}`" for output in program.outputs)
        source = inspect.getsource(importlib.import_module(f"{module.__name__}.{name}"))
        yield f"## {name}\n\n{program.about}\n\nInputs: {inputs}. Outputs: {outputs}.\n\n```python\n{source}```\n"
