/** The two layers of the picture: what stays from frame to frame, and what does not. */

import { counted, FEW } from "../numbers";
import type { Thing } from "../recording";
import { colourOfStep, type EdgeStyle, edgeStyle, inkOnStep, stepOf, type Theme } from "./colours";
import { Dots } from "./dots";
import {
  alongCurve,
  type Box,
  boxOf,
  type Curve,
  curveBetween,
  isInside,
  lengthInside,
  middleOfBox,
  movedInto,
  overlap,
  type Point,
  type Segment,
} from "./geometry";
import type { Graph } from "./graph";
import type { Item } from "./kept";
import { besideMark, type Place } from "./labelling";
import { boxAt, Occupied } from "./labels";
import {
  circleBox,
  edgeFont,
  edgeLabelText,
  edgeTextWith,
  FACE,
  type Layout,
  linesOfText,
  pointOf,
  sizeOfFont,
  sizeOfText,
  squareOf,
  squareSize,
  underBar,
  valueFont,
  vertexFont,
  vertexLabelText,
} from "./layout";
import { middleOfDirected } from "./lines";
import {
  type Context,
  drawArrows,
  drawPill,
  drawPointer,
  drawRim,
  drawSquare,
  drawText,
  drawVertex,
  pointerBox,
  pointerSide,
  reach,
  ring,
  type Side,
  star,
  type VertexMark,
} from "./marks";
import type { Range } from "./ranges";
import type { Sprites } from "./sprites";
import type { Status } from "./status";

/** An arrow that attention makes; null is row 0, the global one. */
export interface Link {
  from: Thing | null;
  to: Thing | null;
  margin: number | null;
}

export const MOST_LINKS = 60;
const MANY_DOTS = 600; // squares that are drawn as pixels instead of one by one
export const MOST_LINED = 150; // hyperedges that stand out for one reason and all have lines in a sparse picture
const DIMMED = 0.16;

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
}

// -- the layer that stays -------------------------------------------------------------------------------------------

export function paintStatic(ctx: Context, scene: Scene): void {
  if (scene.layout.mode === "regions") paintRegions(ctx, scene);
  else if (scene.layout.mode === "bipartite") paintBipartite(ctx, scene);
  else paintDots(ctx, scene);
  paintLeaders(ctx, scene);
  ctx.globalAlpha = 1;
}

/** Thin lines to names that do not stand right beside what they name. */
function paintLeaders(ctx: Context, { graph, layout, theme, focus }: Scene): void {
  ctx.lineWidth = 0.9;
  ctx.strokeStyle = theme.soft;
  const lead = (line: Segment | null | undefined, alpha: number) => {
    if (!line) return;
    ctx.globalAlpha = alpha;
    ctx.beginPath();
    ctx.moveTo(...line[0]);
    ctx.lineTo(...line[1]);
    ctx.stroke();
  };
  for (const [v, name] of layout.names.entries()) lead(name?.lead, vertexAlpha(focus, v));
  for (let e = 1; e <= graph.m; e++) lead(layout.edgeLead[e], dimOf(focus.hyperedges, e));
}

function paintRegions(ctx: Context, scene: Scene): void {
  const { layout, theme, focus } = scene;
  // Large regions first: small ones lie on top of them.
  const order = [...layout.paths.keys()].slice(1).sort((a, b) => (layout.areas[b] ?? 0) - (layout.areas[a] ?? 0));
  for (const e of order) {
    const style = edgeStyle(e - 1, theme.dark);
    const path = layout.paths[e] as Path2D;
    ctx.globalAlpha = dimOf(focus.hyperedges, e);
    ctx.fillStyle = style.fill;
    ctx.fill(path);
    outline(ctx, path, style.line, dashOf(scene.graph, e, style), 1.6);
  }
  for (const e of order) paintDirection(ctx, scene, e);
}

/** Of a directed hyperedge: lines from its tails to its middle, and arrows from there to its heads. */
function paintDirection(ctx: Context, { graph, layout, theme, focus }: Scene, e: number): void {
  const middle = middleOfDirected(graph, layout, e);
  if (!graph.directed || !middle) return;
  const { line } = edgeStyle(e - 1, theme.dark);
  ctx.globalAlpha = dimOf(focus.hyperedges, e);
  ctx.lineWidth = 1.4;
  ctx.strokeStyle = line;
  ctx.beginPath();
  for (const v of graph.directed.tails[e] ?? []) {
    const { start } = curveBetween(pointOf(layout, v), middle, layout.radius, 0, 0);
    ctx.moveTo(...start);
    ctx.lineTo(...middle);
  }
  ctx.stroke();
  const heads = (graph.directed.heads[e] ?? []).map((v) =>
    curveBetween(middle, pointOf(layout, v), 0, layout.radius + 2, 0),
  );
  drawArrows(ctx, heads, 1.4, line, Math.min(9, 4 + layout.radius * 0.4));
}

/** A hyperedge without members is a small ring, whose dashes are short. */
function dashOf(graph: Graph, e: number, { dash }: EdgeStyle): number[] {
  return graph.members[e]?.length === 0 ? [3, 2.5] : dash;
}

function outline(ctx: Context, path: Path2D, colour: string, dash: number[], width: number): void {
  ctx.setLineDash(dash);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke(path);
  ctx.setLineDash([]);
}

