/** Where everything of the picture is on the screen, for one size, zoom and way of drawing. */

import { isolated } from "../isolate";
import { FEW, shortText } from "../numbers";
import type { Box, Point, Segment } from "./geometry";
import { area, boxAround, nestingLevels, outlinesOf } from "./geometry";
import type { Graph } from "./graph";
import type { Place } from "./labelling";
import { boxAt, Occupied, shortened, Vertices } from "./labels";
import type { Result } from "./result";

export type Mode = "regions" | "bipartite" | "sparse";

/** Screen = stage × k + (x, y); the stage fills the picture at k = 1. */
export interface View {
  k: number;
  x: number;
  y: number;
}

export const WHOLE: View = { k: 1, x: 0, y: 0 };
export const MOST_REGIONS = 120;
const FEW_REGIONS = 16;
const STRETCH = 1.7; // how much more one direction may be stretched than the other, to fill the picture
const STRETCH_MOST = 3; // of a crowd in a flat picture, or of a chain, where about half would stay empty
const FILLED = 0.66; // of the height or width: a picture that has less is stretched more

/** The way of drawing that suits a hypergraph of that size. */
export function modeFor(vertices: number, hyperedges: number, incidences: number): Mode {
  // Where vertices are in many hyperedges each, regions would lie on top of each other: of more than a few, names and
  // outlines are seen only where hardly any two overlap.
  if (hyperedges <= FEW_REGIONS && incidences <= 4.5 * vertices) return "regions";
  if (hyperedges <= 40 && incidences <= 1.5 * vertices) return "regions";
  return hyperedges <= 1200 && incidences <= 6000 ? "bipartite" : "sparse";
}

/** How the unit square lies on the stage: stage = unit × scale + offset. */
export interface Fit {
  sx: number;
  sy: number;
  ox: number;
  oy: number;
}

const FLAT = 300; // pixels: a picture that is less wide or high has narrow regions, and small names

function isFlat(width: number, height: number): boolean {
  return Math.min(width, height) < FLAT;
}

const CROWD = 40; // vertices, from which on names stand between them

/** Whether names need every pixel: many vertices, drawn without regions, in a flat picture. */
function isFlatCrowd(graph: Graph, { mode, width, height }: Room): boolean {
  return mode !== "regions" && graph.n >= CROWD && isFlat(width, height);
}

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

export function fitOf(
  points: readonly Point[],
  width: number,
  height: number,
  margin: number | Margins,
  stretch = STRETCH,
): Fit {
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
  sx = Math.min(sx, sy * stretch);
  sy = Math.min(sy, sx * stretch);
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
  /** The longest text that each hyperedge has in the run, if it is more than its name. */
  readonly edgeTexts?: readonly string[];
  /** The longest value beside a vertex, in the answer. */
  readonly valueText?: string;
  /** The answer, where it is no mark of the picture, in lines. */
  readonly result?: readonly string[];
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

/** A fit with which whole regions are in the picture, not only their vertices, and which fills most of it if it can. */
export function fitWhole(graph: Graph, room: Room, margin: number): Fit {
  if (isFlatCrowd(graph, room)) return fitStretched(graph, room, margin, STRETCH_MOST);
  const fit = fitStretched(graph, room, margin, STRETCH);
  return filled(graph, room, fit) < FILLED ? fitStretched(graph, room, margin, STRETCH_MOST) : fit;
}

/** How much of the height or width that is free the vertices and what is around them take, whichever is less. */
function filled(graph: Graph, room: Room, fit: Fit): number {
  const { width, height, taken } = room;
  const layout = projected(graph, { ...room, view: WHOLE, fit });
  const points = graph.vertexText.slice(1).map((_, k) => pointOf(layout, k + 1));
  const { left, right, top, bottom } = boxAround(points, layout.radius + layout.font);
  return Math.min(
    (right - left) / Math.max(1, width - taken.left - taken.right),
    (bottom - top) / Math.max(1, height - taken.top - taken.bottom),
  );
}

function fitStretched(graph: Graph, room: Room, margin: number, stretch: number): Fit {
  const { width, height, taken } = room;
  // Hyperedges without members stand apart from all vertices.
  const points = [
    ...graph.vertexAt.slice(1),
    ...graph.edgeAt.filter((_, e) => e > 0 && graph.members[e]?.length === 0),
  ];
  let margins = marginsOf(margin, taken);
  let fit = fitOf(points, width, height, margins, stretch);
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
    fit = fitOf(points, width, height, margins, stretch);
  }
  return fit;
}

