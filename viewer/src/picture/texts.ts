/** Names and values beside vertices. */

import { type Box, isInside, lengthInside, middleOfBox, movedInto, overlap, type Point } from "./geometry";
import { besideMark, type Place } from "./labelling";
import { boxAt, Occupied } from "./labels";
import {
  circleBox,
  type Layout,
  linesOfText,
  pointOf,
  sizeOfFont,
  sizeOfText,
  squareOf,
  underBar,
  valueFont,
  vertexFont,
  vertexLabelText,
  viewBox,
} from "./layout";
import { type Context, drawRim, drawText, reach, type VertexMark } from "./marks";
import { isHovered, isSeen, type Moment, type Scene } from "./scene";
import { headAt, type Tree } from "./tree";

export interface Text {
  id: number; // one of a kind among vertices and texts
  text: string;
  at: Point;
  font: string;
  colour: string;
  alpha: number;
}

/** Names and values beside vertices, where there is room; what is being looked at always has them. */
export function textsOf(scene: Scene, moment: Moment, marks: readonly VertexMark[], tree: Tree): Text[] {
  const { graph, layout, theme, focus } = scene;
  const texts: Text[] = [];
  const written = new Occupied(); // by values
  const forced = new Forced(scene, marks, written);
  const values = new Values(scene, tree, written);
  for (let v = 1; v <= graph.n; v++) {
    const mark = marks[v] as VertexMark;
    const name = layout.names[v] ?? forced.place(v, -1, vertexLabelText(graph, v));
    if (!name || !isSeen(layout, v)) continue;
    const alpha = focus.vertices && !focus.vertices.has(v) ? 0.35 : 1;
    const off = reach(mark, layout.radius);
    const whole = mark.selected || isHovered(focus, v);
    const text = whole || name.text === "" ? vertexLabelText(graph, v) : name.text;
    const at = nameAt(scene, v, name, text, off);
    texts.push({ id: graph.n + v, text, font: vertexFont(layout), colour: theme.ink, at, alpha });
    const value = moment.valueText(v);
    // A name, as of a component, takes the place of several numbers.
    const long = graph.n > FEW_NAMED && value.length > MOST_LETTERS && !forced.isAsked(v);
    if (value === "" || value === NONE || long) continue;
    const font = valueFont(layout, mark.changed);
    const place = values.at(v, value, font, off) ?? forced.valueAt(v, value, font, off);
    if (!place) continue;
    const colour = mark.changed ? theme.ink : theme.soft;
    texts.push({ id: 2 * graph.n + v, text: value, at: place, font, colour, alpha });
  }
  return texts;
}

/** Whether a name or a value of what is in view is not among the texts, or a hyperedge has no name. */
export function isLeftOut({ graph, layout }: Scene, { valueText }: Moment, texts: readonly Text[]): boolean {
  const written = new Set(texts.map(({ id }) => id));
  for (let v = 1; v <= graph.n; v++) {
    if (!isSeen(layout, v)) continue;
    if (!written.has(graph.n + v)) return true;
    const value = valueText(v);
    if (value !== "" && value !== NONE && !written.has(2 * graph.n + v)) return true;
  }
  if (layout.mode === "sparse") return false; // no hyperedge has a name there
  const view = viewBox(layout);
  return graph.members.some(
    (_, e) => e > 0 && !layout.edgeLabel[e] && overlap(boxAt(squareOf(layout, e), 2, 2), view) > 0,
  );
}

/** Where the values of a frame stand: nearest to their own vertices, off all names, vertices and each other, and never cut by the end of the picture. */
class Values {
  readonly #scene: Scene;
  readonly #tree: Tree;
  readonly #written: Occupied;

  constructor(scene: Scene, tree: Tree, written: Occupied) {
    this.#written = written;
    this.#scene = scene;
    this.#tree = tree;
  }

