import { el, setAttribute, setStyle, setText } from "../dom";
import { GLOSSARY } from "../glossary";
import type { Named, Recording, Thing } from "../recording";
import { Viewport } from "../viewport";
import { TextWidths } from "./widths";

const SPARE = 6; // rows above and below what is visible
const MOST_DIGITS = 26; // that a column has room for
const MOST_OF_NAME = 18; // the same of the names of rows
const PADDING = 12; // of a cell, in pixels
const NAME_PADDING = 18;
const SHADOW = 12; // pixels at an edge beyond which there are more columns, where a shadow hides what stands there
const [PLAIN, BOLD, NAME] = [400, 700, 550]; // weights of fonts, as tables.css has them

export interface TableOptions {
  both: boolean; // the interpreter's value beside every one
  ended: boolean; // whether the run has halted: an output that is computed from states is the answer's then
  onlyChanged: boolean;
}

/** The variables of all vertices or of all hyperedges; only the rows in view are in the page. */
export class Table {
  readonly root: HTMLElement;
  /** The table, with a shadow at each edge beyond which there are more columns. */
  readonly frame: HTMLElement;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  /** Says why there are no rows; to be put beside the table. */
  readonly empty = el("p", { class: "empty" });
  readonly #pool: Row[] = [];
  readonly #view: Viewport;
  readonly #scope: Thing["scope"];
  readonly #narrow = matchMedia("(max-width: 759px)");
  #columns: Named[] = [];
  #shape: string | null = null; // null: not laid out yet; of no columns at all it is empty
  /** How wide the texts of a column were at most, in pixels. */
  #widths = new Map<string, number>();
  readonly #texts: TextWidths;
  #pixels: readonly number[] = []; // the widths of the names of rows, and of the columns
  #rows: number[] | null = null; // null: all
  #recording: Recording | null = null;
  #options: TableOptions = { both: false, onlyChanged: false, ended: false };
  #selected: number | null = null;
  #shown = "";

