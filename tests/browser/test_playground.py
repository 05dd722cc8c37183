"""The page of `hyloop view`, from a file and offline: edit it, and the transformer runs again.

What is shown is what `hyloop.run` computes.
"""

import json
import random
import re
from fractions import Fraction

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, frame, length_text, press, read, variables
from hyloop import Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.viewer.link import fragment
from hyloop.viewer.playground import playground

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
DAVIS = hyloop.read(ROOT / "examples" / "davis.hif.json")


def written(folder, algorithm, h, name, **inputs):
    file = folder / "page.html"
    file.write_text(playground(algorithm, h, inputs, name=name), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The page with Dijkstra on the harbour."""
    return written(tmp_path_factory.mktemp("view"), "dijkstra", HARBOUR, "harbour.hif.json", source="Quay")


def editing(visit, file, fragment="#tab=edit", **options):
    page = visit(file, fragment, offline=True, **options)
    page.wait_for_selector("[data-testid=editor]")
    return page


def edited(page, act):
    """Do something, and wait for the run that follows."""
    page.evaluate("() => { window.before = hyloop.recording.trace; }")
    act()
    page.wait_for_function("() => hyloop.recording.trace !== window.before")
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


def test_the_page_shows_the_run(visit, page_file):
    page = editing(visit, page_file)
    same_as_run(page, H, "dijkstra", "distance", source="Quay")


def test_who_stands_at_the_end_stays_there_when_a_run_gets_longer(visit, page_file):
    page = editing(visit, page_file)
    place = "() => [hyloop.recording.frame, hyloop.recording.length]"
    edited(page, lambda: page.get_by_test_id("edit-drop-hyperedge-dinghy").click())
    page.get_by_test_id("to-end").click()
    frame(page)
    _, before = page.evaluate(place)
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    now, after = page.evaluate(place)
    assert after > before
    assert now == after - 1
    press(page, "ArrowLeft")
    edited(page, lambda: page.get_by_test_id("edit-weight-ferry").fill("5"))
    assert page.evaluate(place)[0] == now - 1


def test_what_is_wrong_with_a_file_is_said_once(visit, page_file, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"nodes": [1]}', encoding="utf-8")
    page = editing(visit, page_file)
    page.get_by_test_id("edit-file").set_input_files(broken)
    expect(page.get_by_test_id("edit-error")).to_contain_text("broken.json")
    assert page.locator("[data-testid=message].shown").count() == 0
    page.get_by_test_id("tab-variables").click()  # where the editor is not seen
    page.get_by_test_id("edit-file").set_input_files(broken)
    page.wait_for_selector("[data-testid=message].shown.bad")


def test_labels_that_look_the_same_are_told_and_have_two_names(visit, page_file, tmp_path):
    given = tmp_path / "alike.txt"
    given.write_text('a: 1 "1"\n', encoding="utf-8")
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-file").set_input_files(given))
    expect(page.get_by_test_id("edit-warnings")).to_have_text(
        "these are different vertices, though they look the same: 1 (an integer) and '1'."
    )
    assert page.locator("[data-testid=message].shown").count() == 0  # it stands there
    page.get_by_test_id("tab-variables").click()
    assert [row["label"] for row in read(page)["vertices"]["rows"]] == ["1", '"1"']


def test_how_a_file_was_read_is_said_until_another_comes(visit, page_file, tmp_path):
    given = tmp_path / "weights.txt"
    given.write_text("a b 2\nb c 1\n", encoding="utf-8")
    page = editing(visit, page_file)
    assert not page.get_by_test_id("edit-read").is_visible()
    edited(page, lambda: page.get_by_test_id("edit-file").set_input_files(given))
    expect(page.get_by_test_id("edit-read")).to_contain_text("edge list: 2 hyperedges, 5 vertices, all weights 1.")
    expect(page.get_by_test_id("edit-read")).to_contain_text("a b | 2")
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    assert not page.get_by_test_id("edit-read").is_visible()


def test_one_edit_after_the_other(visit, page_file):
    page = editing(visit, page_file)
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


def test_undo_and_redo(visit, page_file):
    page = editing(visit, page_file)
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
def test_a_bad_weight_says_so_and_keeps_the_last_run(visit, page_file, weight):
    page = editing(visit, page_file)
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


def test_hostile_names_are_text(visit, page_file):
    page = editing(visit, page_file)
    name = "<img src=x onerror=alert(1)>"
    page.get_by_test_id("edit-new-vertex").fill(name)
    edited(page, lambda: page.get_by_test_id("edit-add-vertex").click())
    page.get_by_test_id("edit-new-hyperedge").fill("</script><script>alert(1)</script>")
    edited(page, lambda: page.get_by_test_id("edit-add-hyperedge").click())
    h = changed(H, add=[name], members={"</script><script>alert(1)</script>": []}.items())
    same_as_run(page, h, "dijkstra", "distance", source="Quay")
    assert page.locator("#app img, #app script").count() == 0


def test_the_download_is_the_hypergraph(visit, page_file, tmp_path):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-weight-launch").fill("0.375"))
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    assert download.value.suggested_filename == "harbour-edited.hif.json"
    download.value.save_as(tmp_path / "saved.hif.json")
    json.loads((tmp_path / "saved.hif.json").read_text(encoding="utf-8"))
    assert changed(hyloop.read(tmp_path / "saved.hif.json")) == changed(H, weights={"launch": Fraction(3, 8)}.items())


ANNOTATED = {
    "network-type": "directed",
    "metadata": {"name": "boats", "year": 1941, "exact": 0.1},
    "nodes": [
        {"node": 1, "weight": 2.5, "attrs": {"name": "Quay", "tags": ["a", {"b": None}]}},
        {"node": 2, "attrs": {"name": "Isle"}},
        {"node": 3, "attrs": {"name": "</script>"}},
    ],
    "edges": [{"edge": "e", "weight": 4, "attrs": {"name": "ferry", "colour": "red"}}, {"edge": "f"}],
    "incidences": [
        {"edge": "e", "node": 1, "direction": "tail", "attrs": {"stop": 1}},
        {"edge": "e", "node": 2, "direction": "head", "weight": 7},
        {"edge": "f", "node": 2, "direction": "tail"},
        {"edge": "f", "node": 3},
    ],
}


@pytest.mark.parametrize("how", ["by hyloop view, with names for labels", "dropped"])
def test_what_else_a_file_says_is_saved_again(visit, page_file, tmp_path, how):
    (tmp_path / "own.json").write_text(json.dumps(ANNOTATED), encoding="utf-8")
    original = hyloop.read(tmp_path / "own.json")
    if how == "dropped":
        page = editing(visit, page_file)
        edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option("reachable"))
        edited(page, lambda: dropped(page, "own.json", json.dumps(ANNOTATED)))
        ferry = "e"
    else:
        named = original.labelled_by("name")
        html = playground("reachable", named, {"source": "Quay"}, name="own.json", original=original)
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        page = editing(visit, tmp_path / "page.html")
        ferry = "ferry"
    edited(page, lambda: page.get_by_test_id(f"edit-weight-{ferry}").fill("0.375"))
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    again = ANNOTATED | {"edges": [ANNOTATED["edges"][0] | {"weight": 0.375}, ANNOTATED["edges"][1]]}
    (tmp_path / "wanted.json").write_text(json.dumps(again), encoding="utf-8")
    assert hyloop.read(download.value.path(), format="hif") == hyloop.read(tmp_path / "wanted.json")


def test_a_weight_that_hif_cannot_hold_is_saved_in_an_edge_list(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-weight-launch").fill("5/3"))
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    assert download.value.suggested_filename.endswith("-edited.txt")
    assert hyloop.read(download.value.path(), format="edge-list") == changed(
        H, weights={"launch": Fraction(5, 3)}.items()
    )
    assert "saved as an edge list" in page.get_by_test_id("message").text_content()


def test_a_model_file_runs_in_the_page(visit, page_file, tmp_path):
    file = tmp_path / "levels.safetensors"
    hyloop.save(hyloop.compile("levels"), file)
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-file").set_input_files(file))
    choice, header = page.get_by_test_id("edit-algorithm"), page.get_by_test_id("algorithm-choice")
    assert (choice.input_value(), header.input_value()) == ("levels (your file)", "levels (your file)")
    said = page.get_by_test_id("message").text_content()
    assert "as levels (your file), beside its own levels" in said
    assert "shown as a listing" in said
    page.wait_for_function("() => location.hash.includes('h=')")
    press(page, "c")
    expect(page.get_by_test_id("message")).to_contain_text("The model that you opened is not in the link")
    assert "edited" not in page.get_by_test_id("message").text_content()
    other = visit(page_file, page.evaluate("() => location.hash"), offline=True)
    expect(other.get_by_test_id("message")).to_have_text(
        "This link is of levels (your file), which is not in this page. "
        "If it is a model file, open that here, and then the link again."
    )
    expect(other.get_by_test_id("edit-error")).to_be_hidden()
    trace = page.evaluate("() => hyloop.recording.trace")
    assert (trace["algorithm"]["listing"], trace["differences"]["first"]) == (True, None)
    wanted = hyloop.trace("levels", H, source="Quay").document
    assert [each["value"] for each in trace["columns"]] == [each["value"] for each in wanted["columns"]]
    page.evaluate("() => { hyloop.seek(2); hyloop.show('story'); }")
    expect(page.get_by_test_id("reasons")).to_contain_text("In the listing of the model's program")
    file.write_bytes(file.read_bytes()[:-1] + b"\x80")
    page.evaluate("() => hyloop.show('edit')")
    page.get_by_test_id("edit-file").set_input_files(file)
    expect(page.get_by_test_id("edit-error")).to_contain_text("hyloop view MODEL")
    edited(page, lambda: choice.select_option("levels"))  # the page's own is still there
    assert page.evaluate("() => hyloop.recording.trace.algorithm.listing") is False


def test_a_file_that_is_called_gz_and_is_not_packed_is_refused_as_in_python(visit, page_file, tmp_path):
    file = tmp_path / "x.csv.gz"
    file.write_bytes(b"vertex,hyperedge\na,b\n")
    page = editing(visit, page_file)
    page.get_by_test_id("edit-file").set_input_files(file)
    with pytest.raises(hyloop.HyloopError) as refused:
        hyloop.read(file)
    said = "the name ends in .gz, but this is not a gzip file."
    assert said in str(refused.value)
    expect(page.get_by_test_id("edit-error")).to_contain_text(said)


def test_members_are_picked_in_the_picture(visit, page_file):
    page = editing(visit, page_file)
    page.get_by_test_id("edit-pick-dinghy").click()
    assert page.get_by_test_id("edit-pick-dinghy").get_attribute("aria-pressed") == "true"
    edited(page, lambda: page.evaluate("() => hyloop.select({scope: 'vertices', row: 8})"))
    assert shown_hypergraph(page) == changed(H, members={"dinghy": ["Light", "Cove", "Wreck"]}.items())


def test_on_a_phone(visit, page_file):
    page = editing(visit, page_file, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.get_by_test_id("editor").is_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# -- another algorithm, another hypergraph --------------------------------------------------------------------------

PARTS = ("inputs", "unit", "frames", "columns", "variables", "program", "attention", "differences", "shows", "model")


def same_as_recorded(page, algorithm, h, parts=PARTS, **inputs):
    """Whether the page shows the run that Python records, number by number."""
    trace = page.evaluate("() => hyloop.recording.trace")
    wanted = hyloop.trace(algorithm, h, layers=True, **inputs).document
    for part in (*parts, "algorithm"):
        assert trace[part] == json.loads(json.dumps(wanted[part])), part
    assert trace["recorded"] == wanted["recorded"] | {"backend": "page"}


def beginning(name, h):
    """The inputs with which an algorithm begins that is chosen in the page."""
    first = {"vertex": h.vertices[0], "hyperedge": h.hyperedges[0], "count": 2, "flag": False, "length": 0}
    rows = {"vertices": h.vertices, "hyperedges": h.hyperedges}
    return {
        each.name: first[str(each.type.kind)]
        if str(each.type.scope) == "scalar"
        else dict.fromkeys(rows[str(each.type.scope)], 0)
        for each in ALGORITHMS[name].program.inputs
    }


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "dijkstra"])
def test_every_algorithm_runs_as_python_runs_it(visit, page_file, name):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option(name))
    assert page.get_by_test_id("algorithm").text_content() == name
    assert page.get_by_test_id("badge").text_content() == "✓ transformer = interpreter"
    same_as_recorded(page, name, HARBOUR, **beginning(name, HARBOUR))


def test_an_example_is_chosen_and_undone(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-example").select_option("davis"))
    same_as_recorded(page, "dijkstra", DAVIS, source=DAVIS.vertices[0])
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    same_as_recorded(page, "dijkstra", HARBOUR, source="Quay")


FILES = {
    "boats.hif.json": '{"incidences": [{"edge": "tug", "node": 7}, {"edge": "tug", "node": "Isle"}]}',
    "boats.txt": "7 Isle\n",
    "boats.csv": "hyperedge,vertex,weight\ntug,7,1.5\ntug,Isle,1.5\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["chosen", "dropped"])
def test_a_file_is_read_as_python_reads_it(visit, page_file, tmp_path, name, how):
    page = editing(visit, page_file)
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    if how == "chosen":
        edited(page, lambda: page.get_by_test_id("edit-file").set_input_files(tmp_path / name))
    else:
        edited(page, lambda: dropped(page, name, FILES[name]))
    h = hyloop.read(tmp_path / name)
    same_as_recorded(page, "dijkstra", h, source=h.vertices[0])
    assert page.evaluate("() => hyloop.recording.trace.hypergraph.name") == name


def dropped(page, name, text):
    """Drop a file on the page."""
    page.evaluate(
        """([name, text]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], name));
          for (const kind of ["dragover", "drop"])
            document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [name, text],
    )


