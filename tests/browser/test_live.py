"""`hyloop view`: edit in the page, and the transformer runs again; what is shown is what `hyloop.run` computes."""

import json
import re
import signal
import subprocess
import sys
from fractions import Fraction

import pytest

import hyloop
from browser.viewing import ROOT, drawn, frame, length_text, press, read, variables
from hyloop import Hypergraph

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")


class Served:
    """A running `hyloop view`."""

    def __init__(self):
        given = ["view", "dijkstra", "examples/harbour.hif.json", "--source", "Quay", "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hyloop", *given],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S*", line):
                self.address = found[0]
                return
        raise AssertionError(f"hyloop view printed no address: {self.said}")

    def end(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        rest = self.process.communicate(timeout=20)[0]
        return self.process.returncode, rest


@pytest.fixture(scope="module")
def served():
    """One server for all tests: a page that is loaded anew shows the last run, so each test sets what it needs."""
    running = Served()
    yield running
    code, rest = running.end()
    assert code == 130, rest


@pytest.fixture
def own():
    """A server for one test."""
    running = Served()
    yield running
    running.end()


def editing(visit, running, **options):
    page = visit(running.address, "#tab=edit", **options)
    page.wait_for_selector("[data-testid=editor]")
    return page


def edited(page, act):
    """Do something, and wait for the run that follows."""
    with page.expect_response("**/api/run", timeout=30_000) as answer:
        act()
    assert answer.value.status == 200, answer.value.text()
    drawn(page)


def shown_hypergraph(page):
    """The hypergraph of the trace that is shown, as the page has it."""
    h = page.evaluate("() => hyloop.recording.trace.hypergraph")
    members = {
        name: [h["vertices"][v - 1] for v in own] for name, own in zip(h["hyperedges"], h["members"], strict=True)
    }
    weights = {name: Fraction(text) for name, text in zip(h["hyperedges"], h["weights"], strict=True)}
    return Hypergraph.from_hyperedges(members, weights=weights, vertices=h["vertices"])


def last_values(page):
    """The variables at the end of the run, read out of the tables."""
    page.get_by_test_id("to-end").click()
    page.get_by_test_id("tab-variables").click()
    frame(page)
    found = variables(read(page))
    page.get_by_test_id("tab-edit").click()
    return found


def same_as_run(page, h, algorithm, output, **inputs):
    """Whether the page shows this hypergraph, and at the end of the run what `hyloop.run` gives."""
    assert shown_hypergraph(page) == h
    result = hyloop.run(algorithm, h, **inputs)
    told = last_values(page)
    assert told["halt"] == "yes"
    reached = {str(label): length_text(Fraction(value)) for label, value in result[output].items() if value is not None}
    assert {label: text for label, text in told[output].items() if label in reached} == reached
    assert {label for label, text in told["settled"].items() if text == "yes"} == set(reached)
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"


def changed(h, *, weights=(), add=(), drop=(), members=()):
    """The hypergraph after edits."""
    edges = {name: list(h.members_of(name)) for name in h.hyperedges if name not in drop}
    edges |= {name: list(own) for name, own in members}
    own = dict(zip(h.hyperedges, h.weights, strict=True)) | dict(weights)
    return Hypergraph.from_hyperedges(
        edges, weights={name: own.get(name, 1) for name in edges}, vertices=[*h.vertices, *add]
    )


H = changed(HARBOUR)  # without its name, which a trace does not keep


def test_the_address_is_printed_and_opens_the_run(visit, own):
    assert "?token=" in own.address
    page = visit(own.address)
    same_as_run(page, H, "dijkstra", "distance", source="Quay")


def test_one_edit_after_the_other(visit, own):
    page = editing(visit, own)
    h = changed(H, weights={"launch": Fraction("0.25")}.items())
    edited(page, lambda: page.get_by_test_id("edit-weight-launch").fill("0.25"))
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    h = changed(h, weights={"ferry": Fraction(4, 3)}.items())
    edited(page, lambda: page.get_by_test_id("edit-weight-ferry").fill("4/3"))
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    def new_vertex():
        page.get_by_test_id("edit-new-vertex").fill("Lock")
        page.get_by_test_id("edit-add-vertex").click()

    h = changed(h, add=["Lock"])
    edited(page, new_vertex)
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    def new_hyperedge():
        page.get_by_test_id("edit-new-hyperedge").fill("raft")
        page.get_by_test_id("edit-new-hyperedge").press("Enter")

    h = changed(h, members={"raft": []}.items())
    edited(page, new_hyperedge)
    for count, member in enumerate(("Lock", "Quay", "Wreck"), start=1):
        edited(page, lambda member=member: page.get_by_test_id("edit-add-member-raft").select_option(label=member))
        h = changed(h, members={"raft": ["Lock", "Quay", "Wreck"][:count]}.items())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    h = changed(h, members={"raft": ["Lock", "Quay"]}.items())
    edited(page, lambda: page.get_by_test_id("edit-drop-member-raft-Wreck").click())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    h = changed(h, drop=["mail boat"])
    edited(page, lambda: page.get_by_test_id("edit-drop-hyperedge-mail boat").click())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")

    edited(page, lambda: page.get_by_test_id("edit-input-source").select_option(label="Lock"))
    same_as_run(page, h, "dijkstra", "distance", source="Lock")

    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option("bfs"))
    assert page.get_by_test_id("algorithm").text_content() == "bfs"
    same_as_run(page, h, "bfs", "level", source="Lock")

    edited(page, lambda: page.get_by_test_id("edit-input-source").select_option(label="Mill"))
    same_as_run(page, h, "bfs", "level", source="Mill")

    page.reload()
    page.wait_for_selector("#app[data-frame]")
    same_as_run(page, h, "bfs", "level", source="Mill")


