"""On a phone: the guide shows what it speaks of, the picture has arrows, and what an edit changed stays in view."""

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, Shown, at_rest, drawn

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
FLAT = PHONE | {"viewport": {"width": 640, "height": 360}}
SIZES = [PHONE, FLAT]

PURPLE = """() => {
  const live = document.querySelector(".picture-panel .picture-live");
  const canvas = Object.assign(document.createElement("canvas"), { width: live.width, height: live.height });
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  ctx.drawImage(live, 0, 0);
  const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let k = 0; k < data.length; k += 4)
    if (data[k] === 124 && data[k + 1] === 58 && data[k + 2] === 237) count++;
  return count;
}"""


def tab(page):
    return page.locator("#app").get_attribute("data-tab")


def in_panel(page, selector):
    """Whether an element is seen where panels are: not scrolled away, not under what is below them."""
    box = page.locator(selector).first.bounding_box()
    room = page.locator(f'[data-panel="{tab(page)}"]').bounding_box()
    return box is not None and box["y"] >= room["y"] - 1 and box["y"] + 20 <= room["y"] + room["height"]


@pytest.mark.parametrize("size", SIZES)
def test_the_guide_shows_what_it_speaks_of(visit, harbour, size):
    page = visit(harbour.file, **size)
    page.get_by_test_id("start-guide").click()
    drawn(page)
    assert tab(page) == "picture"
    page.get_by_test_id("guide-next").click()
    page.wait_for_timeout(200)
    assert tab(page) == "machine"
    assert in_panel(page, ".diagram .strip.lit")
    page.get_by_test_id("guide-next").click()
    page.wait_for_timeout(200)
    assert in_panel(page, ".bar-row.wins")
    page.get_by_test_id("guide-end").click()
    page.reload()
    page.get_by_test_id("tab-machine").click()
    assert not page.locator(".diagram-fold").evaluate("node => node.open")  # that was the guide, not the user


LAPTOP = {"viewport": {"width": 1280, "height": 720}}


@pytest.mark.parametrize("size", [*SIZES, LAPTOP])
def test_the_guide_covers_nothing(visit, harbour, size):
    page = visit(harbour.file, **size)
    page.get_by_test_id("start-guide").click()
    while True:
        drawn(page)
        said, panels = page.locator(".story-say").bounding_box(), page.locator(".panels").bounding_box()
        assert said["y"] >= panels["y"] + panels["height"]
        assert said["y"] + said["height"] <= page.viewport_size["height"]
        assert page.locator(f'[data-panel="{tab(page)}"]').bounding_box()["height"] > 0.4 * page.viewport_size["height"]
        if tab(page) == "story":
            assert in_panel(page, '[data-testid="answer"] h3')
        if page.get_by_test_id("guide-next").is_hidden():
            break
        page.get_by_test_id("guide-next").click()


