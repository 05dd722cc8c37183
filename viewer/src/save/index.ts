/** Saves what the picture shows: a frame as SVG or PNG, the run as GIF or video. */

import "./save.css";
import { Citation, quickHash } from "../cite";
import { button, el, icon, setText, toggle } from "../dom";
import type { Explainer } from "../machine/explain";
import { Cancelled, sliced } from "../machine/slices";
import { placeText } from "../panels/timeline";
import type { Drawing } from "../picture";
import { SPEEDS } from "../player";
import type { Recording } from "../recording";
import { download, stemOf } from "./download";
import { Camera, type Choice, framesOf, noFrames, readingTime, Sentences, scaleOf } from "./film";
import { Colours, Gif } from "./gif";
import { pngWith, sourceText } from "./source";
import { Svg } from "./svg";
import { endingOf, filmed, videoKind } from "./video";

const SHARPER = 2; // pixels of a PNG for one of the page
const SAMPLES = 24; // frames that are looked at for their colours
const LAST = 2; // seconds for the last frame at least

/** What there is to save. */
export interface Saved {
  readonly recording: Recording;
  readonly explainer: Explainer | null;
  /** Whether the hypergraph is not what it was. */
  readonly edited: boolean;
  /** The diagram of the model as an SVG file; null where there is none. */
  diagram(): string | null;
  /** The picture as it is drawn now; it has to be visible for that. */
  drawing(): Drawing | null;
  /** Show the picture, where something else stands in its place; then that again. */
  reveal(): void;
  leave(): void;
  say(text: string, bad?: boolean): void;
}

type Making = (frames: number[], camera: Camera, canvas: HTMLCanvasElement) => Promise<[Blob, string] | null>;

export class SaveDialog {
  readonly root: HTMLDialogElement;
  readonly #of: Saved;
  readonly #every = el("select", { "aria-label": "Frames", "data-testid": "save-every" });
  readonly #from = el("input", { type: "number", min: 1, "aria-label": "From iteration", "data-testid": "save-from" });
  readonly #to = el("input", { type: "number", min: 1, "aria-label": "To iteration", "data-testid": "save-to" });
  readonly #speed = el("select", { "aria-label": "Frames per second", "data-testid": "save-speed" });
  readonly #told: HTMLLabelElement;
  readonly #length = el("p", { class: "dim", "data-testid": "save-length" });
  readonly #bar = el("progress", { "data-testid": "save-bar" });
  readonly #state = el("span", { role: "status", "data-testid": "save-state" });
  readonly #progress: HTMLElement;
  readonly #makers: HTMLButtonElement[];
  readonly #diagram: HTMLButtonElement;
  readonly #kind = videoKind();
  readonly #citation = new Citation();
  #tells = true;
  #marks = true;
  #sentences: Sentences | null = null;
  #measuring = 0;
  #making: { cancelled: boolean } | null = null;

