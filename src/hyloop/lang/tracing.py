"""`@algorithm`: from a Python function to a `Program`, by running it once on handles."""

from __future__ import annotations

import builtins
import dis
import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Literal

from hyloop.errors import HyloopError
from hyloop.lang import budgets
from hyloop.lang.handles import H, StateHandle, Value
from hyloop.lang.inputs import InputKind, Rows, declared
from hyloop.lang.names import is_name, require_short
from hyloop.lang.program import Note, Op, Output, Program, Section, Sentence, State
from hyloop.lang.refusals import NoValue, called_right
from hyloop.lang.size import Size
from hyloop.lang.source import LanguageError, Location, error, file_name, here, place_of, source_lines
from hyloop.lang.text import quoted
from hyloop.lang.tracer import TRACING, Drafting, Tracer
from hyloop.lang.usercode import run_file, same_file, told
from hyloop.lang.verify import verify

Function = Callable[..., "Outputs"]


@dataclass(frozen=True, eq=False)
class Wrapped(NoValue):
    """An output that is more than a state."""

    state: StateHandle
    form: Literal["value", "total", "stream"] = "value"
    known: StateHandle | None = None
    unless: StateHandle | None = None
    of: StateHandle | None = None
    over: StateHandle | None = None
    _hint = ", and the loop cannot use it: outputs stand in `return Outputs(...)` and are made when it has ended"

    @property
    def handles(self) -> tuple[StateHandle, ...]:
        """The states that it is made of."""
        given = (self.state, self.known, self.unless, self.of, self.over)
        return tuple(handle for handle in given if handle is not None)

    def __repr__(self) -> str:
        return "this output"


@called_right
def total(counters: Any) -> Wrapped:
    """The sum of a counter array, added up by the decoder."""
    return Wrapped(_state(counters, "`total`"), "total")


@called_right
def quotient(state: Any, over: Any) -> Wrapped:
    """One number divided by another, exactly, by the decoder; none where it is divided by 0, or one is infinite."""
    return Wrapped(_state(state, "`quotient`"), over=_state(over, "`quotient`"))


@called_right
def known(values: Any, where: Any = None, *, unless: Any = None) -> Wrapped | list[Wrapped]:
    """An output, or a list of them, that is shown only where a flag holds (or `unless` one does); elsewhere none."""
    if (where is None) == (unless is None):
        raise error("`known` needs one flag: `where=flag` or `unless=flag`.")
    if isinstance(values, list | tuple):
        return [known(each, where, unless=unless) for each in values]  # type: ignore[misc]
    flag = _state(where if unless is None else unless, "`known`")
    state = _state(values, "`known`")
    return Wrapped(state, known=flag) if unless is None else Wrapped(state, unless=flag)


@called_right
def stream(array: Any, of: Any) -> Wrapped:
    """An array recorded after every iteration in which the pointer `of` names something."""
    return Wrapped(_state(array, "`stream`"), "stream", of=_state(of, "`of=`"))


class Outputs(NoValue):
    """What an algorithm returns: states by name; `total`, `known`, `quotient`, `stream` of them; or lists of these."""

    def __init__(self, /, *unnamed: Any, **outputs: Any) -> None:
        if unnamed:
            raise error("every output has a name: `Outputs(distance=x)`.")
        for name, given in outputs.items():
            require_short(name, here())
            if not is_name(name):
                raise error(f"{name!r} cannot be the name of an output; a name of Python's can, such as `distance`.")
            if isinstance(given, list | tuple) and not given:
                raise error(f"The output {name!r} is an empty list; give it states, or leave it out.")
            for each in given if isinstance(given, list | tuple) else [given]:
                if not isinstance(each, Wrapped):
                    _state(each, f"The output {name!r}")
                elif each.form == "stream" and isinstance(given, list | tuple):
                    raise error(f"The output {name!r} has a stream in a list; give the stream an output of its own.")
        self._outputs = outputs
        self._where = here()

    def __repr__(self) -> str:
        return "`Outputs(...)`"


def _state(given: Any, what: str) -> StateHandle:
    if not isinstance(given, StateHandle):
        raise error(
            f"{what} needs a state, for only states live on after the loop; assign the value to one in the loop."
        )
    return given


