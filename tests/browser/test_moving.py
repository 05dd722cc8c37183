"""Every way to move through a run: keys, buttons, play, the timeline by mouse and by finger, and change by change."""

import pytest

from browser.viewing import drawn, frame, place, press, seek


def beyond(page, frame):
    """Wait until a later frame is shown: a slow machine may leave out some while it plays."""
    page.wait_for_function("frame => Number(document.getElementById('app').dataset.frame) > frame", arg=frame)


STATES = ("distance", "key", "settled", "predecessor", "hyperedge", "queued")


def click(page, *names):
    for name in names:
        page.get_by_test_id(name).click()
    drawn(page)


@pytest.mark.parametrize(
    ("by", "on", "back"),
    [(press, "ArrowRight", "ArrowLeft"), (click, "next-layer", "back-layer")],
    ids=["keys", "buttons"],
)
def test_layer_by_layer(visit, harbour, by, on, back):
    page = visit(harbour.file)
    there = [place(page)]
    for _ in range(7):
        by(page, on)
        there.append(place(page))
    assert there == [(f, *harbour.place(f)) for f in range(8)]
    by(page, back, back)
    assert frame(page) == 5


@pytest.mark.parametrize(
    ("by", "on", "back"),
    [
        (press, "Shift+ArrowRight", "Shift+ArrowLeft"),
        (press, "ArrowDown", "ArrowUp"),
        (click, "next-iteration", "back-iteration"),
    ],
    ids=["shift", "arrows", "buttons"],
)
def test_iteration_by_iteration(visit, harbour, by, on, back):
    page = visit(harbour.file)
    for iteration in range(1, 9):
        by(page, on)
        assert place(page) == (harbour.frame(iteration), iteration, harbour.layers)
    by(page, on)
    assert frame(page) == harbour.frames - 1
    for iteration in range(7, -1, -1):
        by(page, back)
        assert place(page)[1] == iteration


