/** The marks of the picture: how one vertex, hyperedge, arrow or text is drawn. The legend draws the same ones. */

import type { Theme } from "./colours";
import { type Box, type Curve, isInside, overlap, type Point } from "./geometry";
import { FACE } from "./layout";

export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export interface VertexMark {
  colour: string | null; // of its value; null: none, or infinite
  ink: string; // readable on `colour`
  settled: boolean;
  chosen: boolean; // in the answer
  frontier: boolean;
  changed: boolean;
  current: boolean;
  selected: boolean;
}

const TURN = 2 * Math.PI;

export function ring(ctx: Context, x: number, y: number, radius: number, width: number, colour: string): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, TURN);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

function disc(ctx: Context, x: number, y: number, radius: number, colour: string): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, TURN);
  ctx.fillStyle = colour;
  ctx.fill();
}

/** How far the rings around a vertex reach from its rim. */
export function reach(mark: VertexMark, radius: number): number {
  const gap = Math.max(2.5, radius * 0.3);
  return mark.selected ? gap * 2 + 4 : mark.current ? gap * 2 + 1 : mark.frontier ? gap + 1 : 0;
}

export function drawVertex(ctx: Context, x: number, y: number, radius: number, mark: VertexMark, theme: Theme): void {
  const gap = Math.max(2.5, radius * 0.3);
  if (mark.changed) halo(ctx, x, y, radius, gap, theme);
  drawBody(ctx, x, y, radius, mark, theme);
  if (mark.frontier) dashedRing(ctx, x, y, radius + gap, Math.max(1.4, radius * 0.15), theme.frontier);
  if (mark.current) {
    ring(ctx, x, y, radius + gap, Math.max(1.8, radius * 0.17), theme.current);
    ring(ctx, x, y, radius + gap * 2, Math.max(1.8, radius * 0.17), theme.current);
  }
  if (mark.selected) ring(ctx, x, y, radius + gap * 2 + 2.5, 3, theme.selected);
}

function halo(ctx: Context, x: number, y: number, radius: number, gap: number, theme: Theme): void {
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * 0.22;
  disc(ctx, x, y, radius + gap * 3.2, theme.changed);
  ctx.globalAlpha = alpha * 0.5;
  disc(ctx, x, y, radius + gap * 1.9, theme.changed);
  ctx.globalAlpha = alpha;
}

/** Radii of vertices from which on their solid discs have room for ★ and ✓. */
export const STARRED = 6;
export const CHECKED = 8;

/** Solid where settled or in the answer; a coloured rim around a hollow where it only has a value; hollow where it has none. */
function drawBody(ctx: Context, x: number, y: number, radius: number, mark: VertexMark, theme: Theme): void {
  if (mark.chosen) {
    disc(ctx, x, y, radius, mark.colour ?? theme.answer);
    ring(ctx, x, y, radius, Math.max(2, radius * 0.2), theme.answer);
    if (radius >= STARRED) star(ctx, x, y, radius * 0.62, mark.colour ? mark.ink : theme.ground);
    return;
  }
  if (mark.settled) {
    disc(ctx, x, y, radius, mark.colour ?? theme.soft);
    ring(ctx, x, y, radius, 1.2, theme.rim);
    if (radius >= CHECKED) check(ctx, x, y, radius * 0.42, mark.colour ? mark.ink : theme.ground);
    return;
  }
  disc(ctx, x, y, radius, theme.hollow);
  if (!mark.colour) {
    ring(ctx, x, y, radius - 0.5, 1.4, theme.soft);
    return;
  }
  const width = Math.max(1.8, radius * 0.36);
  ring(ctx, x, y, radius - width / 2, width, mark.colour);
  ring(ctx, x, y, radius, 1, theme.rim);
}