const NAMES_ROOM = 34; // pixels around the vertices of a picture without regions
const CROWD_ROOM = 8;

/** The fit with which all of a hypergraph is in the picture. */
export function fitFor(graph: Graph, room: Room): Fit {
  // A flat picture needs its room for the vertices.
  const least = Math.min(room.width, room.height);
  const wide = Math.min(90, least < FLAT ? 0.15 * least : 0.12 * least + 20);
  // Regions are wider than their vertices; without them, names are all that stands out.
  const names = isFlatCrowd(graph, room) ? CROWD_ROOM : NAMES_ROOM;
  return fitWhole(graph, room, room.mode === "regions" ? wide : Math.min(wide, names));
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
  const most = (isFlat(width, height) ? 0.04 : 0.05) * Math.min(width, height);
  const base = Math.min(15, Math.max(3.6, Math.min(share, most)));
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
  names: (Place | null)[]; // of vertices, where they are written
  values: Place[][]; // of vertices: where there is room for a value, the best place first
  edgeLabel: boolean[];
  edgeLead: (Segment | null)[]; // the line to the label, where it is not right beside its square
  edgesTold: boolean; // whether names of hyperedges say more as the run goes on
  edgeBox: (Box | null)[]; // of the label
  measure: Measure; // as the layout was made
  occupied: Occupied; // by vertices, squares and names
  vertices: Vertices; // whose a text seems to be
  result: Result | null; // where the answer stands, at the end
}

export type Measure = (text: string, font: string) => number;

/** Only where vertices and hyperedges are. */
export function projected(graph: Graph, { mode, view, fit, width, height, taken, edgeTexts }: Frame): Layout {
  // Squares need room as well.
  const marks = mode === "bipartite" ? graph.n + graph.m : graph.n;
  const radius = radiusFor(marks, width, height, view.k);
  const [x, y] = [new Float64Array(graph.n + 1), new Float64Array(graph.n + 1)];
  project(graph.vertexAt, view, fit, x, y);
  const layout: Layout = {
    mode,
    width,
    height,
    taken,
    radius,
    base: radiusFor(marks, width, height, 1),
    font: isFlat(width, height) ? 11 : radius >= 9 ? 13 : radius >= 6 ? 12 : 11,
    x,
    y,
    ex: new Float64Array(graph.m + 1),
    ey: new Float64Array(graph.m + 1),
    outlines: [],
    paths: [],
    areas: [],
    names: [],
    values: [],
    edgeLabel: [],
    edgeLead: [],
    edgesTold: edgeTexts !== undefined,
    edgeBox: [],
    measure: () => 0,
    occupied: new Occupied(),
    vertices: new Vertices(x, y, radius),
    result: null,
  };
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

const EDGE_BOXES = new WeakMap<Layout["edgeBox"], readonly Box[]>();

/** The names of hyperedges that have a place: of thousands, often none. Asked for when the layout is done. */
export function edgeBoxesOf({ edgeBox }: Layout): readonly Box[] {
  const known = EDGE_BOXES.get(edgeBox) ?? edgeBox.filter((box) => box !== null);
  EDGE_BOXES.set(edgeBox, known);
  return known;
}

export function circleBox(layout: Layout, v: number): Box {
  return boxAt(pointOf(layout, v), 2 * layout.radius, 2 * layout.radius);
}

export const FACE =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export function vertexFont(layout: Layout): string {
  return `600 ${layout.font}px ${FACE}`;
}

export function valueFont(layout: Layout, changed: boolean): string {
  return `${changed ? 700 : 500} ${layout.font}px ${FACE}`;
}

export function edgeFont(layout: Layout, strong = false): string {
  return `${strong ? 700 : 500} ${Math.max(11, layout.font - 1)}px ${FACE}`;
}

const LONGEST = 36; // letters of a name, where there is room

export function vertexLabelText(graph: Graph, v: number): string {
  return shortened(graph.vertexText[v] ?? "", LONGEST);
}

export function edgeLabelText(graph: Graph, e: number): string {
  // As in `hyloop draw`: where all weights are 1, none is written.
  const weight = graph.weighed ? graph.weights[e] : "";
  return weight
    ? `${isolated(shortened(graph.edgeText[e] ?? "", 22))} · ${shortText(weight, FEW)}`
    : shortened(graph.edgeText[e] ?? "", 22);
}

/** Before the name of a hyperedge that is in the answer. */
export const STAR = "★ ";

/** The name of a hyperedge as things stand: whether it is in the answer, and the value that colours it. */
export function edgeTextWith(graph: Graph, e: number, chosen: boolean, value: string): string {
  return `${chosen ? STAR : ""}${edgeLabelText(graph, e)}${value === "" ? "" : ` (${value})`}`;
}

/** The lines of a text. */
export function linesOfText(text: string): string[] {
  return text.split("\n");
}

/** The size of the letters of a font. */
export function sizeOfFont(font: string): number {
  return Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? "12");
}

