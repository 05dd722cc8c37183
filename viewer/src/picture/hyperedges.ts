/** Hyperedges: regions, squares or dots, with their names, their colours and what makes them stand out. */

import { edgeStyle } from "./colours";
import { emphasise, type Why } from "./emphasis";
import { alongCurve, type Box, type Curve, curveBetween, middleOfBox, type Point } from "./geometry";
import { bothOf, type Graph } from "./graph";
import { boxAt } from "./labels";
import { edgeFont, edgeLabelText, type Layout, pointOf, squareOf, squareSize } from "./layout";
import { middleOfDirected } from "./lines";
import { type Context, drawArrows, drawHeads, drawPill, drawSquare } from "./marks";
import { coloursOf, dimOf, type Moment, type Scene } from "./scene";
import { dashOf, edgeTextNow, outline, spokes, squareLabel } from "./shapes";

const HALFWAY = 0.6; // where those arrows end: apart from the other heads, and from each other

export function paintRegions(ctx: Context, scene: Scene): void {
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

/** Of a directed hyperedge: lines from its tails to its middle, and arrows from there to its heads; both have both. */
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
  const size = Math.min(9, 4 + layout.radius * 0.4);
  drawArrows(ctx, heads, 1.4, line, size);
  drawHeads(ctx, inward(graph, layout, e, middle), line, size);
}

/** Of the members that are a tail and a head: where on their lines a second arrow leads to the middle. */
function inward(graph: Graph, layout: Layout, e: number, middle: Point): Curve[] {
  return bothOf(graph, e).map((v) => {
    const line = curveBetween(pointOf(layout, v), middle, layout.radius, 0, 0);
    return { ...line, end: alongCurve(line, HALFWAY) };
  });
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

export function paintBipartite(ctx: Context, scene: Scene): void {
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
  drawHeads(ctx, inward(graph, layout, e, square), theme.soft, head);
}

export function paintDots(ctx: Context, { graph, layout, theme, focus }: Scene): void {
  ctx.globalAlpha = focus.hyperedges ? 0.3 : 0.75;
  ctx.fillStyle = theme.faint;
  const size = layout.radius >= 6 ? 1.8 : 1.1;
  for (let e = 1; e <= graph.m; e++) {
    const [x, y] = squareOf(layout, e);
    if (x < 0 || y < 0 || x > layout.width || y > layout.height) continue;
    ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

export function paintHyperedges(ctx: Context, scene: Scene, moment: Moment, notes: string[]): void {
  const { focus, theme } = scene;
  const { status } = moment;
  const stand = (rows: readonly number[], colour: string, why: Why) =>
    emphasise(ctx, scene, moment, rows, colour, why, notes);
  paintEdgeColours(ctx, scene, moment);
  stand(setRows(status.chosen.hyperedges), theme.answer, "answer");
  stand(setRows(status.meeting), theme.answer, "meeting");
  stand(setRows(status.frontier.hyperedges), theme.frontier, "frontier");
  if (focus.hyperedges) stand([...focus.hyperedges], theme.selected, "selected");
  stand(pointedRows(scene), theme.ink, "hovered");
  stand([...status.current.hyperedges.keys()], theme.current, "current");
}

/** After all lines and arrows, so that none crosses a name. */
export function paintEdgeNames(ctx: Context, scene: Scene, moment: Moment): void {
  if (scene.layout.mode === "regions") paintRegionLabels(ctx, scene, moment);
  else if (scene.layout.mode === "bipartite" && scene.layout.edgesTold) paintSquareLabels(ctx, scene, moment);
}

function setRows(flags: Uint8Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < flags.length; row++) if (flags[row]) rows.push(row);
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
