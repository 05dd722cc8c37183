/** The picture of a hypergraph at a frame of a recording. */

import "./picture.css";
import { button, el, setAttribute, setText } from "../dom";
import type { Recording, Thing } from "../recording";
import type { Kind, Trace } from "../trace";
import { middleValue, type Theme, themeOf } from "./colours";
import { type Box, insidePolygon, type Point } from "./geometry";
import { type Gestures, listenTo } from "./gestures";
import { type Graph, graphOf, moveVertex } from "./graph";
import { layoutOf } from "./labelled";
import {
  edgeTextWith,
  type Fit,
  type Frame,
  fitFor,
  type Layout,
  type Margins,
  MOST_REGIONS,
  type Mode,
  modeFor,
  overhang,
  pointOf,
  type Room,
  squareOf,
  squareSize,
  type View,
  WHOLE,
  zoomed,
} from "./layout";
import { entriesOf, hollowText, Legend, onScale, ROW_0, type ScaleTexts, targetText } from "./legend";
import { globalBox } from "./links";
import { CHECKED, STARRED } from "./marks";
import { Measured } from "./measured";
import { paintLive, paintStatic } from "./paint";
import { type Colour, colourable, everIn, isPointer, type Range, rangeOf, shownColour } from "./ranges";
import { heightOfResult } from "./result";
import { type Focus, focusOf, type Link, type Moment, type Scene } from "./scene";
import { Sprites } from "./sprites";
import { answersOf, emptyStatus, inWords, readStatus, type Status } from "./status";
import { Tooltip } from "./tooltip";

export type { Link } from "./scene";

const MODES: Record<Mode, string> = { regions: "Regions", bipartite: "Squares and lines", sparse: "Sparse" };
const NO_RANGE: Range = {
  least: 0,
  most: 0,
  under: false,
  over: false,
  infinite: false,
  none: false,
  categories: false,
  bend: 0,
};
const UNFIT: Fit = { sx: 1, sy: 1, ox: 0, oy: 0 };
const FEW = 60; // vertices that are drawn one by one, without kept images
const FOLDED_BELOW = 640; // pixels of width or height: the legend starts folded in a small picture

/** What is drawn, for whoever draws it elsewhere: the scene, and what it shows of a frame of the same run. */
export interface Drawing {
  readonly scene: Scene;
  moment(recording: Recording): Moment;
  /** The scale of colours in words; null where there is none. */
  readonly scale: {
    readonly name: string;
    readonly least: string;
    readonly most: string;
    readonly also: string;
  } | null;
}

interface Loaded {
  recording: Recording;
  graph: Graph;
  status: Status;
  fit: Fit;
  longest: Longest;
  result: readonly string[]; // the answer in words, where it is no mark of the picture
}

type Shown = Pick<Loaded, "recording" | "graph">;

export interface PictureEvents {
  select(thing: Thing | null): void;
  /** A frame is drawn; more can be drawn on it, best not on the heads of its arrows. */
  painted?(ctx: CanvasRenderingContext2D, scene: Scene, heads: readonly Box[]): void;
}

