/** What is drawn: the hypergraph where it lies, what is looked at, and what a frame shows. */

import type { Thing } from "../recording";
import { colourOfStep, edgeStyle, inkOnStep, stepOf, type Theme } from "./colours";
import type { Graph } from "./graph";
import { type Layout, pointOf } from "./layout";
import type { VertexMark } from "./marks";
import type { Range } from "./ranges";
import type { Sprites } from "./sprites";
import type { Status } from "./status";

/** An arrow that attention makes; null is row 0, the global one. */
export interface Link {
  from: Thing | null;
  to: Thing | null;
  margin: number | null;
}

export const DIMMED = 0.16;

/** What is selected or under the pointer, and what belongs to it. */
export interface Focus {
  selected: Thing | null;
  hovered: Thing | null;
  vertices: Set<number> | null; // null: nothing is selected, nothing dimmed
  hyperedges: Set<number> | null;
}

export function focusOf(graph: Graph, selected: Thing | null, hovered: Thing | null): Focus {
  if (!selected) return { selected, hovered, vertices: null, hyperedges: null };
  if (selected.scope === "hyperedges") {
    return { selected, hovered, vertices: new Set(graph.members[selected.row]), hyperedges: new Set([selected.row]) };
  }
  const hyperedges = new Set(graph.edgesOf[selected.row]);
  const vertices = new Set([selected.row]);
  for (const e of hyperedges) for (const v of graph.members[e] ?? []) vertices.add(v);
  return { selected, hovered, vertices, hyperedges };
}

export interface Scene {
  sprites: Sprites | null; // where there are many vertices
  graph: Graph;
  layout: Layout;
  theme: Theme;
  focus: Focus;
}

export interface Moment {
  status: Status;
  range: Range;
  valueText: (v: number) => string; // "" for none
  edgeText: (e: number) => string; // of the value that colours hyperedges; "" for none
  links: readonly Link[];
  ended?: boolean; // the answer is there
}

export function dimOf(set: Set<number> | null, row: number): number {
  return set === null || set.has(row) ? 1 : DIMMED;
}

export function coloursOf(value: number, range: Range, dark: boolean): Pick<VertexMark, "colour" | "ink"> {
  if (!Number.isFinite(value)) return { colour: null, ink: "" };
  // A pointer to a hyperedge has the colour of that hyperedge.
  if (range.categories) return { colour: edgeStyle(value - 1, dark).line, ink: dark ? "#14161a" : "#ffffff" };
  const step = stepOf(value, range.least, range.most, range.bend);
  return { colour: colourOfStep(step), ink: inkOnStep(step) };
}

export function vertexAlpha({ vertices }: Focus, v: number): number {
  return vertices && !vertices.has(v) ? DIMMED * 1.6 : 1;
}

export function isSeen(layout: Layout, v: number): boolean {
  const [x, y] = pointOf(layout, v);
  return !isAway(layout, x, y);
}

function isAway(layout: Layout, x: number, y: number): boolean {
  return x < -60 || y < -40 || x > layout.width + 60 || y > layout.height + 40;
}

export function isHovered({ hovered }: Focus, v: number): boolean {
  return hovered?.scope === "vertices" && hovered.row === v;
}
