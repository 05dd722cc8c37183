"""Two runs beside each other: before and after an edit, and two algorithms."""

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, press, seek
from hyloop.viewer.playground import playground

SIZES = [(1280, 720), (360, 640), (640, 360), (1920, 1080)]


@pytest.fixture(scope="module")
def page_of_all(tmp_path_factory):
    file = tmp_path_factory.mktemp("compare") / "view.html"
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    file.write_text(playground("dijkstra", h, {"source": "Quay"}, name="harbour.hif.json"), encoding="utf-8")
    return file


def edited(visit, harbour, **options):
    """The page after Wreck became a port of the launch."""
    page = visit(harbour.file, "#tab=edit", **options)
    page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck")
    expect(page.get_by_test_id("edit-changes")).to_contain_text("Wreck: distance ∞ → 1.5")
    return page


def table(page):
    rows = page.get_by_test_id("compare-table").locator("tbody tr").all()
    return [[cell.text_content() for cell in row.locator("th, td").all()] for row in rows]


def badges(page, side):
    """How many red pixels the marks of what differs take in one picture."""
    return page.evaluate(
        """(side) => {
          const canvas = document.querySelector(`[data-testid=compare-${side}] .picture-live`);
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let found = 0;
          for (let k = 0; k < data.length; k += 4)
            if (data[k] === 179 && data[k + 1] === 38 && data[k + 2] === 30) found++;
          return found;
        }""",
        side,
    )


def test_before_and_after_an_edit(visit, harbour):
    page = edited(visit, harbour)
    page.get_by_test_id("edit-compare").click()
    expect(page.get_by_test_id("compare-summary")).to_contain_text("Wreck: distance ∞ ≠ 1.5")
    assert table(page) == [
        ["Wreck", "distance", "∞", "1.5"],
        ["Wreck", "predecessor", "–", "Quay"],
        ["Wreck", "hyperedge", "–", "launch"],
        ["Wreck", "settled", "no", "yes"],
    ]
    expect(page.get_by_test_id("compare-hypergraphs")).to_have_text("launch: Wreck only on the right")
    expect(page.get_by_test_id("compare-choose-right").locator("option:checked")).to_contain_text("launch: Wreck added")
    assert badges(page, "left") > 100
    assert badges(page, "right") > 100


def test_it_opens_at_the_step_that_is_shown(visit, harbour):
    page = edited(visit, harbour)
    seek(page, 8)
    page.get_by_test_id("compare").click()
    expect(page.get_by_test_id("compare-place").first).to_have_text("iteration 3 of 8 · layer 2 of 3")


def test_a_page_with_one_algorithm_does_not_tell_to_choose_another(visit, harbour, page_of_all):
    for file, others in ((harbour.file, False), (page_of_all, True)):
        page = visit(file)
        page.get_by_test_id("compare").click()
        told = page.get_by_test_id("compare-summary").text_content()
        assert "both are the same run" in told
        assert ("another algorithm" in told) is others


BORDER = "node => getComputedStyle(node).borderLeftColor"


def test_one_time_for_both(visit, harbour):
    page = edited(visit, harbour)
    page.get_by_test_id("compare").click()
    press(page, "Home")
    summary = page.get_by_test_id("compare-summary")
    expect(summary).to_contain_text("are the same in both")
    same = summary.evaluate(BORDER)
    places = page.get_by_test_id("compare-place")
    expect(places.first).to_contain_text("start, before iteration 1")
    press(page, *["ArrowRight"] * 6)
    for k in range(2):
        expect(places.nth(k)).to_have_text("iteration 2 of 8 · layer 3 of 3")
    expect(summary).to_contain_text("Wreck")
    assert summary.evaluate(BORDER) != same  # red is for what differs
    press(page, "Home", "n")
    expect(page.get_by_test_id("compare-dialog")).to_have_attribute("data-moment", "6")
    page.get_by_test_id("compare-slider").fill("9")
    for k in range(2):
        expect(places.nth(k)).to_have_text("iteration 3 of 8 · layer 3 of 3")
    assert page.locator("#app").get_attribute("data-frame") == "0"
    press(page, "Escape")
    expect(page.get_by_test_id("compare-dialog")).to_be_hidden()