def test_an_iteration_on_from_its_middle_is_to_its_end(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    press(page, "ArrowDown")
    assert place(page)[1:] == (4, harbour.layers)


@pytest.mark.parametrize(("by", "end", "start"), [(press, "End", "Home"), (click, "to-end", "to-start")])
def test_to_the_end_and_to_the_start(visit, harbour, by, end, start):
    page = visit(harbour.file)
    by(page, end)
    assert frame(page) == harbour.frames - 1
    by(page, start)
    assert frame(page) == 0


def test_beyond_the_ends_nothing_happens(visit, harbour):
    page = visit(harbour.file)
    press(page, "ArrowLeft", "ArrowUp")
    assert frame(page) == 0
    press(page, "End", "ArrowRight", "ArrowDown")
    assert frame(page) == harbour.frames - 1


@pytest.mark.parametrize("start", ["key", "button"])
def test_play_and_pause(visit, harbour, start):
    page = visit(harbour.file)
    toggle = page.get_by_test_id("play")
    page.get_by_test_id("speed").select_option("4")
    assert toggle.get_attribute("aria-label").startswith("Play")
    page.locator("h1").click()  # so that no control has the focus
    press(page, " ") if start == "key" else toggle.click()
    beyond(page, 1)
    assert toggle.get_attribute("aria-label").startswith("Pause")
    toggle.click()
    stopped = frame(page)
    page.wait_for_timeout(400)
    assert frame(page) == stopped < harbour.frames - 1
    assert toggle.get_attribute("aria-label").startswith("Play")


def test_play_ends_at_the_end_and_starts_again(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("speed").select_option("1000")
    page.get_by_test_id("play").click()
    page.wait_for_selector(f"#app[data-frame='{harbour.frames - 1}']")
    page.wait_for_selector("[data-testid=play][aria-label^=Play]")
    page.get_by_test_id("speed").select_option("0.5")
    page.get_by_test_id("play").click()
    assert frame(page) == 0


def test_moving_pauses(visit, harbour):
    page = visit(harbour.file)
    page.get_by_test_id("speed").select_option("4")
    page.get_by_test_id("play").click()
    beyond(page, 1)
    page.locator("h1").click()
    press(page, "ArrowLeft")
    here = frame(page)
    page.wait_for_timeout(300)
    assert frame(page) == here


def on_timeline(page, share):
    box = page.get_by_test_id("timeline").bounding_box()
    return box["x"] + share * box["width"], box["y"] + box["height"] / 2


def test_scrub_by_mouse(visit, harbour):
    page = visit(harbour.file)
    last = harbour.frames - 1
    page.mouse.move(*on_timeline(page, 0.25))
    page.mouse.down()
    assert frame(page) == round(0.25 * last)
    for share in (0.5, 0.75, 0.1):
        page.mouse.move(*on_timeline(page, share), steps=3)
        assert frame(page) == round(share * last)
    page.mouse.move(5000, on_timeline(page, 0)[1])
    assert frame(page) == last
    page.mouse.up()
    page.mouse.move(*on_timeline(page, 0.5))
    assert frame(page) == last


def test_scrub_by_finger(visit, harbour):
    page = visit(harbour.file, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    last = harbour.frames - 1
    x, y = on_timeline(page, 0.5)
    page.touchscreen.tap(x, y)
    assert frame(page) == round(0.5 * last)
    fingers = page.context.new_cdp_session(page)

    def touch(kind, share=None):
        points = [] if share is None else [dict(zip("xy", on_timeline(page, share), strict=True))]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0.2)
    for share in (0.3, 0.45, 0.6, 0.8):
        touch("touchMove", share)
        assert frame(page) == round(share * last)
    touch("touchEnd")
    assert frame(page) == round(0.8 * last)


def test_the_timeline_is_a_slider(visit, harbour):
    page = visit(harbour.file, "#i=4&l=2")
    strip = page.get_by_role("slider")
    assert strip.get_attribute("aria-valuemin") == "0"
    assert strip.get_attribute("aria-valuemax") == str(harbour.frames - 1)
    assert strip.get_attribute("aria-valuenow") == str(harbour.frame(4, 2))
    assert strip.get_attribute("aria-valuetext") == f"iteration 4 of 8 · layer 2 of {harbour.layers}"
    strip.focus()
    press(page, "ArrowRight")
    assert strip.get_attribute("aria-valuenow") == str(frame(page)) == str(harbour.frame(4, 3))


@pytest.mark.parametrize("name", STATES)
def test_next_and_previous_change_of_a_variable(visit, harbour, name):
    page = visit(harbour.file)
    page.get_by_test_id("follow").select_option(name)
    page.locator("h1").click()
    wanted = harbour.changes_of(name)
    found = []
    for _ in wanted:
        press(page, "n")
        found.append(frame(page))
    assert found == wanted
    press(page, "n")
    assert frame(page) == wanted[-1]
    assert name in page.get_by_test_id("message").text_content()
    seek(page, harbour.frames - 1)
    back = []
    for _ in wanted:
        page.get_by_test_id("prev-change").click()
        back.append(frame(page))
    assert back == [each for each in reversed(wanted) if each != harbour.frames - 1][: len(back)]


def test_next_change_of_any_state(visit, harbour):
    page = visit(harbour.file)
    states = [each["name"] for each in harbour.document["variables"] if each["role"] != "local"]
    wanted = sorted({at for name in states for at in harbour.changes_of(name)})
    found = []
    for _ in wanted:
        page.get_by_test_id("next-change").click()
        found.append(frame(page))
    assert found == wanted


def test_keys_are_letters_while_somebody_types(visit, harbour):
    page = visit(harbour.file)
    press(page, "/")
    page.keyboard.type("npxd ")
    assert page.get_by_test_id("search").input_value() == "npxd "
    assert frame(page) == 0
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_help_lists_the_keys(visit, harbour):
    page = visit(harbour.file)
    press(page, "?")
    assert page.get_by_test_id("help-dialog").is_visible()
    assert "next, previous change" in page.get_by_test_id("help-dialog").text_content()
    first = page.get_by_test_id("help-dialog").locator(":scope > *").nth(1).text_content()
    assert "looped transformer" in first  # what it is comes before the keys
    assert "hyloop compiles them" in first
    press(page, "Escape")
    assert not page.get_by_test_id("help-dialog").is_visible()
    page.get_by_test_id("help").click()
    assert page.get_by_test_id("help-dialog").is_visible()


@pytest.mark.parametrize("key", ["1", "2", "3"])
def test_digits_are_the_tabs(visit, harbour, key):
    page = visit(harbour.file)
    press(page, key)
    wanted = {"1": "variables", "2": "attention", "3": "state"}[key]
    assert page.get_by_test_id(f"tab-{wanted}").get_attribute("aria-selected") == "true"
