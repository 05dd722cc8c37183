"""Light and dark, less motion, a phone, and all of it without colours and without a mouse."""

import re

import pytest
from playwright.sync_api import expect

from browser.viewing import drawn, frame, place, press, read, seek, walk

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def theme(page):
    return page.locator("html").get_attribute("data-theme")


def ground(page):
    """How bright the page's own ground is, 0 to 255."""
    colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_as_the_system_is(visit, harbour, scheme):
    page = visit(harbour.file, color_scheme=scheme)
    assert theme(page) == scheme
    assert (ground(page) > 128) == (scheme == "light")


def test_the_page_follows_the_system(visit, harbour):
    page = visit(harbour.file, color_scheme="light")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("html[data-theme=dark]")


@pytest.mark.parametrize("way", ["key", "button"])
def test_the_choice_stays(visit, harbour, way):
    page = visit(harbour.file, color_scheme="light")
    press(page, "d") if way == "key" else page.get_by_test_id("theme").click()
    assert theme(page) == "dark"
    assert ground(page) < 128
    page.reload()
    page.wait_for_selector("#app[data-frame]")
    assert theme(page) == "dark"
    press(page, "d")
    assert theme(page) == "light"


def test_less_motion(visit, harbour):
    page = visit(harbour.file, reduced_motion="reduce")
    moving = page.evaluate(
        "() => [...document.querySelectorAll('*')].filter((node) => { const style = getComputedStyle(node);"
        " const long = (text) => text.split(',').some((part) => parseFloat(part) > 0.011);"
        " const animated = style.animationName !== 'none' && long(style.animationDuration);"
        " return animated || long(style.transitionDuration); })"
        ".map((node) => node.className)"
    )
    assert moving == []
    page.get_by_test_id("play").click()
    page.wait_for_selector("#app:not([data-frame='0'])")


# -- sizes ----------------------------------------------------------------------------------------------------------


def fits(page):
    """Whether nothing stands out of the page to the side."""
    return page.evaluate(
        "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
        " <= document.documentElement.clientWidth"
    )


def in_view(page, testid):
    box, size = page.get_by_test_id(testid).bounding_box(), page.viewport_size
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and right <= size["width"] + 1 and bottom <= size["height"] + 1


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (390, 844), (844, 390), (768, 1024), (1024, 768), (1400, 875), (2560, 1440)]
)
def test_every_size(visit, harbour, width, height):
    page = visit(harbour.file, "#i=4&l=2&v=3", viewport={"width": width, "height": height})
    assert fits(page)
    for control in ("timeline", "play", "next-layer", "back-layer", "badge"):
        assert page.get_by_test_id(control).is_visible()
        assert in_view(page, control)


def test_on_a_phone_one_panel_is_shown_at_a_time(visit, harbour):
    page = visit(harbour.file, "#i=4", **PHONE)
    tabs = ["picture", "variables", "source", "attention", "history", "state"]
    for tab in tabs:
        page.get_by_test_id(f"tab-{tab}").tap()
        page.wait_for_selector(f"[data-panel={tab}]", state="visible")
        shown = [each for each in tabs if page.locator(f"[data-panel={each}]").is_visible()]
        assert shown == [tab]
        assert fits(page)
        assert in_view(page, "timeline")
        box = page.locator(f"[data-panel={tab}]").bounding_box()
        assert box["height"] > 250


def test_on_a_phone_all_values_can_be_read(visit, harbour):
    page = visit(harbour.file, "#i=4&tab=variables", **PHONE)
    seen = read(page)
    assert [row["label"] for row in seen["vertices"]["rows"]] == harbour.document["hypergraph"]["vertices"]


def test_on_a_phone_buttons_are_large_enough_for_a_finger(visit, harbour):
    page = visit(harbour.file, **PHONE)
    for control in ("play", "next-layer", "back-layer", "next-iteration", "back-iteration", "to-start", "to-end"):
        box = page.get_by_test_id(control).bounding_box()
        assert min(box["width"], box["height"]) >= 32, control


