/** How a file was read, in words: "Read as an edge list: 3 hyperedges, 6 vertices, all weights 1." */

import type { Hypergraph } from "../machine/hypergraph";
import { counted, type Fraction, short } from "../numbers";
import type { Format } from "./index";

const NAMES: Readonly<Record<Format, string>> = {
  hif: "HIF",
  "edge-list": "an edge list",
  "incidence-csv": "an incidence table",
};

export function readAs(h: Hypergraph, format: Format): string {
  const parts = [
    ...(h.tails ? ["directed"] : []),
    `${counted(h.hyperedges.length)} ${h.hyperedges.length === 1 ? "hyperedge" : "hyperedges"}`,
    `${counted(h.vertices.length)} ${h.vertices.length === 1 ? "vertex" : "vertices"}`,
    ...weightsOf(h),
  ];
  const hint = format === "edge-list" && looksWeighted(h) ? ` ${HINT}` : "";
  return `Read as ${NAMES[format]}: ${parts.join(", ")}.${hint}`;
}

const HINT = "Every hyperedge has one number among its vertices. If these are weights, write them after a bar: a b | 2";

function weightsOf({ weights }: Hypergraph): string[] {
  const [first, ...others] = weights;
  if (!first) return [];
  const less = (a: Fraction, b: Fraction) => a.top * b.bottom < b.top * a.bottom;
  const least = others.reduce((a, b) => (less(b, a) ? b : a), first);
  const most = others.reduce((a, b) => (less(a, b) ? b : a), first);
  return [less(least, most) ? `weights from ${short(least)} to ${short(most)}` : `all weights ${short(first)}`];
}

/** Whether each hyperedge has vertices with names, exactly one that is a number, and no weight. */
function looksWeighted({ vertices, members, weights }: Hypergraph): boolean {
  const isNumber = (v: number) => /^\d+(\.\d+)?$/.test(String(vertices[v - 1]));
  const one = (own: readonly number[]) => own.length > 1 && own.filter(isNumber).length === 1;
  return members.length > 0 && members.every(one) && weights.every(({ top, bottom }) => top === bottom);
}
