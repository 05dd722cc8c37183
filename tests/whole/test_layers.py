"""The layers of the house, without the linter: no cycles, nothing imported by a string that no table shows.

`make lint` checks the contracts of pyproject.toml with import-linter. What is here runs wherever the tests do, and sees
to what the linter cannot: the tables of `"module:function"`, and that the imports it ignores are for types alone.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import hyloop
from hyloop.execute.backends import BACKENDS
from hyloop.references import ABOVE, resolve

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
REFERENCE = re.compile(r"hyloop(\.\w+)+(:\w+)?")
OWNERS = (hyloop.Checked, hyloop.Hypergraph, hyloop.Model, hyloop.Result, hyloop.Trace)
TABLES = {"hyloop.references", "hyloop.execute.backends"}


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in (SOURCES / "hyloop").rglob("*.py")}


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules of hyloop that a tree imports, at the top or in a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            assert node.level == 0
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in MODULES else node.module


def for_types(tree: ast.Module) -> set[str]:
    """The modules that are imported for a type checker alone."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {name for block in blocks for name in imported(block)}


@cache
def graph() -> dict[str, set[str]]:
    return {name: set(imported(tree)) for name, tree in trees().items()}


CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
IGNORED = {tuple(each.split(" -> ")) for contract in CONTRACTS for each in contract["ignore_imports"]}


def cycle(edges: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def reached(edges: dict[str, set[str]], start: str) -> set[str]:
    found, waiting = set(), [name for name in edges if f"{name}.".startswith(f"{start}.")]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += edges[name]
    return found


def without(edges: dict[str, set[str]], left_out: set[tuple[str, ...]]) -> dict[str, set[str]]:
    return {name: {other for other in others if (name, other) not in left_out} for name, others in edges.items()}


def test_no_module_imports_itself_by_way_of_others():
    assert cycle(without(graph(), IGNORED)) == []


def test_a_cycle_through_a_function_would_be_found():
    low = ast.parse("def later():\n    from hyloop.compiler.emit import emit\n    return emit")
    assert cycle(without(graph(), IGNORED) | {"hyloop.lang.kinds": set(imported(low))})


def test_the_prover_reaches_neither_compiler_nor_paper():
    found = reached(without(graph(), IGNORED), "hyloop.prove")
    assert "hyloop.machine.model" in found
    assert not {name for name in found if name.startswith(("hyloop.compiler", "hyloop.paper"))}


def test_what_the_linter_ignores_is_imported_for_types_alone():
    for name, other in IGNORED:
        assert other in for_types(trees()[name])
        rest = [node for node in trees()[name].body if not isinstance(node, ast.If)]
        assert other not in {each for node in rest for each in imported(node)}


def test_no_module_imports_the_package_itself():
    assert [name for name, others in graph().items() if "hyloop" in others] == []


def test_modules_are_named_as_strings_in_the_tables_alone():
    found = {
        name
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and REFERENCE.fullmatch(node.value)
        if not f"{name}.".startswith(f"{node.value}.")  # its own package, for the files in it
    }
    assert found == TABLES


@pytest.mark.parametrize("reference", [*ABOVE.values(), *BACKENDS.values()])
def test_every_reference_names_a_function(reference):
    assert callable(resolve(reference))


def test_every_entry_is_asked_for_once():
    users = [tree for name, tree in trees().items() if "hyloop.references" in graph()[name]]
    calls = [node for tree in users for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = [ast.literal_eval(call.args[0]) for call in calls if ast.unparse(call.func) == "above"]
    assert sorted(asked) == sorted(ABOVE)


@pytest.mark.parametrize("name", [name for name in ABOVE if "." in name])
def test_every_entry_is_called_like_a_method(name):
    owner, method = name.split(".")
    assert callable(getattr({each.__name__: each for each in OWNERS}[owner], method))
