/** Where an edited hypergraph is drawn: what was there stays, what is new goes near its neighbours. */

import type { Hypergraph } from "./hypergraph";

export type Point = [number, number];

const MARGIN = 0.05;
const SETTLING = 60;
const TRIES = 400;
const GOLDEN = 2.399963; // the golden angle, in radians: an even spiral

/** Positions of all vertices and hyperedges. `known` has those of vertices, by number from 0, that stay. */
export function positionsOf(h: Hypergraph, known: readonly (Point | undefined)[]) {
  const vertices = placedVertices(h, known);
  const at = vertices.map(rounded);
  return { vertices: at, hyperedges: placedHyperedges(h, at).map(rounded) };
}

function rounded([x, y]: Point): Point {
  const four = (value: number) => Math.round(Math.min(Math.max(value, 0), 1) * 1e4) / 1e4;
  return [four(x), four(y)];
}

function placedVertices(h: Hypergraph, known: readonly (Point | undefined)[]): Point[] {
  const n = h.vertices.length;
  const stay = known.filter((point): point is Point => point !== undefined);
  const middle = mean(stay) ?? [0.5, 0.5];
  // Without anything that stays, a circle, in which neighbours then move together.
  const angle = (k: number) => (2 * Math.PI * k) / Math.max(n, 1);
  const start = (k: number): Point =>
    stay.length > 0 ? middle : [0.5 + 0.42 * Math.cos(angle(k)), 0.5 + 0.42 * Math.sin(angle(k))];
  const points = h.vertices.map((_, k) => known[k] ?? start(k));
  if (stay.length === 0) return points;
  const edgesOf = h.vertices.map((): number[] => []);
  h.members.forEach((list, e) => {
    for (const v of list) edgesOf[v - 1]?.push(e);
  });
  const moving = edgesOf.flatMap((list, v) => (known[v] === undefined && list.length > 0 ? [v] : []));
  for (let round = 0; round < SETTLING && moving.length > 0; round++) {
    const centres = h.members.map((list) => centre(list, points));
    for (const v of moving) points[v] = mean((edgesOf[v] as number[]).map((e) => centres[e] as Point)) as Point;
  }
  const taken = points.filter((_, v) => known[v] !== undefined);
  const space = 0.5 / Math.sqrt(n + 1);
  points.forEach((point, v) => {
    if (known[v] !== undefined) return;
    const wanted: Point = (edgesOf[v] as number[]).length > 0 ? point : [MARGIN, 1 - MARGIN];
    points[v] = nearestFree(wanted, taken, space);
    taken.push(points[v] as Point);
  });
  return points;
}

function centre(list: readonly number[], points: readonly Point[]): Point {
  return mean(list.map((v) => points[v - 1] as Point)) ?? [0.5, 0.5];
}

function mean(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const sum = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0) / points.length;
  return [sum(0), sum(1)];
}

/** The place nearest to the one that is wanted, along a spiral, that is far enough from all others. */
function nearestFree([x, y]: Point, taken: readonly Point[], space: number): Point {
  const within = (value: number) => Math.min(Math.max(value, MARGIN), 1 - MARGIN);
  const near = (px: number, py: number) => taken.some(([ox, oy]) => (px - ox) ** 2 + (py - oy) ** 2 < space ** 2);
  for (let k = 0; k < TRIES; k++) {
    const away = 0.25 * space * Math.sqrt(k);
    const [px, py] = [within(x + away * Math.cos(k * GOLDEN)), within(y + away * Math.sin(k * GOLDEN))];
    if (!near(px, py)) return [px, py];
  }
  return [within(x), within(y)];
}

/** Near the mean of the members, but not on a vertex or another hyperedge; empty ones along the upper edge. */
function placedHyperedges(h: Hypergraph, vertices: readonly Point[]): Point[] {
  const count = h.hyperedges.length;
  const space = Math.min(0.05, 0.45 / Math.sqrt(count + vertices.length + 1));
  const taken = [...vertices];
  return h.members.map((list, e) => {
    const wanted: Point = list.length > 0 ? centre(list, vertices) : [1 - MARGIN - (e / (count + 1)) * 0.9, MARGIN / 2];
    const point = list.length > 0 ? nearestFree(wanted, taken, space) : wanted;
    taken.push(point);
    return point;
  });
}
