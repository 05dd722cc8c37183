/** The HIF document of a hypergraph, as src/hyloop/io/hif.py writes one without annotations. */

import { type Label, labelInJson } from "../labels";
import { type Fraction, written } from "../numbers";
import type { Hypergraph } from "./hypergraph";
import { Refusal } from "./refusal";

export function writeHif(h: Hypergraph): string {
  const weighted = h.weights.some(({ top, bottom }) => top !== 1n || bottom !== 1n);
  const nodes = h.vertices.map((label) => record([["node", text(label)]]));
  const edges = h.hyperedges.map((label, e) => {
    const weight = weighted ? decimal(h.weights[e] as Fraction, label) : null;
    // Some libraries read one weight, some the other, so both are written.
    return record([
      ["edge", text(label)],
      ...(weight === null
        ? []
        : ([
            ["weight", weight],
            ["attrs", record([["weight", weight]])],
          ] as [string, string][])),
    ]);
  });
  const incidences = h.members.flatMap((list, e) =>
    list.flatMap((v) =>
      directionsOf(h, e, v).map((direction) =>
        record([
          ["edge", text(h.hyperedges[e] as Label)],
          ["node", text(h.vertices[v - 1] as Label)],
          ...(direction ? ([["direction", JSON.stringify(direction)]] as [string, string][]) : []),
        ]),
      ),
    ),
  );
  const type = h.tails ? '"network-type": "directed",\n' : "";
  const parts = [array("nodes", nodes), array("edges", edges), array("incidences", incidences)];
  return `{\n${type}${parts.join(",\n")}\n}\n`;
}

/** A member that is a tail and a head has no direction. */
function directionsOf(h: Hypergraph, e: number, v: number): ("tail" | "head" | null)[] {
  const [tail, head] = [h.tails?.[e]?.includes(v), h.heads?.[e]?.includes(v)];
  return [tail === head ? null : tail ? "tail" : "head"];
}

function text(label: Label): string {
  return typeof label === "bigint" ? String(label) : JSON.stringify(labelInJson(label));
}

function decimal(weight: Fraction, label: Label): string {
  const found = written(weight);
  if (!found.includes("/")) return found;
  throw new Refusal(
    `The weight of hyperedge ${String(label)} is ${found}, which no decimal number equals, and HIF has only decimal numbers.`,
  );
}

function record(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
}

function array(name: string, records: readonly string[]): string {
  return records.length === 0 ? `"${name}": []` : `"${name}": [\n  ${records.join(",\n  ")}\n]`;
}