def test_undo_and_redo(visit, own):
    page = editing(visit, own)
    assert page.get_by_test_id("edit-undo").is_disabled()
    edited(page, lambda: page.get_by_test_id("edit-drop-hyperedge-ferry").click())
    without = changed(H, drop=["ferry"])
    assert shown_hypergraph(page) == without
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    same_as_run(page, H, "dijkstra", "distance", source="Quay")
    edited(page, lambda: page.get_by_test_id("edit-redo").click())
    same_as_run(page, without, "dijkstra", "distance", source="Quay")
    page.get_by_test_id("edit-weight-barge").focus()
    edited(page, lambda: press(page, "Control+z"))
    assert shown_hypergraph(page) == H


@pytest.mark.parametrize("weight", ["-1", "0", "abc", "", "1/0", "1e999", "∞", "<b>1</b>"])
def test_a_bad_weight_says_so_and_keeps_the_last_run(visit, served, weight, watch):
    watch.allow("Failed to load resource")  # a server that refuses is told by the browser, too
    page = editing(visit, served)
    before = shown_hypergraph(page)
    field = page.get_by_test_id("edit-weight-launch")
    field.fill(weight)
    field.blur()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.edit-problem, [data-testid=edit-error]')]"
        ".some((node) => !node.hidden && node.textContent.trim())"
    )
    told = page.evaluate(
        "() => [...document.querySelectorAll('.edit-problem, [data-testid=edit-error]')]"
        ".filter((node) => !node.hidden).map((node) => node.textContent.trim()).join(' ')"
    )
    assert told[0].isupper()
    assert told.endswith(".")
    page.wait_for_timeout(400)
    assert shown_hypergraph(page) == before
    assert page.get_by_test_id("timeline").is_visible()


def test_hostile_names_are_text(visit, own):
    page = editing(visit, own)
    name = "<img src=x onerror=alert(1)>"
    page.get_by_test_id("edit-new-vertex").fill(name)
    edited(page, lambda: page.get_by_test_id("edit-add-vertex").click())
    page.get_by_test_id("edit-new-hyperedge").fill("</script><script>alert(1)</script>")
    edited(page, lambda: page.get_by_test_id("edit-add-hyperedge").click())
    h = changed(H, add=[name], members={"</script><script>alert(1)</script>": []}.items())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")
    page.reload()
    page.wait_for_selector("#app[data-frame]")
    same_as_run(page, h, "dijkstra", "distance", source="Quay")
    assert page.locator("#app img, #app script").count() == 0


