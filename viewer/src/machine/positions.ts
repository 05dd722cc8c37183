/** Where an edited hypergraph is drawn: what was there stays, what is new goes near its neighbours. */

import { convexHull, distanceToSegment, insidePolygon, edgesOf as sidesOf } from "../picture/geometry";
import type { Hypergraph } from "./hypergraph";

export type Point = [number, number];

const MARGIN = 0.05;
const SETTLING = 60;
const TRIES = 400;
const FEW_TRIES = 60; // so near that what is found is still near what was wanted
const MOST_HULLS = 300; // hyperedges that are looked at: of more, nothing is free of all
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
  if (stay.length === 0) return freshVertices(h);
  const middle = mean(stay) ?? [0.5, 0.5];
  const points = h.vertices.map((_, k) => known[k] ?? middle);
  const edgesOf = h.vertices.map((): number[] => []);
  h.members.forEach((list, e) => {
    for (const v of list) edgesOf[v - 1]?.push(e);
  });
  const moving = edgesOf.flatMap((list, v) => (known[v] === undefined && list.length > 0 ? [v] : []));
  for (let round = 0; round < SETTLING && moving.length > 0; round++) {
    const centres = h.members.map((list) => centre(list, points));
    for (const v of moving) points[v] = mean((edgesOf[v] as number[]).map((e) => centres[e] as Point)) as Point;
  }
  const space = 0.5 / Math.sqrt(n + 1);
  const taken = new Taken(
    space,
    points.filter((_, v) => known[v] !== undefined),
  );
  const hulls = hullsOf(h, known);
  points.forEach((point, v) => {
    if (known[v] !== undefined) return;
    const own = edgesOf[v] as number[];
    const wanted: Point = own.length > 0 ? point : [MARGIN, 1 - MARGIN];
    const others = hulls.filter((_, e) => !own.includes(e));
    const isFree = (at: Point) => others.every((hull) => awayFromHull(hull, at) > Math.min(0.08, 0.6 * space));
    points[v] =
      nearestFree(wanted, taken, space, own.length > 0 ? FEW_TRIES : TRIES, isFree) ??
      nearestFree(wanted, taken, space) ??
      inside(wanted);
    taken.add(points[v] as Point);
  });
  return points;
}

/** Pairs of points that a fresh layout may compare in all: about 0.2 s. */
const PAIRS = 3e7;
const ROUNDS = 240;

/**
 * A layout from nothing: vertices and hyperedges are points of one graph; all push each other away, members and their
 * hyperedge pull each other. It begins with a circle, and is the same every time.
 */
function freshVertices(h: Hypergraph): Point[] {
  const [n, m] = [h.vertices.length, h.hyperedges.length];
  const size = n + m;
  const [x, y] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < size; k++) {
    const angle = (2 * Math.PI * (k < n ? k / n : (k - n + 0.5) / m)) % (2 * Math.PI);
    const radius = k < n ? 0.42 : 0.21;
    [x[k], y[k]] = [radius * Math.cos(angle), radius * Math.sin(angle)];
  }
  const links = h.members.flatMap((list, e) => list.map((v): Point => [v - 1, n + e]));
  const rounds = Math.min(ROUNDS, Math.floor(PAIRS / (size * size + 1)));
  const apart = 1 / Math.sqrt(size + 1);
  for (let round = 0; round < rounds; round++) step(x, y, links, apart, 0.12 * (1 - round / rounds));
  return apartFrom(within(x.subarray(0, n), y.subarray(0, n)), n * n <= PAIRS / SETTLING ? SETTLING : 0);
}

/** Points that lie too close to each other are moved apart, a little at a time. */
function apartFrom(points: Point[], rounds: number): Point[] {
  const space = 0.8 / Math.sqrt(points.length + 1);
  const inside = (value: number) => Math.min(Math.max(value, MARGIN), 1 - MARGIN);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < points.length; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [points[i] as Point, points[j] as Point];
        const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
        const distance = Math.hypot(dx, dy);
        if (distance >= space) continue;
        // Two at the same place go apart along a direction of their own.
        const [ux, uy] =
          distance > 1e-9 ? [dx / distance, dy / distance] : [Math.cos(i * GOLDEN), Math.sin(i * GOLDEN)];
        const by = 0.25 * (space - distance);
        points[i] = [inside(a[0] + ux * by), inside(a[1] + uy * by)];
        points[j] = [inside(b[0] - ux * by), inside(b[1] - uy * by)];
      }
    }
  }
  return points;
}

/** One round of Fruchterman and Reingold's forces, with a pull to the middle; nobody moves farther than `most`. */
function step(x: Float64Array, y: Float64Array, links: readonly Point[], apart: number, most: number): void {
  const [dx, dy] = [x.map((value) => -0.6 * value * apart), y.map((value) => -0.6 * value * apart)];
  const push = (i: number, j: number, by: (distance: number) => number) => {
    const [ox, oy] = [(x[i] as number) - (x[j] as number), (y[i] as number) - (y[j] as number)];
    const distance = Math.max(Math.hypot(ox, oy), 1e-4);
    const force = by(distance) / distance;
    dx[i] = (dx[i] as number) + ox * force;
    dy[i] = (dy[i] as number) + oy * force;
    dx[j] = (dx[j] as number) - ox * force;
    dy[j] = (dy[j] as number) - oy * force;
  };
  for (let i = 0; i < x.length; i++) for (let j = 0; j < i; j++) push(i, j, (d) => (apart * apart * apart) / d);
  for (const [v, e] of links) push(v, e, (d) => -(d * d) / 1.5);
  for (let k = 0; k < x.length; k++) {
    const length = Math.hypot(dx[k] as number, dy[k] as number);
    const scale = length > most ? most / length : 1;
    x[k] = (x[k] as number) + (dx[k] as number) * scale;
    y[k] = (y[k] as number) + (dy[k] as number) * scale;
  }
}

