"""Where keys go: to the run, and not to what was clicked last."""

import re

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, frame, press, read, seek
from hyloop.viewer.playground import playground

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
SLOW = """() => {
  const stream = window.DecompressionStream;
  window.DecompressionStream = function (kind) {
    const { readable, writable } = new stream(kind);
    const late = new TransformStream({ start: () => new Promise((done) => setTimeout(done, 400)) });
    return { readable: readable.pipeThrough(late), writable };
  };
}"""


@pytest.fixture(scope="module")
def all_file(tmp_path_factory):
    """The page with all algorithms."""
    file = tmp_path_factory.mktemp("focus") / "all.html"
    file.write_text(playground("dijkstra", HARBOUR, {"source": "Quay"}, name="harbour.hif.json"), encoding="utf-8")
    return file


def running(page, act):
    """Do something, and wait for the run that follows."""
    page.evaluate("() => { window.before = hyloop.recording.trace; }")
    act()
    page.wait_for_function("() => hyloop.recording.trace !== window.before")
    drawn(page)


def chosen(page, name):
    """Choose an algorithm from the list in the header, as with a mouse."""
    choice = page.get_by_test_id("algorithm-choice")
    choice.dispatch_event("pointerdown")
    choice.focus()
    running(page, lambda: choice.select_option(name))


def members(page, name):
    h = page.evaluate("() => hyloop.recording.trace.hypergraph")
    return [h["vertices"][v - 1] for v in h["members"][h["hyperedges"].index(name)]]


def picked(page, hyperedge, vertex):
    """Click a vertex while members of a hyperedge are picked."""
    page.get_by_test_id(f"edit-pick-{hyperedge}").click()
    drawn(page)
    row = HARBOUR.vertices.index(vertex) + 1
    running(page, lambda: page.evaluate("row => hyloop.select({ scope: 'vertices', row })", row))


def test_after_a_choice_with_the_pointer_keys_step(visit, all_file):
    page = visit(all_file)
    chosen(page, "bfs")
    press(page, "ArrowRight")
    assert page.get_by_test_id("algorithm").text_content() == "bfs"
    assert frame(page) == 1
    press(page, "End")
    assert frame(page) == page.evaluate("() => hyloop.recording.length - 1")
    assert page.get_by_test_id("algorithm").text_content() == "bfs"


def test_a_list_that_was_reached_by_keyboard_can_be_walked_through_and_left(visit, all_file):
    page = visit(all_file)
    page.get_by_test_id("algorithm-choice").focus()
    running(page, lambda: page.keyboard.press("ArrowDown"))
    first = page.get_by_test_id("algorithm").text_content()
    running(page, lambda: page.keyboard.press("ArrowDown"))
    assert page.get_by_test_id("algorithm").text_content() not in ("dijkstra", first)
    press(page, "Escape", "Home", "ArrowRight")
    assert frame(page) == 1


@pytest.mark.parametrize("end", ["Escape", "done"])
def test_what_was_picked_is_undone_by_a_key_wherever_the_focus_is(visit, all_file, end):
    page = visit(all_file, "#tab=edit")
    picked(page, "ferry", "Wreck")
    if end == "done":
        page.get_by_test_id("picking-done").click()
    else:
        press(page, end)
    running(page, lambda: page.keyboard.press("Control+z"))
    assert "Wreck" not in members(page, "ferry")


def test_while_members_are_picked_nothing_is_selected_and_nothing_after(visit, all_file):
    page = visit(all_file, "#tab=edit")
    page.evaluate("() => hyloop.select({ scope: 'vertices', row: 2 })")
    picked(page, "ferry", "Wreck")
    assert page.locator("[data-selected]").count() == 0
    canvas = page.get_by_test_id("picture").first.bounding_box()
    page.mouse.click(canvas["x"] + 3, canvas["y"] + canvas["height"] - 3)
    press(page, "Escape")
    running(page, lambda: page.keyboard.press("Control+z"))
    assert page.locator("[data-selected]").count() == 0


