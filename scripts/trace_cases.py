"""Write viewer/test/traces.json: changed traces, which `Trace.load` and the page have to take or to refuse alike.

python scripts/trace_cases.py          write the file

Each change is one of viewer/test/harbour.json, a real run. `values` are put at every place in turn: a place's row of
letters says for each value whether the trace is still taken (t) or refused (r). `chosen` are changes of one or more
places whose answer people gave; this script fails where Python does not agree with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hyloop.errors import FormatError
from hyloop.recording.schema import require_trace
from hyloop.strict import as_browsers_do

FOLDER = Path(__file__).parents[1] / "viewer" / "test"
FILE = FOLDER / "traces.json"

# As JSON texts: some are numbers that Python and JavaScript would write in other ways. "" leaves the place out.
VALUES = (
    *("", "null", "true", "0", "1", "-1", "2.0", "1.5", "1003", "9007199254740992", "1e999", "[]", "[1]", "[[]]", "{}"),
    *('""', '"x"', '"body"', '"1/3"', '"1e-9"', '"\\ud800"', '{"a": 1}'),
)

_DIFFERENCE = {"frame": [3], "row": [2], "expected": [7]}
_INFINITY = 22906492213  # of the harbour's model; at frame 3, row 2 has this distance
_FIRST = {"frame": 3, "variable": "distance", "row": 2, "expected": 7, "found": _INFINITY}
_HALT = {"frame": 0, "variable": "halt", "row": 0, "expected": 0, "found": 1}
_NAMED = {"name": "edge", "kind": "hyperedge", "scope": "scalar", "line": 22, "section": "body", "initial": 0}
_CHANGED = {"frame": [3], "row": [1], "value": [1]}

_NONE: list[list[int]] = [[] for _ in range(6)]  # of the harbour's hyperedges
_SIDE = [[1], *_NONE[1:]]
_MEMBERS = [[1, 3, 5], [1, 2], [2, 3, 4], [4, 5], [5, 6, 7], [1, 7]]
_REST = [[3, 5], *_MEMBERS[1:]]
_LONG = {"integer": "9" * 20}

_ARRAY = {"name": "x", "kind": "count", "scope": "vertices", "values": [0, 1, 2, 3, 4, 5, 6, 2**53 - 1]}

_NOTE = {"about": ["picks ", 1], "each": ["has ", 0], "guard": 3}  # operations of the harbour's program

_OUTPUT = {"name": "far", "state": "distance", "form": "value"}

_WHERE = ("known", "unless")

Change = tuple[str, Any]
# What is changed, and whether the trace is still taken.
CHOSEN: tuple[tuple[str, bool, tuple[Change, ...]], ...] = (
    ("nothing", True, ()),
    ("what outputs mean", True, (("algorithm.meaning", "`distance` is a sum."),)),
    ("what outputs mean that is no text", False, (("algorithm.meaning", ["distance"]),)),
    ("a note", True, (("algorithm.notes", [_NOTE]),)),
    ("a note of no shape", False, (("algorithm.notes", [{}]),)),
    ("a note with what is neither text nor an operation", False, (("algorithm.notes", [{**_NOTE, "about": [None]}]),)),
    ("a note about no operation", False, (("algorithm.notes", [{**_NOTE, "about": [1000]}]),)),
    ("a note that depends on no flag", False, (("algorithm.notes", [{**_NOTE, "guard": 1}]),)),
    ("a note that depends on flags", False, (("algorithm.notes", [{**_NOTE, "guard": 5}]),)),
    ("a note said of vertices and hyperedges", False, (("algorithm.notes", [{**_NOTE, "each": [0, 12]}]),)),
    ("a note said of no rows", False, (("algorithm.notes", [{**_NOTE, "each": [1]}]),)),
    ("an output known where a flag is set", True, (("variables.0.known", "settled"),)),
    ("an output known unless a flag is set", True, (("variables.0.unless", "settled"),)),
    ("an output known where two flags say so", False, tuple((f"variables.0.{n}", "settled") for n in _WHERE)),
    ("an output known where nothing says so", False, (("variables.0.known", "x"),)),
    ("an output known where a number is set", False, (("variables.0.known", "predecessor"),)),
    ("an output known where a flag of other rows is set", False, (("variables.0.known", "queued"),)),
    ("an output known by a number", False, (("variables.0.known", 1),)),
    ("a state that is no output, and known", False, (("variables.3.known", "settled"),)),
    ("an output", True, (("algorithm.outputs", [_OUTPUT]),)),
    ("an output of no shape", False, (("algorithm.outputs", [{}]),)),
    ("an output in no form", False, (("algorithm.outputs", [{**_OUTPUT, "form": "x"}]),)),
    ("an output that is no state", False, (("algorithm.outputs", [{**_OUTPUT, "state": "x"}]),)),
    ("an output that is a state which is none", False, (("algorithm.outputs", [{**_OUTPUT, "state": "settled"}]),)),
    ("an output that is a quotient", True, (("algorithm.outputs", [{**_OUTPUT, "over": "distance"}]),)),
    ("an output divided by nothing", False, (("algorithm.outputs", [{**_OUTPUT, "over": "x"}]),)),
    ("an output divided by vertices", False, (("algorithm.outputs", [{**_OUTPUT, "over": "predecessor"}]),)),
    ("an output divided by other rows", False, (("algorithm.outputs", [{**_OUTPUT, "over": "key"}]),)),
    ("an unknown scope of a column", False, (("model.columns.0.scope", "nonsense"),)),
    ("lines that are no list", False, (("columns.9.line", "x"),)),
    ("a line that is no number", False, (("columns.9.line.0", [[]]),)),
    ("a line beyond the source", False, (("columns.9.line.0", 1000),)),
    ("a first difference of no shape", False, (("differences.first", {"a": 1}),)),
    ("differences of no shape", False, (("differences.values", {"a": 1}),)),
    ("differences without lists", False, (("differences.values", {"distance": {}}),)),
    ("a frontier of something else", True, (("shows.frontier.more", {}),)),
    ("a difference", True, (("differences.first", _FIRST), ("differences.values", {"distance": _DIFFERENCE}))),
    ("differences without a first one", False, (("differences.values", {"distance": _DIFFERENCE}),)),
    ("a first difference that is not listed", False, (("differences.first", _FIRST),)),
    ("more differences than none", False, (("differences.more", True),)),
    (
        "a first difference that is listed as another",
        False,
        (("differences.first", {**_FIRST, "row": 1}), ("differences.values", {"distance": _DIFFERENCE})),
    ),
    (
        "a difference of equal numbers",
        False,
        (("differences.first", {**_FIRST, "found": 7}), ("differences.values", {"distance": _DIFFERENCE})),
    ),
    (
        "a difference of a number that the transformer does not hold",
        False,
        (("differences.first", {**_FIRST, "found": 8}), ("differences.values", {"distance": _DIFFERENCE})),
    ),
    (
        "a difference where there is none",
        False,
        (
            ("differences.first", _FIRST),
            (
                "differences.values",
                {"distance": {"frame": [3, 6], "row": [2, 2], "expected": [7, 3]}},
            ),
        ),
    ),
    (
        "two differences",
        True,
        (
            ("differences.first", _FIRST),
            ("differences.values", {"distance": {"frame": [3, 6], "row": [2, 2], "expected": [7, 4]}}),
        ),
    ),
    *(
        (
            f"a difference to the {what}",
            False,
            (
                ("differences.first", {**_FIRST, "variable": variable, "expected": expected, "found": 0}),
                ("differences.values", {variable: {**_DIFFERENCE, "expected": [expected]}}),
            ),
        )
        for what, variable, expected in (
            ("vertex 99", "predecessor", 99),
            ("vertex 1.5", "predecessor", 1.5),
            ("flag 2", "settled", 2),
            ("length 0.5", "key", 0.5),
            ("length -1", "key", -1),
        )
    ),
    (
        "a difference before the first iteration",
        True,
        (
            ("columns.15.initial", 1),
            ("differences.first", _HALT),
            ("differences.values", {"halt": {"frame": [0], "row": [0], "expected": [0]}}),
        ),
    ),
    (
        "a difference of a row that is not there",
        False,
        (
            ("differences.first", {**_FIRST, "row": 99}),
            ("differences.values", {"distance": {**_DIFFERENCE, "row": [99]}}),
        ),
    ),
    (
        "a difference of a frame that is not there",
        False,
        (
            ("differences.first", {**_FIRST, "frame": 99}),
            ("differences.values", {"distance": {**_DIFFERENCE, "frame": [99]}}),
        ),
    ),
    (
        "a difference of a variable that is not there",
        False,
        (("differences.first", {**_FIRST, "variable": "x"}), ("differences.values", {"x": _DIFFERENCE})),
    ),
    (
        "a difference before the first",
        False,
        (
            ("differences.first", _FIRST),
            ("differences.values", {"distance": _DIFFERENCE, "key": {**_DIFFERENCE, "frame": [1]}}),
        ),
    ),
    ("a local that begins as an object", False, (("program.0.initial", {"x": 1}),)),
    ("a local of rows that are not there", False, (("program", [{**_NAMED, **_CHANGED}]),)),
    ("a local of the row that is there", True, (("program.0", {**_NAMED, **_CHANGED, "row": [0]}),)),
    *(
        (f"a local that is {value}", taken, (("program.0", {**_NAMED, **_CHANGED, "row": [0], "value": [value]}),))
        for value, taken in ((0, True), (6, True), (7, False), (99, False), (-5, False), (1.5, False))
    ),
    *(
        (f"a local {kind} of {value}", taken, (("program.0", {**_NAMED, **local, "row": [0], "value": [value]}),))
        for kind, local in (("flag", {**_CHANGED, "kind": "flag"}), ("count", {**_CHANGED, "kind": "count"}))
        for value, taken in ((1, True), (2, kind == "count"), (-1, False), (0.5, False))
    ),
    (
        "a local in the middle of an iteration",
        False,
        (("program", [{**_NAMED, **_CHANGED, "row": [0], "frame": [2]}]),),
    ),
    ("an unknown pattern", False, (("attention.0.pattern.0", 7),)),
    ("two vertices of one label", False, (("hypergraph.vertices.1", "Quay"),)),
    ("two hyperedges of one label", False, (("hypergraph.hyperedges.0", "x"), ("hypergraph.hyperedges.1", "x"))),
    ("an integer and a text that look the same", True, (("hypergraph.vertices.0", 1), ("hypergraph.vertices.1", "1"))),
    ("a long integer label", False, (("hypergraph.vertices.1", 2**53),)),
    ("the longest integer label that is a number", True, (("hypergraph.vertices.1", 2**53 - 1),)),
    *(
        (f"an integer label written {text!r}", taken, (("hypergraph.vertices.1", {"integer": text}),))
        for text, taken in {
            **dict.fromkeys(("9007199254740992", "-9007199254740992", "9" * 1000), True),
            **dict.fromkeys(("9007199254740991", "-9007199254740991", "9" * 1001, "7", "-0", ""), False),
            **dict.fromkeys(
                ("09007199254740993", "+9007199254740993", "9007199254740993\n", "9007199254740993 "), False
            ),
        }.items()
    ),
    ("a long integer label that is no text", False, (("hypergraph.vertices.1", {"integer": 2**53}),)),
    ("a long integer label and more", False, (("hypergraph.vertices.1", {"integer": str(2**53), "x": 1}),)),
    (
        "a long integer label and its digits",
        True,
        (("hypergraph.vertices.0", _LONG), ("hypergraph.vertices.1", "9" * 20)),
    ),
    ("a long integer label twice", False, (("hypergraph.vertices.0", _LONG), ("hypergraph.vertices.1", _LONG))),
    (
        "a long integer label of hyperedges twice",
        False,
        (("hypergraph.hyperedges.0", _LONG), ("hypergraph.hyperedges.1", _LONG)),
    ),
    ("a member twice", False, (("hypergraph.members.0", [1, 1]),)),
    ("tails without heads", False, (("hypergraph.tails", _SIDE),)),
    ("tails and heads", True, (("hypergraph.tails", _SIDE), ("hypergraph.heads", _REST))),
    ("members that are tails and heads", True, (("hypergraph.tails", _MEMBERS), ("hypergraph.heads", _MEMBERS))),
    ("a member that is neither a tail nor a head", False, (("hypergraph.tails", _NONE), ("hypergraph.heads", _REST))),
    ("tails alone", False, (("hypergraph.tails", _SIDE), ("hypergraph.heads", _NONE))),
    ("tails of no hyperedge", False, (("hypergraph.tails", []), ("hypergraph.heads", _MEMBERS))),
    ("a tail that is no member", False, (("hypergraph.tails", [[9], *_NONE[1:]]), ("hypergraph.heads", _MEMBERS))),
    ("a head twice", False, (("hypergraph.tails", _MEMBERS), ("hypergraph.heads", [[1, 1], *_NONE[1:]]))),
    ("heads that are no list", False, (("hypergraph.tails", _MEMBERS), ("hypergraph.heads", "x"))),
    ("a head that sums over tails", True, (("model.layers.0.heads.0.kind", "tails_transposed"),)),
    ("an unknown kind of head", False, (("model.layers.0.heads.0.kind", "necks"),)),
    ("a layer that is not there", False, (("frames.layer.1", 1003),)),
    ("an iteration back", False, (("frames.iteration.3", 0),)),
    ("an iteration of many digits", False, (("frames.iteration.3", 10**30),)),
    ("no frame after the first", False, (("frames", {"iteration": [0], "layer": [0]}),)),
    ("a pointer beyond the vertices", False, (("inputs.0.value", 1001),)),
    ("a pointer to none", True, (("inputs.0.value", 0),)),
    ("a pointer between two", False, (("inputs.0.value", 1.5),)),
    (
        "a length that is no integer",
        True,
        (("inputs.0.kind", "length"), ("inputs.0.value", 1.5), ("algorithm.ops.0.kind", "length")),
    ),
    ("an input of another kind than its operation", False, (("inputs.0.kind", "length"),)),
    ("an operation of another kind than its input", False, (("algorithm.ops.0.kind", "hyperedge"),)),
    (
        "a flag of 2",
        False,
        (("inputs.0.kind", "flag"), ("inputs.0.value", 2), ("algorithm.ops.0.kind", "flag")),
    ),
    ("attention to a row that is not there", False, (("attention.0.row.0", 10**9),)),
    ("attention to no row", False, (("attention.0.row.0", -1),)),
    ("attention of layer 0", False, (("attention.0.layer", 0),)),
    ("attention of a layer beyond", False, (("attention.0.layer", 4),)),
    ("attention of head 0", False, (("attention.0.head", 0),)),
    ("attention of a head beyond", False, (("attention.0.head", 99),)),
    ("no attention", True, (("attention", []),)),
    ("attention of frames of another layer", False, (("attention.0.frame.0", 2),)),
    ("a head's column that is not there", False, (("model.layers.0.heads.0.columns", [999]),)),
    ("a value's column that is not there", False, (("model.layers.0.heads.0.value.0.column", 999),)),
    ("an emptied column that is not there", False, (("model.layers.0.heads.0.empties", [999]),)),
    ("a units' column that is not there", False, (("model.layers.0.units.columns", [999]),)),
    ("another number of units", False, (("model.layers.0.units.count", 4),)),
    ("units of which nothing is told", True, (("model.layers.0.units.stages", []),)),
    ("a capacity below the hypergraph", False, (("model.rows", 2),)),
    ("an unknown section of a variable", False, (("variables.0.section", "zzz"),)),
    ("an unknown section of a local", False, (("program.0.section", "zzz"),)),
    ("a state with a section", False, (("variables.0.section", "body"),)),
    ("a state until a layer that is not there", False, (("variables.0.until", 10**9),)),
    ("two variables of one name", False, (("variables.0.name", "x"), ("variables.1.name", "x"))),
    ("every iteration but none", False, (("recorded.every", 0),)),
    ("more iterations than frames", False, (("recorded.iterations", 1004),)),
    ("fewer iterations than frames", False, (("recorded.iterations", 2),)),
    ("iterations that were not asked for", False, (("recorded.every", 3),)),
    ("more than the first iterations that were asked for", False, (("recorded.first", 1),)),
    ("more than the last iterations that were asked for", False, (("recorded.last", 1),)),
    ("as many first iterations as were asked for", True, (("recorded.first", 1004),)),
    ("places of something else", True, (("hypergraph.positions.other", 1),)),
    ("a run that did not end", False, (("recorded.halted", False),)),
    ("a run that was stopped", True, (("recorded.halted", False), ("recorded.stopped", "Enough."))),
    ("a run that ended, and was stopped before", False, (("recorded.stopped", "Enough."),)),
    ("a run that was stopped before its end", True, (("recorded.stopped", "Enough."), ("recorded.iterations", 9))),
    (
        "a run that was stopped long after the last frame",
        False,
        (("recorded.halted", False), ("recorded.stopped", "Enough."), ("recorded.iterations", 1004)),
    ),
    ("a picture of something unknown", False, (("shows.value", "zzz"),)),
    ("something unknown that is current", False, (("shows.current", ["zzz"]),)),
    ("an operation twice", False, (("algorithm.ops.1.op", 0),)),
    ("a state that is assigned and not there", False, (("algorithm.ops.0.assigns", ["zzz"]),)),
    ("an assignment elsewhere", True, (("algorithm.ops.0.elsewhere", [{"state": "settled", "line": 0}]),)),
    ("one to a state that is not there", False, (("algorithm.ops.0.elsewhere", [{"state": "zzz", "line": 0}]),)),
    ("one on a line that is not there", False, (("algorithm.ops.0.elsewhere", [{"state": "settled", "line": 9999}]),)),
    ("a unit of many digits", True, (("unit", "9" * 6000),)),
    ("a unit of too many digits", False, (("unit", "9" * 20_000),)),
    ("a column of a state that is not there", False, (("model.columns.9.of", "zzz"),)),
    ("a column of another state", False, (("model.columns.9.of", "settled"),)),
    ("a column of an array that is given", True, (("model.columns.8.of", "zzz"), ("model.columns.8.scope", "array"))),
    (
        "an operation of an array that is given",
        True,
        (
            ("model.columns.8.of", "zzz"),
            ("model.columns.8.scope", "array"),
            ("algorithm.ops.0.label", "zzz"),
            ("algorithm.ops.0.scope", "vertices"),
        ),
    ),
    ("an operation of an array that is not given", False, (("algorithm.ops.0.scope", "vertices"),)),
    ("a column of an input that is not there", False, (("model.columns.8.of", "zzz"),)),
    ("a column of rows that are not there", False, (("model.columns.4.of", "zzz"),)),
    ("a state in the column of another", False, (("variables.0.column", 10),)),
    ("no inputs", False, (("inputs", []),)),
    ("an operation of an input that is not there", False, (("algorithm.ops.0.label", "zzz"),)),
    (
        "an input that no column has",
        True,
        (("inputs", [{"name": "source", "kind": "vertex", "value": 1}, {"name": "x", "kind": "count", "value": 3}]),),
    ),
    *(
        (f"{what}, beside the columns", taken, (("arrays", [{**_ARRAY, **changed} for changed in arrays]),))
        for what, taken, *arrays in (
            ("an array", True, {}),
            ("no array", True),
            ("an array of hyperedges", True, {"scope": "hyperedges", "values": [9, 8, 7, 6, 5, 4]}),
            ("an array twice", False, {}, {}),
            ("an array called as an input", False, {"name": "source"}),
            ("an array of too few entries", False, {"values": [0, 1]}),
            ("an array of one value", False, {"scope": "scalar", "values": [0]}),
            ("an array of pointers beyond the vertices", False, {"kind": "vertex", "values": [9, *[0] * 7]}),
            ("an array of pointers to none", True, {"kind": "vertex", "values": [0] * 8}),
            ("an array of a flag of 2", False, {"kind": "flag", "values": [2, *[0] * 7]}),
            ("an array of an unsafe number", False, {"values": [2**53, *[0] * 7]}),
            ("an array of a fraction", False, {"values": [0.5, *[0] * 7]}),
        )
    ),
    (
        "an array in a column and beside the columns",
        False,
        (("model.columns.8.of", "x"), ("model.columns.8.scope", "array"), ("arrays", [_ARRAY])),
    ),
    (
        "an operation of an array beside the columns",
        True,
        (
            ("arrays", [{**_ARRAY, "name": "zzz"}]),
            ("algorithm.ops.0.label", "zzz"),
            ("algorithm.ops.0.scope", "vertices"),
        ),
    ),
    ("arrays that are no list", False, (("arrays", {"x": 1}),)),
    ("a vertex outside the picture", False, (("hypergraph.positions.vertices.0", [0.5, 1.5]),)),
    ("a hyperedge outside the picture", False, (("hypergraph.positions.hyperedges.0", [-0.5, 0.5]),)),
    ("places in the corners", True, (("hypergraph.positions.vertices.0", [0, 1]),)),
    ("a unit with a zero before it", False, (("unit", "01"),)),
    ("a unit with a zero behind it", False, (("unit", "0.50"),)),
    ("a unit that is not in lowest terms", False, (("unit", "2/6"),)),
    ("a unit that is a fraction for no reason", False, (("unit", "1/2"),)),
    ("a weight with a zero before it", False, (("hypergraph.weights.0", "01"),)),
    ("an unknown degree of belief", False, (("model.verified", "surely"),)),
)


def cases() -> dict[str, Any]:
    """The table."""
    document = as_browsers_do((FOLDER / "harbour.json").read_bytes())
    return {
        "values": list(VALUES),
        "places": {place: _verdicts(document, place) for place in _places(document)},
        "chosen": [_chosen(document, *each) for each in CHOSEN],
    }


def _places(document: dict[str, Any]) -> Iterator[str]:
    """Every place of a document; of those that differ only in where they stand in lists, the first."""
    seen = set()
    for path in _paths(document):
        shape = tuple(step if isinstance(step, str) else 0 for step in path)
        if path and shape not in seen:
            seen.add(shape)
            yield ".".join(map(str, path))


def _paths(part: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, each in inner:
        yield from _paths(each, (*path, name))


def _verdicts(document: dict[str, Any], place: str) -> str:
    return "".join("t" if _is_taken(document, [(place, value)]) else "r" for value in VALUES)


def _chosen(document: dict[str, Any], what: str, taken: bool, changes: tuple[Change, ...]) -> dict[str, Any]:
    found = [[place, json.dumps(value)] for place, value in changes]
    if _is_taken(document, found) is not taken:
        raise AssertionError(f"{what}: a trace with this is {'refused' if taken else 'taken'}.")
    return {"what": what, "taken": taken, "changes": found}


def _is_taken(document: dict[str, Any], changes: list[Any]) -> bool:
    """Whether the trace is taken with these changes; they are undone again."""
    undo = []
    try:
        for place, text in changes:
            *path, last = (int(step) if step.isdigit() else step for step in place.split("."))
            at: Any = document
            for step in path:
                at = at[step]
            undo.append((at, last, list(at) if isinstance(at, list) else dict(at)))
            _put(at, last, text)
        require_trace(document, "run.json")
    except (FormatError, ValueError):  # the latter of a text that no reader takes, such as 1e999
        return False
    finally:
        for at, _, before in reversed(undo):
            at.clear()
            at.extend(before) if isinstance(at, list) else at.update(before)
    return True


def _put(at: Any, last: Any, text: str) -> None:
    if text:
        at[last] = as_browsers_do(text)
    else:
        del at[last]


def text() -> str:
    """The file."""
    found = cases()
    places = ",\n".join(f"{json.dumps(place)}: {json.dumps(row)}" for place, row in found["places"].items())
    chosen = ",\n".join(map(json.dumps, found["chosen"]))
    return f'{{\n"values": {json.dumps(found["values"])},\n"places": {{\n{places}\n}},\n"chosen": [\n{chosen}\n]\n}}\n'


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