def hif(kind="undirected", **members):
    """The text of a HIF file, of hyperedges with all members as tails."""
    sides = {"direction": "tail"} if kind == "directed" else {}
    incidences = [{"edge": edge, "node": node} | sides for edge, nodes in members.items() for node in nodes]
    return json.dumps({"network-type": kind, "incidences": incidences})


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("boats.json", '{"incidences": [{"edge": 1}]}', "boats.json: $.incidences[0]: the field node must be there."),
        ("boats.dat", "1 2", "boats.dat: the end of its name must say what it is"),
        ("<img src=x>.csv", "no columns", "<img src=x>.csv: "),
    ],
)
def test_a_file_that_cannot_be_read_says_why(visit, page_file, name, text, told):
    page = editing(visit, page_file)
    dropped(page, name, text)
    page.wait_for_selector("[data-testid=edit-error]:not([hidden])")
    assert page.get_by_test_id("edit-error").text_content().startswith(told)
    assert shown_hypergraph(page) == H
    assert page.locator("#app img").count() == 0


def test_an_edited_run_is_called_so_where_a_later_edit_does_not_run(visit, harbour):
    page = visit(harbour.file, "#tab=edit")
    page.get_by_test_id("edit-weight-ferry").fill("5")
    expect(page.get_by_test_id("edit-changes")).to_contain_text("Cove")
    dropped(page, "own.json", hif("directed", e=["a"]))
    expect(page.get_by_test_id("not-run")).to_contain_text(
        "This is still dijkstra on harbour.hif.json, as edited before: "
    )


