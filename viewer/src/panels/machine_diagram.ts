/** The diagram of `hyloop draw --model`, alive: a line for each column of X, a strip for each head and MLP. */

import { setAttribute } from "../dom";
import type { Head, Layer, Model, Sum } from "../machine/model";
import type { HeadKind } from "../trace";

/** A head of a layer (from 0), or its MLP. */
export type Part = number | "mlp";

export interface Place {
  readonly layer: number;
  readonly part: Part;
}

const SVG = "http://www.w3.org/2000/svg";
const [ROW, HEAD, MLP, SPACE, GAP, TOP] = [12.5, 23, 29, 2, 13, 32];
const LETTER = 7; // of a name, in pixels
const NAME = { least: 60, most: 152 };
const TOGETHER = 4; // fewer states have a line each, with their whole names

export const KINDS: Readonly<Record<HeadKind, string>> = {
  plain: "plain",
  incidence: "Ã",
  transposed: "Ãᵀ",
  tails: "Ã tails",
  tails_transposed: "Ãᵀ tails",
  heads: "Ã heads",
  heads_transposed: "Ãᵀ heads",
};

/** Below this, letters become too small: it is scrolled instead. */
const SMALLEST = 0.85;

/** The key beneath a diagram that stands alone, in pixels. */
const KEY = { top: 8, left: 12, mark: 12, gap: 10, line: 20, least: 300 };

type Mark = "query" | "key" | "value" | "reads" | "adds";

/** Shapes around 0: square, triangle, dot, ring, arrow. */
const SHAPES: Readonly<Record<Mark, string>> = {
  query: "M-3-3h6v6h-6z",
  key: "M0-3.6 3.5 3h-7z",
  value: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
  reads: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
  adds: "M-3-3.6 4 0-3 3.6z",
};

export const LEGEND: readonly [Mark, string][] = [
  ["query", "query"],
  ["key", "key"],
  ["value", "value"],
  ["reads", "read by the MLP"],
  ["adds", "added to"],
];

export class Diagram {
  readonly root: SVGSVGElement;
  readonly #width: number;
  #scale = 1;
  readonly #strips = new Map<string, { layer: number; node: SVGGElement; marks: [number, SVGElement][] }>();
  readonly #lines: [readonly number[], SVGGElement[]][] = [];
  readonly #names: SVGGElement;
  readonly #left = new Map<number, number>();
  readonly #kinds: readonly Strip["kind"][];
  readonly #height: number;

