"""Frames and films that the page saves: the files are opened here, by other programs than the page."""

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, press, seek

Image = pytest.importorskip("PIL.Image", reason="There is no Pillow: pip install 'hyloop[test-browser]'.")

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SVG = "{http://www.w3.org/2000/svg}"


def saved(page, testid, timeout=60_000):
    """The bytes that a button of the dialog saves, and the name of the file."""
    if not page.get_by_test_id("save-dialog").is_visible():
        page.get_by_test_id("save").click()
    with page.expect_download(timeout=timeout) as asked:
        page.get_by_test_id(testid).click()
    return Path(asked.value.path()).read_bytes(), asked.value.suggested_filename


def texts(svg):
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_frame_as_svg_has_every_label_value_and_sentence(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    content, name = saved(page, "save-svg")
    assert name == "harbour-dijkstra-4-2.svg"
    told = texts(content)
    assert set(map(str, harbour.document["hypergraph"]["vertices"])) <= set(told)
    assert {each["name"] for each in harbour.document["variables"] if each["name"] == "edge"} <= set(told)
    assert "iteration 4 of 8 · layer 2 of 3" in told
    title = ET.fromstring(content).find(f"{SVG}title").text
    assert "Layer 2 goes from ferry (edge) to its members: Quay, Isle and Cove" in title


def test_the_heading_of_a_frame_is_off_the_names_beneath_it(visit, harbour):
    page = visit(harbour.file, "#i=4&l=3", viewport={"width": 1280, "height": 720})
    drawn = ET.fromstring(saved(page, "save-svg")[0]).iter(f"{SVG}text")
    heights = {node.text: float(node.get("y")) for node in drawn if node.text}
    place = next(y for text, y in heights.items() if text.startswith("iteration 4 of 8"))
    assert heights["ferry · 4"] - place > 16


def test_a_frame_has_its_whole_sentence_its_scale_and_says_that_it_was_edited(visit, harbour):
    page = visit(harbour.file, "#i=3&l=3&tab=edit")
    page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck")
    expect(page.get_by_test_id("edited")).to_be_visible()
    content, name = saved(page, "save-svg")
    assert name == "harbour-edited-dijkstra-3-3.svg"
    told = texts(content)
    assert "dijkstra · harbour.hif.json, edited · source: Quay" in told
    assert {"distance", "0", "7", "hollow: ∞"} <= set(told)
    title = ET.fromstring(content).find(f"{SVG}title").text
    sentence = title[title.index("Layer 3") :]
    assert len(sentence) > 200
    assert sentence in " ".join(dict.fromkeys(told))  # each is there twice, with its rim


@pytest.mark.parametrize("tab", ["machine", "variables"])
def test_the_diagram_of_the_model_is_saved_with_its_key_and_no_layer_lit(visit, harbour, tab):
    page = visit(harbour.file, "#i=4&l=2&tab=machine")
    page.get_by_test_id(f"tab-{tab}").click()
    seek(page, harbour.frame(6, 1))
    content, name = saved(page, "save-diagram")
    assert name == "dijkstra-model.svg"
    root = ET.fromstring(content)
    told = [node.text for node in root.iter(f"{SVG}text")]
    assert {"Layer 1", "Layer 2", "Layer 3", "distance", "MLP"} <= set(told)
    assert {"query", "key", "value", "read by the MLP", "added to", "head", "head with Ã", "head with Ãᵀ"} <= set(told)
    drawn = [node for node in root.iter() if node.tag in (f"{SVG}path", f"{SVG}line", f"{SVG}rect")]
    assert all(node.get("fill") and node.get("stroke") for node in drawn)
    assert {node.get("opacity") for node in root.iter(f"{SVG}g")} == {"1"}
    assert root.get("font-family") == "Helvetica, Arial, sans-serif"


def test_a_frame_is_saved_without_sentence_and_marks(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    press(page, "s")
    page.get_by_test_id("save-marks").click()
    content, _ = saved(page, "save-svg")
    root = ET.fromstring(content)
    told = texts(content)
    assert {"Quay", "distance", "1.5"} <= set(told)
    assert not {"edge", "Layer"} & {word for each in told for word in each.split()}
    faces = {node.get("font-family") for node in root.iter(f"{SVG}text")}
    assert faces == {"Helvetica, Arial, sans-serif"}
    assert "goes from" not in root.find(f"{SVG}title").text


def test_the_hash_of_the_run_is_that_of_python(visit, harbour, tmp_path):
    page = visit(harbour.file, "#tab=edit", permissions=["clipboard-read", "clipboard-write"])
    cited = page.get_by_test_id("run-hash")
    page.get_by_test_id("badge").click()
    expect(page.get_by_test_id("message")).to_contain_text(harbour.trace.run_hash[:12])
    press(page, "s")
    expect(cited).to_have_text(f"{harbour.trace.run_hash[:12]}…")
    cited.click()
    expect(cited).to_have_text(harbour.trace.run_hash)
    assert page.evaluate("() => navigator.clipboard.readText()") == harbour.trace.run_hash
    code = page.get_by_test_id("run-hash-python").locator("code")
    expect(code).to_have_text('hyloop.Trace.load("run.html").run_hash')
    assert hyloop.Trace.load(harbour.file).run_hash == harbour.trace.run_hash


def test_the_hash_of_an_edited_run_is_that_of_its_file(visit, harbour, tmp_path):
    page = visit(harbour.file, "#tab=edit")
    page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck")
    expect(page.get_by_test_id("edited")).to_be_visible()
    with page.expect_download() as asked:
        page.get_by_test_id("edit-download").click()
    asked.value.save_as(tmp_path / "edited.hif.json")
    press(page, "s")
    expect(page.get_by_test_id("run-hash-python")).to_contain_text("hyloop trace dijkstra FILE --layers -o run.json")
    again = hyloop.trace("dijkstra", hyloop.read(tmp_path / "edited.hif.json"), source="Quay", layers=True)
    assert again.run_hash != harbour.trace.run_hash
    expect(page.get_by_test_id("run-hash")).to_have_text(f"{again.run_hash[:12]}…")


def test_svg_and_png_show_the_same(visit, harbour, browser):
    """The SVG, drawn by the browser, is the PNG but for the letters: those of a file are of its own font."""
    page = visit(harbour.file, "#i=4&l=2")
    svg, _ = saved(page, "save-svg")
    png, name = saved(page, "save-png")
    assert name == "harbour-dijkstra-4-2.png"
    frame = Image.open(BytesIO(png)).convert("RGB")
    blank = browser.new_page(viewport={"width": frame.width // 2, "height": frame.height // 2}, device_scale_factor=2)
    blank.set_content(f"<body style='margin:0'>{svg.decode()}</body>")
    shown = Image.open(BytesIO(blank.screenshot())).convert("RGB")
    boxes = blank.evaluate(
        "() => [...document.querySelectorAll('text')].map((t) => t.getBBox()).map((b) => [b.x, b.y, b.width, b.height])"
    )
    blank.close()
    picture = min(y for _, y, _, _ in boxes if y > 0.9 * frame.height / 2 - 120)  # the captions are beneath it
    one, other = (np.asarray(each.reduce(2), int) for each in (frame, shown))
    height = min(len(one), len(other), int(picture))
    off = np.abs(one[:height] - other[:height]).max(axis=2)
    for x, y, width, high in boxes:
        off[max(0, int(y) - 3) : int(y + high) + 4, max(0, int(x - width / 4) - 4) : int(x + 1.25 * width) + 5] = 0
    assert height > 300
    assert (off > 60).mean() < 0.004


def test_saved_pictures_say_which_run_they_are_of(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    run = f"run {harbour.trace.run_hash[:12]}…"
    wanted = f"hyloop · dijkstra · harbour.hif.json · source: Quay · iteration 4 of 8 · layer 2 of 3 · {run}"
    svg, _ = saved(page, "save-svg")
    assert ET.fromstring(svg).find(f"{SVG}desc").text == wanted
    png, _ = saved(page, "save-png")
    frame = Image.open(BytesIO(png))
    frame.verify()  # every chunk has its sum
    assert frame.info["Description"] == wanted
    press(page, "s")
    page.get_by_test_id("save-to").fill("2")
    page.get_by_test_id("save-told").uncheck()
    gif, _ = saved(page, "save-gif")
    wanted = f"hyloop · dijkstra · harbour.hif.json · source: Quay · iterations 1 to 2 · {run}"
    assert Image.open(BytesIO(gif)).info["comment"].decode() == wanted


@pytest.mark.parametrize("size", [(1280, 720), (360, 640), (640, 360)])
def test_an_answer_of_one_value_stands_in_the_picture_at_the_end(visit, tmp_path, size):
    """On the page it is the same drawing; the answer is read aloud with it."""
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    hyloop.trace("helly", h, name="harbour.hif.json", layers=True).save(tmp_path / "helly.html")
    page = visit(tmp_path / "helly.html", "#tab=picture", viewport={"width": size[0], "height": size[1]})
    told = " ".join(dict.fromkeys(texts(saved(page, "save-svg")[0])))
    assert "helly:" not in told
    press(page, "End")
    expect(page.get_by_test_id("picture")).to_have_attribute(
        "aria-label", re.compile(r"helly: no; witness: Quay, Mole and Isle$")
    )
    content, _ = saved(page, "save-svg")
    told = " ".join(dict.fromkeys(texts(content)))
    assert re.search(r"helly: no( ·)? witness: Quay, Mole and Isle", told)
    root = ET.fromstring(content)
    nodes = [each for each in root.iter(f"{SVG}text") if "helly: no" in (each.text or "")]
    assert 0 < float(nodes[0].get("y")) < float(root.get("height"))


def test_labels_in_a_saved_picture_are_text(visit, tmp_path):
    label = '</text><script>alert("1")</script>&\u202e'
    h = hyloop.Hypergraph.from_hyperedges({"<b>": [label, "b"]})
    hyloop.trace("bfs", h, source="b", layers=True).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=2")
    content, _ = saved(page, "save-svg")
    tags = {node.tag.removeprefix(SVG) for node in ET.fromstring(content).iter()}
    assert tags <= {"svg", "title", "desc", "path", "rect", "text", "image"}
    assert any("</text><script>" in each for each in texts(content))


def test_a_run_as_gif_has_every_layer_and_moves(visit, harbour):
    page = visit(harbour.file)
    press(page, "s")
    length = page.get_by_test_id("save-length")
    slow = r"Each stays until its sentence can be read\. A video takes as long to make as it plays\."
    expect(length).to_have_text(re.compile(rf"^25 frames: [\d.]+ seconds\. {slow}$"))
    assert page.get_by_test_id("save-from").input_value() == "1"  # as the page counts
    told = float(length.inner_text().split()[2])
    content, name = saved(page, "save-gif")
    assert name == "harbour-dijkstra.gif"
    film = Image.open(BytesIO(content))
    assert film.n_frames == harbour.frames
    assert film.info["loop"] == 0
    frames, durations = [], []
    for at in range(film.n_frames):
        film.seek(at)
        frames.append(film.convert("RGB"))
        durations.append(film.info["duration"])
    assert round(sum(durations) / 1000, 1) == told
    assert durations[0] > 3000  # the start has a sentence, too
    assert max(durations) > 3000
    assert len({frame.tobytes() for frame in frames}) == harbour.frames
    assert frames[0].getpixel((2, frames[0].height - 2)) == (255, 255, 255)
    assert len(content) < 1_500_000
    expect(page.get_by_test_id("message")).to_contain_text("Saved harbour-dijkstra.gif")
    assert page.locator("#app").get_attribute("data-frame") == "0"


def test_a_film_of_some_iterations(visit, harbour):
    page = visit(harbour.file)
    press(page, "s")
    page.get_by_test_id("save-every").select_option("iteration")
    page.get_by_test_id("save-from").fill("2")
    page.get_by_test_id("save-to").fill("4")
    page.get_by_test_id("save-told").uncheck()
    expect(page.get_by_test_id("save-length")).to_have_text(re.compile(r"^3 frames: 3 seconds\."))
    content, _ = saved(page, "save-gif")
    film = Image.open(BytesIO(content))
    assert film.n_frames == 3
    durations = []
    for at in range(3):
        film.seek(at)
        durations.append(film.info["duration"])
    assert durations == [500, 500, 2000]
    press(page, "s")
    page.get_by_test_id("save-from").fill("9")
    expect(page.get_by_test_id("save-gif")).to_be_disabled()


def test_a_film_can_be_cancelled(visit, harbour):
    page = visit(harbour.file)
    files = []
    page.on("download", lambda file: files.append(file.url))
    page.get_by_test_id("save").click()
    page.get_by_test_id("save-gif").click()
    expect(page.get_by_test_id("save-bar")).to_be_visible()
    page.get_by_test_id("save-cancel").click()
    expect(page.get_by_test_id("save-bar")).to_be_hidden()
    expect(page.get_by_test_id("save-gif")).to_be_enabled()
    assert files == []


def test_a_run_as_video(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("save").click()
    page.get_by_test_id("save-from").fill("7")
    page.get_by_test_id("save-speed").select_option("8")
    content, name = saved(page, "save-video")
    assert name == "harbour-dijkstra.webm"
    assert content[:4] == bytes.fromhex("1a45dfa3")  # EBML, which WebM is
    assert len(content) > 5_000


def test_a_phone_saves_the_picture_from_any_tab(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2&tab=source", **PHONE)
    content, _ = saved(page, "save-png")
    assert Image.open(BytesIO(content)).width >= 600
    expect(page.locator("#app")).to_have_attribute("data-tab", "source")  # where it was opened


def test_a_large_run_is_saved_as_it_is_drawn(visit, tmp_path):
    members = {f"e{k}": [f"v{k}", f"v{(k * 7 + 1) % 90}", f"v{(k * 3 + 2) % 90}"] for k in range(90)}
    h = hyloop.Hypergraph.from_hyperedges(members)
    hyloop.trace("bfs", h, source="v0", layers=False).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html")
    seek(page, 2)
    drawn(page)
    content, name = saved(page, "save-svg")
    assert name.endswith("-bfs-2.svg")
    assert ET.fromstring(content).find(f"{SVG}rect") is not None
