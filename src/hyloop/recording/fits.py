"""Consistency of a trace: every reference from one part to another resolves.

The page has the same rules (`viewer/src/fits.ts`); `viewer/test/traces.json`, a table of changed traces, tests both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hyloop.errors import HypergraphError
from hyloop.labels import SAFE, label_from_json
from hyloop.numbers import read, short, written
from hyloop.recording.changes import Replay

Document = Mapping[str, Any]


def misfit(it: Document) -> str:
    """A phrase for the first inconsistent part; empty if there is none. Shapes and types were checked before."""
    return next((what for what, holds in _RULES if not holds(it)), "") or _unreadable(it)


def names_fit(it: Document) -> bool:
    """Whether columns and variables fit each other, also before the first frame: a model can be edited, too."""
    return _columns(it) and _variables(it)


# -- queries on a document -------------------------------------------------------------------------------------------


def _rows(it: Document) -> int:
    """The last row of X; row 0 is the global one. A model that looks numbers up has padding rows for them."""
    whole = [len(each["initial"]) - 1 for each in it["columns"] if isinstance(each["initial"], list)]
    return max(_needed(it), *whole) if whole else _needed(it)


def _needed(it: Document) -> int:
    """The last row that is a vertex or a hyperedge."""
    return max(len(it["hypergraph"]["vertices"]), len(it["hypergraph"]["hyperedges"]), 1)


def _last_row(it: Document, scope: str) -> int:
    return 0 if scope == "scalar" else len(it["hypergraph"][scope])


def _layers(it: Document) -> int:
    return len(it["model"]["layers"])


def is_value(it: Document, kind: str, value: float) -> bool:
    """Whether a number is one that the kind has: a flag is 0 or 1, a pointer is 0 or a row."""
    most = {"flag": 1, "vertex": _last_row(it, "vertices"), "hyperedge": _last_row(it, "hyperedges")}
    return kind not in most or (0 <= value <= most[kind] and value % 1 == 0)


def _are_computed(it: Document, kind: str, values: Iterable[float]) -> bool:
    """Whether the interpreter can have computed these: integers from 0, of their kind."""
    return all(value >= 0 and value % 1 == 0 and is_value(it, kind, value) for value in set(values))


def _differ(names: Sequence[Any]) -> bool:
    return len(set(names)) == len(names)


def _same_length(*lists: Sequence[Any]) -> bool:
    return len({len(each) for each in lists}) == 1


def _rises(numbers: Sequence[int]) -> bool:
    return all(before <= after for before, after in pairwise(numbers))


def _within(numbers: Iterable[float], least: int, most: int) -> bool:
    return all(least <= number <= most for number in numbers)


def _are_lines(it: Document, lines: Iterable[int]) -> bool:
    """Whether each is a line of the source, or 0."""
    first, count = it["algorithm"]["first"], len(it["algorithm"]["source"])
    return all(line == 0 or first <= line < first + count for line in lines)


# -- the hypergraph and the inputs -----------------------------------------------------------------------------------


def _hyperedges(it: Document) -> bool:
    h = it["hypergraph"]
    parts = (h["hyperedges"], h["weights"], h["members"], h["positions"]["hyperedges"])
    return _same_length(*parts) and _are_labels(h["hyperedges"])


def _vertices(it: Document) -> bool:
    h = it["hypergraph"]
    return _same_length(h["vertices"], h["positions"]["vertices"]) and _are_labels(h["vertices"])


def _are_labels(labels: Sequence[object]) -> bool:
    """Whether they differ, and each is written as `label_in_json` writes it."""
    try:
        return _differ([label_from_json(each) if isinstance(each, dict) else each for each in labels])
    except HypergraphError:
        return False


def _positions(it: Document) -> bool:
    """Whether every place is in the unit square."""
    places = it["hypergraph"]["positions"]
    return all(_within(place, 0, 1) for side in ("vertices", "hyperedges") for place in places[side])


def _members(it: Document) -> bool:
    count = len(it["hypergraph"]["vertices"])
    return all(_differ(members) and _within(members, 1, count) for members in it["hypergraph"]["members"])


def _directions(it: Document) -> bool:
    """Tails and heads are both told or neither; together they are the members."""
    h = it["hypergraph"]
    ends = [h[side] for side in ("tails", "heads") if side in h]
    if not ends:
        return True
    return len(ends) == 2 and _same_length(*ends, h["members"]) and all(map(_are_ends, *ends, h["members"]))


def _are_ends(tails: Sequence[int], heads: Sequence[int], members: Sequence[int]) -> bool:
    """A member without a direction is both a tail and a head, so each is one of them."""
    return _differ(tails) and _differ(heads) and {*tails, *heads} == set(members)


def _inputs(it: Document) -> bool:
    h = it["hypergraph"]
    most = {"flag": 1, "vertex": len(h["vertices"]), "hyperedge": len(h["hyperedges"])}
    arrays = it.get("arrays", [])
    named = _differ([*(each["name"] for each in it["inputs"]), *(each["name"] for each in arrays), *_in_columns(it)])
    single = all(
        isinstance(each["value"], int) and 0 <= each["value"] <= most[each["kind"]]
        for each in it["inputs"]
        if each["kind"] in most
    )
    return (
        named
        and single
        and all(
            len(each["values"]) == len(h[each["scope"]]) and _within(each["values"], 0, most.get(each["kind"], SAFE))
            for each in arrays
        )
    )


# -- the program and the model ---------------------------------------------------------------------------------------


def _operations(it: Document) -> bool:
    """Whether operations are numbered in their section, with operands before them, and inputs have their kinds."""
    states, inputs, arrays = _states(it), {each["name"]: each["kind"] for each in it["inputs"]}, _arrays(it)
    numbers: dict[str, int] = {}
    for each in it["algorithm"]["ops"]:
        if each["op"] != numbers.get(each["section"], 0):
            return False
        numbers[each["section"]] = each["op"] + 1
        if not (_within(each["operands"], 0, each["op"] - 1) and states.issuperset(each["assigns"])):
            return False
        if not states.issuperset(other["state"] for other in each.get("elsewhere", ())):
            return False
        if each["name"] == "input" and not _is_given(each, inputs, arrays):
            return False
    ops = it["algorithm"]["ops"]
    lines = (other["line"] for each in ops for other in (each, *each.get("elsewhere", ())))
    return _are_lines(it, lines) and _notes(it)


def _notes(it: Document) -> bool:
    """Whether notes are about operations of the loop, depend on a flag, and are said of the rows of one scope."""
    scopes = [each["scope"] for each in it["algorithm"]["ops"] if each["section"] == "body"]
    kinds = [each["kind"] for each in it["algorithm"]["ops"] if each["section"] == "body"]
    for note in it["algorithm"].get("notes", ()):
        guard = [note["guard"]] if "guard" in note else []
        about, rows = ([part for part in note[name] if isinstance(part, int)] for name in ("about", "each"))
        if not _within([*about, *rows, *guard], 0, len(scopes) - 1):
            return False
        if any((kinds[op], scopes[op]) != ("flag", "scalar") for op in guard):
            return False
        if len({scopes[op] for op in rows} - {"scalar"}) != bool(note["each"]):
            return False
    return True


def _is_given(op: Document, inputs: Mapping[str, str], arrays: set[str]) -> bool:
    """Whether an operation's input is there, with its kind."""
    return inputs.get(op["label"]) == op["kind"] if op["scope"] == "scalar" else op["label"] in arrays


