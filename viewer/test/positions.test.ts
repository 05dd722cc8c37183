import { describe, expect, it } from "vitest";
import { positionsOf } from "../src/machine/positions";
import { convexHull, insidePolygon } from "../src/picture/geometry";
import type { Trace } from "../src/trace";
import { clashesOf, laidOut } from "./clashes";
import harbour from "./harbour.json";

const { hypergraph } = harbour as unknown as Trace;
type Point = [number, number];

/** The harbour with more vertices and hyperedges; its own vertices stay where they are. */
function placed(vertices: readonly string[], hyperedges: Readonly<Record<string, readonly number[]>>) {
  const h = {
    vertices: [...hypergraph.vertices, ...vertices],
    hyperedges: [...hypergraph.hyperedges, ...Object.keys(hyperedges)],
    members: [...hypergraph.members, ...Object.values(hyperedges)].map((list) => [...list]),
    ...{ weights: [], tails: null, heads: null },
  };
  const known = h.vertices.map((_, k) => hypergraph.positions.vertices[k] as Point | undefined);
  return { h, positions: positionsOf(h, known) };
}

describe("what is new in a hypergraph", () => {
  it("without members stands apart from all regions, and from other such", () => {
    const { h, positions } = placed([], { a: [], b: [], c: [] });
    const trace = { hypergraph: { ...hypergraph, ...h, weights: h.hyperedges.map(() => "1"), positions } };
    const { graph, layout } = laidOut(trace as unknown as Trace, "1280 x 720", "regions");
    const rings = layout.outlines.slice(-3).map(([loop]) => loop as Point[]);
    for (const [k, ring] of rings.entries())
      for (const [e, loops] of layout.outlines.entries())
        for (const loop of e === graph.m - 2 + k ? [] : loops)
          expect([
            ...ring.filter((at) => insidePolygon(at, loop)),
            ...loop.filter((at) => insidePolygon(at, ring)),
          ]).toEqual([]);
    expect(clashesOf(graph, layout).text).toBe(0);
  });

  it("stands in its own hyperedge, and in no other; a vertex of none in none", () => {
    const mates = hypergraph.members.map((list) => [...list]);
    for (const [e, own] of mates.entries()) {
      const { positions } = placed(["new", "alone"], { more: [...own, hypergraph.vertices.length + 1] });
      const [at, alone] = positions.vertices.slice(-2) as [Point, Point];
      const hull = (list: readonly number[]) => convexHull(list.map((v) => positions.vertices[v - 1] as Point));
      for (const [f, list] of mates.entries()) {
        const inOwn = f === e || own.every((v) => list.includes(v));
        if (list.length > 2 && !inOwn && own.length > 2) expect(insidePolygon(at, hull(list))).toBe(false);
        if (list.length > 2) expect(insidePolygon(alone, hull(list))).toBe(false);
      }
      const away = Math.min(
        ...own.map((v) => Math.hypot(...([0, 1] as const).map((k) => at[k] - (positions.vertices[v - 1] as Point)[k]))),
      );
      expect(away).toBeLessThan(0.45);
    }
  });
});