function check(ctx: Context, x: number, y: number, size: number, colour: string): void {
  ctx.beginPath();
  ctx.moveTo(x - size, y + size * 0.05);
  ctx.lineTo(x - size * 0.25, y + size * 0.75);
  ctx.lineTo(x + size, y - size * 0.7);
  ctx.lineWidth = Math.max(1.5, size * 0.38);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.lineCap = "butt";
}

/** A star with five points: the mark of what is in the answer. */
export function star(ctx: Context, x: number, y: number, size: number, colour: string): void {
  ctx.beginPath();
  for (let k = 0; k < 10; k++) {
    const [angle, far] = [(k * Math.PI) / 5 - Math.PI / 2, k % 2 === 0 ? size : size * 0.42];
    const [px, py] = [x + far * Math.cos(angle), y + far * Math.sin(angle)];
    if (k === 0) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
  }
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
}

function dashedRing(ctx: Context, x: number, y: number, radius: number, width: number, colour: string): void {
  const dashes = Math.max(6, Math.round((TURN * radius) / 8));
  const dash = (TURN * radius) / dashes;
  ctx.setLineDash([dash * 0.6, dash * 0.4]);
  ring(ctx, x, y, radius, width, colour);
  ctx.setLineDash([]);
}

/** Where a pointer stands, seen from what it points at. */
export type Side = "left" | "right" | "above" | "below";

const AWAY: Record<Side, Point> = { left: [-1, 0], right: [1, 0], above: [0, -1], below: [0, 1] };
const ALIGN: Record<Side, CanvasTextAlign> = { left: "right", right: "left", above: "center", below: "center" };
const WEDGE = 12; // pixels from its tip to the name

/** A wedge that points at a place from one side, with the name of the pointer. */
export function drawPointer(
  ctx: Context,
  x: number,
  y: number,
  reachOf: number,
  name: string,
  theme: Theme,
  side: Side = "left",
): void {
  const [dx, dy] = AWAY[side];
  const [tx, ty] = [x + dx * (reachOf + 3), y + dy * (reachOf + 3)];
  ctx.beginPath();
  ctx.moveTo(tx, ty);
  for (const half of [-5.5, 5.5]) ctx.lineTo(tx + dx * 9 + dy * half, ty + dy * 9 + dx * half);
  ctx.closePath();
  ctx.fillStyle = theme.current;
  ctx.fill();
  const at: Point = [tx + dx * WEDGE, ty + dy * (WEDGE + 5)];
  if (name) drawText(ctx, name, at, `italic 600 12px ${FACE}`, theme.current, theme.ground, ALIGN[side]);
}

export const SIDES: readonly Side[] = ["left", "right", "above", "below"];
const MOST_HIDDEN = 0.3; // of a pointer's box, by vertices
const MOST_OF_NAMES = 0.04; // by names of others
const ANOTHERS = 16; // the cost of pointing at something else

/** The side on which a pointer covers least, and whether its name fits there: not over another, nor nearer to another vertex. */
export function pointerSide(
  boxOf: (side: Side) => Box,
  names: readonly Box[],
  circles: readonly Box[],
  inside: Box,
  isOwn: (box: Box) => boolean = () => true,
): { side: Side; fits: boolean } {
  const found = SIDES.map((side) => {
    const box = boxOf(side);
    const all = (box.right - box.left) * (box.bottom - box.top);
    const covered = (boxes: readonly Box[]) => boxes.reduce((sum, other) => sum + overlap(box, other), 0) / all;
    const [named, rest] = [covered(names), covered(circles) + 4 * (1 - overlap(box, inside) / all)];
    const own = isOwn(box);
    return {
      side,
      cost: 4 * named + rest + (own ? 0 : ANOTHERS),
      fits: own && named <= MOST_OF_NAMES && rest <= MOST_HIDDEN && isInside(box, inside),
    };
  });
  return found.reduce((best, each) => (each.cost < best.cost ? each : best));
}

