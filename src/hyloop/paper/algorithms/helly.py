"""The Helly property, corrected, in two forms: with the product `Ã F`, and with the paper's ten lemmas only.

The printed algorithm tests triples of hyperedges, which is another property. Here each iteration tests three *vertices*
x < y < v: the hyperedges with at least two of them (F) must have a common vertex (Berge-Duchet, Gilmore). G are the
hyperedges with all three.
"""

from __future__ import annotations

from hyloop.machine.layer import Layer
from hyloop.machine.layout import Column, Fill
from hyloop.machine.model import Model
from hyloop.paper.steps import ONE, ONES, Setting, Steps, array, pointer, scalar

TRIPLE = ("x", "y", "v")
# The three candidates for the next triple: (x, y, v+1), else (x, y+1, y+2), else (x+1, x+2, x+3).
NEXT = ("v_next", "y_next", "y_next2", "x_next", "x_next2", "x_next3")


def with_product(given: Setting) -> Model:
    """Eleven layers; one iteration per triple.

    `cF = Ã F` counts (by weight) the hyperedges of F at each vertex. Their total is half of
    `cF[x] + cF[y] + cF[v] - cG[x]`, and a vertex lies in all of them iff its count is that total.
    """
    s = Steps(
        given,
        *_triple(),
        *(array(name) for name in ("at_x", "at_y", "at_v", "xy", "x_or_y", "F", "G", "cF", "cF2", "cG")),
        *(scalar(name) for name in ("cFx", "cFy", "cFv", "cGx")),
        *(array(name) for name in ("total2", "short")),
    )
    return s.model(
        "helly",
        [s.row("at_x", "x"), s.row("at_y", "y"), *_step_first(s)],
        [s.row("at_v", "v"), s.less("at_x", "zero", "at_x"), s.less("at_y", "zero", "at_y"), *_step_second(s)],
        [
            s.less("at_v", "zero", "at_v"),
            s.both("xy", "at_x", "at_y"),
            s.select("x_or_y", "at_x", ONES, "at_y"),
            *_step_third(s),
        ],
        [s.select("F", "at_v", "x_or_y", "xy"), s.both("G", "xy", "at_v"), s.read("more_x", "vertices", "x_next3")],
        [s.product("cF", "F"), s.product("cF2", "F", 2), s.product("cG", "G"), *_choose(s)],
        [s.read("cFx", "cF", "x"), s.read("cGx", "cG", "x"), s.read("cFy", "cF", "y"), s.copy("total2", "zero")],
        [s.read("cFv", "cF", "v")],
        [s.repeat_add("total2", {"cFx": 1, "cFy": 1, "cFv": 1, "cGx": -1})],
        [s.less("short", "cF2", "total2")],
        [s.all("bad", "short")],
        [
            s.select("helly", "bad", "zero"),
            s.select("halt", "bad", ONE, "last"),
            *(s.select_pointer(f"witness_{name}", "bad", name) for name in TRIPLE),
            s.select_pointer("x", "more_v", "x", "x_next"),
            s.select_pointer("y", "more_v", "y", "x_next2"),
            s.select_pointer("v", "more_v", "v_next", "x_next3"),
        ],
    )


def with_lemmas_only(given: Setting) -> Model:
    """Eleven layers; one iteration per triple *and* hyperedge: a vertex is excluded if a hyperedge of F lacks it."""
    s = Steps(
        given,
        *_triple(),
        pointer("edge"),
        *(array(name) for name in ("value", "drop", "again", "scratch")),
        *(scalar(name) for name in ("with_x", "with_y", "with_v", "xy", "x_or_y", "in_F", "any_F", "done", "ready")),
        array("visit_edge", Fill(1, "past hyperedges")),
        array("out", Fill(1, "past vertices")),
    )
    return s.model(
        "helly-lemmas",
        [s.increment("edge", "edge"), *_step_first(s)],
        [s.column("value", "edge"), *_step_second(s)],
        [s.less("value", "zero", "value"), *_step_third(s)],
        [s.read("with_x", "value", "x"), s.read("with_y", "value", "y"), s.copy("drop", ONES)],
        [
            s.read("with_v", "value", "v"),
            s.read("more_x", "vertices", "x_next3"),
            s.both("xy", "with_x", "with_y"),
            s.select("x_or_y", "with_x", ONE, "with_y"),
        ],
        [s.select("in_F", "with_v", "x_or_y", "xy"), s.write("visit_edge", "edge", ONE), *_choose(s)],
        [
            s.repeat_and("drop", "in_F", without="value"),
            s.select("any_F", "in_F", ONE),
            s.all("done", "visit_edge"),
            s.select_pointer("x_next", "more_v", "x"),
            s.select_pointer("x_next2", "more_v", "y"),
            s.select_pointer("x_next3", "more_v", "v_next"),
        ],
        [s.select("out", "drop", ONES), s.both("ready", "done", "any_F"), s.both("last", "last", "done")],
        [s.all("bad", "out"), s.repeat_add("again", "done")],
        [s.both("bad", "bad", "ready")],
        [
            s.select("helly", "bad", "zero"),
            s.select("halt", "bad", ONE, "last"),
            *(s.select_pointer(f"witness_{name}", "bad", name) for name in TRIPLE),
            s.select("visit_edge", "again", "past_hyperedges"),
            s.select("out", "again", "past_vertices"),
            s.select("again", "again", "zero"),
            s.select("any_F", "done", "zero"),
            s.select_pointer("edge", "done", "none"),
            *(s.select_pointer(name, "done", step) for name, step in zip(TRIPLE, NEXT[3:], strict=True)),
        ],
    )


def _triple() -> list[tuple[Column, ...]]:
    return [
        *(pointer(name, number) for number, name in enumerate(TRIPLE, start=1)),
        *(pointer(f"witness_{name}") for name in TRIPLE),
        *(pointer(name) for name in NEXT),
        array("vertices", Fill(1, "vertices")),
        *(scalar(name) for name in ("more_v", "more_y", "more_x", "last", "bad", "halt")),
        scalar("helly", 1),
    ]


def _step_first(s: Steps) -> list[list[Layer]]:
    return [s.increment("v_next", "v"), s.increment("y_next", "y"), s.increment("x_next", "x")]


def _step_second(s: Steps) -> list[list[Layer]]:
    return [s.increment("y_next2", "y_next"), s.increment("x_next2", "x_next")]


def _step_third(s: Steps) -> list[list[Layer]]:
    """The next v and the next y exist if their rows are vertices."""
    return [
        s.increment("x_next3", "x_next2"),
        s.read("more_v", "vertices", "v_next"),
        s.read("more_y", "vertices", "y_next2"),
    ]


def _choose(s: Steps) -> list[list[Layer]]:
    """The next triple after the last v: (x, y+1, y+2) if it exists, else (x+1, x+2, x+3), else none."""
    return [
        s.less("last", "more_x", ONE),
        s.select_pointer("x_next", "more_y", "x"),
        s.select_pointer("x_next2", "more_y", "y_next"),
        s.select_pointer("x_next3", "more_y", "y_next2"),
    ]
