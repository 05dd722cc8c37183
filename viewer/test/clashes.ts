/** What a picture's labels run into, and which vertices a region seems to hold though they are no members: counted. */

import {
  type Box,
  distance,
  distanceToSegment,
  edgesOf,
  insidePolygon,
  lengthInside,
  overlap,
  type Point,
  type Segment,
  turn,
} from "../src/picture/geometry";
import { type Graph, graphOf } from "../src/picture/graph";
import { layoutOf } from "../src/picture/labelled";
import {
  fitFor,
  type Layout,
  type Margins,
  type Mode,
  modeFor,
  pointOf,
  squareOf,
  squareSize,
  WHOLE,
} from "../src/picture/layout";
import { linesOf } from "../src/picture/lines";
import type { Trace } from "../src/trace";

/** The room that the page leaves to its picture, and what the controls take of it, by the size of the window. */
export const ROOMS: Readonly<Record<string, { width: number; height: number; taken: Margins }>> = {
  "1280 x 720": { width: 436, height: 436, taken: { left: 4, top: 40, right: 4, bottom: 4 } },
  "1920 x 1080": { width: 666, height: 796, taken: { left: 4, top: 40, right: 4, bottom: 4 } },
  "360 x 640": { width: 346, height: 237, taken: { left: 4, top: 52, right: 4, bottom: 4 } },
  "640 x 360": { width: 626, height: 151, taken: { left: 126, top: 4, right: 54, bottom: 4 } },
  "1280 x 720 at 200 %": { width: 626, height: 179, taken: { left: 126, top: 4, right: 54, bottom: 4 } },
};

export interface Clashes {
  names: number; // of vertices that are written in full
  short: number; // that are cut
  lost: number; // that are not written
  edges: number; // names of hyperedges that are written
  values: number; // vertices with room for a value
  text: number; // pairs of labels that overlap
  mark: number; // labels on the circle of another vertex, or on the square of another hyperedge
  line: number; // labels on a line of something else
  out: number; // labels beyond the picture, or under its controls
  held: number; // vertices that lie in a region, or in a hole of it, and are no members
  near: number; // vertices that are no members, with less than LEAST pixels to the line of a region
  astray: number; // names of regions that read as those of others
}

const LEAST = 3;
const TOUCH = 1; // pixels that two boxes may share
const SHORT = 3; // pixels of a line that a label may cover

interface Written {
  readonly box: Box;
  readonly vertex: number; // 0: none
  readonly hyperedge: number;
}

/** About how wide a text is in the page: DejaVu Sans, bold from 600 on. */
export function widthOf(text: string, font: string): number {
  const [weight, size] = [Number.parseInt(font, 10), Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? "12")];
  return text.length * size * (weight >= 600 ? 0.65 : 0.58);
}

/** A layout as the page makes it for a window, or for a part of it. */
export function laidOut(trace: Trace, window: string, style?: Mode, view = WHOLE): { graph: Graph; layout: Layout } {
  Object.assign(globalThis, { Path2D: NoPath });
  const { width, height, taken } = ROOMS[window] as (typeof ROOMS)[string];
  const graph = graphOf(trace);
  const mode = style ?? modeFor(graph.n, graph.m, graph.incidences);
  const room = { mode, width, height, taken };
  const fit = fitFor(graph, room);
  return { graph, layout: layoutOf(graph, { ...room, view, fit }, widthOf) };
}

class NoPath {
  moveTo(): void {}
  quadraticCurveTo(): void {}
  closePath(): void {}
}

export function clashesOf(graph: Graph, layout: Layout): Clashes {
  const written = writtenOn(graph, layout);
  const pairs = written.flatMap((one, k) => written.slice(k + 1).filter((other) => isShared(one.box, other.box)));
  const { names } = layout;
  const full = names.filter((name, v) => name?.text.replace("\n", " ") === graph.vertexText[v]).length;
  const cut = names.filter((name) => name).length - full;
  const { taken, width, height } = layout;
  const view = { left: taken.left, top: taken.top, right: width - taken.right, bottom: height - taken.bottom };
  const count = (is: (one: Written) => boolean) => written.filter(is).length;
  return {
    names: full,
    short: cut,
    lost: graph.n - full - cut,
    edges: layout.edgeLabel.filter((shown) => shown).length,
    values: layout.values.filter((places) => places.length > 0).length,
    text: pairs.length,
    mark: count((one) => isOnMark(graph, layout, one)),
    line: count((one) => isOnLine(graph, layout, one)),
    out: count(({ box }) => overlap(box, view) < 0.98 * overlap(box, box)),
    ...strangersOf(graph, layout),
    astray: misread(graph, layout).length,
  };
}

