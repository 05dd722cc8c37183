"""The tables of variables: nothing in a cell runs into the next one, whatever numbers and names it has."""

from fractions import Fraction

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, seek

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
CYCLE = hyloop.read(ROOT / "examples" / "citric_acid_cycle.hif.json")
# Wide letters, long names, fractions and numbers of many digits.
WIDE = hyloop.Hypergraph.from_hyperedges(
    {
        "WWWWWWWW": ["MMMMMMMM", "a harbour with a very long name", "Ω"],
        "1234567": ["Ω", "MMMMMMMM"],
        "x": ["漢字漢字漢字", "Ω"],
    },
    {"WWWWWWWW": Fraction(1, 3), "1234567": Fraction(22, 7), "x": Fraction("123456.789")},
)

WINDOWS = {
    "desktop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "sideways": {"viewport": {"width": 640, "height": 360}, "has_touch": True, "is_mobile": True},
    "zoomed": {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2},
}

RUNS = {
    "pagerank": (HARBOUR, {"rounds": 3}),
    "closeness": (HARBOUR, {}),
    "scc": (CYCLE, {}),
    "dijkstra": (WIDE, {"source": "Ω"}),
    "diameter": (WIDE, {}),
}

# A cell that says that it is cut cuts its old value first, and has all of it on pointing at it.
TOO_WIDE = """() => {
  const range = document.createRange();
  const isCut = (node) => node !== null && node.scrollWidth > node.clientWidth;
  const wide = (cell) => {
    if (cell.classList.contains("clipped"))
      return cell.title === "" || (isCut(cell.querySelector(".now")) && cell.querySelector(".old").clientWidth > 40);
    range.selectNodeContents(cell);
    const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
    return text.left < box.left || text.right > box.right + 0.5;
  };
  const cells = [...document.querySelectorAll(".table-body .table-row:not([hidden]) > .cell")];
  return { cells: cells.length, wide: cells.filter(wide).map((cell) => cell.textContent) };
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page for each of the runs."""
    folder = tmp_path_factory.mktemp("tables")
    for name, (h, inputs) in RUNS.items():
        hyloop.trace(name, h, **inputs).save(folder / f"{name}.html")
    return folder


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", RUNS)
def test_no_text_exceeds_its_cell(visit, pages, name, window):
    page = visit(pages / f"{name}.html", "#tab=variables", **WINDOWS[window])
    frames = page.evaluate("hyloop.recording.length")
    for frame in range(0, frames, max(1, frames // 20)):
        seek(page, frame)
        drawn(page)
        found = page.evaluate(TOO_WIDE)
        assert found["cells"] > 0
        assert found["wide"] == []


def test_the_interpreters_values_have_room_too(visit, pages):
    page = visit(pages / "pagerank.html", "#i=9&tab=variables", **WINDOWS["desktop"])
    page.get_by_test_id("show-interpreter").click()
    drawn(page)
    assert page.evaluate(TOO_WIDE)["wide"] == []
    cell = page.locator("[data-testid=table-vertices] [data-row='1'] .cell").nth(1)
    assert cell.get_attribute("title") == "16320000 → 32640000 = 32640000"
    assert cell.text_content() == "16320000 → 32640000 = 32640000"


def test_a_column_is_as_wide_as_its_widest_change(visit, pages):
    """Two numbers of eight digits, one of them bold, and the next column."""
    page = visit(pages / "pagerank.html", "#i=9&tab=variables", **WINDOWS["desktop"])
    row = page.locator("[data-testid=table-vertices] [data-row='1'] .cell")
    assert [row.nth(k).text_content() for k in (1, 2)] == ["16320000 → 32640000", "60"]
    assert row.nth(1).get_attribute("class") == "cell changed"


def test_what_is_new_or_changed_out_of_view_is_one_click_away(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3", viewport={"width": 1220, "height": 800})
    lead, table = page.get_by_test_id("lead-vertices"), page.get_by_test_id("table-vertices")
    expect(page.get_by_test_id("changed-vertices")).to_contain_text("settled")
    expect(lead).to_have_attribute("aria-label", "To the column settled")
    lead.click()
    expect(lead).to_be_hidden()
    seen = table.evaluate(
        """node => {
          const cells = [...node.querySelectorAll("[role=columnheader]")];
          const box = cells.find((cell) => cell.textContent === "settled").getBoundingClientRect();
          const { left, right } = node.getBoundingClientRect();
          return left < box.left && box.right <= right + 1;
        }"""
    )
    assert seen
