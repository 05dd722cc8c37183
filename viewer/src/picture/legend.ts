/** The legend: the marks of the picture in words, and the scale of colours. */

import { el } from "../dom";
import { GLOSSARY } from "../glossary";
import type { Recording } from "../recording";
import { colourOfStep, edgeStyle, gradient, inkOnStep, middleValue, type Theme } from "./colours";
import { curveBetween } from "./geometry";
import type { Mode } from "./layout";
import { type Context, drawArrows, drawPointer, drawSquare, drawVertex, type VertexMark } from "./marks";
import { type Range, settlesByLosing } from "./status";

const PLAIN: VertexMark = {
  colour: null,
  ink: "",
  settled: false,
  frontier: false,
  changed: false,
  current: false,
  selected: false,
};
const VALUED: VertexMark = { ...PLAIN, colour: colourOfStep(30), ink: inkOnStep(30) };

type Draw = (ctx: Context, theme: Theme) => void;
interface Entry {
  words: string;
  draw: Draw;
}

const vertex =
  (mark: VertexMark): Draw =>
  (ctx, theme) =>
    drawVertex(ctx, 20, 14, 7, mark, theme);

/** What the picture of this recording can show, and only that. */
export function entriesOf(recording: Recording, mode: Mode, colour: string | null): Entry[] {
  const { shows } = recording.trace;
  const entries: Entry[] = [];
  const some = colour === null ? undefined : recording.variables.get(colour)?.variable;
  const lacks = some?.known ?? some?.unless;
  const add = (given: unknown, words: string, draw: Draw) => {
    if (given) entries.push({ words, draw });
  };
  add(mode === "regions", "hyperedge: a region around its members, with its name and weight", region);
  const directed = recording.trace.hypergraph.tails !== undefined && mode !== "sparse";
  add(directed, "directed: from tails, with arrows to heads", arrow("tree"));
  add(mode === "bipartite", "hyperedge: a square, joined to its members", square);
  add(mode === "sparse", "hyperedge: a faint dot; lines only where it matters now", dot);
  add(shows.current.length > 0, `current (${shows.current.join(", ")})`, current);
  const told = settlesByLosing(recording.trace) ? `no longer ${shows.settled}` : shows.settled;
  add(shows.settled, `settled: solid (${told})`, vertex({ ...VALUED, settled: true }));
  add(shows.settled && colour && lacks !== shows.settled, `not settled, has a value (${colour})`, vertex(VALUED));
  const none = lacks === undefined ? "no value yet, or infinite (∞)" : `none: no value, as ${lacks} says`;
  add(colour, none, vertex(PLAIN));
  add(
    shows.frontier.vertices,
    `frontier: dashed ring (${shows.frontier.vertices})`,
    vertex({ ...PLAIN, frontier: true }),
  );
  add(shows.frontier.hyperedges, `hyperedge on the frontier (${shows.frontier.hyperedges})`, edgeFrontier(mode));
  add(true, "changed at this frame: halo", vertex({ ...VALUED, changed: true }));
  add(shows.predecessor, `reached from there (${shows.predecessor})`, arrow("tree"));
  add(
    recording.trace.attention.length > 0,
    "attention: from query to attended row, with its margin; of a hypergraph head (Ã): what flows from where to where",
    arrow("link"),
  );
  add(true, "selected; everything unrelated is dimmed", vertex({ ...PLAIN, selected: true }));
  return entries;
}

function region(ctx: Context, theme: Theme): void {
  const style = edgeStyle(0, theme.dark);
  ctx.beginPath();
  ctx.roundRect(4, 4, 32, 20, 10);
  ctx.fillStyle = style.fill;
  ctx.fill();
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = style.line;
  ctx.stroke();
}

function square(ctx: Context, theme: Theme): void {
  ctx.beginPath();
  ctx.moveTo(5, 6);
  ctx.lineTo(20, 14);
  ctx.lineTo(35, 6);
  ctx.moveTo(20, 14);
  ctx.lineTo(20, 26);
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.faint;
  ctx.stroke();
  drawSquare(ctx, 20, 14, 4, edgeStyle(0, theme.dark).line, theme.ground, 1);
}

