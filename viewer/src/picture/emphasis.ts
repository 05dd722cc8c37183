/** Hyperedges that stand out: in the answer, on the frontier, selected, under the pointer, current. */

import { edgeStyle } from "./colours";
import { Dots } from "./dots";
import { squareOf, squareSize } from "./layout";
import { type Context, drawSquare, star } from "./marks";
import { coloursOf, DIMMED, dimOf, type Moment, type Scene } from "./scene";
import { dashOf, edgeTextNow, outline, spokes, squareLabel } from "./shapes";
import type { Status } from "./status";

const MANY_DOTS = 600; // squares that are drawn as pixels instead of one by one

export const MOST_LINED = 150; // hyperedges that stand out for one reason and all have lines in a sparse picture

export type Why = "answer" | "meeting" | "frontier" | "selected" | "hovered" | "current";

const WIDTHS: Record<Why, number> = {
  answer: 3.2,
  meeting: 3.2,
  frontier: 2.2,
  selected: 2.6,
  hovered: 2.4,
  current: 3.4,
};

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
  meeting: "with two vertices of the answer",
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
export function emphasise(
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
  // Those of current ones are drawn after all else.
  if (stays(why) || why === "current" || rows.length > 12) return;
  for (const e of rows) squareLabel(ctx, scene, edgeTextNow(scene, moment, e), e, colour);
}

/** Whether it is the program that makes hyperedges stand out, not the reader. */
function stays(why: Why): boolean {
  return why === "frontier" || why === "answer" || why === "meeting";
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
  if (why !== "answer" && why !== "meeting") {
    ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
    return;
  }
  const own = coloursOf(status.edgeValue[e] as number, range, theme.dark).colour;
  drawSquare(ctx, x, y, size + 1, own ?? colour, colour, 2.4);
  if (size >= 5 && why === "answer") star(ctx, x, y, size * 0.8, theme.ground);
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