COVERED = """() => {
  const hint = document.querySelector(".hint").getBoundingClientRect();
  const meets = (box) =>
    box.left < hint.right && box.right > hint.left && box.top < hint.bottom && box.bottom > hint.top;
  return [...document.querySelectorAll(".story-bar, .panels, .strip, .timeline :is(button, select)")]
    .filter((node) => !node.closest(".hint") && meets(node.getBoundingClientRect()))
    .map((node) => node.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize(("size", "text"), [(PHONE, "Tap ▶ to play"), (LAPTOP, "Space plays")])
def test_the_hint_covers_nothing(visit, harbour, size, text):
    page = visit(harbour.file, **size)
    hint = page.get_by_test_id("hint")
    expect(hint).to_contain_text(text)
    assert page.evaluate(COVERED) == []
    page.get_by_test_id("hint-close").click()
    expect(hint).to_be_hidden()
    expect(page.get_by_test_id("where")).to_be_visible()


def test_the_tip_says_that_a_second_tap_asks(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3&tab=state", **PHONE)
    tip = page.get_by_test_id("state-tip")
    expect(tip).to_contain_text("Tap a number to read what it means, and tap it again to see which heads and units")
    box = page.get_by_test_id("heat").bounding_box()
    at = (box["x"] + box["width"] - 30, box["y"] + 150)
    page.touchscreen.tap(*at)
    expect(tip).to_contain_text("Tap it again to see which heads and units wrote it.")
    expect(tip).to_have_attribute("aria-live", "polite")
    page.touchscreen.tap(*at)
    card = page.get_by_test_id("cell-card")
    expect(card).to_have_attribute("aria-label", "Where the number comes from")
    expect(card).to_be_focused()  # so that it is read aloud


def test_why_can_be_asked_beside_the_numbers_of_x(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=state", **PHONE)
    expect(page.get_by_test_id("why")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("panel", "head"), [("attention", "head-1"), ("machine", "open-head-1")])
def test_the_picture_has_the_arrows_of_the_head_that_was_chosen(visit, harbour, size, panel, head):
    page = visit(harbour.file, f"#i=4&l=2&tab={panel}", **size)
    page.get_by_test_id(head).click()
    page.get_by_test_id("tab-picture").click()
    drawn(page)
    assert page.evaluate(PURPLE) > 50
    page.get_by_test_id("tab-variables").click()
    page.get_by_test_id("tab-picture").click()
    drawn(page)
    assert page.evaluate(PURPLE) == 0


def test_what_an_edit_changed_stays_in_view(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=edit", **PHONE)
    page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck")
    changes = page.get_by_test_id("edit-changes")
    expect(changes).to_contain_text("1.5")
    page.locator('[data-panel="edit"]').evaluate("node => { node.scrollTop = 500; }")
    drawn(page)
    assert in_panel(page, '[data-testid="edit-changes"]')
    assert in_panel(page, '[data-testid="edit-compare"]')


@pytest.mark.parametrize("size", SIZES)
def test_fingers_find_what_they_touch(visit, harbour, size):
    page = visit(harbour.file, "#i=4&l=2&tab=picture", **size)
    names = ("picture-in", "picture-out", "picture-fit", "picture-mode", "play", "back-layer", "next-layer")
    names += ("to-start", "to-end")
    boxes = {name: page.get_by_test_id(name).bounding_box() for name in names}
    assert {name: box["height"] for name, box in boxes.items() if round(box["height"]) < 40} == {}
    width = size["viewport"]["width"]
    assert {name: box for name, box in boxes.items() if box["x"] < 0 or box["x"] + box["width"] > width} == {}
    page.get_by_test_id("save").click()
    for name in ("save-from", "save-every", "save-svg"):
        assert round(page.get_by_test_id(name).bounding_box()["height"]) >= 40


@pytest.mark.parametrize("size", [PHONE, FLAT, {"viewport": {"width": 1280, "height": 720}}])
def test_a_long_sentence_says_that_there_is_more(visit, harbour, size):
    page = visit(harbour.file, "#i=2&l=3&tab=picture", **size)
    more, text = page.get_by_test_id("story-more"), page.locator(".story-say")
    expect(more).to_be_visible()
    picture = page.get_by_test_id("picture").bounding_box()
    more.click()
    assert text.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    assert page.get_by_test_id("picture").bounding_box() == picture
    more.click()
    expect(more).to_have_text("More")


def test_a_flat_phone_has_a_time_line_to_point_at(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2", **FLAT)
    assert page.locator(".timeline .strip").bounding_box()["width"] > 140


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 720}}])
@pytest.mark.parametrize("how", ["step", "tab"])
def test_an_unfolded_sentence_folds_with_the_next_step_or_tab(visit, harbour, size, how):
    page = visit(harbour.file, "#i=2&l=3&tab=picture", **size)
    page.get_by_test_id("story-more").click()
    bar = page.locator(".story-bar.unfolded")
    expect(bar).to_have_count(1)
    page.get_by_test_id("next-layer" if how == "step" else "tab-attention").click()
    expect(bar).to_have_count(0)


@pytest.mark.parametrize("size", [*SIZES, {"viewport": {"width": 1280, "height": 720}}])
@pytest.mark.parametrize("start", ["guide", "narrate"])
def test_the_guide_and_the_telling_are_shown_whole(visit, harbour, size, start):
    page = visit(harbour.file, "#i=2&l=3&tab=story", **size)
    page.get_by_test_id(start).click()
    drawn(page)
    text = page.locator(".story-say")
    assert text.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    expect(page.get_by_test_id("story-more")).to_be_hidden()


def test_a_message_does_not_contradict_a_newer_run(visit, harbour):
    page = visit(harbour.file, "#tab=edit", **PHONE)
    page.get_by_test_id("edit-pick-ferry").click()
    drawn(page)
    page.evaluate("() => hyloop.select({ scope: 'vertices', row: 8 })")
    message = page.get_by_test_id("message")
    expect(message).to_have_text("Wreck: distance ∞ → 4, predecessor – → Quay, hyperedge – → ferry")
    expect(page.get_by_test_id("picking")).not_to_contain_text("Esc")
    canvas = page.locator(".picture-panel .picture-live").bounding_box()
    assert message.bounding_box()["y"] >= canvas["y"] + canvas["height"] - 1  # every vertex can be seen and picked
    page.get_by_test_id("picking-done").click()
    page.get_by_test_id("edit-undo").click()
    expect(page.get_by_test_id("edit-changes")).to_contain_text("distance 4 → ∞")
    expect(message).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 720}}])
def test_a_message_covers_no_button_of_the_story(visit, harbour, size):
    page = visit(harbour.file, "#i=4&l=2&tab=picture", **size)
    page.evaluate("() => hyloop.app.say('one line after another, '.repeat(8))")
    box, why = page.get_by_test_id("message").bounding_box(), page.get_by_test_id("why").bounding_box()
    assert box["y"] + box["height"] <= why["y"]


@pytest.mark.parametrize(("size", "key"), [(PHONE, False), ({"viewport": {"width": 1280, "height": 720}}, True)])
def test_a_key_is_named_where_there_is_a_keyboard(visit, harbour, size, key):
    page = visit(harbour.file, "#tab=picture", **size)
    assert ("/" in page.get_by_test_id("search").get_attribute("placeholder")) is key


def test_every_panel_of_a_flat_phone_shows_rows(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=variables", **FLAT)
    assert in_panel(page, '[data-testid="table-vertices"] [data-row="1"]')


def test_the_state_has_the_room_of_a_phone_that_is_held_sideways(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=state", **FLAT)
    heat, tip = page.get_by_test_id("heat"), page.get_by_test_id("state-tip")
    expect(tip).to_be_hidden()
    box = at_rest(page, heat)
    assert box["height"] >= 220  # of which the names of columns take 82, and nine rows 153
    page.touchscreen.tap(box["x"] + 300, box["y"] + 130)
    expect(tip).to_contain_text("column")
    at_rest(page, tip)
    over = tip.bounding_box()
    assert over["y"] > box["y"] + 130  # below what was tapped
    assert over["y"] + over["height"] <= box["y"] + box["height"] + 1
    assert heat.bounding_box() == box  # nothing moves


@pytest.mark.parametrize("size", [(640, 512), (600, 590), (683, 384)])  # of 1280 × 1024, zoomed to 200 %, and others
def test_a_window_that_is_zoomed_in_has_room_for_the_picture(visit, harbour, size):
    page = visit(harbour.file, "#i=4&l=2", viewport={"width": size[0], "height": size[1]})
    picture = page.get_by_test_id("picture")
    assert at_rest(page, picture)["height"] > 0.5 * size[1]
    page.get_by_test_id("tab-variables").click()
    assert in_panel(page, '[data-testid="table-vertices"] [data-row="3"]')


def test_what_has_no_room_at_360_pixels_wraps_or_says_that_there_is_more(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3&tab=source", **PHONE)
    cut = "node => node.scrollWidth > node.clientWidth"
    assert not page.locator(".panel.source .note").evaluate(cut)
    name, inputs = page.locator(".header .run > span").all()
    assert (name.text_content(), inputs.text_content()) == ("harbour.hif.json", " · source: Quay")
    assert not name.evaluate(cut)  # the inputs give way; Variables has them
    page.get_by_test_id("tab-variables").click()
    drawn(page)
    scalars = page.get_by_test_id("scalars")
    assert scalars.evaluate(cut)
    assert "gradient" in scalars.evaluate(
        "node => getComputedStyle(node).backgroundImage"
    )  # a shadow while there is more


def test_a_message_over_the_state_is_closed_by_a_tap_or_by_escape(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=state", **PHONE)
    message = page.get_by_test_id("message")
    page.evaluate("() => hyloop.select({ scope: 'vertices', row: 3 })")
    for close in (message.tap, lambda: page.keyboard.press("Escape")):
        page.evaluate("() => hyloop.app.say('A long sentence about what is new here. '.repeat(6))")
        expect(message).to_be_visible()
        close()
        expect(message).to_be_hidden()
    expect(page.locator("#app")).to_have_attribute("data-selected", "vertices 3")  # that was all
    page.keyboard.press("Escape")
    expect(page.locator("#app")).not_to_have_attribute("data-selected", "vertices 3")


def test_on_a_phone_rows_of_variables_are_seen(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=variables", **PHONE)
    panel = page.locator('[data-panel="variables"]').bounding_box()
    rows = page.get_by_test_id("table-vertices").get_by_role("row").all()
    boxes = [box for box in (row.bounding_box() for row in rows) if box]
    whole = [box for box in boxes if box["y"] + box["height"] <= panel["y"] + panel["height"] + 1]
    assert len(whole) >= 4  # the names of the columns, and three vertices


def test_after_saving_the_tab_is_the_one_before(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=edit", **PHONE)
    page.get_by_test_id("save").click()
    room = page.get_by_test_id("save-dialog").evaluate("node => node.clientWidth")
    for name in ("save-marks", "save-told"):
        label = page.locator(f".toggle:has([data-testid={name}])").bounding_box()
        box = page.get_by_test_id("save-dialog").bounding_box()
        assert label["x"] + label["width"] <= box["x"] + room
    assert tab(page) == "picture"
    page.keyboard.press("Escape")
    expect(page.locator("#app")).to_have_attribute("data-tab", "edit")


@pytest.mark.parametrize("size", SIZES)
def test_what_is_tapped_is_named_with_its_values_and_its_history(visit, harbour, size):
    page = visit(harbour.file, "#i=4&l=3&tab=picture", **size)
    picture = page.get_by_test_id("picture").bounding_box()
    page.evaluate("() => hyloop.select({ scope: 'vertices', row: 3 })")
    drawn(page)
    chosen = page.get_by_test_id("chosen")
    expect(chosen).to_contain_text("Isle distance 3.5, predecessor Mole, hyperedge mail boat, settled yes")
    assert page.get_by_test_id("picture").bounding_box() == picture  # nothing moves below the finger
    page.get_by_test_id("chosen-clear").click()
    expect(chosen).to_be_hidden()
    page.evaluate("() => hyloop.select({ scope: 'hyperedges', row: 2 })")
    drawn(page)
    expect(chosen).to_contain_text("launch key")
    page.get_by_test_id("chosen-history").click()
    drawn(page)
    assert tab(page) == "history"


def test_two_runs_of_a_phone_have_their_names_and_both_pictures(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3&tab=edit", **PHONE)
    page.get_by_test_id("edit-weight-ferry").fill("0.1")
    page.get_by_test_id("edit-compare").click()
    drawn(page)
    for side in ("left", "right"):
        assert page.get_by_test_id(f"compare-choose-{side}").bounding_box()["width"] > 220
    time = page.locator(".compare-time").bounding_box()
    picture = page.get_by_test_id("compare-right").bounding_box()
    assert picture["y"] + picture["height"] <= time["y"] + 1


@pytest.mark.parametrize("weight", ["4", "0.1"])
def test_the_legend_has_one_line_whatever_its_numbers_are(visit, harbour, weight):
    page = visit(harbour.file, "#i=8&l=3&tab=edit", viewport={"width": 1280, "height": 720})
    page.get_by_test_id("edit-weight-ferry").fill(weight)
    page.wait_for_function("(weight) => hyloop.recording.trace.hypergraph.weights[0] === weight", arg=weight)
    drawn(page)
    for part in ("picture-scale", "picture-signs"):
        assert page.get_by_test_id(part).first.bounding_box()["height"] < 22


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """Runs with many marks, and what a folded legend has to say of each."""
    folder = tmp_path_factory.mktemp("marked")
    harbour = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    empty = hyloop.Hypergraph.from_hyperedges({"a": ["A", "B", "C"], "b": ["C", "D"], "none": []})
    at_work = ["current", "settled", "frontier", "changed"]
    runs = {
        "dijkstra": ("dijkstra", harbour, {"source": "Quay"}, at_work),
        "empty": ("dijkstra", empty, {"source": "A"}, ["no members", *at_work]),
        "helly": ("helly", harbour, {}, ["witness", *at_work, "two of witness"]),
    }
    made = {name: hyloop.trace(of, h, layers=True, **given) for name, (of, h, given, _) in runs.items()}
    return {name: (Shown.of(trace, folder / f"{name}.html"), runs[name][-1]) for name, trace in made.items()}


@pytest.mark.parametrize("run", ["dijkstra", "empty", "helly"])
@pytest.mark.parametrize("size", [(1280, 720), (360, 640), (640, 360)])
def test_the_folded_legend_says_what_all_marks_mean(visit, marked, size, run):
    """In lines of its own; in low windows beside the scale."""
    shown, words = marked[run]
    page = visit(shown.file, "#i=2&tab=picture", viewport={"width": size[0], "height": size[1]})
    signs = page.get_by_test_id("picture-signs").first
    panel = page.locator(".picture-panel .picture").bounding_box()
    seen = [each.text_content() for each in signs.locator("> span").all() if inside(each.bounding_box(), panel)]
    assert seen == words
    if run == "dijkstra":
        row, scale = signs.bounding_box(), page.get_by_test_id("picture-scale").first.bounding_box()
        assert (row["y"] >= scale["y"] + scale["height"]) == (size[1] > 500)
    page.locator(".picture-panel .picture-legend summary").click()
    expect(page.locator(".picture-panel .picture-marks")).to_contain_text("settled: solid")
    expect(signs).to_be_hidden()


def inside(box, row):
    """Whether a box is seen whole in the one that holds it."""
    return box["y"] + box["height"] <= row["y"] + row["height"] and box["x"] + box["width"] <= row["x"] + row["width"]


SEEN = """() => {
  const row = document.querySelector(".tabs").getBoundingClientRect();
  const isSeen = ({ left, right }) => left >= row.left - 9 && right <= row.right + 9; // all of its letters
  return [...document.querySelectorAll(".tabs button")].filter((tab) => isSeen(tab.getBoundingClientRect()))
    .map((tab) => tab.textContent);
}"""


@pytest.mark.parametrize("size", [(360, 640), (640, 360), (480, 300), (1280, 720)])
def test_arrows_lead_to_tabs_beyond_the_edge(visit, harbour, size):
    page = visit(harbour.file, "#tab=picture", viewport={"width": size[0], "height": size[1]})
    row = page.locator(".tabs")
    box = row.bounding_box()
    seen = [page.evaluate(SEEN)]
    while "right" in row.get_attribute("data-more"):
        page.mouse.click(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
        drawn(page)
        seen.append(page.evaluate(SEEN))
        assert seen[-1] != seen[-2]
    assert {each for some in seen for each in some} == set(row.locator("button").all_text_contents())
    assert tab(page) in ("picture", "variables")  # an arrow chooses nothing
    assert row.get_attribute("data-more") == ("left" if len(seen) > 1 else "")
    assert len(seen) == 1 or size[0] < 700


LETTERS = """() => {
  const row = document.querySelector(".tabs");
  const { left, right } = row.getBoundingClientRect();
  const isMore = (side) => row.dataset.more.includes(side);
  const [from, to] = [isMore("left") ? left + 22 : left, isMore("right") ? right - 22 : right]; // the middle of a fade
  return [...row.querySelectorAll("button")].map((tab) => {
    const range = document.createRange();
    range.selectNodeContents(tab);
    const box = range.getBoundingClientRect();
    const seen = Math.max(0, Math.min(box.right, to) - Math.max(box.left, from));
    return { name: tab.textContent, seen, share: seen / box.width, isNow: tab.ariaSelected === "true" };
  });
}"""


@pytest.mark.parametrize("width", [320, 340, 360, 390, 412])
def test_the_tab_is_in_view_and_one_beyond_the_edge_is_seen_to_be_cut(visit, harbour, width):
    page = visit(harbour.file, "#tab=picture", **PHONE | {"viewport": {"width": width, "height": 640}})
    at_start = page.evaluate(LETTERS)
    assert any(each["seen"] >= 10 and each["share"] <= 0.85 for each in at_start)
    for name in ["variables", "history", "attention", "story", "state", "picture", "source"]:
        page.evaluate("(tab) => hyloop.show(tab)", name)
        drawn(page)
        tabs = page.evaluate(LETTERS)
        now = next(k for k, each in enumerate(tabs) if each["isNow"])
        assert tabs[now]["share"] > 0.99
        for beside in tabs[max(0, now - 1) : now + 2]:
            assert beside["seen"] >= 8


def test_the_guide_opens_what_it_speaks_of_and_hints_at_what_is_beyond_the_edge(visit, harbour):
    page = visit(harbour.file, **PHONE)
    page.get_by_test_id("start-guide").click()
    page.get_by_test_id("guide-next").click()
    expect(page.get_by_test_id("story-text")).to_contain_text("The diagram is the whole model: 3 layers")
    expect(page.locator(".diagram-fold .table-frame")).to_have_class("table-frame more-right")
    for _ in range(2):
        page.get_by_test_id("guide-next").click()
    expect(page.get_by_test_id("story-text")).to_contain_text("works out fresh")
    expect(page.get_by_test_id("open-mlp")).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        page.get_by_test_id("guide-next").click()
    expect(page.get_by_test_id("answer")).to_be_visible()
    expect(page.locator(".answer-part .table-frame")).to_have_class("table-frame more-right")
    inside = "node => node.scrollWidth <= node.clientWidth"
    assert page.get_by_test_id("answer").evaluate(inside)
