"""The picture: the answer is on it, and no text of it is cut, in windows of many sizes."""

import pytest

import hyloop
from browser.viewing import ROOT, Shown, seek

WINDOWS = {
    "1280 x 720": {"viewport": {"width": 1280, "height": 720}},
    "1920 x 1080": {"viewport": {"width": 1920, "height": 1080}},
    "360 x 640": {"viewport": {"width": 360, "height": 640}},
    "640 x 360": {"viewport": {"width": 640, "height": 360}},
    "640 x 360 at 200 %": {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2},
}

# Every text that is drawn on the picture, with how far it reaches, in pixels of the canvas.
RECORD = """() => {
  window.texts = [];
  const own = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    own.call(this, text, x, y);
    if (!this.canvas.matches(".picture-live, .picture-static")) return;
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = this.measureText(text);
    const { a: scale, e, f } = this.getTransform();
    const { width, height } = this.canvas;
    const [from, to] = [(x - left) * scale + e, (x + right) * scale + e];
    window.texts.push({ text, left: from, right: to, y: y * scale + f, width, height });
  };
}"""


def shown(tmp_path_factory, algorithm, file="harbour", **inputs):
    h = hyloop.read(ROOT / "examples" / f"{file}.hif.json")
    found = hyloop.trace(algorithm, h, name=f"{file}.hif.json", layers=True, **inputs)
    return Shown.of(found, tmp_path_factory.mktemp(algorithm) / "run.html")


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    return shown(tmp_path_factory, "pagerank", rounds=3)


@pytest.fixture(scope="module")
def cover(tmp_path_factory):
    return shown(tmp_path_factory, "weighted_set_cover")


def texts_at(page, frame):
    """The texts of the picture at a frame; whatever was still to be drawn of the one before is drawn first."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("() => { window.texts = []; }")
    seek(page, frame)
    return page.evaluate("() => window.texts")


@pytest.mark.parametrize("window", WINDOWS)
def test_long_values_are_never_cut(visit, ranks, window):
    page = visit(ranks.file, "#tab=picture", **WINDOWS[window])
    page.evaluate(RECORD)
    values = set()
    for iteration in (3, 9, 20, 38, 60, 90):
        frame = ranks.frame(iteration)
        written = texts_at(page, frame)
        assert written
        for each in written:
            assert each["left"] >= 0, each
            assert each["right"] <= each["width"], each
            assert 0 <= each["y"] <= each["height"], each
        known = {str(value) for value in ranks.at(frame)["rank"].values()}
        numbers = {each["text"] for each in written if each["text"].isdigit()}
        assert numbers <= known
        values |= numbers
    assert max(map(len, values)) >= 8


def test_the_hyperedges_of_a_cover_have_a_star_as_soon_as_they_are_chosen(visit, cover):
    page = visit(cover.file)
    page.evaluate(RECORD)
    for frame in range(1, cover.frames):
        at = cover.at(frame)["chosen"]
        chosen = {label for label, value in at.items() if value == "yes"}
        starred = {each["text"][2:] for each in texts_at(page, frame) if each["text"].startswith("★ ")}
        assert {text.split(" · ")[0] for text in starred} == chosen
    assert len(chosen) == 4
    assert "in the answer (chosen)" in page.get_by_test_id("picture-legend").text_content()
    words = page.get_by_test_id("picture").get_attribute("aria-label")
    assert "hyperedges in the answer (chosen): launch, mail boat, dinghy, barge" in words


def test_a_component_beside_a_vertex_is_not_written_as_a_name(visit, tmp_path_factory):
    run = shown(tmp_path_factory, "scc", "citric_acid_cycle")
    page = visit(run.file, viewport={"width": 1920, "height": 1080})
    page.evaluate(RECORD)
    drawn = {(each["text"], each["left"], each["y"]) for each in texts_at(page, run.frames - 1)}
    written = [text for text, *_ in drawn]
    labels = set(run.document["hypergraph"]["vertices"])
    assert labels & set(written)
    assert any(text.startswith("→ ") for text in written)
    assert all(written.count(label) <= 1 for label in labels)
