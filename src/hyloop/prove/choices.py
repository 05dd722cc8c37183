"""What a certificate chooses: numbers and names from which, and from the model, all its obligations follow.

Nothing of it is believed. Whatever is chosen, the theorem follows from the obligations that are stated with it; a bad
choice makes obligations that do not hold. `docs/proof.md` defines what each choice does, and
`checker/state_obligations.py` states the obligations again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hyloop.prove.attention import Seen
from hyloop.prove.work import Work


def choices(work: Work) -> dict[str, Any]:
    """The choices of a finished proof in full."""
    meaning, ranges, basis = work.meaning, work.basis.ranges, work.basis
    sums, means = [*meaning.products.values()], [*meaning.means.values()]
    return {
        "states": {state.name: _state(work, state.name) for state in basis.program.states},
        "values": dict(zip(("before", "body"), (_lines(each) for each in ranges.values), strict=True)),
        "untouched": [[each.state, each.flag, each.unless] for each in meaning.learned],
        "empty sums": [sums.index(each) + 1 for each in sums if meaning.is_nothing(each)],
        "late sums": [sums.index(each) + 1 for each in sums if meaning.is_nothing_yet(each)],
        "empty means": [means.index(each) + 1 for each in means if meaning.is_nothing_yet(each)],
        "equal sums": [
            [sums.index(each) + 1, sums.index(other) + 1]
            for each in sums
            if (other := meaning.same_as(each)) is not None
        ],
        "ahead": {name: list(held.chosen) for name, held in basis.ahead.items()},
        "held": [[each.layer, each.column, each.section, each.op] for each in basis.model.locals],
        "heads": [[_head(work, seen) for seen in layer] for layer in work.seen],
        "left": {name: list(ends) for name, ends in work.left.items()},
        "bounds": work.bounds,
    }


def _state(work: Work, name: str) -> dict[str, Any]:
    """The line of a state, and of one with a clock that of the clock."""
    ranges = work.basis.ranges
    clocked = ranges.clocked.get(name)
    line = ranges.states[name] if clocked is None else clocked.line
    return {
        "most": list(line),
        "clock": None if clocked is None else clocked.clock,
        "infinite": name in ranges.infinite_states,
    }


def _lines(lines: Iterable[tuple[int, int]]) -> list[list[int]]:
    return [list(each) for each in lines]


def _head(work: Work, seen: Seen) -> dict[str, Any]:
    sums, means = [*work.meaning.products.values()], [*work.meaning.means.values()]
    return {
        "at": list(seen.claim.chosen),
        "averages": None if seen.claim.averages is None else str(seen.claim.averages),
        "aimed": seen.aimed,
        "ties": seen.ties,
        "sums": {str(column): sums.index(each) + 1 for column, each in seen.look.products.items()},
        "means": {str(column): means.index(each) + 1 for column, each in seen.look.means.items()},
    }
