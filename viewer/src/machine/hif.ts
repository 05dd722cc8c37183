/** The HIF document of a hypergraph, as src/hyloop/io/hif.py writes it. */

import { type Label, labelInJson } from "../labels";
import { type Fraction, written } from "../numbers";
import { type Annotations, annotationsIn, type Kept, OWN } from "../read/annotations";
import type { Hypergraph } from "./hypergraph";
import { Refusal } from "./refusal";

/** The file that a hypergraph came from, whose annotations are written again, and its labels where others are shown. */
export interface Origin {
  readonly hif: string;
  readonly vertices: ReadonlyMap<Label, Label>;
  readonly hyperedges: ReadonlyMap<Label, Label>;
}

type Fields = readonly (readonly [string, string])[];

const NONE: Annotations = annotationsIn("{}");

/** With `origin`, whatever still has its label keeps its annotations. */
export function writeHif(shown: Hypergraph, origin: Origin | null = null): string {
  const kept = origin ? annotationsIn(origin.hif) : NONE;
  const h = origin
    ? { ...shown, vertices: own(shown.vertices, origin.vertices), hyperedges: own(shown.hyperedges, origin.hyperedges) }
    : shown;
  const weighted = h.weights.some(({ top, bottom }) => top !== 1n || bottom !== 1n);
  const nodes = h.vertices.map((label) => record([["node", text(label)], ...said(kept.node(label))]));
  const edges = h.hyperedges.map((label, e) => {
    const weight = weighted ? decimal(h.weights[e] as Fraction, label) : null;
    const stated: Fields = weight === null ? [] : [["weight", weight]];
    // Some libraries read one weight, some the other, so both are written.
    return record([["edge", text(label)], ...stated, ...attrs(new Map([...stated, ...kept.edge(label)]))]);
  });
  const incidences = h.members.flatMap((list, e) => list.map((v) => incidence(h, e, v, kept)));
  const type = h.tails ? '"directed"' : kept.networkType === '"directed"' ? null : kept.networkType;
  const head = [
    ...(type === null ? [] : [`"network-type": ${type}`]),
    ...(kept.metadata === null || kept.metadata === "{}" ? [] : [`"metadata": ${kept.metadata}`]),
  ];
  const parts = [array("nodes", nodes), array("edges", edges), array("incidences", incidences)];
  return `{\n${[...head, ...parts].join(",\n")}\n}\n`;
}

/** The labels of the file; a new one that the file has already for another thing is refused. */
function own(labels: readonly Label[], known: ReadonlyMap<Label, Label>): Label[] {
  const found = labels.map((label) => known.get(label) ?? label);
  const seen = new Set<Label>();
  for (const label of found) {
    if (seen.has(label))
      throw new Refusal(`${String(label)} is new here, but the file has something of that label already; rename it.`);
    seen.add(label);
  }
  return found;
}

/** The weight of a record, and its attributes. */
function said(kept: Kept): Fields {
  const weight = kept.get(`${OWN}weight`);
  return [...(weight === undefined ? [] : [["weight", weight] as const]), ...attrs(kept)];
}

function attrs(kept: Kept): Fields {
  const plain = [...kept].filter(([name]) => !name.startsWith(OWN));
  return plain.length === 0 ? [] : [["attrs", record(plain)]];
}

function incidence(h: Hypergraph, e: number, v: number, kept: Annotations): string {
  const [edge, node] = [h.hyperedges[e] as Label, h.vertices[v - 1] as Label];
  const direction = directionOf(h, e, v);
  return record([
    ["edge", text(edge)],
    ["node", text(node)],
    ...(direction === null ? [] : [["direction", JSON.stringify(direction)] as const]),
    ...said(kept.incidence(edge, node, direction)),
  ]);
}

/** A member that is a tail and a head has no direction. */
function directionOf(h: Hypergraph, e: number, v: number): "tail" | "head" | null {
  const [tail, head] = [h.tails?.[e]?.includes(v), h.heads?.[e]?.includes(v)];
  return tail === head ? null : tail ? "tail" : "head";
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

function record(fields: Fields): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
}

function array(name: string, records: readonly string[]): string {
  return records.length === 0 ? `"${name}": []` : `"${name}": [\n  ${records.join(",\n  ")}\n]`;
}
