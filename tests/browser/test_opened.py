"""The Machine tab: scores, units and written cells are those of the weights; where each number comes from."""

import re
from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, Shown, drawn, frame, press, seek
from hyloop.lang import Flag, Outputs, Vertices, algorithm
from hyloop.lang import any as any_of
from hyloop.prove import prove
from hyloop.prove.report import parts

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
ASKED = {"dijkstra": {"source": "Quay"}, "levels": {"source": "Quay"}, "components": {}}


@cache
def model(name="dijkstra"):
    return hyloop.compile(name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A page for each of three algorithms."""
    made = {}
    for name, inputs in ASKED.items():
        found = hyloop.trace(name, HARBOUR, name="harbour.hif.json", layers=True, **inputs)
        made[name] = Shown.of(found, tmp_path_factory.mktemp(name) / "run.html")
    return made


BARS = """() => ({
  row: Number(document.querySelector("[data-testid=query-row]").value),
  scores: [...document.querySelectorAll("[data-testid=bars] [data-row]")].map((bar) => [
    Number(bar.dataset.row), Number(bar.dataset.score), bar.classList.contains("wins")]),
  verdict: document.querySelector("[data-testid=verdict]").textContent,
})"""


def margin_of(text, name):
    """The margin that is told; near multiples of Ω it is written with that."""
    found = re.search(r"Margin (?:([\d,]*)Ω)?(?: ([+−]) )?([\d,]+)?\.", text)
    if found is None:
        return None
    times, sign, rest = found.groups()
    number = int((rest or "0").replace(",", ""))
    whole = 0 if times is None else int(times.replace(",", "") or "1") * model(name).infinity
    return whole + (-number if sign == "−" else number)


@pytest.mark.parametrize("name", ["levels", "components", "dijkstra"])
def test_the_score_of_every_row_is_that_of_the_weights(visit, runs, name):
    shown = runs[name]
    page = visit(shown.file, "#tab=machine")
    for at in range(1, shown.frames):
        seek(page, at)
        X = shown.states[at - 1]
        layer = model(name).layers[shown.place(at)[1] - 1]
        for number, head in enumerate(layer.heads, start=1):
            page.get_by_test_id(f"open-head-{number}").click()
            drawn(page)
            seen = page.evaluate(BARS)
            wanted = (X[seen["row"]] @ head.query) @ (X @ head.key).T
            assert [score for _, score, _ in seen["scores"]] == wanted.tolist()
            assert [row for row, _, wins in seen["scores"] if wins] == np.flatnonzero(wanted == wanted.max()).tolist()
            others = wanted[wanted < wanted.max()]
            assert margin_of(seen["verdict"], name) == (wanted.max() - others.max() if others.size else None)


UNITS = """() => ({
  row: Number(document.querySelector("[data-testid=unit-row]").value),
  units: Object.fromEntries([...document.querySelectorAll("[data-testid=units] [data-unit]")].map((unit) => [
    unit.dataset.unit, Number(unit.dataset.value)])),
})"""


def attended(layer, X, incidence):
    """X after the attention of a layer, by the formulas."""
    after = X.copy()
    for head in layer.heads:
        scores = (X @ head.query) @ (X @ head.key).T
        best = scores == scores.max(axis=1, keepdims=True)
        brought = (best @ (X @ head.value)) / best.sum(axis=1, keepdims=True)
        after += {"plain": np.eye(len(X)), "incidence": incidence, "transposed": incidence.T}[head.kind] @ brought
    return after


def padded(size):
    found = np.zeros((size, size))
    for e, name in enumerate(HARBOUR.hyperedges, start=1):
        for v in HARBOUR.members_of(name):
            found[HARBOUR.vertices.index(v) + 1, e] = 1
    return found


def test_every_unit_has_the_number_of_the_weights(visit, harbour):
    page = visit(harbour.file, "#i=1&l=1&tab=machine")
    page.get_by_test_id("open-mlp").click()
    page.get_by_test_id("all-units").check()
    for at in range(1, harbour.frames):
        seek(page, at)
        layer = model().layers[harbour.place(at)[1] - 1]
        X = attended(layer, harbour.states[at - 1], padded(len(harbour.states[0])))
        seen = page.evaluate(UNITS)
        hidden = X[seen["row"]]
        wanted = {}
        for letter, weights in zip("abc", layer.mlp.weights[:3], strict=True):
            used = np.flatnonzero(np.any(weights != 0, axis=0))
            hidden = np.maximum(0, hidden @ weights)
            wanted |= {f"{letter}{unit + 1}": hidden[unit] for unit in used}
        assert seen["units"] == wanted


def test_flow_goes_from_a_hyperedge_to_its_members(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=machine")
    flow = page.get_by_test_id("flow").text_content()
    assert flow.startswith("ferry gives 1 → ")
    assert all(member in flow for member in HARBOUR.members_of("ferry"))
    writes = page.get_by_test_id("head-writes").text_content()
    assert all(f"{member}: 1" in writes for member in HARBOUR.members_of("ferry"))


def asked_at(page, across, down):
    """Click a cell of X, and read its card."""
    box = page.get_by_test_id("heat").bounding_box()
    page.mouse.click(box["x"] + across, box["y"] + down)
    drawn(page)
    return page.get_by_test_id("cell-card")


def test_a_click_on_a_number_tells_who_wrote_it(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3&tab=state")
    found = 0
    for across in range(170, 430, 26):
        for down in (121, 225):
            page.get_by_test_id("tab-state").click()
            drawn(page)
            card = asked_at(page, across, down)
            if card.count() == 0:
                continue
            adds = page.evaluate(
                "() => [...document.querySelectorAll('[data-testid=origin-part]')].map((p) => Number(p.dataset.adds))"
            )
            place = re.search(r"row (\d+),.*?column “(.*?)”", card.text_content())
            column = [each["name"] for each in harbour.document["model"]["columns"]].index(place[2])
            values = [X[int(place[1]), column] for X in harbour.states[: harbour.frame(4, 3) + 1]]
            if "the encoder wrote it" in card.text_content():
                assert len(set(values)) == 1
                continue
            written = max(f for f in range(1, len(values)) if values[f] != values[f - 1])
            assert sum(adds) == values[written] - values[written - 1]
            iteration, layer = harbour.place(written)
            assert f"Written in iteration {iteration}, layer {layer}:" in card.text_content()
            found += 1
    assert found >= 4


def test_a_part_that_wrote_a_number_opens_where_it_did(visit, harbour):
    page = visit(harbour.file, "#i=8&l=3&tab=variables")
    page.locator("[data-testid=table-vertices] [data-row='5'] .cell").nth(1).click()  # the distance of Cove
    why = page.get_by_test_id("why")
    expect(why).to_have_text("Why 4?")
    why.click()
    card = page.get_by_test_id("cell-card")
    expect(card).to_contain_text("by line 27: distance.assign(best, where=fresh)")
    expect(card).to_contain_text("obligation “layer 3, iteration”")
    page.get_by_test_id("origin-part").first.get_by_role("button").click()
    drawn(page)
    assert frame(page) == harbour.frame(4, 3)
    assert page.get_by_test_id("open-mlp").get_attribute("aria-pressed") == "true"
    assert page.get_by_test_id("unit-row").input_value() == "5"


@pytest.mark.parametrize(("cell", "unit"), [(4, "c10"), (1, "c2")])
def test_the_unit_that_wrote_a_number_is_marked_and_in_view(visit, harbour, cell, unit):
    """Also one that only passes a number on (c10), which the list has in a line below."""
    page = visit(harbour.file, "#i=2&l=3&tab=variables", viewport={"width": 1200, "height": 700})
    page.locator("[data-testid=table-vertices] [data-row='2'] .cell").nth(cell).click()  # settled, distance of Mole
    page.get_by_test_id("why").click()
    page.get_by_test_id("origin-part").get_by_role("button", name=f"unit {unit}").click()
    asked = page.locator(".formula.asked")
    expect(asked).to_have_attribute("data-unit", unit)
    expect(asked).to_be_in_viewport()
    page.get_by_test_id("open-mlp").click()
    expect(asked).to_have_count(0)


def test_a_number_in_a_temporary_column_is_told_by_name(visit, harbour):
    """Each column of a head that brings several has its own meaning and line."""
    page = visit(harbour.file, "#i=2&l=3&tab=state")
    column = [each["name"] for each in harbour.document["model"]["columns"]].index
    page.evaluate("([row, column]) => hyloop.app.ask({ row, column })", [6, column("temporary 3")])
    card = page.get_by_test_id("cell-card")
    expect(card).to_contain_text("containing(source) (of the setup) of steamer: yes")
    expect(page.get_by_test_id("origin-part").first).to_contain_text("containing(source) (of the setup) · line 18")
    page.evaluate("([row, column]) => hyloop.app.ask({ row, column })", [0, column("temporary 4")])
    expect(card).to_contain_text("tail: Quay (row 1)")


def test_the_parts_of_a_number_are_found_in_the_mlp(visit, harbour):
    """A unit that only passes a number on is listed as well, and each has the lines that it works for."""
    page = visit(harbour.file, "#i=4&l=3&tab=machine")
    page.get_by_test_id("open-mlp").click()
    assert page.get_by_test_id("unit-row").input_value() == "5"  # Cove, whose states change, and barge
    expect(page.get_by_test_id("machine")).to_contain_text("65 units in three stages: 23, 20, 22")
    expect(page.get_by_test_id("carriers")).to_contain_text("c3 (distance, Ω)")
    page.get_by_test_id("unit-row").focus()
    page.get_by_test_id("unit-row").select_option("1")  # ferry, which leaves the queue
    expect(page.locator("[data-unit=b13]")).to_contain_text("line 31")
    expect(page.get_by_test_id("unit-writes")).to_contain_text("= Ω = ∞")


def test_the_list_of_rows_is_made_for_whoever_chooses_one(visit, harbour):
    """Hundreds of options cost milliseconds at every frame."""
    page = visit(harbour.file, "#i=4&l=1&tab=machine")
    choice = page.get_by_test_id("query-row")
    options = choice.locator("option")
    assert options.count() == 1
    wide = choice.bounding_box()["width"]
    choice.focus()
    assert options.count() == 9
    assert choice.bounding_box()["width"] == wide
    press(page, "ArrowDown")
    drawn(page)
    assert choice.input_value() == "1"
    assert options.count() == 9  # it has the focus still
    page.get_by_test_id("open-head-1").focus()
    assert options.all_text_contents() == ["row 1, Quay and ferry"]


def test_a_hypergraph_head_says_what_a_vertex_gets_though_its_row_is_that_of_a_hyperedge(visit, harbour):
    page = visit(harbour.file, "#i=2&l=2&tab=machine&v=2")  # Mole, in the row of launch
    page.get_by_test_id("open-head-1").click()
    expect(page.get_by_test_id("head-gets")).to_have_text("Mole gets members: 1, from launch: 1.")


def test_keys_reach_everything(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3&tab=machine")
    strip = page.get_by_role("button", name="Layer 1, head 1: edge (line 22), best (line 22)").first
    strip.focus()
    press(page, "Enter")
    assert frame(page) == harbour.frame(4, 1)
    assert strip.get_attribute("aria-pressed") == "true"
    press(page, "x")
    page.get_by_test_id("heat").focus()
    press(page, "Enter", "ArrowDown", "ArrowRight", "ArrowRight")
    expect(page.get_by_test_id("state-tip")).to_contain_text("row 1 (Quay and ferry), column 2 “P_1”")
    press(page, "Enter")
    expect(page.get_by_test_id("cell-card")).to_contain_text("the encoder wrote it")
    expect(page.get_by_test_id("cell-card")).to_be_focused()


@pytest.mark.parametrize(
    ("place", "part", "row"),
    [
        ("#i=3&l=3", "open-mlp", "3"),  # Isle and Light get their distances
        ("#i=3&l=3&v=4", "open-mlp", "4"),  # Light is one of them
        ("#i=3&l=3&v=1", "open-mlp", "3"),  # the sentence tells nothing of Quay
        ("#i=8&l=3", "open-mlp", "0"),  # the loop ends
        ("#i=4&l=1", "open-head-1", "0"),  # the ferry is picked
        ("#i=4&l=2", "open-head-1", "1"),  # Quay, a member of the ferry
    ],
)
def test_why_opens_the_part_and_the_row_that_did_what_the_sentence_says(visit, harbour, place, part, row):
    page = visit(harbour.file, place)
    page.get_by_test_id("why").click()
    drawn(page)
    expect(page.get_by_test_id(part)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("unit-row" if part == "open-mlp" else "query-row")).to_have_value(row)


def test_each_clause_leads_to_the_part_that_did_it(visit, harbour):
    page = visit(harbour.file, "#i=3&l=3&tab=machine")
    links = page.get_by_test_id("clause-part")
    assert links.all_text_contents() == ["head 1", "head 2", "MLP", "MLP", "MLP"]
    links.nth(1).click()
    expect(page.get_by_test_id("open-head-2")).to_have_attribute("aria-pressed", "true")
    links.nth(4).click()  # the dinghy gets a key
    expect(page.get_by_test_id("open-mlp")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("unit-row")).to_have_value("4")
    press(page, "ArrowRight")  # another layer is not asked about
    expect(page.get_by_test_id("clause-part")).to_have_count(0)


@pytest.mark.parametrize("name", ["components", "levels", "dijkstra"])
def test_why_layer_2_did_that_is_answered_by_the_page(visit, runs, name):
    page = visit(runs[name].file, "#i=2&l=2")
    page.get_by_test_id("why").click()
    proved = {part.where for part in parts(prove(name))}
    heads = model(name).layers[1].heads
    for which in [*(f"head-{k + 1}" for k in range(len(heads))), "mlp"]:
        page.get_by_test_id(f"open-{which}").click()
        drawn(page)
        said = page.get_by_test_id("obligation").text_content()
        assert re.search("“(.*?)”", said)[1] in proved
        assert page.locator(".machine-open .purpose").text_content().startswith("For ")


def test_why_a_layer_did_nothing_is_answered_by_no_part(visit, harbour):
    page = visit(harbour.file, "#i=1&l=1")
    assert "has nothing to do yet" in page.get_by_test_id("story-bar").text_content()
    page.get_by_test_id("why").click()
    expect(page.get_by_test_id("machine-idle")).to_be_visible()
    assert page.locator(".parts [aria-pressed=true]").count() == 0
    page.get_by_test_id("open-head-1").click()
    expect(page.get_by_test_id("verdict")).to_be_visible()


def test_a_set_of_vertices_is_among_the_inputs(visit, tmp_path):
    def several(h, seeds: Vertices[Flag]):
        seen = h.vertices.state(Flag, False)
        with h.loop(at_most=2) as loop:
            loop.stop_when(any_of(seen))
            seen.assign(True, where=seeds)
        return Outputs(seen=seen)

    hyloop.trace(algorithm(several), HARBOUR, seeds={"Quay", "Isle"}).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=1&tab=variables")
    expect(page.get_by_test_id("run")).to_contain_text("seeds: Quay, Isle")
    expect(page.get_by_test_id("scalars").locator(".input")).to_contain_text("Quay, Isle")
    page.get_by_test_id("tab-machine").click()
    page.get_by_test_id("open-mlp").click()
    expect(page.get_by_test_id("obligation")).to_contain_text("not proved on this page: hyloop prove PROGRAM.py proves")


def test_a_page_without_a_model_says_why(visit, harbour, tmp_path):
    document = deepcopy(dict(harbour.document))
    document["model"] = document["model"] | {"verified": "unverified"}
    shown = Shown.of(hyloop.Trace(document), tmp_path / "run.html")
    page = visit(shown.file, "#i=2&l=1&tab=machine")
    assert "this page has no model inside" in page.get_by_test_id("no-machine").text_content()
    assert not page.get_by_test_id("story-bar").is_visible()
    page.get_by_test_id("tab-attention").click()
    expect(page.get_by_test_id("head-1")).to_be_visible()


def test_without_recorded_layers_each_layer_can_still_be_opened(visit, tmp_path):
    hyloop.trace("dijkstra", HARBOUR, source="Quay", layers=False).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=4&tab=machine")
    page.get_by_test_id("open-layer").select_option("1")
    expect(page.get_by_test_id("verdict")).to_contain_text("Winner: ferry")


FITS = """() => {
  const panel = document.querySelector("[data-testid=machine]");
  const wide = (node) => node.scrollWidth - node.clientWidth;
  return [wide(document.documentElement), wide(panel), panel.clientHeight];
}"""


@pytest.mark.parametrize("size", [(360, 640), (1280, 720)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_cards_fit(visit, harbour, size, scheme):
    viewport = {"width": size[0], "height": size[1]}
    page = visit(harbour.file, "#i=4&l=3&tab=machine", viewport=viewport, color_scheme=scheme)
    for which in ("open-head-1", "open-head-2", "open-mlp"):
        page.get_by_test_id(which).click()
        drawn(page)
        beyond, panel, height = page.evaluate(FITS)
        assert (beyond, panel) == (0, 0)
        assert height > 200
