/** Frames of a run drawn away from the page: one to save, or many for a film. */

import { Explainer } from "../machine/explain";
import type { Model } from "../machine/model";
import { placeText } from "../panels/timeline";
import type { Drawing } from "../picture";
import { FACE } from "../picture/layout";
import { type Context, drawText } from "../picture/marks";
import { paintLive, paintStatic } from "../picture/paint";
import { Recording } from "../recording";
import { sentence, toldOf } from "../told";
import type { Trace } from "../trace";
import { writable } from "./svg";

/** Frames of a film at most; of a longer run it has some, evenly. */
export const MOST_FRAMES = 300;
/** Pixels of the picture's own width and height that a film has at most. */
const WIDEST = 900;

export interface Choice {
  readonly every: "layer" | "iteration";
  /** Iterations. */
  readonly from: number;
  readonly to: number;
}

/** The frames of a film, in order. */
export function framesOf(recording: Recording, { every, from, to }: Choice, most = MOST_FRAMES): number[] {
  const all = Array.from({ length: recording.length }, (_, frame) => frame).filter((frame) => {
    const iteration = recording.iterationOf(frame);
    if (iteration < from || iteration > to) return false;
    return every === "layer" || frame === recording.length - 1 || recording.iterationOf(frame + 1) !== iteration;
  });
  if (all.length <= most) return all;
  const step = (all.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, k) => all[Math.round(k * step)] as number);
}

/** How much larger than on the page a film is drawn. */
export function scaleOf(width: number, height: number): number {
  return Math.min(2, WIDEST / Math.max(1, width, height));
}

const LINE = 18; // pixels of a line of text
const EDGE = 12;
const SMALL = `500 13px ${FACE}`;
const STRONG = `600 13px ${FACE}`;

/** Draws any frame of a run as the page draws its current one, with its place and, if wanted, its sentence. */
export class Camera {
  readonly width: number;
  readonly height: number;
  readonly #recording: Recording;
  readonly #drawing: Drawing;
  readonly #explainer: Explainer | null;
  readonly #lines: number; // of text beneath the picture

  constructor(trace: Trace, drawing: Drawing, told: Model | null) {
    this.#recording = new Recording(trace);
    this.#drawing = drawing;
    this.#explainer = told && new Explainer(told, this.#recording);
    this.#lines = told ? 3 : 0;
    this.width = Math.round(drawing.scene.layout.width);
    this.height = Math.round(drawing.scene.layout.height) + (this.#lines > 0 ? this.#lines * LINE + EDGE : 0);
  }

  /** What a program for the blind reads. */
  title(frame: number): string {
    this.#recording.seek(frame);
    return [headingOf(this.#recording.trace), placeText(this.#recording), this.#said()].filter(Boolean).join(". ");
  }

  /** Draw a frame; outlines that are text are for a context that writes. */
  paint(ctx: Context, frame: number, { links = false, writes = false } = {}): void {
    const { scene, moment } = this.#drawing;
    const { theme } = scene;
    this.#recording.seek(frame);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, this.width, this.height);
    const drawn = writes ? { ...scene, layout: writable(scene.layout) } : scene;
    paintStatic(ctx, drawn);
    paintLive(ctx, drawn, { ...moment(this.#recording), ...(links ? {} : { links: [] }) });
    this.#caption(ctx);
  }

  /** The run at the top, where the page has its controls, and the sentence beneath the picture. */
  #caption(ctx: Context): void {
    const { theme, layout } = this.#drawing.scene;
    const write = (text: string, y: number, font: string, colour: string) =>
      drawText(ctx, text, [EDGE, y], font, colour, theme.ground, "left");
    const place = placeText(this.#recording);
    write(fitted(ctx, headingOf(this.#recording.trace), STRONG, this.width - 2 * EDGE), EDGE, STRONG, theme.ink);
    write(fitted(ctx, place, SMALL, this.width - 2 * EDGE), EDGE + LINE, SMALL, theme.soft);
    const lines = wrapped(ctx, this.#said(), SMALL, this.width - 2 * EDGE, this.#lines);
    lines.forEach((line, k) => {
      write(line, layout.height + EDGE + k * LINE, SMALL, theme.ink);
    });
  }

  #said(): string {
    const recording = this.#recording;
    if (!this.#explainer || recording.frame === 0) return "";
    const told = toldOf(this.#explainer, recording.layer);
    return told ? sentence(told, recording.sectionOf(recording.frame)) : "";
  }
}

/** "dijkstra · harbour.hif.json" */
export function headingOf({ algorithm, hypergraph }: Trace): string {
  return [algorithm.name, hypergraph.name].filter((part) => part !== "").join(" · ");
}

function widthOf(ctx: Context, text: string, font: string): number {
  ctx.font = font;
  return ctx.measureText(text).width;
}

/** A text cut off where it would not fit. */
export function fitted(ctx: Context, text: string, font: string, width: number): string {
  if (widthOf(ctx, text, font) <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && widthOf(ctx, `${letters.join("")}…`, font) > width) letters.pop();
  return `${letters.join("")}…`;
}

/** A text in lines of words, at most so many; the last says that there is more. */
export function wrapped(ctx: Context, text: string, font: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text.split(" ").filter((word) => word !== "");
  while (rest.length > 0 && lines.length < most) {
    let count = 1;
    while (count < rest.length && widthOf(ctx, rest.slice(0, count + 1).join(" "), font) <= width) count++;
    const last = lines.length === most - 1;
    lines.push(fitted(ctx, rest.slice(0, last ? rest.length : count).join(" "), font, width));
    rest = rest.slice(count);
  }
  return lines;
}