class Algorithm:
    """A function of the language; `program` is what it was traced into."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.name = function.__name__
        self.about = _about(function)
        self.__doc__ = function.__doc__

    @cached_property
    def program(self) -> Program:
        """The traced program; traced on first use."""
        return traced(self.function)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs."""
        return tuple(given.name for given in self.program.inputs)

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Refused: an algorithm is not run by calling it."""
        raise TypeError(
            f"{self.name} is an algorithm, not a function to call: use hyloop.run({self.name}, hypergraph, ...)."
        )

    def __repr__(self) -> str:
        return f"<algorithm {self.name}>"


def algorithm(function: Function | None = None) -> Algorithm:
    """Decorator: make a function of the language an algorithm."""
    if function is None:
        raise error("`@algorithm` has no brackets: it stands alone above the function.")
    if isinstance(function, Algorithm):
        raise error(f"{function.name} is an algorithm already; `@algorithm` stands above a function once.")
    if not inspect.isfunction(function):
        raise error(f"`@algorithm` stands above a function, `def name(h, ...):`; {_odd(function)} is none.")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise error(
            f"{function.__name__} is traced by calling it once, so it cannot be `async` or have a `yield`; "
            "return its outputs.",
            _definition(function),
        )
    if taken := OPTIONS & {*list(inspect.signature(function).parameters)[1:]}:
        raise error(
            f"an input cannot be called `{min(taken)}`: that is what `hyloop.run` or `check` call their own "
            "arguments. Rename it.",
            _definition(function),
        )
    return Algorithm(function)


# What `run`, `run_many` and `check` take beside inputs: no input can have such a name.
OPTIONS = frozenset(
    (
        *("algorithm", "backend", "checkpoint", "every", "hypergraph", "hypergraphs", "ignore_direction", "model"),
        *("padding", "processes", "progress", "resume", "time_limit"),
    )
)


def _odd(given: object) -> str:
    """A phrase for something that is not a function."""
    name = getattr(given, "__qualname__", None)
    if isinstance(given, type):
        return f"the class {name}"
    return f"{name}, which is built in," if inspect.isbuiltin(given) else f"this {type(given).__name__}"


def traced(function: Function) -> Program:
    """Run a function on handles and record what it does."""
    linecache.checkcache(function.__code__.co_filename)  # messages quote the current file
    tracer = Tracer()
    where = _definition(function)
    for name in (function.__name__, *_parameters(function)):
        require_short(name, where)
    handles = [_input(tracer, name, kind, where) for name, kind in _parameters(function).items()]
    token = TRACING.set(tracer)
    watch = _Watch(function.__code__)
    try:
        with watch:
            returned = function(H(tracer), *handles)
    except LanguageError:
        try:
            _require_names(watch)  # what came of it may have been refused as an output
        except LanguageError as cause:
            raise cause from None
        raise
    except (HyloopError, KeyboardInterrupt):
        raise
    except BaseException as wrong:
        file = Path(function.__code__.co_filename)
        where = _raised(wrong, file) or where
        raise LanguageError(f"{told(wrong, file, place='')}{_wanted(wrong)}", where) from wrong
    finally:
        TRACING.reset(token)
    outputs = tuple(_outputs(returned, function, tracer))
    _require_loop(tracer, function)
    _require_values(tracer)
    _require_conditions(tracer)
    _require_names(watch)
    return verify(_named(tracer, function, outputs, watch.at_end))


def _wanted(wrong: BaseException) -> str:
    """The end of a sentence about an exception: for a name that there is not, the one that was probably meant."""
    if not isinstance(wrong, NameError) or isinstance(wrong, UnboundLocalError) or wrong.__traceback__ is None:
        return "."
    name, *_, frame = wrong.name, *(each for each, _ in traceback.walk_tb(wrong.__traceback__))
    language: list[str] = sys.modules[__package__].__all__
    if name in language:
        return f"; import it: `from hyloop.lang import {name}`."
    known = [*frame.f_locals, *language, *frame.f_globals, *vars(builtins)]
    close = get_close_matches(str(name), known, 1)
    return f"; did you mean `{close[0]}`?" if close else "."


def _raised(wrong: BaseException, file: Path) -> Location | None:
    """Where in the user's file an exception of Python's own came from, to the column."""
    entry, found = wrong.__traceback__, None
    while entry is not None:
        found = entry if same_file(entry.tb_frame.f_code.co_filename, file) else found
        entry = entry.tb_next
    return None if found is None else place_of(found.tb_frame.f_code, found.tb_lasti, found.tb_lineno)


def _parameters(function: Function) -> Mapping[str, InputKind]:
    parameters = list(_signature(function).parameters.values())
    if not parameters or parameters[0].kind in _NOT_ONE or parameters[0].kind is inspect.Parameter.KEYWORD_ONLY:
        raise LanguageError(
            f"{function.__name__} needs the hypergraph as its first parameter: def {function.__name__}(h).",
            _definition(function),
        )
    for parameter in parameters[1:]:
        _check_parameter(parameter, function)
    return {parameter.name: parameter.annotation for parameter in parameters[1:]}


# Variadic parameters.
_NOT_ONE: Mapping[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _signature(function: Function) -> inspect.Signature:
    """The parameters, with evaluated annotations, also under `from __future__ import annotations`."""
    try:
        return inspect.signature(function, eval_str=True)
    except LanguageError as wrong:
        raise LanguageError(wrong.message, _definition(function)) from None
    except Exception as wrong:
        said = told(wrong, Path(function.__code__.co_filename))
        raise LanguageError(
            f"The annotations of {function.__name__} cannot be read: {said}.", _definition(function)
        ) from wrong


def _check_parameter(parameter: inspect.Parameter, function: Function) -> None:
    what = f"The input {parameter.name!r} of {function.__name__}"
    plain = f"def {function.__name__}(h, {parameter.name}: Count)"
    if stars := _NOT_ONE.get(parameter.kind):
        raise LanguageError(
            f"{what} has `{stars}`, but every input is one value with a name of its own: {plain}.",
            _definition(function),
        )
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
        raise LanguageError(
            f"{what} stands after a `*`; leave that out, for inputs are given by name anyway: {plain}.",
            _definition(function),
        )
    if isinstance(rows := parameter.annotation, Rows):
        many = f"{parameter.name}: {rows!r}[Flag] (or Count, Length)"
        raise LanguageError(f"{what} is an array, and needs the kind of its entries: {many}.", _definition(function))
    if not isinstance(parameter.annotation, InputKind):
        kinds = f"{parameter.name}: Vertex (or Hyperedge, Count, Length, Flag)"
        raise LanguageError(f"{what} needs a kind: {kinds}.", _definition(function))
    if parameter.default is not inspect.Parameter.empty:
        raise LanguageError(f"{what} cannot have a default; it is given with every run.", _definition(function))


def _input(tracer: Tracer, name: str, given: InputKind, where: Location) -> Value:
    asked = declared(name, given)
    tracer.inputs.append(asked)
    return Value(tracer, tracer.section.note(Op("input", (), name, asked.type, where)))


def _about(function: Function) -> str:
    """The docstring, in characters that a file can hold, or as much of it as the program's text can."""
    whole = (inspect.getdoc(function) or "").encode(errors="replace").decode()
    kept = whole
    while (written := len(quoted(kept))) > budgets.ABOUT:
        kept = kept[: len(kept) * budgets.ABOUT // written - 1]
    return whole if kept == whole else f"{kept}…"


_DEF = re.compile(r"\s*(async\s+)?def\s")


def _definition(function: Function) -> Location:
    """The line with the function's `def`; its code begins with the decorator."""
    code = function.__code__
    lines = enumerate(source_lines(code.co_filename)[code.co_firstlineno - 1 :], start=code.co_firstlineno)
    defined = ((number, text.rstrip("\n")) for number, text in lines if _DEF.match(text))
    line, text = next(defined, (code.co_firstlineno, ""))
    return Location(file_name(code.co_filename), line, len(text) - len(text.lstrip()), len(text), code.co_filename)


def _require_loop(tracer: Tracer, function: Function) -> None:
    where = _definition(function)
    if tracer.at_most is None:
        raise LanguageError(
            f"{function.__name__} has no loop; write its steps in `with h.loop(at_most=...) as loop:`.", where
        )
    if tracer.body.stop is None:
        raise LanguageError(
            f"The loop of {function.__name__} never stops; say when with `loop.stop_when(flag)`.", where
        )


def _require_values(tracer: Tracer) -> None:
    if (state := tracer.never_set) is not None:
        raise LanguageError("this state is never set; give it a first value: `h.state(Count, 0)`.", state.where)


def _require_conditions(tracer: Tracer) -> None:
    """`when(flag)` without `with`, or after `if`, would silently have no effect."""
    if tracer.unused_conditions:
        raise LanguageError(
            "`when(flag)` alone changes nothing; write `with when(flag):` above the statements that it is about.",
            tracer.unused_conditions[0],
        )


def _require_names(watch: _Watch) -> None:
    """`x = x + 1` in the loop would silently leave the state unchanged."""
    for name, held in watch.at_loop.items():
        now = watch.at_end.get(name)
        if isinstance(held, StateHandle) and isinstance(now, Value) and not isinstance(now, StateHandle):
            raise LanguageError(
                f"`{name}` is a state, and this gives its name to another value; to change the state, write "
                f"`{name}.assign(...)`, else choose another name.",
                _given_away(watch.code, name, now._section.ops[now._number].where),
            )


def _given_away(code: CodeType, name: str, made: Location) -> Location:
    """Where a function gives a name to a value: where that was made, unless the statement there has another name."""
    stores = [
        place_of(code, each.offset, each.positions.lineno or 0)
        for each in dis.get_instructions(code)
        if each.opname.startswith("STORE_") and each.positions and name in _names_in(each.argval)
    ]
    lines = {store.line for store in stores}
    return made if made.line in lines or not stores else stores[-1]


def _names_in(argument: object) -> tuple[object, ...]:
    """The variables of an instruction; Python 3.13 stores two at once."""
    return argument if isinstance(argument, tuple) else (argument,)


class _Watch:
    """Records the local variables of a function when its loop begins and when it returns: the names of its values."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.at_loop: dict[str, Any] = {}
        self.at_end: dict[str, Any] = {}

    def __enter__(self) -> _Watch:
        self.before = sys.getprofile()
        sys.setprofile(self._profile())
        return self

    def __exit__(self, *_: object) -> None:
        before: Any = self.before
        if before is None or callable(before):
            sys.setprofile(before)
        else:  # a profiler written in C, such as cProfile, is not a function
            before.enable()

    def _profile(self) -> Callable[[FrameType, str, Any], None]:
        own, entering = self.code, Tracer.enter_loop.__code__

        def profile(
            frame: FrameType, event: str, _: Any
        ) -> None:  # called at every call and return: as short as can be
            code = frame.f_code
            if code is own:
                if event == "return":
                    self.at_end = dict(frame.f_locals)
            elif code is entering and event == "call":
                self.at_loop = {**self._locals(frame), **self.at_loop}

        return profile

    def _locals(self, frame: FrameType | None) -> dict[str, Any]:
        """The variables of the function, from a frame somewhere inside it."""
        while frame is not None and frame.f_code is not self.code:
            frame = frame.f_back
        return {} if frame is None else dict(frame.f_locals)


def _outputs(returned: Any, function: Function, tracer: Tracer) -> Iterator[Output]:
    if not isinstance(returned, Outputs) or not returned._outputs:
        raise LanguageError(
            f"{function.__name__} must return its outputs: return Outputs(name=state, ...).", _definition(function)
        )
    for name, given in returned._outputs.items():
        if isinstance(given, list | tuple):
            for place, each in enumerate(given):
                yield _output(name, _own(each, tracer, returned), place)
        else:
            yield _output(name, _own(given, tracer, returned), None)


def _own(given: Any, tracer: Tracer, returned: Outputs) -> Wrapped:
    """An output, of states of this program alone: those of another have the same numbers."""
    wrapped = given if isinstance(given, Wrapped) else Wrapped(given)
    if any(handle._tracer is not tracer for handle in wrapped.handles):
        raise error("an output is of a state that belongs to another program.", returned._where)
    return wrapped


def _output(name: str, wrapped: Wrapped, place: int | None) -> Output:
    handles = (wrapped.known, wrapped.unless, wrapped.of, wrapped.over)
    known_, unless, of, over = (None if handle is None else handle.state.name for handle in handles)
    return Output(name, wrapped.state.state.name, wrapped.form, known_, unless, of, place, over)


# -- names ----------------------------------------------------------------------------------------------------------


def _named(tracer: Tracer, function: Function, outputs: tuple[Output, ...], names: Mapping[str, Any]) -> Program:
    """The program with the user's own names for states and values."""
    found = {name: handle for name, handle in _handles(names) if handle._tracer is tracer}
    own = {handle.state.name: name for name, handle in reversed(list(found.items())) if isinstance(handle, StateHandle)}
    rename = _state_names(tracer, own)
    labels = {id(section): _labels(section, found) for section in (tracer.before, tracer.body)}
    assert tracer.at_most is not None
    body = labels[id(tracer.body)]
    return Program(
        name=function.__name__,
        about=_about(function),
        inputs=tuple(tracer.inputs),
        states=tuple(_renamed_state(state, rename, own) for state in tracer.states),
        before=_section(tracer.before, rename, labels[id(tracer.before)]),
        body=_section(tracer.body, rename, body),
        at_most=Size.of(tracer.at_most),
        outputs=tuple(_renamed_output(output, rename) for output in outputs),
        notes=tuple(_notes(tracer, body)),
    )


def _notes(tracer: Tracer, labels: Mapping[int, str]) -> Iterator[Note]:
    """The notes, with the operations of the program; they are about nothing that it does not compute anyway."""
    number = {old: new for new, old in enumerate(_needed(tracer.body, labels))}

    def sentence(parts: Sentence) -> Sentence:
        return tuple(number[part] if isinstance(part, int) else part for part in parts)

    for note in tracer.notes:
        if not number.keys() >= set(note.ops):
            raise LanguageError(
                "`tell` is about a value that the program does not use; tell of what it computes.", note.where
            )
        guard = None if note.guard is None else number[note.guard]
        yield replace(note, about=sentence(note.about), each=sentence(note.each), guard=guard)


def _state_names(tracer: Tracer, own: Mapping[str, str]) -> dict[str, str]:
    """The user's name for each state; a state without one gets a number, and never the name of another."""
    taken = set(own.values())
    found: dict[str, str] = {}
    for state in tracer.states:
        name = own.get(state.name, tracer.names.get(state.name, f"state{state.name[1:]}"))
        while state.name not in own and name in taken:
            name += "_"
        taken.add(name)
        found[state.name] = name
    return found


def _handles(names: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    """Local variables that are handles, and handles in lists, as `name[index]`."""
    for name, value in names.items():
        if isinstance(value, Value):
            yield name, value
        elif isinstance(value, list | tuple):
            for place, each in enumerate(value):
                if isinstance(each, Value):
                    yield f"{name}[{place}]", each


def _labels(section: Drafting, found: Mapping[str, Value]) -> dict[int, str]:
    return {
        value._number: name
        for name, value in reversed(list(found.items()))
        if not isinstance(value, StateHandle) and value._section is section and not name.startswith("_")
    }


def _section(drafting: Drafting, rename: Mapping[str, str], labels: Mapping[int, str]) -> Section:
    """The section of the program: dead operations are dropped unless the user named them."""
    kept = _needed(drafting, labels)
    number = {old: new for new, old in enumerate(kept)}
    return Section(
        tuple(_renamed_op(drafting.ops[old], rename, number, labels.get(old, "")) for old in kept),
        {rename[name]: number[old] for name, old in drafting.versions.items()},
        None if drafting.stop is None else number[drafting.stop],
        {(rename[name], number[old]): where for (name, old), where in drafting.assigned.items() if old in number},
    )


def _needed(drafting: Drafting, labels: Mapping[int, str]) -> list[int]:
    """The operations that a state, the stop flag or a named value depends on; none in a section without effect."""
    if not drafting.versions and drafting.stop is None:
        return []
    wanted = {*drafting.versions.values(), *labels, *([] if drafting.stop is None else [drafting.stop])}
    for old in range(len(drafting.ops) - 1, -1, -1):
        if old in wanted:
            wanted.update(drafting.ops[old].operands)
    return sorted(wanted)


def _renamed_op(op: Op, rename: Mapping[str, str], number: Mapping[int, int], label: str) -> Op:
    argument = rename[str(op.argument)] if op.name == "state" else op.argument
    return replace(op, operands=tuple(number[old] for old in op.operands), argument=argument, label=label)


def _renamed_state(state: State, rename: Mapping[str, str], own: Mapping[str, str]) -> State:
    # The pointer of `each()` has a name of its author's, as what is declared.
    return replace(state, name=rename[state.name], made="" if state.name in own else state.made)


def _renamed_output(output: Output, rename: Mapping[str, str]) -> Output:
    beside = (output.known, output.unless, output.of, output.over)
    known_, unless, of, over = (name and rename[name] for name in beside)
    return replace(output, state=rename[output.state], known=known_, unless=unless, of=of, over=over)


# -- files ----------------------------------------------------------------------------------------------------------


def load(file: Path) -> list[Algorithm]:
    """The algorithms that a Python file defines, in order. The file is executed."""
    module = run_file(file, LanguageError)
    found = [each for each in vars(module).values() if isinstance(each, Algorithm) and _defined_in(each, file)]
    return list({id(each): each for each in found}.values())  # `also = first` is a second name of the same


def _defined_in(each: Algorithm, file: Path) -> bool:
    return same_file(each.function.__code__.co_filename, file)
