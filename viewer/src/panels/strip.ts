import { el, setAttribute } from "../dom";
import type { Recording } from "../recording";
import { Viewport } from "../viewport";

const PAD = 6; // pixels at both ends: half a bar

/** The scrubber: the number of changes at each frame, gaps between recorded iterations, the first difference. */
export class Strip {
  readonly root: HTMLElement;
  readonly #canvas = el("canvas", { "aria-hidden": "true" });
  readonly #playhead = el("div", { class: "playhead" });
  readonly #mark = el("div", {
    class: "difference-mark",
    hidden: true,
    title: "First difference from the interpreter",
  });
  #recording: Recording | null = null;
  readonly #view: Viewport;
  #drawn = "";
  #density: { states: Float64Array; all: Float64Array } = { states: new Float64Array(), all: new Float64Array() };

  constructor(scrub: (frame: number) => void, redraw: () => void) {
    this.root = el(
      "div",
      {
        class: "strip",
        role: "slider",
        tabindex: "0",
        "aria-label": "Frame",
        "aria-valuemin": 0,
        "data-testid": "timeline",
      },
      this.#canvas,
      this.#mark,
      this.#playhead,
    );
    this.#view = new Viewport(this.root, redraw);
    const at = (event: PointerEvent) => {
      const box = this.root.getBoundingClientRect();
      const last = (this.#recording?.length ?? 1) - 1;
      scrub(Math.round(((event.clientX - box.left - PAD) / Math.max(1, box.width - 2 * PAD)) * last));
    };
    this.root.addEventListener("pointerdown", (event) => {
      this.root.setPointerCapture(event.pointerId);
      at(event);
    });
    this.root.addEventListener("pointermove", (event) => {
      if (this.root.hasPointerCapture(event.pointerId)) at(event);
    });
  }

  load(recording: Recording): void {
    this.#recording = recording;
    this.#drawn = "";
    this.#density = densityOf(recording);
    setAttribute(this.root, "aria-valuemax", String(recording.length - 1));
    const first = recording.trace.differences.first;
    this.#mark.hidden = first === null;
    if (first) this.#mark.style.left = this.#left(first.frame);
  }

  render(place: string, dark: boolean): void {
    const recording = this.#recording;
    if (!recording) return;
    this.#playhead.style.left = this.#left(recording.frame);
    setAttribute(this.root, "aria-valuenow", String(recording.frame));
    setAttribute(this.root, "aria-valuetext", place);
    const { width, height } = this.#view;
    const key = `${width} ${height} ${dark}`;
    if (key === this.#drawn || width === 0) return;
    this.#drawn = key;
    this.#draw(recording, width, height);
  }

  #share(frame: number): number {
    return frame / Math.max(1, (this.#recording?.length ?? 1) - 1);
  }

  #left(frame: number): string {
    const share = this.#share(frame);
    return `calc(${share * 100}% + ${(1 - 2 * share) * PAD}px)`;
  }

  #at(frame: number, width: number): number {
    return PAD + this.#share(frame) * (width - 2 * PAD);
  }

  #draw(recording: Recording, width: number, height: number): void {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    const style = getComputedStyle(this.root);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#ticks(context, recording, width, height, colour("--line"), colour("--dim"), style.fontFamily);
    this.#bars(context, this.#density.all, width, height, colour("--density-all"));
    this.#bars(context, this.#density.states, width, height, colour("--density"));
    this.#gaps(context, recording, width, height, colour("--bad"));
  }

  #bars(context: CanvasRenderingContext2D, density: Float64Array, width: number, height: number, colour: string): void {
    const bins = new Float64Array(Math.ceil(width) + 1);
    const frames = density.length;
    const each = width / Math.max(1, frames - 1);
    for (let f = 0; f < frames; f++) {
      const x = Math.round(this.#at(f, width));
      bins[x] = Math.max(bins[x] as number, density[f] as number);
    }
    const most = Math.log1p(this.#density.all.reduce((a, b) => Math.max(a, b), 1));
    const bar = Math.min(9, Math.max(1, each * 0.7));
    context.fillStyle = colour;
    bins.forEach((count, x) => {
      if (count === 0) return;
      const tall = Math.max(1.5, (Math.log1p(count) / most) * (height - 16));
      context.fillRect(x - bar / 2, height - tall, bar, tall);
    });
  }

  #ticks(
    context: CanvasRenderingContext2D,
    recording: Recording,
    width: number,
    height: number,
    line: string,
    text: string,
    font: string,
  ): void {
    const ends: number[] = [];
    for (let f = 1; f < recording.length; f++) if (recording.layerOf(f) === recording.layers) ends.push(f);
    const every = niceStep(ends.length / Math.max(1, width / 46));
    context.font = `10px ${font}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const frame of ends) {
      const iteration = recording.iterationOf(frame);
      if (iteration % every !== 0) continue;
      const x = this.#at(frame, width);
      context.fillStyle = line;
      context.fillRect(Math.round(x), 12, 1, height - 12);
      context.fillStyle = text;
      context.fillText(iteration.toLocaleString("en"), Math.min(width - 8, Math.max(8, x)), 1);
    }
  }

  /** Iterations are missing between two frames: a dashed line. */
  #gaps(context: CanvasRenderingContext2D, recording: Recording, width: number, height: number, colour: string): void {
    if (recording.trace.recorded.every > 1) return; // then there is a gap everywhere
    context.strokeStyle = colour;
    context.setLineDash([3, 3]);
    for (let f = 1; f < recording.length; f++) {
      if (recording.follows(f)) continue;
      const x = this.#at(f - 0.5, width);
      context.beginPath();
      context.moveTo(x, 12);
      context.lineTo(x, height);
      context.stroke();
    }
    context.setLineDash([]);
  }
}

/** How many changes each frame has: of states, and in all columns of X. */
function densityOf(recording: Recording): { states: Float64Array; all: Float64Array } {
  const columns = recording.trace.columns.length;
  const of = new Uint8Array(recording.log.columns);
  for (const { role, column } of recording.trace.variables) if (role === "state") of[column] = 1;
  const [states, all] = [new Float64Array(recording.length), new Float64Array(recording.length)];
  const { start, column } = recording.log;
  for (let f = 1; f < recording.length; f++) {
    const end = start[f + 1] as number;
    for (let i = start[f] as number; i < end; i++) {
      const c = column[i] as number;
      if (c >= columns) continue;
      all[f] = (all[f] as number) + 1;
      if (of[c]) states[f] = (states[f] as number) + 1;
    }
  }
  return { states, all };
}

function niceStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
  }
}