def test_turning_the_phone_keeps_the_moment(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2", viewport={"width": 390, "height": 844})
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_selector("#app[data-mode=medium]")
    assert place(page)[1:] == (4, 2)
    page.set_viewport_size({"width": 1400, "height": 875})
    page.wait_for_selector("#app[data-mode=wide]")
    assert place(page)[1:] == (4, 2)


LOW = [(640, 360), (568, 320), (844, 390)]


@pytest.mark.parametrize("size", LOW)
def test_a_low_window_has_room_for_every_panel(visit, harbour, size):
    page = visit(harbour.file, "#i=4&l=2&v=3", viewport={"width": size[0], "height": size[1]})
    tabs = page.get_by_role("tab")
    for k in range(tabs.count()):
        tabs.nth(k).click()
        drawn(page)
        tab = page.locator("#app").get_attribute("data-tab")
        assert page.locator(f"[data-panel={tab}]").bounding_box()["height"] > 0.45 * size[1], tab
        assert in_view(page, "timeline")
        assert in_view(page, "to-end")


@pytest.mark.parametrize("width", [320, 360])
def test_on_a_narrow_phone_the_timeline_is_whole(visit, harbour, width):
    page = visit(harbour.file, viewport={"width": width, "height": 640}, has_touch=True, is_mobile=True)
    for control in ("to-start", "play", "to-end", "speed", "prev-change", "follow", "next-change"):
        assert in_view(page, control), control


# -- without colours, without a mouse -------------------------------------------------------------------------------


def test_the_picture_is_told_in_words(visit, harbour):
    settled = harbour.variable("settled")["column"]
    names = harbour.document["hypergraph"]["vertices"]
    changed = set(harbour.changes_of("distance")) | set(harbour.changes_of("settled"))
    for at, seen in enumerate(walk(visit(harbour.file), range(harbour.frames))):
        count = int(harbour.states[at][1 : 1 + len(names), settled].sum())
        told = seen["picture"]
        assert "of 8 vertices and 6 hyperedges" in told
        assert f"{count} of 8 vertices settled" in told
        assert "hyperedges on the frontier: " in told
        assert ("changed: " in told) == (at in changed)


def test_the_picture_names_the_frontier_and_what_is_looked_at(visit, harbour):
    page = visit(harbour.file)
    key, infinity = harbour.variable("key")["column"], harbour.document["model"]["infinity"]
    names = harbour.document["hypergraph"]["hyperedges"]
    for at, seen in enumerate(walk(page, range(harbour.frames))):
        frontier = [name for row, name in enumerate(names, 1) if harbour.states[at][row, key] < infinity]
        assert f"hyperedges on the frontier: {', '.join(frontier) or 'none'}" in seen["picture"]
    seek(page, harbour.frame(2, 1))
    popped = harbour.trace.at(2, 1)["edge"]
    assert f"current hyperedge (edge): {popped}" in read(page)["picture"]


def test_the_legend_says_what_each_mark_is(visit, harbour):
    page = visit(harbour.file)
    told = page.get_by_test_id("picture-legend").text_content()
    for word in ("settled", "current (", "frontier", "changed at this frame", "reached from", "∞", "selected"):
        assert word in told
    assert "distance" in page.get_by_test_id("picture-scale").text_content()


NAMES = """() => [...document.querySelectorAll(
    "button, select, input, canvas:not([aria-hidden=true]), [role=button], [role=slider]")]
  .filter((node) => !(node.ariaLabel || node.title || node.textContent.trim() || node.labels?.length))
  .map((node) => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("tab", ["variables", "attention", "state"])
def test_every_control_has_a_name(visit, harbour, tab):
    page = visit(harbour.file, f"#i=4&l=2&v=3&tab={tab}")
    assert page.evaluate(NAMES) == []
    for role in ("button", "slider", "tab", "combobox", "checkbox"):
        for each in page.get_by_role(role).all():
            assert each.evaluate(
                "(node) => (node.ariaLabel || node.title || node.textContent || '').trim()"
            ) or each.evaluate("(node) => [...(node.labels ?? [])].map((label) => label.textContent).join('')")


def test_the_tab_key_reaches_all_main_controls_in_order(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    reached = []
    for _ in range(60):
        press(page, "Tab")
        reached.append(page.evaluate("() => document.activeElement?.dataset?.testid ?? ''"))
        if reached[-1] == "next-change":
            break
    wanted = [
        "theme",
        "search",
        "picture",
        "timeline",
        "to-start",
        "play",
        "next-layer",
        "speed",
        "follow",
        "next-change",
    ]
    assert [each for each in reached if each in wanted] == wanted
    assert "table-vertices" in reached
    assert any(each.startswith("tab-") for each in reached)


def test_what_has_the_focus_is_seen(visit, harbour):
    page = visit(harbour.file)
    for _ in range(4):
        press(page, "Tab")
        style = page.evaluate(
            "() => { const style = getComputedStyle(document.activeElement);"
            " return [style.outlineStyle, style.outlineWidth, style.boxShadow]; }"
        )
        assert style[0] != "none" or style[2] != "none"


def test_the_timeline_shows_that_it_has_the_focus(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("why").focus()
    page.get_by_test_id("start-guide").focus()
    press(page, "Tab")
    strip = page.get_by_test_id("timeline")
    expect(strip).to_be_focused()
    assert strip.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"


@pytest.mark.parametrize(("width", "after"), [(1400, "only-changed"), (900, "only-changed"), (360, "search")])
def test_the_tab_key_goes_from_a_tab_to_its_panel(visit, harbour, width, after):
    page = visit(harbour.file, viewport={"width": width, "height": 700})
    page.locator("[role=tab][aria-selected=true]").focus()
    press(page, "Tab")
    expect(page.get_by_test_id(after)).to_be_focused()


def test_why_is_called_by_what_is_written_on_it(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3")
    expect(page.get_by_role("button", name="Why?")).to_be_visible()
    page.locator("[data-testid=table-vertices] [data-row='5'] [data-column]").first.click()
    drawn(page)
    said = page.get_by_test_id("why").text_content()
    assert said.startswith("Why ")
    assert page.get_by_test_id("why").get_attribute("aria-label").startswith(said)


def test_a_row_can_be_selected_by_keys(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("table-vertices").focus()
    for _ in range(3):
        press(page, "ArrowDown")
        drawn(page)
    page.wait_for_selector("#app[data-selected='vertices 3']")
    assert frame(page) == 0


CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const node of document.querySelectorAll("#app *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility() || node.closest(":disabled, [aria-hidden=true], canvas")) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${node.className}: ${node.textContent.slice(0, 40)}`);
  }
  return [...new Set(low)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["variables", "attention", "state"])
def test_text_stands_out_from_its_ground(visit, harbour, scheme, tab):
    page = visit(harbour.file, f"#i=4&l=2&v=3&tab={tab}", color_scheme=scheme)
    frame(page)
    assert page.evaluate(CONTRAST) == []


def test_the_pages_language_and_title_are_told(visit, harbour):
    page = visit(harbour.file)
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title() == "dijkstra – hyloop"
    assert page.locator("h1").count() == 1
    assert page.locator("main").count() == 1


def test_paper_has_the_picture_the_sentence_and_the_values_and_no_buttons(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3")
    page.set_viewport_size({"width": 794, "height": 1100})  # A4
    page.emulate_media(media="print")
    expect(page.get_by_test_id("place")).to_have_text("iteration 4 of 8 · layer 3 of 3")
    expect(page.locator(".header .about")).to_be_visible()
    for shown in ("place", "algorithm", "picture", "story-text", "table-vertices", "table-hyperedges"):
        expect(page.get_by_test_id(shown)).to_be_visible()
    assert page.get_by_test_id("picture").bounding_box()["height"] > 200
    for gone in ("play", "save", "tab-machine", "source", "search", "only-changed"):
        expect(page.get_by_test_id(gone)).to_be_hidden()
    rows = page.locator("[data-testid=table-hyperedges] [data-row]")
    assert rows.count() == len(harbour.document["hypergraph"]["hyperedges"])
    assert rows.last.bounding_box()["y"] > page.get_by_test_id("picture").bounding_box()["y"]


def test_paper_has_the_values_of_this_frame_whatever_tab_is_open(visit, harbour):
    page = visit(harbour.file, "#i=1&l=1&tab=variables")
    page.get_by_test_id("tab-machine").click()
    seek(page, harbour.frame(4, 3))
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator("[data-testid=table-vertices] [data-row='5']")).to_contain_text("∞ → 4")
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#app")).to_have_attribute("data-tab", "machine")
