import { describe, expect, it } from "vitest";
import { cornerOf } from "../src/compare/badges";
import { type Box, overlap } from "../src/picture/geometry";
import { boxAt } from "../src/picture/labels";
import type { Trace } from "../src/trace";
import { type Clashes, clashesOf, laidOut, misread, ROOMS } from "./clashes";
import drawn from "./drawn.json";

// The examples, and random hypergraphs of benchmarks/labels.py, with their positions.
const HYPERGRAPHS = drawn as unknown as Record<string, Trace["hypergraph"]>;

function counted(name: string, window: string): Clashes & { n: number; m: number } {
  const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS[name] } as Trace, window);
  return { ...clashesOf(graph, layout), n: graph.n, m: graph.m };
}

const WINDOWS = Object.keys(ROOMS);
const ALL = Object.keys(HYPERGRAPHS).flatMap((name) => WINDOWS.map((window) => [name, window] as const));

describe("the picture of", () => {
  it.each(ALL)("%s at %s has no label on another, none outside, and no stranger in a region", (name, window) => {
    const { text, out, held, near } = counted(name, window);
    expect({ text, out, held, near }).toEqual({ text: 0, out: 0, held: 0, near: 0 });
  });

  it.each(ALL)("%s at %s has no name of a hyperedge that reads as another's, also zoomed in", (name, window) => {
    const trace = { hypergraph: HYPERGRAPHS[name] } as Trace;
    const { width, height } = ROOMS[window] as (typeof ROOMS)[string];
    for (const [k, x, y] of [
      [1, 0, 0],
      [2, -width / 2, -height / 2],
      [3, -1.2 * width, -height],
    ] as const) {
      const { graph, layout } = laidOut(trace, window, undefined, { k, x, y });
      expect(misread(graph, layout)).toEqual([]);
    }
  });

  it.each(ALL)("%s at %s has at most a few labels on a vertex or square of another", (name, window) => {
    const { mark, n } = counted(name, window);
    expect(mark).toBeLessThanOrEqual(n / 6);
  });

  it.each(WINDOWS)("the harbour at %s has all names, values and hyperedges, at most one on a line", (window) => {
    const { names, values, edges, line, mark } = counted("harbour", window);
    expect({ names, values, edges, mark }).toEqual({ names: 8, values: 8, edges: 6, mark: 0 });
    expect(line).toBeLessThanOrEqual(1);
  });

  it.each(WINDOWS)("Davis's women at %s has every name, cut if need be", (window) => {
    const { lost, short, names } = counted("davis", window);
    expect(lost).toBe(0);
    expect(short).toBeLessThanOrEqual(names);
  });

  it("many hypergraphs has few labels on lines of others", () => {
    const found = ALL.map(([name, window]) => counted(name, window));
    const sum = (of: (each: (typeof found)[number]) => number) => found.reduce((total, each) => total + of(each), 0);
    const labels = sum(({ names, short, edges, values }) => names + short + edges + values);
    expect(sum(({ line }) => line)).toBeLessThan(0.15 * labels);
    expect(sum(({ lost }) => lost)).toBeLessThan(0.06 * sum(({ n }) => n));
  });

  it("the citric acid cycle has nearly all names of its reactions in a large window", () => {
    const { edges, names, m } = counted("citric_acid_cycle", "1920 x 1080");
    expect(edges).toBeGreaterThanOrEqual(m - 1);
    expect(names).toBe(17);
  });

  it.each(WINDOWS)(
    "the harbour at %s has room for signs beside all vertices, off names, values and each other",
    (window) => {
      const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
      const texts = [...layout.names.map((name) => name?.box), ...layout.values.map(([first]) => first?.box)];
      const signs: Box[] = [];
      for (let v = 1; v <= graph.n; v++) {
        const sign = boxAt(cornerOf(layout, v, signs), 12, 12);
        for (const box of [...texts, ...signs]) expect(box ? overlap(sign, box) : 0).toBeLessThan(12);
        signs.push(sign);
      }
    },
  );

  it.each(WINDOWS)("the harbour at %s has room for a sign beside a vertex, off its name", (window) => {
    const { graph, layout } = laidOut({ hypergraph: HYPERGRAPHS.harbour } as Trace, window);
    for (let v = 1; v <= graph.n; v++) {
      const name = layout.names[v];
      expect(name && overlap(name.box, boxAt(cornerOf(layout, v), 12, 12))).toBe(0);
    }
  });
});