  constructor(of: Saved) {
    this.#of = of;
    const act = (name: string, title: string, id: string, does: () => void) =>
      button(title, { class: "chip", "data-testid": id }, does, name);
    this.#diagram = act(
      "Diagram of the model (SVG)",
      "Save the diagram of the tab Machine, with the key to its signs",
      "save-diagram",
      () => this.#model(),
    );
    const gif = act("GIF", "Save the run as an animated GIF", "save-gif", () => this.#make(this.#gif));
    const video = act("Video", "Save the run as a video", "save-video", () => this.#make(this.#video));
    video.hidden = this.#kind === null;
    this.#makers = [gif, video];
    this.#told = toggle("a sentence for every frame", "save-told", true, (on) => {
      this.#tells = on;
      this.#measure();
    });
    const cancel = act("Cancel", "Stop making the file", "save-cancel", () => this.#cancel());
    this.#progress = el("div", { class: "save-progress", hidden: true }, this.#bar, this.#state, cancel);
    this.root = el(
      "dialog",
      { class: "help save", "aria-label": "Save", "data-testid": "save-dialog" },
      el(
        "div",
        { class: "panel-head" },
        el("h2", {}, "Save"),
        button("Close (Esc)", { class: "quiet" }, () => this.root.close(), icon("close")),
      ),
      el("h2", {}, "This frame, as the picture shows it"),
      el(
        "div",
        { class: "save-row" },
        act("SVG", "Save this frame as SVG", "save-svg", () => this.#still("svg")),
        act("PNG", "Save this frame as PNG", "save-png", () => this.#still("png")),
        this.#diagram,
      ),
      el(
        "div",
        { class: "save-row" },
        toggle("the sentence, and the marks of the algorithm", "save-marks", true, (on) => {
          this.#marks = on;
        }),
      ),
      el("h2", {}, "The run, as a film"),
      el(
        "div",
        { class: "save-row" },
        el("label", {}, "every ", this.#every),
        el("label", {}, "iterations ", this.#from, " to ", this.#to),
        el("label", {}, "at most ", this.#speed, " frames a second"),
      ),
      el("div", { class: "save-row" }, this.#told),
      this.#length,
      el("div", { class: "save-row" }, gif, video),
      this.#progress,
      el("h2", {}, "The run, to cite it"),
      this.#citation.root,
    );
    for (const node of [this.#every, this.#from, this.#to, this.#speed])
      node.addEventListener("input", () => this.#measure());
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
    this.root.addEventListener("close", () => {
      this.#cancel();
      this.#of.leave();
    });
  }

  open(): void {
    const { recording, explainer } = this.#of;
    this.#of.reveal();
    const { layers } = recording.trace.recorded;
    const kinds = layers ? ["layer", "iteration"] : ["iteration"];
    this.#every.replaceChildren(...kinds.map((kind) => el("option", { value: kind }, kind)));
    const speeds = SPEEDS.filter((speed) => speed <= 30);
    this.#speed.replaceChildren(...speeds.map((s) => el("option", { value: s, selected: s === 2 }, String(s))));
    const last = recording.iterationOf(recording.length - 1);
    for (const [node, value] of [
      [this.#from, 1],
      [this.#to, last],
    ] as const) {
      node.max = String(last);
      node.value = String(value);
    }
    this.#told.hidden = explainer === null;
    this.#diagram.hidden = explainer === null;
    this.#sentences = explainer && new Sentences(recording.trace, explainer.model);
    this.#measure();
    this.#citation.load(recording.trace);
    this.root.showModal();
  }

  #choice(): Choice {
    const { value } = this.#every;
    return {
      every: value === "layer" ? value : "iteration",
      from: this.#first,
      to: Number(this.#to.value),
    };
  }

  /** A film that begins with iteration 1 begins with the start, which comes before it. */
  get #first(): number {
    const from = Number(this.#from.value);
    return from === 1 ? 0 : from;
  }

  get #perSecond(): number {
    return Number(this.#speed.value) || 1;
  }

  #frames(): number[] {
    return framesOf(this.#of.recording, this.#choice());
  }

  /** How long the film is, before it is made. */
  async #measure(): Promise<void> {
    const { recording } = this.#of;
    const frames = this.#frames();
    const [count, all] = [frames.length, framesOf(recording, this.#choice(), recording.length).length];
    const some = count < all ? `, of ${all.toLocaleString("en")}, evenly` : "";
    const told = count === 0 ? noFrames(this.#choice()) : `${count} frames${some}`;
    setText(this.#length, told);
    for (const node of this.#makers) node.disabled = count === 0;
    const mine = ++this.#measuring;
    try {
      if (this.#said) await sliced(this.#said.all(frames), { cancelled: () => mine !== this.#measuring });
    } catch (error) {
      if (error instanceof Cancelled) return;
      throw error;
    }
    if (mine !== this.#measuring || count === 0) return;
    const seconds = frames.reduce((sum, _, k) => sum + this.#seconds(frames, k), 0);
    const slower = this.#said ? " Each stays until its sentence can be read." : "";
    const real = this.#kind === null ? "" : " A video takes as long to make as it plays.";
    setText(this.#length, `${told}: ${Number(seconds.toFixed(1))} seconds.${slower}${real}`);
  }

  /** The sentences, if they are wanted. */
  get #said(): Sentences | null {
    return this.#tells ? this.#sentences : null;
  }

  /** "harbour-edited-dijkstra" */
  get #stem(): string {
    const { recording, edited } = this.#of;
    const { algorithm, hypergraph } = recording.trace;
    return `${stemOf(hypergraph.name)}${edited ? "-edited" : ""}-${stemOf(algorithm.name)}`;
  }

  #camera(frames: readonly number[], said = this.#said, writes = false): Camera | null {
    const drawing = this.#of.drawing();
    const canvas = el("canvas").getContext("2d");
    // A file that is written has letters of its own.
    const ruler = canvas && (writes ? new Svg(0, 0, canvas).context : canvas);
    if (!drawing || !ruler) {
      this.#of.say("The picture is not drawn yet: open the tab Picture, and save then.", true);
      return null;
    }
    const { recording, edited } = this.#of;
    return new Camera(recording.trace, drawing, { said, frames, edited }, ruler);
  }

  /** The diagram of the model, whatever frame is shown. */
  #model(): void {
    const diagram = this.#of.diagram();
    if (!diagram) return;
    const { algorithm } = this.#of.recording.trace;
    this.#keep(new Blob([diagram], { type: "image/svg+xml" }), `${stemOf(algorithm.name)}-model.svg`);
  }

  async #still(ending: "svg" | "png"): Promise<void> {
    const { recording } = this.#of;
    const marks = this.#marks;
    const camera = this.#camera([recording.frame], marks ? this.#said : null, ending === "svg");
    const canvas = camera && canvasOf(camera, SHARPER);
    const ctx = canvas?.getContext("2d");
    if (!camera || !canvas || !ctx) return;
    const { frame, iteration, layer } = recording;
    const name = `${this.#stem}-${iteration}${recording.trace.recorded.layers ? `-${layer}` : ""}.${ending}`;
    const place = placeText(recording);
    const from = await this.#source(place);
    if (ending === "svg") {
      const svg = new Svg(camera.width, camera.height, ctx);
      camera.paint(svg.context, frame, { links: true, writes: true, marks });
      this.#keep(new Blob([svg.text(camera.title(frame), from)], { type: "image/svg+xml" }), name);
      return;
    }
    camera.paint(ctx, frame, { links: true, marks });
    const found = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!found) return;
    const png = pngWith(new Uint8Array(await found.arrayBuffer()), "Description", from);
    this.#keep(new Blob([png], { type: "image/png" }), name);
  }

  /** Where the file comes from, with the hash of the run if that is soon computed. */
  async #source(place: string): Promise<string> {
    const { recording, edited } = this.#of;
    return sourceText(recording.trace, edited, place, await quickHash(recording.trace));
  }

  #keep(content: Blob, name: string): void {
    download(content, name);
    this.root.close();
    this.#of.say(`Saved ${name}, ${Math.ceil(content.size / 1000).toLocaleString("en")} kB.`);
  }

  async #make(how: Making): Promise<void> {
    const frames = this.#frames();
    const camera = this.#making ? null : this.#camera(frames);
    if (!camera) return;
    const mine = { cancelled: false };
    this.#making = mine;
    this.#busy(frames.length);
    try {
      const canvas = canvasOf(camera, scaleOf(camera.width, camera.height));
      const made = await how(frames, camera, canvas);
      if (made && !mine.cancelled) this.#keep(...made);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.#of.say(error instanceof Error ? error.message : String(error), true);
    } finally {
      this.#making = null;
      this.#busy(0);
    }
  }

  #cancel(): void {
    if (this.#making) this.#making.cancelled = true;
  }

  #busy(frames: number): void {
    this.#progress.hidden = frames === 0;
    this.#bar.max = Math.max(1, frames);
    this.#tell(0);
    for (const node of this.#makers) node.disabled = frames > 0;
  }

  #tell(done: number): void {
    this.#bar.value = done;
    setText(this.#state, `frame ${done} of ${this.#bar.max}`);
  }

  #watch() {
    const mine = this.#making;
    return { progress: (done: number) => this.#tell(done), cancelled: () => mine?.cancelled ?? true };
  }

  /** How long frame number k is seen, in seconds. */
  #seconds(frames: readonly number[], k: number): number {
    const reads = readingTime(this.#said?.at(frames[k] as number) ?? "");
    return Math.max(k === frames.length - 1 ? LAST : 0, 1 / this.#perSecond, reads);
  }

  #gif: Making = async (frames, camera, canvas) => {
    const seconds = frames.map((_, k) => this.#seconds(frames, k));
    const ends = [frames[0], frames.at(-1)].map((frame) => this.#of.recording.iterationOf(frame as number));
    const from = await this.#source(`iterations ${Math.max(1, ends[0] as number)} to ${ends[1]}`);
    const bytes = await sliced(gifSteps(frames, camera, canvas, seconds, from), this.#watch());
    return [new Blob([bytes], { type: "image/gif" }), `${this.#stem}.gif`];
  };

  #video: Making = async (frames, camera, canvas) => {
    const ctx = canvas.getContext("2d");
    if (!ctx || this.#kind === null) return null;
    const paint = (k: number) => {
      camera.paint(ctx, frames[k] as number);
      return 1000 * this.#seconds(frames, k);
    };
    const found = await filmed(canvas, this.#kind, frames.length, paint, this.#watch());
    return found && [found, `${this.#stem}.${endingOf(this.#kind)}`];
  };
}

/** First the colours of some frames, then all frames; tells how many are done. */
function* gifSteps(
  frames: readonly number[],
  camera: Camera,
  canvas: HTMLCanvasElement,
  seconds: readonly number[],
  from: string,
): Generator<number, Uint8Array<ArrayBuffer>> {
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  if (!ctx) throw new Error("This browser has no canvas to draw the film on.");
  const pixels = (frame: number) => {
    camera.paint(ctx, frame);
    return ctx.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const colours = new Colours();
  const every = Math.ceil(frames.length / SAMPLES);
  for (let k = 0; k < frames.length; k += every) {
    colours.add(pixels(frames[k] as number));
    yield 0;
  }
  const gif = new Gif(canvas.width, canvas.height, colours.palette(), from);
  for (const [k, frame] of frames.entries()) {
    gif.add(pixels(frame), 100 * (seconds[k] as number));
    yield k + 1;
  }
  return gif.end();
}

function canvasOf({ width, height }: Camera, scale: number): HTMLCanvasElement {
  const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d", { willReadFrequently: true })?.scale(scale, scale);
  return canvas;
}
