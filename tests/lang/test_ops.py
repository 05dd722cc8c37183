"""One record an operation; and tables that are complete, or their import fails."""

import runpy
from importlib.util import find_spec

import pytest

from hyloop.lang import ops
from hyloop.lang.ops import AFAR, CORE, LANGUAGE, LEAVES, OPERATIONS, require_entries

# Every module with a table of what operations mean, and how it names them.
TABLES = {
    "hyloop.interpreter": "OPERATIONS",
    "hyloop.compiler.lower": "LANGUAGE",
    "hyloop.compiler.forms": "CORE",
    "hyloop.prove.meaning": "LANGUAGE",
    "hyloop.lang.verify": "LEAVES",
}


def test_every_operation_is_of_the_language_or_the_core():
    assert set(OPERATIONS) == LANGUAGE | CORE
    assert sorted(CORE - LANGUAGE) == [
        "apart", "difference", "divisor", "finite", "positive", "quarter", "select", "times"
    ]  # fmt: skip
    assert LEAVES <= CORE & LANGUAGE
    assert not LEAVES & AFAR


@pytest.mark.parametrize("name", sorted(LANGUAGE))
def test_what_the_language_takes_the_core_takes_too(name):
    language, core = OPERATIONS[name].language, OPERATIONS[name].core
    assert core is None or (core[0] <= language[0] and language[1] <= core[1])


@pytest.mark.parametrize("table", [{"a": 1}, {"a": 1, "b": 2, "c": 3}])
def test_a_table_that_is_not_complete_is_refused(table):
    require_entries("a table", {"a": 1, "b": 2}, frozenset("ab"))
    with pytest.raises(AssertionError, match=r"a table: an entry is missing, or too many, for [bc]"):
        require_entries("a table", table, frozenset("ab"))


@pytest.mark.parametrize("module", TABLES)
def test_a_module_without_an_entry_for_a_new_operation_cannot_be_imported(module, monkeypatch):
    """The module is run once more, beside a new operation that it knows nothing of."""
    file = find_spec(module).origin
    runpy.run_path(file)
    names = getattr(ops, TABLES[module])
    new = {**names, "brand_new": names["add"]} if isinstance(names, dict) else names | {"brand_new"}
    monkeypatch.setattr(ops, TABLES[module], new)
    if module == "hyloop.compiler.lower":
        monkeypatch.setattr(ops, "CORE", CORE - {"brand_new"})  # what is in both is lowered as it is
    with pytest.raises(AssertionError, match="brand_new"):
        runpy.run_path(file)
