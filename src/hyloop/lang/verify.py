"""The verifier: every invariant of a `Program`, stated and checked. Run after tracing and after parsing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hyloop.lang import budgets
from hyloop.lang.bounds import infinite_states, may_be_infinite, parts_of
from hyloop.lang.kinds import INFINITY, POINTER_TO, Kind, Scope, Type
from hyloop.lang.matrices import SIDES
from hyloop.lang.names import require_names
from hyloop.lang.ops import LEAVES, OPERATIONS, require_entries
from hyloop.lang.program import Op, Output, Program, Section, State
from hyloop.lang.ranges import number_of
from hyloop.lang.source import LanguageError, Location


def verify(program: Program) -> Program:
    """The program itself, or a `LanguageError` that says what is wrong with it and where."""
    _check_extent(program)
    require_names(program)
    _names_differ(program)
    for section in (program.before, program.body):
        for number, op in enumerate(section.ops):
            _check_op(program, section, number, op)
        _check_means(section)
        _check_chains(section)
        _check_updates(program, section)
    _check_stop(program)
    for output in program.outputs:
        _check_output(program, output)
    _check_finite(program)
    return program


def _fail(message: str, where: Location | None = None) -> LanguageError:
    return LanguageError(message, where)


def _check_extent(program: Program) -> None:
    """The first check, since an untrusted program may have any size."""
    budgets.within("Letters in the name of the program", len(program.name), budgets.LINE)
    for what, named in (("Inputs", program.inputs), ("States", program.states), ("Outputs", program.outputs)):
        budgets.within(f"{what} of the program", len(named), budgets.NAMES)
    sections = (program.before, program.body)
    budgets.within("Operations of the program", sum(len(each.ops) for each in sections), budgets.OPERATIONS)
    numbers = [
        *((state.initial, state.where) for state in program.states),
        *((given.at_most, None) for given in program.inputs),
        *((op.argument, op.where) for section in sections for op in section.ops),
    ]
    for number, where in numbers:
        if isinstance(number, int) and abs(number) >= 10**budgets.DIGITS:
            raise _fail(f"a number of more than {budgets.DIGITS} digits is beyond every machine.", where)


def _check_chains(section: Section) -> None:
    """Limit the longest chain of dependent operations: the passes recurse along it."""
    longest: list[int] = []
    for op in section.ops:
        longest.append(1 + max((longest[operand] for operand in op.operands), default=0))
        if longest[-1] > budgets.CHAIN:
            raise _fail(
                f"more than {budgets.CHAIN} operations in a row each need the one before; keep some in states, "
                "and let the loop do the rest.",
                op.where,
            )


def _names_differ(program: Program) -> None:
    for what, names in (
        ("inputs", [given.name for given in program.inputs]),
        ("states", [state.name for state in program.states]),
        ("outputs", [f"{output.name} {output.place}" for output in program.outputs]),
    ):
        if len(set(names)) != len(names):
            raise _fail(f"Two {what} of {program.name} have the same name.")
    for state in program.states:
        if state.role != "written":
            raise _fail(f"{state.name} is a state that only the compiler makes.", state.where)
        if _constant_type(state.initial, state.type.kind) is None:
            raise _fail(f"{state.initial!r} cannot be the first value of {state.type.phrase}.", state.where)
        _check_declared(state)


def _check_declared(state: State) -> None:
    """A declared bound is one of counts, and holds at first: on every hypergraph, also on one without vertices."""
    if state.at_most is None:
        return
    if state.type.kind is not Kind.COUNT:
        raise _fail(f"Only counts have a declared bound; {state.name} is {state.type.phrase}.", state.where)
    if number_of(state.initial) > state.at_most.least:
        raise _fail(
            f"{state.name} starts with {state.initial}, and its declared bound {state.at_most} may be less than that.",
            state.where,
        )


def _check_op(program: Program, section: Section, number: int, op: Op) -> None:
    if op.name not in OPERATIONS:
        raise _fail(f"There is no operation {op.name!r}.", op.where)
    arity = OPERATIONS[op.name].language
    if arity is None:
        raise _fail(f"{op.name} is an operation that only the compiler makes; a program cannot hold it.", op.where)
    least, most = arity
    if not least <= len(op.operands) <= most:
        raise _fail(f"{op.name} takes {least} to {most} operands, not {len(op.operands)}.", op.where)
    if any(not 0 <= operand < number for operand in op.operands):
        raise _fail(f"The operands of {op.name} must come before it.", op.where)
    expected = type_of(program, section, op)
    if op.type != expected:
        raise _fail(f"{op.name} gives {expected}, not {op.type}.", op.where)


def _check_means(section: Section) -> None:
    """A mean is an integer because what is averaged is a multiple of the number of rows, on every row."""
    for op in section.ops:
        if op.name == "mean" and not _is_multiple(section, section.ops[op.operands[0]]):
            raise _fail(
                "a mean is of as many times a number as there are rows; anything else may be no integer.", op.where
            )


def _is_multiple(section: Section, op: Op) -> bool:
    """Whether an array is a product with the number of its rows, or that number where a flag holds and else 0."""
    rows = "n_v" if op.type.scope is Scope.VERTICES else "n_e"
    parts = [section.ops[operand] for operand in op.operands]
    sized = [part.name == "size" and part.argument == rows for part in parts]
    if op.name == "multiply":
        return True in sized
    return op.name == "where" and sized[1] and parts[2].name == "constant" and parts[2].argument == 0


def type_of(program: Program, section: Section, op: Op) -> Type:
    """The type that an operation must have: a leaf's as declared, any other's from its operands."""
    return _leaf_type(program, op) if op.name in LEAVES else _derived(section, op)


def _derived(section: Section, op: Op) -> Type:
    try:
        return OPERATIONS[op.name].types([section.ops[operand].type for operand in op.operands], op.argument)
    except TypeError as wrong:
        raise _fail(str(wrong), op.where) from None


def _leaf_type(program: Program, op: Op) -> Type:
    leaf = _LEAF_TYPES[op.name](program, op)
    if leaf is None:
        raise _fail(f"{op.name} {op.argument!r} is not declared.", op.where)
    return leaf


def _constant_type(value: object, kind: Kind) -> Type | None:
    fits = {
        Kind.FLAG: isinstance(value, bool),
        Kind.COUNT: type(value) is int and value >= 0,
        Kind.LENGTH: value is INFINITY or (type(value) is int and value == 0),
    }.get(kind, value is None)
    return Type(kind) if fits else None


_LEAF_TYPES: Mapping[str, Callable[[Program, Op], Type | None]] = {
    "input": lambda program, op: next((each.type for each in program.inputs if each.name == op.argument), None),
    "state": lambda program, op: next((each.type for each in program.states if each.name == op.argument), None),
    "constant": lambda _, op: _constant_type(op.argument, op.type.kind),
    "weight": lambda _, __: Type(Kind.LENGTH, Scope.HYPEREDGES),
    "size": lambda _, op: Type(Kind.COUNT) if op.argument in {"n_v", "n_e"} else None,
    "own": lambda _, op: (
        Type(POINTER_TO[op.argument], op.argument)
        if isinstance(op.argument, Scope) and op.argument in POINTER_TO
        else None
    ),
}

require_entries("types of leaves", _LEAF_TYPES, LEAVES)


def _check_updates(program: Program, section: Section) -> None:
    for name, number in section.updates.items():
        state = next((state for state in program.states if state.name == name), None)
        if state is None:
            raise _fail(f"{name!r} is assigned, but there is no such state.")
        if not 0 <= number < len(section.ops) or section.ops[number].type != state.type:
            raise _fail(f"{name} is {state.type.phrase} and is assigned something else.", state.where)


def _check_stop(program: Program) -> None:
    if program.before.stop is not None:
        raise _fail("Only the loop can stop.")
    stop = program.body.stop
    if stop is None or not 0 <= stop < len(program.body.ops) or program.body.ops[stop].type != Type(Kind.FLAG):
        raise _fail(f"The loop of {program.name} needs one flag that stops it.")


def _check_output(program: Program, output: Output) -> None:
    by_name = {state.name: state for state in program.states}
    for name in (output.state, output.known, output.unless, output.of, output.over):
        if name is not None and name not in by_name:
            raise _fail(f"The output {output.name!r} is of {name!r}, which is no state.")
    state = by_name[output.state]
    if output.form == "total" and (state.type.kind is not Kind.COUNT or state.type.scope is Scope.SCALAR):
        raise _fail(f"A total is of an array of counts; {state.name} is {state.type.phrase}.", state.where)
    if output.form == "stream" and state.type.scope is Scope.SCALAR:
        raise _fail(f"A stream is of an array; {state.name} is {state.type.phrase}.", state.where)
    if (output.form == "stream") != (output.of is not None):
        raise _fail(f"The output {output.name!r}: a stream, and nothing else, is `of` a pointer.")
    if output.form == "stream" and output.place is not None:
        raise _fail(f"The output {output.name!r} has a stream in a list; give the stream an output of its own.")
    if output.of is not None and by_name[output.of].type not in {Type(Kind.VERTEX), Type(Kind.HYPEREDGE)}:
        raise _fail(f"A stream is `of` one vertex or hyperedge; {output.of} is {by_name[output.of].type.phrase}.")
    if output.form == "value" and state.type.scope is not Scope.SCALAR:
        _check_column(output, state)
    if output.over is not None:
        _check_quotient(output, state, by_name[output.over])
    for flag in (output.known, output.unless):
        if flag is not None and by_name[flag].type != Type(Kind.FLAG, state.type.scope):
            raise _fail(
                f"{output.state} is known where a flag of the same rows says so; {flag} is none such.", state.where
            )


def _check_quotient(output: Output, state: State, over: State) -> None:
    """The decoder divides two numbers, or two arrays of them row by row."""
    if output.form != "value" or output.known is not None or output.unless is not None:
        raise _fail(f"The output {output.name!r} is a quotient, and nothing else: no total, stream or `known`.")
    if not (state.type.kind.is_number and over.type.kind.is_number and state.type.scope is over.type.scope):
        raise _fail(
            f"A quotient is of two counts or lengths over the same rows; {state.name} is {state.type.phrase}, and "
            f"{over.name} is {over.type.phrase}.",
            state.where,
        )


def _check_column(output: Output, state: State) -> None:
    """An array is a column beside the labels of its rows, so it needs a name of its own, and no list holds it."""
    if output.place is not None:
        raise _fail(
            f"A list is of single values or totals; {state.name} is {state.type.phrase}. Give it an output of its own.",
            state.where,
        )
    if output.name == str(POINTER_TO[state.type.scope]):
        raise _fail(
            f"The output {output.name!r} needs another name: the labels of its rows have this one.", state.where
        )


def _check_finite(program: Program) -> None:
    """`incidence @ x` and `sum` add, and infinity cannot be summed: refuse what may be infinite."""
    parts = parts_of(program)
    states = infinite_states(parts, program.states)
    for part in parts:
        may = may_be_infinite(part, states)
        for op in part.ops:
            if op.name in SIDES and may[op.operands[0]]:
                raise _fail("the incidence adds up, and this may be infinite; mask it first with `where`.", op.where)
            if op.name == "mean" and may[op.operands[0]]:
                raise _fail(
                    "a sum cannot have infinite parts, and this may be infinite; mask it first with `where`.", op.where
                )
