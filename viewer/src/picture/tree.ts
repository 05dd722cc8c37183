/** The tree of predecessors: arrows that pass vertices and names. */

import { alongCurve, type Box, type Curve, curveBetween, lengthInside, type Point, type Segment } from "./geometry";
import { type Layout, pointOf, squareOf } from "./layout";
import { reach, type VertexMark } from "./marks";
import type { Moment, Scene } from "./scene";
import type { Status } from "./status";

export interface Tree {
  /** By the vertex that they lead to. */
  near: Map<number, Curve>;
  dimmed: Map<number, Curve>;
  /** Of a vertex: where the arrows that begin or end there come from; nothing where texts are kept. */
  towards: Map<number, Point[]>;
}

/** The arrow that led to each vertex when it was last asked for: nearly all are as at the frame before. */
interface Known {
  readonly from: number;
  readonly bend: number;
  readonly rings: number;
  readonly curve: Curve | null;
}
const CURVES = new WeakMap<Layout, Known[]>();

/** The tree of predecessors, for the vertices that are settled (or all, where nothing says which are). */
export function treeOf(scene: Scene, { status }: Moment, marks: readonly VertexMark[]): Tree {
  const { graph, layout, focus, sprites } = scene;
  const { radius, mode } = layout;
  const anySettled = status.settled.includes(1);
  const curves = CURVES.get(layout) ?? [];
  CURVES.set(layout, curves);
  const tree: Tree = { near: new Map(), dimmed: new Map(), towards: new Map() };
  const known = new Map<number, number>();
  for (let v = 1; v <= graph.n; v++) {
    const from = status.predecessor[v] as number;
    if (from === 0 || from === v || (anySettled && !status.settled[v])) continue;
    const [a, b] = [pointOf(layout, from), pointOf(layout, v)];
    const bend =
      mode === "regions"
        ? bendAfter(layout, status.predecessor, v, known)
        : bendTowards(a, b, scene, status.through[v] as number);
    // Kept arrows stay as they are while marks come and go around a vertex, which lie on top of them.
    const rings = sprites ? 0 : reach(marks[v] as VertexMark, radius);
    const before = curves[v];
    const same = before?.from === from && before.bend === bend && before.rings === rings;
    const { curve } = same ? before : { curve: treeCurve(layout, from, v, bend, rings) };
    if (!same) curves[v] = { from, bend, rings, curve };
    const dim = focus.vertices && !(focus.vertices.has(v) && focus.vertices.has(from));
    if (curve) tree[dim ? "dimmed" : "near"].set(v, curve);
    if (sprites) continue; // kept texts do not make way for arrows
    for (const [one, there] of [
      [v, a],
      [from, b],
    ] as const)
      tree.towards.set(one, [...(tree.towards.get(one) ?? []), there]);
  }
  return tree;
}

/** The arrow to v; it ends before the rings around v, and before its name. Null where there is no room for one. */
export function treeCurve(layout: Layout, from: number, v: number, bend: number, rings: number): Curve | null {
  const [a, b] = [pointOf(layout, from), pointOf(layout, v)];
  const [least, head] = [layout.radius + 2, treeHead(layout)];
  const spare = Math.hypot(b[0] - a[0], b[1] - a[1]) - 2 * least - head;
  if (spare < 0) return null;
  // A bent arrow leaves toward its control point, and comes from there.
  const { control } = curveBetween(a, b, 0, 0, bend);
  const [leaves, comes] = [roomForName(layout, from, a, control), roomForName(layout, v, b, control)];
  const [start, end] = leaves + comes + rings <= spare ? [leaves, comes + rings] : [0, Math.min(rings, spare)];
  return curveBetween(a, b, least + start, least + end, bend);
}

/** The bend of the arrow to v, which does not begin where the arrow to its predecessor ends: both would seem one. */
function bendAfter(layout: Layout, predecessor: Status["predecessor"], v: number, known: Map<number, number>): number {
  const found = known.get(v);
  if (found !== undefined) return found;
  const from = predecessor[v] as number;
  known.set(v, BENDS[0]); // predecessors in a circle end here
  const before = (predecessor[from] ?? 0) as number;
  const comes =
    before === 0 || before === from
      ? null
      : curveBetween(
          pointOf(layout, before),
          pointOf(layout, from),
          0,
          layout.radius + 2,
          bendAfter(layout, predecessor, from, known),
        ).end;
  const bend = clearBend(layout, from, v, comes);
  known.set(v, bend);
  return bend;
}

export function treeWidth({ radius }: Layout): number {
  return Math.min(2, 0.8 + radius * 0.08);
}

