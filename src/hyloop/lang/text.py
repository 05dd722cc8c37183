"""The text form of programs, readable beside the source: writer and parser.

    algorithm levels
    about "Level of every vertex: the number of hyperedges to cross from `source`."
    input source: vertex
    state level: count[vertices] = 0  @levels.py:9:12-40
    before
      0 state reached: flag[vertices]  @levels.py:14:4-19
      ...
      reached := 4
    loop at most n_v
      ...
      stop 7
    output level = level known reached

An operation is `number name argument operands: type label @place`; operands are written `%3`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hyloop.errors import HyloopError
from hyloop.lang import budgets
from hyloop.lang.kinds import INFINITY, Constant, Kind, Scope, Type
from hyloop.lang.ops import LANGUAGE, OPERATIONS, ArgumentKind
from hyloop.lang.program import Argument, Input, Op, Output, Program, Section, State
from hyloop.lang.purpose import SectionName
from hyloop.lang.size import Size, parse_size
from hyloop.lang.source import Location
from hyloop.lang.verify import verify

# -- writing --------------------------------------------------------------------------------------------------------


def to_text(program: Program) -> str:
    """The program as text; `from_text` reads it back."""
    return "\n".join(line.text for line in listing(program)) + "\n"


@dataclass(frozen=True)
class TextLine:
    """A line of a program's text, and the operation (section, number) or state that it describes."""

    text: str
    op: tuple[SectionName, int] | None = None
    state: str | None = None


def quoted(text: str) -> str:
    """A text as a line of the program's text has it."""
    return json.dumps(text, ensure_ascii=False)


def listing(program: Program) -> Iterator[TextLine]:
    """The lines of a program's text."""
    yield TextLine(f"algorithm {program.name}")
    yield TextLine(f"about {quoted(program.about)}")
    for given in program.inputs:
        bound = "" if given.at_most is None else f" at most {given.at_most}"
        yield TextLine(f"input {given.name}: {given.type}{bound}")
    for state in program.states:
        bound = "" if state.at_most is None else f" at most {state.at_most}"
        text = f"state {state.name}: {state.type}{bound} = {_constant(state.initial)}  {_place(state.where)}"
        yield TextLine(text, state=state.name)
    if program.before.ops:
        yield TextLine("before")
        yield from _section("before", program.before)
    yield TextLine(f"loop at most {program.at_most}")
    yield from _section("body", program.body)
    for output in program.outputs:
        yield TextLine(_output(output))


def _section(name: SectionName, section: Section) -> Iterator[TextLine]:
    for number, op in enumerate(section.ops):
        argument = "" if OPERATIONS[op.name].argument == "nothing" else f" {_argument(op.argument)}"
        operands = "".join(f" %{operand}" for operand in op.operands)
        label = f" {op.label}" if op.label else ""
        text = f"  {number} {op.name}{argument}{operands}: {op.type}{label}  {_place(op.where)}"
        yield TextLine(text, op=(name, number))
    for state, number in section.updates.items():
        yield TextLine(f"  {state} := {number}")
    if section.stop is not None:
        yield TextLine(f"  stop {section.stop}")


def _output(output: Output) -> str:
    place = "" if output.place is None else f"[{output.place}]"
    form = "" if output.form == "value" else f"{output.form} "
    extra = "".join(f" {word} {name}" for word, name in _beside(output) if name is not None)
    return f"output {output.name}{place} = {form}{output.state}{extra}"


def _beside(output: Output) -> tuple[tuple[str, str | None], ...]:
    return ("known", output.known), ("unless", output.unless), ("of", output.of), ("over", output.over)


def _argument(argument: Argument) -> str:
    return (
        argument if isinstance(argument, str) else str(argument) if isinstance(argument, Scope) else _constant(argument)
    )


def _constant(value: Constant) -> str:
    names: Mapping[int, str] = {id(True): "true", id(False): "false", id(None): "none", id(INFINITY): "infinity"}
    return names.get(id(value), str(value))