def test_the_download_is_the_hypergraph(visit, own, tmp_path):
    page = editing(visit, own)
    edited(page, lambda: page.get_by_test_id("edit-weight-launch").fill("0.375"))
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    assert download.value.suggested_filename == "harbour-edited.hif.json"
    download.value.save_as(tmp_path / "saved.hif.json")
    json.loads((tmp_path / "saved.hif.json").read_text(encoding="utf-8"))
    assert changed(hyloop.read(tmp_path / "saved.hif.json")) == changed(H, weights={"launch": Fraction(3, 8)}.items())


def test_a_weight_that_the_file_cannot_hold_is_told(visit, own, watch):
    watch.allow("status of 400")
    page = editing(visit, own)
    edited(page, lambda: page.get_by_test_id("edit-weight-launch").fill("1/3"))
    page.get_by_test_id("edit-download").click()
    page.wait_for_selector("[data-testid=edit-error]:not([hidden])")
    assert "no decimal number equals" in page.get_by_test_id("edit-error").text_content()


@pytest.mark.parametrize("name", ["components", "motifs", "helly", "projection", "dfs", "levels", "degradation"])
def test_every_algorithm_can_be_chosen(visit, served, name):
    page = editing(visit, served)
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option(name))
    assert page.get_by_test_id("algorithm").text_content() == name
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"
    assert last_values(page)["halt"] == "yes"


def test_typing_a_weight_asks_once(visit, own):
    page = editing(visit, own)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/run" in request.url else None)
    field = page.get_by_test_id("edit-weight-steamer")
    field.fill("")
    edited(page, lambda: field.press_sequentially("12.5", delay=20))
    page.wait_for_timeout(600)
    assert len(asked) == 1
    assert shown_hypergraph(page) == changed(H, weights={"steamer": Fraction("12.5")}.items())


def test_members_are_picked_in_the_picture(visit, own):
    page = editing(visit, own)
    page.get_by_test_id("edit-pick-dinghy").click()
    assert page.get_by_test_id("edit-pick-dinghy").get_attribute("aria-pressed") == "true"
    edited(page, lambda: page.evaluate("() => hyloop.select({scope: 'vertices', row: 8})"))
    assert shown_hypergraph(page) == changed(H, members={"dinghy": ["Light", "Cove", "Wreck"]}.items())


def test_on_a_phone(visit, served):
    page = editing(visit, served, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.get_by_test_id("editor").is_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# -- who may, and how it ends ---------------------------------------------------------------------------------------


def test_without_the_token_nothing_is_served(browser, served):
    context = browser.new_context()
    base = served.address.partition("?")[0]
    for address in (base, f"{base}?token=wrong"):
        assert context.request.get(address).status == 403
    assert context.request.post(f"{base}api/run", data={}).status == 403
    assert context.request.get(served.address).status == 200
    context.close()


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)], ids=["ctrl-c", "terminated"])
def test_closing_ends_the_process_well(visit, own, how, status):
    page = visit(own.address)
    frame(page)
    code, rest = own.end(how)
    assert code == status
    assert "Traceback" not in rest


def test_without_its_server_the_page_runs_its_own_algorithm_and_tells_that_others_need_it(visit, own, watch):
    watch.allow("ERR_CONNECTION_REFUSED")
    page = editing(visit, own)
    own.end()
    page.get_by_test_id("edit-weight-launch").fill("9")
    page.wait_for_function("() => hyloop.recording.trace.hypergraph.weights[1] === '9'")
    h = changed(H, weights={"launch": Fraction(9)}.items())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")
    page.get_by_test_id("edit-algorithm").select_option("bfs")
    page.wait_for_selector("[data-testid=edit-error]:not([hidden])")
    assert "Is `hyloop view` still running?" in page.get_by_test_id("edit-error").text_content()
    assert shown_hypergraph(page) == h
