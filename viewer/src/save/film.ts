/** Frames of a run drawn away from the page: one to save, or many for a film. */

import { inputTexts } from "../inputs";
import { isolated } from "../isolate";
import { Explainer } from "../machine/explain";
import type { Model } from "../machine/model";
import { startText } from "../panels/story";
import { placeText } from "../panels/timeline";
import type { Drawing } from "../picture";
import { css, sequential } from "../picture/colours";
import type { Graph } from "../picture/graph";
import { FACE } from "../picture/layout";
import { type Context, drawText } from "../picture/marks";
import { paintLive, paintStatic } from "../picture/paint";
import { emptyStatus, type Status } from "../picture/status";
import { Recording } from "../recording";
import { sentence, toldOf } from "../told";
import { isUnverified, type Trace } from "../trace";
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

/** Why there is nothing to save. */
export function noFrames({ from, to }: Choice): string {
  return from > to ? "The first iteration is after the last one." : "There is no such iteration.";
}

/** How much larger than on the page a film is drawn. */
export function scaleOf(width: number, height: number): number {
  return Math.min(2, WIDEST / Math.max(1, width, height));
}

const LINE = 18; // pixels of a line of text
const EDGE = 14;
const TOP = 13; // the middle of the first line; the second ends before the picture begins
const SMALL = `500 13px ${FACE}`;
const STRONG = `600 13px ${FACE}`;

const MOST_LINES = 14; // of a sentence
const SCALE = { width: 90, steps: 32 } as const; // of the colours, in pixels

/** The sentences of a run, each made once. */
export class Sentences {
  readonly #recording: Recording;
  readonly #explainer: Explainer;
  readonly #kept = new Map<number, string>();

  constructor(trace: Trace, model: Model) {
    this.#recording = new Recording(trace);
    this.#explainer = new Explainer(model, this.#recording);
  }

