"""`hyloop describe`: the content of a hypergraph file."""

from __future__ import annotations

from hyloop import facts
from hyloop.cli.given import read_file
from hyloop.cli.options import File, Format, Json, Quiet, Reading
from hyloop.cli.show import as_json, cell, progress, table
from hyloop.numbers import counted
from hyloop.result import Value, plain


def describe(file: File, file_format: Format = None, json: Json = False, quiet: Quiet = False) -> None:
    """Summarize a hypergraph file: counts, sizes, weights.

    Examples:
      hyloop describe examples/harbour.hif.json
      hyloop describe - --format edge-list --json < my.edges
    """
    h = read_file(file, Reading(file_format))
    with progress("counting", None, wanted=not quiet):
        found, attributes = facts.of_hypergraph(h), facts.attribute_names(h)
    if json:
        as_json({**{key: plain(value) for key, value in found.items()}, "attributes": attributes})
    else:
        shown = {**found, "attributes": _listed(attributes)}
        table(file, ("", ""), [(key.replace("_", " "), _cell(value)) for key, value in shown.items()])


def _cell(value: Value) -> object:
    """Counts have thousands separators; weights are written as in the file."""
    return counted(value) if isinstance(value, int) and not isinstance(value, bool) else cell(value)


def _listed(attributes: dict[str, list[str]]) -> str:
    return "; ".join(f"of {what}: {', '.join(names)}" for what, names in attributes.items() if names) or "none"
