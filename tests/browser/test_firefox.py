"""The page in Firefox: open, run, edit, scrub, Machine, Story, save, compare. Chromium has all other tests."""

import shutil
import time

import pytest

import hyloop
from browser.conftest import _missing
from browser.firefox import NAMES, Firefox
from browser.viewing import ROOT

RIGHT, DOWN, END, HOME = "\ue014", "\ue015", "\ue010", "\ue011"
LATEST = "return document.querySelector('#app').dataset.frame === String(arguments[0])"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """The Firefox of this machine, without a window."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        _missing("There is no Firefox: apt-get install firefox-esr.")
    started = Firefox(found, tmp_path_factory.mktemp("firefox"))
    started.resize(1280, 720)
    yield started
    started.close()


@pytest.fixture
def page(firefox, harbour):
    """The harbour's page; what it complains of fails the test."""
    firefox.open(harbour.file.as_uri())
    yield firefox
    assert firefox.problems(harbour.file.as_uri()) == []


def at(page, frame):
    page.until(LATEST, frame)


def downloaded(page, ending):
    """The bytes of the one file with that ending."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        files = [each for each in page.downloads.glob(f"*{ending}") if each.stat().st_size > 0]
        if files and not list(page.downloads.glob("*.part")):
            return files[0].read_bytes()
        time.sleep(0.1)
    raise TimeoutError(f"No {ending} was saved.")


def test_it_opens_and_moves_through_the_run(page, harbour):
    assert page.text("badge") == "✓ transformer = interpreter"
    page.press(RIGHT, RIGHT)
    at(page, 2)
    page.press(END)
    at(page, harbour.frames - 1)
    page.run("window.hyloop.seek(11)")
    at(page, 11)
    assert page.text("where") == "iteration 4 of 8 · layer 2 of 3"
    page.until("return document.querySelector('[data-testid=story-text]').textContent !== '…'")
    assert page.text("story-text").startswith("Layer 2 goes from ferry (edge) to its members: Quay, Isle and Cove")


def test_it_plays_to_the_end(page, harbour):
    page.run(
        "const speed = document.querySelector('[data-testid=speed]'); speed.value = '60';"
        "speed.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.click("play")
    at(page, harbour.frames - 1)


def test_the_timeline_is_dragged(page, harbour):
    (handle,) = page.element("timeline").values()
    box = page.ask("WebDriver:GetElementRect", {"id": handle})
    y = round(box["y"] + box["height"] / 2)
    move = {"type": "pointerMove", "duration": 50, "y": y, "origin": "viewport"}
    drag = [
        move | {"x": round(box["x"]) + 8},
        {"type": "pointerDown", "button": 0},
        move | {"x": round(box["x"] + box["width"] / 2)},
        move | {"x": round(box["x"] + box["width"]) - 2},
        {"type": "pointerUp", "button": 0},
    ]
    page.ask("WebDriver:PerformActions", {"actions": [{"type": "pointer", "id": "mouse", "actions": drag}]})
    at(page, harbour.frames - 1)


def test_the_picture_is_drawn(page):
    colours = page.run(
        "const canvas = document.querySelector('[data-testid=picture]');"
        "const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        "return new Set(new Uint32Array(data.buffer)).size"
    )
    assert colours > 50


def test_machine_and_story_explain_a_layer(page):
    page.run("window.hyloop.seek(10)")
    page.click("tab-machine")
    page.click("open-head-1")
    page.until("return document.querySelectorAll('[data-testid=bars] [data-score]').length > 3")
    page.click("tab-story")
    page.until("return document.querySelector('[data-testid=told-1]') !== null")
    assert "picks the hyperedge with the least key: ferry, 4" in page.text("told-1")
    page.press(END)
    page.until("return document.querySelector('[data-testid=answer]') !== null")


def test_an_edit_runs_the_transformer_again(page):
    page.click("tab-edit")
    page.run(
        "const add = document.querySelector('[data-testid=edit-add-member-launch]');"
        "add.value = [...add.options].find(({ text }) => text === 'Wreck').value;"
        "add.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.until(
        "return document.querySelector('[data-testid=edit-changes]').textContent.includes('Wreck: distance ∞ → 1.5')"
    )
    page.click("edit-compare")
    page.until("return document.querySelector('[data-testid=compare-table]')?.rows.length === 5")
    page.click("compare-close")
    page.click("edit-undo")
    page.until(
        "return document.querySelector('[data-testid=edit-changes]').textContent.includes('Wreck: distance 1.5 → ∞')"
    )


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF89a")])
def test_it_saves(page, ending, begins):
    page.press("s")
    page.click(f"save-{ending}")
    assert downloaded(page, ending).startswith(begins)


def test_the_policy_holds(firefox, harbour):
    address = harbour.file.as_uri()
    firefox.open(address)
    firefox.run(
        "const added = document.createElement('script'); added.textContent = 'window.ran = true';"
        "document.body.append(added)"
    )
    assert firefox.run("return window.wrappedJSObject?.ran ?? window.ran ?? null") is None
    assert any("CSP" in each for each in firefox.problems(address))


def test_a_link_leads_to_a_moment(firefox, harbour):
    firefox.open(harbour.file.as_uri() + "#i=4&l=1&tab=machine")
    at(firefox, harbour.frame(4, 1))
    assert firefox.run("return document.querySelector('#app').dataset.tab") == "machine"


def test_all_algorithms_run_as_in_python(firefox, tmp_path):
    """The transformer in this browser gives the hash of the run that Python gives."""
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    for name in ("core-numbers", "scc", "dfs"):
        inputs = {"source": "Quay"} if name == "dfs" else {}
        found = hyloop.trace(name, h, layers=True, **inputs)
        file = tmp_path / f"{name}.html"
        found.save(file)
        firefox.open(file.as_uri())
        shown = firefox.run("return window.hyloop.runs.again(window.hyloop.recording.trace).hash")
        assert shown == found.run_hash
        assert firefox.problems(file.as_uri()) == []
