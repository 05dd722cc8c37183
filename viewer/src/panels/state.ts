import { el, setText } from "../dom";
import { GLOSSARY } from "../glossary";
import { meaning } from "../meaning";
import { counted } from "../numbers";
import { holdsText } from "../purposes";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import type { Column } from "../trace";
import { Viewport } from "../viewport";

const HEAD = 96; // room for the columns' names
const SIDE = 94; // and for the rows'

/** The transformer's raw state X as a heat map: rows by columns, each column with its own scale. */
export class State implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #canvas = el("canvas", { role: "img", "aria-label": "Heat map of the state X" });
  readonly #scroller: HTMLElement;
  readonly #view: Viewport;
  readonly #spacer = el("div", { class: "spacer" });
  readonly #meaning = el("strong", {});
  readonly #raw = el("span", {});
  readonly #tip = el("p", { class: "tip", "data-testid": "state-tip", "aria-live": "off" }, this.#meaning, this.#raw);
  #hover: { row: number; column: number } | null = null;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#scroller = el(
      "div",
      { class: "heat", tabindex: "0", role: "region", "aria-label": "Rows and columns of X", "data-testid": "heat" },
      this.#canvas,
      this.#spacer,
    );
    this.root = el(
      "section",
      { class: "panel state", "data-panel": "state", "aria-label": "State X" },
      this.#scroller,
      this.#tip,
    );
    this.#view = new Viewport(this.#scroller, () => stage.redraw());
    this.#scroller.addEventListener("pointermove", (event) => this.#point(event));
    this.#scroller.addEventListener("pointerdown", (event) => this.#point(event));
    this.#scroller.addEventListener("pointerleave", (event) => {
      // On touch screens, the tip stays after the finger is lifted.
      if (event.pointerType === "mouse") this.#leave();
    });
  }

  load(): void {
    this.#hover = null;
    this.#view.scrollTo(0);
  }

  render(): void {
    const { recording } = this.#stage;
    const { width, height } = this.#view;
    if (width === 0 || height === 0) return;
    this.#spacer.style.height = `${HEAD + this.#size.rows * recording.rows}px`;
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

  get #size(): { columns: number; rows: number } {
    const { recording } = this.#stage;
    const width = (this.#view.width - SIDE - 44) / Math.max(1, recording.trace.model.columns.length);
    const room = (this.#view.height - HEAD - 4) / recording.rows;
    return { columns: Math.max(6, width), rows: Math.floor(Math.min(26, Math.max(14, room))) };
  }

  #paint(context: CanvasRenderingContext2D, recording: Recording, width: number, height: number): void {
    const colours = palette(this.root);
    const size = this.#size;
    const top = this.#view.top;
    const first = Math.max(0, Math.floor(top / size.rows));
    const last = Math.min(recording.rows, Math.ceil((top + height - HEAD) / size.rows));
    context.clearRect(0, 0, width, height);
    context.font = `11px ${colours.font}`;
    context.textBaseline = "middle";
    for (let row = first; row < last; row++)
      this.#paintRow(context, recording, row, HEAD + row * size.rows - top, size, colours);
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, width, HEAD);
    this.#paintNames(context, recording, size, colours);
  }

  #paintRow(
    context: CanvasRenderingContext2D,
    recording: Recording,
    row: number,
    y: number,
    size: { columns: number; rows: number },
    colours: Palette,
  ): void {
    const { log } = recording;
    const { selected } = this.#stage;
    context.fillStyle = selected?.row === row ? colours.accent : colours.dim;
    context.textAlign = "right";
    context.fillText(fitted(rowLabel(recording, row), 13), SIDE - 6, y + size.rows / 2);
    for (let c = 0; c < recording.trace.model.columns.length; c++) {
      const value = log.now[c * log.rows + row] as number;
      const x = SIDE + c * size.columns;
      const [w, h] = [Math.max(1, size.columns - 1), size.rows - 1];
      context.fillStyle = colours.empty;
      context.fillRect(x, y, w, h);
      if (value !== 0) {
        const share = Math.log1p(Math.abs(value)) / Math.log1p(log.largest[c] || 1);
        context.globalAlpha = 0.18 + 0.82 * Math.min(1, share);
        context.fillStyle = value < 0 ? colours.negative : colours.positive;
        context.fillRect(x, y, w, h);
        context.globalAlpha = 1;
        if (value === recording.trace.model.infinity) infinite(context, x, y, w, h, colours.panel);
        if (value < 0) bar(context, x, y, w, h, colours.panel);
      }
      if (recording.frame > 0 && log.before(c, row) !== value) outline(context, x, y, w, h, colours.changed, 2);
      if (this.#hover?.row === row && this.#hover.column === c) outline(context, x, y, w, h, colours.ink, 2);
    }
  }

  #paintNames(
    context: CanvasRenderingContext2D,
    recording: Recording,
    size: { columns: number },
    colours: Palette,
  ): void {
    context.textAlign = "left";
    recording.trace.model.columns.forEach((column, c) => {
      context.save();
      context.translate(SIDE + (c + 0.5) * size.columns, HEAD - 6);
      context.rotate(-Math.PI / 3);
      context.fillStyle = this.#hover?.column === c ? colours.accent : colours.dim;
      context.fillText(fitted(column.name, 15), 0, 0);
      context.restore();
    });
  }

  #point(event: PointerEvent): void {
    const box = this.#scroller.getBoundingClientRect();
    const size = this.#size;
    const column = Math.floor((event.clientX - box.left - SIDE) / size.columns);
    const row = Math.floor((event.clientY - box.top - HEAD + this.#view.top) / size.rows);
    const { recording } = this.#stage;
    const inside = column >= 0 && column < recording.trace.model.columns.length && row >= 0 && row < recording.rows;
    this.#hover = inside && event.clientY - box.top > HEAD ? { row, column } : null;
    this.#stage.redraw();
  }

  #leave(): void {
    this.#hover = null;
    this.#stage.redraw();
  }

  #tell(recording: Recording): void {
    if (!this.#hover) {
      setText(this.#meaning, "");
      setText(
        this.#raw,
        "Each column has its own scale; outlined cells changed at this frame. Point at a cell, or tap it, to read it.",
      );
      return;
    }
    const { row, column } = this.#hover;
    const { log } = recording;
    const value = log.now[column * log.rows + row] as number;
    const before = log.before(column, row);
    const its = recording.trace.model.columns[column] as Column;
    const change = recording.frame > 0 && before !== value ? `${counted(before)} → ` : "";
    const who = row === 0 ? "row 0 (global)" : `row ${row} (${rowLabel(recording, row)})`;
    setText(this.#meaning, meaning(recording, row, column));
    const word = aboutColumn(its);
    const holds = holdsText(recording, its, column);
    setText(
      this.#raw,
      `${who}, column ${column} “${its.name}”, ${its.scope}: ${change}${counted(value)}. Holds ${holds}${word ? `. ${word}` : ""}`,
    );
  }
}

/** The glossary's entry for a column without a name in the program. */
function aboutColumn({ role }: Column): string {
  if (role === "position") return GLOSSARY["P_1, P_2"];
  if (role === "bias") return GLOSSARY.B_global;
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
  return labels.filter((label) => label !== null).join(" / ");
}

function fitted(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
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

/** Infinity is shown as its sign: it is not on the column's scale. */
function infinite(context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, colour: string): void {
  context.fillStyle = colour;
  context.textAlign = "center";
  context.fillText("∞", x + w / 2, y + h / 2);
}

/** The sign of a negative number, so that it is not shown by colour alone. */
function bar(context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(x + w / 4, y + h / 2 - 1, w / 2, 2);
}
