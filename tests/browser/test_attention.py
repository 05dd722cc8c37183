"""Where each head looks, in words, and the raw state X under the mouse."""

import re
from copy import deepcopy

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, Shown, press, seek, walk

KINDS = {"plain": "plain", "incidence": "Ã", "transposed": "Ãᵀ"}  # as Machine has them


def looked_at(shown, head, frame):
    """Of a head at a frame: pattern, row, margin and links, from the document."""
    entry = next(
        each
        for each in shown.document["attention"]
        if (each["layer"], each["head"]) == (shown.place(frame)[1], head) and frame in each["frame"]
    )
    k = entry["frame"].index(frame)
    links = range(entry["start"][k], entry["start"][k + 1])
    pairs = [tuple(entry["links"][part][at] for part in ("query", "row", "margin")) for at in links]
    return entry["pattern"][k], entry["row"][k], entry["margin"][k], pairs


def names_row(shown, text, row):
    """Whether a text names a row of X: by its number, and by the label of its vertex or hyperedge."""
    if row == 0:
        return "the global row" in text
    h = shown.document["hypergraph"]
    known = [h[scope][row - 1] for scope in ("vertices", "hyperedges") if row <= len(h[scope])]
    return re.search(rf"\brow {row}\b", text) is not None and any(label in text for label in known)


def margin_told(text, margin):
    return ("no other row" in text) if margin is None else (f"margin {margin}" in text)


@pytest.fixture(scope="module")
def scattered(harbour, tmp_path_factory):
    """The harbour with a head whose queries look at different rows, as that of an edited model can."""
    document = deepcopy(dict(harbour.document))
    entry = document["attention"][0]
    count = len(entry["frame"])
    entry |= {"pattern": [2] * count, "row": [-1] * count, "start": [2 * k for k in range(count + 1)]}
    entry["links"] = {
        "query": [1, 3] * count,
        "row": [2, 3] * count,
        "ties": [1, 1] * count,
        "margin": [5000, 7] * count,
    }
    return Shown.of(hyloop.Trace(document), tmp_path_factory.mktemp("scattered") / "run.html")


def links_told(shown, texts, links):
    """Whether each link is told: who looks, at whom, and by what margin."""
    assert len(texts) == len(links)
    for text, (query, target, margin) in zip(texts, links, strict=True):
        before, _, after = text.partition(" → ")
        assert names_row(shown, before, query)
        assert "itself" in after if query == target else names_row(shown, after, target)
        assert margin is None or f"margin {margin}" in after


@pytest.mark.parametrize(("which", "patterns"), [("harbour", {0, 1}), ("scattered", {0, 1, 2})])
def test_every_head_says_who_is_looked_at_and_by_what_margin(visit, request, which, patterns):
    shown = request.getfixturevalue(which)
    page = visit(shown.file, "#tab=attention")
    kinds = set()
    for frame, seen in enumerate(walk(page, range(shown.frames))):
        heads = shown.document["model"]["layers"][shown.place(frame)[1] - 1]["heads"] if frame else []
        assert len(seen["heads"]) == len(heads)
        for number, (told, head) in enumerate(zip(seen["heads"], heads, strict=True), start=1):
            pattern, row, margin, links = looked_at(shown, number, frame)
            kinds.add(pattern)
            assert f"Head {number}{KINDS[head['kind']]}For" in told["text"]
            assert margin_told(told["look"], margin)
            if pattern == 0:
                assert names_row(shown, told["look"], row)
            elif pattern == 1:
                assert "attends to itself" in told["look"]
                assert all(names_row(shown, told["look"], query) for query, _, _ in links)
            else:
                links_told(shown, told["links"], links)
    assert kinds == patterns


def test_a_head_can_be_chosen_by_mouse_and_by_key(visit, harbour):
    page = visit(harbour.file, "#i=4&l=1&tab=attention")
    head = page.get_by_test_id("head-1")
    head.click()
    assert head.get_attribute("aria-pressed") == "true"
    press(page, "ArrowRight")
    press(page, "ArrowLeft")
    expect(page.get_by_test_id("head-1")).to_have_attribute("aria-pressed", "true")  # painted a moment later
    page.get_by_test_id("head-1").focus()
    press(page, "Enter")
    expect(page.get_by_test_id("head-1")).to_have_attribute("aria-pressed", "false")


