/** Where everything of the picture is on the screen, for one size, zoom and way of drawing. */

import { FEW, shortText } from "../numbers";
import type { Box, Point } from "./geometry";
import { area, boxAround, insidePolygon, nestingLevels, outlinesOf, overlap } from "./geometry";
import type { Graph } from "./graph";
import { bestPlace, boxAt, Occupied, shortened, thinned } from "./labels";
import type { Side } from "./marks";

export type Mode = "regions" | "bipartite" | "sparse";

/** Screen = stage × k + (x, y); the stage fills the picture at k = 1. */
export interface View {
  k: number;
  x: number;
  y: number;
}

export const WHOLE: View = { k: 1, x: 0, y: 0 };
export const MOST_REGIONS = 120;
const STRETCH = 1.7; // how much more one direction may be stretched than the other, to fill the picture

/** The way of drawing that suits a hypergraph of that size. */
export function modeFor(vertices: number, hyperedges: number, incidences: number): Mode {
  // Where vertices are in many hyperedges each, regions would lie on top of each other.
  if (hyperedges <= 40 && incidences <= 4.5 * vertices) return "regions";
  return hyperedges <= 1200 && incidences <= 6000 ? "bipartite" : "sparse";
}

/** How the unit square lies on the stage: stage = unit × scale + offset. */
export interface Fit {
  sx: number;
  sy: number;
  ox: number;
  oy: number;
}

const SMALL = 460; // pixels: a picture that is less wide or high has no room for every label

export const FLAT = 300; // pixels: a picture that is less wide or high has narrow regions

/** Pixels that stay free at each side of the vertices. */
export interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What the controls take: a bar at the top. */
export const BAR: Margins = { left: 4, top: 40, right: 4, bottom: 4 };

/** The same at each side, besides what the controls take. */
function marginsOf(margin: number, taken: Margins): Margins {
  const { left, top, right, bottom } = taken;
  return { left: left + margin, top: top + margin, right: right + margin, bottom: bottom + margin };
}

export function fitOf(points: readonly Point[], width: number, height: number, margin: number | Margins): Fit {
  const { left, top, right, bottom } =
    typeof margin === "number" ? marginsOf(margin, { ...BAR, left: 0, right: 0, bottom: 0 }) : margin;
  const box = points.length > 0 ? boxAround(points) : { left: 0, right: 1, top: 0, bottom: 1 };
  const [w, h] = [Math.max(box.right - box.left, 1e-6), Math.max(box.bottom - box.top, 1e-6)];
  const roomX = Math.max(40, width - left - right);
  const roomY = Math.max(40, height - top - bottom);
  // Few points in a row (or one) would otherwise be spread without limit.
  const most = Math.max(roomX, roomY) * 3;
  let sx = Math.min(roomX / w, most);
  let sy = Math.min(roomY / h, most);
  sx = Math.min(sx, sy * STRETCH);
  sy = Math.min(sy, sx * STRETCH);
  const [cx, cy] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return { sx, sy, ox: (width + left - right) / 2 - cx * sx, oy: (height + top - bottom) / 2 - cy * sy };
}

/** How a picture is drawn, and the room that it has. */
export interface Room {
  readonly mode: Mode;
  readonly width: number;
  readonly height: number;
  readonly taken: Margins; // by the controls
}

/** The same with what is seen of the stage. */
export interface Frame extends Room {
  readonly view: View;
  readonly fit: Fit;
}

/** How far regions and names reach beyond the picture, or under its controls, at each side, with all in view. */
export function overhang(graph: Graph, room: Room, fit: Fit): Margins {
  const { mode, width, height, taken } = room;
  const layout = projected(graph, { ...room, view: WHOLE, fit });
  if (mode === "regions") placeRegions(graph, layout);
  const points = graph.vertexText.slice(1).map((_, k) => pointOf(layout, k + 1));
  const [named, held] = [boxAround(points, layout.radius + layout.font + 3), boxAround(layout.outlines.flat(2))];
  const past = (by: number) => Math.max(0, Number.isFinite(by) ? by : 0);
  return {
    left: past(taken.left - Math.min(named.left, held.left)),
    top: past(taken.top - Math.min(named.top, held.top)),
    right: past(Math.max(named.right, held.right) - width + taken.right),
    bottom: past(Math.max(named.bottom, held.bottom) - height + taken.bottom),
  };
}

const ROUNDS = 3;