  at(frame: number): string {
    const kept = this.#kept.get(frame);
    if (kept !== undefined) return kept;
    this.#recording.seek(frame);
    const text = frame === 0 ? startText(this.#recording) : this.#layer(frame);
    this.#kept.set(frame, text);
    return text;
  }

  #layer(frame: number): string {
    const told = toldOf(this.#explainer, this.#recording.layer);
    return told ? sentence(told, this.#recording.sectionOf(frame)) : "";
  }

  /** Make all of these, step by step. */
  *all(frames: readonly number[]): Generator<number, void> {
    for (const [k, frame] of frames.entries()) {
      this.at(frame);
      yield k;
    }
  }
}

/** Seconds in which people read a text. */
export function readingTime(text: string): number {
  const words = text.split(" ").filter((word) => word !== "").length;
  return words === 0 ? 0 : Math.min(7, 0.4 + 0.17 * words);
}

export interface Captions {
  /** The sentences, if they are wanted. */
  readonly said: Sentences | null;
  /** What will be drawn: there is room for the longest sentence. */
  readonly frames: readonly number[];
  readonly edited: boolean;
}

/** Draws any frame of a run as the page draws its current one, with its place, its scale and, if wanted, its sentence. */
export class Camera {
  readonly width: number;
  readonly height: number;
  readonly #recording: Recording;
  readonly #drawing: Drawing;
  readonly #heading: string;
  readonly #headingIn: (ctx: Context) => string;
  readonly #said: Sentences | null;

  constructor(trace: Trace, drawing: Drawing, { said, frames, edited }: Captions, ruler: Context) {
    this.#recording = new Recording(trace);
    this.#drawing = drawing;
    this.#heading = headingOf(trace, edited);
    this.#headingIn = (ctx) => fittedHeading(ctx, trace, edited, STRONG, this.width - 2 * EDGE);
    this.#said = said;
    this.width = Math.round(drawing.scene.layout.width);
    const counts = frames.map((frame) => this.#lines(ruler, frame).length + (drawing.scale ? 1 : 0));
    const lines = Math.max(0, ...counts);
    this.height = Math.round(drawing.scene.layout.height) + (lines > 0 ? lines * LINE + EDGE : 0);
  }

  /** What a program for the blind reads. */
  title(frame: number): string {
    this.#recording.seek(frame);
    return [this.#heading, placeText(this.#recording), this.#said?.at(frame)].filter(Boolean).join(". ");
  }

  /** Draw a frame; outlines that are text are for a context that writes. */
  paint(ctx: Context, frame: number, { links = false, writes = false, marks = true } = {}): void {
    const { scene, moment } = this.#drawing;
    const { theme } = scene;
    this.#recording.seek(frame);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, this.width, this.height);
    const drawn = writes ? { ...scene, layout: writable(scene.layout) } : scene;
    paintStatic(ctx, drawn);
    const now = moment(this.#recording);
    const status = marks ? now.status : unmarked(now.status, scene.graph);
    paintLive(ctx, drawn, { ...now, status, ...(links && marks ? {} : { links: [] }) });
    this.#caption(ctx, frame);
  }

  /** The run at the top, where the page has its controls; the scale and the sentence beneath the picture. */
  #caption(ctx: Context, frame: number): void {
    const { scene, scale } = this.#drawing;
    const { theme, layout } = scene;
    const write = (text: string, y: number, font: string, colour: string, x = EDGE) =>
      drawText(ctx, text, [x, y], font, colour, theme.ground, "left");
    const place = placeText(this.#recording);
    write(this.#headingIn(ctx), TOP, STRONG, theme.ink);
    write(fitted(ctx, place, SMALL, this.width - 2 * EDGE), TOP + LINE, SMALL, theme.soft);
    let y = layout.height + EDGE;
    if (scale) {
      let x = EDGE;
      const add = (text: string, font: string, colour: string) => {
        write(text, y, font, colour, x);
        x += widthOf(ctx, text, font) + 8;
      };
      add(fitted(ctx, scale.name, STRONG, this.width / 3), STRONG, theme.ink);
      add(scale.least, SMALL, theme.soft);
      for (let k = 0; k < SCALE.steps; k++) {
        ctx.fillStyle = css(sequential(k / (SCALE.steps - 1)));
        const each = SCALE.width / SCALE.steps;
        ctx.fillRect(x + k * each, y - 5, each + 0.3, 10); // a little over the next: no gaps
      }
      x += SCALE.width + 8;
      add(scale.most, SMALL, theme.soft);
      add(scale.also, SMALL, theme.soft);
      y += LINE;
    }
    for (const line of this.#lines(ctx, frame)) {
      write(line, y, SMALL, theme.ink);
      y += LINE;
    }
  }

  #lines(ctx: Context, frame: number): string[] {
    return wrapped(ctx, this.#said?.at(frame) ?? "", SMALL, this.width - 2 * EDGE, MOST_LINES);
  }
}

/** What is of the answer, without the marks of the algorithm at work. */
function unmarked({ value, edgeValue, chosen, meeting }: Status, graph: Graph): Status {
  return { ...emptyStatus(graph), value, edgeValue, chosen, meeting };
}

/** "dijkstra · harbour.hif.json, edited · source: Quay", in its parts; of a model that nobody verified it says so. */
function headingParts(trace: Trace, edited: boolean): [algorithm: string, name: string, ...inputs: string[]] {
  const { algorithm, hypergraph } = trace;
  const own = isolated(hypergraph.name);
  const name = edited ? `${own}, edited`.replace(/^, /, "") : own;
  const inputs = inputTexts(new Recording(trace), FEW_ROWS).map((input) => `${input.name}: ${input.text}`);
  const whose = joined([algorithm.name, isUnverified(trace) ? "unverified model" : ""]);
  return [whose, name, ...inputs];
}

const FEW_ROWS = 3; // of an input that is an array, which are told one by one

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

export function headingOf(trace: Trace, edited: boolean): string {
  return joined(headingParts(trace, edited));
}

/** The same within a width: the name of the file is cut first. */
export function fittedHeading(ctx: Context, trace: Trace, edited: boolean, font: string, width: number): string {
  const [algorithm, name, ...inputs] = headingParts(trace, edited);
  const whole = joined([algorithm, name, ...inputs]);
  const over = widthOf(ctx, whole, font) - width;
  if (over <= 0 || name === "") return fitted(ctx, whole, font, width);
  const short = fitted(ctx, name, font, Math.max(0, widthOf(ctx, name, font) - over));
  return fitted(ctx, joined([algorithm, short, ...inputs]), font, width);
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
