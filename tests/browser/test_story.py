"""The story: a sentence for each layer, the guide, the narration, and the answer."""

import re

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, frame, press, seek

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")


def said(page):
    """The sentence of the layer: it comes when the frames stand still, if it takes long."""
    told = page.get_by_test_id("story-text")
    expect(told).not_to_have_text("…")
    return told.text_content()


def test_every_layer_is_told_with_the_names_of_what_it_changes(visit, harbour):
    page = visit(harbour.file)
    states = [each for each in harbour.document["variables"] if each["role"] == "state" and each["scope"] != "scalar"]
    for at in range(1, harbour.frames):
        seek(page, at)
        text = said(page)
        assert f"Layer {harbour.place(at)[1]} " in text
        for each in states:
            rows = harbour.rows(each["scope"])
            now, before = (harbour.states[f][rows, each["column"]] for f in (at, at - 1))
            labels = harbour.document["hypergraph"][each["scope"]]
            for row in (now != before).nonzero()[0]:
                assert labels[row] in text
                if each["kind"] == "flag":
                    assert re.search(rf"as [^;]*{'' if now[row] else 'no longer '}{each['name']}", text)
                elif each["kind"] in {"vertex", "hyperedge"}:
                    assert re.search(
                        rf"{harbour.written(each['kind'], now[row])} as (its|their|the) {each['name']}", text
                    )
                else:
                    assert f"{each['name']} {harbour.written(each['kind'], now[row])}" in text


def test_the_first_layer_tells_what_it_picks(visit, harbour):
    page = visit(harbour.file, "#i=4&l=1")
    tie = "(dinghy has the same; the lowest row wins)"
    assert said(page) == f"Layer 1 picks the hyperedge with the least key: ferry, 4 {tie}."
    assert page.get_by_test_id("story-text").locator("code").all_inner_texts() == ["key"]


def test_a_sentence_has_what_the_iteration_uses_in_plain_words(visit, tmp_path):
    """Strongly connected components have two phases: a layer tells of the one that is at work."""
    found = hyloop.trace("scc", HARBOUR, layers=True)
    found.save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html")
    told = []
    for at in (4, 5, 6):
        seek(page, at)
        told.append(said(page))
    assert told == [
        "Layer 1 goes from the hyperedges marked onward to their heads: Quay, Mole, Isle, Cove and Mill.",
        "Layer 2 finds the first vertex among the heads of hyperedges marked onward and not marked visited: Mole.",
        "Layer 3 goes from Mole (to) to the hyperedges that have it as a tail: launch and mail boat; notes Quay as the "
        "parent of Mole, and marks it as visited; marks ferry and steamer as no longer onward; marks mail boat as "
        "onward; sets current to Mole and clock to 2.",
    ]


def test_what_an_author_tells_of_a_loop_stands_in_story_and_machine_with_its_numbers(visit, tmp_path):
    """Layer 2 of pagerank does one step of a long division: which digit, and of what."""
    hyloop.trace("pagerank", HARBOUR, rounds=1, layers=True).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=27&l=2&tab=story")
    about = "one step of a long division, rank by leaves: binary digit 25 of 38; nothing uses what is divided by 0"
    assert said(page).startswith(f"Layer 2, for divide ({about}), works out the new rank")
    # 17 × 15,000 is 111110010000011000 in binary: its first five digits are 31, and Dunes is in one hyperedge.
    for tab in ("story", "machine"):
        page.get_by_test_id(f"tab-{tab}").click()
        note = page.locator(f"[data-panel={tab}]").get_by_test_id("note")
        expect(note).to_contain_text(f"This iteration does {about}.")
        expect(note.get_by_role("listitem").filter(has_text="Dunes")).to_contain_text("31 by 20: digit 1, rest 11")
        expect(note).not_to_contain_text("goes 1 times")


def test_the_story_has_the_reasons_of_the_current_layer(visit, harbour):
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    page = visit(harbour.file, "#i=4&l=2", **phone)
    page.get_by_test_id("story-text").click()
    reasons = page.get_by_test_id("reasons")
    source = [line.strip() for line in harbour.document["algorithm"]["source"]]
    for text in ("members = h.members(edge)", "fresh = members & ~settled"):
        assert text in source
        expect(reasons).to_contain_text(text)
    page.get_by_test_id("story-why").click()
    expect(page.locator("#app")).to_have_attribute("data-tab", "machine")
    expect(page.get_by_test_id("machine")).to_contain_text("ferry gives 1 → Quay, Isle and Cove")
    seek(page, harbour.frames - 1)
    page.get_by_test_id("tab-story").click()
    expect(reasons).to_contain_text("loop.stop_when(edge.is_none)")