def test_playing_goes_on_to_the_end(visit, harbour):
    page = edited(visit, harbour)
    page.get_by_test_id("compare").click()
    page.get_by_test_id("compare-play").click()
    expect(page.get_by_test_id("compare-dialog")).to_have_attribute("data-moment", "24", timeout=15_000)


def test_two_algorithms_on_one_hypergraph(visit, page_of_all):
    page = visit(page_of_all)
    press(page, "b")
    expect(page.get_by_test_id("compare-summary")).to_contain_text("both are the same run")
    page.get_by_test_id("compare-choose-right").select_option("algorithm bfs")
    expect(page.get_by_test_id("compare-right").locator("figcaption")).to_contain_text("bfs · source: Quay")
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    found = {name: hyloop.run(name, h, source="Quay")["predecessor"] for name in ("dijkstra", "bfs")}
    differ = {str(v) for v in h.vertices if found["dijkstra"][v] != found["bfs"][v]}
    assert differ
    assert {row[0] for row in table(page) if row[1] == "predecessor"} == differ


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_fits_every_size(visit, harbour, width, height):
    page = edited(visit, harbour, viewport={"width": width, "height": height})
    page.get_by_test_id("compare").click()
    for name in ("compare-slider", "compare-next", "compare-close", "compare-summary"):
        box = page.get_by_test_id(name).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    dialog = page.get_by_test_id("compare-dialog")
    assert dialog.evaluate("(node) => node.scrollWidth <= node.clientWidth")


def test_a_page_without_a_model_has_nothing_to_compare(visit, tmp_path):
    h = hyloop.Hypergraph.from_hyperedges({k: [k, k + 1] for k in range(2100)})
    hyloop.trace("bfs", h, source=0, layers=False, last=2).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html")
    assert page.get_by_test_id("compare").count() == 0


def linked(page):
    """The address, when it has both runs."""
    page.wait_for_function("() => /[#&]c=[\\w-]+\\.[\\w-]+/.test(location.hash)")
    page.wait_for_timeout(500)  # it is written some times a second
    return page.evaluate("() => location.hash")


@pytest.mark.parametrize("name", ["edit", "algorithm"])
def test_a_link_carries_both_runs_and_the_moment(visit, harbour, page_of_all, name):
    if name == "edit":
        page, file = edited(visit, harbour), harbour.file
        page.get_by_test_id("edit-compare").click()
    else:
        page, file = visit(page_of_all, "#i=0"), page_of_all
        press(page, "b")
        page.get_by_test_id("compare-choose-right").select_option("algorithm bfs")
        expect(page.get_by_test_id("compare-right")).to_contain_text("bfs")
    press(page, "ArrowLeft", "ArrowLeft")
    moment = page.get_by_test_id("compare-dialog").get_attribute("data-moment")
    summary = page.get_by_test_id("compare-summary").text_content()
    sides = [page.get_by_test_id(f"compare-{side}").locator("figcaption").text_content() for side in ("left", "right")]
    other = visit(file, linked(page))
    expect(other.get_by_test_id("compare-dialog")).to_be_visible()
    expect(other.get_by_test_id("compare-summary")).to_have_text(summary)
    assert other.get_by_test_id("compare-dialog").get_attribute("data-moment") == moment
    for side, text in zip(("left", "right"), sides, strict=True):
        assert other.get_by_test_id(f"compare-{side}").locator("figcaption").text_content() == text
    other.get_by_test_id("compare-close").click()
    other.wait_for_function("() => !/[#&]c=/.test(location.hash)")


def test_a_link_with_two_runs_that_cannot_be_read_is_refused(visit, harbour, page_of_all):
    page = edited(visit, harbour)
    page.get_by_test_id("edit-compare").click()
    left = linked(page).partition("c=")[2].partition(".")[0]
    for wrong in ("AAAA", left[: len(left) // 2], "x" * 200):
        other = visit(harbour.file, f"#c={left}.{wrong}&m=1")
        expect(other.get_by_test_id("message")).to_contain_text("cannot be read")
        assert other.get_by_test_id("compare-dialog").is_hidden()
    page = visit(page_of_all)
    press(page, "b")
    page.get_by_test_id("compare-choose-right").select_option("algorithm bfs")
    expect(page.get_by_test_id("compare-right")).to_contain_text("bfs")
    other = visit(harbour.file, linked(page))  # a page with one algorithm
    expect(other.get_by_test_id("message")).to_contain_text("There is no algorithm bfs in this page.")