/** A fit with which whole regions are in the picture, not only their vertices. */
export function fitWhole(graph: Graph, room: Room, margin: number): Fit {
  const { width, height, taken } = room;
  const points = graph.vertexAt.slice(1);
  let margins = marginsOf(margin, taken);
  let fit = fitOf(points, width, height, margins);
  for (let round = 0; round < ROUNDS; round++) {
    const over = overhang(graph, room, fit);
    if (Math.max(over.left, over.top, over.right, over.bottom) < 1) break;
    const more = (side: keyof Margins, all: number) => Math.min(margins[side] + over[side], 0.45 * all);
    margins = {
      left: more("left", width),
      top: more("top", height),
      right: more("right", width),
      bottom: more("bottom", height),
    };
    fit = fitOf(points, width, height, margins);
  }
  return fit;
}

/** A view that zooms by a factor and keeps the point under the pointer where it is. */
export function zoomed(view: View, factor: number, [px, py]: Point): View {
  const k = Math.min(40, Math.max(0.3, view.k * factor));
  const by = k / view.k;
  return { k, x: px - (px - view.x) * by, y: py - (py - view.y) * by };
}

/** The radius of vertices: smaller where they are many, growing slowly when one zooms in. */
export function radiusFor(n: number, width: number, height: number, k: number): number {
  const share = 0.16 * Math.sqrt((width * height) / Math.max(1, n));
  const base = Math.min(15, Math.max(3.6, Math.min(share, 0.05 * Math.min(width, height))));
  return Math.min(22, base * Math.max(0.7, k ** 0.45));
}

export interface Layout {
  mode: Mode;
  width: number;
  height: number;
  taken: Margins; // what the controls take
  radius: number;
  base: number; // the radius without zoom
  font: number;
  x: Float64Array; // of vertices, from 1
  y: Float64Array;
  ex: Float64Array; // of hyperedges: their squares, or the labels of their regions
  ey: Float64Array;
  outlines: Point[][][]; // of regions; else empty
  paths: Path2D[];
  areas: number[];
  vertexLabel: boolean[];
  nameSide: Side[]; // of the vertex on which its name stands
  valueSide: ("below" | "left" | "right" | "none")[]; // the value; "below" is above where the name stands below
  edgeLabel: boolean[];
  edgeBox: (Box | null)[]; // of the label
}

export type Measure = (text: string, font: string) => number;

export function layoutOf(graph: Graph, frame: Frame, measure: Measure): Layout {
  const { mode } = frame;
  const layout = projected(graph, frame);
  const occupied = new Occupied();
  for (let v = 1; v <= graph.n; v++) occupied.add(circleBox(layout, v));
  if (mode === "regions") {
    // Few hyperedges: every vertex has its label, and the labels of regions make way.
    placeVertexLabels(graph, layout, occupied, measure);
    placeRegions(graph, layout);
    placeRegionLabels(graph, layout, occupied, measure);
  } else {
    placeVertexLabels(graph, layout, occupied, measure);
    if (mode === "bipartite") placeSquareLabels(graph, layout, occupied, measure);
  }
  return layout;
}

/** Only where vertices and hyperedges are. */
function projected(graph: Graph, { mode, view, fit, width, height, taken }: Frame): Layout {
  // Squares need room as well.
  const marks = mode === "bipartite" ? graph.n + graph.m : graph.n;
  const radius = radiusFor(marks, width, height, view.k);
  const layout: Layout = {
    mode,
    width,
    height,
    taken,
    radius,
    base: radiusFor(marks, width, height, 1),
    font: radius >= 9 ? 13 : radius >= 6 ? 12 : 11,
    x: new Float64Array(graph.n + 1),
    y: new Float64Array(graph.n + 1),
    ex: new Float64Array(graph.m + 1),
    ey: new Float64Array(graph.m + 1),
    outlines: [],
    paths: [],
    areas: [],
    vertexLabel: [],
    nameSide: [],
    valueSide: [],
    edgeLabel: [],
    edgeBox: [],
  };
  project(graph.vertexAt, view, fit, layout.x, layout.y);
  project(graph.edgeAt, view, fit, layout.ex, layout.ey);
  return layout;
}

function project(from: readonly Point[], view: View, fit: Fit, xs: Float64Array, ys: Float64Array): void {
  for (let k = 1; k < from.length; k++) {
    const [x, y] = from[k] as Point;
    xs[k] = (x * fit.sx + fit.ox) * view.k + view.x;
    ys[k] = (y * fit.sy + fit.oy) * view.k + view.y;
  }
}

