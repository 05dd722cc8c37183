import { describe, expect, it } from "vitest";
import { boxAround } from "../src/picture/geometry";
import { pointOf } from "../src/picture/layout";
import type { Trace } from "../src/trace";
import { laidOut, ROOMS } from "./clashes";
import { harbour } from "./traces";

/** A chain of hyperedges that ends in two vertices, with the positions that `hyloop trace` gives it. */
const CHAIN: Trace["hypergraph"] = {
  ...harbour().hypergraph,
  vertices: ["ירושלים", "תל אביב", "חיפה", "עכו", "נצרת", "טבריה", "באר שבע"],
  hyperedges: ["מעבורת", "גשר", "כביש", "נתיב"],
  weights: ["1", "1", "1", "1"],
  members: [
    [1, 2, 3],
    [3, 4],
    [4, 5, 6],
    [1, 7],
  ],
  positions: {
    vertices: [
      [0.21, 0.5],
      [0.35, 0.51],
      [0.51, 0.5],
      [0.78, 0.5],
      [0.95, 0.62],
      [0.95, 0.38],
      [0.05, 0.5],
    ],
    hyperedges: [
      [0.36, 0.5],
      [0.65, 0.5],
      [0.89, 0.5],
      [0.13, 0.5],
    ],
  },
};

describe("a chain", () => {
  it.each(Object.keys(ROOMS))("fills more than half of the picture, in both directions: %s", (window) => {
    const { layout, graph } = laidOut({ ...harbour(), hypergraph: CHAIN }, window);
    const points = Array.from({ length: graph.n }, (_, k) => pointOf(layout, k + 1));
    const regions = boxAround([...points, ...layout.outlines.flat(2)]);
    const { taken, width, height } = layout;
    expect((regions.right - regions.left) / (width - taken.left - taken.right)).toBeGreaterThan(0.5);
    expect((regions.bottom - regions.top) / (height - taken.top - taken.bottom)).toBeGreaterThan(0.5);
  });
});

describe("a crowd", () => {
  const at = (k: number): [number, number] => [0.05 + 0.1 * (k % 10), 0.05 + 0.18 * Math.floor(k / 10)];
  const all = Array.from({ length: 60 }, (_, k) => k);
  const crowd: Trace["hypergraph"] = {
    ...harbour().hypergraph,
    vertices: all.map((k) => `Name ${k}`),
    hyperedges: all.slice(0, 30).map((k) => `e${k}`),
    weights: all.slice(0, 30).map(() => "1"),
    members: all.slice(0, 30).map((k) => [2 * k + 1, 2 * k + 2]),
    positions: { vertices: all.map(at), hyperedges: all.slice(0, 30).map((k) => at(2 * k)) },
  };

  it("fills the picture of a phone", () => {
    const { layout } = laidOut({ ...harbour(), hypergraph: crowd }, "360 x 640");
    const xs = all.map((k) => pointOf(layout, k + 1)[0]);
    expect((Math.max(...xs) - Math.min(...xs)) / layout.width).toBeGreaterThan(0.65);
  });
});
