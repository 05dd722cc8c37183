"""Links to a moment: what they open, that the address follows, and that wrong ones do no harm."""

import pytest
from playwright.sync_api import expect

from browser.viewing import frame, place, press


def address(page, wanted):
    """Wait until the address says where the page is."""
    page.wait_for_function("wanted => location.hash === wanted", arg=wanted)
    return wanted


def test_a_link_opens_its_moment(visit, harbour):
    assert place(visit(harbour.file, "#i=4&l=2")) == (harbour.frame(4, 2), 4, 2)


@pytest.mark.parametrize("iteration", [0, 1, 5, 8])
def test_without_a_layer_the_end_of_the_iteration_is_meant(visit, harbour, iteration):
    assert place(visit(harbour.file, f"#i={iteration}"))[1:] == (iteration, harbour.layers if iteration else 0)


@pytest.mark.parametrize(("letter", "scope", "title"), [("v", "vertices", "Isle"), ("e", "hyperedges", "mail boat")])
def test_a_link_with_a_selection(visit, harbour, letter, scope, title):
    page = visit(harbour.file, f"#i=4&l=2&{letter}=3")
    assert page.locator("#app").get_attribute("data-selected") == f"{scope} 3"
    assert page.get_by_test_id("history").locator("h2").text_content() == title
    assert page.locator(f"[data-testid=table-{scope}] [aria-selected=true]").get_attribute("data-row") == "3"


@pytest.mark.parametrize("tab", ["variables", "attention", "state"])
def test_a_link_with_a_tab(visit, harbour, tab):
    page = visit(harbour.file, f"#i=4&tab={tab}")
    assert page.get_by_test_id(f"tab-{tab}").get_attribute("aria-selected") == "true"
    assert page.locator(f"[data-panel={tab}]").is_visible()


def test_another_link_in_the_same_page(visit, harbour):
    page = visit(harbour.file, "#i=1")
    for iteration, layer in ((4, 2), (8, 3), (2, 1)):
        page.evaluate(f"() => {{ location.hash = '#i={iteration}&l={layer}&v=2' }}")
        page.wait_for_selector(f"#app[data-frame='{harbour.frame(iteration, layer)}'][data-selected='vertices 2']")
    page.evaluate("() => { location.hash = '#i=3' }")
    page.wait_for_selector("#app[data-iteration='3']:not([data-selected])")


def test_moving_and_selecting_update_the_address(visit, harbour):
    page = visit(harbour.file)
    press(page, "ArrowRight")
    assert address(page, "#i=1&l=1")
    press(page, "End")
    assert address(page, f"#i=8&l={harbour.layers}")
    page.locator("[data-testid=table-hyperedges] [data-row='2']").click()
    assert address(page, f"#i=8&l={harbour.layers}&e=2")
    press(page, "x")
    assert address(page, f"#i=8&l={harbour.layers}&e=2&tab=state")


@pytest.mark.parametrize(
    ("tab", "part"), [("machine", "open-head-2"), ("machine", "open-mlp"), ("attention", "head-2")]
)
def test_a_link_opens_the_part_of_the_layer_that_was_open(visit, harbour, tab, part):
    page = visit(harbour.file, f"#i=4&l=2&tab={tab}")
    opened = page.get_by_test_id(part)
    expect(opened).to_have_attribute("aria-pressed", "false")
    opened.click()
    expect(opened).to_have_attribute("aria-pressed", "true")
    there = page.evaluate("() => { hyloop.app.redraw(); return location.hash; }")
    page.wait_for_function("(before) => location.hash !== before", arg=there)
    again = visit(harbour.file, page.evaluate("() => location.hash"))
    expect(again.get_by_test_id(part)).to_have_attribute("aria-pressed", "true")
    assert place(again) == place(page)


def test_the_address_opens_the_same_again(visit, harbour):
    page = visit(harbour.file)
    page.evaluate("() => { hyloop.seek(10); hyloop.select({scope: 'vertices', row: 4}); hyloop.show('attention') }")
    there = place(page)
    page.wait_for_function("() => location.hash.includes('tab=attention')")
    page.reload()
    page.wait_for_selector("#app[data-frame]")
    assert place(page) == there
    assert page.locator("#app").get_attribute("data-selected") == "vertices 4"
    assert page.get_by_test_id("tab-attention").get_attribute("aria-selected") == "true"


def test_the_link_can_be_copied(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_test_id("copy-link").click()
    assert page.wait_for_function("() => document.querySelector('[data-testid=message]').textContent")
    said = page.get_by_test_id("message").text_content()
    assert said.startswith("Copied; whoever gets it needs this file, too: ")  # the address is a file's
    assert said.endswith("run.html#i=4&l=2")


WRONG = {
    "#i=99999&l=-1&v=zzz": 24,
    "#i=99999": 24,
    "#i=-1": 0,
    "#i=4&l=99": 12,
    "#i=4&v=99": 12,
    "#i=4&e=0&v=0": 12,
    "#i=4&tab=nowhere": 12,
    "#i=4&tab=edit": 12,
    "#i=4&tab=__proto__": 12,
    "#i=1e3": 0,
    "#i=99999999999999999999999": 0,
    "#&&==&i": 0,
    "#%E0%A4%A": 0,
    "#<img src=x onerror=alert(1)>": 0,
    "#i=4&i=5": 15,
}


def test_wrong_links_do_no_harm(visit, harbour):
    page = visit(harbour.file)
    for link, wanted in WRONG.items():
        page.goto("about:blank")
        page.goto(harbour.file.as_uri() + link)
        page.wait_for_selector("#app[data-frame]")
        assert frame(page) == wanted, link
        assert page.locator("#app").get_attribute("data-selected") is None, link
        press(page, "Home")
        press(page, "ArrowRight")
        assert frame(page) == 1, link


def test_a_wrong_link_in_an_open_page_does_no_harm(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    for link in WRONG:
        page.evaluate("link => { location.hash = link }", link)
    page.wait_for_selector(f"#app[data-frame='{[*WRONG.values()][-1]}']")  # the page is told of links a little later
    press(page, "Home")
    assert frame(page) == 0
