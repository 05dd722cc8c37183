"""What the parts of a model are for, as records. They are stored with the model and in its file;
`machine.words` turns them into text. The machine computes the same without them, and nothing relies on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from hyloop.lang.purpose import Part, Purpose, SectionName, joined
from hyloop.strict import integer


@dataclass(frozen=True)
class Brought:
    """What a head writes to a column."""

    column: int
    purposes: tuple[Purpose, ...]


@dataclass(frozen=True)
class HeadPurpose:
    """What a head's query and key are for, what its value writes to which column, and which columns it erases."""

    query: tuple[Purpose, ...] = ()
    key: tuple[Purpose, ...] = ()
    value: tuple[Brought, ...] = ()
    empties: tuple[int, ...] = ()

    def __add__(self, other: HeadPurpose) -> HeadPurpose:
        """The purposes of two heads that were merged into one."""
        return HeadPurpose(
            joined(self.query, other.query),
            joined(self.key, other.key),
            (*self.value, *other.value),
            (*self.empties, *other.empties),
        )

    @property
    def brings(self) -> tuple[Purpose, ...]:
        """The purposes of its value, over all columns."""
        return joined(*(each.purposes for each in self.value))


@dataclass(frozen=True)
class UnitPurpose:
    """What a hidden unit of one stage computes a part of; or, if it `carries`, what it passes on unchanged."""

    purposes: tuple[Purpose, ...] = ()
    carries: bool = False


@dataclass(frozen=True)
class Held:
    """What a temporary column holds after a layer (0: before the first)."""

    layer: int
    column: int
    purposes: tuple[Purpose, ...]


# -- as documents of plain JSON types, in model files and recordings ---------------------------------------------------


def purpose_schema(most: int) -> dict[str, Any]:
    """What a purpose looks like there: `[section, op, part, ahead]`, with an operation up to `most`."""
    section, part = {"enum": list(get_args(SectionName))}, {"enum": list(get_args(Part))}
    entries = [section, integer(0, most), part, {"type": "boolean"}]
    return {"type": "array", "items": entries, "minItems": len(entries), "maxItems": len(entries)}


def purposes_document(purposes: Iterable[Purpose]) -> list[list[Any]]:
    """Each as `[section, op, part, ahead]`."""
    return [[each.section, each.op, each.part, each.ahead] for each in purposes]


def purposes_of(document: Iterable[Sequence[Any]]) -> tuple[Purpose, ...]:
    """The purposes in a document."""
    return tuple(Purpose(*each) for each in document)


def head_document(purpose: HeadPurpose) -> dict[str, Any]:
    """What a head is for."""
    return {
        "query": purposes_document(purpose.query),
        "key": purposes_document(purpose.key),
        "value": [{"column": each.column, "for": purposes_document(each.purposes)} for each in purpose.value],
        "empties": list(purpose.empties),
    }


def head_purpose_of(document: Mapping[str, Any]) -> HeadPurpose:
    """What the head in a document is for."""
    value = tuple(Brought(each["column"], purposes_of(each["for"])) for each in document["value"])
    return HeadPurpose(purposes_of(document["query"]), purposes_of(document["key"]), value, tuple(document["empties"]))


def stages_document(stages: Iterable[Iterable[UnitPurpose]]) -> list[list[dict[str, Any]]]:
    """What each hidden unit is for, stage by stage."""
    return [[{"carries": unit.carries, "for": purposes_document(unit.purposes)} for unit in stage] for stage in stages]


def unit_purpose_of(document: Mapping[str, Any]) -> UnitPurpose:
    """What the unit in a document is for."""
    return UnitPurpose(purposes_of(document["for"]), document["carries"])