def test_iteration_1_is_explained(visit, harbour):
    page = visit(harbour.file, "#i=1&l=1&tab=story")
    assert "Iteration 1 only sets up" in said(page)
    expect(page.get_by_test_id("setup")).to_contain_text("lines 16 to 19")
    press(page, "ArrowDown", "ArrowDown")
    assert page.get_by_test_id("setup").count() == 0


def test_the_guide_begins_with_what_the_page_shows(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("start-guide").click()
    drawn(page)
    assert "A looped transformer" in said(page)
    assert "compiled from this program, not trained" in said(page)


def test_the_guide_begins_where_something_happens_and_ends_with_the_answer(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("start-guide").click()
    drawn(page)
    assert frame(page) == harbour.frame(2, 1)
    assert "Iteration 1 only set things up" in said(page)
    tabs = []
    while page.get_by_test_id("guide-next").is_visible():
        page.get_by_test_id("guide-next").click()
        drawn(page)
        tabs.append(page.locator("#app").get_attribute("data-tab"))
    assert frame(page) == harbour.frames - 1
    assert {"machine", "story", "state"} <= set(tabs)
    page.get_by_test_id("guide-end").click()
    expect(page.get_by_test_id("why")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "place"),
    [("closeness", (2, 4)), ("pagerank", (2, 3)), ("all_pairs", (2, 4)), ("diameter", (2, 3)), ("matching", (1, 4))],
)
def test_the_guide_opens_on_no_idle_frame(visit, tmp_path, name, place):
    """Loops in loops begin with layers that only decide which of them runs."""
    given = {"rounds": 1} if name == "pagerank" else {}
    hyloop.trace(name, HARBOUR, layers=True, **given).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html")
    page.get_by_test_id("start-guide").click()
    drawn(page)
    app = page.locator("#app")
    assert tuple(int(app.get_attribute(f"data-{part}")) for part in ("iteration", "layer")) == place
    if place[0] > 1:
        assert "this is the first layer after it that finds something to do" in said(page)


def test_going_elsewhere_ends_the_guide(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("start-guide").click()
    press(page, "ArrowRight")
    expect(page.get_by_test_id("guide-next")).to_be_hidden()
    assert said(page).startswith("Layer 2 ")


def test_the_narration_goes_from_layer_to_layer_and_stops(visit, harbour):
    page = visit(harbour.file, "#i=2&l=1")
    page.clock.install()
    page.get_by_test_id("tell").click()
    page.clock.run_for(20_000)
    expect(page.locator("#app")).not_to_have_attribute("data-frame", str(harbour.frame(2, 1)))
    expect(page.get_by_test_id("tell")).to_have_text("Stop")
    page.get_by_test_id("tell").click()
    page.clock.run_for(200)
    here = page.locator("#app").get_attribute("data-frame")
    page.clock.run_for(60_000)
    assert page.locator("#app").get_attribute("data-frame") == here
    expect(page.get_by_test_id("tell")).to_have_text("Tell")


def test_the_answer_is_that_of_python(visit, harbour):
    page = visit(harbour.file, "#i=8&l=3&tab=story")
    result = hyloop.run("dijkstra", HARBOUR, source="Quay")
    card = page.get_by_test_id("answer")
    lines = [line.split("\t") for line in card.locator("tbody").inner_text().splitlines()]
    distances = {vertex: distance for vertex, distance, *_ in lines}
    assert distances == {
        str(v): harbour.written("length", value)
        for v, value in zip(HARBOUR.vertices, harbour.states[-1][harbour.rows("vertices"), 9], strict=True)
    }
    for vertex in HARBOUR.vertices:
        path = result.path(vertex)
        options = page.get_by_test_id("answer-target").locator("option").all_inner_texts()
        assert (vertex in options) == (path is not None)
        if path is None:
            continue
        page.get_by_test_id("answer-target").select_option(label=vertex)
        told = page.get_by_test_id("answer-path").text_content()
        steps = [path.vertices[0]]
        for through, after in zip(path.hyperedges, path.vertices[1:], strict=True):
            steps.append(f"–{through}→ {after}")
        assert told.startswith(" ".join(steps) + ", distance ")


@pytest.mark.parametrize("name", ["helly", "bipartite", "acyclic"])
def test_a_verdict_and_its_witness_are_in_the_answer(visit, tmp_path, name):
    hyloop.trace(name, HARBOUR, layers=True).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#tab=story")
    press(page, "End")
    card = page.get_by_test_id("answer").text_content()
    for output, value in hyloop.run(name, HARBOUR).to_json()["scalars"].items():
        text = ", ".join(value) if isinstance(value, list) else "yes" if value else "no"
        assert f"{output}{text}" in card


def test_a_pointer_that_points_to_nothing_any_more_is_cleared(visit, tmp_path):
    hyloop.trace("matching", hyloop.read(ROOT / "examples" / "harbour.hif.json")).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=4&l=4")
    assert "clears the finder of Quay, Isle and Cove" in said(page)
    assert "notes none" not in said(page)