def _arrays(it: Document) -> set[str]:
    """The inputs that are arrays: in a column, or beside them."""
    return _in_columns(it) | {each["name"] for each in it.get("arrays", ())}


def _in_columns(it: Document) -> set[str]:
    return {each["of"] for each in it["model"]["columns"] if each["role"] == "input" and each["scope"] == "array"}


def _purposes(it: Document) -> bool:
    """Whether every purpose names an existing operation."""
    ops = {(each["section"], each["op"]) for each in it["algorithm"]["ops"]}
    layers, columns = it["model"]["layers"], it["model"]["columns"]
    heads = [head for layer in layers for head in layer["heads"]]
    named = [purpose for head in heads for part in ("query", "key") for purpose in head[part]]
    holders = [*columns, *(brought for head in heads for brought in head["value"])]
    holders += [unit for layer in layers for stage in layer["units"]["stages"] for unit in stage]
    named += [purpose for holder in holders for purpose in holder["for"]]
    return all((section, op) in ops for section, op, *_ in named)


def _model(it: Document) -> bool:
    """Whether the hypergraph is within the capacity, and heads and units name existing columns."""
    last = len(it["model"]["columns"]) - 1
    heads = [head for layer in it["model"]["layers"] for head in layer["heads"]]
    lists = [head[part] for head in heads for part in ("empties", "columns")]
    lists += [[brought["column"] for brought in head["value"]] for head in heads]
    units = [layer["units"] for layer in it["model"]["layers"]]
    lists += [each["columns"] for each in units]
    return (
        _needed(it) <= max(it["model"]["rows"], 1)
        and all(_within(each, 0, last) for each in lists)
        and all(_staged(each) for each in units)
    )