export class Picture {
  readonly #on: PictureEvents;
  readonly #node: HTMLElement;
  readonly #stage: HTMLElement;
  readonly #under = el("canvas", { class: "picture-static", "aria-hidden": "true" });
  readonly #over = el("canvas", { class: "picture-live", role: "img", tabindex: 0, "data-testid": "picture" });
  readonly #note = el("div", { class: "picture-note", "data-testid": "picture-note", hidden: true });
  readonly #mode = el("select", { "aria-label": "Style", "data-testid": "picture-mode" });
  readonly #colour = el("select", { "aria-label": "Colour by", "data-testid": "picture-colour" });
  readonly #controls = this.#bar();
  readonly #legend = new Legend();
  readonly #tip = new Tooltip();
  readonly #widths = new Measured((text, font) => {
    const ctx = this.#under.getContext("2d");
    if (!ctx) return 0;
    if (ctx.font !== font) ctx.font = font;
    return ctx.measureText(text).width;
  });
  readonly #observer: ResizeObserver;
  readonly #deaf: () => void;

  #loaded: Loaded | null = null;
  #layout: Layout | null = null;
  #theme: Theme = themeOf(false);
  #view: View = WHOLE;
  #selected: Thing | null = null;
  #hovered: Thing | null = null;
  #pointed: Point | null = null;
  #links: readonly Link[] = [];
  #colours: ReadonlyMap<string, Colour> = new Map(); // by the option that chooses each
  #range: Range = NO_RANGE;
  #sprites: Sprites | null = null;
  #grabbed = 0;
  #width = 0;
  #height = 0;
  #taken: Margins = { left: 0, top: 0, right: 0, bottom: 0 }; // what the controls take of it
  #strip = 0; // pixels at the bottom that the answer takes, where no corner is free
  #asked = 0;
  #stale = false; // whether the static layer must be redrawn

  constructor(host: HTMLElement, on: PictureEvents) {
    this.#on = on;
    const { node: tip } = this.#tip;
    this.#stage = el("div", { class: "picture-stage" }, this.#under, this.#over, this.#controls, this.#note, tip);
    this.#node = el("div", { class: "picture" }, this.#stage, this.#legend.node);
    host.append(this.#node);
    this.#deaf = listenTo(this.#over, this.#gestures());
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.#stage);
    this.#mode.addEventListener("change", () => this.#chosen());
    this.#colour.addEventListener("change", () => this.#coloured());
    this.#legend.node.open = Math.min(host.clientWidth, host.clientHeight) >= FOLDED_BELOW;
    this.#measure();
  }

  /**
   * Show another recording, and the answer in words at its end. The view stays where most vertices are the same, as after
   * an edit.
   */
  load(recording: Recording, result: readonly string[] = []): void {
    const before = this.#loaded;
    const graph = graphOf(recording.trace);
    const alike = before !== null && isAlike(before.graph, graph);
    const fit = before?.fit ?? UNFIT;
    this.#loaded = { recording, graph, status: emptyStatus(graph), fit, longest: NO_TEXTS, result };
    if (!alike) this.#view = WHOLE;
    this.#selected = exists(graph, this.#selected) ? this.#selected : null;
    this.#hovered = null;
    this.#links = [];
    this.#tip.hide();
    this.#offerModes(graph, alike ? (this.#mode.value as Mode) : null);
    const same = before?.recording.trace.algorithm.name === recording.trace.algorithm.name;
    this.#offerColours(recording, alike && same ? this.#colour.value : null);
    // The legend has its height now: a layout for another size would be made in vain.
    const resized = this.#resize();
    const other = before === null || before.result.join("\n") !== result.join("\n");
    if (resized || !alike || this.#isCut() || other) this.#loaded.fit = this.#fitFor(graph);
    this.#relayout();
    this.show();
  }

  /** Draw the recording's current frame. */
  show(): void {
    const loaded = this.#loaded;
    const layout = this.#layout;
    if (!loaded || !layout) return;
    const { recording, graph, status } = loaded;
    readStatus(recording, graph, this.#chosenColour, status);
    const answer = isEnded(recording) ? loaded.result.join("; ") : "";
    setAttribute(this.#over, "aria-label", [inWords(recording, graph, status), answer].filter(Boolean).join(" "));
    this.#paint();
    if (this.#pointed) this.#explainAt(this.#pointed, this.#hovered);
  }

  select(thing: Thing | null): void {
    if (this.#loaded && !exists(this.#loaded.graph, thing)) return;
    this.#selected = thing;
    this.#stale = true;
    this.#ask();
  }

  /** The attention to draw over the picture. */
  links(links: Link[]): void {
    if (links.length === 0 && this.#links.length === 0) return;
    this.#links = links;
    this.#ask();
  }

  /** The scale of colours, and the variable it is of. */
  get scale(): { readonly name: string; readonly range: Range } {
    return { name: this.#chosenColour?.name ?? "", range: this.#range };
  }

  /** Colours mean what they mean elsewhere. */
  scaleTo(range: Range): void {
    this.#rescale(range);
  }

  /** The drawing as it is now; null before there is one. */
  drawing(): Drawing | null {
    const [loaded, layout, links, range] = [this.#loaded, this.#layout, this.#links, this.#range];
    if (!loaded || !layout || layout.width <= 0) return null;
    const { graph } = loaded;
    const colour = this.#chosenColour;
    return {
      scene: { graph, layout, theme: this.#theme, focus: this.#focus(graph), sprites: null },
      moment: (recording) => {
        const status = emptyStatus(graph);
        readStatus(recording, graph, colour, status);
        return { status, range, links, ended: isEnded(recording), ...this.#textsOf({ recording, graph }) };
      },
      scale: colour === null || range.categories ? null : scaleText(loaded.recording, colour, range),
    };
  }

  theme(dark: boolean): void {
    if (dark === this.#theme.dark) return;
    this.#theme = themeOf(dark);
    this.#sprites = null;
    this.#node.classList.toggle("dark", dark);
    this.#stale = true;
    this.#explain();
    this.#ask();
  }

  destroy(): void {
    this.#deaf();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#asked);
    this.#node.remove();
  }

  // -- controls -----------------------------------------------------------------------------------------------------

  #bar(): HTMLElement {
    const middle = (): Point => [this.#width / 2, this.#height / 2];
    return el(
      "div",
      { class: "picture-bar" },
      el("label", {}, "draw ", this.#mode),
      el("label", {}, "colour by ", this.#colour),
      el(
        "span",
        { class: "picture-zoom" },
        button("Zoom out", { "data-testid": "picture-out" }, () => this.#zoom(1 / 1.4, middle()), "−"),
        button("Zoom in", { "data-testid": "picture-in" }, () => this.#zoom(1.4, middle()), "+"),
        button("Fit the picture", { "data-testid": "picture-fit" }, () => this.#fitAll(), "Fit"),
      ),
    );
  }

  #offerModes(graph: Graph, keep: Mode | null): void {
    const suits = modeFor(graph.n, graph.m, graph.incidences);
    const options = (Object.keys(MODES) as Mode[]).map((mode) =>
      el("option", { value: mode, disabled: mode === "regions" && graph.m > MOST_REGIONS }, MODES[mode]),
    );
    this.#mode.replaceChildren(...options);
    this.#mode.value = keep && !(keep === "regions" && graph.m > MOST_REGIONS) ? keep : suits;
  }

  #offerColours(recording: Recording, keep: string | null): void {
    const { trace } = recording;
    const colours = colourable(trace);
    this.#colours = new Map(colours.map((colour) => [optionOf(colour), colour]));
    const group = (scope: Colour["scope"]) =>
      colours
        .filter((colour) => colour.scope === scope)
        .map((colour) => el("option", { value: optionOf(colour) }, colour.name));
    const groups = (["vertices", "hyperedges"] as const).map((scope) => ({ scope, options: group(scope) }));
    this.#colour.replaceChildren(
      ...groups.flatMap(({ scope, options }) =>
        options.length > 0 ? [el("optgroup", { label: scope }, ...options)] : [],
      ),
      el("option", { value: "" }, "none"),
    );
    const shown = shownColour(trace);
    this.#colour.value =
      keep !== null && (keep === "" || this.#colours.has(keep)) ? keep : shown ? optionOf(shown) : "";
    this.#rescale();
  }

  get #chosenColour(): Colour | null {
    return this.#colours.get(this.#colour.value) ?? null;
  }

  #chosen(): void {
    if (this.#loaded && this.#isCut()) this.#loaded.fit = this.#fitFor(this.#loaded.graph);
    this.#relayout();
    this.show();
  }

  #coloured(): void {
    this.#rescale();
    this.#relayout(); // names of hyperedges may have values, too
    this.show();
  }

  #rescale(given?: Range): void {
    const recording = this.#loaded?.recording;
    if (!recording) return;
    const colour = this.#chosenColour;
    if (this.#loaded && !given) this.#loaded.longest = longestTexts(this.#loaded, colour);
    this.#range = given ?? (colour ? rangeOf(recording.trace, colour) : NO_RANGE);
    this.#legend.scale(colour, this.#range, colour ? scaleTexts(recording, colour, this.#range) : null);
    this.#explain();
  }

  #explain(): void {
    if (!this.#loaded) return;
    const { recording, result } = this.#loaded;
    const mode = this.#mode.value as Mode;
    const { radius } = this.#layout ?? {};
    this.#legend.marks(entriesOf(recording, mode, this.#chosenColour, this.#range, result, radius), this.#theme);
  }

  // -- size and view --------------------------------------------------------------------------------------------------

  /** Take the size of the stage; returns whether it is another one. */
  #resize(): boolean {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    if (width === this.#width && height === this.#height) return false;
    this.#width = width;
    this.#height = height;
    this.#taken = takenBy(this.#controls);
    this.#widths.forget();
    for (const canvas of [this.#under, this.#over]) {
      canvas.width = Math.round(width * ratio());
      canvas.height = Math.round(height * ratio());
    }
    return true;
  }

  #measure(): void {
    if (!this.#resize() || !this.#loaded) return;
    this.#loaded.fit = this.#fitFor(this.#loaded.graph);
    this.#relayout();
    this.show();
  }

  /** The fit with all in view; the picture makes room for the answer where no corner has any. */
  #fitFor(graph: Graph): Fit {
    this.#strip = 0;
    const fit = fitFor(graph, this.#room);
    const result = this.#loaded?.result ?? [];
    const layout = result.length > 0 ? this.#layoutWith(WHOLE, fit) : null;
    if (!layout || layout.result) return fit;
    this.#strip = Math.min(heightOfResult(layout, result), this.#height / 3);
    return fitFor(graph, this.#room);
  }

  get #room(): Room {
    const taken = { ...this.#taken, bottom: this.#taken.bottom + this.#strip };
    return { mode: this.#mode.value as Mode, width: this.#width, height: this.#height, taken };
  }

  /** Whether the end of the picture cuts a region, though nobody zoomed in. */
  #isCut(): boolean {
    const { graph, fit } = this.#loaded ?? {};
    if (!graph || !fit || this.#view !== WHOLE) return false;
    const over = overhang(graph, this.#room, fit);
    return Math.max(over.left, over.top, over.right, over.bottom) >= 1;
  }

  #relayout(): void {
    if (!this.#loaded) return;
    const layout = this.#layoutWith(this.#view, this.#loaded.fit);
    if (!layout) return;
    const signs = ({ mode, radius }: Layout) => [mode, radius >= STARRED, radius >= CHECKED].join();
    const other = this.#layout === null || signs(this.#layout) !== signs(layout);
    this.#layout = layout;
    if (other) this.#explain();
    this.#stale = true;
  }

  #layoutWith(view: View, fit: Fit): Layout | null {
    const loaded = this.#loaded;
    if (!loaded || this.#width === 0 || this.#height === 0) return null;
    const { graph, longest, result } = loaded;
    return layoutOf(graph, { ...this.#room, view, fit, result, ...longest }, this.#widths.of);
  }

  #move(view: View): void {
    this.#view = view;
    this.#tip.hide();
    this.#hovered = null;
    this.#relayoutSoon();
  }

  #zoom(factor: number, at: Point): void {
    this.#move(zoomed(this.#view, factor, at));
  }

  #fitAll(): void {
    if (this.#loaded) this.#loaded.fit = this.#fitFor(this.#loaded.graph);
    this.#move(WHOLE);
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  #relayoutSoon(): void {
    this.#layout = this.#layout && { ...this.#layout, width: -1 }; // out of date
    this.#ask();
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      if (this.#layout?.width === -1) this.#relayout();
      this.#paint();
    });
  }

  #paint(): void {
    const loaded = this.#loaded;
    const layout = this.#layout;
    if (!loaded || !layout || layout.width === -1) return;
    cancelAnimationFrame(this.#asked); // what was asked for is drawn now
    this.#asked = 0;
    const { graph, status } = loaded;
    const sprites = graph.n > FEW ? this.#spritesNow() : null;
    const scene = { graph, layout, theme: this.#theme, focus: this.#focus(graph), sprites };
    if (this.#stale) {
      const under = clean(this.#under);
      if (under) paintStatic(under, scene);
      this.#stale = false;
    }
    const over = clean(this.#over);
    if (!over) return;
    const ended = isEnded(loaded.recording);
    const moment = { status, range: this.#range, links: this.#links, ended, ...this.#textsOf(loaded) };
    const { heads, notes, leftOut } = paintLive(over, scene, moment);
    this.#tell(notes);
    this.#legend.leftOut(leftOut);
    this.#on.painted?.(over, scene, heads);
  }

  #spritesNow(): Sprites {
    if (this.#sprites?.ratio !== ratio()) this.#sprites = new Sprites(ratio());
    return this.#sprites;
  }

  #focus(graph: Graph): Focus {
    return focusOf(graph, this.#selected, this.#hovered);
  }

  /** What is written beside vertices, and after names of hyperedges: the value that colours them. */
  #textsOf(of: Shown): Pick<Moment, "valueText" | "edgeText"> {
    const colour = this.#chosenColour;
    return {
      valueText: textsOver(of, "vertices", colour),
      edgeText: textsOver(of, "hyperedges", colour),
    };
  }

  #tell(notes: readonly string[]): void {
    if (this.#note.hidden !== (notes.length === 0)) this.#note.hidden = notes.length === 0;
    setText(this.#note, notes.join(" "));
  }

  // -- pointing ---------------------------------------------------------------------------------------------------------

  #gestures(): Gestures {
    return {
      grab: (at) => {
        this.#grabbed = this.#vertexAt(at);
        return this.#grabbed > 0;
      },
      drag: (dx, dy) => this.#dragVertex(dx, dy),
      drop: () => {
        this.#grabbed = 0;
      },
      pan: (dx, dy) => this.#move({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy }),
      zoom: (factor, at) => this.#zoom(factor, at),
      fit: () => this.#fitAll(),
      hover: (at) => this.#hover(at),
      click: (at) => this.#click(at),
      key: (key) => this.#key(key),
    };
  }

  #dragVertex(dx: number, dy: number): void {
    const loaded = this.#loaded;
    if (!loaded || this.#grabbed === 0) return;
    const { graph, fit } = loaded;
    moveVertex(graph, this.#grabbed, dx / (fit.sx * this.#view.k), dy / (fit.sy * this.#view.k));
    this.#explainAt(null, null);
    this.#relayoutSoon();
  }

  #hover(at: Point | null): void {
    const thing = at && this.#thingAt(at);
    const same = thing?.scope === this.#hovered?.scope && thing?.row === this.#hovered?.row;
    this.#explainAt(at, thing);
    if (same) return;
    this.#hovered = thing;
    this.#over.style.cursor = thing ? "pointer" : "";
    this.#ask();
  }

  #explainAt(at: Point | null, thing: Thing | null): void {
    this.#pointed = at;
    if (at && !thing && this.#isOnRowZero(at)) {
      this.#tip.say("row 0", ROW_0, at[0], at[1], this.#width, this.#height);
      return;
    }
    if (!at || !thing || !this.#loaded) {
      this.#tip.hide();
      return;
    }
    const { recording, graph } = this.#loaded;
    this.#tip.show(recording, graph, thing, at[0], at[1], this.#width, this.#height);
  }

  #isOnRowZero([x, y]: Point): boolean {
    const [graph, layout] = [this.#loaded?.graph, this.#layout];
    const box = graph && layout && globalBox({ graph, layout }, this.#links);
    return box ? x > box.left && x < box.right && y > box.top && y < box.bottom : false;
  }

  #click(at: Point): void {
    const thing = this.#thingAt(at);
    this.select(thing);
    this.#on.select(thing);
  }

  #key(key: string): boolean {
    // Arrows step through the frames, here as everywhere on the page.
    if (key === "+" || key === "=") this.#zoom(1.3, [this.#width / 2, this.#height / 2]);
    else if (key === "-") this.#zoom(1 / 1.3, [this.#width / 2, this.#height / 2]);
    else if (key === "0") this.#fitAll();
    else return false;
    return true;
  }

  #thingAt(at: Point): Thing | null {
    const vertex = this.#vertexAt(at);
    if (vertex > 0) return { scope: "vertices", row: vertex };
    const hyperedge = this.#hyperedgeAt(at);
    return hyperedge > 0 ? { scope: "hyperedges", row: hyperedge } : null;
  }

  #vertexAt(at: Point): number {
    const { graph } = this.#loaded ?? {};
    const layout = this.#layout;
    if (!graph || !layout) return 0;
    return nearest(graph.n, (v) => pointOf(layout, v), at, layout.radius + 4);
  }

  #hyperedgeAt(at: Point): number {
    const { graph } = this.#loaded ?? {};
    const layout = this.#layout;
    if (!graph || !layout) return 0;
    if (layout.mode !== "regions") return nearest(graph.m, (e) => squareOf(layout, e), at, squareSize(layout) + 3);
    const label = layout.edgeBox.findIndex(
      (box) => box && at[0] > box.left && at[0] < box.right && at[1] > box.top && at[1] < box.bottom,
    );
    if (label > 0) return label;
    let best = 0;
    for (let e = 1; e <= graph.m; e++) {
      const inside = layout.outlines[e]?.some((loop) => insidePolygon(at, loop));
      if (inside && (best === 0 || (layout.areas[e] ?? 0) < (layout.areas[best] ?? 0))) best = e;
    }
    return best;
  }
}

function optionOf({ name, scope, over }: Colour): string {
  return scope === "vertices" && over === null ? name : `${scope} ${name}`;
}

/** Whether the answer is there. */
function isEnded({ trace, frame, length }: Recording): boolean {
  return trace.recorded.halted && frame === length - 1;
}

/** The values of a frame as text, "" where nothing is to be written; `colour` is what colours. */
function textsOver(
  { recording, graph }: Shown,
  scope: Colour["scope"],
  colour: Colour | null,
): (row: number) => string {
  const shown = colour?.scope === scope ? colour : scope === "vertices" ? writtenOf(recording.trace) : null;
  const named = shown && recording.standing(shown.state);
  const over = shown?.over ? recording.standing(shown.over) : null;
  if (!shown || !named || (shown.over !== null && !over)) return () => "";
  if (over)
    return (row) =>
      recording.quotient(named.kind, recording.valueOf(named, row), over.kind, recording.valueOf(over, row));
  const none = scope === "vertices" ? "–" : "";
  return (row) => {
    const [value, lacks] = [recording.valueOf(named, row), recording.lacksOf(named, row)];
    if (lacks || (value === 0 && isPointer(named.kind))) return none;
    return targetText(
      named.kind,
      named.kind === "hyperedge" ? (graph.edgeText[value] ?? "") : recording.text(named.kind, value),
    );
  };
}

/** What is written where nothing colours the vertices. */
function writtenOf({ shows: { value } }: Trace): Colour | null {
  return value === null ? null : { name: value, scope: "vertices", state: value, over: null };
}

/** The texts that a layout has room for, besides names. */
type Longest = Pick<Frame, "edgeTexts" | "valueText">;
const NO_TEXTS: Longest = {};

/** The longest text of each hyperedge in the run, if that is more than its name, and the longest value of the answer. */
function longestTexts({ recording, graph }: Loaded, colour: Colour | null): Longest {
  const { trace } = recording;
  const set = answersOf(trace).hyperedges;
  const now = recording.frame;
  recording.seek(recording.length - 1);
  const value = textsOver({ recording, graph }, "vertices", colour);
  const valueText = graph.vertexText.reduce(
    (long, _, v) => (v > 0 && value(v).length > long.length ? value(v) : long),
    "",
  );
  const values = textsOver({ recording, graph }, "hyperedges", colour);
  const ever = set && everIn(trace, "hyperedges", set);
  const texts = graph.members.map((_, e) => (e === 0 ? "" : edgeTextWith(graph, e, ever?.[e] === 1, values(e))));
  recording.seek(now);
  return set || colour?.scope === "hyperedges" ? { valueText, edgeTexts: texts } : { valueText };
}

function scaleText(recording: Recording, colour: Colour, range: Range) {
  const { under, over, bend } = range;
  const { least, most } = scaleTexts(recording, colour, range);
  return {
    name: bend > 0 ? `${colour.name} (logarithmic)` : colour.name,
    least: `${under ? "≤ " : ""}${least}`,
    most: `${over ? "≥ " : ""}${most}`,
    also: hollowText(range, colour.scope),
  };
}

/** The ends of the scale as text, exact unless they are long, and the middle of one that is no even scale. */
function scaleTexts(recording: Recording, { state, over }: Colour, range: Range): ScaleTexts {
  const kinds = [state, over].map((name) => (name && recording.kindOf(name)?.kind) || "count");
  const [kind, by] = kinds as [Kind, Kind];
  const middle = middleValue(range.least, range.most, range.bend);
  const plain = (value: number) => onScale(recording.text(kind, value));
  if (!range.exact) return { least: plain(range.least), middle: plain(Math.round(middle)), most: plain(range.most) };
  const quotient = ([x, y]: readonly [number, number]) => onScale(recording.quotient(kind, x, by, y));
  return { least: quotient(range.exact.least), middle: "", most: quotient(range.exact.most) };
}

/** The controls are a bar at the top, or columns at both sides where the picture is flat. */
function takenBy(controls: HTMLElement): Margins {
  const zoom = controls.lastElementChild as HTMLElement;
  const first = controls.firstElementChild as HTMLElement;
  if (getComputedStyle(controls).flexDirection !== "column")
    return { left: 4, top: controls.offsetTop + controls.offsetHeight + 4, right: 4, bottom: 4 };
  return { left: first.offsetWidth + 14, top: 4, right: zoom.offsetWidth + 14, bottom: 4 };
}

function ratio(): number {
  return window.devicePixelRatio || 1;
}

function clean(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ctx = canvas.getContext("2d");
  if (!ctx) return null;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  ctx.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  return ctx;
}

function nearest(count: number, placeOf: (row: number) => Point, [x, y]: Point, within: number): number {
  let best = 0;
  let least = within;
  for (let row = 1; row <= count; row++) {
    const [px, py] = placeOf(row);
    const d = Math.hypot(px - x, py - y);
    if (d <= least) {
      least = d;
      best = row;
    }
  }
  return best;
}

function exists(graph: Graph, thing: Thing | null): boolean {
  return thing === null || (thing.row >= 1 && thing.row <= (thing.scope === "vertices" ? graph.n : graph.m));
}

/** Whether most vertices of one are in the other: then it is the same hypergraph, edited. */
function isAlike(a: Graph, b: Graph): boolean {
  const known = new Set(a.vertexText.slice(1));
  const shared = b.vertexText.slice(1).filter((text) => known.has(text)).length;
  return shared > 0 && shared >= 0.6 * Math.max(a.n, b.n);
}