/** The room of a text in lines of a font, without any air around it. */
export function sizeOfText(text: string, font: string, size: number, measure: Measure): [number, number] {
  const lines = linesOfText(text);
  return [Math.max(...lines.map((line) => measure(line, font))), lines.length * (size + 2)];
}

/** The picture without the strip at its top that the controls cover. */
export function underBar(layout: Layout): Box {
  const { taken, width, height } = layout;
  const top = Math.min(taken.top, height / 3);
  return { left: taken.left, top, right: width - taken.right, bottom: height - taken.bottom };
}

const APART = 5; // pixels between a region and a vertex that is no member

export function placeRegions(graph: Graph, layout: Layout): void {
  const levels = nestingLevels(graph.members);
  const points = Array.from({ length: graph.n + 1 }, (_, v) => pointOf(layout, v));
  const view = viewBox(layout, 60);
  // Few regions are so wide that labels and values of vertices lie inside.
  const flat = isFlat(layout.width, layout.height);
  const room = flat ? 5 : graph.m <= FEW_REGIONS ? layout.font + 5 : 9;
  const apart = flat ? 3 : 5.5; // pixels between the lines of regions that share vertices
  layout.outlines = graph.members.map((members, e) => {
    if (e === 0) return [];
    if (members.length === 0) return [ringAround(squareOf(layout, e), EMPTY * layout.radius)];
    const inside = new Set(members);
    const strangers = points.filter((_, v) => v > 0 && !inside.has(v));
    const level = Math.min(6, levels[e] ?? 0);
    return outlinesOf(
      members.map((v) => points[v] as Point),
      strangers,
      layout.radius + room + apart * level,
      layout.radius + APART,
      view,
      layout.radius + 4 + 0.3 * apart * level,
    );
  });
  layout.areas = layout.outlines.map((loops) => loops.reduce((sum, loop) => sum + area(loop), 0));
  layout.paths = layout.outlines.map(pathOf);
}

const EMPTY = 0.9; // the radius of the ring of a hyperedge without members, in radii of vertices

function ringAround([x, y]: Point, radius: number): Point[] {
  const angles = Array.from({ length: 16 }, (_, k) => (k * Math.PI) / 8);
  return angles.map((angle): Point => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
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

/** Half the side of a hyperedge's square: smaller where they are many. */
export function squareSize(layout: Layout): number {
  const room = 0.11 * Math.sqrt((layout.width * layout.height) / Math.max(1, layout.ex.length));
  return Math.max(2, Math.min(layout.radius * 0.42, room * (layout.radius / layout.base)));
}