  constructor(scope: Thing["scope"], title: string, select: (thing: Thing) => void, redraw: () => void) {
    this.#scope = scope;
    this.#head = el("div", { class: "table-row table-head", role: "row" });
    this.#body = el("div", { class: "table-body", role: "rowgroup" });
    this.root = el(
      "div",
      { class: "table", role: "grid", "aria-label": title, tabindex: "0", "data-testid": `table-${scope}` },
      this.#head,
      this.#body,
    );
    this.frame = el("div", { class: "table-frame" }, this.root);
    this.#texts = new TextWidths(this.root);
    this.#view = new Viewport(this.root, () => {
      this.#texts.forget();
      this.#shade();
      redraw();
    });
    this.root.addEventListener("scroll", () => this.#shade(), { passive: true });
    this.root.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[data-row]");
      if (row) select({ scope, row: Number(row.dataset.row) });
    });
    this.root.addEventListener("keydown", (event) => this.#key(event, select));
  }

  load(recording: Recording): void {
    this.#recording = recording;
    this.#widths.clear();
    this.#shape = null;
    this.#view.scrollTo(0);
  }

  render(columns: Named[], selected: Thing | null, options: TableOptions): void {
    const recording = this.#recording;
    if (!recording) return;
    this.#options = options;
    this.#selected = selected?.scope === this.#scope ? selected.row : null;
    this.#rows = options.onlyChanged ? recording.changedRows(partsOf(columns), recording.count(this.#scope)) : null;
    this.#setColumns(columns);
    this.#fill(recording);
    this.#keepInView();
  }

  get #count(): number {
    return this.#rows?.length ?? this.#recording?.count(this.#scope) ?? 0;
  }

  get #height(): number {
    return this.#narrow.matches ? 40 : 25;
  }

  #setColumns(columns: Named[]): void {
    this.#columns = columns;
    const { ended } = this.#options;
    const shape = columns.map((c) => `${keyOf(c)}\n${c.variable ? 1 : 0}\n${c.over && ended ? 1 : 0}`).join("\n");
    if (shape === this.#shape) return;
    this.#shape = shape;
    const label = el(
      "div",
      { role: "columnheader", class: "cell row-name" },
      this.#scope === "vertices" ? "vertex" : "hyperedge",
    );
    this.#head.replaceChildren(label, ...columns.map((each) => headCell(each, ended)));
    for (const row of this.#pool) row.columns(columns.length);
  }

  #fill(recording: Recording): void {
    const height = this.#height;
    const count = this.#count;
    setStyle(this.#body, "height", `${count * height}px`);
    const from = Math.max(0, Math.floor(this.#view.top / height) - SPARE);
    const visible = Math.ceil((this.#view.height || 600) / height) + 2 * SPARE;
    const to = Math.min(count, from + visible);
    setAttribute(this.root, "aria-rowcount", String(count + 1));
    while (this.#pool.length < to - from) {
      const row = new Row(this.#columns.length, this.#texts);
      this.#pool.push(row);
      this.#body.append(row.root);
    }
    this.#pool.forEach((row, k) => {
      const index = from + k;
      row.hide(index >= to);
      if (index < to) this.#fillRow(recording, row, index, height);
    });
    this.#setWidths();
    setText(this.empty, count > 0 ? "" : this.#rows ? unchangedText(recording) : "There are none.");
  }

  #fillRow(recording: Recording, row: Row, index: number, height: number): void {
    const number = this.#rows ? (this.#rows[index] as number) : index + 1;
    const label = recording.label(this.#scope, number) ?? "";
    row.place(index, number, height, this.#selected === number);
    this.#widen("", row.label(label));
    for (let c = 0; c < this.#columns.length; c++) {
      const named = this.#columns[c] as Named;
      this.#widen(keyOf(named), row.cell(c, recording, named, number, this.#options.both));
    }
  }

  // Columns only ever grow, so that nothing moves about while a run plays.
  #widen(name: string, width: number): void {
    if (width > (this.#widths.get(name) ?? 0)) this.#widths.set(name, width);
  }

  #setWidths(): void {
    const digit = this.#texts.of("0");
    // By digits, so that a column does not grow by a pixel or two again and again.
    const width = (name: string, least: number, most: number) =>
      digit * Math.min(most, Math.max(least, Math.ceil((this.#widths.get(name) ?? 0) / digit)));
    const columns = this.#columns.map((c) => width(keyOf(c), headLength(c), MOST_DIGITS) + PADDING);
    const label = width("", this.#scope === "vertices" ? 7 : 10, MOST_OF_NAME) + NAME_PADDING;
    this.#pixels = [label, ...columns];
    const template = this.#pixels.map((pixels) => `${pixels}px`).join(" ");
    if (this.root.style.getPropertyValue("--columns") === template) return;
    this.root.style.setProperty("--columns", template);
    requestAnimationFrame(() => this.#shade());
  }

  /** The first of these columns that is not in view as a whole, but farther right. */
  beyond(columns: readonly Named[]): Named | null {
    if (this.#view.width === 0) return null;
    return columns.find((named) => this.#leftFor(named) > this.#view.left) ?? null;
  }

  /** Scroll to a column. */
  reveal(named: Named): void {
    this.root.scrollLeft = this.#leftFor(named);
  }

  /** How far the table is scrolled where a column is in view: off the names of rows, and off the shadow at the other side. */
  #leftFor(named: Named): number {
    const number = this.#columns.indexOf(named);
    const { left, width } = this.#view;
    if (number < 0) return left;
    const [label = 0, ...columns] = this.#pixels;
    const from = columns.slice(0, number).reduce((sum, each) => sum + each, 0);
    const until = label + from + (columns[number] ?? 0) + (number < columns.length - 1 ? SHADOW : 0);
    return Math.round(Math.min(Math.max(left, until - width), from));
  }

  #shade(): void {
    const { scrollLeft, scrollWidth, clientWidth } = this.root;
    this.frame.classList.toggle("more-left", scrollLeft > 1);
    this.frame.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
  }

  /** Scroll to the selected row, once each time that another one is selected. */
  #keepInView(): void {
    const key = `${this.#selected}`;
    if (key === this.#shown) return;
    this.#shown = key;
    if (this.#selected === null) return;
    const index = this.#rows ? this.#rows.indexOf(this.#selected) : this.#selected - 1;
    if (index >= 0) requestAnimationFrame(() => this.#scrollTo(index)); // when all tables have their room
  }

  #scrollTo(index: number): void {
    const [top, height] = [index * this.#height, this.#height];
    const { height: all, top: from } = this.#view;
    const room = all - 2 * height;
    if (top < from || top > from + room) this.#view.scrollTo(top - room / 2);
  }

  #key(event: KeyboardEvent, select: (thing: Thing) => void): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || event.shiftKey || !this.#recording) return;
    event.preventDefault();
    event.stopPropagation();
    const rows = this.#rows;
    const index = this.#selected === null ? -1 : rows ? rows.indexOf(this.#selected) : this.#selected - 1;
    const next = Math.min(this.#count - 1, Math.max(0, index + step));
    const row = rows ? rows[next] : next + 1;
    if (row === undefined) return;
    this.#selected = row; // the next key may come before the next drawing
    select({ scope: this.#scope, row });
  }
}

function unchangedText(recording: Recording): string {
  return `No row changed ${recording.follows() ? "at this frame" : recording.sinceText()}.`;
}

/** A quotient may have the name of one of its parts. */
function keyOf({ name, over }: Named): string {
  return over ? `${name} / ${over.name}` : name;
}

function partsOf(columns: readonly Named[]): Named[] {
  return columns.flatMap((each) => (each.over ? [each, each.over] : [each]));
}

/** Room for a name. */
function headLength(named: Named): number {
  if (named.over) return headText(named).length + SO_FAR.length;
  return Math.min(named.kind === "flag" ? 8 : 11, headText(named).length);
}

/** The name of a column; a value without one has the line that it is in, and its expression on pointing at it. */
export function headText({ name, line, variable }: Named): string {
  return variable?.named === false && line > 0 ? `line ${line}` : name;
}

export interface Cell {
  old: string;
  now: string;
  interpreter: string;
  differs: boolean;
  flag: boolean;
  /** "no result while left is yes": why it is not of the answer, though it stands there; "" of others. */
  denied: string;
}

/** The numbers of a cell. */
interface Numbers {
  recording: Recording;
  named: Named;
  both: boolean;
  value: number;
  expected: number;
  before: number | null; // null: it did not change at this frame
  row: number;
  lacks: boolean; // whether the answer has none of it there
  lacked: boolean; // and at the frame before
  by: Numbers | null; // what it is divided by
}

function numbersOf(recording: Recording, named: Named, row: number, both: boolean): Numbers {
  const value = recording.valueOf(named, row);
  const before = recording.changedOf(named, row) ? recording.previousOf(named, row) : null;
  const by = named.over ? numbersOf(recording, named.over, row, both) : null;
  const lack = { lacks: recording.lacksOf(named, row), lacked: recording.lackedOf(named, row) };
  return { recording, named, both, value, expected: recording.expectedOf(named, row), before, by, row, ...lack };
}

function isSame(a: Numbers, b: Numbers): boolean {
  return (
    a.value === b.value &&
    a.row === b.row &&
    a.lacks === b.lacks &&
    a.lacked === b.lacked &&
    a.before === b.before &&
    a.expected === b.expected &&
    a.named === b.named &&
    a.both === b.both &&
    a.recording === b.recording &&
    (a.by === null || b.by === null ? a.by === b.by : isSame(a.by, b.by))
  );
}

/** What to write for a value: the old one if it changed, and the interpreter's if it differs. */
function cellOf(numbers: Numbers): Cell {
  const { recording, named, both, value, expected, before, by, row, lacks, lacked } = numbers;
  if (by) return quotientCell(numbers, by);
  const differs = expected !== value;
  // A difference to the interpreter is shown in numbers.
  const now = recording.cellText(named, row, value, lacks && !differs);
  const was = before === null && lacks === lacked ? now : recording.cellText(named, row, before ?? value, lacked);
  const old = was === now ? "" : was;
  const interpreter = differs || (both && named.variable) ? recording.text(named.kind, expected) : "";
  const flag = named.kind === "flag" && (value === 0 || value === 1);
  const denied = lacks && !differs ? recording.denied(named, row) : "";
  return { old, now, interpreter, differs, flag, denied };
}

/** An output that is a quotient: of the two values as they are now, as they were, and as the interpreter has them. */
function quotientCell({ recording, named, value, expected, before }: Numbers, by: Numbers): Cell {
  const text = (top: number, bottom: number) => recording.quotient(named.kind, top, by.named.kind, bottom);
  const now = text(value, by.value);
  const was = text(before ?? value, by.before ?? by.value);
  const differs = expected !== value || by.expected !== by.value;
  const old = was === now ? "" : was;
  const interpreter = differs ? text(expected, by.expected) : "";
  return { old, now, interpreter, differs, flag: false, denied: "" };
}

const ARROW = " → ";
const SIGN = "✓"; // of a flag, in a table

/** How wide a cell of a table has to be, in pixels, without its padding. */
function widthOf({ old, now, interpreter, differs, flag, denied }: Cell, texts: TextWidths): number {
  const [was, is] = flag ? [old && SIGN, SIGN] : [old, now];
  const before = was === "" ? 0 : texts.of(was) + texts.of(ARROW);
  const beside = interpreter === "" ? 0 : texts.of(` ≠ ${interpreter}`, differs ? BOLD : PLAIN);
  const around = denied === "" ? 0 : texts.of("()", BOLD);
  return before + around + texts.of(is, was === "" && !flag ? PLAIN : BOLD) + beside;
}

/** The nodes of one value; made once, changed in place. */
export class CellView {
  readonly root = el("div", { class: "cell", role: "gridcell" });
  readonly #old = el("span", { class: "old" });
  readonly #arrow = el("span", { class: "arrow" });
  readonly #now = el("span", { class: "now" });
  readonly #interpreter = el("span", { class: "interpreter" });
  #numbers: Numbers | null = null;
  #width = 0;

  /** In a table, whose `texts` are measured, a flag is a sign; its word stays for those who do not see it. */
  constructor(readonly texts: TextWidths | null = null) {
    this.root.append(this.#old, this.#arrow, this.#now, this.#interpreter);
  }

  /** Show a value, and say how wide that is; the page is left alone where nothing is other than before. */
  value(recording: Recording, named: Named, row: number, both: boolean): number {
    const numbers = numbersOf(recording, named, row, both);
    if (this.#numbers && isSame(numbers, this.#numbers)) return this.#width;
    const cell = cellOf(numbers);
    this.#width = this.texts ? widthOf(cell, this.texts) : 0;
    this.show(cell, this.texts !== null && this.#width > MOST_DIGITS * this.texts.of("0"));
    this.#numbers = numbers;
    return this.#width;
  }

  /** `clipped`: it is wider than its column becomes; the old value gives way. */
  show(cell: Cell, clipped = false): void {
    this.#numbers = null;
    const interpreter = cell.interpreter && (cell.differs ? ` ≠ ${cell.interpreter}` : ` = ${cell.interpreter}`);
    setText(this.#old, cell.old);
    setText(this.#arrow, cell.old && ARROW);
    setText(this.#now, cell.now);
    setText(this.#interpreter, interpreter);
    const flag = this.texts !== null && cell.flag;
    setAttribute(this.#now, "data-flag", flag ? cell.now : null);
    setAttribute(this.#old, "data-flag", flag && cell.old !== "" ? cell.old : null);
    const name = `cell${cell.old ? " changed" : ""}${cell.differs ? " differs" : ""}${clipped ? " clipped" : ""}${cell.denied ? " denied" : ""}`;
    if (this.root.className !== name) this.root.className = name;
    const words = `${cell.old && `${cell.old}${ARROW}`}${cell.now}${clipped ? interpreter : ""}`;
    const also = cell.denied && ` (${cell.denied})`;
    const told = cell.differs && !clipped ? `The interpreter has ${cell.interpreter}` : `${words}${also}`;
    setAttribute(this.root, "title", flag || clipped || cell.differs || cell.denied ? told : null);
  }
}

class Row {
  readonly root = el("div", { class: "table-row", role: "row" });
  readonly #label = el("div", { class: "cell row-name", role: "rowheader" });
  #cells: CellView[] = [];
  readonly #named: Named[] = [];
  #text = "";
  #width = 0;

  constructor(
    columns: number,
    readonly texts: TextWidths,
  ) {
    this.root.append(this.#label);
    this.columns(columns);
  }

  columns(count: number): void {
    for (const cell of this.#cells.splice(count)) cell.root.remove();
    this.#named.length = Math.min(this.#named.length, count);
    while (this.#cells.length < count) {
      const cell = new CellView(this.texts);
      this.#cells.push(cell);
      this.root.append(cell.root);
    }
  }

  /** Show a name, and say how wide it is. */
  label(text: string): number {
    if (text === this.#text) return this.#width;
    this.#text = text;
    this.#width = this.texts.of(text, NAME);
    const clipped = this.#width > MOST_OF_NAME * this.texts.of("0");
    setText(this.#label, text);
    setAttribute(this.#label, "title", clipped ? text : null);
    this.#label.classList.toggle("clipped", clipped);
    return this.#width;
  }

  hide(hidden: boolean): void {
    if (this.root.hidden !== hidden) this.root.hidden = hidden;
  }

  place(index: number, number: number, height: number, selected: boolean): void {
    setStyle(this.root, "top", `${index * height}px`);
    setAttribute(this.root, "data-row", String(number));
    setAttribute(this.root, "aria-rowindex", String(index + 2));
    setAttribute(this.root, "aria-selected", selected ? "true" : null);
  }

  cell(k: number, recording: Recording, named: Named, row: number, both: boolean): number {
    const view = this.#cells[k];
    if (view && this.#named[k] !== named) {
      this.#named[k] = named;
      setAttribute(view.root, "data-column", named.variable && !named.over ? String(named.column) : null);
    }
    return view?.value(recording, named, row, both) ?? 0;
  }
}

/** After the name of an output that is computed from what the states are now. */
const SO_FAR = " so far";

export function headCell(named: Named, ended: boolean): HTMLElement {
  const { name, over } = named;
  if (over) {
    const made = `${named.variable?.name ?? name} / ${over.name}, exactly; – where there is none`;
    const title = ended
      ? `${name}: the answer, ${made}`
      : `${name} so far: ${made}. The answer is what it is at the end`;
    const text = ended ? name : name + SO_FAR;
    return el("div", { class: "cell output", role: "columnheader", title }, el("span", { class: "var" }, text));
  }
  const role = named.variable?.role;
  const what = role === "local" ? "local" : role ? "" : "program";
  const where = what === "program" ? ", a local, as the interpreter computed it" : what ? ", a local, in X now" : "";
  const answers = named.variable?.output && !ended ? ", as it is now; the answer is what it is at the end" : "";
  const title = `${named.name}: ${named.kind}${where}${where ? `. ${GLOSSARY.local}` : answers}`;
  const text = headText(named);
  const cell = el("div", { class: `cell ${what}`, role: "columnheader", title }, el("span", { class: "var" }, text));
  if (text !== named.name) cell.dataset.name = named.name;
  return cell;
}
