"""Native code that runs a model and gathers what it streams, without a call from Python for each iteration.

The code is the same for all models: it is given the function that runs one of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from hyloop.execute.cpu.memory import Memory
from hyloop.execute.cpu.native.library import function, lanes, loaded
from hyloop.execute.cpu.plan import Plan
from hyloop.execute.gathering import Gathered, Wanted

SPACE = 2**16  # entries, and places beyond those of one iteration, that are gathered at a time

# For each stream: what it is about, the column, and how many rows; room for entries and for places; how many there are
# of both; where to write them. The number that counts as absent is a double.
FIELDS = (
    "of",
    "column",
    "rows",
    "absent",
    "room",
    "places_room",
    "entries",
    "count",
    "about",
    "ends",
    "places",
    "values",
)


class Request:
    """A stream, with room for what is gathered of it."""

    def __init__(self, memory: Memory, wanted: Wanted) -> None:
        room = wanted.rows + SPACE
        self.about, self.ends = np.empty(SPACE), np.empty(SPACE, np.int64)
        self.places, self.values = np.empty(room, np.int64), np.empty(room)
        column = memory.body[memory.place[wanted.column]]
        of = memory.first.ctypes.data + wanted.of * memory.first.itemsize
        absent = np.array([wanted.absent], np.float64).view(np.int64)[0]
        arrays = [each.ctypes.data for each in (self.about, self.ends, self.places, self.values)]
        head = [of, column.ctypes.data, wanted.rows, absent, SPACE, room - wanted.rows, 0, 0]
        self.fields = np.array([*head, *arrays], np.int64)

    def taken(self) -> Gathered:
        """A copy of what was gathered; the room is free again."""
        entries, count = (int(self.fields[FIELDS.index(name)]) for name in ("entries", "count"))
        self.fields[[FIELDS.index("entries"), FIELDS.index("count")]] = 0
        about, ends = self.about[:entries].copy(), self.ends[:entries].copy()
        return Gathered(about, ends, self.places[:count].copy(), self.values[:count].copy())


def can_gather(plan: Plan, wanted: Sequence[Wanted]) -> bool:
    """Whether the columns are where the code looks for them: numbers on row 0, and vectors of the body."""
    facts = plan.boundary
    plain = plan.dtype == "float64" and not any(layer.slow for layer in plan.layers)
    return plain and all(facts[each.of].first is None and facts[each.column].vector for each in wanted)


def gather(memory: Memory, run: Any, context: Any, wanted: Sequence[Wanted], most: int) -> list[Gathered]:
    """Run at most that many iterations, until there is no room left or the run ends."""
    requests = [Request(memory, each) for each in wanted]
    addresses = np.array([each.fields.ctypes.data for each in requests], np.int64)
    _code()(run, context, addresses.ctypes.data, len(requests), most)
    return [each.taken() for each in requests]


@cache
def _code() -> Any:
    width = lanes("float64")
    made = loaded(f"gather {width} {_text(width)}", lambda: _text(width))
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    return function(made, "gather", number, pointer, pointer, pointer, number, number)


def _field(name: str, kind: str = "i64") -> str:
    """Instructions that load a field of a request."""
    at = FIELDS.index(name)
    return f"  %{name}_at = getelementptr i64, ptr %request, i64 {at}\n  %{name} = load {kind}, ptr %{name}_at\n"


def _text(width: int) -> str:
    vector, bits = f"<{width} x double>", f"i{width}"
    return f"""
declare {bits} @llvm.cttz.{bits}({bits}, i1)