/** The room that a pointer takes. */
export function pointerBox(x: number, y: number, reachOf: number, name: string, side: Side): Box {
  const [dx, dy] = AWAY[side];
  const [long, wide] = [name.length * 7 + WEDGE + 2, Math.max(12, name.length * 7)];
  const [near, far] = [reachOf + 3, reachOf + 3 + (dx === 0 ? WEDGE + 13 : long)];
  const half = dx === 0 ? wide / 2 : 8;
  if (dx === 0)
    return {
      left: x - half,
      right: x + half,
      top: Math.min(y + dy * near, y + dy * far),
      bottom: Math.max(y + dy * near, y + dy * far),
    };
  return {
    left: Math.min(x + dx * near, x + dx * far),
    right: Math.max(x + dx * near, x + dx * far),
    top: y - half,
    bottom: y + half,
  };
}

export function drawSquare(
  ctx: Context,
  x: number,
  y: number,
  size: number,
  fill: string,
  stroke: string,
  width = 1.2,
): void {
  ctx.fillStyle = fill;
  ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
  ctx.lineWidth = width;
  ctx.strokeStyle = stroke;
  ctx.strokeRect(x - size, y - size, 2 * size, 2 * size);
}

/** A text with a rim in the colour of the ground, so that it reads over lines. */
export function drawText(
  ctx: Context,
  text: string,
  at: Point,
  font: string,
  colour: string,
  ground: string,
  align: CanvasTextAlign = "center",
): void {
  drawRim(ctx, text, at, font, ground, align);
  ctx.fillStyle = colour;
  ctx.fillText(text, at[0], at[1]);
}

/** Only the rim of a text. */
export function drawRim(
  ctx: Context,
  text: string,
  [x, y]: Point,
  font: string,
  ground: string,
  align: CanvasTextAlign = "center",
): void {
  ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3.5;
  ctx.strokeStyle = ground;
  ctx.strokeText(text, x, y);
}

/** A text in a rounded box. */
export function drawPill(
  ctx: Context,
  text: string,
  box: Box,
  font: string,
  colour: string,
  ground: string,
  rim: string | null,
): void {
  ctx.beginPath();
  ctx.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, (box.bottom - box.top) / 2);
  ctx.fillStyle = ground;
  ctx.fill();
  if (rim) {
    ctx.lineWidth = 1;
    ctx.strokeStyle = rim;
    ctx.stroke();
  }
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour;
  ctx.fillText(text, (box.left + box.right) / 2, (box.top + box.bottom) / 2 + 0.5);
}

/** Arrows of one kind, all at once: one stroke and one fill are faster than hundreds. */
export function drawArrows(ctx: Context, curves: readonly Curve[], width: number, colour: string, head: number): void {
  drawShafts(ctx, curves, width, colour, head);
  drawHeads(ctx, curves, colour, head);
}

/** The same without heads. */
export function drawShafts(ctx: Context, curves: readonly Curve[], width: number, colour: string, head: number): void {
  if (curves.length === 0) return;
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.beginPath();
  for (const { start, control, end, angle } of curves) {
    ctx.moveTo(start[0], start[1]);
    const [x, y] = [end[0] - Math.cos(angle) * head * 0.8, end[1] - Math.sin(angle) * head * 0.8];
    ctx.quadraticCurveTo(control[0], control[1], x, y);
  }
  ctx.stroke();
}

export function drawHeads(ctx: Context, curves: readonly Curve[], colour: string, head: number): void {
  if (curves.length === 0) return;
  ctx.fillStyle = colour;
  ctx.beginPath();
  for (const { end, angle } of curves) arrowHead(ctx, end, angle, head);
  ctx.fill();
}

function arrowHead(ctx: Context, [x, y]: Point, angle: number, size: number): void {
  ctx.moveTo(x, y);
  for (const side of [-1, 1]) {
    ctx.lineTo(x - Math.cos(angle + side * 0.42) * size, y - Math.sin(angle + side * 0.42) * size);
  }
  ctx.closePath();
}