export function viewBox(layout: Layout, margin = 0): Box {
  return { left: -margin, top: -margin, right: layout.width + margin, bottom: layout.height + margin };
}

export function pointOf(layout: Layout, v: number): Point {
  return [layout.x[v] ?? 0, layout.y[v] ?? 0];
}

export function squareOf(layout: Layout, e: number): Point {
  return [layout.ex[e] ?? 0, layout.ey[e] ?? 0];
}

function circleBox(layout: Layout, v: number): Box {
  return boxAt(pointOf(layout, v), 2 * layout.radius, 2 * layout.radius);
}

export const FACE =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export function vertexFont(layout: Layout): string {
  return `600 ${layout.font}px ${FACE}`;
}

export function edgeFont(layout: Layout, strong = false): string {
  return `${strong ? 700 : 500} ${Math.max(11, layout.font - 1)}px ${FACE}`;
}

export function vertexLabelText(graph: Graph, v: number): string {
  return shortened(graph.vertexText[v] ?? "", 18);
}

export function edgeLabelText(graph: Graph, e: number): string {
  const weight = graph.weights[e];
  return weight
    ? `${shortened(graph.edgeText[e] ?? "", 22)} · ${shortText(weight, FEW)}`
    : shortened(graph.edgeText[e] ?? "", 22);
}

const NAME_SIDES: readonly Side[] = ["above", "below", "right", "left"];
const MOST_TRIED = 300; // vertices whose names may stand on any side; of more, above only
const MOST_NAMED = 120; // vertices whose names are shown even if they cover a little
const MOST_VALUED = 40; // vertices whose values are
const MOST_COVERED = 0.3; // of a name, by what else is there

/** Names of vertices, those in many hyperedges first, on the first side where there is room. */
function placeVertexLabels(graph: Graph, layout: Layout, occupied: Occupied, measure: Measure): void {
  const view = graph.n <= MOST_TRIED ? underBar(layout) : viewBox(layout, 20);
  const order = Array.from({ length: graph.n }, (_, k) => k + 1).sort(
    (a, b) => (graph.edgesOf[b]?.length ?? 0) - (graph.edgesOf[a]?.length ?? 0),
  );
  layout.vertexLabel = new Array(graph.n + 1).fill(false);
  layout.nameSide = new Array(graph.n + 1).fill("above");
  for (const v of order) {
    const width = measure(vertexLabelText(graph, v), vertexFont(layout)) + 6;
    const found = nameBox(layout, v, width, occupied, view, graph.n);
    if (!found) continue;
    occupied.add(found.box);
    layout.vertexLabel[v] = true;
    layout.nameSide[v] = found.side;
  }
  placeValues(graph, layout, occupied);
}

/** Values stand on the other side of the label, where that is shown; or beside the vertex, where only there is room. */
function placeValues(graph: Graph, layout: Layout, occupied: Occupied): void {
  const { radius, font } = layout;
  layout.valueSide = new Array(graph.n + 1).fill("below");
  const view = viewBox(layout);
  for (let v = 1; v <= graph.n; v++) {
    if (!layout.vertexLabel[v]) continue;
    const [x, y] = pointOf(layout, v);
    const side = layout.nameSide[v];
    const top = side === "below" ? y - radius - font - 5 : y + radius + 2;
    const under = { left: x - 14, right: x + 14, top, bottom: top + font + 3 };
    const far = radius + 19;
    const places = [
      ["below", under],
      ["right", boxAt([x + far, y], 28, font + 3)],
      ["left", boxAt([x - far, y], 28, font + 3)],
    ] as const;
    const free = places.find(([at, box]) => at !== side && !occupied.hits(box) && isWithin(box, view));
    // In a crowd, no value is better than one over others.
    const [at, box] = free ?? places[0];
    layout.valueSide[v] = free || graph.n <= MOST_VALUED ? at : "none";
    if (layout.valueSide[v] !== "none") occupied.add(box);
  }
}

function isWithin(box: Box, view: Box): boolean {
  return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
}

function nameBox(layout: Layout, v: number, width: number, occupied: Occupied, view: Box, n: number) {
  let best: { side: Side; box: Box } | null = null;
  let least = n <= MOST_NAMED ? MOST_COVERED : 0;
  for (const side of n <= MOST_TRIED ? NAME_SIDES : NAME_SIDES.slice(0, 1)) {
    const box = besideVertex(layout, v, width, side);
    const inside = overlap(box, view);
    if (inside === 0) continue;
    const all = (box.right - box.left) * (box.bottom - box.top);
    const outside = n <= MOST_TRIED ? all - inside : 0;
    if (outside === 0 && !occupied.hits(box)) return { side, box };
    const share = (occupied.covered(box) + outside) / all;
    if (share < least) [least, best] = [share, { side, box }];
  }
  return best;
}