def test_undo_by_a_key_after_the_buttons_and_in_another_tab(visit, all_file):
    page = visit(all_file, "#tab=edit")
    running(page, page.get_by_test_id("edit-drop-member-ferry-Isle").click)
    running(page, page.get_by_test_id("edit-undo").click)
    running(page, page.get_by_test_id("edit-redo").click)
    running(page, lambda: page.keyboard.press("Control+z"))
    assert "Isle" in members(page, "ferry")
    page.get_by_test_id("tab-state").click()
    running(page, lambda: page.keyboard.press("Control+Shift+z"))
    assert "Isle" not in members(page, "ferry")


def test_text_that_is_being_typed_is_undone_by_the_browser(visit, all_file):
    page = visit(all_file, "#tab=edit")
    running(page, page.get_by_test_id("edit-drop-member-ferry-Isle").click)
    for field in ("search", "edit-vertex-Dunes"):
        page.get_by_test_id(field).click()
        page.keyboard.type("xyz")
        press(page, "Control+z")
        assert not page.get_by_test_id(field).input_value().endswith("xyz")
        page.wait_for_timeout(200)
        assert "Isle" not in members(page, "ferry")


def test_the_key_asks_again_for_the_number_of_x_that_was_clicked(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=state")
    page.evaluate("() => hyloop.app.ask({ row: 3, column: 6 })")
    card = page.get_by_test_id("cell-card")
    expect(card).to_be_visible()
    text = card.text_content()
    press(page, "w")
    expect(card).to_have_text(text)
    press(page, "Escape", "w")  # now the layer
    expect(card).to_have_count(0)


@pytest.mark.parametrize("start", ["start-guide", "tell"])
def test_escape_ends_the_guide_and_the_telling(visit, harbour, start):
    page = visit(harbour.file)
    seek(page, 4)
    page.get_by_test_id(start).click()
    expect(page.locator(".story-bar.guiding")).to_have_count(1)
    press(page, "Escape")
    expect(page.locator(".story-bar.guiding")).to_have_count(0)


def test_a_key_that_is_pressed_while_the_page_loads_is_not_lost(browser, harbour):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({SLOW})()")
    page.goto(harbour.file.as_uri(), wait_until="commit")
    page.wait_for_function("() => [...document.scripts].some((each) => !each.id && each.text.length > 1e5)")
    assert page.locator("#app[data-frame]").count() == 0
    page.keyboard.press("End")
    page.wait_for_selector("#app[data-frame]")
    assert frame(page) == harbour.frames - 1
    context.close()


@pytest.mark.parametrize(
    ("first", "second"),
    [("closeness", "subleq"), ("scc", "subleq"), ("pagerank", "core_numbers"), ("diameter", "motifs")],
)
def test_rows_without_variables_keep_no_numbers_of_another_algorithm(visit, all_file, first, second):
    page = visit(all_file, viewport={"width": 1280, "height": 720})
    chosen(page, first)
    press(page, "End")
    chosen(page, second)
    names = {each["name"] for each in page.evaluate("() => hyloop.recording.trace.variables")}
    names |= {each["name"] for each in page.evaluate("() => hyloop.recording.trace.program")}
    seen = read(page)
    for scope, labels in (("vertices", HARBOUR.vertices), ("hyperedges", HARBOUR.hyperedges)):
        table = seen[scope]
        assert {each["name"] for each in table["columns"]} <= names
        assert [each["label"] for each in table["rows"]] == list(labels)
        assert {len(each["cells"]) for each in table["rows"]} == {len(table["columns"])}


@pytest.mark.parametrize("width", [1280, 360])
def test_the_name_of_the_hypergraph_is_cut_after_the_inputs(visit, all_file, width):
    page = visit(all_file, viewport={"width": width, "height": 720})
    chosen(page, "subleq")  # whose inputs are long
    name, inputs = page.get_by_test_id("run").locator("> span").all()
    cut = "node => node.scrollWidth > node.clientWidth"
    assert (name.evaluate(cut), inputs.evaluate(cut)) == (False, True)


def test_after_a_key_opened_a_tab_the_tab_key_goes_on_there_and_keys_step(visit, all_file):
    page = visit(all_file)
    press(page, "6")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('[data-panel]')?.dataset.panel") == "edit"
    press(page, "2", "ArrowRight", "ArrowRight")
    assert page.get_attribute("#app", "data-tab") == "attention"
    assert frame(page) == 2
    press(page, " ")
    expect(page.get_by_test_id("play")).to_have_attribute("aria-label", re.compile("Pause"))
