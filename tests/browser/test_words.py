"""What the page says of numbers, steps and names: in units, exactly, and as this recording has them."""

from fractions import Fraction

import pytest
from playwright.sync_api import expect

import hyloop
from browser.viewing import ROOT, drawn, length_text, press, read

HARBOUR = hyloop.read(ROOT / "examples" / "harbour.hif.json")
SMALL = {"viewport": {"width": 1280, "height": 720}}


@pytest.fixture(scope="module")
def closeness(tmp_path_factory):
    """The page of an algorithm whose answer is a quotient."""
    file = tmp_path_factory.mktemp("closeness") / "run.html"
    hyloop.trace("closeness", HARBOUR, layers=True).save(file)
    return file


@pytest.fixture(scope="module")
def coarse(tmp_path_factory):
    """A page without layers."""
    file = tmp_path_factory.mktemp("coarse") / "run.html"
    hyloop.trace("dijkstra", HARBOUR, source="Quay", layers=False).save(file)
    return file


def test_an_answer_that_is_a_quotient_has_a_column_of_exact_numbers(visit, closeness):
    page = visit(closeness)
    press(page, "End")
    seen = read(page)["vertices"]
    at = [each["name"] for each in seen["columns"] if each["output"]].index("closeness")
    shown = {row["label"]: row["cells"][at]["now"] for row in seen["rows"]}
    found = hyloop.run("closeness", HARBOUR)["closeness"]
    none = [label for label, value in found.items() if value is None]
    assert none
    assert shown == {k: "–" if v is None else length_text(Fraction(v)) for k, v in found.items()}
    told = page.get_by_test_id("story-text").text_content()
    assert f"({len(none)} of {len(found)} {'has' if len(none) == 1 else 'have'} none)" in told
    assert all(f"{label} = {text}" in told for label, text in shown.items() if text != "–")  # and not "2 more"


def test_the_state_says_in_which_unit_lengths_are(visit, harbour, closeness):
    assert Fraction(harbour.document["unit"]) == Fraction(1, 2)
    page = visit(harbour.file, "#tab=state")
    expect(page.get_by_test_id("state-tip")).to_contain_text("in units of 0.5: 8 is 4.")


@pytest.mark.parametrize("width", [360, 3000])
def test_columns_of_the_state_beyond_the_edge_are_shaded(visit, harbour, width):
    page = visit(harbour.file, "#tab=state", viewport={"width": width, "height": 720})
    cut = page.get_by_test_id("heat").evaluate("node => node.scrollWidth > node.clientWidth + 1")
    assert cut is (width == 360)
    expect(page.locator(".heat-frame.more-right")).to_have_count(int(cut))
    page.get_by_test_id("heat").evaluate("node => { node.scrollLeft = 1e5; }")
    expect(page.locator(".heat-frame.more-right")).to_have_count(0)


def test_the_list_of_variables_has_names_only(visit, closeness):
    page = visit(closeness)
    variables = page.evaluate("() => hyloop.recording.trace.variables")
    unnamed = {each["name"] for each in variables if not each["named"]}
    assert unnamed
    offered = page.get_by_test_id("follow").locator("option").evaluate_all("all => all.map((each) => each.value)")
    assert unnamed.isdisjoint(offered)
    assert len(offered) > 2


def test_help_says_what_a_step_is_in_this_recording(visit, harbour, coarse):
    for file, step in ((harbour.file, "layer"), (coarse, "iteration")):
        page = visit(file)
        press(page, "?")
        expect(page.get_by_test_id("help-dialog").locator("dd").first).to_contain_text(f"back, forward one {step}")
        press(page, "Escape")
        assert page.get_by_test_id("next-layer").get_attribute("title") == f"Forward one {step} (→)"


def test_help_has_the_words_of_a_newcomer(visit, harbour):
    page = visit(harbour.file)
    press(page, "?")
    words = page.get_by_test_id("help-dialog").locator("dl.words dt").all_inner_texts()
    assert {"hypergraph, vertex, hyperedge", "incidence"} <= set(words)


def test_the_summary_of_the_algorithm_is_seen_whole(visit, harbour):
    page = visit(harbour.file, **SMALL)
    about = page.locator(".header .about")
    assert about.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    assert about.get_attribute("title") == harbour.document["algorithm"]["about"].replace("`", "")


def test_the_diagram_can_be_reached_again_after_why(visit, harbour):
    page = visit(harbour.file, "#i=4&l=1", **SMALL)
    press(page, "w")
    page.wait_for_timeout(200)
    page.get_by_test_id("to-diagram").click()
    page.wait_for_timeout(200)
    drawn(page)
    room, diagram = page.get_by_test_id("machine").bounding_box(), page.locator(".diagram-box").bounding_box()
    assert room["y"] - 1 <= diagram["y"] < room["y"] + 60


def test_the_bars_say_what_their_length_is(visit, harbour):
    page = visit(harbour.file, "#i=4&l=1&tab=machine")
    expect(page.get_by_test_id("bars")).to_contain_text("the nearer the score to the best")


def test_labels_from_right_to_left_do_not_turn_a_sentence_round(visit, tmp_path):
    """Painted, what a label stands before is to its right: also after labels that read from right to left."""
    h = hyloop.Hypergraph.from_hyperedges({"سفينة": ["מזח", "abc שלום"], "סירה": ["abc שלום", "الميناء"]})
    hyloop.trace("dijkstra", h, source="מזח", layers=True).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html", "#i=99&tab=story")
    turned = """node => {
        const labels = [...node.querySelectorAll("bdi")];
        const range = document.createRange();
        return labels.some((label) => {
            const next = label.nextSibling;
            if (!next) return false;
            range.selectNodeContents(next);
            const [after] = range.getClientRects();
            const own = label.getBoundingClientRect();
            const sameLine = Math.abs(after.top - own.top) < 4 && own.height < 30;
            return sameLine && after.left < own.right - 1;
        });
    }"""
    for part in ("answer-path", "story-text"):
        text = page.get_by_test_id(part)
        assert text.locator("bdi").count() > 1
        assert not text.evaluate(turned)
        assert not set(text.text_content()) & set("\u2066\u2067\u2068\u2069")


def test_the_legend_has_names_in_code_font(visit, tmp_path):
    hyloop.trace("topological", HARBOUR, layers=True).save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html")
    legend = page.get_by_test_id("picture-legend")
    legend.locator("summary").click()
    expect(legend.locator("li code").first).to_have_text("before")
    assert "`" not in legend.text_content()
