import { describe, expect, it } from "vitest";
import { Answers, pathText, pathTo } from "../src/answer";
import type { Explainer } from "../src/machine/explain";
import { whyMissing } from "../src/panels/machine";
import { obligation } from "../src/panels/machine_parts";
import { listed, sentence, setupText, type Told, toldOf } from "../src/told";
import { harbourAt } from "./cases";
import { harbour } from "./traces";

function told(explainer: Explainer): string {
  const { recording } = explainer;
  return sentence(toldOf(explainer, recording.layer) as Told, recording.sectionOf(recording.frame));
}

describe("a layer in a sentence", () => {
  it("tells a search by what it found", () => {
    expect(told(harbourAt(4, 1))).toBe("Layer 1 picks the hyperedge with the least key: ferry, 4.");
    expect(told(harbourAt(8, 1))).toBe("Layer 1 picks the hyperedge with the least key: none.");
  });

  it("tells where the incidence leads, and what is worked out", () => {
    expect(told(harbourAt(4, 2))).toBe(
      "Layer 2 goes from edge (ferry) to its members: Quay, Isle and Cove; reads weight[edge]: 4; " +
        "works out fresh (members and not settled): Cove.",
    );
  });

  it("tells what is written, rows that change alike together", () => {
    const text = told(harbourAt(3, 3));
    expect(text).toContain("gives Isle and Light distance 3.5, predecessor Mole, hyperedge mail boat, settled yes");
    expect(text).toContain("gives mail boat key ∞; gives dinghy key 4, queued yes.");
    expect(told(harbourAt(8, 3))).toMatch(/ends the loop, since edge is none\.$/);
  });

  it("says what iteration 1 is for, and that a layer may have nothing to do in it", () => {
    const explainer = harbourAt(1, 1);
    expect(told(explainer)).toBe("Layer 1 has nothing to do yet: its work belongs to the loop.");
    expect(setupText(explainer.recording)).toContain(
      "Iteration 1 only sets up: it runs the statements before the loop (lines 16 to 19).",
    );
    expect(setupText(harbourAt(2, 1).recording)).toBe("");
    expect(told(harbourAt(1, 3))).toContain("gives Quay distance 0, settled yes");
  });

  it("lists a few names", () => {
    expect(listed([])).toBe("none");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
    expect(listed([..."abcdefgh"])).toBe("a, b, c, d, e and 3 more");
  });
});

describe("the answer", () => {
  const explainer = harbourAt(8, 3);
  const { recording } = explainer;
  const row = (label: string) => recording.trace.hypergraph.vertices.indexOf(label) + 1;

  it("is that of the outputs", () => {
    const { tables, brief } = new Answers(explainer.model, recording);
    expect(tables[0]?.columns).toEqual(["distance", "predecessor", "hyperedge"]);
    expect(tables[0]?.rows[row("Cove") - 1]).toEqual({ label: "Cove", cells: ["4", "Quay", "ferry"] });
    expect(tables[0]?.rows[row("Wreck") - 1]?.cells).toEqual(["∞", "none", "none"]);
    expect(brief).toBe("distance: Quay = 0, Mole = 1.5, Isle = 3.5, Light = 3.5, Cove = 4 and 3 more");
  });

  it("has the paths, and none to what is not reached", () => {
    const path = pathTo(recording, row("Dunes"));
    expect(path && pathText(recording, path)).toBe("Quay –ferry→ Cove –barge→ Dunes");
    expect(pathTo(recording, row("Wreck"))).toBeNull();
  });
});

it("names the obligations as the prover does", () => {
  expect([obligation(3, 1, 0), obligation(3, 1, "mlp"), obligation(3, 3, "mlp")]).toEqual([
    "layer 1, head 1",
    "layer 1, units",
    "layer 3, iteration",
  ]);
});

it("says why a page has no model", () => {
  const trace = harbour();
  const model = { ...trace.model, verified: "unverified" as const };
  expect(whyMissing({ ...trace, model })).toContain("unverified");
  expect(whyMissing({ ...trace, model: { ...trace.model, dtype: "float32" } })).toContain("float32");
  expect(whyMissing(trace)).toContain("this run has 8");
});
