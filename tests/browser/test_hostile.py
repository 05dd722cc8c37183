"""Labels are data. Whatever a vertex, a hyperedge or a file is called, nothing of it runs, and all of it is shown."""

import itertools

import pytest

import hyloop
from browser.viewing import Shown, name_of, read, seek, walk
from hyloop import Hypergraph

HOSTILE = [
    "<script>window.pwned = 1; alert(1)</script>",
    '"><img src=x onerror="window.pwned=1;alert(1)">',
    "</script><script>window.pwned=1</script>",
    "</title></style></main><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}} ${7*7} #{7*7}",
    "<!--",
    "' onmouseover='alert(1)",
    "\u202egnp.exe\u202c",
    "👩‍👩‍👧‍👦 🏴‍☠️",
    "",
    "line\nbreak\ttab",
    "__proto__",
    "constructor",
    "\u0000\u001b[31m",
    "x" * 10_000,
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Every vertex, every hyperedge and the file with such a name."""
    edges = {f"{name}": [a, b] for name, (a, b) in zip(HOSTILE, itertools.pairwise([*HOSTILE, "end"]), strict=True)}
    h = Hypergraph.from_hyperedges(edges)
    found = hyloop.trace("dijkstra", h, name="".join(HOSTILE[:4]), source=HOSTILE[0], layers=True)
    return Shown.of(found, tmp_path_factory.mktemp("hostile") / "run.html")


def harmless(page):
    assert page.evaluate("() => window.pwned") is None
    inside = page.evaluate(
        "() => [...document.querySelectorAll('#app script, #app img, #app iframe, #app object, #app embed, #app a,"
        " #app svg[onload], #app [onerror], #app [onmouseover], #app style')].length"
    )
    assert inside == 0


def test_nothing_runs_at_any_frame_in_any_panel(visit, hostile):
    page = visit(hostile.file)
    for tab in ("variables", "attention", "state"):
        page.get_by_test_id(f"tab-{tab}").click()
        walk(page, range(0, hostile.frames, 3))
        harmless(page)


def test_labels_are_shown_as_they_are(visit, hostile):
    page = visit(hostile.file, viewport={"width": 1600, "height": 1400})
    seen = read(page)
    shown = {row["label"] for row in seen["vertices"]["rows"]}
    assert len(shown) > 10
    assert shown <= {name_of(label) for label in [*HOSTILE, "end"]}
    assert HOSTILE[0] in page.locator("header").text_content()
    assert "".join(HOSTILE[:4]) in page.locator("header").text_content()
    harmless(page)


def test_they_are_found_and_have_a_history(visit, hostile):
    page = visit(hostile.file)
    for row, each in enumerate(HOSTILE, start=1):
        label = name_of(each)
        page.get_by_test_id("search").fill("break" if "break" in label else label[:200])
        page.wait_for_selector("[data-testid=found] [role=option]")
        found = page.locator("[data-testid=found] .found-name").all_text_contents()
        assert label in found
        page.locator("[data-testid=found] [role=option]").nth(found.index(label)).click()
        page.wait_for_selector(f"#app[data-selected='vertices {row}']")
        page.wait_for_timeout(250)  # the list closes a little after the search box is left
        assert page.get_by_test_id("history").locator("h2").text_content() == label
        harmless(page)


def test_long_labels_do_not_break_the_page(visit, hostile):
    for width, height in ((1400, 875), (390, 844)):
        page = visit(hostile.file, f"#v={len(HOSTILE)}", viewport={"width": width, "height": height})
        seek(page, hostile.frames - 1)
        assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        strip = page.get_by_test_id("timeline").bounding_box()
        assert strip["y"] + strip["height"] <= height


def test_pointing_at_things_in_the_picture_runs_nothing(visit, hostile):
    page = visit(hostile.file)
    box = page.get_by_test_id("picture").bounding_box()
    tips = set()
    for across, down in itertools.product(range(9), range(7)):
        page.mouse.move(box["x"] + box["width"] * (across + 0.5) / 9, box["y"] + box["height"] * (down + 0.5) / 7)
        tips.add(page.get_by_test_id("picture-tip").text_content())
    assert len(tips) > 2
    harmless(page)