function regionLabel(ctx: Context, scene: Scene, moment: Moment, e: number, strong: boolean): void {
  const { layout, theme } = scene;
  const place = layout.edgeBox[e];
  if (!place) return;
  const style = edgeStyle(e - 1, theme.dark);
  const chosen = moment.status.chosen.hyperedges[e] === 1;
  const font = edgeFont(layout, strong || chosen);
  const text = edgeTextNow(scene, moment, e);
  ctx.font = font;
  // The place has room for the longest text of the run.
  const box = boxAt(
    middleOfBox(place),
    Math.min(place.right - place.left, ctx.measureText(text).width + 12),
    heightOf(place),
  );
  const rim = strong ? style.line : chosen ? theme.answer : null;
  drawPill(ctx, text, box, font, chosen ? theme.answer : style.text, theme.ground, rim);
}

function heightOf({ top, bottom }: Box): number {
  return bottom - top;
}

function edgeTextNow({ graph }: Scene, { status, edgeText }: Moment, e: number): string {
  return edgeTextWith(graph, e, status.chosen.hyperedges[e] === 1, edgeText(e));
}

function paintBipartite(ctx: Context, scene: Scene): void {
  const { graph, layout, theme, focus } = scene;
  ctx.globalAlpha = focus.hyperedges ? 0.35 : 1;
  ctx.lineWidth = graph.incidences > 1500 ? 0.6 : 1;
  ctx.strokeStyle = theme.faint;
  ctx.beginPath();
  for (let e = 1; e <= graph.m; e++) spokes(ctx, scene, e);
  ctx.stroke();
  const size = squareSize(layout);
  for (let e = 1; e <= graph.m; e++) {
    ctx.globalAlpha = dimOf(focus.hyperedges, e);
    const style = edgeStyle(e - 1, theme.dark);
    drawSquare(ctx, ...squareOf(layout, e), size, graph.m <= 60 ? style.line : theme.soft, theme.ground, 1);
    // Names that say more as the run goes on are drawn with the frame.
    if (layout.edgeLabel[e] && !layout.edgesTold) squareLabel(ctx, scene, edgeLabelText(graph, e), e, theme.soft);
    if (graph.directed) tips(ctx, scene, e);
  }
}

/** Of a directed hyperedge that is a square: the tips of its lines to heads. */
function tips(ctx: Context, { graph, layout, theme }: Scene, e: number): void {
  const square = squareOf(layout, e);
  const head = Math.min(8, 3 + layout.radius * 0.4);
  const ends = (graph.directed?.heads[e] ?? []).map((v) =>
    curveBetween(square, pointOf(layout, v), squareSize(layout), layout.radius + 1, 0),
  );
  drawArrows(ctx, ends, graph.incidences > 1500 ? 0.6 : 1, theme.soft, head);
}

/** Where its place is; beneath the square where it has none, and is shown all the same: but within the picture. */
function squareLabel(ctx: Context, scene: Scene, text: string, e: number, colour: string): void {
  const { layout, theme } = scene;
  const [x, y] = squareOf(layout, e);
  const [place, font] = [layout.edgeBox[e], edgeFont(layout)];
  const at: Point = place ? middleOfBox(place) : [x, y + squareSize(layout) + layout.font * 0.75];
  const box = boxAt(at, layout.measure(text, font) + 4, layout.font + 1);
  drawText(ctx, text, middleOfBox(movedInto(box, underBar(layout))), font, colour, theme.ground);
}

function spokes(ctx: Context, { graph, layout }: Scene, e: number): void {
  const [x, y] = squareOf(layout, e);
  for (const v of graph.members[e] ?? []) {
    ctx.moveTo(x, y);
    ctx.lineTo(layout.x[v] as number, layout.y[v] as number);
  }
}