def test_what_is_selected_stays_so_by_its_label_in_another_hypergraph(visit, page_file):
    page = visit(page_file, "#tab=edit&e=1")
    assert page.get_attribute("#app", "data-selected") == "hyperedges 1"
    edited(page, lambda: dropped(page, "moved.json", hif(launch=["Quay", "Mole"], ferry=["Mole", "Isle"])))
    assert page.get_attribute("#app", "data-selected") == "hyperedges 2"
    edited(page, lambda: dropped(page, "own.json", hif(raft=["a", "b"], kayak=["b", "c"])))
    assert page.get_attribute("#app", "data-selected") is None


def test_on_a_phone_a_refusal_is_told_once_over_the_picture(visit, page_file):
    page = editing(visit, page_file, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    dropped(page, "own.json", hif("directed", e=["a"]))
    page.get_by_test_id("tab-picture").click()
    expect(page.get_by_test_id("not-run")).to_contain_text("does not tell tails from heads")
    expect(page.get_by_test_id("message")).not_to_have_class(re.compile("shown"))


def test_a_file_that_does_not_run_is_told_until_something_does(visit, harbour):
    """The picture stays that of the run before, and says so; advice is of what this page has."""
    page = visit(harbour.file, "#tab=edit")
    dropped(page, "own.json", hif("directed", e=["a"]))
    told = page.get_by_test_id("not-run")
    expect(told).to_contain_text("This is still dijkstra on harbour.hif.json: what is in Edit has not run.")
    expect(told).to_contain_text("dijkstra does not tell tails from heads")
    assert "choose" not in told.text_content().lower()
    dropped(page, "bad.csv", "no columns")
    expect(page.get_by_test_id("edit-error")).to_contain_text("bad.csv: ")
    expect(page.get_by_test_id("edit-error")).to_contain_text("does not tell tails from heads")
    wrong, waits = page.get_by_test_id("edit-error").locator("span").all_text_contents()
    assert wrong.startswith("bad.csv: ")
    assert waits.startswith("What is in Edit has still not run. This hypergraph is directed, and dijkstra")
    expect(told).to_be_visible()
    page.get_by_test_id("not-run-undo").click()
    expect(told).to_be_hidden()
    expect(page.get_by_test_id("edit-error")).to_be_hidden()


def test_a_directed_file_is_told_of_an_algorithm_of_the_page_that_takes_it(visit, page_file):
    page = editing(visit, page_file)
    dropped(page, "own.json", json.dumps({"network-type": "directed", "incidences": [{"edge": "e", "node": "a"}]}))
    told = page.get_by_test_id("not-run")
    expect(told).to_contain_text("Or choose an algorithm that does, such as ")
    name = re.search(r"such as ([\w-]+)\.", told.text_content())[1]
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option(name))
    expect(told).to_be_hidden()


