/** The answer of a run whose answer is no mark of the picture, such as a verdict or a count: a box in a corner of it. */

import type { Theme } from "./colours";
import { type Box, overlap, type Point } from "./geometry";
import { BAR, FACE, type Layout, sizeOfFont, underBar, viewBox } from "./layout";
import type { Context } from "./marks";

/** Where the answer stands, in its lines. */
export interface Result {
  readonly box: Box;
  readonly lines: readonly string[];
  readonly font: string;
}

const PAD: Point = [8, 4]; // pixels around the text
const AWAY = 4; // from the ends of the picture
const APART = 3; // from all else
const STEP = 3; // more than the letters, from line to line
const MOST_LINES = 4;
/** How wide it may be, of the picture: as few lines as can be first. */
const WIDTHS = [1, 0.6, 0.4, 0.28] as const;
const BETWEEN = " · ";

/** The corner where it covers nothing, in as few lines as that takes; null where there is none. */
export function placeResult(layout: Layout, texts: readonly string[]): Result | null {
  if (texts.length === 0) return null;
  for (const shape of shapesOf(layout, texts))
    for (const at of cornersOf(layout, shape)) if (isFree(layout, at)) return { ...shape, box: at };
  return null;
}

/** How high a strip of the picture's full width has to be for it. */
export function heightOfResult(layout: Layout, texts: readonly string[]): number {
  const least = shapesOf(layout, texts).reduce((a, b) => (b.size[1] < a.size[1] ? b : a));
  return least.size[1] + AWAY + APART;
}

interface Shape {
  readonly lines: readonly string[];
  readonly font: string;
  readonly size: Point;
}

/** All in one line, or a line for each output, or more where they are wide. */
function shapesOf(layout: Layout, texts: readonly string[]): Shape[] {
  const joined = shapeOf(layout, [texts.join(BETWEEN)], 1);
  return [...(joined.lines.length === 1 ? [joined] : []), ...WIDTHS.map((share) => shapeOf(layout, texts, share))];
}

function shapeOf(layout: Layout, texts: readonly string[], share: number): Shape {
  const { left, right } = underBar(layout);
  const font = `600 ${layout.font}px ${FACE}`;
  const width = (line: string) => layout.measure(line, font);
  const most = share * (right - left) - 2 * (PAD[0] + AWAY);
  const lines = texts.flatMap((text) => linesWithin(text, most, width));
  const all = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]} …`] : lines;
  const told = all.map((line) => cut(line, right - left - 2 * (PAD[0] + AWAY), width));
  const size: Point = [Math.max(...told.map(width)) + 2 * PAD[0], told.length * (layout.font + STEP) + 2 * PAD[1]];
  return { lines: told, font, size };
}

/** A text in lines of whole words; a word that is wider has a line of its own. */
function linesWithin(text: string, most: number, width: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && width(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** What no line of the picture holds, such as a long name, without its end. */
function cut(text: string, most: number, width: (line: string) => number): string {
  if (width(text) <= most) return text;
  const letters = [...text];
  while (letters.length > 0 && width(`${letters.join("")}…`) > most) letters.pop();
  return `${letters.join("")}…`;
}

/** The lower corners first; in saved pictures, the upper ones have the name of the run where the page has its controls. */
function cornersOf(layout: Layout, { size: [width, height] }: Shape): Box[] {
  const { left, right, top } = underBar(layout);
  const [low, high] = [layout.height - AWAY - height, top + AWAY];
  const boxes = [low, ...(top >= BAR.top ? [high] : [])].flatMap((y) => [
    { left: left + AWAY, right: left + AWAY + width, top: y, bottom: y + height },
    { left: right - AWAY - width, right: right - AWAY, top: y, bottom: y + height },
  ]);
  return boxes.filter((box) => box.left >= left && box.right <= right && box.top >= top);
}

/** Whether nothing is there that a picture says. */
function isFree(layout: Layout, { left, right, top, bottom }: Box): boolean {
  const box = { left: left - APART, right: right + APART, top: top - APART, bottom: bottom + APART };
  if (layout.occupied.hits(box)) return false;
  const within = ([x, y]: Point) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return !layout.outlines.some((loops) => loops.some((loop) => loop.some(within))) && overlap(box, viewBox(layout)) > 0;
}

export function drawResult(ctx: Context, { box, lines, font }: Result, theme: Theme): void {
  ctx.globalAlpha = 1;
  ctx.beginPath();
  ctx.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 7);
  ctx.fillStyle = theme.ground;
  ctx.fill();
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = theme.answer;
  ctx.stroke();
  ctx.font = font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.ink;
  const step = sizeOfFont(font) + STEP;
  for (const [k, line] of lines.entries())
    ctx.fillText(line, box.left + PAD[0], box.top + PAD[1] + (k + 0.5) * step + 0.5);
}