define i64 @gather(ptr %run, ptr %context, ptr %requests, i64 %streams, i64 %most) {{
entry:
  br label %next
next:
  %done = phi i64 [ 0, %entry ], [ %after, %gathered ]
  %more = icmp slt i64 %done, %most
  br i1 %more, label %room, label %leave
room:
  %asked = phi i64 [ 0, %next ], [ %asks, %fits ]
  %all = icmp sge i64 %asked, %streams
  br i1 %all, label %go, label %ask
ask:
  %slot = getelementptr ptr, ptr %requests, i64 %asked
  %it = load ptr, ptr %slot
  %has = call i1 @has_room(ptr %it)
  br i1 %has, label %fits, label %leave
fits:
  %asks = add i64 %asked, 1
  br label %room
go:
  %ran = call i64 %run(ptr %context, i64 1)
  %stopped = icmp eq i64 %ran, 0
  br i1 %stopped, label %leave, label %each
each:
  %number = phi i64 [ 0, %go ], [ %following, %one ]
  %end = icmp sge i64 %number, %streams
  br i1 %end, label %gathered, label %one
one:
  %place = getelementptr ptr, ptr %requests, i64 %number
  %request = load ptr, ptr %place
  call void @take(ptr %request)
  %following = add i64 %number, 1
  br label %each
gathered:
  %after = add i64 %done, 1
  br label %next
leave:
  ret i64 %done
}}

define internal i1 @has_room(ptr %request) {{
entry:
{_field("room")}{_field("places_room")}{_field("entries")}{_field("count")}
  %one = icmp slt i64 %entries, %room
  %many = icmp sle i64 %count, %places_room
  %both = and i1 %one, %many
  ret i1 %both
}}

define internal void @take(ptr %request) {{
entry:
{_field("of", "ptr")}{_field("entries")}{_field("about", "ptr")}
  %number = load double, ptr %of
  %some = fcmp une double %number, 0.0
  br i1 %some, label %begin, label %leave
begin:
{_field("column", "ptr")}{_field("rows")}{_field("absent", "double")}{_field("count")}
{_field("ends", "ptr")}{_field("places", "ptr")}{_field("values", "ptr")}
  %single = insertelement {vector} poison, double %absent, i32 0
  %none = shufflevector {vector} %single, {vector} poison, <{width} x i32> zeroinitializer
  br label %rows_test
rows_test:
  %row = phi i64 [ 0, %begin ], [ %row_after, %row_end ]
  %found = phi i64 [ %count, %begin ], [ %found_after, %row_end ]
  %in = icmp slt i64 %row, %rows
  br i1 %in, label %rows_one, label %end
rows_one:
  %at = getelementptr double, ptr %column, i64 %row
  %here = load {vector}, ptr %at, align 8
  %differs = fcmp une {vector} %here, %none
  %mask = bitcast <{width} x i1> %differs to {bits}
  %any = icmp ne {bits} %mask, 0
  br i1 %any, label %bit, label %row_end
bit:
  %left = phi {bits} [ %mask, %rows_one ], [ %rest, %kept ]
  %found_here = phi i64 [ %found, %rows_one ], [ %found_next, %kept ]
  %lane = call {bits} @llvm.cttz.{bits}({bits} %left, i1 true)
  %wide = zext {bits} %lane to i64
  %which = add i64 %row, %wide
  %inside = icmp slt i64 %which, %rows
  br i1 %inside, label %keep, label %kept
keep:
  %from = getelementptr double, ptr %column, i64 %which
  %value = load double, ptr %from
  %place_to = getelementptr i64, ptr %places, i64 %found_here
  store i64 %which, ptr %place_to
  %value_to = getelementptr double, ptr %values, i64 %found_here
  store double %value, ptr %value_to
  %counted = add i64 %found_here, 1
  br label %kept
kept:
  %found_next = phi i64 [ %found_here, %bit ], [ %counted, %keep ]
  %less = sub {bits} %left, 1
  %rest = and {bits} %left, %less
  %again = icmp ne {bits} %rest, 0
  br i1 %again, label %bit, label %row_end
row_end:
  %found_after = phi i64 [ %found, %rows_one ], [ %found_next, %kept ]
  %row_after = add i64 %row, {width}
  br label %rows_test
end:
  %about_to = getelementptr double, ptr %about, i64 %entries
  store double %number, ptr %about_to
  %end_to = getelementptr i64, ptr %ends, i64 %entries
  store i64 %found, ptr %end_to
  %entries_after = add i64 %entries, 1
  store i64 %entries_after, ptr %entries_at
  store i64 %found, ptr %count_at
  br label %leave
leave:
  ret void
}}
"""
