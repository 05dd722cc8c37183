/** The hypergraph of a trace, as the picture needs it. Rows count from 1, as everywhere in a trace; entry 0 is unused. */

import { labelText, toldApart } from "../labels";
import type { Label, Trace } from "../trace";
import type { Point } from "./geometry";

export interface Graph {
  readonly n: number;
  readonly m: number;
  readonly vertexText: readonly string[];
  readonly edgeText: readonly string[];
  readonly weights: readonly string[];
  readonly weighed: boolean; // whether any weight is other than 1
  readonly members: readonly (readonly number[])[];
  /** Of a directed hypergraph: the tails and heads of each hyperedge. */
  readonly directed: { tails: readonly (readonly number[])[]; heads: readonly (readonly number[])[] } | null;
  readonly edgesOf: readonly (readonly number[])[];
  readonly incidences: number;
  readonly vertexAt: [number, number][]; // in the unit square; dragging moves them
  readonly edgeAt: [number, number][];
}

const MIDDLE: Point = [0.5, 0.5];

/** Labels are data: what would break a line or hide is shown as a space or a mark. */
export function plainText(label: Label): string {
  const text = String(label).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return text.trim() === "" ? "␣" : text;
}

/** What vertices or hyperedges are called: a text that is also the number of another stands in quotes. */
function namesOf(labels: readonly Label[]): string[] {
  const numbers = new Set(labels.filter((label) => typeof label !== "string").map(String));
  return labels.map((label) => plainText(typeof label === "string" && numbers.has(label) ? labelText(label) : label));
}

export function graphOf(trace: Trace): Graph {
  const { vertices, hyperedges, weights, members, positions, tails, heads } = trace.hypergraph;
  const edgesOf: number[][] = Array.from({ length: vertices.length + 1 }, () => []);
  members.forEach((list, e) => {
    for (const v of list) edgesOf[v]?.push(e + 1);
  });
  return {
    n: vertices.length,
    m: hyperedges.length,
    vertexText: ["", ...namesOf(vertices)],
    edgeText: ["", ...namesOf(toldApart(vertices, hyperedges) ?? hyperedges)],
    weights: ["", ...weights],
    weighed: weights.some((weight) => weight !== "1"),
    members: [[], ...members],
    directed: tails && heads ? { tails: [[], ...tails], heads: [[], ...heads] } : null,
    edgesOf,
    incidences: members.reduce((sum, list) => sum + list.length, 0),
    vertexAt: [[0, 0], ...vertices.map((_, k) => positions.vertices[k] ?? [MIDDLE[0], MIDDLE[1]])] as [
      number,
      number,
    ][],
    edgeAt: [[0, 0], ...hyperedges.map((_, k) => positions.hyperedges[k] ?? [MIDDLE[0], MIDDLE[1]])] as [
      number,
      number,
    ][],
  };
}

/** The members of a directed hyperedge that are both a tail and a head. */
export function bothOf({ directed }: Graph, e: number): number[] {
  const tails = new Set(directed?.tails[e]);
  return (directed?.heads[e] ?? []).filter((v) => tails.has(v));
}

/** Move a vertex within the unit square; its hyperedges follow by their share, as middles of their members would. */
export function moveVertex(graph: Graph, row: number, dx: number, dy: number): void {
  const place = graph.vertexAt[row];
  if (!place) return;
  const [x, y] = place;
  place[0] = Math.min(1, Math.max(0, x + dx));
  place[1] = Math.min(1, Math.max(0, y + dy));
  for (const e of graph.edgesOf[row] ?? []) {
    const square = graph.edgeAt[e];
    const share = 1 / Math.max(1, graph.members[e]?.length ?? 1);
    if (!square) continue;
    square[0] += (place[0] - x) * share;
    square[1] += (place[1] - y) * share;
  }
}