def _place(where: Location) -> str:
    return f"@{where.file}:{where.line}:{where.column}-{where.end}"


# -- reading --------------------------------------------------------------------------------------------------------

SHOWN = 200  # characters of a line that a message quotes
_WORD = r"[^\s:=%@\[\]]+"  # the verifier checks names
_NAME = rf"{_WORD}(?:\[\d+\])?"
_TYPE = r"(?P<kind>\w+)(?:\[(?P<scope>\w+)\])?"
_PLACE = r"@(?P<file>.*):(?P<line>\d+):(?P<column>\d+)-(?P<end>\d+)"
_INPUT = re.compile(rf"input (?P<name>{_WORD}): {_TYPE}(?: at most (?P<at_most>\d+))?")
_STATE = re.compile(rf"state (?P<name>{_NAME}): {_TYPE}(?: at most (?P<at_most>[^=@]+?))? = (?P<initial>\w+)  {_PLACE}")
_OP = re.compile(
    rf"(?P<number>\d+) (?P<op>\w+)(?: (?P<argument>[^%:\s][^%:]*?))?(?P<operands>(?: %\d+)*): {_TYPE}"
    rf"(?: (?P<label>{_NAME}))?  {_PLACE}"
)
_UPDATE = re.compile(rf"(?P<name>{_NAME}) := (?P<number>\d+)")
_OUTPUT = re.compile(
    rf"output (?P<name>{_WORD})(?:\[(?P<at>\d+)\])? = (?:(?P<form>total|stream) )?(?P<state>{_NAME})"
    rf"(?: known (?P<known>{_NAME}))?(?: unless (?P<unless>{_NAME}))?(?: of (?P<of>{_NAME}))?"
    rf"(?: over (?P<over>{_NAME}))?"
)
_CONSTANTS: Mapping[str, Constant] = {"true": True, "false": False, "none": None, "infinity": INFINITY}


@dataclass
class _Draft:
    name: str = ""
    about: str = ""
    inputs: list[Input] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    at_most: Size | None = None
    sections: dict[str, tuple[list[Op], dict[str, int], list[int]]] = field(default_factory=dict)
    current: str = ""

    def begin(self, name: str) -> None:
        _once(name not in self.sections)
        self.current = name
        self.sections[name] = ([], {}, [])

    def here(self) -> tuple[list[Op], dict[str, int], list[int]]:
        if not self.current:
            raise ValueError("it must stand below `before` or `loop`")
        return self.sections[self.current]

    def section(self, name: str) -> Section:
        ops, updates, stops = self.sections.get(name, ([], {}, []))
        return Section(tuple(ops), updates, stops[0] if stops else None)


def from_text(text: str) -> Program:
    """Parse and verify a program that `to_text` wrote."""
    budgets.within("Letters in the program's text", len(text), budgets.TEXT)
    draft = _Draft()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                _read_line(draft, line.strip())
            except (ValueError, KeyError, IndexError, HyloopError) as wrong:
                raise HyloopError(
                    f"Line {number} of the program's text cannot be read: {_short(line)!r} ({_short(str(wrong))})."
                ) from None
    if not draft.name:
        raise HyloopError("The program's text has no name: `algorithm NAME`.")
    if draft.at_most is None:
        raise HyloopError("The program's text has no loop.")
    whole = Program(
        draft.name,
        draft.about,
        tuple(draft.inputs),
        tuple(draft.states),
        draft.section("before"),
        draft.section("loop"),
        draft.at_most,
        tuple(draft.outputs),
    )
    return verify(whole)


def _short(text: str) -> str:
    line = text.strip()
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def _read_line(draft: _Draft, line: str) -> None:
    budgets.within("Letters in it", len(line), budgets.LINE)
    word, _, rest = line.partition(" ")
    if word in _READ and not _UPDATE.fullmatch(line):  # a state may be named like the first word of a line
        _READ[word](draft, line, rest)
    elif word[0].isdigit():
        _read_op(draft, line)
    else:
        _read_update(draft, line)


