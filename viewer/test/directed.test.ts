import { describe, expect, it } from "vitest";
import { themeOf } from "../src/picture/colours";
import { paintBipartite, paintRegions } from "../src/picture/hyperedges";
import { entriesOf } from "../src/picture/legend";
import type { Context } from "../src/picture/marks";
import { type Colour, colourable, rangeOf } from "../src/picture/ranges";
import { focusOf } from "../src/picture/scene";
import { Recording } from "../src/recording";
import type { Trace } from "../src/trace";
import { harbourAt } from "./cases";
import { laidOut } from "./clashes";

const harbour = harbourAt(0, 0).recording.trace;
const { hypergraph } = harbour;
const { members } = hypergraph;

/** The harbour, in which Quay has these sides in ferry; all other members are both. */
function directed(tail: boolean, head: boolean): Trace {
  const sides = (has: boolean) => members.map((all, e) => (e > 0 || has ? all : all.slice(1)));
  return { ...harbour, hypergraph: { ...hypergraph, tails: sides(tail), heads: sides(head) } };
}

/** How many points of arrows there are. */
function arrows(trace: Trace, mode: "regions" | "bipartite"): number {
  const { graph, layout } = laidOut(trace, "1280 x 720", mode);
  let points = 0;
  const known: Record<string, () => unknown> = {
    closePath: () => points++,
    measureText: () => ({ width: 20 }),
  };
  const ctx = new Proxy({} as Context, { get: (_, name) => known[String(name)] ?? (() => {}), set: () => true });
  const scene = { sprites: null, graph, layout, theme: themeOf(false), focus: focusOf(graph, null, null) };
  if (mode === "regions") paintRegions(ctx, scene);
  else paintBipartite(ctx, scene);
  return points;
}

describe.each(["regions", "bipartite"] as const)("a directed hyperedge as %s", (mode) => {
  it("has an arrow to a head, and one from a head that is a tail as well", () => {
    const sides = [directed(true, false), directed(false, true), directed(true, true)];
    const others = 2 * (members.flat().length - 1);
    expect(sides.map((trace) => arrows(trace, mode) - others)).toEqual([0, 1, 2]);
  });
});

it("the legend says what two arrows on a line are, where hyperedges are directed", () => {
  const words = (trace: Trace) => {
    const recording = new Recording(trace);
    const [colour] = colourable(trace) as [Colour];
    return entriesOf(recording, "regions", colour, rangeOf(trace, colour)).map((entry) => entry.words);
  };
  const both = /two arrows on a line: both a tail and a head/;
  expect(words(directed(true, true)).some((each) => both.test(each))).toBe(true);
  expect(words(harbour).some((each) => both.test(each))).toBe(false);
});
