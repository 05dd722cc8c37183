import { describe, expect, test } from "vitest";
import { servesText } from "../src/panels/attention";
import { badgeText } from "../src/panels/header";
import { Recording } from "../src/recording";
import type { Attention, Head } from "../src/trace";
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
    expect(seen?.text).toBe("Every row looks at ferry (row 1).");
    expect(seen?.margin).toBe(3);
    expect(seen?.arrows).toHaveLength(9); // every vertex, and the global row
    expect(seen?.arrows.at(-1)).toEqual({ from: null, to: { scope: "hyperedges", row: 1 }, margin: 3 });
  });

  test("a read names what the pointer on its line points to", () => {
    expect(lookAt(recording, 4, 2, 2)?.text).toBe("Every row looks at ferry (row 1).");
    expect(lookAt(recording, 4, 3, 2)?.text).toBe("Every row looks at Quay (row 1).");
  });

  test("heads over the incidence", () => {
    expect(lookAt(recording, 4, 2, 1)?.text).toBe("Each hyperedge looks at itself. What counts: ferry (row 1).");
  });

  test("what a part serves, of this section only", () => {
    const serves = ["times (dijkstra.py:18)", "times (dijkstra.py:32) in stage 1, key (dijkstra.py:33) in stage 3"];
    expect(servesText(serves, [32, 33])).toBe("For times (32), key (33).");
    expect(servesText(serves, [18])).toBe("For times (18).");
    expect(servesText(["erase"], [])).toBe("For erase.");
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
});
