"""Finding a vertex or a hyperedge by name, and all that ever happened to it."""

import pytest

from browser.viewing import drawn, events, frame, place, press


def find(page, text):
    press(page, "/")
    page.keyboard.type(text)
    page.wait_for_selector("[data-testid=found]:not([hidden])")
    return [each.strip() for each in page.locator("[data-testid=found] [role=option] .found-name").all_text_contents()]


def selected(page):
    drawn(page)
    return page.locator("#app").get_attribute("data-selected")


def history_of(shown, scope, row):
    """What the document says happened to a row: when, variable, value, line."""
    found = []
    first = shown.states[0]
    for each in shown.document["variables"]:
        if each["scope"] != scope or each["role"] == "local":
            continue
        number = each["column"]
        text = shown.written(each["kind"], first[row, number])
        found.append((0, "start", each["name"], text, f"line {each['line']}"))
        column = shown.document["columns"][number]
        for at, which, value, line in zip(column["frame"], column["row"], column["value"], column["line"], strict=True):
            if which in (row, -1) and shown.states[at][row, number] != shown.states[at - 1][row, number]:
                iteration, layer = shown.place(at)
                text = shown.written(each["kind"], value)
                found.append((at, f"{iteration} · {layer}", each["name"], text, f"line {line}" if line else ""))
    return [entry[1:] for entry in sorted(found, key=lambda entry: entry[0])]


@pytest.mark.parametrize("typed", ["isle", "ISLE", "Isle", "sle"])
def test_a_vertex_is_found_in_whatever_case_and_selected_by_key(visit, harbour, typed):
    page = visit(harbour.file)
    assert "Isle" in find(page, typed)
    press(page, "Enter")
    assert selected(page) == "vertices 3"
    assert page.get_by_test_id("history").is_visible()
    assert "Isle" in page.get_by_test_id("history").locator("h2").text_content()


def test_arrows_choose_among_what_is_found(visit, harbour):
    page = visit(harbour.file)
    found = find(page, "m")
    assert {"Mole", "Mill", "mail boat"} <= set(found)
    press(page, "ArrowDown")
    press(page, "ArrowDown")
    chosen = page.locator("[data-testid=found] [aria-selected=true] .found-name").text_content()
    assert chosen == found[2]
    press(page, "ArrowUp")
    press(page, "Enter")
    assert selected(page) is not None
    assert page.get_by_test_id("history").locator("h2").text_content() == found[1]


def test_a_hyperedge_is_selected_by_mouse(visit, harbour):
    page = visit(harbour.file)
    find(page, "mail")
    page.locator("[data-testid=found] [role=option]").first.click()
    assert selected(page) == "hyperedges 3"
    assert "weight 2: Mole, Isle, Light" in page.get_by_test_id("history").text_content()


def test_a_variable_is_followed(visit, harbour):
    page = visit(harbour.file)
    assert "distance" in find(page, "distan")
    press(page, "Enter")
    assert page.get_by_test_id("follow").input_value() == "distance"
    assert frame(page) == harbour.changes_of("distance")[0]


def test_what_nobody_is_called_is_not_found(visit, harbour):
    page = visit(harbour.file)
    assert find(page, "zzz") == []
    assert "Nothing has that name" in page.get_by_test_id("found").text_content()
    press(page, "Enter")
    assert selected(page) is None
    press(page, "Escape")
    assert not page.get_by_test_id("found").is_visible()


@pytest.mark.parametrize(("scope", "letter"), [("vertices", "v"), ("hyperedges", "e")])
def test_the_history_is_all_that_the_document_says_of_that_row(visit, harbour, scope, letter):
    page = visit(harbour.file)
    for row in range(1, 1 + len(harbour.document["hypergraph"][scope])):
        page.evaluate(f"() => {{ location.hash = '#{letter}={row}' }}")
        page.wait_for_selector(f"#app[data-selected='{scope} {row}']")
        drawn(page)
        told, wanted = events(page), history_of(harbour, scope, row)
        assert sorted(told) == sorted(wanted)
        order = [(0, 0) if when == "start" else tuple(map(int, when.split(" · "))) for when, *_ in told]
        assert order == sorted(order)


def test_an_entry_of_the_history_leads_there(visit, harbour):
    page = visit(harbour.file, "#v=5")
    count = page.locator("[data-testid=history-list] .event").count()
    assert count > 4
    for k in range(count):
        page.locator("[data-testid=history-list] .event").nth(k).click()
        when = events(page)[k][0]
        assert place(page)[1:] == ((0, 0) if when == "start" else tuple(map(int, when.split(" · "))))


def test_a_row_of_the_table_is_selected_and_escape_lets_go(visit, harbour):
    page = visit(harbour.file)
    page.locator("[data-testid=table-vertices] [data-row='4']").click()
    assert selected(page) == "vertices 4"
    assert page.get_by_test_id("history").locator("h2").text_content() == "Light"
    press(page, "Escape")
    assert selected(page) is None


def test_the_close_button_of_the_history_lets_go(visit, harbour):
    page = visit(harbour.file, "#e=2")
    page.get_by_test_id("history-close").click()
    assert selected(page) is None


def test_a_vertex_is_selected_in_the_picture(visit, harbour):
    page = visit(harbour.file)
    box = page.get_by_test_id("picture").bounding_box()
    found = set()
    for across in range(14):
        for down in range(10):
            x, y = box["x"] + box["width"] * (across + 0.5) / 14, box["y"] + box["height"] * (down + 0.5) / 10
            page.mouse.click(x, y)
            found.add(page.locator("#app").get_attribute("data-selected"))
    assert None in found  # the ground selects nothing
    assert any(each and each.startswith("hyperedges") for each in found)
