"""Columns to which tents on one number are added: they are found, and computed wherever one of them changes."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from hyloop.execute.cpu.expressions import Expression, Formulas, Ref, Sum
from hyloop.execute.cpu.native.combs import BITS, Comb, changes, combs
from hyloop.execute.cpu.native.emit import CodeLines, Function

FIRST = 10  # the first of the columns
BASES = [Ref("node", number) for number in (1, 2, 3)]


def node(constant, *terms, relu=False):
    return Expression(Sum(constant, terms), relu, vector=True)


def formulas(places, *, heights=(1, 0, -1), weights=(1.0, -2.0, 1.0)):
    """One tent a place, on `node 0 + height · column 1`."""
    nodes = [node(0.0, (Ref("column", 0), 1.0))]
    nodes += [node(0.0, (Ref("node", 0), 1.0), (Ref("column", 1), 5.0 + each)) for each in heights]
    new: list = [Ref("column", number) for number in range(FIRST)]
    for at, place in enumerate(places):
        sides = [Ref("node", len(nodes) + side) for side in range(3)]
        nodes += [node(-float(place), (base, 1.0), relu=True) for base in BASES]
        nodes.append(node(0.0, (Ref("column", FIRST + at), 1.0), *zip(sides, weights, strict=True)))
        new.append(Ref("node", len(nodes) - 1))
    return Formulas(tuple(nodes), tuple(new))


def found(program, columns=None):
    return combs(program, range(FIRST, len(program.new)) if columns is None else columns)


PLACES = (3, 7, 8, 20, 41)


def test_a_comb_has_all_columns_and_what_only_they_need():
    program = formulas(PLACES)
    [comb] = found(program)
    assert comb.columns == tuple(range(FIRST, FIRST + len(PLACES)))
    assert comb.places == frozenset(PLACES)
    assert comb.middle == BASES[1]
    assert comb.upper in {BASES[0], BASES[2]}
    assert comb.nodes == tuple(range(4, len(program.nodes)))


def test_tents_may_point_downwards():
    [comb] = found(formulas(PLACES, weights=(-3.0, 6.0, -3.0), heights=(-2, 0, 2)))
    assert comb.places == frozenset(PLACES)


@pytest.mark.parametrize(
    "program",
    [
        formulas(PLACES[:3]),  # few
        formulas((*PLACES, 3 + BITS)),  # far apart
        formulas(PLACES, heights=(1, 0, -2)),  # no tent
        formulas(PLACES, weights=(1.0, -1.0, 1.0)),
        formulas(PLACES, weights=(1.0, -2.0, 2.0)),
    ],
)
def test_others_are_none(program):
    assert found(program) == []


def test_a_column_that_is_needed_elsewhere_is_left_out():
    program = formulas(PLACES)
    assert len(found(program, range(FIRST + 1, len(program.new)))[0].columns) == len(PLACES) - 1
    used = node(1.0, (Ref("node", 4), 1.0))  # a side of the first tent
    more = replace(program, nodes=(*program.nodes, used), new=(*program.new[:-1], Ref("node", len(program.nodes))))
    assert [comb.columns for comb in combs(more, range(FIRST, len(more.new)))] == []  # three are left
    constant = replace(program.nodes[5], of=Sum(-4.0, program.nodes[5].of.terms))
    uneven = replace(program, nodes=(*program.nodes[:5], constant, *program.nodes[6:]))
    assert found(uneven)[0].columns == tuple(range(FIRST + 1, FIRST + len(PLACES)))


def test_numbers_that_all_rows_share_are_none():
    program = formulas(PLACES)
    same = [replace(each, vector=False) for each in program.nodes[:4]]
    assert found(replace(program, nodes=(*same, *program.nodes[4:]))) == []


def condition(comb, lanes):
    """`changes` as a function of two vectors."""
    library = pytest.importorskip("hyloop.execute.cpu.native.library")
    if library.unusable() is not None:
        pytest.skip("no native code")
    f = Function("float64", lanes)
    text = CodeLines(f)
    upper, middle = (text.let(f"load {f.vector}, ptr %{name}, align 8") for name in ("upper", "middle"))
    text.do(f"ret i64 {text.let(f'zext i1 {changes(f, text, comb, upper, middle)} to i64')}")
    body = "\n".join(text.lines)
    engine = library.loaded(body, lambda: f"define i64 @asked(ptr %upper, ptr %middle) {{\n{body}\n}}")
    asked = library.function(engine, "asked", ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    return lambda upper, middle: bool(asked(upper.ctypes.data, middle.ctypes.data))


@pytest.mark.parametrize("lanes", [4, 8])
def test_no_change_is_missed(lanes):
    comb = Comb(BASES[0], BASES[1], frozenset(PLACES), (), ())
    asked, draw, quiet = condition(comb, lanes), np.random.default_rng(1), 0
    for _ in range(2000):
        middle = draw.choice([*range(-3, 60), -(2**50), 2**50], lanes).astype(np.float64)
        height = draw.choice([-2, -1, 0, 1, 2], lanes, p=[0.01, 0.01, 0.5, 0.47, 0.01]).astype(np.float64)
        sides = np.stack([middle + height, middle, middle - height])[:, :, np.newaxis] - np.array(PLACES)
        tents = np.tensordot([1, -2, 1], np.maximum(sides, 0), 1)
        said = asked(middle + height, middle)
        assert said or not tents.any()
        assert not said or np.isin(middle, PLACES).any() or (np.abs(height) > 1).any()
        quiet += not said
    assert quiet > 100
