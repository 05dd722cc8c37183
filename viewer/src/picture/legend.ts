/** The legend: the marks of the picture in words, and the scale of colours. */

import { el } from "../dom";
import { GLOSSARY } from "../glossary";
import { toldApart } from "../labels";
import { codeNodes, documented } from "../marked";
import type { Recording } from "../recording";
import type { Kind } from "../trace";
import { colourOfStep, edgeStyle, gradient, inkOnStep, type Theme } from "./colours";
import { curveBetween } from "./geometry";
import { FACE, type Mode } from "./layout";
import {
  CHECKED,
  type Context,
  drawArrows,
  drawHeads,
  drawPill,
  drawPointer,
  drawSquare,
  drawText,
  drawVertex,
  STARRED,
  star,
  type VertexMark,
} from "./marks";
import { type Colour, isPointer, type Range } from "./ranges";
import { drawResult } from "./result";
import { answersOf, frontierOf, settlesByLosing } from "./status";

/** What the mark of row 0 is. */
export const ROW_0 = "the global row of X, no vertex and no hyperedge; single variables stand there";

const PLAIN: VertexMark = {
  colour: null,
  ink: "",
  settled: false,
  chosen: false,
  frontier: false,
  changed: false,
  current: false,
  selected: false,
};
const VALUED: VertexMark = { ...PLAIN, colour: colourOfStep(30), ink: inkOnStep(30) };

const WAITING: VertexMark = { ...PLAIN, frontier: true };
const CHOSEN: VertexMark = { ...VALUED, chosen: true };

type Draw = (ctx: Context, theme: Theme) => void;
interface Entry {
  words: string;
  draw: Draw;
  /** In a word or two, for the folded legend; "": it is in the opened one only. */
  brief: string;
}

const vertex =
  (mark: VertexMark, radius = 7): Draw =>
  (ctx, theme) =>
    drawVertex(ctx, 20, 14, radius, mark, theme);

/** What the picture of this recording can show, and only that. */
export function entriesOf(
  recording: Recording,
  mode: Mode,
  colour: Colour | null,
  range: Range,
  result: readonly string[] = [],
  radius = CHECKED, // of the vertices as they are drawn
): Entry[] {
  return [
    ...([[result.length > 0, "in a corner, at the end: the answer", resultBox]] satisfies Asked[]),
    ...shapes(recording, mode),
    ...answers(recording, mode, radius),
    ...values(recording, colour, range),
    ...progress(recording, mode, colour, range, radius),
  ].flatMap(([given, words, draw, brief = ""]) => (given ? [{ words, draw, brief }] : []));
}

/** What the folded legend has: marks of vertices and of hyperedges that mean the same share a word. */
export function signsOf(entries: readonly Entry[]): { brief: string; of: Entry[] }[] {
  const words = [...new Set(entries.map(({ brief }) => brief))].filter((brief) => brief !== "");
  return words.map((brief) => ({ brief, of: entries.filter((each) => each.brief === brief) }));
}

type Asked = readonly [given: unknown, words: string, draw: Draw, brief?: string];

function shapes({ trace }: Recording, mode: Mode): Asked[] {
  const directed = trace.hypergraph.tails !== undefined && mode !== "sparse";
  const { vertices, hyperedges, members } = trace.hypergraph;
  const empty = members.some((each) => each.length === 0);
  const [first, prefixed] = [hyperedges[0], toldApart(vertices, hyperedges) !== null];
  return [
    [
      mode === "regions",
      "hyperedge: a region around its members, with its name and weight; colours and dashes tell regions apart",
      region,
    ],
    [mode === "regions" && empty, "hyperedge without members: a small dashed ring", emptyRegion, "no members"],
    [prefixed, `e${first}: the name of hyperedge ${first}; a number alone is a vertex`, edgeNumber, "hyperedge"],
    [directed, "directed: from tails, with arrows to heads; two arrows on a line: both a tail and a head", bothArrow],
    [mode === "bipartite", "hyperedge: a square, joined to its members", square],
    [mode === "sparse", "hyperedge: a faint dot; lines only where it matters now", dot],
  ];
}

