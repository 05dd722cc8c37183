"""Loops in loops: how their statements become the one loop of a `Program`.

A state, the *phase*, says which loop runs. Each iteration of the machine runs one region of the program: what stands
before the first inner loop, or one iteration of an inner loop and, if that was its last one, what follows it. Regions
start from the states as they are at the beginning of the iteration and do not see each other; at the end, what each of
them assigns is guarded by its phase. So an iteration is no longer than its longest region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hyloop.lang.program import Op, State
from hyloop.lang.size import Size
from hyloop.lang.source import Location


@dataclass(frozen=True)
class Region:
    """A part of the loop that was traced: when it runs, the new values of states, and the flag that stops its loop."""

    guard: int
    versions: Mapping[str, int]
    stop: int | None


@dataclass
class Block:
    """A `when` block that has not ended: the place of its flag among the masks, and the section and region it is in.

    A loop in the block makes `held`: a state that keeps the flag, for what follows the loop.
    """

    mask: int
    place: tuple[object, int]
    held: State | None = None


@dataclass
class Frame:
    """A loop that is being traced."""

    at_most: Size
    phase: int
    where: Location
    guard: int | None = None  # whether it runs in this iteration; None: always
    rest: int | None = None  # whether the statements after its last inner loop may run
    limit: int | None = None  # its bound as a value of the program, where there is one
    made: Callable[[], int] | None = None  # makes that value; of the outermost loop, only if there are loops in it
    times: State | None = None  # how often the statements after it have run, if the loop around it has a limit
    entered: tuple[dict[str, int], list[int]] | None = None  # the values of states where it is entered, and the flags
    stops: bool = False  # whether the program says when; that a `when` around it skips it does not count
    inner: list[Size] = field(default_factory=list)  # the iterations of its inner loops
    regions: list[Region] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)  # the `when` blocks of the loop around it that it stands in

    @property
    def total(self) -> Size:
        """The iterations of the machine: one for the statements before the first inner loop, and those of the loops."""
        return self.at_most * sum(self.inner[1:], _one_more(self.inner[0])) if self.regions else self.at_most


def _one_more(size: Size) -> Size:
    """`n + 3` for `n + 2`."""
    if size.operator == "+" and size.parts[1].operator == "constant":
        return size.parts[0] + (size.parts[1].value + 1)
    return size + 1


# An assignment: the flags that must hold, the value, and the place of the statement.
Guarded = tuple[list[int], int, Location]


def guarded(
    ops: Sequence[Op], region: Region, state: str, assigned: Mapping[tuple[str, int], Location]
) -> list[Guarded]:
    """What a region assigns to a state, in order."""
    found = _assigned(ops, region.versions[state], state, assigned)
    return [([region.guard, *masks], value, where) for masks, value, where in found][::-1]


def _assigned(
    ops: Sequence[Op], at: int, state: str, assigned: Mapping[tuple[str, int], Location]
) -> Iterator[Guarded]:
    """The last assignment first. One without a mask hides those before it."""
    where = None
    while not (ops[at].name == "state" and ops[at].argument == state):
        where = assigned.get((state, at), where or ops[at].where)
        if ops[at].name != "where":
            yield [], at, where
            return
        mask, value, before = ops[at].operands
        yield [mask], value, where
        at = before