# -- direction and arrays -------------------------------------------------------------------------------------------


def test_directions_are_edited(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option("reachable"))
    edited(page, lambda: page.get_by_test_id("edit-directed").check())
    side = page.get_by_test_id("edit-side-launch-Quay")
    assert side.get_attribute("data-side") == "both"
    edited(page, side.click)
    side = page.get_by_test_id("edit-side-launch-Mole")
    edited(page, side.click)
    edited(page, page.get_by_test_id("edit-side-launch-Mole").click)
    h = page.evaluate("() => hyloop.recording.trace.hypergraph")
    assert (h["tails"][1], h["heads"][1]) == ([1], [2])
    assert (h["tails"][0], h["heads"][0]) == ([1, 3, 5], [1, 3, 5])
    with page.expect_download() as download:
        page.get_by_test_id("edit-download").click()
    directed = hyloop.read(download.value.path(), format="hif")
    assert directed.directed
    same_as_recorded(page, "reachable", directed, source="Quay")
    page.get_by_test_id("edit-algorithm").select_option("components")
    page.wait_for_selector("[data-testid=edit-error]:not([hidden])")
    assert "does not tell tails from heads" in page.get_by_test_id("edit-error").text_content()
    edited(page, lambda: page.get_by_test_id("edit-directed").uncheck())
    same_as_recorded(page, "components", HARBOUR)


