"""A large picture is drawn anew only where it changed: it must look as if all of it had been drawn."""

import numpy as np
import pytest

import hyloop
from browser.viewing import Shown, press, seek

VERTICES, HYPEREDGES = 80, 800  # more than 60 vertices are kept as drawn, more than 600 squares are pixels
# Edges of lines are blended, so the order in which they are drawn may make a difference in the last bits.
MOST_OFF = 3

REMEMBER = """() => {
  const canvas = document.querySelector(".picture-live");
  window.before = window.now;
  window.now = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
}"""
# How many pixels are not empty, and the largest difference in the light that one gives.
COMPARE = """() => {
  let [drawn, off] = [0, 0];
  for (let at = 0; at < now.length; at += 4) {
    drawn += now[at + 3] > 0;
    off = Math.max(off, Math.abs(before[at + 3] - now[at + 3]));
    for (const part of [at, at + 1, at + 2])
      off = Math.max(off, Math.abs(before[part] * before[at + 3] - now[part] * now[at + 3]) / 255);
  }
  return {drawn, off};
}"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    rng = np.random.default_rng(3)
    members = {f"e{k}": rng.choice(VERTICES, size=3, replace=False).tolist() for k in range(HYPEREDGES)}
    weights = {f"e{k}": int(weight) for k, weight in enumerate(rng.integers(1, 99, size=HYPEREDGES))}
    h = hyloop.Hypergraph.from_hyperedges(members, weights=weights, vertices=range(VERTICES))
    run = hyloop.trace("dijkstra", h, source=0, layers=False)
    return Shown.of(run, tmp_path_factory.mktemp("large") / "run.html")


def test_any_way_to_a_frame_draws_the_same(visit, watch, large):
    watch.allow("willReadFrequently")  # Chromium's advice for those who read pixels back, as only this test does
    page = visit(large.file)
    for frame in (2, 300, 40, 41, 780, 39, 120):
        seek(page, frame)
    page.evaluate(REMEMBER)
    press(page, "d", "d")  # other colours and back: nothing is kept
    page.evaluate(REMEMBER)
    found = page.evaluate(COMPARE)
    assert found["drawn"] > 10_000
    assert found["off"] <= MOST_OFF
    seek(page, 300)
    page.evaluate(REMEMBER)
    assert page.evaluate(COMPARE)["off"] > MOST_OFF  # another frame is another picture