function paintDots(ctx: Context, { graph, layout, theme, focus }: Scene): void {
  ctx.globalAlpha = focus.hyperedges ? 0.3 : 0.75;
  ctx.fillStyle = theme.faint;
  const size = layout.radius >= 6 ? 1.8 : 1.1;
  for (let e = 1; e <= graph.m; e++) {
    const [x, y] = squareOf(layout, e);
    if (x < 0 || y < 0 || x > layout.width || y > layout.height) continue;
    ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

function dimOf(set: Set<number> | null, row: number): number {
  return set === null || set.has(row) ? 1 : DIMMED;
}

// -- the layer of the frame -----------------------------------------------------------------------------------------

/** Draws the frame; what could not be drawn in full comes back as sentences. */
export function paintLive(ctx: Context, scene: Scene, moment: Moment): string[] {
  const notes: string[] = [];
  paintHyperedges(ctx, scene, moment, notes);
  const marks = scene.graph.vertexText.map((_, v) => markOf(scene, moment, v));
  const tree = treeOf(scene, moment, marks);
  if (!scene.sprites) addLinks(scene, moment, tree);
  const texts = textsOf(scene, moment, marks, tree);
  if (scene.sprites) paintKept(ctx, scene, scene.sprites, marks, texts, tree);
  else paintAnew(ctx, scene, marks, texts, tree);
  paintPointers(ctx, scene, moment, marks, texts);
  paintLinks(ctx, scene, moment, texts, notes);
  ctx.globalAlpha = 1;
  return notes;
}

/** Values make way for the arrows of attention, too. */
function addLinks(scene: Scene, { links }: Moment, { towards }: Tree): void {
  for (const link of links.slice(0, MOST_LINKS)) {
    const { control } = linkCurve(scene, link);
    for (const end of [link.from, link.to])
      if (end?.scope === "vertices") towards.set(end.row, [...(towards.get(end.row) ?? []), control]);
  }
}

function paintAnew(
  ctx: Context,
  scene: Scene,
  marks: readonly VertexMark[],
  texts: readonly Text[],
  { near, dimmed }: Tree,
): void {
  const { graph, layout, theme } = scene;
  // The rims of texts lie under the arrows, so that they do not cut off their heads.
  for (const text of texts) rim(ctx, text, scene);
  for (const [arrows, alpha] of [
    [dimmed, DIMMED],
    [near, treeAlpha(layout)],
  ] as const) {
    ctx.globalAlpha = alpha;
    drawArrows(ctx, [...arrows.values()], treeWidth(layout), theme.tree, treeHead(layout));
  }
  for (let v = 1; v <= graph.n; v++) if (isSeen(layout, v)) paintVertex(ctx, scene, v, marks[v] as VertexMark);
  for (const text of texts) fill(ctx, text, scene);
}

/** The same where there are many vertices: only what is other than at the frame before is drawn again. */
function paintKept(
  ctx: Context,
  scene: Scene,
  { tree: arrows, vertices }: Sprites,
  marks: readonly VertexMark[],
  texts: readonly Text[],
  tree: Tree,
): void {
  const of = [scene.graph, scene.layout, scene.theme];
  ctx.globalAlpha = treeAlpha(scene.layout);
  arrows.draw(ctx, arrowsOf(scene, tree), of);
  ctx.globalAlpha = 1;
  vertices.draw(ctx, [...vertexItems(scene, marks), ...textItems(scene, texts)], of);
}

/** Opaque, but for those that are dimmed: all are drawn with the transparency of the tree at once. */
function arrowsOf({ layout, theme }: Scene, { near, dimmed }: Tree): Item[] {
  const [width, head] = [treeWidth(layout), treeHead(layout)];
  const item =
    (dim: boolean) =>
    ([v, curve]: [number, Curve]): Item => {
      const { start, control, end } = curve;
      return {
        id: v,
        key: `${dim} ${start} ${control} ${end}`,
        box: boxOf([start, control, end], width + head),
        draw: (to) => {
          to.globalAlpha = dim ? DIMMED / treeAlpha(layout) : 1;
          drawArrows(to, [curve], width, theme.tree, head);
        },
      };
    };
  return [...[...dimmed].map(item(true)), ...[...near].map(item(false))];
}

function vertexItems(scene: Scene, marks: readonly VertexMark[]): Item[] {
  const { graph, layout, focus } = scene;
  const items: Item[] = [];
  const size = vertexSize(layout);
  for (let v = 1; v <= graph.n; v++) {
    if (!isSeen(layout, v)) continue;
    const mark = marks[v] as VertexMark;
    items.push({
      id: v,
      key: `${markKey(mark)} ${vertexAlpha(focus, v)} ${isHovered(focus, v)}`,
      box: boxAt(pointOf(layout, v), size + 2, size + 2),
      draw: (to) => paintVertex(to, scene, v, mark),
    });
  }
  return items;
}

function textItems(scene: Scene, texts: readonly Text[]): Item[] {
  return texts.map((text) => ({
    id: text.id,
    key: `${text.text} ${text.at} ${text.font} ${text.colour} ${text.alpha}`,
    box: boxAt(text.at, textWidth(text.text) + 2, textHeight(text.text) + 2),
    draw: (to) => fill(to, text, scene),
  }));
}

function paintHyperedges(ctx: Context, scene: Scene, moment: Moment, notes: string[]): void {
  const { focus, theme } = scene;
  const { status } = moment;
  const stand = (rows: readonly number[], colour: string, why: Why) =>
    emphasise(ctx, scene, moment, rows, colour, why, notes);
  paintEdgeColours(ctx, scene, moment);
  stand(setRows(status.chosen.hyperedges), theme.answer, "answer");
  stand(setRows(status.frontier.hyperedges), theme.frontier, "frontier");
  if (focus.hyperedges) stand([...focus.hyperedges], theme.selected, "selected");
  stand(pointedRows(scene), theme.ink, "hovered");
  stand([...status.current.hyperedges.keys()], theme.current, "current");
  if (scene.layout.mode === "regions") paintRegionLabels(ctx, scene, moment);
  else if (scene.layout.mode === "bipartite" && scene.layout.edgesTold) paintSquareLabels(ctx, scene, moment);
}

function setRows(flags: Uint8Array): number[] {
  const rows: number[] = [];
  for (const [row, flag] of flags.entries()) if (flag) rows.push(row);
  return rows;
}

/** The hyperedges under the pointer: one, or those of a vertex. */
function pointedRows({ graph, focus: { hovered } }: Scene): readonly number[] {
  if (!hovered) return [];
  return hovered.scope === "hyperedges" ? [hovered.row] : (graph.edgesOf[hovered.row] ?? []);
}

const FILLED = 0.5; // how opaque a region in the colour of its value is: those beneath are seen

/** Hyperedges in the colours of their values, as `hyloop draw` has them. */
function paintEdgeColours(ctx: Context, { graph, layout, theme, focus }: Scene, { status, range }: Moment): void {
  const size = squareSize(layout);
  for (let e = 1; e <= graph.m; e++) {
    const { colour } = coloursOf(status.edgeValue[e] as number, range, theme.dark);
    if (colour === null) continue;
    ctx.fillStyle = colour;
    ctx.globalAlpha = dimOf(focus.hyperedges, e) * (layout.mode === "regions" ? FILLED : 1);
    const path = layout.paths[e];
    if (layout.mode !== "regions") drawSquare(ctx, ...squareOf(layout, e), size, colour, theme.rim, 1);
    else if (path) {
      const style = edgeStyle(e - 1, theme.dark);
      ctx.fill(path);
      ctx.globalAlpha = dimOf(focus.hyperedges, e);
      outline(ctx, path, style.line, dashOf(graph, e, style), 1.6);
    }
  }
  ctx.globalAlpha = 1;
}

/** After all outlines, so that none crosses a label. */
function paintRegionLabels(ctx: Context, scene: Scene, moment: Moment): void {
  const { hyperedges } = scene.focus;
  const strong = new Set([...(hyperedges ?? []), ...pointedRows(scene), ...moment.status.current.hyperedges.keys()]);
  for (let e = 1; e <= scene.graph.m; e++) {
    if (strong.has(e)) continue;
    ctx.globalAlpha = hyperedges ? 0.45 : 1;
    regionLabel(ctx, scene, moment, e, false);
  }
  ctx.globalAlpha = 1;
  for (const e of strong) regionLabel(ctx, scene, moment, e, true);
}

function paintSquareLabels(ctx: Context, scene: Scene, moment: Moment): void {
  const { graph, layout, theme, focus } = scene;
  for (let e = 1; e <= graph.m; e++) {
    if (!layout.edgeLabel[e]) continue;
    ctx.globalAlpha = dimOf(focus.hyperedges, e);
    const colour = moment.status.chosen.hyperedges[e] ? theme.answer : theme.soft;
    squareLabel(ctx, scene, edgeTextNow(scene, moment, e), e, colour);
  }
  ctx.globalAlpha = 1;
}

type Why = "answer" | "frontier" | "selected" | "hovered" | "current";
const WIDTHS: Record<Why, number> = { answer: 3.2, frontier: 2.2, selected: 2.6, hovered: 2.4, current: 3.4 };

/** The squares of each canvas. */
const DOTS = new WeakMap<Context["canvas"], Map<Why, Dots>>();

function dotsOf({ canvas }: Context, why: Why): Dots {
  const all = DOTS.get(canvas) ?? new Map<Why, Dots>();
  const dots = all.get(why) ?? new Dots();
  DOTS.set(canvas, all.set(why, dots));
  return dots;
}

const WORDS: Record<Why, string> = {
  answer: "in the answer",
  frontier: "on the frontier",
  selected: "of the selected vertex",
  hovered: "of the vertex under the pointer",
  current: "that are current",
};

function atCurrent({ graph }: Scene, rows: readonly number[], { current }: Status): number[] {
  const here = new Set([...current.vertices.keys()].flatMap((v) => graph.edgesOf[v] ?? []));
  return rows.filter((e) => here.has(e));
}

/** Hyperedges that stand out: a heavier outline, or lines to their members and a larger square. */
function emphasise(
  ctx: Context,
  scene: Scene,
  moment: Moment,
  rows: readonly number[],
  colour: string,
  why: Why,
  notes: string[],
): void {
  const { layout, focus } = scene;
  if (rows.length === 0) return;
  if (layout.mode === "regions") {
    for (const e of rows) emphasiseRegion(ctx, scene, e, colour, why);
    return;
  }
  const lined = layout.mode === "sparse" && rows.length > MOST_LINED ? atCurrent(scene, rows, moment.status) : rows;
  if (lined.length < rows.length) {
    const shown = lined.length > 0 ? "lines only for those at the current vertex" : "too many for lines";
    notes.push(`${rows.length.toLocaleString("en")} hyperedges ${WORDS[why]}: ${shown}.`);
  }
  const crowd = rows.length > 60 ? 0.35 : 1;
  ctx.globalAlpha = stays(why) && focus.hyperedges ? DIMMED : 0.75 * crowd;
  ctx.lineWidth = crowd < 1 ? 0.8 : WIDTHS[why] / 2;
  ctx.strokeStyle = colour;
  if (why === "frontier" && crowd === 1) ctx.setLineDash([5, 3]);
  ctx.beginPath();
  for (const e of lined) spokes(ctx, scene, e);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = stays(why) && focus.hyperedges ? DIMMED * 2 : 1;
  if (rows.length > MANY_DOTS) {
    dotsOf(ctx, why).draw(ctx, rows, scene.graph.m, (e) => squareOf(layout, e), 1.5, colour, layout);
    return;
  }
  const size = squareSize(layout) + (crowd < 1 ? -0.4 : 1);
  for (const e of rows) standOutSquare(ctx, scene, moment, e, size, colour, why);
  if (stays(why) || rows.length > 12) return;
  for (const e of rows) squareLabel(ctx, scene, edgeTextNow(scene, moment, e), e, colour);
}

/** Whether it is the program that makes hyperedges stand out, not the reader. */
function stays(why: Why): boolean {
  return why === "frontier" || why === "answer";
}

/** A square in the colour of what makes it stand out; one of the answer keeps that of its value, and has a heavy rim. */
function standOutSquare(
  ctx: Context,
  { layout, theme }: Scene,
  { status, range }: Moment,
  e: number,
  size: number,
  colour: string,
  why: Why,
): void {
  const [x, y] = squareOf(layout, e);
  ctx.fillStyle = colour;
  if (why !== "answer") {
    ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
    return;
  }
  const own = coloursOf(status.edgeValue[e] as number, range, theme.dark).colour;
  drawSquare(ctx, x, y, size + 1, own ?? colour, colour, 2.4);
  if (size >= 5) star(ctx, x, y, size * 0.8, theme.ground);
}

/** A glow around the outline says why; the outline keeps its own colour and pattern, only heavier. */
function emphasiseRegion(ctx: Context, scene: Scene, e: number, colour: string, why: Why): void {
  const { layout, theme, focus } = scene;
  const path = layout.paths[e];
  if (!path) return;
  const style = edgeStyle(e - 1, theme.dark);
  const dim = stays(why) ? dimOf(focus.hyperedges, e) : 1;
  if (why !== "frontier" && why !== "selected") {
    ctx.globalAlpha = dim;
    ctx.fillStyle = style.fill;
    ctx.fill(path);
  }
  ctx.globalAlpha = dim * (why === "frontier" ? 0.3 : why === "hovered" ? 0.15 : 0.6);
  outline(ctx, path, colour, [], WIDTHS[why] * 2.6);
  ctx.globalAlpha = dim;
  outline(
    ctx,
    path,
    why === "current" ? colour : style.line,
    why === "current" ? [] : dashOf(scene.graph, e, style),
    WIDTHS[why],
  );
}

interface Tree {
  /** By the vertex that they lead to. */
  near: Map<number, Curve>;
  dimmed: Map<number, Curve>;
  /** Of a vertex: where the arrows that begin or end there come from. */
  towards: Map<number, Point[]>;
}

/** The tree of predecessors, for the vertices that are settled (or all, where nothing says which are). */
function treeOf(scene: Scene, { status }: Moment, marks: readonly VertexMark[]): Tree {
  const { graph, layout, focus, sprites } = scene;
  const { radius, mode } = layout;
  const anySettled = status.settled.includes(1);
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
    const curve = treeCurve(layout, from, v, bend, rings);
    const dim = focus.vertices && !(focus.vertices.has(v) && focus.vertices.has(from));
    if (curve) tree[dim ? "dimmed" : "near"].set(v, curve);
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

function treeWidth({ radius }: Layout): number {
  return Math.min(2, 0.8 + radius * 0.08);
}

function treeHead({ radius }: Layout): number {
  return Math.min(11, 4 + radius * 0.45);
}

function treeAlpha({ mode }: Layout): number {
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
  const names = layout.names.filter((_, v) => v !== from && v !== to);
  for (const box of [...edgeBox, ...names.map((name) => name?.box)])
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

function markOf({ focus, theme }: Scene, { status, range }: Moment, v: number): VertexMark {
  return {
    ...coloursOf(status.value[v] as number, range, theme.dark),
    chosen: status.chosen.vertices[v] === 1,
    settled: status.settled[v] === 1,
    frontier: status.frontier.vertices[v] === 1,
    changed: status.changed[v] === 1,
    current: status.current.vertices.has(v),
    selected: focus.selected?.scope === "vertices" && focus.selected.row === v,
  };
}

function coloursOf(value: number, range: Range, dark: boolean): Pick<VertexMark, "colour" | "ink"> {
  if (!Number.isFinite(value)) return { colour: null, ink: "" };
  // A pointer to a hyperedge has the colour of that hyperedge.
  if (range.categories) return { colour: edgeStyle(value - 1, dark).line, ink: dark ? "#14161a" : "#ffffff" };
  const step = stepOf(value, range.least, range.most, range.bend);
  return { colour: colourOfStep(step), ink: inkOnStep(step) };
}

function paintVertex(ctx: Context, { layout, theme, sprites, focus }: Scene, v: number, mark: VertexMark): void {
  const { radius } = layout;
  const [x, y] = pointOf(layout, v);
  ctx.globalAlpha = vertexAlpha(focus, v);
  if (sprites) {
    const size = vertexSize(layout);
    const key = `vertex ${radius} ${markKey(mark)}`;
    sprites.draw(ctx, key, x, y, size, size, (to, cx, cy) => drawVertex(to, cx, cy, radius, mark, theme));
  } else drawVertex(ctx, x, y, radius, mark, theme);
  if (isHovered(focus, v)) ring(ctx, x, y, radius + 1.5, 2.5, theme.ink);
}

function vertexAlpha({ vertices }: Focus, v: number): number {
  return vertices && !vertices.has(v) ? DIMMED * 1.6 : 1;
}

/** The room of a vertex with all that may be around it. */
function vertexSize({ radius }: Layout): number {
  return 2 * (radius + Math.max(12, radius * 1.4));
}

function markKey({ settled, chosen, frontier, changed, current, selected, colour }: VertexMark): string {
  const flags = Number(settled) + 2 * Number(frontier) + 4 * Number(changed) + 8 * Number(current);
  return `${flags + 16 * Number(selected) + 32 * Number(chosen)} ${colour}`;
}

function isSeen(layout: Layout, v: number): boolean {
  const [x, y] = pointOf(layout, v);
  return !isAway(layout, x, y);
}

function isAway(layout: Layout, x: number, y: number): boolean {
  return x < -60 || y < -40 || x > layout.width + 60 || y > layout.height + 40;
}

function isHovered({ hovered }: Focus, v: number): boolean {
  return hovered?.scope === "vertices" && hovered.row === v;
}

interface Text {
  id: number; // one of a kind among vertices and texts
  text: string;
  at: Point;
  font: string;
  colour: string;
  alpha: number;
}

/** Names and values beside vertices, where there is room; what is being looked at always has them. */
export function textsOf(scene: Scene, moment: Moment, marks: readonly VertexMark[], tree: Tree): Text[] {
  const { graph, layout, theme, focus } = scene;
  const texts: Text[] = [];
  const forced = new Forced(scene, marks);
  const values = new Values(scene, tree);
  for (let v = 1; v <= graph.n; v++) {
    const mark = marks[v] as VertexMark;
    const name = layout.names[v] ?? forced.place(v, -1, vertexLabelText(graph, v));
    if (!name || !isSeen(layout, v)) continue;
    const alpha = focus.vertices && !focus.vertices.has(v) ? 0.35 : 1;
    const off = reach(mark, layout.radius);
    const whole = mark.selected || isHovered(focus, v);
    const text = whole || name.text === "" ? vertexLabelText(graph, v) : name.text;
    const at = nameAt(scene, v, name, text, off);
    texts.push({ id: graph.n + v, text, font: vertexFont(layout), colour: theme.ink, at, alpha });
    const value = moment.valueText(v);
    // A name, as of a component, takes the place of several numbers.
    const long = graph.n > FEW_NAMED && value.length > MOST_LETTERS && !forced.isAsked(v);
    if (value === "" || value === NONE || long) continue;
    const font = valueFont(layout, mark.changed);
    const place = values.at(v, value, font, off) ?? forced.valueAt(v, value, font);
    if (!place) continue;
    const colour = mark.changed ? theme.ink : theme.soft;
    texts.push({ id: 2 * graph.n + v, text: value, at: place, font, colour, alpha });
  }
  return texts;
}

/** Where the values of a frame stand: off all names, vertices and each other, and never cut by the end of the picture. */
class Values {
  readonly #scene: Scene;
  readonly #tree: Tree;
  readonly #written = new Occupied();

  constructor(scene: Scene, tree: Tree) {
    this.#scene = scene;
    this.#tree = tree;
  }

  /** The middle of a value beside its vertex; null where there is no room for all of it. */
  at(v: number, text: string, font: string, off: number): Point | null {
    const { layout, sprites } = this.#scene;
    const [width, height] = [layout.measure(text, font) + 5, layout.font + 2];
    const here = pointOf(layout, v);
    // Where texts are kept from frame to frame, they stay where they are.
    const lines = sprites ? [] : (this.#tree.towards.get(v) ?? []);
    const isClear = (box: Box) => !lines.some((there) => lengthInside([here, there], box) > 0);
    const known = (layout.values[v] ?? []).map((place) => boxAt(besidePlace(place, width, off), width, height));
    if (known.length === 0) return null;
    const fits = known.filter((box) => this.#isFree(box));
    const found = fits.find(isClear) ?? fits[0] ?? this.#elsewhere(v, width, height, off);
    if (!found) return null;
    this.#written.add(found);
    return middleOfBox(found);
  }

  /** A place for a value that is wider than those of the answer. */
  #elsewhere(v: number, width: number, height: number, off: number): Box | undefined {
    const { layout } = this.#scene;
    const places = besideMark(pointOf(layout, v), layout.radius + off, width, height, "near");
    const boxes = places.sort((a, b) => a.cost - b.cost).map(({ at }) => boxAt(at, width, height));
    return boxes.find((box) => this.#isFree(box));
  }

  #isFree(box: Box): boolean {
    const { layout } = this.#scene;
    return isInside(box, underBar(layout)) && !layout.occupied.hits(box) && !this.#written.hits(box);
  }
}

const MOST_NEAR = 40; // neighbours of what is selected that have names, though the picture has no room for them

/** Texts that the layout has no room for, of what is being looked at; those of its neighbours stay off all others. */
class Forced {
  readonly #scene: Scene;
  readonly #marks: readonly VertexMark[];
  #taken: Box[] | null = null;

  constructor(scene: Scene, marks: readonly VertexMark[]) {
    this.#scene = scene;
    this.#marks = marks;
  }

  isAsked(v: number): boolean {
    const { vertices } = this.#scene.focus;
    return this.#isPointed(v) || ((vertices?.size ?? 0) <= MOST_NEAR && (vertices?.has(v) ?? false));
  }

  /** A place over a vertex, or beneath it; null where it need not be, or would lie on another text. */
  place(v: number, down: 1 | -1, text: string): Place | null {
    if (!this.isAsked(v)) return null;
    const { layout } = this.#scene;
    const found = over(layout, v, down);
    if (this.#isPointed(v)) return found;
    this.#taken ??= this.#written();
    const box = boxAt(found.at, layout.measure(text, vertexFont(layout)) + 6, layout.font + 2);
    if (this.#taken.some((other) => overlap(box, other) > 0)) return null;
    this.#taken.push(box);
    return found;
  }

  /** The same for a value: the whole of it is in the picture. */
  valueAt(v: number, text: string, font: string): Point | null {
    const { layout } = this.#scene;
    const place = this.place(v, 1, text);
    if (!place) return null;
    const box = boxAt(place.at, layout.measure(text, font) + 5, layout.font + 2);
    return middleOfBox(movedInto(box, underBar(layout)));
  }

  #isPointed(v: number): boolean {
    const mark = this.#marks[v];
    return (mark?.current || mark?.selected || isHovered(this.#scene.focus, v)) ?? false;
  }

  /** The texts that stand anyway, and the circles. */
  #written(): Box[] {
    const { graph, layout } = this.#scene;
    const found: Box[] = [];
    for (let v = 1; v <= graph.n; v++) {
      const boxes = [layout.names[v]?.box, layout.values[v]?.[0]?.box, circleBox(layout, v)];
      for (const box of boxes) if (box) found.push(box);
      if (layout.names[v] || !this.#isPointed(v)) continue;
      const width = layout.measure(vertexLabelText(graph, v), vertexFont(layout)) + 6;
      for (const down of [-1, 1] as const) found.push(boxAt(over(layout, v, down).at, width, layout.font + 2));
    }
    return found;
  }
}

const NONE = "–"; // the circle is hollow then
const FEW_NAMED = 8; // vertices whose values have room, however long they are
const MOST_LETTERS = 7; // of a value beside a vertex, where there are more

/** Where a text stands while the rings around its vertex reach so far. */
function pushed({ at, toward }: Place, off: number): Point {
  return [at[0] + toward[0] * off, at[1] + toward[1] * off];
}

/** The same for a text of another width than its place has: it begins at the vertex. */
function besidePlace(place: Place, width: number, off: number): Point {
  const [x, y] = pushed(place, off);
  const more = (width - (place.box.right - place.box.left)) / 2;
  return [x + Math.max(-1, Math.min(1, 1.5 * place.toward[0])) * more, y];
}

/** A name whose vertex has rings makes way for them, unless it would run into another name; it is never cut. */
function nameAt({ layout, sprites }: Scene, v: number, name: Place, text: string, off: number): Point {
  const whole = text === name.text && name.text !== "";
  if (whole && (off === 0 || name.lead)) return name.at;
  const [width, height] = sizeOfText(text, vertexFont(layout), layout.font, layout.measure);
  const moved = boxAt(besidePlace(name, width + 3, off), width + 3, height);
  const box = movedInto(moved, underBar(layout));
  const at = middleOfBox(box);
  if (sprites || !whole) return at; // of many vertices, looking at all names would take too long
  const hits = layout.names.some((other, u) => u !== v && other && overlap(box, other.box) > 0);
  return hits ? name.at : at;
}

/** A place over a vertex, or beneath it, for what has none. */
function over(layout: Layout, v: number, down: 1 | -1 = -1): Place {
  const [x, y] = pointOf(layout, v);
  const at: Point = [x, y + down * (layout.radius + layout.font * 0.5 + 3)];
  return { text: "", at, toward: [0, down], box: boxAt(at, 2 * layout.font, layout.font + 2) };
}

function boxOfText({ font: size, measure }: Layout, { text, at, font }: Text): Box {
  const [width, height] = sizeOfText(text, font, size, measure);
  return boxAt(at, width + 4, height + 1);
}

function rim(ctx: Context, text: Text, { theme }: Scene): void {
  ctx.globalAlpha = text.alpha * 0.85;
  for (const [line, at] of linesAt(text)) drawRim(ctx, line, at, text.font, theme.ground);
}

/** The lines of a text, and where each stands. */
function linesAt({ text, at: [x, y], font }: Pick<Text, "text" | "at" | "font">): [string, Point][] {
  const lines = linesOfText(text);
  if (lines.length === 1) return [[text, [x, y]]];
  const step = sizeOfFont(font) + 2;
  return lines.map((line, k) => [line, [x, y + (k - (lines.length - 1) / 2) * step]]);
}

/** The room of a text with its rim. */
const TEXT_HEIGHT = 24;

function textWidth(text: string): number {
  return Math.max(...linesOfText(text).map((line) => line.length)) * 13 + 8;
}

function textHeight(text: string): number {
  return TEXT_HEIGHT * linesOfText(text).length;
}

function fill(ctx: Context, text: Text, { theme, sprites }: Scene): void {
  const { font, colour, alpha } = text;
  ctx.globalAlpha = alpha;
  if (sprites) {
    const draw = (to: Context, cx: number, cy: number) => {
      for (const [line, at] of linesAt({ ...text, at: [cx, cy] })) drawText(to, line, at, font, colour, theme.ground);
    };
    const key = `text ${font} ${colour} ${text.text}`;
    sprites.draw(ctx, key, ...text.at, textWidth(text.text), textHeight(text.text), draw);
    return;
  }
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour;
  for (const [line, at] of linesAt(text)) ctx.fillText(line, at[0], at[1]);
}

function paintPointers(
  ctx: Context,
  scene: Scene,
  { status }: Moment,
  marks: readonly VertexMark[],
  texts: readonly Text[],
): void {
  const { layout, theme } = scene;
  ctx.globalAlpha = 1;
  const placed: Box[] = []; // pointers make way for each other, too
  const draw = (at: Point, reaches: Record<Side, number>, name: string, own: Box | null = null) => {
    const { names, circles } = takenBy(scene, texts, own);
    const boxOf = (side: Side) => pointerBox(...at, reaches[side], name, side);
    const { side, fits } = pointerSide(boxOf, [...names, ...placed], circles, underBar(layout));
    // Over other names, the tip alone: the legend has the name.
    const said = fits ? name : "";
    placed.push(pointerBox(...at, reaches[side], said, side));
    drawPointer(ctx, ...at, reaches[side], said, theme, side);
  };
  for (const [v, name] of status.current.vertices) {
    const mark = marks[v];
    if (!mark) continue;
    const gap = layout.radius + reach(mark, layout.radius);
    const reaches = { left: gap, right: gap, above: gap + layout.font + 4, below: gap + layout.font + 4 };
    draw(pointOf(layout, v), reaches, name);
  }
  for (const [e, name] of status.current.hyperedges) {
    const box = layout.mode === "regions" ? layout.edgeBox[e] : null;
    const [wide, high] = box
      ? [(box.right - box.left) / 2, (box.bottom - box.top) / 2]
      : [squareSize(layout) + 2, squareSize(layout) + (layout.mode === "regions" ? 2 : layout.font + 4)];
    const reaches = { left: wide, right: wide, above: high, below: high };
    draw(squareOf(layout, e), reaches, name, box);
  }
}

/** What a pointer should not cover: names of others, and vertices. */
function takenBy(
  { layout, graph }: Scene,
  texts: readonly Text[],
  own: Box | null,
): { names: readonly Box[]; circles: readonly Box[] } {
  const names = texts.map((text) => boxOfText(layout, text));
  for (const box of layout.edgeBox) if (box && box !== own) names.push(box);
  const around = 2 * layout.radius;
  const circles = Array.from({ length: graph.n }, (_, k) => boxAt(pointOf(layout, k + 1), around, around));
  return { names, circles };
}

// -- attention ------------------------------------------------------------------------------------------------------

/** Where row 0, which is no vertex and no hyperedge, has its mark: in the corner where it covers least. */
function globalAt({ graph, layout }: Scene): Point {
  const { width, height, radius } = layout;
  const corners: Point[] = [
    [42, 64],
    [width - 42, 64],
    [42, height - 24],
    [width - 42, height - 24],
  ];
  const taken = layout.edgeBox.filter((box) => box !== null);
  for (let v = 1; v <= graph.n; v++) taken.push(boxAt(pointOf(layout, v), 4 * radius, 4 * radius));
  const costs = corners.map((at) => taken.reduce((sum, box) => sum + overlap(boxAt(at, 80, 50), box), 0));
  return corners[costs.indexOf(Math.min(...costs))] ?? [42, 64];
}

function paintLinks(ctx: Context, scene: Scene, { links }: Moment, texts: readonly Text[], notes: string[]): void {
  if (links.length === 0) return;
  const { theme } = scene;
  ctx.globalAlpha = 1;
  const drawn = links.slice(0, MOST_LINKS);
  if (drawn.length < links.length)
    notes.push(`The first ${MOST_LINKS} of ${links.length.toLocaleString("en")} attention links.`);
  for (const link of drawn) drawLink(ctx, scene, link);
  const taken = writtenBoxes(scene, texts);
  for (const link of drawn) {
    if (link.margin === null || same(link)) continue;
    const text = `margin ${counted(link.margin, FEW)}`;
    ctx.font = MARGIN_FONT;
    const box = marginBox(scene, linkCurve(scene, link), ctx.measureText(text).width + 10, taken);
    taken.push(box);
    drawPill(ctx, text, box, MARGIN_FONT, theme.link, theme.ground, theme.link);
  }
  if (drawn.some((link) => !link.from || !link.to)) {
    drawPill(ctx, "row 0", boxAt(globalAt(scene), 50, 22), `600 12px ${FACE}`, theme.link, theme.ground, theme.link);
  }
}

const MARGIN_FONT = `500 11px ${FACE}`;

/** The texts of the picture, and its vertices. */
function writtenBoxes({ layout, graph }: Scene, texts: readonly Text[]): Box[] {
  const found = texts.map((text) => boxOfText(layout, text));
  for (const box of layout.edgeBox) if (box) found.push(box);
  for (let v = 1; v <= graph.n; v++) found.push(circleBox(layout, v));
  return found;
}

/** Where along an arrow its margin covers least; the middle where nothing is there. */
export function marginBox({ layout }: Pick<Scene, "layout">, curve: Curve, width: number, taken: readonly Box[]): Box {
  const view = underBar(layout);
  const boxes = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((share) => {
    const [x, y] = alongCurve(curve, share);
    return boxAt([x, Math.max(y, view.top + 9)], width, 16);
  });
  const costs = boxes.map((box) => taken.reduce((sum, other) => sum + overlap(box, other), 0) - overlap(box, view));
  return movedInto(boxes[costs.indexOf(Math.min(...costs))] as Box, view);
}

function same({ from, to }: Link): boolean {
  return from === to || (from?.scope === to?.scope && from?.row === to?.row);
}

function anchor(scene: Scene, thing: Thing | null): { at: Point; gap: number } {
  const { layout } = scene;
  if (!thing) return { at: globalAt(scene), gap: 18 };
  if (thing.scope === "vertices") return { at: pointOf(layout, thing.row), gap: layout.radius + 3 };
  return { at: squareOf(layout, thing.row), gap: layout.mode === "regions" ? 11 : squareSize(layout) + 3 };
}

function linkCurve(scene: Scene, link: Link): Curve {
  const [a, b] = [anchor(scene, link.from), anchor(scene, link.to)];
  const { control } = curveBetween(a.at, b.at, 0, 0, LINK_BEND);
  const gap = (thing: Thing | null, { at, gap }: typeof a) => labelGap(scene, thing, at, control) ?? gap;
  return curveBetween(a.at, b.at, gap(link.from, a), gap(link.to, b), LINK_BEND);
}

const LINK_BEND = 0.22;

/** How far an arrow to a region begins or ends from the middle of its label: at the rim of that, which is wide. */
function labelGap({ layout }: Scene, thing: Thing | null, at: Point, there: Point): number | null {
  const box = thing?.scope === "hyperedges" && layout.mode === "regions" ? layout.edgeBox[thing.row] : null;
  return box ? lengthInside([at, there], box) + 2 : null;
}

function drawLink(ctx: Context, scene: Scene, link: Link): void {
  const { theme } = scene;
  if (!same(link)) {
    drawArrows(ctx, [linkCurve(scene, link)], 1.8, theme.link, 9);
    return;
  }
  // A row that looks at itself: a small loop.
  const { at, gap } = anchor(scene, link.from);
  ctx.beginPath();
  ctx.arc(at[0] + gap, at[1] - gap, gap * 0.8, Math.PI * 0.85, Math.PI * 2.65);
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = theme.link;
  ctx.stroke();
}