/** The box of a text of that width on one side of a vertex. */
function besideVertex(layout: Layout, v: number, width: number, side: Side): Box {
  const [x, y] = pointOf(layout, v);
  const { radius, font } = layout;
  if (side === "right" || side === "left") {
    const far = radius + 3 + width / 2;
    return boxAt([side === "right" ? x + far : x - far, y], width, font + 4);
  }
  const top = side === "above" ? y - radius - font - 5 : y + radius + 1;
  return { left: x - width / 2, right: x + width / 2, top, bottom: top + font + 4 };
}

/** The picture without the strip at its top that the controls cover. */
export function underBar(layout: Layout): Box {
  const { taken, width, height } = layout;
  const top = Math.min(taken.top, height / 3);
  return { left: taken.left, top, right: width - taken.right, bottom: height - taken.bottom };
}

function placeRegions(graph: Graph, layout: Layout): void {
  const levels = nestingLevels(graph.members);
  const points = Array.from({ length: graph.n + 1 }, (_, v) => pointOf(layout, v));
  const view = viewBox(layout, 60);
  // Few regions are so wide that labels and values of vertices lie inside.
  const flat = Math.min(layout.width, layout.height) < FLAT;
  const room = flat ? 5 : graph.m <= 16 ? layout.font + 5 : 9;
  const apart = flat ? 3 : 5.5; // pixels between the lines of regions that share vertices
  layout.outlines = graph.members.map((members, e) => {
    if (e === 0) return [];
    const inside = new Set(members);
    const strangers = points.filter((_, v) => v > 0 && !inside.has(v));
    const radius = layout.radius + room + apart * Math.min(6, levels[e] ?? 0);
    return outlinesOf(
      members.map((v) => points[v] as Point),
      strangers,
      radius,
      layout.radius + 4,
      view,
    );
  });
  layout.areas = layout.outlines.map((loops) => loops.reduce((sum, loop) => sum + area(loop), 0));
  layout.paths = layout.outlines.map(pathOf);
}

function pathOf(loops: readonly Point[][]): Path2D {
  const path = new Path2D();
  for (const loop of loops) {
    // Through the middles, with the points as controls: corners of the grid are rounded off.
    const middle = (k: number): Point => {
      const [a, b] = [loop[k % loop.length] as Point, loop[(k + 1) % loop.length] as Point];
      return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    };
    path.moveTo(...middle(loop.length - 1));
    for (const [k, point] of loop.entries()) path.quadraticCurveTo(point[0], point[1], ...middle(k));
    path.closePath();
  }
  return path;
}

const TEXT_OVER_TEXT = 3;

function placeRegionLabels(graph: Graph, layout: Layout, occupied: Occupied, measure: Measure): void {
  layout.edgeBox = graph.members.map(() => null);
  layout.edgeLabel = graph.members.map(() => false);
  const regions = loopsOf(layout.outlines);
  const order = [...graph.members.keys()].slice(1).sort((a, b) => (layout.areas[a] ?? 0) - (layout.areas[b] ?? 0));
  for (const e of order) {
    const width = measure(edgeLabelText(graph, e), edgeFont(layout, true)) + 14;
    const height = layout.font + 5;
    const onLine = labelPlaces(layout.outlines[e] ?? [], e, layout.outlines);
    const candidates = [...onLine, ...beside(onLine, width, height)].map((at) =>
      inside(at, width, height, underBar(layout)),
    );
    const clear = candidates.filter((place) => !isAmidOther(graph, regions, e, place));
    const small = Math.min(layout.width, layout.height) < SMALL;
    const among = clear.length > 0 || small ? clear : candidates;
    // A line through a label can be read, another text over it cannot.
    const cost = (box: Box) => crossed(regions, e, box) + TEXT_OVER_TEXT * occupied.covered(box);
    const place = bestPlace(among, width, height, occupied, underBar(layout), cost);
    if (!place) continue;
    const box = boxAt(place, width, height);
    // In a small picture no label is better than one that hides something, or seems to be that of another region.
    if (small && occupied.covered(box) > 0.12 * width * height) continue;
    occupied.add(box);
    layout.edgeBox[e] = box;
    layout.edgeLabel[e] = true;
    layout.ex[e] = place[0];
    layout.ey[e] = place[1];
  }
}

