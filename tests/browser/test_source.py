"""The program's own lines: which the current layer implements, which changed something, and where a line does."""

from browser.viewing import frame, seek, walk


def written_lines(shown, frame):
    """The lines whose assignments changed something at a frame."""
    lines = set()
    for column in shown.document["columns"]:
        at = zip(column["frame"], column.get("line", []), strict=False)
        lines |= {line for when, line in at if when == frame and line}
    return sorted(lines)


def test_the_source_is_that_of_the_algorithm(visit, harbour):
    page = visit(harbour.file)
    told = page.evaluate("() => [...document.querySelectorAll('.line code')].map((line) => line.textContent)")
    numbers = page.evaluate("() => [...document.querySelectorAll('.line')].map((line) => Number(line.dataset.line))")
    own = harbour.document["algorithm"]
    assert told == own["source"]
    assert numbers == [own["first"] + k for k in range(len(own["source"]))]


def test_the_lines_that_the_layer_implements_are_marked(visit, harbour):
    found = [each["served"] for each in walk(visit(harbour.file), range(harbour.frames))]
    layers = harbour.document["model"]["layers"]
    wanted = [harbour.implemented(layers[harbour.place(at)[1] - 1 :][:1], at) for at in range(1, harbour.frames)]
    assert found == [[], *wanted]
    assert any(found)


def test_the_lines_that_changed_something_are_marked(visit, harbour):
    seen = walk(visit(harbour.file), range(harbour.frames))
    assert [each["wrote"] for each in seen] == [written_lines(harbour, at) for at in range(harbour.frames)]
    assert any(each["wrote"] for each in seen)


def test_marks_are_signs_not_only_colours(visit, harbour):
    page = visit(harbour.file, "#i=2")
    assert {each.strip() for each in page.locator(".line.wrote .marker").all_text_contents()} == {"●"}
    assert {each.strip() for each in page.locator(".line.served:not(.wrote) .marker").all_text_contents()} <= {"▸"}
    assert page.locator(".line.served").first.get_attribute("aria-current") == "step"


def test_a_click_on_a_line_goes_to_its_changes_one_by_one(visit, harbour):
    page = visit(harbour.file)
    for line in {line for at in range(harbour.frames) for line in written_lines(harbour, at)}:
        wanted = [at for at in range(harbour.frames) if line in written_lines(harbour, at)]
        seek(page, 0)
        found = []
        for _ in wanted:
            page.locator(f".line[data-line='{line}']").click()
            found.append(frame(page))
        assert found == wanted
        page.locator(f".line[data-line='{line}']").click()  # after the last: the first again, and it says so
        assert frame(page) == wanted[0]


def test_a_click_on_a_line_that_changes_nothing_says_so(visit, harbour):
    page = visit(harbour.file)
    first = harbour.document["algorithm"]["first"]
    page.locator(f".line[data-line='{first}']").click()
    assert frame(page) == 0
    assert f"Line {first} changes no state" in page.get_by_test_id("message").text_content()


def test_what_is_said_of_the_lines_is_not_cut_at_any_layer(visit, harbour):
    page = visit(harbour.file, viewport={"width": 1280, "height": 720})
    note = page.locator(".panel.source .note")
    for number in range(harbour.frames):
        seek(page, number)
        assert not note.evaluate("node => node.scrollWidth > node.clientWidth"), note.text_content()
