/** The lines of the picture that stay: outlines of regions, lines of directed hyperedges, lines to squares. */

import type { Point, Segment } from "./geometry";
import type { Graph } from "./graph";
import { type Layout, pointOf, squareOf } from "./layout";

/** A piece of a line, and what it belongs to. */
export interface Line {
  readonly hyperedge: number;
  readonly vertex: number; // at which it ends; 0: an outline
  readonly segment: Segment;
}

export function linesOf(graph: Graph, layout: Layout): Line[] {
  const lines: Line[] = [];
  if (layout.mode === "sparse") return lines;
  for (let e = 1; e <= graph.m; e++) {
    for (const loop of layout.outlines[e] ?? [])
      for (const [k, point] of loop.entries())
        lines.push({ hyperedge: e, vertex: 0, segment: [point, loop[(k + 1) % loop.length] as Point] });
    const middle = layout.mode === "bipartite" ? squareOf(layout, e) : middleOfDirected(graph, layout, e);
    if (!middle) continue;
    for (const v of graph.members[e] ?? [])
      lines.push({ hyperedge: e, vertex: v, segment: [middle, pointOf(layout, v)] });
  }
  return lines;
}

/** Where the lines from the tails of a hyperedge's region meet; null where there are none. */
export function middleOfDirected(graph: Graph, layout: Layout, e: number): Point | null {
  const members = graph.members[e] ?? [];
  if (!graph.directed || members.length < 2) return null;
  const mean = (of: Float64Array) => members.reduce((sum, v) => sum + (of[v] ?? 0), 0) / members.length;
  return [mean(layout.x), mean(layout.y)];
}