def _staged(units: Document) -> bool:
    """Whether every unit has purposes for its three stages, or none has."""
    lengths = [len(stage) for stage in units["stages"]]
    return lengths in ([], [units["count"]] * 3)


# -- frames ----------------------------------------------------------------------------------------------------------


def _frames(it: Document) -> bool:
    """Whether frame 0 is the state before the first layer, and the others are those of iterations, in order."""
    iteration, layer = it["frames"]["iteration"], it["frames"]["layer"]
    last = _layers(it)
    each = last if it["recorded"]["layers"] else 1  # frames per iteration
    if last < 1 or len(iteration) != len(layer) or len(iteration) % each != 1 % each or not iteration:
        return False
    wanted = list(range(last - each + 1, last + 1))
    blocks = range(1, len(iteration), each)
    return (
        iteration[0] == layer[0] == 0
        and all(layer[at : at + each] == wanted for at in blocks)
        and all(iteration[at : at + each] == [iteration[at]] * each for at in blocks)
        and all(before < after for before, after in pairwise(_ends(it)))
    )


def _ends(it: Document) -> list[int]:
    """0, then the iterations that were recorded."""
    found: list[int] = it["frames"]["iteration"][:: _layers(it) if it["recorded"]["layers"] else 1]
    return found


def _recorded(it: Document) -> bool:
    """Whether the recorded iterations match the options of the recording, and the end of the run its description."""
    recorded, ends = it["recorded"], _ends(it)
    every, done, halted = recorded["every"], recorded["iterations"], recorded["halted"]
    stopped = bool(recorded["stopped"])
    gaps = [] if recorded["last"] is not None else pairwise([*ends, done])
    return (
        (halted or stopped)
        and ends[-1] <= done
        and (not halted or stopped == (ends[-1] < done))  # a recording that reaches the end is not stopped before it
        and all(end == 1 or end % every == 0 or (halted and end == done) for end in ends[1:])
        and all(_asked(recorded, end) for end in ends[1:])
        and all(after - before <= every for before, after in gaps)
    )


def _asked(recorded: Document, end: int) -> bool:
    """Whether an iteration is among the first or last ones that were asked for; the last of a run always is."""
    first, last, done = recorded["first"], recorded["last"], recorded["iterations"]
    if (first is None and last is None) or (recorded["halted"] and end == done):
        return True
    return end <= (first or 0) or (last is not None and end > done - last)


def _columns(it: Document) -> bool:
    """Whether there are changes of each column, and what it is said to hold is there."""
    held = {**_HELD, "state": _states(it), "input": {each["name"] for each in it["inputs"]} | _arrays(it)}
    found = it["model"]["columns"]
    return len(found) == len(it["columns"]) and all(
        each["of"] in held[each["role"]] for each in found if each["role"] in held
    )


_SIDES = {"vertices", "hyperedges"}
_HELD = {"class": _SIDES, "size": _SIDES, "bias": {"global", "rows"}, "position": {"number", "square", "quarter"}}


def _states(it: Document) -> set[str]:
    return {each["name"] for each in it["variables"] if each["role"] == "state"}


def _changes(it: Document) -> bool:
    rows = _rows(it)
    return all(_in_step(it, each, rows, rows) and _lines_of(it, each) for each in it["columns"])


def _lines_of(it: Document, changes: Document) -> bool:
    lines = changes.get("line")
    return lines is None or (_same_length(lines, changes["frame"]) and _are_lines(it, set(lines)))