def test_a_directed_file_is_drawn_and_run_as_it_is(visit, page_file):
    page = editing(visit, page_file)
    cycle = hyloop.read(ROOT / "examples" / "citric_acid_cycle.hif.json")
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option("forward_chaining"))
    edited(page, lambda: page.get_by_test_id("edit-example").select_option("citric acid cycle"))
    assert page.get_by_test_id("edit-directed").is_checked()
    same_as_recorded(page, "forward_chaining", cycle)


def test_arrays_are_edited_and_a_new_row_has_an_entry(visit, tmp_path):
    h = Hypergraph.from_hyperedges({"a": [1, 2], "b": [2, 3]})
    positive, negative = {1: 3, 2: 0, 3: 5}, dict.fromkeys(h.vertices, 0)
    inputs = {"positive": positive, "negative": negative, "budget": 4}
    page = editing(visit, written(tmp_path, "subleq", h, "", **inputs))
    assert page.get_by_test_id("edit-input-positive-3").input_value() == "5"
    edited(page, lambda: page.get_by_test_id("edit-input-positive-2").fill("9"))
    same_as_recorded(page, "subleq", h, positive=positive | {2: 9}, negative=negative, budget=4)
    page.get_by_test_id("edit-new-vertex").fill("x")
    edited(page, page.get_by_test_id("edit-add-vertex").click)
    edited(page, lambda: page.get_by_test_id("edit-input-negative-x").fill("1"))
    more = Hypergraph.from_hyperedges({"a": [1, 2], "b": [2, 3]}, vertices=[1, 2, 3, "x"])
    wanted = {"positive": positive | {2: 9, "x": 0}, "negative": negative | {"x": 1}, "budget": 4}
    same_as_recorded(page, "subleq", more, **wanted)


# -- what changed, links, long runs ---------------------------------------------------------------------------------


