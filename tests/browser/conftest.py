"""A browser for the session, a fresh context for every test, and a watch over all that a page does.

Whatever a page writes to the console, throws, asks of the network or pops up fails the test, unless the test said that
it would come.
"""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import hyloop
from browser.viewing import ROOT, Shown

REQUIRED = "HYLOOP_BROWSER_REQUIRED"
SHARE = 3
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALLED = importlib.util.find_spec("playwright") is not None


def _missing(sentence: str) -> None:
    if os.environ.get(REQUIRED):
        pytest.fail(f"{sentence} {REQUIRED} is set, so these tests must run.", pytrace=False)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The Chromium of this machine, without a window."""
    if not INSTALLED:
        _missing("There is no playwright: pip install 'hyloop[test-browser]'.")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        _missing("There is no Chromium: apt-get install chromium.")
    from playwright.sync_api import sync_playwright  # an extra

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Watch:
    """What the pages of a test did that they should not have."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.allowed: list[str] = []

    def over(self, page: Any, address: str) -> None:
        """Write down what a page does."""
        page.on("console", lambda told: self._heard(f"console {told.type}: {told.text}", told.type))
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("request", lambda asked: self._asked(asked.url, address))
        page.on("dialog", self._popped)

    def allow(self, text: str) -> None:
        """A console message that has this text is expected."""
        self.allowed.append(text)

    def _heard(self, text: str, kind: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)

    def _asked(self, url: str, address: str) -> None:
        wanted, own = urlsplit(url), urlsplit(address)
        if wanted.scheme in ("data", "blob", "about"):
            return
        if wanted[:2] != own[:2] or (wanted.scheme == "file" and wanted.path != own.path):
            self.problems.append(f"asked for {url}")

    def _popped(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def unexpected(self) -> list[str]:
        """What nobody said would come."""
        return [each for each in self.problems if not any(text in each for text in self.allowed)]


@pytest.fixture
def watch() -> Watch:
    """What the pages of this test do, where a test expects some of it."""
    return Watch()


@pytest.fixture
def visit(browser: Any, watch: Watch) -> Iterator[Callable[..., Any]]:
    """Open an address or a file in a context of its own; keywords are those of a Playwright context."""
    contexts = []

    def visit(address: str | Path, fragment: str = "", *, ready: str = "#app[data-frame]", **options: Any) -> Any:
        url = address.as_uri() if isinstance(address, Path) else address
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 875}} | options)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        watch.over(page, url)
        page.goto(url + fragment)
        if ready:
            page.wait_for_selector(ready)
        return page

    yield visit
    for context in contexts:
        for page in context.pages:
            page.evaluate("() => 0")  # what the page still had to tell has been told after this
        context.close()
    assert watch.unexpected() == []


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The harbour of the README, Dijkstra from Quay, layer by layer: the trace and its page."""
    h = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    found = hyloop.trace("dijkstra", h, name="harbour.hif.json", source="Quay", layers=True)
    return Shown.of(found, tmp_path_factory.mktemp("harbour") / "run.html")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On CI every third variant of a test is run, and every test that has none; `make test-browser` runs them all."""
    if not os.environ.get("CI"):
        return
    seen: dict[str, int] = {}
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mine = Path(__file__).parent in item.path.parents and hasattr(item, "callspec")
        name = f"{item.path}::{getattr(item, 'originalname', item.name)}"
        seen[name] = seen.get(name, -1) + 1
        (left if mine and seen[name] % SHARE else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
