/** A HIF file that is opened and downloaded again keeps what it says. */

import { describe, expect, test } from "vitest";
import { draftOfBody, hypergraphBody, isDirected } from "../src/edit/model";
import { encode } from "../src/machine/encode";
import { writeHif } from "../src/machine/hif";
import type { Model } from "../src/machine/model";
import type { Fraction } from "../src/numbers";
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

describe("a hypergraph that is too heavy for the model", () => {
  const model = {
    capacity: { rows: 10, weight: 174_756 },
    incidence: "ones",
    columns: [{ initial: [{ term: "Weights" }] }],
  } as unknown as Model;
  const refusal = (unit: Fraction, ...weights: Fraction[]) => {
    const hyperedges = weights.map((_, k) => `e${k + 1}`);
    const inUnits = weights.map(({ top, bottom }) => Number((top * unit.bottom) / (bottom * unit.top)));
    const frame = { vertices: 1, hyperedges: weights.length, weights: inUnits, inputs: new Map(), unit };
    try {
      encode(model, { ...frame, of: { hyperedges, weights } });
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  const of = (top: number | bigint, bottom = 1): Fraction => ({ top: BigInt(top), bottom: BigInt(bottom) });

  test("is refused with the first of the heaviest hyperedges", () => {
    expect(refusal(of(1), of(3), of(174_758), of(200_000), of(200_000))).toBe(
      "The weight of hyperedge e3 is 200,000; the model in this page holds at most 174,756.",
    );
    expect(refusal(of(1), of(3), of(174_756))).toBeNull();
  });

  test("has the limit as weights are given, too: that in units would seem to hold it", () => {
    expect(refusal(of(1, 2), of(3, 2), of(87_379))).toBe(
      "The weight of hyperedge e2 is 87379, that is 174,758 units of 0.5, of which all weights and given lengths are " +
        "multiples; the model in this page holds at most 174,756 units, a weight of 87378.",
    );
    expect(refusal(of(1, 2), of(3, 2), of(87_378))).toBeNull();
  });

  test("is told by what it exceeds where no float64 is exact, and the heaviest is the heaviest all the same", () => {
    const [large, larger] = [2n ** 70n, 2n ** 70n + 1n];
    expect(refusal(of(1), of(large), of(larger))).toMatch(
      /^The weight of hyperedge e2 is more than 9,007,199,254,740,991;/,
    );
    const frame = { vertices: 1, hyperedges: 1, weights: [2 ** 53], inputs: new Map() };
    expect(() => encode(model, frame)).toThrow("weighs more than 9,007,199,254,740,991 in integer units");
  });

  test("is not refused where the model reads no weights, as in Python", () => {
    const frame = { vertices: 1, hyperedges: 1, weights: [2 ** 60], inputs: new Map() };
    expect(() => encode({ ...model, columns: [] }, frame)).not.toThrow();
  });
});

test("the place of what is wrong with a file as a whole is left out", () => {
  const whole = new FormatRefusal("$", "the field incidences must be there.");
  expect([whole.where, whole.message]).toEqual(["$", "the field incidences must be there."]);
  expect(new FormatRefusal("$.edges[3]", "it is 5.").message).toBe("$.edges[3]: it is 5.");
});