def test_it_says_what_changed(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-add-member-barge").select_option(label="Wreck"))
    told = page.get_by_test_id("edit-changes").text_content()
    assert told == "Wreck: distance ∞ → 7, predecessor – → Cove, hyperedge – → barge"
    page.get_by_test_id("tab-variables").click()  # where the editor is out of view, a message tells it
    edited(page, lambda: page.evaluate("() => document.querySelector('[data-testid=edit-undo]').click()"))
    told = "Wreck: distance 7 → ∞, predecessor Cove → –, hyperedge barge → –"
    assert page.get_by_test_id("message").text_content() == told
    page.get_by_test_id("tab-edit").click()
    edited(page, lambda: page.get_by_test_id("edit-new-vertex").press("Enter"))
    assert "vertex 9: new, distance ∞" in page.get_by_test_id("edit-changes").text_content()
    edited(page, lambda: page.get_by_test_id("edit-example").select_option("davis"))
    assert page.get_by_test_id("edit-changes").is_hidden()  # all of it would be new
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    edited(page, lambda: page.get_by_test_id("edit-weight-steamer").fill("8"))
    assert page.get_by_test_id("edit-changes").text_content() == "The answer is the same as before."


def test_a_vertex_that_is_renamed_stays_where_it_is(visit, page_file):
    page = editing(visit, page_file)
    where = """(label) => {
      const { vertices, positions } = hyloop.recording.trace.hypergraph;
      return positions.vertices[vertices.indexOf(label)];
    }"""
    before = [page.evaluate(where, label) for label in ("Dunes", "Mill", "Quay")]
    page.get_by_test_id("edit-vertex-Dunes").fill("Beach")
    edited(page, lambda: page.get_by_test_id("edit-vertex-Dunes").press("Enter"))
    assert page.get_by_test_id("edit-changes").text_content() == "Dunes: renamed, now Beach"
    assert [page.evaluate(where, label) for label in ("Beach", "Mill", "Quay")] == before
    edited(page, page.get_by_test_id("edit-undo").click)
    assert page.get_by_test_id("edit-changes").text_content() == "Beach: renamed, now Dunes"
    assert page.evaluate(where, "Dunes") == before[0]


@pytest.mark.parametrize(("size", "most"), [((1280, 720), 90), ((360, 640), 110), ((640, 360), 70)])
def test_what_changed_takes_two_lines_until_all_of_it_is_asked_for(visit, page_file, size, most):
    page = editing(visit, page_file, viewport={"width": size[0], "height": size[1]})
    edited(page, lambda: page.get_by_test_id("edit-weight-ferry").fill("0.1"))
    note, changes = page.locator(".edit-note"), page.get_by_test_id("edit-changes")
    last = changes.locator("li").last
    assert note.bounding_box()["height"] <= most
    assert "more" not in changes.text_content()  # all of it is there
    assert not changes.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    page.get_by_test_id("edit-more").click()
    assert changes.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    page.get_by_test_id("edit-more").click()
    assert note.bounding_box()["height"] <= most


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_nothing_moves_below_the_hands(visit, page_file, size):
    page = editing(visit, page_file, viewport={"width": size[0], "height": size[1]})
    field = page.get_by_test_id("edit-weight-ferry")
    bar = page.locator(".edit-bar").bounding_box()
    near = field.bounding_box()["y"] - bar["y"] - bar["height"] - 8  # near the top, where there is room below
    page.locator('[data-panel="edit"]').evaluate("(node, by) => { node.scrollTop += by; }", round(near))
    before = field.bounding_box()
    for text in ("9", "8.5", "1/3"):
        edited(page, lambda text=text: field.fill(text))
        assert field.bounding_box() == before
    note = page.locator(".edit-note")
    assert note.evaluate("node => node.scrollHeight <= node.clientHeight + 1")  # no line is cut
    room = page.locator('[data-panel="edit"]').bounding_box()["width"]
    assert page.get_by_test_id("edit-changes").bounding_box()["width"] > 0.9 * room
    if size[0] > 600:
        page.get_by_test_id("edit-pick-ferry").click()
        card = page.get_by_test_id("edit-name-ferry")
        before = card.bounding_box()
        edited(page, lambda: page.evaluate("() => hyloop.select({ scope: 'vertices', row: 8 })"))
        assert card.bounding_box()["y"] == before["y"]


def test_a_link_carries_hypergraph_algorithm_inputs_and_step(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-weight-ferry").fill("4/3"))
    edited(page, lambda: page.get_by_test_id("edit-algorithm").select_option("bfs"))
    edited(page, lambda: page.get_by_test_id("edit-input-source").select_option(label="Mill"))
    page.evaluate("() => hyloop.seek(5)")
    page.wait_for_function("() => /^#h=[-_A-Za-z0-9]+&i=2/.test(location.hash)")
    copied = page.evaluate("() => location.hash")
    assert len(copied) < 1200
    other = visit(page_file, copied, offline=True)
    other.wait_for_function("() => hyloop.recording.trace.algorithm.name === 'bfs' && hyloop.recording.frame === 5")
    h = changed(H, weights={"ferry": Fraction(4, 3)}.items())
    assert shown_hypergraph(other) == h
    same_as_recorded(other, "bfs", h, source="Mill")
    places = "() => hyloop.recording.trace.hypergraph.positions.vertices"
    assert other.evaluate(places) == page.evaluate(places)
    assert page.evaluate("() => location.hash") == other.evaluate("() => location.hash")


def test_a_link_that_python_made_is_run(visit, page_file):
    cycle = hyloop.read(ROOT / "examples" / "citric_acid_cycle.hif.json")
    link = fragment("reachable", cycle, {"source": "citrate"}, name="citric acid cycle")
    page = visit(page_file, f"{link}&i=2&l=1", offline=True)
    page.wait_for_function("() => hyloop.recording.trace.algorithm.name === 'reachable'")
    assert page.evaluate("() => [hyloop.recording.iteration, hyloop.recording.layer]") == [2, 1]
    same_as_recorded(page, "reachable", cycle, source="citrate")


@pytest.mark.parametrize("tab", ["edit", "picture", "story"])
def test_a_link_to_an_edit_opens_what_it_says_on_a_phone(visit, page_file, tab):
    link = fragment("dijkstra", H, {"source": "Mill"}, name="harbour")
    sizes = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    page = visit(page_file, f"{link}&tab={tab}", offline=True, **sizes)
    page.wait_for_function("() => hyloop.recording.trace.inputs[0].value === 7")
    drawn(page)
    expect(page.locator("#app")).to_have_attribute("data-tab", tab)


OPENED = """link => new Promise(resolve => {
    const own = hyloop.recording;
    const seen = () => getComputedStyle(document.querySelector('.header')).visibility;
    const told = [];
    const look = () => {
        if (hyloop.recording !== own) return resolve({ told, then: seen() });
        if (document.getElementById('app').classList.contains('opening')) told.push(seen());
        requestAnimationFrame(look);
    };
    location.hash = link;
    look();
})"""


def test_until_the_run_of_a_link_is_there_no_other_is_shown(visit, page_file):
    page = visit(page_file, offline=True)
    opened = page.evaluate(OPENED, fragment("dijkstra", H, {"source": "Mill"}, name="harbour"))
    assert set(opened["told"]) == {"hidden"}
    assert opened["then"] == "visible"
    assert page.get_by_test_id("opening").is_hidden()


def test_a_link_that_the_model_does_not_hold_says_so_and_shows_the_run_of_the_page(visit, page_file):
    heavy = changed(H, weights={"ferry": Fraction(10**9, 7)}.items())
    page = visit(page_file, fragment("dijkstra", heavy, {"source": "Mill"}, name="harbour") + "&i=2&l=1", offline=True)
    told = page.get_by_test_id("not-run")
    expect(told).to_contain_text("the model in this page holds at most")
    assert shown_hypergraph(page) == H
    page.evaluate("() => hyloop.seek(5)")
    edited(page, lambda: page.get_by_test_id("not-run-undo").click())
    expect(told).to_be_hidden()
    assert frame(page) == 5


@pytest.mark.parametrize("damaged", ["#h=abc", "#h=q1YqSy1SslIyUtJRSs7PLcgsVrJSykxRslKqBQA"])
def test_a_damaged_link_says_so_and_shows_the_run_of_the_page(visit, page_file, damaged):
    page = visit(page_file, damaged, offline=True)
    page.wait_for_selector("[data-testid=message].bad")
    assert "The hypergraph in this link cannot be read" in page.get_by_test_id("message").text_content()
    assert shown_hypergraph(page) == H


def long_run(count):
    """Dijkstra over so many hyperedges: an iteration for each, on 100 vertices."""
    drawn_from = random.Random(3)
    edges = {f"e{k}": drawn_from.sample(range(100), 3) for k in range(count)}
    return Hypergraph.from_hyperedges(edges, weights=[1 + 7 * k % 1000 for k in range(count)], vertices=range(100))


def test_a_long_run_tells_how_far_it_is_and_the_next_edit_cancels_it(visit, page_file, tmp_path):
    page = editing(visit, page_file)
    h = long_run(4000)
    lines = "".join(f"{' '.join(map(str, h.members_of(name)))}\n" for name in h.hyperedges)
    (tmp_path / "long.txt").write_text(lines, encoding="utf-8")
    page.get_by_test_id("edit-file").set_input_files(tmp_path / "long.txt")
    page.wait_for_function(
        "() => /iterations? so far/.test(document.querySelector('[data-testid=edit-status]').textContent)"
    )
    assert shown_hypergraph(page) == H  # meanwhile the page answers, and shows what it showed
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    same_as_recorded(page, "dijkstra", HARBOUR, source="Quay")
    assert page.get_by_test_id("edit-status").text_content() == "8 iterations"


def test_a_long_run_is_that_of_python(visit, page_file):
    page = editing(visit, page_file)
    h = long_run(700)
    text = "".join(hyloop.io.hif.write(h))
    edited(page, lambda: dropped(page, "long.json", text))
    trace = page.evaluate("() => { const { hypergraph, attention, ...rest } = hyloop.recording.trace; return rest; }")
    wanted = hyloop.trace("dijkstra", h, layers=trace["recorded"]["layers"], source=0).document
    for part in ("frames", "columns", "differences"):
        assert trace[part] == json.loads(json.dumps(wanted[part])), part
    assert trace["recorded"]["iterations"] > 600


def test_the_algorithm_can_be_chosen_in_the_header(visit, page_file):
    page = visit(page_file, offline=True)
    edited(page, lambda: page.get_by_test_id("algorithm-choice").select_option("bfs"))
    assert page.get_by_test_id("algorithm").inner_text() == "bfs"
    assert page.get_by_test_id("edited").is_hidden()  # the hypergraph is what it was


def test_whoever_opens_a_link_is_told_what_was_edited(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck"))
    assert page.get_by_test_id("edited").get_attribute("title") == "launch: Wreck added"
    page.wait_for_function("() => location.hash.includes('h=')")
    other = visit(page_file, page.evaluate("() => location.hash"), offline=True)
    other.get_by_test_id("edited").wait_for()
    assert "launch: Wreck added" in other.get_by_test_id("message").inner_text()
    edited(page, lambda: page.get_by_test_id("edit-undo").click())
    assert page.get_by_test_id("edited").is_hidden()


def test_both_sides_of_a_comparison_have_one_scale(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-input-source").select_option(label="Mole"))
    page.get_by_test_id("compare").click()
    scales = page.locator(".compare-side [data-testid=picture-scale]")
    texts = [scales.nth(k).inner_text() for k in range(2)]
    assert texts[0] == texts[1]
    assert "7" in texts[0]


def test_an_edit_leaves_no_region_outside_the_picture(visit, page_file):
    page = editing(visit, page_file)
    edited(page, lambda: page.get_by_test_id("edit-add-member-launch").select_option(label="Wreck"))
    # Nothing is drawn on the edge of the canvas.
    edge = """() => {
      const drawn = document.querySelector(".picture-panel .picture-static");
      const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
      const ctx = canvas.getContext("2d", { willReadFrequently: true });
      ctx.drawImage(drawn, 0, 0);
      const strips = [[0, 0, 2, canvas.height], [canvas.width - 2, 0, 2, canvas.height],
                      [0, canvas.height - 2, canvas.width, 2]];
      return strips.map((strip) => ctx.getImageData(...strip).data.some((each) => each !== 0));
    }"""
    assert page.evaluate(edge) == [False, False, False]


@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
def test_every_vertex_can_be_picked_beside_what_says_so(visit, page_file, size):
    options = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": True, "is_mobile": True}
    page = editing(visit, page_file, **options)
    page.get_by_test_id("edit-pick-dinghy").click()
    expect(page.get_by_test_id("picking")).to_be_visible()
    drawn(page)
    banner = page.get_by_test_id("picking").bounding_box()
    canvas = page.locator(".picture-panel .picture-live").bounding_box()
    assert banner["y"] + banner["height"] <= canvas["y"]
    assert canvas["height"] > 90
    assert page.evaluate("() => document.documentElement.scrollHeight") <= size[1]


@pytest.mark.parametrize("size", [(360, 640), (640, 360), (1440, 900)])
def test_a_long_name_leaves_the_buttons_of_the_header_free(visit, page_file, size):
    page = visit(page_file, viewport={"width": size[0], "height": size[1]})
    name = page.get_by_test_id("algorithm")
    low = name.bounding_box()["height"]
    name.evaluate("node => { node.textContent = 'weighted_set_cover_of_a_model_that_was_opened'.repeat(3); }")
    assert name.bounding_box()["height"] == low
    button = page.get_by_test_id("copy-link").bounding_box()
    chooser = page.get_by_test_id("algorithm-choice").bounding_box() or name.bounding_box()
    assert chooser["x"] + chooser["width"] <= button["x"]


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_the_field_that_is_edited_stays_in_view(visit, page_file, size):
    page = editing(visit, page_file, viewport={"width": size[0], "height": size[1]})
    field = page.get_by_test_id("edit-weight-ferry")
    panel = page.locator('[data-panel="edit"]')
    field.scroll_into_view_if_needed()
    edited(page, lambda: field.fill("2.5"))
    expect(page.get_by_test_id("edit-changes")).to_be_visible()

    def seen(node):
        box, room, bar = node.bounding_box(), panel.bounding_box(), page.locator(".edit-bar").bounding_box()
        return bar["y"] + bar["height"] <= box["y"] and box["y"] + box["height"] <= room["y"] + room["height"]

    assert seen(field)
    field.fill("abc")
    problem = page.locator(".edit-problem:visible")
    expect(problem).to_have_count(1)
    assert seen(field)
    assert seen(problem)