def test_without_layers_the_panel_says_why_it_is_empty(visit, harbour, tmp_path):
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    hyloop.trace("dijkstra", h, source="Quay", layers=False).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=3&tab=attention")
    assert "Record it with layers" in page.get_by_test_id("attention").text_content()


TOLD = """async () => {
  for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
  return document.querySelector("[data-testid=state-tip]").textContent;
}"""


def pointed(page, columns, rows):
    """What the heat map says at points all over its upper part, where the few rows of a small run are."""
    box = page.get_by_test_id("heat").bounding_box()
    told = []
    for across in range(columns):
        for down in range(rows):
            x, y = (across + 0.5) / columns, 100 + (down + 0.5) / rows * 200
            page.mouse.move(box["x"] + box["width"] * x, box["y"] + y)
            told.append(page.evaluate(TOLD))
    return told


NUMBER = r"(?:∞ \()?(-?[\d,.]+?)\)?"  # the one that stands for ∞ has both
TIP = re.compile(rf"row (\d+) .*, column (\d+) “(.*?)” \([\w ]+\): (?:{NUMBER} → )?{NUMBER}\. Holds", re.DOTALL)


@pytest.mark.parametrize("way", ["click", "key", "link"])
def test_the_heat_map_tells_the_value_under_the_mouse(visit, harbour, way):
    page = visit(harbour.file, "#i=4&l=2&tab=state" if way == "link" else "#i=4&l=2")
    if way != "link":
        press(page, "x") if way == "key" else page.get_by_test_id("tab-state").click()
    frame = harbour.frame(4, 2)
    cells = {}
    for text in pointed(page, 8, 5):
        found = TIP.search(text)
        if not found:
            continue
        row, column, name, old, value = found.groups()
        assert name == harbour.document["model"]["columns"][int(column)]["name"]
        now, before = (harbour.states[f][int(row), int(column)] for f in (frame, frame - 1))
        assert float(value.replace(",", "")) == now
        assert (old is None) == (now == before)
        assert old is None or float(old.replace(",", "")) == before
        cells[row, column] = now
    assert len(cells) > 15
    assert len(set(cells.values())) > 2


def test_x_goes_to_the_state_and_back(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("tab-attention").click()
    press(page, "x")
    assert page.get_by_test_id("tab-state").get_attribute("aria-selected") == "true"
    press(page, "x")
    assert page.get_by_test_id("tab-attention").get_attribute("aria-selected") == "true"


def test_the_cell_under_the_mouse_follows_the_frames(visit, harbour):
    page = visit(harbour.file, "#i=2&l=1&tab=state")
    box = page.get_by_test_id("heat").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for frame in range(1, harbour.frames):
        seek(page, frame)
        row, column, _, _, value = TIP.search(page.get_by_test_id("state-tip").text_content()).groups()
        assert float(value.replace(",", "")) == harbour.states[frame][int(row), int(column)]


def test_a_number_that_stands_for_infinity_says_so(visit, harbour):
    page = visit(harbour.file, "#i=2&l=3&tab=state")
    told = pointed(page, 40, 10)
    omega = f"∞ ({harbour.document['model']['infinity']})"
    assert any(f": {omega} → 3. Holds the state distance" in text for text in told)
    assert not any(re.search(rf": {omega[3:-1]}", text) for text in told)


def test_columns_out_of_view_that_changed_are_told(visit, harbour):
    page = visit(harbour.file, "#i=3&l=2&tab=state")
    names = [each["name"] for each in harbour.document["model"]["columns"]]
    frame = harbour.frame(3, 2)
    changed = (harbour.states[frame] != harbour.states[frame - 1]).any(axis=0).nonzero()[0]
    tip = page.get_by_test_id("state-tip")
    first, more = names[changed[0]], len(changed) - 1
    expect(tip).to_contain_text(f"Changed further right: {first} and {more} more columns.")
    page.get_by_test_id("heat").evaluate("(node) => { node.scrollLeft = node.scrollWidth }")
    expect(tip).not_to_contain_text("Changed further right")