export function treeHead({ radius }: Layout): number {
  return Math.min(11, 4 + radius * 0.45);
}

/** The head of the arrow to v; null where there is none. It is drawn over texts. */
export function headAt({ near, dimmed }: Tree, v: number, layout: Layout): Segment | null {
  const curve = near.get(v) ?? dimmed.get(v);
  if (!curve) return null;
  const [[x, y], long] = [curve.end, treeHead(layout)];
  return [curve.end, [x - Math.cos(curve.angle) * long, y - Math.sin(curve.angle) * long]];
}

export function treeAlpha({ mode }: Layout): number {
  return mode === "sparse" ? 0.55 : 0.85;
}

/** How much earlier an arrow between `here`, the place of v, and `there` ends, so as not to run through v's name. */
function roomForName(layout: Layout, v: number, here: Point, there: Point): number {
  const name = layout.names[v];
  const long = Math.hypot(there[0] - here[0], there[1] - here[1]);
  if (!name || long === 0) return 0;
  const most = layout.radius + layout.font + 6;
  const share = Math.min(1, most / long);
  const end: Point = [here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share];
  // Along a name, an arrow would end far from its vertex.
  if (lengthInside([here, end], name.box) === 0 || isWithin(end, name.box)) return 0;
  // As far as the name reaches, and no farther: it would end in the void.
  const steps = Array.from({ length: NAME_STEPS }, (_, k) => (k + 1) / NAME_STEPS).map(
    (t): Point => [here[0] + (end[0] - here[0]) * t, here[1] + (end[1] - here[1]) * t],
  );
  const last = steps.findLast((at) => isWithin(at, name.box));
  return last ? Math.max(0, Math.hypot(last[0] - here[0], last[1] - here[1]) - layout.radius) : 0;
}

const NAME_STEPS = 12; // places along the end of an arrow that are looked at

function isWithin([x, y]: Point, { left, right, top, bottom }: Box): boolean {
  return x > left && x < right && y > top && y < bottom;
}

const BENDS = [0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45] as const;

const JOINED = 5; // so does an arrow that begins where another ends

const PASSES = 10; // a vertex in the way counts as much as so many labels

const CLEAR = new WeakMap<Layout, Map<string, number>>();

/** The least bend with which an arrow passes no other vertex, and no label if that can be. */
function clearBend(layout: Layout, from: number, to: number, comes: Point | null): number {
  const known = CLEAR.get(layout) ?? new Map<string, number>();
  CLEAR.set(layout, known);
  const key = `${from} ${to} ${comes}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const costs = BENDS.map(
    (bend) => inTheWay(layout, from, to, bend) + (isOn(layout, from, to, bend, comes) ? JOINED : 0),
  );
  const best = BENDS[costs.indexOf(Math.min(...costs))] ?? BENDS[0];
  known.set(key, best);
  return best;
}

/** Whether an arrow begins where another one ends. */
function isOn(layout: Layout, from: number, to: number, bend: number, comes: Point | null): boolean {
  if (!comes) return false;
  const [a, b] = [pointOf(layout, from), pointOf(layout, to)];
  const { start } = curveBetween(a, b, layout.radius + 2, 0, bend);
  return Math.hypot(start[0] - comes[0], start[1] - comes[1]) < treeHead(layout);
}

function inTheWay(layout: Layout, from: number, to: number, bend: number): number {
  const { radius, edgeBox } = layout;
  const curve = curveBetween(pointOf(layout, from), pointOf(layout, to), radius, radius, bend);
  const points = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => alongCurve(curve, k / 10));
  let cost = 0;
  for (let v = 1; v < layout.x.length; v++) {
    if (v === from || v === to) continue;
    const [x, y] = pointOf(layout, v);
    if (points.some((p) => Math.hypot(p[0] - x, p[1] - y) < radius + 5)) cost += PASSES;
  }
  for (const box of [...edgeBox, ...layout.names.map((name) => name?.box)])
    if (box && points.some((point) => isWithin(point, box))) cost += 1;
  return cost;
}

/** How much an arrow bends so that it passes near the square of the hyperedge it goes through. */
function bendTowards(a: Point, b: Point, { layout, graph }: Scene, e: number): number {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (e === 0 || e > graph.m || length === 0) return 0.08;
  const [x, y] = squareOf(layout, e);
  const off = ((x - a[0]) * -(b[1] - a[1]) + (y - a[1]) * (b[0] - a[0])) / (length * length);
  return Math.max(-0.5, Math.min(0.5, off * 1.6 || 0.08));
}