/** The sets that the program answers with. */
function answers({ trace }: Recording, mode: Mode, radius: number): Asked[] {
  const { vertices, hyperedges, list } = answersOf(trace);
  const by = hyperedges?.by === "target" ? `has a target: ${hyperedges.name}` : hyperedges?.name;
  const solid = (sign: string) => solidWith(sign, radius >= STARRED);
  const chosen = vertex(CHOSEN, radius >= STARRED ? 7 : STARRED - 1);
  return [
    [hyperedges, `in the answer (${by}): heavy outline, ★ before the name`, edgeAnswer(mode), "in the answer"],
    [vertices, `in the answer (${vertices?.name}): ${solid("★")}`, chosen, "in the answer"],
    [list, `in the answer (${list?.name}): ${solid("★")}`, chosen, list?.name],
  ];
}

/** The discs of small vertices have no room for a sign. */
function solidWith(sign: string, fits: boolean): string {
  return fits ? `solid, ${sign}` : `solid; ${sign} when zoomed in`;
}

/** What colours and numbers are of. */
function values(recording: Recording, colour: Colour | null, range: Range): Asked[] {
  const { shows, algorithm } = recording.trace;
  if (colour === null) return [[shows.value, `beside a vertex: its ${shows.value}`, number]];
  const { name, scope } = colour;
  const pointer = range.categories;
  const about = algorithm.about.split("\n")[0] ?? "";
  const beside = scope === "vertices" ? "beside a vertex" : "in brackets after the name of a hyperedge";
  const what = pointer ? `→ ${beside}: where its ${name} points to` : `${beside}: its ${name}`;
  const isAnswer = recording.variables.get(colour.state)?.variable?.output ?? false;
  // What the numbers are is what the author says of them.
  return [[true, isAnswer && about ? `${what}. ${algorithm.name}: ${about}` : what, pointer ? target : number]];
}

/** Where iterations are missing, a change may be of any of them. */
function haloText({ gaps }: Recording): string {
  return gaps.length === 0
    ? "changed at this frame: halo"
    : "changed since the frame before, the last one recorded: halo";
}

function haloBrief({ gaps }: Recording): string {
  return gaps.length === 0 ? "changed" : "changed since the last frame";
}

/** How far the run is: what is current, settled, on the frontier, changed. */
function progress(recording: Recording, mode: Mode, colour: Colour | null, range: Range, radius: number): Asked[] {
  const { shows, attention } = recording.trace;
  const [waiting, sets] = [frontierOf(recording.trace), answersOf(recording.trace)];
  const some = colour && recording.variables.get(colour.state)?.variable;
  const lacks = some?.known ?? some?.unless;
  const told = settlesByLosing(recording.trace) ? `no longer ${shows.settled}` : shows.settled;
  const settled = shows.settled === sets.vertices?.name ? null : shows.settled;
  const coloured = colour?.scope === "vertices";
  const fits = radius >= CHECKED;
  const solid = settled ?? sets.vertices?.name ?? null;
  const toldOf = settled === null ? "in the answer" : "settled";
  const valued =
    solid === null ? `has a value (${colour?.name}): a coloured ring` : `not solid, has a value (${colour?.name})`;
  const lacking = range.categories ? "hollow: no value" : "hollow: no value yet, or infinite (∞)";
  const none = lacks === undefined ? lacking : `hollow: no value, as ${lacks} says`;
  return [
    [shows.current.length > 0, `current (${shows.current.join(", ")})`, current, "current"],
    [
      settled,
      `settled: ${solidWith("✓", fits)} (${told})`,
      vertex({ ...VALUED, settled: true }, fits ? 9 : 7),
      "settled",
    ],
    [coloured && (solid === null || some?.known !== solid), valued, vertex(VALUED)],
    [coloured, none, vertex(PLAIN)],
    [!coloured, solid === null ? "vertex: a circle" : `vertex: a circle, hollow while not ${toldOf}`, vertex(PLAIN)],
    [waiting.vertices, `frontier: dashed ring (${waiting.vertices})`, vertex(WAITING), "frontier"],
    [waiting.hyperedges, `hyperedge on the frontier (${waiting.hyperedges})`, edgeFrontier(mode), "frontier"],
    [true, haloText(recording), vertex({ ...VALUED, changed: true }), haloBrief(recording)],
    [shows.predecessor, `reached from there (${shows.predecessor})`, arrow("tree")],
    [
      attention.length > 0,
      "attention: from query to attended row, with its margin; of a hypergraph head (Ã): what flows from where to where",
      arrow("link"),
    ],
    [attention.length > 0, `row 0: ${ROW_0}`, rowZero],
    [
      sets.list,
      `hyperedge with at least two of these (${sets.list?.name}): heavy outline`,
      edgeMeeting(mode),
      `two of ${sets.list?.name}`,
    ],
    [true, "selected; everything unrelated is dimmed", vertex({ ...PLAIN, selected: true })],
  ];
}

