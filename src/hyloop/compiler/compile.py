"""`compile`: the list of passes, and the largest capacity that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from typing import Any, Literal, cast

from hyloop.compiler.anyway import nowhere, too_large_anyway
from hyloop.compiler.bounds import bound
from hyloop.compiler.effort import spend, within
from hyloop.compiler.emit import emit
from hyloop.compiler.heaviest import TooLargeError, heaviest
from hyloop.compiler.hoist import candidates, hoist
from hyloop.compiler.lower import Core, lower
from hyloop.compiler.schedule import Schedule, fewest_layers, one_a_layer, schedule
from hyloop.compiler.timing import Budget
from hyloop.compiler.verify import verify_core, verify_schedule
from hyloop.errors import CapacityError, HyloopError
from hyloop.hypergraph import shown
from hyloop.hypergraph.values import as_python, is_integer
from hyloop.lang.program import Op, Program
from hyloop.machine.layout import MOST_TABLE
from hyloop.machine.model import EXACT, Built, Capacity, DType, Model, vouched
from hyloop.numbers import counted, plural

Packing = Literal["packed", "one operation per layer"]

ROWS: dict[DType, int] = {"float64": 131_071, "float32": 100}
ENOUGH: dict[DType, int] = {"float64": 1000, "float32": 100}  # weights beyond which rows are not reduced
TABLE = 4_095  # rows that the default capacity may need for numbers that are looked up: every input is padded to them
HOISTING = 500_000  # steps for trying what to hoist; the largest of the shipped algorithms takes 25,000
MOST_OPERATIONS = 4_000  # compile time grows with the square; a program of 500 takes seconds
REWRITING = 5  # steps of effort for each node of a graph in which a value is hoisted
# Limits of recompiling a program from a file, beside those in proportion to its weights: steps (the most expensive
# programs of 280 operations take one million) and weights.
AGAIN, AGAIN_WEIGHTS = 2_000_000, 2**20
LIMIT = EXACT["float64"]  # of the weights of a capacity, in any type of number: files hold no larger ones
PLANNED = 1000  # the weight that schedules are planned with; a schedule hardly depends on it


def compile_program(
    program: Program,
    capacity: Capacity | None = None,
    *,
    rows: int | None = None,
    weight: int | None = None,
    dtype: DType = "float64",
    heads: int = 3,
    packing: Packing = "packed",
) -> Model:
    """The looped transformer that runs a program on every hypergraph within the capacity.

    The default is 131,071 rows (float32: 100), halved until weights up to 1,000 fit (float32: 100), and the largest
    weight that then fits.
    """
    if not is_integer(heads) or heads >= LIMIT:
        raise HyloopError(f"A layer has a whole number of heads, below {LIMIT:,}; given {as_python(heads)}.")
    heads = int(heads)
    if dtype not in EXACT:
        raise HyloopError(f"A model computes in {' or '.join(EXACT)}; not in {dtype!r}.")
    if not isinstance(cast("object", capacity), Capacity | None):
        raise HyloopError(f"A capacity is hyloop.Capacity(rows, weight); given {shown(capacity)}.")
    if capacity is not None:
        rows, weight = capacity.rows, capacity.weight
    making = _Making(program, dtype, heads, packing)
    try:
        return _roomy(making, weight) if rows is None else _fitted(making, rows, weight)
    except CapacityError as wrong:
        _require_some_capacity(making)
        if rows is not None and weight is not None and isinstance(wrong, TooLargeError):
            fits, most = _what_fits(making, rows)
            raise TooLargeError(str(wrong), wrong.number, wrong.what, wrong.why, fits, most) from None
        raise


@dataclass(frozen=True)
class _Making:
    """A program that is compiled, for one capacity after another: what is the same for several is made once."""

    program: Program
    dtype: DType
    heads: int
    packing: Packing
    _plans: dict[Capacity, tuple[Core, Schedule]] = field(default_factory=dict)

    @cached_property
    def core(self) -> Core:
        """The program in core operations."""
        return verify_core(lower(self.program))

    def planned(self, capacity: Capacity) -> tuple[Core, Schedule]:
        """The schedule that is planned for a capacity, verified."""
        if capacity not in self._plans:
            core, plan = _planned(self.core, capacity, self.heads, self.packing)
            verify_schedule(verify_core(core), plan)
            self._plans[capacity] = core, plan
        return self._plans[capacity]


def _what_fits(making: _Making, rows: int) -> tuple[str, int]:
    """The largest weight that fits with so many rows, in words and as a number; or with how many any does, and 0."""
    dtype = making.dtype
    fewer = min(rows, isqrt(EXACT[dtype]))  # the square of a row's number is a number of the machine
    while fewer:
        try:
            capacity = _fitted(making, fewer, None).capacity
        except CapacityError:
            fewer = min(fewer // 2, EXACT[dtype])  # the number of each row is exact
            continue
        fits = f"weights up to {counted(capacity.weight)} fit with {plural(fewer, 'row')}"
        if fewer == rows:
            return f"In {dtype}, {fits}.", capacity.weight
        return f"No weight fits with {plural(rows, 'row')}; {fits}.", 0
    return "", 0


def _require_some_capacity(making: _Making) -> None:
    """Raise if even the smallest capacity does not fit: then the program has to change."""
    why = too_large_anyway(making.program, EXACT[making.dtype])
    if why is None:
        try:
            _fitted(making, 1, 1)
        except TooLargeError as wrong:
            why = wrong.why
    if why is not None:
        raise CapacityError(nowhere(making.program.name, making.dtype, why)) from None


def compile_again(program: Program, like: Model) -> Model | None:
    """The program compiled with the options of this model: builds are reproducible. None if the layers differ.

    Raises `TooMuchError` where that would be far more work than for other models of this size.
    """
    if like.built is None:
        return None
    built, capacity = like.built, like.capacity
    packing: Any = built.schedule
    with within(AGAIN + like.parameters, AGAIN_WEIGHTS + 2 * like.parameters):
        planned = Capacity(capacity.rows, built.planned)
        core, plan = _planned(verify_core(lower(program)), planned, built.heads, packing)
        if plan.layers != len(like.layers):
            return None
        verify_schedule(verify_core(core), plan)
        model = emit(core, bound(core, capacity), plan, like.dtype)
    return vouched(replace(model, built=built), "compiled")


def _roomy(making: _Making, weight: int | None) -> Model:
    """The default capacity. Most programs have room for large weights with some number of rows, and how small the
    weights are with more rows need not be found.
    """
    table, rows = _table(making, weight), ROWS[making.dtype]
    while weight is None and table == TABLE and rows:
        try:
            return _fitted(making, rows, None, table, ENOUGH[making.dtype])
        except CapacityError:
            rows //= 2
    return _roomiest(making, weight, table)


def _table(making: _Making, weight: int | None) -> int:
    """How many rows to look numbers up in the default capacity may need: more, where even the smallest one does."""
    try:
        least = bound(making.core, Capacity(1, weight or 1)).least
    except CapacityError:
        return TABLE
    return TABLE if least <= TABLE else MOST_TABLE


def _roomiest(making: _Making, weight: int | None, table: int) -> Model:
    """The default number of rows; fewer, where the numbers of a program grow too fast.

    Rows are reduced for weights too: a model with many rows and only tiny weights is of little use. So is one with so
    many rows to look numbers up in that every input becomes a large one, where fewer are possible.
    """
    best: Model | None = None
    rows = ROWS[making.dtype]
    while rows:
        try:
            made = _fitted(making, rows, weight, table)
        except CapacityError as too_large:
            refused = too_large
        else:
            if weight is not None or not made.takes_weights or made.capacity.weight >= ENOUGH[making.dtype]:
                return made
            if best is None or _balance(made) > _balance(best):
                best = made
        rows //= 2
    if best is None:
        raise refused
    return best


def _balance(model: Model) -> int:
    return min(model.capacity.rows, model.capacity.weight)


def _fitted(making: _Making, rows: int, weight: int | None, table: int = MOST_TABLE, least: int = 1) -> Model:
    planned = weight or PLANNED
    core, plan = making.planned(Capacity(rows, planned))
    if weight is not None:
        model = emit(core, bound(core, Capacity(rows, weight)), plan, making.dtype, table)
        _require_weight(making.program, weight)
    else:
        model = _heaviest(core, plan, rows, making.dtype, table, least)
    return vouched(replace(model, built=Built(making.heads, making.packing, planned)), "compiled")


def _require_weight(program: Program, weight: int) -> None:
    """Raise for a weight that model files and traces do not hold, of a program that would not mind."""
    if weight >= LIMIT:
        why = f"the capacity is weights up to {counted(weight)}, and that of a model is below {LIMIT:,}"
        unread = "" if program.reads_weights else " It reads no weights, and takes any: leave the capacity out."
        raise TooLargeError(f"{program.name}: {why}.{unread}", weight, "the capacity", why)


def _planned(core: Core, capacity: Capacity, heads: int, packing: Packing) -> tuple[Core, Schedule]:
    """The schedule with the fewest layers; values of the next iteration are hoisted where that saves one."""
    if len(core.body.ops) > MOST_OPERATIONS:
        raise HyloopError(
            f"{core.name} is too large to compile: it has {len(core.body.ops):,} operations; a model is made "
            f'of {MOST_OPERATIONS:,} at most. Split it, or run it by the interpreter (backend="interpreter").'
        )
    if packing == "one operation per layer":
        return core, one_a_layer(core)
    if packing != "packed":
        raise HyloopError(f"There is no schedule {packing!r}; there are 'packed' and 'one operation per layer'.")
    plan = schedule(core, bound(core, capacity), heads)
    if plan.layers <= fewest_layers(core, heads):
        return core, plan
    return _hoisted(core, plan, capacity, heads)


def _hoisted(core: Core, plan: Schedule, capacity: Capacity, heads: int) -> tuple[Core, Schedule]:
    """Hoist all candidates, then drop each that saves nothing."""
    chosen = [core[number] for number in candidates(core)]
    if not chosen:
        return core, plan
    budget = Budget(HOISTING)
    best = _hoisting(core, chosen, capacity, heads, budget)
    if best[1].layers >= plan.layers:
        return core, plan
    # Where there are too many to try one by one, several are dropped together.
    together = -(-len(chosen) * budget.spent // HOISTING)
    for some in [chosen[start : start + together] for start in range(0, len(chosen), together)]:
        fewer = [other for other in chosen if all(other is not op for op in some)]
        trial = _hoisting(core, fewer, capacity, heads, budget)
        if trial[1].layers <= best[1].layers:
            chosen, best = fewer, trial
    return best


def _hoisting(
    core: Core, chosen: Sequence[Op], capacity: Capacity, heads: int, budget: Budget
) -> tuple[Core, Schedule]:
    """The schedule with these values hoisted. Operation numbers shift as values become states; source places do not."""
    for op in chosen:
        for number in candidates(core):
            if (core[number].name, core[number].where) == (op.name, op.where):
                core = hoist(core, number)
                budget.spend(len(core.body.ops))
                spend(REWRITING * len(core.body.ops))
                break
    return core, schedule(core, bound(core, capacity), heads, budget)


def _heaviest(core: Core, plan: Schedule, rows: int, dtype: DType, table: int, least: int) -> Model:
    """The model for the largest weight that fits; any weight fits a program that reads none."""

    def attempt(weight: int) -> Model:
        return emit(core, bound(core, Capacity(rows, weight)), plan, dtype, table)

    try:
        return heaviest(attempt, EXACT[dtype] - 1, EXACT[dtype], least)
    except TooLargeError as wrong:  # as most of the rows that are tried for a large program
        raise CapacityError(f"With {counted(rows)} rows no weight fits into {dtype}: {wrong}") from None