function writtenOn(graph: Graph, layout: Layout): Written[] {
  const found: Written[] = [];
  for (let v = 1; v <= graph.n; v++)
    for (const place of [layout.names[v], layout.values[v]?.[0]])
      if (place) found.push({ box: place.box, vertex: v, hyperedge: 0 });
  for (const [e, box] of layout.edgeBox.entries())
    if (box && layout.edgeLabel[e]) found.push({ box, vertex: 0, hyperedge: e });
  return found;
}

function isShared(a: Box, b: Box): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > TOUCH && height > TOUCH;
}

function isOnMark(graph: Graph, layout: Layout, { box, vertex, hyperedge }: Written): boolean {
  const nearest = ([x, y]: Point): Point => [
    Math.min(Math.max(x, box.left), box.right),
    Math.min(Math.max(y, box.top), box.bottom),
  ];
  const covers = (at: Point, radius: number) => distance(at, nearest(at)) < radius - TOUCH;
  for (let v = 1; v <= graph.n; v++) if (v !== vertex && covers(pointOf(layout, v), layout.radius)) return true;
  if (layout.mode === "regions") return false;
  for (let e = 1; e <= graph.m; e++)
    if (e !== hyperedge && covers(squareOf(layout, e), squareSize(layout))) return true;
  return false;
}

function isOnLine(graph: Graph, layout: Layout, { box, vertex, hyperedge }: Written): boolean {
  const own = new Set(hyperedge ? [hyperedge] : graph.edgesOf[vertex]);
  let length = 0;
  for (const line of linesOf(graph, layout)) {
    if (own.has(line.hyperedge) && (layout.mode === "regions" || hyperedge || line.vertex === vertex)) continue;
    length += lengthInside(line.segment, box);
    if (length > SHORT) return true;
  }
  return false;
}

function strangersOf(graph: Graph, layout: Layout): { held: number; near: number } {
  let [held, near] = [0, 0];
  for (const [e, loops] of layout.outlines.entries()) {
    const members = new Set(graph.members[e]);
    for (let v = 1; v <= graph.n; v++) {
      if (members.has(v)) continue;
      const at = pointOf(layout, v);
      if (loops.some((loop) => insidePolygon(at, loop))) held++;
      else if (loops.flat().some((point) => distance(point, at) < layout.radius + LEAST)) near++;
    }
  }
  return { held, near };
}

const ON = 5; // pixels of an outline under a label that touches it
const CLEARLY = 3; // pixels by which every other outline is farther from a label than its own

/**
 * Names of regions that read as those of others: they do not stand on their own lines, nor inside of their own region
 * alone, nor at the end of a line from it, nor clearly nearer to it than to any other.
 */
export function misread(graph: Graph, layout: Layout): string[] {
  if (layout.mode !== "regions") return [];
  const lines = linesOf(graph, layout);
  return graph.edgeText.filter((_, e) => {
    const box = layout.edgeLabel[e] ? layout.edgeBox[e] : null;
    if (!box) return false;
    const on = (k: number) =>
      lines.reduce((sum, line) => sum + (line.hyperedge === k ? lengthInside(line.segment, box) : 0), 0);
    const gap = (k: number) => Math.min(...(layout.outlines[k] ?? []).flatMap(edgesOf).map((side) => gapTo(side, box)));
    const others = [...graph.members.keys()].filter((k) => k > 0 && k !== e);
    if (on(e) >= ON) return others.some((k) => on(k) > Math.max(on(e), 16));
    const middle: Point = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const holds = (k: number) => (layout.outlines[k] ?? []).some((loop) => insidePolygon(middle, loop));
    const strange = others.filter((k) => !(graph.members[e] ?? []).every((v) => graph.members[k]?.includes(v)));
    if (strange.some((k) => holds(k) || on(k) > 7)) return true;
    if (holds(e)) return false;
    const lead = layout.edgeLead[e];
    if (lead) return !startsAt(lead[0], layout.outlines[e] ?? []) || others.some((k) => crosses(lead, layout, k));
    return gap(e) > 20 || others.some((k) => gap(k) < gap(e) + CLEARLY);
  });
}

/** The pixels between a side of an outline and a box, measured at some points of the side. */
function gapTo([a, b]: Segment, box: Box): number {
  const at = (t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  return Math.min(...[0, 0.5, 1].map((t) => awayFrom(at(t), box)));
}

function startsAt(point: Point, loops: readonly (readonly Point[])[]): boolean {
  return loops.some((loop) => edgesOf(loop).some((side) => distanceToSegment(point, side) < 2));
}

function crosses([a, b]: Segment, layout: Layout, e: number): boolean {
  const sides = (layout.outlines[e] ?? []).flatMap(edgesOf);
  return sides.some(([c, d]) => turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0);
}

function awayFrom([x, y]: Point, { left, right, top, bottom }: Box): number {
  return distance([x, y], [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)]);
}