def _matched(pattern: re.Pattern[str], line: str) -> Mapping[str, Any]:
    found = pattern.fullmatch(line)
    if found is None:
        raise ValueError("it is not of the form it should have")
    return found.groupdict()


def _type(found: Mapping[str, Any]) -> Type:
    return Type(Kind(found["kind"]), Scope(found["scope"] or "scalar"))


def _where(found: Mapping[str, Any]) -> Location:
    return Location(found["file"], int(found["line"]), int(found["column"]), int(found["end"]))


def _value(text: str) -> Constant:
    return _CONSTANTS[text] if text in _CONSTANTS else int(text)


def _read_op(draft: _Draft, line: str) -> None:
    found = _matched(_OP, line)
    ops, _, _ = draft.here()
    if int(found["number"]) != len(ops):
        raise ValueError(f"expected number {len(ops)}")
    name, text = found["op"], found["argument"]
    if name not in LANGUAGE:
        raise ValueError(f"there is no operation {name!r} in the language")
    argument = _ARGUMENTS[OPERATIONS[name].argument](text)
    operands = tuple(int(operand) for operand in found["operands"].replace("%", "").split())
    ops.append(Op(name, operands, argument, _type(found), _where(found), found["label"] or ""))


def _read_update(draft: _Draft, line: str) -> None:
    found = _matched(_UPDATE, line)
    _, updates, _ = draft.here()
    _once(found["name"] not in updates)
    updates[found["name"]] = int(found["number"])


def _read_stop(draft: _Draft, _: str, rest: str) -> None:
    stops = draft.here()[2]
    _once(not stops)
    stops.append(int(rest))


def _once(new: bool) -> None:
    if not new:
        raise ValueError("it stands there twice")


def _nothing(text: str | None) -> None:
    if text is not None:
        raise ValueError(f"this operation has no constant part, such as {text!r}")


def _given(read: Callable[[str], Argument]) -> Callable[[str | None], Argument]:
    def given(text: str | None) -> Argument:
        if text is None:
            raise ValueError("this operation has a constant part, which is missing")
        return read(text)

    return given


_ARGUMENTS: Mapping[ArgumentKind, Callable[[str | None], Argument]] = {
    "nothing": _nothing,
    "name": _given(str),
    "scope": _given(Scope),
    "constant": _given(_value),
}


def _read_input(draft: _Draft, line: str, _: str) -> None:
    found = _matched(_INPUT, line)
    bound = None if found["at_most"] is None else int(found["at_most"])
    draft.inputs.append(Input(found["name"], _type(found), bound))


def _read_state(draft: _Draft, line: str, _: str) -> None:
    found = _matched(_STATE, line)
    bound = None if found["at_most"] is None else parse_size(found["at_most"])
    draft.states.append(State(found["name"], _type(found), _value(found["initial"]), _where(found), at_most=bound))


def _read_loop(draft: _Draft, _: str, rest: str) -> None:
    if not rest.startswith("at most "):
        raise ValueError("a loop says how often it may run: `loop at most n_v`")
    draft.begin("loop")
    draft.at_most = parse_size(rest.removeprefix("at most "))


def _read_output(draft: _Draft, line: str, _: str) -> None:
    found = _matched(_OUTPUT, line)
    place = None if found["at"] is None else int(found["at"])
    form: Any = found["form"] or "value"
    beside = found["known"], found["unless"], found["of"]
    draft.outputs.append(Output(found["name"], found["state"], form, *beside, place, found["over"]))


def _read_name(draft: _Draft, _: str, rest: str) -> None:
    _once(not draft.name)
    draft.name = rest


def _read_about(draft: _Draft, _: str, rest: str) -> None:
    _once(not draft.about)
    draft.about = str(json.loads(rest))


_READ: Mapping[str, Callable[[_Draft, str, str], None]] = {
    "algorithm": _read_name,
    "about": _read_about,
    "input": _read_input,
    "state": _read_state,
    "before": lambda draft, _, __: draft.begin("before"),
    "loop": _read_loop,
    "stop": _read_stop,
    "output": _read_output,
}
