"""The layers of a model as a picture."""

import xml.etree.ElementTree as ET
from functools import cache

import pytest

import hyloop
from effort import sample
from hyloop import HyloopError
from hyloop.algorithms import ALGORITHMS
from hyloop.lang import Count, Outputs, algorithm

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'hyloop[draw]'")

from hyloop.draw import draw_model, to_bytes
from hyloop.draw.diagram import used_columns
from hyloop.draw.meaning import Explanations
from hyloop.numbers import plural
from hyloop.paper.algorithms import ALGORITHMS as PAPER
from hyloop.paper.steps import setting

SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(name: str) -> bytes:
    return to_bytes(draw_model(hyloop.compile(name)), "svg")


def texts(svg: bytes) -> list[str]:
    return ["".join(each.itertext()).strip() for each in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_algorithm_can_be_drawn_with_its_layers_states_and_facts(name):
    model, said = hyloop.compile(name), texts(drawn(name))
    assert name in said  # a state may have the same name
    for number, layer in enumerate(model.layers, start=1):
        assert f"Layer {number}" in said
        if layer.mlp.width:
            assert f"MLP, {plural(layer.mlp.width, 'unit')}" in said
    facts = next(text for text in said if text.startswith(f"{plural(len(model.layers), 'layer')}, "))
    for figure in (len(model.layout), model.parameters, model.nonzeros, model.capacity.rows, model.capacity.weight):
        assert f"{figure:,}" in facts
    assert sum(text.startswith("head, ") for text in said) == sum(len(layer.heads) for layer in model.layers)
    assert any(text.startswith("again until halt is set, at most ") for text in said)


@algorithm
def degree(h):
    degree = h.vertices.state(Count, 0)
    with h.loop(at_most=1) as loop:
        degree.assign(h.incidence @ h.hyperedges.every)
        loop.stop_when(True)
    return Outputs(degree=degree)


def test_one_layer_is_no_layers():
    model = hyloop.compile(degree)
    said = texts(to_bytes(draw_model(model), "svg"))
    assert len(model.layers) == 1
    assert said.count("degree") == 2  # the title and the state
    assert any(text.startswith("1 layer, ") for text in said)
    assert "1 layer, " in repr(model)


def test_dijkstra_says_what_its_heads_are_for():
    model = hyloop.compile("dijkstra")
    meanings = Explanations(model)
    first, last = (meanings.of_head(model.layers[layer].heads[0]) for layer in (0, 2))
    assert first.names == ("edge", "best")
    assert first.how == ("argmin of key", "min of key")
    assert first.lines == (22,)
    assert last.how == ("containing source", "touching fresh")
    assert meanings.of_head(model.layers[1].heads[1]).how == ("weight[edge]",)
    assert meanings.of_head(model.layers[0].heads[1]).names == ("erase",)
    assert {"distance", "key", "queued"} <= set(meanings.of_mlp(model.layers[2].mlp).names)
    assert meanings.held(model)[1, model.layout.number("temporary 1")] == "edge"


def test_several_operations_of_one_line_are_told_apart():
    model = hyloop.compile("helly")
    assert Explanations(model).of_head(model.layers[3].heads[0]).how == ("meeting[x]", "read of x")


def test_columns_of_no_use_are_left_out_and_alike_ones_share_a_line():
    model, said = hyloop.compile("motifs"), texts(drawn("motifs"))
    assert not any(text.startswith("spare") for text in said)
    assert "counters[0] … counters[25]" in said
    assert "counters[7]" not in said
    assert f"({len(model.layout) - len(used_columns(model))} of no use to it left out)" in " ".join(said)


def test_states_are_in_bold():
    root = ET.fromstring(drawn("dijkstra"))
    style = {"".join(each.itertext()).strip(): each.get("style") for each in root.iter(f"{SVG}text")}
    assert "font-weight: 700" in style["distance"]
    assert "font-weight" not in style["temporary 1"]


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_diagram_is_the_same_file(kind):
    model = hyloop.compile("levels")
    assert to_bytes(draw_model(model), kind) == to_bytes(draw_model(model), kind)


def test_models_without_a_program_can_be_drawn():
    model = PAPER["dijkstra"].build(setting())
    said = texts(to_bytes(draw_model(model), "svg"))
    assert f"Layer {len(model.layers)}" in said


def test_the_width_scales_everything():
    model = hyloop.compile("levels")
    assert draw_model(model, width=5).get_size_inches()[0] == pytest.approx(5)
    with pytest.raises(HyloopError, match="The width is in inches, from 1 to 40; 50 is not"):
        draw_model(model, width=50)
