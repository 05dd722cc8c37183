import { expect, it } from "vitest";
import { startText } from "../src/panels/story";
import { Recording } from "../src/recording";
import { harbourAt } from "./cases";

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