/** The name of a target, as it stands beside what points to it: never to be taken for a name of that. */
export function targetText(kind: Kind, text: string): string {
  return isPointer(kind) ? `→ ${text}` : text;
}

function number(ctx: Context, theme: Theme): void {
  drawVertex(ctx, 11, 14, 5.5, VALUED, theme);
  drawText(ctx, "3", [26, 14], `500 12px ${FACE}`, theme.soft, theme.ground);
}

function target(ctx: Context, theme: Theme): void {
  drawVertex(ctx, 9, 14, 5.5, VALUED, theme);
  drawText(ctx, "→ A", [27, 14], `italic 500 11px ${FACE}`, theme.soft, theme.ground);
}

function edgeMeeting(mode: Mode): Draw {
  return (ctx, theme) => {
    if (mode === "regions") {
      ctx.beginPath();
      ctx.roundRect(5, 5, 30, 18, 9);
      ctx.lineWidth = 4;
      ctx.strokeStyle = theme.answer;
      ctx.stroke();
    } else drawSquare(ctx, 20, 14, 8, theme.answer, theme.answer, 2);
  };
}

function edgeAnswer(mode: Mode): Draw {
  return (ctx, theme) => {
    edgeMeeting(mode)(ctx, theme);
    star(ctx, 20, 14, 6, mode === "regions" ? theme.answer : theme.ground);
  };
}

function edgeNumber(ctx: Context, theme: Theme): void {
  drawText(ctx, "e1", [20, 14], `500 13px ${FACE}`, edgeStyle(0, theme.dark).text, theme.ground);
}

