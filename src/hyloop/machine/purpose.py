"""What the parts of a model are for, as records. They travel with the model and stand in its file; words are made of
them by whoever shows them (`machine.words`). The machine computes the same without them, and nothing trusts them.
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop.lang.purpose import Purpose, joined


@dataclass(frozen=True)
class Brought:
    """What a head brings to a column."""

    column: int
    purposes: tuple[Purpose, ...]


@dataclass(frozen=True)
class HeadPurpose:
    """What a head's query and key are made for, what its value brings to which column, and which columns it empties."""

    query: tuple[Purpose, ...] = ()
    key: tuple[Purpose, ...] = ()
    value: tuple[Brought, ...] = ()
    empties: tuple[int, ...] = ()

    def __add__(self, other: HeadPurpose) -> HeadPurpose:
        """Of two heads that attend alike and became one."""
        return HeadPurpose(
            joined(self.query, other.query),
            joined(self.key, other.key),
            (*self.value, *other.value),
            (*self.empties, *other.empties),
        )

    @property
    def brings(self) -> tuple[Purpose, ...]:
        """All that it brings, whichever the column."""
        return joined(*(each.purposes for each in self.value))


@dataclass(frozen=True)
class UnitPurpose:
    """What a hidden unit of one stage computes a part of; or, if it `carries`, what it passes on unchanged."""

    purposes: tuple[Purpose, ...] = ()
    carries: bool = False


@dataclass(frozen=True)
class Held:
    """What stands in a temporary column after a layer (0: before the first)."""

    layer: int
    column: int
    purposes: tuple[Purpose, ...]