def _in_step(it: Document, changes: Document, last: int, rows: int) -> bool:
    """Whether changes are in order, each of a row up to `last`, after frame 0; `rows` is the last row of X."""
    frame, row, initial = changes["frame"], changes["row"], changes["initial"]
    return (
        _same_length(frame, row, changes["value"])
        and _rises(frame)
        and _within((frame[0], frame[-1]) if frame else (), 1, len(it["frames"]["iteration"]) - 1)
        and max(row, default=0) <= last
        and (not isinstance(initial, list) or len(initial) == rows + 1)
    )


# -- variables -------------------------------------------------------------------------------------------------------


def _variables(it: Document) -> bool:
    found = it["variables"]
    return _differ([each["name"] for each in found]) and all(_is_variable(it, each) for each in found)


def _is_variable(it: Document, each: Document) -> bool:
    last = _layers(it)
    local = each["role"] == "local"
    stays = each["from"] <= each["until"] <= last if local else (each["from"], each["until"]) == (0, last)
    return (
        stays
        and local == bool(each["section"])
        and each["column"] < len(it["columns"])
        and (local or _stands_in(each, it["model"]["columns"][each["column"]]))
        and _are_lines(it, (each["line"],))
        and _is_shown_where(it, each)
    )


def _is_shown_where(it: Document, each: Document) -> bool:
    """Whether the flag that says where the answer has an output is a state of the same rows; there is at most one."""
    flags = [each[name] for name in ("known", "unless") if name in each]
    wanted = ("state", "flag", each["scope"])
    states = {one["name"] for one in it["variables"] if (one["role"], one["kind"], one["scope"]) == wanted}
    return not flags or (len(flags) == 1 and each["output"] and flags[0] in states)


def _outputs(it: Document) -> bool:
    """Whether every output is a state that says so; one that divides another has numbers of the same rows."""
    states = {each["name"]: each for each in it["variables"] if each["role"] == "state"}
    return all(_is_output(states, each) for each in it["algorithm"].get("outputs", ()))


def _is_output(states: Mapping[str, Document], each: Document) -> bool:
    state, over = states.get(each["state"]), states.get(each.get("over", each["state"]))
    if state is None or over is None or not state["output"]:
        return False
    numbers = {state["kind"], over["kind"]} <= {"count", "length"} and state["scope"] == over["scope"]
    return numbers or "over" not in each


def _stands_in(each: Document, column: Document) -> bool:
    """Whether a column is that of a state, or of the halt flag."""
    return bool(column["role"] == each["role"] and (each["role"] == "halt" or column["of"] == each["name"]))


def _program(it: Document) -> bool:
    """Whether the interpreter's values have rows of their scope, at the ends of iterations."""
    layer, rows = it["frames"]["layer"], _rows(it)
    return _differ([(each["section"], each["name"]) for each in it["program"]]) and all(
        _in_step(it, each, _last_row(it, each["scope"]), rows)
        and _are_computed(it, each["kind"], each["value"])
        and all(layer[at] == _layers(it) for at in set(each["frame"]))
        and _are_lines(it, (each["line"],))
        for each in it["program"]
    )


def _shows(it: Document) -> bool:
    """Whether what a picture shows is a variable, or a local of the program."""
    names = {None, *(each["name"] for part in ("variables", "program") for each in it[part])}
    shows = it["shows"]
    shown = [*shows["current"], *(shows["frontier"][side] for side in ("vertices", "hyperedges"))]
    shown += [shows[part] for part in ("value", "settled", "predecessor", "through")]
    return names.issuperset(shown)


# -- attention -------------------------------------------------------------------------------------------------------


def _attention(it: Document) -> bool:
    """Whether each head occurs once, with one entry per frame after its layer."""
    layers, rows = it["model"]["layers"], _rows(it)
    after: dict[int, list[int]] = {}
    for frame, layer in enumerate(it["frames"]["layer"]):
        after.setdefault(layer, []).append(frame)
    return (
        (it["recorded"]["layers"] or not it["attention"])
        and _differ([(each["layer"], each["head"]) for each in it["attention"]])
        and all(
            1 <= each["layer"] <= len(layers)
            and 1 <= each["head"] <= len(layers[each["layer"] - 1]["heads"])
            and each["frame"] == after.get(each["layer"], [])
            and _looks(each, rows)
            for each in it["attention"]
        )
    )


