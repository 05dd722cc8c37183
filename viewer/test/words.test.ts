import { describe, expect, test } from "vitest";
import { badgeText } from "../src/panels/header";
import { brings, computes, holdsText, implementsText } from "../src/purposes";
import { Recording } from "../src/recording";
import type { Attention, Column, Head, Layer } from "../src/trace";
import { look } from "../src/words";
import { harbour } from "./traces";

function lookAt(recording: Recording, iteration: number, layer: number, number: number) {
  recording.seek(recording.frameOf(iteration, layer));
  const attention = recording.trace.attention.find((a) => a.layer === layer && a.head === number) as Attention;
  return look(recording, attention, recording.trace.model.layers[layer - 1]?.heads[number - 1] as Head);
}

describe("attention in words", () => {
  const recording = new Recording(harbour());

  test("a search names what it searches for", () => {
    const seen = lookAt(recording, 4, 1, 1);
    expect(seen?.text).toBe("Every row attends to ferry (row 1).");
    expect(seen?.margin).toBe(3);
    expect(seen?.arrows).toHaveLength(9); // every vertex, and the global row
    expect(seen?.arrows.at(-1)).toEqual({ from: null, to: { scope: "hyperedges", row: 1 }, margin: 3 });
  });

  test("a read names what the pointer on its line points to", () => {
    expect(lookAt(recording, 4, 2, 2)?.text).toBe("Every row attends to ferry (row 1).");
    expect(lookAt(recording, 4, 3, 2)?.text).toBe("Every row attends to Quay (row 1).");
  });

  test("heads over the incidence", () => {
    const seen = lookAt(recording, 4, 2, 1);
    expect(seen?.text).toBe("Each hyperedge attends to itself. Nonzero: ferry (row 1).");
    // On the picture, what flows: from the ferry to its members.
    const members = recording.trace.hypergraph.members[0] as number[];
    expect(seen?.arrows.map(({ from, to }) => [from?.scope, from?.row, to?.scope, to?.row])).toEqual(
      members.map((v) => ["hyperedges", 1, "vertices", v]),
    );
    const back = lookAt(recording, 4, 3, 1)?.arrows ?? [];
    expect(back.length).toBeGreaterThan(0);
    expect(new Set(back.map(({ from, to }) => `${from?.scope} → ${to?.scope}`))).toEqual(
      new Set(["vertices → hyperedges"]),
    );
  });

  test("what a part implements, of this section only", () => {
    const [last] = (recording.trace.model.layers[2] as Layer).heads as [Head];
    recording.seek(recording.frameOf(4, 3));
    expect(implementsText(recording, brings(last), false)).toBe("For touching (line 32).");
    recording.seek(recording.frameOf(1, 3));
    expect(implementsText(recording, brings(last), false)).toBe("For containing (line 18).");
    expect(implementsText(recording, [], true)).toBe("For erasing what is no longer needed.");
    const [search] = (recording.trace.model.layers[0] as Layer).heads as [Head];
    expect(implementsText(recording, brings(search), false)).toBe(
      "For edge (line 22), best (line 22), not used in this iteration.",
    );
    const units = computes(recording.trace.model.layers[2] as Layer);
    recording.seek(recording.frameOf(4, 3));
    expect(implementsText(recording, units, false)).toContain("distance (line 27)");
  });

  test("what the columns of X hold", () => {
    const told = recording.trace.model.columns.map((column: Column, k) => holdsText(recording, column, k));
    expect(told).toContain("1 on row 0");
    expect(told).toContain("the square of its number: j²");
    expect(told).toContain("the state distance: length of the vertices, line 9");
    expect(told).toContain("the input source");
    expect(told).toContain("temporary values");
  });
});

test("the badge says that a model is unverified", () => {
  const trace = harbour();
  trace.model.verified = "reproduced";
  expect(badgeText(new Recording(trace))).toBe("✓ transformer = interpreter");
  trace.model.verified = "unverified";
  expect(badgeText(new Recording(trace))).toBe("transformer = interpreter here; the model is unverified");
});

test("the badge says where the first difference is", () => {
  const trace = harbour();
  expect(badgeText(new Recording(trace))).toBe("✓ transformer = interpreter");
  trace.differences.first = { frame: 12, variable: "distance", row: 5, expected: 9, found: 8 };
  expect(badgeText(new Recording(trace))).toBe("✗ first difference: iteration 4, layer 3, distance at Cove: 4 ≠ 4.5");
  trace.model.verified = "unverified";
  expect(badgeText(new Recording(trace))).toBe(
    "✗ unverified model; first difference: iteration 4, layer 3, distance at Cove: 4 ≠ 4.5",
  );
});