/** A label that would be cut by the end of the picture moves into it. */
function inside([x, y]: Point, width: number, height: number, view: Box): Point {
  if (overlap(boxAt([x, y], width, height), view) === 0) return [x, y];
  const within = (at: number, least: number, most: number) => Math.min(Math.max(at, least), Math.max(least, most));
  return [
    within(x, view.left + width / 2, view.right - width / 2),
    within(y, view.top + height / 2, view.bottom - height / 2),
  ];
}

const CROSSING = 40; // pixels of text that one point of another outline counts for

/** How much a label there would lie on the lines of other regions. */
function crossed(regions: readonly Loop[], own: number, box: Box): number {
  let points = 0;
  for (const { e, loop, box: around } of regions) {
    if (e === own || overlap(box, around) === 0) continue;
    for (const [x, y] of loop) if (x > box.left && x < box.right && y > box.top && y < box.bottom) points++;
  }
  return points * CROSSING;
}

/** Whether a label there would seem to be that of another region: one that does not hold all of this one. */
function isAmidOther(graph: Graph, regions: readonly Loop[], own: number, place: Point): boolean {
  const members = graph.members[own] ?? [];
  return regions.some(({ e, loop, box }) => {
    // Most regions are elsewhere: their boxes tell that at once.
    if (e === own || place[0] < box.left || place[0] > box.right || place[1] < box.top || place[1] > box.bottom)
      return false;
    return insidePolygon(place, loop) && !members.every((v) => graph.members[e]?.includes(v));
  });
}

interface Loop {
  e: number;
  loop: Point[];
  box: Box;
}

function loopsOf(outlines: readonly Point[][][]): Loop[] {
  return outlines.flatMap((loops, e) => loops.map((loop) => ({ e, loop, box: boxAround(loop) })));
}

/** Points of the outline where a label could stand: those far from other outlines first, then the highest. */
function labelPlaces(loops: readonly Point[][], own: number, outlines: readonly Point[][][]): Point[] {
  const points = loops.flatMap((loop) => loop.filter((_, k) => k % Math.max(1, Math.round(loop.length / 36)) === 0));
  const others = outlines.flatMap((list, e) => (e === own ? [] : list.flat().filter((_, k) => k % 6 === 0)));
  const rated = points.map((point) => {
    let near = 40;
    for (const other of others) near = Math.min(near, Math.hypot(point[0] - other[0], (point[1] - other[1]) * 1.6));
    return { point, rate: near - point[1] * 0.02 };
  });
  return rated.sort((a, b) => b.rate - a.rate).map(({ point }) => point);
}

/** The places just outside of these points of an outline: small regions have no room on the line. */
function beside(points: readonly Point[], width: number, height: number): Point[] {
  if (points.length === 0) return [];
  const cx = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const cy = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  return points.map(([x, y]) => {
    const far = Math.hypot(x - cx, y - cy) || 1;
    const [nx, ny] = [(x - cx) / far, (y - cy) / far];
    const out = (Math.abs(nx) * width) / 2 + (Math.abs(ny) * height) / 2 - 3;
    return [x + nx * out, y + ny * out] as const;
  });
}

function placeSquareLabels(graph: Graph, layout: Layout, occupied: Occupied, measure: Measure): void {
  const boxes: Box[] = [boxAt([-1e6, -1e6], 0, 0)];
  for (let e = 1; e <= graph.m; e++) {
    const [x, y] = squareOf(layout, e);
    boxes.push(
      boxAt(
        [x, y + squareSize(layout) + layout.font * 0.75],
        measure(edgeLabelText(graph, e), edgeFont(layout)) + 4,
        layout.font + 3,
      ),
    );
    occupied.add(boxAt([x, y], 2 * squareSize(layout), 2 * squareSize(layout)));
  }
  const order = [...boxes.keys()]
    .slice(1)
    .sort((a, b) => (graph.members[b]?.length ?? 0) - (graph.members[a]?.length ?? 0));
  layout.edgeLabel = thinned(boxes, order, viewBox(layout, 20), occupied);
  layout.edgeBox = boxes.map((box, e) => (layout.edgeLabel[e] ? box : null));
}

/** Half the side of a hyperedge's square: smaller where they are many. */
export function squareSize(layout: Layout): number {
  const room = 0.11 * Math.sqrt((layout.width * layout.height) / Math.max(1, layout.ex.length));
  return Math.max(2, Math.min(layout.radius * 0.42, room * (layout.radius / layout.base)));
}
