"""A model that somebody edited: the page leads to the first difference and shows both values."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import Shown, frame, read
from hyloop import Capacity, Hypergraph
from hyloop.machine.layer import Mlp
from hyloop.viewer.playground import playground

H = Hypergraph.from_hyperedges(
    {"ab": ["a", "b"], "bc": ["b", "c"], "cd": ["c", "d"], "ad": ["a", "d"]},
    weights={"ab": 1.5, "bc": 2.5, "cd": 4, "ad": 10},
)


def broken(model, column, change):
    """The model with one weight that writes a column changed."""
    number, layer = model.layout.number(column), model.layers[-1]
    weights = [weight.copy() for weight in layer.mlp.weights]
    unit = int(np.flatnonzero(weights[3][:, number])[0])
    weights[3][unit, number] += change
    return replace(model, layers=(*model.layers[:-1], replace(layer, mlp=Mlp(tuple(weights), layer.mlp.purposes))))


@pytest.fixture(scope="module", params=["distance", "key", "queued", "halt"])
def wrong(request, tmp_path_factory):
    model = broken(hyloop.compile("dijkstra", Capacity(20, 100)), request.param, -1 if request.param == "halt" else 1)
    found = hyloop.trace(model, H, source="a", layers=True)
    assert not found.agrees
    return Shown.of(found, tmp_path_factory.mktemp("wrong") / "run.html")


def told(shown, number):
    """The texts of both values of the first difference."""
    first = shown.document["differences"]["first"]
    kind = shown.variable(first["variable"])["kind"]
    if kind == "flag" and first[number] not in (0, 1):
        return f"{first[number]:g}"
    return shown.written(kind, first[number])


def test_the_badge_names_the_first_difference(visit, wrong):
    page = visit(wrong.file)
    first = wrong.document["differences"]["first"]
    text = page.get_by_test_id("badge").text_content()
    iteration, layer = wrong.place(first["frame"])
    assert "first difference" in text
    assert f"iteration {iteration}, layer {layer}, {first['variable']}" in text
    assert f"{told(wrong, 'found')} ≠ {told(wrong, 'expected')}" in text
    assert "transformer = interpreter" not in page.locator("body").inner_text()


def test_the_badge_leads_there_and_selects_what_differs(visit, wrong):
    page = visit(wrong.file)
    first = wrong.document["differences"]["first"]
    page.get_by_test_id("badge").click()
    assert frame(page) == first["frame"]
    scope = wrong.variable(first["variable"])["scope"]
    wanted = None if scope == "scalar" else f"{scope} {first['row']}"
    assert page.locator("#app").get_attribute("data-selected") == wanted


def test_the_interpreters_value_stands_beside_the_transformers(visit, wrong):
    page = visit(wrong.file)
    page.get_by_test_id("badge").click()
    assert frame(page) == wrong.document["differences"]["first"]["frame"]
    first, seen = wrong.document["differences"]["first"], read(page)
    each = wrong.variable(first["variable"])
    if each["scope"] == "scalar":
        cell = next(line for line in seen["scalars"] if line["name"] == each["name"])
    else:
        table = seen[each["scope"]]
        at = next(k for k, column in enumerate(table["columns"]) if column["name"] == each["name"])
        cell = next(row for row in table["rows"] if row["row"] == first["row"])["cells"][at]
    assert (cell["now"], cell["beside"]) == (told(wrong, "found"), f" ≠ {told(wrong, 'expected')}")


def test_the_timeline_marks_it(visit, wrong):
    page = visit(wrong.file)
    mark = page.locator(".difference-mark")
    assert mark.is_visible()
    assert mark.get_attribute("title") == "First difference from the interpreter"
    strip, box = page.get_by_test_id("timeline").bounding_box(), mark.bounding_box()
    share = (box["x"] + box["width"] / 2 - strip["x"]) / strip["width"]
    wanted = wrong.document["differences"]["first"]["frame"] / (wrong.frames - 1)
    assert share == pytest.approx(wanted, abs=0.02)
    page.mouse.click(strip["x"] + wanted * strip["width"], strip["y"] + strip["height"] / 2)
    assert frame(page) == wrong.document["differences"]["first"]["frame"]


def test_values_that_agree_are_not_marked(visit, wrong):
    page = visit(wrong.file)
    assert all(cell["beside"] == "" for row in read(page)["vertices"]["rows"] for cell in row["cells"])
    assert page.locator(".differs").count() == 0


def test_a_run_that_agrees_has_no_mark(visit, harbour):
    page = visit(harbour.file)
    assert not page.locator(".difference-mark").is_visible()
    page.get_by_test_id("badge").click()
    assert "the interpreter's, exactly" in page.get_by_test_id("message").text_content()
    assert frame(page) == 0


def test_the_machine_of_a_model_with_changed_weights_can_be_opened(visit, wrong):
    """The very case in which one wants to look; nothing is said to be proved, and it is not run again."""
    page = visit(wrong.file)
    page.get_by_test_id("badge").click()
    page.get_by_test_id("tab-machine").click()
    expect(page.get_by_test_id("unverified")).to_contain_text("This model is unverified")
    page.get_by_test_id("open-mlp").click()
    expect(page.get_by_test_id("unit-writes")).to_be_visible()
    expect(page.get_by_test_id("obligation")).to_contain_text("Nothing is proved of this part")
    assert "Proof obligation" not in page.get_by_test_id("machine").text_content()
    page.get_by_test_id("tab-story").click()
    expect(page.get_by_test_id("story").get_by_test_id("unverified")).to_be_visible()
    expect(page.get_by_test_id("tab-edit")).to_be_hidden()


def test_the_answer_of_such_a_model_is_what_the_model_says(visit, wrong, harbour):
    """What an answer means is said of a verified model only."""
    page = visit(wrong.file, "#tab=story")
    page.get_by_test_id("to-end").click()
    if not wrong.document["recorded"]["halted"]:
        expect(page.get_by_test_id("answer")).to_be_hidden()
        return
    expect(page.get_by_test_id("answer").locator("h3")).to_have_text("The answer, as the unverified model says")
    expect(page.get_by_test_id("story-text")).to_contain_text("The answer, as the unverified model says: distance: ")
    expect(page.get_by_test_id("answer-about")).to_have_count(0)
    page = visit(harbour.file, "#tab=story")
    page.get_by_test_id("to-end").click()
    expect(page.get_by_test_id("answer").locator("h3")).to_have_text("The answer")
    expect(page.get_by_test_id("answer-about")).to_contain_text("is the vertex before on a shortest path")


def test_a_number_that_is_wrong_leads_to_the_unit_that_wrote_it(visit, wrong):
    page = visit(wrong.file)
    first = wrong.document["differences"]["first"]
    page.get_by_test_id("badge").click()
    variable = wrong.variable(first["variable"])
    page.evaluate("([row, column]) => hyloop.app.ask({ row, column })", [first["row"], variable["column"]])
    card = page.get_by_test_id("cell-card")
    expect(card).to_contain_text("the encoder wrote it" if first["variable"] == "halt" else "MLP, unit c")
    assert "obligation" not in card.text_content()


def test_a_model_whose_weights_are_not_whole_is_not_opened(visit, tmp_path):
    model = broken(hyloop.compile("dijkstra", Capacity(20, 100)), "distance", 0.5)
    shown = Shown.of(hyloop.trace(model, H, source="a", layers=True), tmp_path / "run.html")
    page = visit(shown.file, "#tab=machine")
    expect(page.get_by_test_id("no-machine")).to_contain_text("its numbers leave those that a page holds exactly")


def test_a_page_of_hyloop_view_opens_such_a_model_too(visit, tmp_path):
    model = broken(hyloop.compile("dijkstra", Capacity(20, 100)), "distance", 1)
    (tmp_path / "view.html").write_text(playground(model, H, {"source": "a"}), encoding="utf-8")
    page = visit(tmp_path / "view.html", "#i=2&l=3&tab=machine")
    expect(page.get_by_test_id("unverified")).to_be_visible()
    expect(page.get_by_test_id("open-mlp")).to_be_visible()