def _looks(each: Document, rows: int) -> bool:
    """Whether a head's patterns and links name existing rows."""
    links, start = each["links"], each["start"]
    lists = (each["frame"], each["pattern"], each["row"], each["ties"], each["margin"])
    return (
        _same_length(*lists)
        and _same_length(start, [0, *each["frame"]])
        and _rises(start)
        and start[0] == 0
        and _same_length(*(links[part] for part in ("query", "row", "ties", "margin")), range(start[-1]))
        and all((row >= 0) == (pattern == 0) for row, pattern in zip(each["row"], each["pattern"], strict=True))
        and _within([*each["row"], *links["row"], *links["query"]], -1, rows)
        and _within([*each["ties"], *links["ties"]], 1, rows + 1)
    )


# -- differences -----------------------------------------------------------------------------------------------------


def _differences(it: Document) -> bool:
    """Whether the first difference is listed, and every other names an existing variable, row and frame."""
    first, values = it["differences"]["first"], it["differences"]["values"]
    if first is None:
        return not values and not it["differences"]["more"]
    variables = {each["name"]: each for each in it["variables"]}
    total = len(it["frames"]["iteration"])
    return (
        first["variable"] in values
        and all(name in variables and _lists(it, variables[name], values[name], total) for name in values)
        and [values[first["variable"]][part][0] for part in ("frame", "row", "expected")]
        == [first[part] for part in ("frame", "row", "expected")]
        and first["found"] == _held(it, variables[first["variable"]], first["frame"], first["row"])
        and all(first["frame"] <= each["frame"][0] for each in values.values())
    )


def _held(it: Document, variable: Document, frame: int, row: int) -> float:
    """What the transformer holds."""
    column = Replay(it["columns"][variable["column"]])
    column.advance(frame)
    return column.value(row)


def _are_different(it: Document, variable: Document, listed: Document) -> bool:
    """Whether the transformer holds something else at each of these frames and rows, which are in order."""
    column = Replay(it["columns"][variable["column"]])
    for frame, row, expected in zip(listed["frame"], listed["row"], listed["expected"], strict=True):
        column.advance(frame)
        if column.value(row) == expected:
            return False
    return True


def _lists(it: Document, variable: Document, each: Document, total: int) -> bool:
    scalar = variable["scope"] == "scalar"
    return (
        bool(each["frame"])
        and _same_length(each["frame"], each["row"], each["expected"])
        and _rises(each["frame"])
        and _within(each["frame"], 0, total - 1)  # 0: it halts before its first iteration
        and _within(each["row"], 0 if scalar else 1, _last_row(it, variable["scope"]))
        and _are_computed(it, variable["kind"], each["expected"])
        and _are_different(it, variable, each)
    )


# -- numbers as text -------------------------------------------------------------------------------------------------


def _unreadable(it: Document) -> str:
    """The unit or the weights, with the first text that is no positive number as `numbers.written` writes it."""
    for what, texts in (("unit", [it["unit"]]), ("weights", it["hypergraph"]["weights"])):
        wrong = next(filter(None, map(_wrong_number, texts)), "")
        if wrong:
            return f"{what} ({wrong})"
    return ""


def _wrong_number(text: str) -> str:
    try:
        number = read(text)
    except ValueError:
        number = Fraction(0)
    if number <= 0:
        return f"{text[:40]!r} is not a positive number such as 3, 0.25 or 1/3"
    wanted = written(number)
    return "" if wanted == text else f"{text[:40]!r} is written {short(number)} here"


# In this order: later rules rely on earlier ones.
_RULES: tuple[tuple[str, Callable[[Document], bool]], ...] = (
    ("hyperedges", _hyperedges),
    ("vertices", _vertices),
    ("positions", _positions),
    ("members", _members),
    ("directions", _directions),
    ("inputs", _inputs),
    ("columns", _columns),
    ("operations", _operations),
    ("purposes", _purposes),
    ("model", _model),
    ("frames", _frames),
    ("recorded", _recorded),
    ("changes", _changes),
    ("variables", _variables),
    ("outputs", _outputs),
    ("program", _program),
    ("shows", _shows),
    ("attention", _attention),
    ("differences", _differences),
)
