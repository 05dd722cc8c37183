import { el, setText } from "../dom";
import { GLOSSARY } from "../glossary";
import { isolated, unmarked } from "../isolate";
import { meaning, scopeOf } from "../meaning";
import { Naming } from "../naming";
import { numberText, parseFraction, short, times } from "../numbers";
import { holdsText } from "../purposes";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { type Column, isUnverified } from "../trace";
import { Viewport } from "../viewport";
import { hasKeys } from "./timeline";

/** Room for the columns' names, and for the signs below them; and letters of a name. Where it is low, names are cut. */
const HEADS = { high: { room: 104, letters: 15 }, low: { room: 82, letters: 12 } };
const LOW = 260;
const SIGN = 13;
const NUMBER = 24; // of a row
const LETTER = 6.7;
const NAMES_APART = 5; // pixels between the names of a vertex and of a hyperedge
const NARROW = 420;
const CELL = 20; // pixels at least

/** Of what a column is: a dot for vertices, a square for hyperedges, as they are drawn. */
const SIGNS = { vertices: "●", hyperedges: "■", scalar: "=" } as const;

/** The transformer's raw state X: rows by columns, with its numbers, and each column shaded on its own scale. */
export class State implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #canvas = el("canvas", { role: "img", "aria-label": "The numbers of the state X" });
  readonly #scroller: HTMLElement;
  readonly #view: Viewport;
  readonly #inner = el("div", { class: "heat-inner" });
  /** With a shadow at the right edge as long as there are more columns beyond it. */
  readonly #frame = el("div", { class: "table-frame heat-frame" });
  readonly #meaning = el("strong", {});
  readonly #raw = el("span", {});
  readonly #tip = el("p", { class: "tip", "data-testid": "state-tip", "aria-live": "off" }, this.#meaning, this.#raw);
  #hover: { row: number; column: number } | null = null;
  /** Whether the keys move the cell. */
  #keys = false;
  /** Whether a finger chose the cell: the next tap on it asks. */
  #tapped = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#inner.append(this.#canvas);
    const label = "Rows and columns of X. Enter: move from cell to cell with the arrow keys.";
    this.#scroller = el(
      "div",
      { class: "heat", tabindex: "0", role: "region", "aria-label": label, "data-testid": "heat" },
      this.#inner,
    );
    this.#frame.append(this.#scroller);
    this.root = el(
      "section",
      { class: "panel state", "data-panel": "state", "aria-label": "State X" },
      this.#frame,
      this.#tip,
    );
    this.#view = new Viewport(this.#scroller, () => stage.redraw());
    this.#listen();
  }

  #listen(): void {
    let touched: string | null = null; // the cell that the first tap explains, and the second one asks
    this.#scroller.addEventListener("pointermove", (event) => this.#point(event));
    this.#scroller.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "mouse" ? null : JSON.stringify(this.#hover);
      this.#tapped = touched !== null;
      this.#point(event);
    });
    this.#scroller.addEventListener("click", () => {
      if (this.#hover && (touched === null || touched === JSON.stringify(this.#hover))) this.#ask();
    });
    this.#scroller.addEventListener("pointerleave", (event) => {
      // On touch screens, the tip stays after the finger is lifted.
      if (event.pointerType === "mouse" && !this.#keys) this.#leave();
    });
    this.#scroller.addEventListener("keydown", (event) => this.#key(event));
    this.#scroller.addEventListener("blur", () => this.#leave());
  }

  load(): void {
    this.#hover = null;
    this.#keys = false;
    this.#view.scrollTo(0);
  }

  render(): void {
    const { recording } = this.#stage;
    const { width, height } = this.#view;
    if (width === 0 || height === 0) return;
    const { rows, columns } = this.#size;
    this.#inner.style.height = `${this.#head.room + rows * recording.rows}px`;
    this.#inner.style.width = `${columns.at(-1)}px`;
    this.#frame.classList.toggle("more-right", this.#view.left + width < (columns.at(-1) as number) - 1);
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    if (this.#canvas.width !== Math.round(width * ratio) || this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
      this.#canvas.style.width = `${width}px`;
      this.#canvas.style.height = `${height}px`;
    }
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#paint(context, recording, width, height);
    this.#tell(recording);
  }

  get #head(): { readonly room: number; readonly letters: number } {
    return this.#view.height < LOW ? HEADS.low : HEADS.high;
  }

  /** Room for the names of rows: the vertex and the hyperedge of each. */
  get #side(): { name: number; all: number } {
    const name = this.#view.width < NARROW ? 51 : 62;
    return { name, all: NUMBER + 2 * name };
  }

  /** Where each column begins, and the last one ends, from the left; and the height of a row. */
  get #size(): Size {
    const { recording } = this.#stage;
    const count = recording.trace.model.columns.length;
    const widths = Array.from({ length: count }, (_, c) => cellWidth(recording.log.largest[c] as number));
    const all = widths.reduce((sum, width) => sum + width, 0);
    const spare = Math.max(0, this.#view.width - this.#side.all - 44 - all) / Math.max(1, count);
    let x = this.#side.all;
    const columns = [x, ...widths.map((width) => (x += width + spare))];
    const room = (this.#view.height - this.#head.room - 4) / recording.rows;
    return { columns, rows: Math.floor(Math.min(26, Math.max(17, room))) };
  }

  #paint(context: CanvasRenderingContext2D, recording: Recording, width: number, height: number): void {
    const colours = palette(this.root);
    const size = this.#size;
    const { top, left } = this.#view;
    const first = Math.max(0, Math.floor(top / size.rows));
    const last = Math.min(recording.rows, Math.ceil((top + height - this.#head.room) / size.rows));
    context.clearRect(0, 0, width, height);
    context.font = `11px ${colours.font}`;
    context.textBaseline = "middle";
    context.save();
    context.translate(-left, 0);
    for (let row = first; row < last; row++)
      this.#paintRow(context, recording, row, this.#head.room + row * size.rows - top, size, colours);
    context.restore();
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, this.#side.all, height);
    for (let row = first; row < last; row++)
      this.#paintLabel(context, recording, row, this.#head.room + (row + 0.5) * size.rows - top, colours);
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, width, this.#head.room);
    this.#paintNames(context, recording, size, colours, width);
    this.#paintCorner(context, colours);
  }

  /** The number of a row, and the vertex and the hyperedge that share it. */
  #paintLabel(context: CanvasRenderingContext2D, recording: Recording, row: number, y: number, colours: Palette): void {
    const { name } = this.#side;
    const { selected } = this.#stage;
    const most = Math.floor((name - NAMES_APART) / 6.3);
    context.textAlign = "right";
    context.fillStyle = colours.dim;
    context.fillText(String(row), NUMBER - 6, y);
    context.textAlign = "left";
    if (row === 0) {
      context.fillText("global", NUMBER, y);
      return;
    }
    (["vertices", "hyperedges"] as const).forEach((scope, k) => {
      const mine = selected?.scope === scope && selected.row === row;
      context.fillStyle = mine ? colours.accent : colours.ink;
      context.fillText(fitted(recording.label(scope, row) ?? "", most), NUMBER + k * name, y);
    });
  }

  #paintCorner(context: CanvasRenderingContext2D, colours: Palette): void {
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, this.#side.all - 2, this.#head.room);
    context.fillStyle = colours.dim;
    context.textAlign = "left";
    const y = this.#head.room - SIGN / 2;
    const { name } = this.#side;
    const [vertex, hyperedge] = name < 60 ? ["vertex", "edge"] : ["vertex", "hyperedge"];
    context.fillText(`${SIGNS.vertices} ${vertex}`, NUMBER, y);
    context.fillText(fitted(`${SIGNS.hyperedges} ${hyperedge}`, 11), NUMBER + name, y);
  }

  #paintRow(
    context: CanvasRenderingContext2D,
    recording: Recording,
    row: number,
    y: number,
    size: Size,
    colours: Palette,
  ): void {
    const { log } = recording;
    const { left, width } = this.#view;
    for (let c = 0; c < recording.trace.model.columns.length; c++) {
      const value = log.now[c * log.rows + row] as number;
      const [x, end] = [size.columns[c] as number, size.columns[c + 1] as number];
      if (end < left + this.#side.all || x > left + width) continue;
      const [w, h] = [Math.max(1, end - x - 1), size.rows - 1];
      const share = value === 0 ? 0 : Math.log1p(Math.abs(value)) / Math.log1p(log.largest[c] || 1);
      const shade = value === 0 ? 0 : 0.1 + 0.75 * Math.min(1, share);
      context.fillStyle = colours.empty;
      context.fillRect(x, y, w, h);
      context.globalAlpha = shade;
      context.fillStyle = value < 0 ? colours.negative : colours.positive;
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
      context.fillStyle = value === 0 ? colours.dim : shade > 0.5 ? colours.panel : colours.ink;
      context.textAlign = "right";
      const text = value === recording.trace.model.infinity ? "∞" : numberText(value);
      context.fillText(fitted(text, lettersIn(w)), x + w - 4, y + h / 2 + 0.5);
      if (recording.frame > 0 && log.before(c, row) !== value) outline(context, x, y, w, h, colours.changed, 2);
      if (this.#hover?.row === row && this.#hover.column === c) outline(context, x, y, w, h, colours.ink, 2);
    }
  }

  #paintNames(
    context: CanvasRenderingContext2D,
    recording: Recording,
    size: Size,
    colours: Palette,
    width: number,
  ): void {
    const { left } = this.#view;
    recording.trace.model.columns.forEach((column, c) => {
      const middle = ((size.columns[c] as number) + (size.columns[c + 1] as number)) / 2 - left;
      if (middle < this.#side.all - 60 || middle > width + 60) return;
      context.save();
      context.translate(middle, this.#head.room - SIGN - 5);
      context.rotate(-Math.PI / 3);
      context.textAlign = "left";
      context.fillStyle = this.#hover?.column === c ? colours.accent : colours.dim;
      context.fillText(fitted(column.name, this.#head.letters), 0, 0);
      context.restore();
      const scope = scopeOf(recording, c);
      context.textAlign = "center";
      context.fillStyle = colours.dim;
      if (scope) context.fillText(SIGNS[scope], middle, this.#head.room - SIGN / 2);
    });
  }

  /** "Changed further right: temporary 4.": the columns out of view in which a number is outlined. */
  #elsewhere(recording: Recording): string {
    const { columns } = this.#size;
    const { left, width } = this.#view;
    const changed = changedColumns(recording);
    const names = (wanted: (c: number) => boolean) =>
      changed.filter(wanted).map((c) => (recording.trace.model.columns[c] as Column).name);
    const before = names((c) => (columns[c + 1] as number) < left + this.#side.all + CELL / 2);
    const after = names((c) => (columns[c] as number) > left + width - CELL / 2);
    const said = [before.length > 0 ? `left: ${few(before)}` : "", after.length > 0 ? `right: ${few(after)}` : ""];
    const both = said.filter((each) => each !== "").join("; further ");
    return both === "" ? "" : `Changed ${[recording.sinceText(), "further"].join(" ").trim()} ${both}.`;
  }

  #point(event: PointerEvent): void {
    const box = this.#scroller.getBoundingClientRect();
    const size = this.#size;
    const across = event.clientX - box.left;
    const column = size.columns.findIndex((x) => x > across + this.#view.left) - 1;
    const row = Math.floor((event.clientY - box.top - this.#head.room + this.#view.top) / size.rows);
    const { recording } = this.#stage;
    const inside = across > this.#side.all && column >= 0 && row >= 0 && row < recording.rows;
    this.#hover = inside && event.clientY - box.top > this.#head.room ? { row, column } : null;
    this.#keys = false;
    this.#stage.redraw();
  }

  #leave(): void {
    this.#hover = null;
    this.#keys = false;
    this.#stage.redraw();
  }

  /** Show where the number in the cell comes from. */
  #ask(): void {
    if (this.#hover) this.#stage.ask(this.#hover);
  }

  /** Enter begins to move from cell to cell, and then asks; Escape ends it. */
  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const act = this.#keys ? this.#moves(event.key) : event.key === "Enter" ? () => this.#enter() : null;
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
    this.#stage.redraw();
  }

  #enter(): void {
    this.#keys = true;
    this.#hover ??= { row: this.#stage.selected?.row ?? 0, column: 0 };
    this.#reveal();
  }

  #moves(key: string): (() => void) | null {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[key];
    if (step) return () => this.#step(...step);
    if (key === "Enter") return () => this.#ask();
    return key === "Escape" ? () => this.#leave() : null;
  }

  #step(down: number, right: number): void {
    const { recording } = this.#stage;
    const { row, column } = this.#hover ?? { row: 0, column: 0 };
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
    this.#hover = {
      row: within(row + down, recording.rows),
      column: within(column + right, recording.trace.model.columns.length),
    };
    this.#reveal();
  }

  /** Scroll until the cell is in view. */
  #reveal(): void {
    if (!this.#hover) return;
    const { columns, rows } = this.#size;
    const { row, column } = this.#hover;
    const [x, end] = [columns[column] as number, columns[column + 1] as number];
    const { left, top, width, height } = this.#view;
    if (x - this.#side.all < left) this.#scroller.scrollLeft = x - this.#side.all;
    else if (end > left + width) this.#scroller.scrollLeft = end - width + 8;
    const y = row * rows;
    if (y < top) this.#view.scrollTo(y);
    else if (this.#head.room + y + rows > top + height) this.#view.scrollTo(this.#head.room + y + rows - height);
  }

  /** What to do with a number, with a pointer, a finger or the keys. */
  get #asks(): string {
    if (!this.#hover) return hasKeys() ? "Click a number" : "Tap a number to read what it means, and tap it again";
    if (this.#keys) return "Press Enter";
    return this.#tapped ? "Tap it again" : "Click it";
  }

  #tell(recording: Recording): void {
    this.#tip.setAttribute("aria-live", this.#keys || this.#tapped ? "polite" : "off");
    const asks = this.#stage.explainer ? `${this.#asks} to see which heads and units wrote it. ` : "";
    this.#tip.classList.toggle("idle", !this.#hover);
    if (!this.#hover) {
      setText(this.#meaning, this.#elsewhere(recording));
      setText(
        this.#raw,
        `${asks}${unitText(recording)}Row j is the j-th vertex and the j-th hyperedge at once; ${SIGNS.vertices} marks columns about the one, ` +
          `${SIGNS.hyperedges} about the other, ${SIGNS.scalar} those with one number for all. Outlined numbers changed ` +
          `${changedWhen(recording)}; shades compare those of a column.`,
      );
      return;
    }
    const { row, column } = this.#hover;
    const { log } = recording;
    const value = log.now[column * log.rows + row] as number;
    const before = log.before(column, row);
    const its = recording.trace.model.columns[column] as Column;
    const changed = recording.frame > 0 && before !== value;
    const change = changed ? `${entryText(recording, before)} → ` : "";
    const since = changed && !recording.follows() ? ` ${recording.sinceText()}` : "";
    const who = row === 0 ? "row 0 (global)" : `row ${row} (${rowLabel(recording, row)})`;
    const { explainer } = this.#stage;
    const naming = explainer && new Naming(explainer.model, recording);
    setText(this.#meaning, meaning(recording, row, column, naming));
    const word = aboutColumn(its);
    const holds = holdsText(recording, its, column, naming);
    setText(
      this.#raw,
      `${asks}${who}, column ${column} “${its.name}” (${SPREAD[its.scope]}): ${change}${entryText(recording, value)}${since}. ${isUnverified(recording.trace) ? "Said to hold" : "Holds"} ${holds}${word ? `. ${word}` : "."}`,
    );
  }
}

/** "at this frame", or since when, where frames before it are not recorded. */
function changedWhen(recording: Recording): string {
  return recording.follows() ? "at this frame" : recording.sinceText();
}

/** The columns of which a number changed at this frame. */
function changedColumns({ log, frame, trace, rows }: Recording): number[] {
  if (frame === 0) return [];
  const differs = (cell: number) => log.before(Math.floor(cell / rows), cell % rows) !== log.now[cell];
  const found = new Set([...log.cells].filter(differs).map((cell) => Math.floor(cell / rows)));
  for (const c of log.filled.keys())
    if (Array.from({ length: rows }, (_, row) => c * rows + row).some(differs)) found.add(c);
  return [...found].filter((c) => c < trace.model.columns.length).sort((a, b) => a - b);
}

/** A list of names for one line. */
function few(names: readonly string[]): string {
  return names.length <= 2 ? names.join(" and ") : `${names[0]} and ${names.length - 1} more columns`;
}

/** A number of X; the one that stands for ∞ as both. */
function entryText({ trace }: Recording, value: number): string {
  return value === trace.model.infinity ? `∞ (${numberText(value)})` : numberText(value);
}

/** The width of a column that holds numbers up to this one. */
export function cellWidth(largest: number): number {
  return Math.max(CELL, LETTER * numberText(largest).length + 8);
}

/** How many letters a cell of this width has room for. */
export function lettersIn(width: number): number {
  return Math.floor((width - 4) / 6);
}

/** On which rows a column has numbers. */
const SPREAD: Record<Column["scope"], string> = {
  global: "a number on row 0 only",
  array: "a number for each row",
  uniform: "the same number on every row",
};

interface Size {
  readonly columns: readonly number[];
  readonly rows: number;
}

/** "Lengths are in units of 0.5: 8 is 4. " */
export function unitText({ trace }: Recording): string {
  const unit = parseFraction(trace.unit);
  if (!unit || (unit.top === 1n && unit.bottom === 1n)) return "";
  const eight = times(unit, { top: 8n, bottom: 1n });
  return `Lengths and weights are in units of ${short(unit)}: 8 is ${short(eight)}. `;
}

/** The glossary's entry for a column without a name in the program. */
function aboutColumn({ role }: Column): string {
  if (role === "position") return GLOSSARY["P_1, P_2"];
  if (role === "bias") return GLOSSARY["B_global, B_local"];
  if (role === "started") return GLOSSARY.started;
  return role === "temporary" ? GLOSSARY.temporary : "";
}

type Palette = ReturnType<typeof palette>;

function palette(root: HTMLElement) {
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: colour("--ink"),
    dim: colour("--dim"),
    panel: colour("--panel"),
    empty: colour("--sunken"),
    positive: colour("--heat"),
    negative: colour("--heat-negative"),
    changed: colour("--changed-mark"),
    accent: colour("--accent"),
    font: style.fontFamily,
  };
}

function rowLabel(recording: Recording, row: number): string {
  if (row === 0) return "global";
  const labels = [recording.label("vertices", row), recording.label("hyperedges", row)];
  return labels.filter((label) => label !== null).join(" and ") || "padding";
}

function fitted(text: string, most: number): string {
  const shown = unmarked(text);
  return shown.length > most ? isolated(`${shown.slice(0, most - 1)}…`) : text;
}

function outline(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  w: number,
  h: number,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x + width / 2, y + width / 2, w - width, h - width);
}