  /** The middle of a value beside its vertex; null where there is no room for all of it. */
  at(v: number, text: string, font: string, off: number): Point | null {
    const { layout, sprites } = this.#scene;
    const [width, height] = [layout.measure(text, font) + 5, layout.font + 2];
    const here = pointOf(layout, v);
    // Where texts are kept from frame to frame, they stay where they are.
    const lines = sprites ? [] : (this.#tree.towards.get(v) ?? []);
    const isClear = (box: Box) => !lines.some((there) => lengthInside([here, there], box) > 0);
    const known = (layout.values[v] ?? []).map((place) => boxAt(besidePlace(place, width, off), width, height));
    if (known.length === 0) return null;
    const head = sprites ? null : headAt(this.#tree, v, layout);
    const isOff = (box: Box) => head === null || lengthInside(head, box) === 0;
    const fits = known.filter((box) => this.#isFree(box, v));
    const best = fits.filter(isOff);
    const others = best.length > 0 ? [] : this.#elsewhere(v, width, height, off);
    const found = best.find(isClear) ?? best[0] ?? others.find(isOff) ?? fits[0] ?? others[0];
    if (!found) return null;
    this.#written.add(found);
    return middleOfBox(found);
  }

  /** Places for a value that is wider than those of the answer, or that an arrow would cover there. */
  #elsewhere(v: number, width: number, height: number, off: number): Box[] {
    const { layout } = this.#scene;
    const places = besideMark(pointOf(layout, v), layout.radius + off, width, height, "near");
    const boxes = places.sort((a, b) => a.cost - b.cost).map(({ at }) => boxAt(at, width, height));
    return boxes.filter((box) => this.#isFree(box, v));
  }

  #isFree(box: Box, v: number): boolean {
    const { layout } = this.#scene;
    if (!isInside(box, underBar(layout)) || layout.occupied.hits(box) || this.#written.hits(box)) return false;
    return layout.vertices.isOwn(box, v);
  }
}

const MOST_NEAR = 40; // neighbours of what is selected that have names, though the picture has no room for them

/** Texts that the layout has no room for, of what is being looked at; those of its neighbours stay off all others. */
class Forced {
  readonly #scene: Scene;
  readonly #marks: readonly VertexMark[];
  #taken: Box[] | null = null;

  readonly #values: Occupied;

  constructor(scene: Scene, marks: readonly VertexMark[], values: Occupied) {
    this.#values = values;
    this.#scene = scene;
    this.#marks = marks;
  }

  isAsked(v: number): boolean {
    const { vertices } = this.#scene.focus;
    return this.#isPointed(v) || ((vertices?.size ?? 0) <= MOST_NEAR && (vertices?.has(v) ?? false));
  }

  /** A place over a vertex, or beneath it; null where it need not be, or would lie on another text. */
  place(v: number, down: 1 | -1, text: string): Place | null {
    if (!this.isAsked(v)) return null;
    const { layout } = this.#scene;
    const found = over(layout, v, down);
    if (this.#isPointed(v)) return found;
    this.#taken ??= this.#written();
    const box = boxAt(found.at, layout.measure(text, vertexFont(layout)) + 6, layout.font + 2);
    if (this.#taken.some((other) => overlap(box, other) > 0)) return null;
    this.#taken.push(box);
    return found;
  }

  /** The same for a value: the whole of it is in the picture, and no other vertex is as near to it. */
  valueAt(v: number, text: string, font: string, off: number): Point | null {
    const { layout } = this.#scene;
    const [view, width, height] = [underBar(layout), layout.measure(text, font) + 5, layout.font + 2];
    const isOwn = (box: Box) => layout.vertices.isOwn(box, v);
    if (this.#isPointed(v)) {
      const beside = besideMark(pointOf(layout, v), layout.radius + off, width, height, "near");
      const boxes = beside.sort((a, b) => a.cost - b.cost).map(({ at }) => boxAt(at, width, height));
      const found = boxes.find((box) => isInside(box, view) && isOwn(box) && this.#isFree(box));
      if (found) return this.#keep(found);
    }
    const place = this.place(v, 1, text);
    if (!place) return null;
    const box = movedInto(boxAt(place.at, width, height), view);
    return isOwn(box) ? this.#keep(box) : null;
  }

  #isFree(box: Box): boolean {
    this.#taken ??= this.#written();
    if (this.#scene.layout.occupied.hits(box) || this.#values.hits(box)) return false;
    return !this.#taken.some((other) => overlap(box, other) > 0);
  }

  /** What comes later stays off a value. */
  #keep(box: Box): Point {
    this.#taken?.push(box);
    this.#values.add(box);
    return middleOfBox(box);
  }

  #isPointed(v: number): boolean {
    const mark = this.#marks[v];
    return (mark?.current || mark?.selected || isHovered(this.#scene.focus, v)) ?? false;
  }

  /** The texts that stand anyway, and the circles. */
  #written(): Box[] {
    const { graph, layout } = this.#scene;
    const found: Box[] = [];
    for (let v = 1; v <= graph.n; v++) {
      const boxes = [layout.names[v]?.box, layout.values[v]?.[0]?.box, circleBox(layout, v)];
      for (const box of boxes) if (box) found.push(box);
      if (layout.names[v] || !this.#isPointed(v)) continue;
      const width = layout.measure(vertexLabelText(graph, v), vertexFont(layout)) + 6;
      // Rings push a name away.
      const off = reach(this.#marks[v] as VertexMark, layout.radius);
      for (const down of [-1, 1] as const)
        for (const by of [0, off]) found.push(boxAt(pushed(over(layout, v, down), by), width, layout.font + 2));
    }
    return found;
  }
}

const NONE = "–"; // the circle is hollow then

const FEW_NAMED = 8; // vertices whose values have room, however long they are

const MOST_LETTERS = 7; // of a value beside a vertex, where there are more

/** Where a text stands while the rings around its vertex reach so far. */
function pushed({ at, toward }: Place, off: number): Point {
  return [at[0] + toward[0] * off, at[1] + toward[1] * off];
}

/** The same for a text of another width than its place has: it begins at the vertex. */
function besidePlace(place: Place, width: number, off: number): Point {
  const [x, y] = pushed(place, off);
  const more = (width - (place.box.right - place.box.left)) / 2;
  return [x + Math.max(-1, Math.min(1, 1.5 * place.toward[0])) * more, y];
}

/** A name whose vertex has rings makes way for them, unless it would run into another name; it is never cut. */
function nameAt({ layout, sprites }: Scene, v: number, name: Place, text: string, off: number): Point {
  const whole = text === name.text && name.text !== "";
  if (whole && (off === 0 || name.lead)) return name.at;
  const [width, height] = sizeOfText(text, vertexFont(layout), layout.font, layout.measure);
  const moved = boxAt(besidePlace(name, width + 3, off), width + 3, height);
  const box = movedInto(moved, underBar(layout));
  const at = middleOfBox(box);
  if (sprites || !whole) return at; // of many vertices, looking at all names would take too long
  const hits = layout.names.some((other, u) => u !== v && other && overlap(box, other.box) > 0);
  return hits ? name.at : at;
}

/** A place over a vertex, or beneath it, for what has none. */
function over(layout: Layout, v: number, down: 1 | -1 = -1): Place {
  const [x, y] = pointOf(layout, v);
  const at: Point = [x, y + down * (layout.radius + layout.font * 0.5 + 3)];
  return { text: "", at, toward: [0, down], box: boxAt(at, 2 * layout.font, layout.font + 2) };
}

export function boxOfText({ font: size, measure }: Layout, { text, at, font }: Text): Box {
  const [width, height] = sizeOfText(text, font, size, measure);
  return boxAt(at, width + 4, height + 1);
}

export function rim(ctx: Context, text: Text, { theme }: Scene): void {
  ctx.globalAlpha = text.alpha * 0.85;
  for (const [line, at] of linesAt(text)) drawRim(ctx, line, at, text.font, theme.ground);
}

/** The lines of a text, and where each stands. */
function linesAt({ text, at: [x, y], font }: Pick<Text, "text" | "at" | "font">): [string, Point][] {
  const lines = linesOfText(text);
  if (lines.length === 1) return [[text, [x, y]]];
  const step = sizeOfFont(font) + 2;
  return lines.map((line, k) => [line, [x, y + (k - (lines.length - 1) / 2) * step]]);
}

/** The room of a text with its rim. */
const TEXT_HEIGHT = 24;

export function textWidth(text: string): number {
  return Math.max(...linesOfText(text).map((line) => line.length)) * 13 + 8;
}

export function textHeight(text: string): number {
  return TEXT_HEIGHT * linesOfText(text).length;
}

export function fill(ctx: Context, text: Text, { theme, sprites }: Scene): void {
  const { font, colour, alpha } = text;
  ctx.globalAlpha = alpha;
  if (sprites) {
    const draw = (to: Context, cx: number, cy: number) => {
      for (const [line, at] of linesAt({ ...text, at: [cx, cy] })) drawText(to, line, at, font, colour, theme.ground);
    };
    const key = `text ${font} ${colour} ${text.text}`;
    sprites.draw(ctx, key, ...text.at, textWidth(text.text), textHeight(text.text), draw);
    return;
  }
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour;
  for (const [line, at] of linesAt(text)) ctx.fillText(line, at[0], at[1]);
}
