import { describe, expect, it } from "vitest";
import { Answers, pathText, pathTo } from "../src/answer";
import type { Explainer } from "../src/machine/explain";
import { usedIn } from "../src/machine/iteration";
import type { Op, Section } from "../src/machine/program";
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
      "Layer 2 goes from ferry (edge) to its members: Quay, Isle and Cove; reads weight[edge]: 4; " +
        "works out fresh, the vertices in members and not marked settled: Cove.",
    );
  });

  it("tells what is written, rows that change alike together", () => {
    const text = told(harbourAt(3, 3));
    expect(text).toContain(
      "gives Isle and Light distance 3.5, predecessor Mole, hyperedge mail boat, and marks them as settled",
    );
    expect(text).toContain("gives mail boat key ∞; gives dinghy key 4, and marks it as queued.");
    expect(told(harbourAt(8, 3))).toMatch(/ends the loop, since edge is none\.$/);
  });

  it("says what iteration 1 is for, and that a layer may have nothing to do in it", () => {
    const explainer = harbourAt(1, 1);
    expect(told(explainer)).toBe("Layer 1 has nothing to do yet: its work belongs to the loop.");
    expect(setupText(explainer.recording)).toContain(
      "Iteration 1 only sets up: it runs the statements before the loop (lines 16 to 19).",
    );
    expect(setupText(harbourAt(2, 1).recording)).toBe("");
    expect(told(harbourAt(1, 3))).toContain("gives Quay distance 0, and marks it as settled");
  });

  it("leaves out what the iteration does not use", () => {
    // There is no edge any more: neither its members nor its weight are looked at.
    expect(told(harbourAt(8, 2))).toBe("Layer 2 finds nothing that this iteration uses.");
    expect(told(harbourAt(8, 3))).toBe("Layer 3 ends the loop, since edge is none.");
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

describe("what an iteration uses", () => {
  const flag = { kind: "flag", scope: "scalar" } as Op["type"];
  const op = (name: string, ...operands: number[]): Op => ({ name, operands, argument: "", type: flag, label: "" });
  // 0 and 1: states; 2: not 0; 3: both; 4: one of them by the other.
  const ops = [op("state"), op("state"), op("not", 0), op("and", 2, 1), op("where", 0, 1, 2)];
  const used = (update: number, values: (number | number[])[]) =>
    [...usedIn({ ops, updates: new Map([["x", update]]), stop: null } as Section, values)].sort();

  it("is the branch that is taken", () => {
    expect(used(4, [1, 1, 0, 0, 1])).toEqual([0, 1, 4]);
    expect(used(4, [0, 1, 1, 1, 1])).toEqual([0, 2, 4]);
  });

  it("is both branches where rows differ", () => {
    expect(
      used(4, [
        [0, 1],
        [1, 1],
        [1, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual([0, 1, 2, 4]);
  });

  it("is the operand that decides", () => {
    expect(used(3, [1, 1, 0, 0, 1])).toEqual([0, 2, 3]);
    expect(used(3, [0, 0, 1, 0, 1])).toEqual([1, 3]);
    expect(used(3, [0, 1, 1, 1, 1])).toEqual([0, 1, 2, 3]);
  });
});
