"""The pictures of the viewer in the documentation.

    python tests/browser/screenshots.py --into docs/images [--data FOLDER]

Needs playwright, Pillow and a Chromium. The large one is made of contact-high-school.hif.json in the folder `--data`
(by default $HYLOOP_DATA/data, or ../shared/data) and is left out where that file is missing.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hyloop

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MOST_BYTES = 400_000


@dataclass(frozen=True)
class Shot:
    """One picture: which page, at which moment, how large, and what to do first."""

    name: str
    page: str
    moment: str
    width: int = 1400
    height: int = 875
    scale: float = 1.5
    scheme: str = "light"
    choose: tuple[str, str] | None = None  # a test id of a list, and what to choose there
    click: str | None = None  # then, a test id to click
    point: str | None = None  # a test id to point at
    options: dict[str, Any] = field(default_factory=dict)


SHOTS = (
    Shot("viewer", "harbour", "#i=4&l=2"),
    Shot("viewer-dark", "harbour", "#i=4&l=1&tab=attention", scheme="dark", point="head-1"),
    Shot("viewer-machine", "harbour", "#i=4&l=1&tab=machine", point="open-head-1"),
    Shot(
        "viewer-compare", "harbour", "#tab=edit", 1280, 720, choose=("edit-add-member-launch", "Wreck"), click="compare"
    ),
    Shot("viewer-large", "large", "#i=700"),
    Shot("viewer-phone", "harbour", "#i=4&l=2", 390, 844, 2, options={"has_touch": True, "is_mobile": True}),
)


def pages(folder: Path, data: Path) -> dict[str, Path]:
    """The pages to photograph, as far as their data are there."""
    harbour = hyloop.read(ROOT / "examples" / "harbour.hif.json")
    hyloop.trace("dijkstra", harbour, name="harbour.hif.json", source="Quay", layers=True).save(folder / "harbour.html")
    found = {"harbour": folder / "harbour.html"}
    large = data / "contact-high-school.hif.json"
    if large.is_file():
        h = hyloop.read(large)
        made = hyloop.trace("dijkstra", h, name=large.name, source=h.vertices[0], layers=False)
        made.save(folder / "large.html")
        found["large"] = folder / "large.html"
    return found


def photograph(browser: Any, shot: Shot, page: Path) -> bytes:
    """The picture as PNG."""
    size = {"width": shot.width, "height": shot.height}
    context = browser.new_context(
        viewport=size, device_scale_factor=shot.scale, color_scheme=shot.scheme, reduced_motion="reduce", **shot.options
    )
    tab = context.new_page()
    tab.goto(page.as_uri() + shot.moment)
    tab.wait_for_selector("#app[data-frame]")
    if shot.choose:
        tab.get_by_test_id(shot.choose[0]).select_option(label=shot.choose[1])
        tab.get_by_test_id("edit-changes").wait_for()
    if shot.click:
        tab.get_by_test_id(shot.click).click()
    if shot.point:
        tab.get_by_test_id(shot.point).hover()
    tab.wait_for_timeout(700)
    picture: bytes = tab.screenshot()
    context.close()
    return picture


def small(picture: bytes) -> bytes:
    """The picture as it is, if it is small enough; else with fewer colours."""
    from PIL import Image  # an extra

    opened = Image.open(io.BytesIO(picture)).convert("RGB")
    made = io.BytesIO()
    opened.save(made, "PNG", optimize=True)
    for colours in (256, 128, 64):
        if made.tell() <= MOST_BYTES:
            break
        made = io.BytesIO()
        opened.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=8, dither=Image.Dither.NONE).save(
            made, "PNG", optimize=True
        )
    return made.getvalue()


def main() -> None:
    """Make them all."""
    from playwright.sync_api import sync_playwright  # an extra

    data = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared") / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=data)
    given = parser.parse_args()
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit("There is no Chromium: apt-get install chromium.")
    given.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        made = pages(Path(folder), given.data)
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            if shot.page not in made:
                sys.stderr.write(f"{shot.name}: its data are not there, so it is left as it is.\n")
                continue
            file = given.into / f"{shot.name}.png"
            file.write_bytes(small(photograph(browser, shot, made[shot.page])))
            sys.stdout.write(f"{file}: {file.stat().st_size / 1000:.0f} kB\n")
        browser.close()


if __name__ == "__main__":
    main()