/** The same shape in the unit square. */
function within(x: Float64Array, y: Float64Array): Point[] {
  const range = (values: Float64Array): Point => [
    values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  ];
  const [[left, right], [top, bottom]] = [range(x), range(y)];
  const scale = (1 - 2 * MARGIN) / Math.max(right - left, bottom - top, 1e-6);
  return Array.from(
    x,
    (value, k): Point => [
      0.5 + scale * (value - (left + right) / 2),
      0.5 + scale * ((y[k] as number) - (top + bottom) / 2),
    ],
  );
}

function centre(list: readonly number[], points: readonly Point[]): Point {
  return mean(list.map((v) => points[v - 1] as Point)) ?? [0.5, 0.5];
}

function mean(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const sum = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0) / points.length;
  return [sum(0), sum(1)];
}

/** Points in cells as wide as the space around each, so that only those nearby are looked at. */
class Taken {
  readonly #cells = new Map<number, Point[]>();

  constructor(
    readonly space: number,
    points: readonly Point[],
  ) {
    for (const point of points) this.add(point);
  }

  add(point: Point): void {
    const cell = this.#cell(point[0], point[1]);
    const here = this.#cells.get(cell);
    if (here) here.push(point);
    else this.#cells.set(cell, [point]);
  }

  near(x: number, y: number): boolean {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const here = this.#cells.get(this.#cell(x + dx * this.space, y + dy * this.space)) ?? [];
        if (here.some(([ox, oy]) => (x - ox) ** 2 + (y - oy) ** 2 < this.space ** 2)) return true;
      }
    }
    return false;
  }

  #cell(x: number, y: number): number {
    return Math.floor(x / this.space) * 1e6 + Math.floor(y / this.space);
  }
}

/** The place nearest to the one that is wanted, along a spiral, that is far enough from all others; null if none is. */
function nearestFree(
  [x, y]: Point,
  taken: Taken,
  space: number,
  tries = TRIES,
  isFree: (at: Point) => boolean = () => true,
): Point | null {
  for (let k = 0; k < tries; k++) {
    const away = 0.25 * space * Math.sqrt(k);
    const at = inside([x + away * Math.cos(k * GOLDEN), y + away * Math.sin(k * GOLDEN)]);
    if (!taken.near(...at) && isFree(at)) return at;
  }
  return null;
}

function inside([x, y]: Point): Point {
  const within = (value: number) => Math.min(Math.max(value, MARGIN), 1 - MARGIN);
  return [within(x), within(y)];
}

/** About where the region of each hyperedge is: around those of its members whose places are known. */
function hullsOf({ members }: Hypergraph, known: readonly (Point | undefined)[]): Point[][] {
  if (members.length > MOST_HULLS) return [];
  return members.map(
    (list) => convexHull(list.flatMap((v) => (known[v - 1] ? [known[v - 1] as Point] : []))) as Point[],
  );
}

/** How far a point is from a hull; 0 in it. */
function awayFromHull(hull: readonly Point[], at: Point): number {
  if (hull.length === 0) return Number.POSITIVE_INFINITY;
  if (hull.length > 2 && insidePolygon(at, hull)) return 0;
  return Math.min(...sidesOf(hull).map((side) => distanceToSegment(at, side)));
}

/** Near the mean of the members, but not on a vertex or another hyperedge; empty ones off all of these, and off regions. */
function placedHyperedges(h: Hypergraph, vertices: readonly Point[]): Point[] {
  const count = h.hyperedges.length;
  const space = Math.min(0.05, 0.45 / Math.sqrt(count + vertices.length + 1));
  const taken = new Taken(space, vertices);
  const hulls = hullsOf(h, vertices).filter((hull) => hull.length > 0);
  const empty: Point[] = []; // where those without members stand
  return h.members.map((list) => {
    if (list.length === 0) {
      empty.push(freeAtEdge(hulls, vertices, empty));
      return empty.at(-1) as Point;
    }
    const wanted = centre(list, vertices);
    const point = nearestFree(wanted, taken, space) ?? inside(wanted);
    taken.add(point);
    return point;
  });
}

const ROOM = 0.3; // that an empty hyperedge wants to hulls and vertices: regions are drawn wider than these
const APART = 0.1; // from one empty hyperedge to the next

/** A place near the end of the picture, from the right of its upper edge on, with enough room around it, or else with most. */
function freeAtEdge(hulls: readonly (readonly Point[])[], vertices: readonly Point[], empty: readonly Point[]): Point {
  const steps = Array.from({ length: 19 }, (_, k) => 1 - MARGIN - k * 0.05);
  const low = MARGIN / 2;
  const places = [
    ...steps.map((x): Point => [x, low]),
    ...steps.map((y): Point => [1 - low, 1 - y]),
    ...steps.map((x): Point => [x, 1 - low]),
    ...steps.map((y): Point => [low, y]),
  ];
  const room = (at: Point) =>
    Math.min(
      ...hulls.map((hull) => awayFromHull(hull, at)),
      ...vertices.map(([x, y]) => Math.hypot(x - at[0], y - at[1])),
      ...empty.map(([x, y]) => (Math.hypot(x - at[0], y - at[1]) * ROOM) / APART),
      ROOM,
    );
  return places.reduce((best, at) => (room(at) > room(best) + 1e-9 ? at : best));
}