  constructor(model: Model, title: (place: Place) => string, open: (place: Place) => void) {
    const rows = rowsOf(model);
    const names = rows.map((row) => nameOf(model, row));
    const side = Math.min(NAME.most, Math.max(NAME.least, 10 + LETTER * Math.max(...names.map((name) => name.length))));
    const y = new Map(rows.flatMap((row, k) => row.map((column) => [column, TOP + ROW * (k + 0.5)] as const)));
    const bottom = TOP + ROW * rows.length;
    this.root = svg("svg", { class: "diagram", role: "group", "aria-label": "The layers of the model" });
    const strips: SVGGElement[] = [];
    let x = side + 8;
    model.layers.forEach((layer, k) => {
      this.#left.set(k + 1, x);
      for (const { part, width, kind, marks } of partsOf(layer)) {
        const place = { layer: k + 1, part };
        const strip = stripOf({ x, width, kind, bottom }, marks, y, part);
        actAs(strip, title(place), () => open(place));
        const adds = [...strip.querySelectorAll<SVGElement>("[data-column]")];
        const written = adds.map((mark): [number, SVGElement] => [Number(mark.dataset.column), mark]);
        this.#strips.set(keyOf(place), { layer: k + 1, node: strip, marks: written });
        strips.push(strip);
        x += width + SPACE;
      }
      const middle = ((this.#left.get(k + 1) as number) + x - SPACE) / 2;
      strips.push(svg("g", {}, text({ x: middle, y: 11, class: "layer-name" }, `Layer ${k + 1}`)));
      x += GAP;
    });
    const end = x - GAP + 6;
    const lines = rows.map((row, k) => {
      const [column] = row as [number];
      const at = y.get(column) as number;
      const own = { class: `thread ${(model.columns[column] as { role: string }).role}` };
      const line = svg("g", own, svg("line", { x1: side + 4, x2: end, y1: at, y2: at }));
      const name = text({ x: side, y: at + 3.8, class: "thread-name" }, fitted(names[k] as string, side));
      const named = svg("g", own, name);
      this.#lines.push([row, [line, named]]);
      return [line, named] as const;
    });
    // Over the strips: the names stay in view when these are scrolled.
    const ground = svg("rect", { class: "names-ground", width: side + 3, height: bottom + 14 });
    this.#names = svg("g", {}, ground, ...lines.map(([, named]) => named));
    const loop = svg("path", { class: "loop", d: `M${end} ${TOP}V${bottom + 10}H${side + 4}V${bottom + 3}` });
    const tip = svg("path", { class: "loop-tip", d: `M${side + 0.5} ${bottom + 4}h7l-3.5-6z` });
    this.root.append(...lines.map(([line]) => line), ...strips, loop, tip, this.#names);
    const [width, height] = [end + 4, bottom + 14];
    this.#width = width;
    this.#height = height;
    this.#kinds = [...new Set(model.layers.flatMap((layer) => partsOf(layer).map(({ kind }) => kind)))];
    this.root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#resize(1);
  }

  /** Its width, in pixels. */
  get width(): number {
    return this.#scale * this.#width;
  }

  /** Make it a little smaller where that shows all of it. */
  fit(room: number): void {
    const scale = room / this.#width;
    this.#resize(scale >= SMALLEST && scale < 1 ? scale : 1);
  }

  #resize(scale: number): void {
    this.#scale = scale;
    this.root.style.width = `${scale * this.#width}px`;
    this.root.style.height = `${scale * this.#height}px`;
  }

  /** Light up a layer and its opened part, and the columns that changed. */
  show(layer: number, opened: Part | null, changed: ReadonlySet<number>): void {
    for (const [key, { layer: own, node, marks }] of this.#strips) {
      const lit = own === layer;
      node.classList.toggle("lit", lit);
      setAttribute(node, "aria-pressed", String(opened !== null && key === keyOf({ layer, part: opened })));
      for (const [column, mark] of marks) mark.classList.toggle("wrote", lit && changed.has(column));
    }
    for (const [row, nodes] of this.#lines) {
      const on = row.some((column) => changed.has(column));
      for (const node of nodes) node.classList.toggle("changed", on);
    }
  }

  /** To stand alone: no layer is faint, and the key to signs and colours is beneath. */
  alone(): void {
    this.root.classList.add("alone");
    const bottom = this.#height + KEY.line / 2;
    const entries = [...LEGEND.map(([mark, name]) => markEntry(mark, name)), ...this.#kinds.map(kindEntry)];
    let [x, y] = [KEY.left, bottom];
    for (const { node, name } of entries) {
      const width = KEY.mark + LETTER * name.length + KEY.gap;
      if (x > KEY.left && x + width > Math.max(this.#width, KEY.least)) [x, y] = [KEY.left, y + KEY.line];
      const words = text({ x: KEY.mark, y: 3.8, class: "key-name" }, name);
      this.root.append(svg("g", { transform: `translate(${x} ${y})` }, node, words));
      x += width;
    }
    const [width, height] = [Math.max(this.#width, KEY.least), y + KEY.line];
    this.root.setAttribute("viewBox", `0 ${-KEY.top} ${width} ${height + KEY.top}`);
  }

  /** Keep the names in view while the rest is scrolled so far. */
  slide(left: number): void {
    setAttribute(this.#names, "transform", `translate(${left / this.#scale} 0)`);
  }

  /** Where a layer begins, in pixels from the left. */
  left(layer: number): number {
    return this.#scale * (this.#left.get(layer) ?? 0);
  }
}

interface KeyEntry {
  readonly node: SVGElement;
  readonly name: string;
}

function markEntry(mark: Mark, name: string): KeyEntry {
  return { node: svg("path", { class: `mark ${mark}`, d: SHAPES[mark], transform: "translate(4 0)" }), name };
}

function kindEntry(kind: Strip["kind"]): KeyEntry {
  const box = svg("rect", { x: 0, y: -5, width: 8, height: 10, rx: 2 });
  const name = kind === "mlp" ? "MLP" : kind === "plain" ? "head" : `head with ${KINDS[kind]}`;
  return { node: svg("g", { class: `strip ${kind}` }, box), name };
}

function keyOf({ layer, part }: Place): string {
  return `${layer} ${part}`;
}

interface Strip {
  readonly part: Part;
  readonly width: number;
  readonly kind: HeadKind | "mlp";
  readonly marks: readonly { mark: Mark; x: number; columns: readonly number[] }[];
}

function partsOf(layer: Layer): Strip[] {
  const heads = layer.heads.map((head, part): Strip => ({ part, width: HEAD, kind: head.kind, marks: marksOf(head) }));
  if (layer.stages[0].length === 0) return heads;
  const reads = read(...layer.stages[0]);
  const marks = [
    { mark: "reads", x: 8, columns: reads },
    { mark: "adds", x: MLP - 7, columns: layer.writes },
  ] as const;
  return [...heads, { part: "mlp", width: MLP, kind: "mlp", marks }];
}

function marksOf({ query, key, value, writes }: Head): Strip["marks"] {
  // Query and key often read one column: they stand beside each other, value and result as well.
  return [
    { mark: "query", x: 4.5, columns: read(...query) },
    { mark: "key", x: 9, columns: read(...key) },
    { mark: "value", x: 14, columns: read(...value) },
    { mark: "adds", x: HEAD - 4.5, columns: writes },
  ];
}

function read(...sums: readonly Sum[]): number[] {
  return [...new Set(sums.flatMap(({ from }) => from))];
}

/** The columns that some layer reads or adds to, and the halt column. */
export function usedColumns(model: Model): number[] {
  const used = new Set([model.halt]);
  for (const { heads, stages, writes } of model.layers) {
    for (const column of [...read(...stages[0]), ...writes]) used.add(column);
    for (const { query, key, value, writes: own } of heads)
      for (const column of [...read(...query, ...key, ...value), ...own]) used.add(column);
  }
  return [...used].sort((a, b) => a - b);
}

/** The lines of the diagram: a column each, but one for many states beside each other that have the same uses. */
function rowsOf(model: Model): number[][] {
  const rows: number[][] = [];
  let before: string | null = null;
  for (const column of usedColumns(model)) {
    const uses = model.columns[column]?.role === "state" ? usesOf(model, column) : null;
    if (uses !== null && uses === before) rows.at(-1)?.push(column);
    else rows.push([column]);
    before = uses;
  }
  return rows.flatMap((row) => (row.length < TOGETHER ? row.map((column) => [column]) : [row]));
}

/** Which parts of the model read a column, and which add to it. */
function usesOf({ layers }: Model, column: number): string {
  const used = layers.flatMap(({ heads, stages, writes }) => [
    ...heads.flatMap(({ query, key, value, writes: own }) => [read(...query), read(...key), read(...value), own]),
    read(...stages[0]),
    writes,
  ]);
  return used.map((columns) => (columns.includes(column) ? "1" : "0")).join("");
}

function nameOf({ columns }: Model, row: readonly number[]): string {
  const name = (column: number | undefined) => (columns[column as number] as { name: string }).name;
  return row.length === 1 ? name(row[0]) : `${name(row[0])} … ${name(row.at(-1))}`;
}

function stripOf(
  at: { x: number; width: number; kind: Strip["kind"]; bottom: number },
  marks: Strip["marks"],
  y: ReadonlyMap<number, number>,
  part: Part,
): SVGGElement {
  const { x, width, kind, bottom } = at;
  const shapes = marks.flatMap(({ mark, x: across, columns }) =>
    columns.map((column) =>
      svg("path", {
        class: `mark ${mark}`,
        d: SHAPES[mark],
        transform: `translate(${x + across} ${y.get(column)})`,
        ...(mark === "adds" ? { "data-column": column } : {}),
      }),
    ),
  );
  const name = part === "mlp" ? "MLP" : `h${part + 1}`;
  return svg(
    "g",
    { class: `strip ${kind}` },
    svg("rect", { x, y: TOP - 15, width, height: bottom - TOP + 18, rx: 4 }),
    text({ x: x + width / 2, y: TOP - 5, class: "strip-name" }, name),
    ...shapes,
  );
}

function actAs(node: SVGGElement, label: string, act: () => void): void {
  node.setAttribute("role", "button");
  node.setAttribute("tabindex", "0");
  node.setAttribute("aria-label", label);
  node.append(svg("title", {}, document.createTextNode(label)));
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

function fitted(name: string, width: number): string {
  const most = Math.floor((width - 4) / LETTER);
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

function text(attributes: Record<string, string | number>, content: string): SVGTextElement {
  return svg("text", attributes, document.createTextNode(content));
}

/** A small mark for the legend. */
export function markIcon(mark: Mark): SVGSVGElement {
  const path = svg("path", { class: `mark ${mark}`, d: SHAPES[mark], transform: "translate(5 5)" });
  return svg("svg", { viewBox: "0 0 10 10", class: "mark-icon", "aria-hidden": "true" }, path);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
