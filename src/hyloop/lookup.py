"""Algorithms and inputs from the command line: `dijkstra`, `mine.py:steps`, `model.safetensors`, `source=Quay`.

This is how the command line reads its arguments; a script that takes arguments of its own can do the same.

>>> import hyloop
>>> from hyloop.lookup import inputs_from_text, program_named
>>> h = hyloop.Hypergraph.from_hyperedges({"ferry": ["Quay", "Isle"]})
>>> program = program_named("dijkstra")
>>> inputs_from_text(program, h, ["source=Quay"])
{'source': 'Quay'}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from hyloop import io
from hyloop.algorithms import shipped
from hyloop.build import load
from hyloop.errors import HyloopError, HypergraphError
from hyloop.execute.array_text import array_from_text
from hyloop.execute.prepare import program_of
from hyloop.hypergraph import DIGITS, Hypergraph, Label, exact, shown
from hyloop.io.fields import number_from_text
from hyloop.lang import Algorithm, Program
from hyloop.lang.kinds import Kind, Scope
from hyloop.lang.program import Input
from hyloop.lang.tracing import load as load_algorithms
from hyloop.machine.files import read_recipe
from hyloop.machine.model import Model

__all__ = [
    "algorithm_named",
    "first_inputs",
    "inputs_from_text",
    "is_algorithm",
    "is_hypergraph_file",
    "option",
    "program_named",
]

MODEL, PYTHON = ".safetensors", ".py"
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def algorithm_named(which: str, *, edited: bool = False) -> Program | Model:
    """The model in a model file, or the program of one of our algorithms or of a Python file (`FILE.py:NAME`)."""
    return load(which, edited=edited) if which.endswith(MODEL) else program_named(which)


def program_named(which: str, *, edited: bool = False) -> Program:
    """The program of one of our algorithms, of a Python file (`FILE.py` or `FILE.py:NAME`), or of a model file.

    A Python file is executed.
    """
    if which.endswith(MODEL):
        return program_of(read_recipe(which, edited=edited).program)
    file, wanted = _in_python(which)
    if file is not None:
        return _chosen(load_algorithms(Path(file)), file, wanted).program
    return program_of(which)


def is_algorithm(word: str) -> bool:
    """Whether a word names one of our algorithms, a Python file or a model file."""
    return shipped(word) is not None or word.endswith(MODEL) or _in_python(word)[0] is not None


def is_hypergraph_file(word: str) -> bool:
    """Whether a word names a hypergraph file by its ending, standard input, or a file of another kind that exists."""
    if is_algorithm(word):
        return False
    path = Path(word)
    ending = (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()
    return word == "-" or any(ending in each.extensions for each in io.EVERY_FORMAT) or path.is_file()


def _in_python(which: str) -> tuple[str | None, str]:
    """The Python file of `FILE.py` or `FILE.py:NAME`, and the name."""
    file, _, wanted = which.rpartition(":") if f"{PYTHON}:" in which else (which, "", "")
    return (file, wanted) if file.endswith(PYTHON) else (None, "")


def _chosen(found: Sequence[Algorithm], file: str, wanted: str) -> Algorithm:
    names = ", ".join(each.name for each in found)
    if not found:
        raise HyloopError(f"{file} has no function with @algorithm.")
    if not wanted:
        if len(found) > 1:
            raise HyloopError(f"{file} has several algorithms: {names}. Say which: {file}:{found[0].name}")
        return found[0]
    for each in found:
        if each.name == wanted:
            return each
    raise HyloopError(f"{file} has no algorithm {wanted!r}; it has {names}.")


# -- inputs ---------------------------------------------------------------------------------------------------------


def inputs_from_text(program: Program, h: Hypergraph, given: Sequence[str]) -> dict[str, Any]:
    """The inputs that are given as `NAME=VALUE`: vertices and hyperedges by label, numbers exactly, arrays by label.

    An array is `NAME=@ATTRIBUTE` (of the file; `,default=VALUE` for rows without it), the labels where a flag holds
    (`start=A,B`), or `load=A:3,B:5`, perhaps with `default=VALUE` at the end. A label with a comma is quoted.
    """
    by_name = {each.name: each for each in program.inputs}
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise HyloopError(f"--input needs NAME=VALUE; {shown(text)} has no =.")
        if name in found:
            raise HyloopError(f"The input {shown(name)} is given twice.")
        found[name] = _value(by_name[name], h, value) if name in by_name else value
    return found


def _value(each: Input, h: Hypergraph, text: str) -> Any:
    if each.type.scope is Scope.SCALAR:
        return _single(each, h, text, f"The input {each.name}")
    return array_from_text(each, h, text, lambda entry, what: _single(each, h, entry, what))


def _single(each: Input, h: Hypergraph, text: str, what: str) -> Label | Fraction | bool:
    """One value; `what` says in messages which it is."""
    if each.type.kind.is_pointer:
        return _pointed(each, h, text, what)
    if each.type.kind is Kind.FLAG:
        if text.lower() not in FLAGS:
            raise HyloopError(f"{what} is a flag: true or false, not {shown(text)}.")
        return FLAGS[text.lower()]
    return _number(text, what)


def _pointed(each: Input, h: Hypergraph, text: str, what: str) -> Label:
    try:
        return h.find_vertex(text) if each.type.kind is Kind.VERTEX else h.find_hyperedge(text)
    except HypergraphError as error:
        if each.type.scope is Scope.SCALAR:
            raise
        raise HyloopError(f"{what}: {error}") from None


def _number(text: str, what: str) -> Fraction:
    try:
        number = number_from_text(text.strip())
    except HypergraphError as error:
        if len(text) > DIGITS:
            raise HyloopError(f"{what} cannot be used: {error}") from None
        raise HyloopError(f"{what} is a number, not {shown(text)}.") from None
    try:
        return exact(number)
    except HypergraphError as error:
        raise HyloopError(f"{what} cannot be used: {error}") from None


def option(each: Input) -> str:
    """The option that gives an input."""
    if each.type.scope is Scope.SCALAR:
        return "--source LABEL" if each.name == "source" else f"--input {each.name}=VALUE"
    shape = "LABEL,LABEL,..." if each.type.kind is Kind.FLAG else "LABEL:VALUE,..."
    return f"--input {each.name}={shape} or --input {each.name}=@ATTRIBUTE"


def first_inputs(program: Program, h: Hypergraph, inputs: Mapping[str, Any]) -> dict[str, Label]:
    """The first vertex or hyperedge for each input that is not given: something to begin with."""
    return {each.name: _first(program, each, h) for each in program.inputs if each.name not in inputs}


def _first(program: Program, each: Input, h: Hypergraph) -> Label:
    if not each.type.kind.is_pointer or each.type.scope is not Scope.SCALAR:
        raise HyloopError(f"{program.name} needs {each.name}, {each.type.phrase}: {option(each)}")
    labels = h.vertices if each.type.kind is Kind.VERTEX else h.hyperedges
    if not labels:
        raise HyloopError(f"{program.name} needs {each.name}, a {each.type.kind}, and this hypergraph has none.")
    return labels[0]
