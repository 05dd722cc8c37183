"""A layout names every column once, and has those that every machine needs."""

import pytest

from hyloop.errors import ModelError
from hyloop.machine.layout import STANDARD, Column, Layout
from hyloop.machine.positions import Parabola

HALT = Column("halt", "global")


def test_columns_are_found_by_name_in_their_order():
    layout = Layout((*STANDARD, Column("keys", "array"), HALT), Parabola(), "halt")
    assert [layout.number(name) for name in ("B_global", "B_local", "P_1", "P_2", "keys", "halt")] == [0, 1, 2, 3, 4, 5]
    assert len(layout) == 6


def test_an_unknown_column_is_named_beside_those_that_exist():
    layout = Layout((*STANDARD, HALT), Parabola(), "halt")
    with pytest.raises(ModelError, match=r"no column 'key'; the columns are B_global, B_local, P_1, P_2, halt\."):
        layout.number("key")


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ModelError, match=r"must differ; keys occurs more than once"):
        Layout((*STANDARD, Column("keys", "array"), Column("keys", "global"), HALT), Parabola(), "halt")


@pytest.mark.parametrize("missing", ["B_global", "B_local", "P_1", "P_2", "halt"])
def test_a_layout_without_a_column_that_every_machine_needs_is_refused(missing):
    columns = tuple(column for column in (*STANDARD, HALT) if column.name != missing)
    with pytest.raises(ModelError, match=f"no column '{missing}'"):
        Layout(columns, Parabola(), "halt")
