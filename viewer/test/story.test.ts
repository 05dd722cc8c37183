import { expect, it } from "vitest";
import { emptyText, startText } from "../src/panels/story";
import { Recording } from "../src/recording";
import { harbourAt, toldAt } from "./cases";

it("says once that every member is a tail and a head, where the program tells them apart", () => {
  const { recording } = harbourAt(1, 1);
  expect(startText(recording)).not.toContain("a tail and a head");
  const { model } = recording.trace;
  const [first, ...others] = model.layers;
  const heads = first?.heads.map((head) => ({ ...head, kind: "tails" as const })) ?? [];
  const layers = [{ ...first, heads } as (typeof model.layers)[number], ...others];
  const sided = { ...recording.trace, model: { ...model, layers } };
  expect(startText(new Recording(sided))).toContain("every member of a hyperedge is both a tail and a head of it");
  const members = sided.hypergraph.members;
  const directed = { ...sided, hypergraph: { ...sided.hypergraph, tails: members, heads: members } };
  expect(startText(new Recording(directed))).not.toContain("both a tail and a head");
});

it("says what to enter where all numbers that are given are 0", () => {
  const { trace } = toldAt("subleq", 1, 1).recording;
  expect(startText(new Recording(trace))).not.toContain("under Edit");
  const inputs = new Set(
    trace.model.columns.flatMap(({ role, scope }, k) => (role === "input" && scope === "array" ? [k] : [])),
  );
  expect(inputs.size).toBe(2);
  const columns = trace.columns.map((each, k) => (inputs.has(k) ? { ...each, initial: 0 } : each));
  const text = startText(new Recording({ ...trace, columns }));
  expect(text).toContain("The inputs positive and negative are 0 on all vertices: enter numbers under Edit");
  expect(text).toContain("subtract cell a from cell b"); // the program's own words for them
  // A program without such inputs has nothing to enter.
  expect(emptyText(harbourAt(1, 1).recording)).toBe("");
});