function emptyRegion(ctx: Context, theme: Theme): void {
  ctx.beginPath();
  ctx.arc(20, 14, 6, 0, 2 * Math.PI);
  ctx.setLineDash([3, 2.5]);
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = edgeStyle(0, theme.dark).line;
  ctx.stroke();
  ctx.setLineDash([]);
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

function resultBox(ctx: Context, theme: Theme): void {
  const box = { left: 4, right: 36, top: 5, bottom: 23 };
  drawResult(ctx, { box, lines: ["yes"], font: `600 11px ${FACE}` }, theme);
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

function rowZero(ctx: Context, theme: Theme): void {
  const box = { left: 1, right: 39, top: 5, bottom: 23 };
  drawPill(ctx, "row 0", box, `600 11px ${FACE}`, theme.link, theme.ground, theme.link);
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

function bothArrow(ctx: Context, theme: Theme): void {
  const curve = curveBetween([5, 17], [36, 17], 0, 0, 0);
  drawArrows(ctx, [curve], 1.8, theme.tree, 8);
  drawHeads(ctx, [{ ...curve, end: [10, 17], angle: Math.PI }], theme.tree, 8);
}

function arrow(which: "tree" | "link"): Draw {
  return (ctx, theme) => drawArrows(ctx, [curveBetween([5, 17], [36, 17], 0, 0, -0.2)], 1.8, theme[which], 8);
}

const SOME = "not all labels fit";
const LEFT_OUT = "Some values and names are left out for lack of room: point at a vertex or a hyperedge, or zoom in.";
const BEYOND = "Values beyond have the colour of this end: the scale is that of the answer";

export class Legend {
  readonly node: HTMLDetailsElement;
  readonly #scale = el("span", { class: "picture-scale", "data-testid": "picture-scale" });
  readonly #signs = el("span", { class: "picture-signs", "data-testid": "picture-signs" });
  readonly #list = el("ul", { class: "picture-marks" });
  readonly #some = el("span", { class: "picture-some", title: LEFT_OUT, "data-testid": "picture-some" }, SOME);
  readonly #left = el("p", { class: "picture-left", "data-testid": "picture-left" }, LEFT_OUT);

  constructor() {
    this.node = el(
      "details",
      { class: "picture-legend", "data-testid": "picture-legend" },
      el("summary", {}, el("span", {}, "Legend"), this.#some, this.#scale, this.#signs),
      el("div", { class: "picture-key" }, this.#list, this.#left),
    );
  }

  /** Whether values or names are left out. What says so keeps its place: else the picture would have another size with it. */
  leftOut(some: boolean): void {
    const visibility = some ? "" : "hidden";
    for (const { style } of [this.#left, this.#some])
      if (style.visibility !== visibility) style.visibility = visibility;
  }

  marks(entries: readonly Entry[], theme: Theme): void {
    this.#signs.replaceChildren(
      ...signsOf(entries).map(({ brief, of }) =>
        el(
          "span",
          { title: of.map(({ words }) => words).join("; ") },
          ...of.map(({ draw }) => swatch(draw, theme)),
          el("span", { class: "picture-brief" }, brief),
        ),
      ),
    );
    this.#list.replaceChildren(
      ...entries.map((entry) =>
        el("li", {}, swatch(entry.draw, theme), el("span", {}, ...codeNodes(documented(entry.words)))),
      ),
    );
  }

  /** The scale of what colours; nothing where nothing does. */
  scale(colour: Colour | null, range: Range, texts: ScaleTexts | null): void {
    this.#scale.hidden = colour === null || texts === null;
    if (colour === null || texts === null) return;
    const name = el("b", { title: `of the ${colour.scope}` }, colour.name);
    const end = (text: string, beyond = "") =>
      el("span", { class: "picture-end", ...(beyond && { title: BEYOND }) }, beyond + text);
    if (range.categories) {
      this.#scale.replaceChildren(name, end(`by target; ${without(colour.scope)}: no value`));
      return;
    }
    const bar = el("span", { class: "picture-gradient" });
    bar.style.background = gradient();
    const hollow = hollowText(range, colour.scope);
    const other = hollow ? el("span", { class: "picture-end", title: GLOSSARY["hollow: ∞"] }, hollow) : "";
    // Rounded, the middle of a short scale is one of its ends.
    const between = range.bend > 0 && ![texts.least, texts.most, ""].includes(texts.middle);
    if (between) bar.append(el("span", {}, texts.middle));
    if (range.least === range.most && !range.under && !range.over) {
      bar.classList.add("single");
      bar.style.background = colourOfStep(0);
      this.#scale.replaceChildren(name, bar, end(texts.least), other);
      return;
    }
    const [least, most] = [end(texts.least, range.under ? "≤ " : ""), end(texts.most, range.over ? "≥ " : "")];
    this.#scale.replaceChildren(name, least, bar, most, other);
  }
}

/** The ends of a scale, and its middle, as text; "": there is none. */
export interface ScaleTexts {
  readonly least: string;
  readonly middle: string;
  readonly most: string;
}

/** What vertices without a colour have: "hollow: no value". */
export function hollowText({ infinite, none }: Range, scope: Colour["scope"] = "vertices"): string {
  const what = [...(infinite ? ["∞"] : []), ...(none ? ["no value"] : [])].join(" or ");
  return what && `${without(scope)}: ${what}`;
}

function without(scope: Colour["scope"]): string {
  return scope === "vertices" ? "hollow" : "not filled";
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
