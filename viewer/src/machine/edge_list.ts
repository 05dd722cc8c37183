/** The edge list of a hypergraph, for weights that HIF cannot hold: docs/files.md says what one is. */

import type { Label } from "../labels";
import { written } from "../numbers";
import type { Hypergraph } from "./hypergraph";

/** Whether HIF, which has decimal numbers only, holds all weights. */
export function areDecimal({ weights }: Pick<Hypergraph, "weights">): boolean {
  return weights.every((weight) => !written(weight).includes("/"));
}

/** One hyperedge a line; first all vertices, which fixes their order. Directions have no place in it. */
export function writeEdgeList({ vertices, hyperedges, weights, members }: Hypergraph): string {
  const all = vertices.length > 0 ? [`* ${vertices.map(label).join(" ")}`] : [];
  const lines = hyperedges.map((name, e) => {
    const inside = (members[e] as readonly number[]).map((v) => ` ${label(vertices[v - 1] as Label)}`).join("");
    return `${label(name)}:${inside} | ${written(weights[e] as Hypergraph["weights"][number])}`;
  });
  return `${[...all, ...lines].join("\n")}\n`;
}

/** In quotes unless it is an integer, or a plain word. */
function label(given: Label): string {
  const bare = typeof given !== "string" || /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(given);
  return bare ? String(given) : JSON.stringify(given);
}
