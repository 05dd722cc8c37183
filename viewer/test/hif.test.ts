/** A HIF file that is opened and downloaded again keeps what it says. */

import { describe, expect, test } from "vitest";
import { draftOfBody, hypergraphBody, isDirected } from "../src/edit/model";
import { encode } from "../src/machine/encode";
import { writeHif } from "../src/machine/hif";
import type { Model } from "../src/machine/model";
import { FormatRefusal } from "../src/read/fields";
import { readHif } from "../src/read/hif";

function again(document: object): Record<string, unknown> {
  const hif = JSON.stringify(document);
  return JSON.parse(writeHif(readHif(hif), { hif, vertices: new Map(), hyperedges: new Map() }));
}

describe("a file that is written again", () => {
  test("keeps what any record of an incidence says; the later counts", () => {
    const bare = { edge: "e", node: "v" };
    const [first, second] = [
      { ...bare, weight: 2, attrs: { x: 1, y: 2 } },
      { ...bare, weight: 3, attrs: { y: 4 } },
    ];
    expect(again({ incidences: [first, bare] }).incidences).toEqual([first]);
    const both = { ...bare, weight: 3, attrs: { x: 1, y: 4 } };
    expect(again({ incidences: [bare, first, second] }).incidences).toEqual([both]);
  });

  test("keeps an attribute weight that is no number", () => {
    const edges = [
      { edge: "e", attrs: { weight: "heavy" } },
      { edge: "f", weight: 2 },
    ];
    const found = again({ edges, incidences: [{ edge: "e", node: "v" }] }).edges;
    expect(found).toEqual([
      { edge: "e", weight: 1, attrs: { weight: "heavy" } },
      { edge: "f", weight: 2, attrs: { weight: 2 } },
    ]);
  });

  test("stays directed without hyperedges", () => {
    const document = { "network-type": "directed", nodes: [{ node: "c" }], edges: [], incidences: [] };
    expect(again(document)).toEqual(document);
    const hypergraph = { name: "", vertices: ["c"], hyperedges: [], directed: true };
    expect(isDirected(hypergraph)).toBe(true);
    const draft = draftOfBody({ hypergraph, algorithm: "", inputs: {} }, { name: "", about: "", inputs: [] });
    expect(hypergraphBody(draft)).toEqual(hypergraph);
  });
});

test("a weight that no float64 holds exactly is told by what it exceeds", () => {
  const model = { capacity: { rows: 10, weight: 7 } } as unknown as Model;
  const frame = { vertices: 1, hyperedges: 1, weights: [2 ** 53], inputs: new Map() };
  expect(() => encode(model, frame)).toThrow("weighs more than 9,007,199,254,740,991 in integer units");
  const told = { ...frame, weights: [1234567891], unit: { top: 1n, bottom: 1000n } };
  expect(() => encode(model, told)).toThrow("weighs 1234567.891, that is 1,234,567,891 units of 0.001, of which");
});

test("the place of what is wrong with a file as a whole is left out", () => {
  const whole = new FormatRefusal("$", "the field incidences must be there.");
  expect([whole.where, whole.message]).toEqual(["$", "the field incidences must be there."]);
  expect(new FormatRefusal("$.edges[3]", "it is 5.").message).toBe("$.edges[3]: it is 5.");
});