function dot(ctx: Context, theme: Theme): void {
  ctx.fillStyle = theme.faint;
  for (const [x, y] of [
    [10, 9],
    [19, 17],
    [29, 11],
  ] as const)
    ctx.fillRect(x, y, 3, 3);
}

function current(ctx: Context, theme: Theme): void {
  drawVertex(ctx, 24, 14, 5.5, { ...PLAIN, current: true }, theme);
  drawPointer(ctx, 24, 14, 10.5, "", theme);
}

function edgeFrontier(mode: Mode): Draw {
  return (ctx, theme) => {
    if (mode !== "regions") {
      drawSquare(ctx, 20, 14, 4.5, theme.frontier, theme.frontier);
      return;
    }
    ctx.beginPath();
    ctx.roundRect(5, 5, 30, 18, 9);
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = 6;
    ctx.strokeStyle = theme.frontier;
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.lineWidth = 2;
    ctx.strokeStyle = edgeStyle(0, theme.dark).line;
    ctx.stroke();
  };
}

function arrow(which: "tree" | "link"): Draw {
  return (ctx, theme) => drawArrows(ctx, [curveBetween([5, 17], [36, 17], 0, 0, -0.2)], 1.8, theme[which], 8);
}

const BEYOND = "Values beyond have the colour of this end: the scale is that of the answer";

export class Legend {
  readonly node: HTMLDetailsElement;
  readonly #scale = el("span", { class: "picture-scale", "data-testid": "picture-scale" });
  readonly #list = el("ul", { class: "picture-marks" });

  constructor() {
    this.node = el(
      "details",
      { class: "picture-legend", "data-testid": "picture-legend" },
      el("summary", {}, el("span", {}, "Legend"), this.#scale),
      this.#list,
    );
  }

  marks(entries: readonly Entry[], theme: Theme): void {
    this.#list.replaceChildren(
      ...entries.map((entry) => el("li", {}, swatch(entry.draw, theme), el("span", {}, entry.words))),
    );
  }

  /** The scale of the variable that colours; nothing where none does. */
  scale(name: string | null, range: Range, text: (value: number) => string): void {
    this.#scale.hidden = name === null;
    if (name === null) return;
    if (range.categories) {
      const each = el("span", { class: "picture-end" }, "one colour per target; hollow: none");
      this.#scale.replaceChildren(el("b", {}, name), each);
      return;
    }
    const bar = el("span", { class: "picture-gradient" });
    bar.style.background = gradient();
    const end = (value: number, beyond: string) =>
      el("span", { class: "picture-end", ...(beyond && { title: BEYOND }) }, beyond + text(value));
    const hollow = hollowText(range);
    const without = hollow ? el("span", { class: "picture-end", title: GLOSSARY["hollow: ∞"] }, hollow) : "";
    const middle = Math.round(middleValue(range.least, range.most, range.bend));
    if (range.bend > 0) bar.append(el("span", {}, text(middle)));
    if (range.least === range.most && !range.under && !range.over) {
      bar.classList.add("single");
      bar.style.background = colourOfStep(0);
      this.#scale.replaceChildren(el("b", {}, name), bar, end(range.least, ""), without);
      return;
    }
    const [least, most] = [end(range.least, range.under ? "≤ " : ""), end(range.most, range.over ? "≥ " : "")];
    this.#scale.replaceChildren(el("b", {}, name), least, bar, most, without);
  }
}

/** What vertices without a colour have: "hollow: none". */
export function hollowText({ infinite, none }: Range): string {
  const what = [...(infinite ? ["∞"] : []), ...(none ? ["none"] : [])].join(" or ");
  return what && `hollow: ${what}`;
}

function swatch(draw: Draw, theme: Theme): HTMLCanvasElement {
  const canvas = el("canvas", { class: "picture-swatch", width: 80, height: 56, "aria-hidden": "true" });
  const ctx = canvas.getContext("2d");
  if (ctx) {
    ctx.scale(2, 2);
    draw(ctx, theme);
  }
  return canvas;
}

/** A long fraction at the end of a scale, which is no result, as a decimal: "≈ 1000.4" for 30013/30. */
export function onScale(text: string): string {
  const [top, bottom] = text.split("/").map(Number);
  if (!top || !bottom || text.length <= 5) return text;
  return `≈ ${Number((top / bottom).toPrecision(5))}`;
}
