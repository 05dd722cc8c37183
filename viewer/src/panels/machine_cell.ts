/** A number of X, asked where it comes from: which heads and units wrote it, for which source line, by which obligation. */

import { button, el } from "../dom";
import { type Contribution, type Explainer, type LayerRun, lastWritten } from "../machine/explain";
import { iterationValues } from "../machine/iteration";
import type { Sum } from "../machine/model";
import { lastRewritten, wroteTo } from "../machine/rewritten";
import { linesFor, servedBy, stopThatHolds } from "../machine/statements";
import { meaning } from "../meaning";
import { Naming } from "../naming";
import { counted } from "../numbers";
import { holdsText } from "../purposes";
import type { Recording } from "../recording";
import type { Column, Head, Layer, Purpose } from "../trace";
import { isUnverified } from "../trace";
import type { Part } from "./machine_diagram";
import { formulaNode, Opened, obligation, ohmNodes, rowText } from "./machine_parts";
import { linesText } from "./machine_units";

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** When a cell became what it is, and by whom. */
export interface Origin {
  /** The frame; 0: the encoder wrote it. */
  readonly frame: number;
  /** The layer; null: it was the encoder, or a layer before that frame that is not recorded. */
  readonly layer: number | null;
  /** What it was right before that layer; where the layer is not known, at the frame before. */
  readonly before: number;
  readonly after: number;
  readonly parts: readonly Contribution[];
  /** Whether what every layer since then did to it is known. */
  readonly stood: boolean;
  /** Of a number that was written again: where it became that number. */
  readonly became?: Written;
  /** Whether it may have been written again later, which was too far back to look for. */
  readonly unsearched?: boolean;
}

type Written = Omit<Origin, "stood" | "became" | "unsearched">;

/** Where the number in a cell comes from: the last layer that wrote it, be it the same number again, as far as layers are recorded. */
export function originOf(explainer: Explainer, cell: CellPlace): Origin {
  const { recording } = explainer;
  const here = recording.frame;
  if (!isWritten(explainer, cell.column)) return { ...writtenAt(explainer, cell, 0), stood: true };
  const last = lastWritten(recording.trace, cell.row, cell.column, here);
  // What was written before a gap may have been written again in it.
  const frame = Math.max(last, recording.unbrokenFrom());
  if (recording.trace.recorded.layers) {
    const became = writtenAt(explainer, cell, frame);
    const again = lastRewritten(explainer, cell.row, cell.column, frame, here);
    if (again === undefined) return { ...became, stood: true, unsearched: true };
    return again === null ? { ...became, stood: true } : { ...writtenAt(explainer, cell, again), stood: true, became };
  }
  // Some layer of an iteration may change it, and another one change it back.
  const now = writtenAt(explainer, cell, here);
  return now.layer === null ? { ...writtenAt(explainer, cell, frame), stood: false } : { ...now, stood: true };
}

/** Whether any layer writes to a column. */
function isWritten({ model }: Explainer, column: number): boolean {
  return model.layers.some(
    ({ writes, heads }) => writes.includes(column) || heads.some((head) => head.writes.includes(column)),
  );
}

/** What a frame did to a cell that has been the same since then. */
function writtenAt(explainer: Explainer, { row, column }: CellPlace, frame: number): Written {
  const { recording } = explainer;
  const here = recording.frame;
  const after = valueAt(recording, row, column);
  if (frame === 0) return { frame, layer: null, before: after, after, parts: [] };
  recording.seek(frame);
  const layer = writingLayer(explainer, row, column);
  const run = layer === null ? null : explainer.run(layer);
  const before = (run?.before[column] as Float64Array | undefined)?.[row] ?? recording.log.before(column, row);
  const parts = run?.wrote(row, column) ?? [];
  recording.seek(here);
  return { frame, layer, before, after, parts };
}

/** Without recorded layers a frame is an iteration: the last of its layers that wrote the cell is asked. */
function writingLayer(explainer: Explainer, row: number, column: number): number | null {
  const { recording } = explainer;
  const layers = recording.trace.recorded.layers
    ? [recording.layer]
    : Array.from({ length: recording.layers }, (_, k) => recording.layers - k);
  const wrote = (run: LayerRun | null) => run !== null && wroteTo(explainer, run, row, column);
  return layers.find((layer) => wrote(explainer.run(layer))) ?? null;
}

function valueAt({ log, rows }: Recording, row: number, column: number): number {
  return log.now[column * rows + row] as number;
}

/** The card of a cell. `go` opens the head or the unit that wrote it, at the frame where it did. */
export function cellCard(
  explainer: Explainer,
  cell: CellPlace,
  go: (frame: number, layer: number, row: number, part: Contribution) => void,
): HTMLElement[] {
  const { recording } = explainer;
  const { row, column } = cell;
  const its = recording.trace.model.columns[column] as Column;
  const origin = originOf(explainer, cell);
  const naming = new Naming(explainer.model, recording);
  const title = el("h3", {}, `Where ${naming.number(origin.after)} comes from`);
  const meant = meaning(recording, row, column, naming);
  const where = `${rowText(recording, row)}, column “${its.name}”, which holds ${holdsText(recording, its, column, naming)}.`;
  const nodes = [title, el("p", {}, meant === "" ? null : el("b", {}, `${meant}. `), where)];
  if (origin.layer !== null) return [...nodes, ...writtenBy(explainer, cell, origin, origin.layer, go)];
  const text = origin.frame === 0 ? encodedText(origin) : unseenText(explainer, origin, naming);
  return [...nodes, el("p", { "data-testid": "origin" }, text), ...ohmNodes(naming)];
}

function encodedText({ stood, unsearched }: Origin): string {
  if (!stood) return `The encoder wrote it at the start. ${UNSEEN}`;
  return unsearched
    ? `The encoder wrote it at the start, and no layer has changed it since. ${UNSEARCHED}`
    : "It stands there since the start: the encoder wrote it, and no layer has changed it since.";
}

const UNSEARCHED =
  "Whether a layer wrote the same number again is not worked out: that may be thousands of layers ago.";

const UNSEEN =
  "It is the same after every iteration since then; what the layers in between wrote there is not recorded.";

/** Of a cell that became what it is before a frame, in what is not recorded: all that is known of when. */
function unseenText(explainer: Explainer, { frame, before, after }: Origin, naming: Naming): string {
  const { recording } = explainer;
  const [from, to] = [recording.iterationOf(frame - 1), recording.iterationOf(frame) - 1];
  const missing =
    from + 1 < to ? `Iterations ${counted(from + 1)} to ${counted(to)} are` : `Iteration ${counted(to)} is`;
  const end = from === 0 ? "at the start" : `at the end of iteration ${counted(from)}`;
  if (before === after)
    return `It was the same ${end}. ${missing} not recorded: whether it was written again there is not known.`;
  const change = `${naming.number(before)} → ${naming.number(after)}`;
  // Where too much lies between, the first layers of that frame cannot be told from those before.
  const latest = isComputed(explainer, frame) ? to : to + 1;
  const when = from + 1 < latest ? `iteration ${counted(latest)} or earlier` : `iteration ${counted(latest)}`;
  return `Written in ${when}: ${change} ${recording.sinceText(frame)}. ${missing} not recorded.`;
}

function isComputed(explainer: Explainer, frame: number): boolean {
  const { recording } = explainer;
  const here = recording.frame;
  recording.seek(frame);
  const run = explainer.run();
  recording.seek(here);
  return run !== null;
}

function writtenBy(
  explainer: Explainer,
  { row, column }: CellPlace,
  origin: Origin,
  layer: number,
  go: (frame: number, layer: number, row: number, part: Contribution) => void,
): HTMLElement[] {
  const { recording } = explainer;
  const here = recording.frame;
  recording.seek(origin.frame);
  try {
    const run = explainer.run(layer) as LayerRun;
    const again = origin.before === origin.after;
    const when = `Written${again ? " again" : ""} in iteration ${counted(recording.iteration)}, layer ${layer}`;
    const naming = new Naming(explainer.model, recording);
    const after = naming.number(origin.after);
    const change = again ? `the same number, ${after}` : `${naming.number(origin.before)} → ${after}`;
    const head = el(
      "p",
      { "data-testid": "origin" },
      `${when}: ${change}${lineText(recording, lineOf(explainer, { row, column }))}.`,
    );
    const opened = new Opened(explainer, run);
    const parts = origin.parts.map((part) =>
      partNode(opened, { row, column }, part, () => go(origin.frame, layer, row, part)),
    );
    const sum = origin.parts.map(({ adds }) => signed(naming, adds)).join(" ");
    const all = formulaNode("together", `${naming.number(origin.before)} ${sum}`, naming.number(origin.after));
    const since = [
      origin.stood ? "" : UNSEEN,
      origin.unsearched ? UNSEARCHED : "",
      becameText(recording, origin, after),
    ];
    const notes = since.filter((text) => text !== "").map((text) => el("p", { class: "dim" }, text));
    return [head, ...parts, all, ...notes, ...ohmNodes(naming)];
  } finally {
    recording.seek(here);
  }
}

/** Since when a number that was written again has been that number; "" where this is not known. */
function becameText(recording: Recording, { became }: Origin, number: string): string {
  if (became?.frame === 0) return `It was ${number} from the start.`;
  if (!became || became.layer === null || became.before === became.after) return "";
  return `It has been ${number} since iteration ${counted(recording.iterationOf(became.frame))}, layer ${became.layer}.`;
}

/** The line whose assignment it was, as the recording has it; of the end of the loop, that of the stop that holds. */
function lineOf(explainer: Explainer, { row, column }: CellPlace): number {
  const { recording, model } = explainer;
  if (column !== model.halt || valueAt(recording, row, column) === 0) return recording.lineOf(column, row);
  const { body } = model.program;
  return recording.operations.at("body", stopThatHolds(body, iterationValues(explainer))).line;
}

function lineText(recording: Recording, line: number): string {
  const { first, source } = recording.trace.algorithm;
  return line > 0 ? `, by line ${line}: ${(source[line - first] ?? "").trim()}` : "";
}

function partNode(opened: Opened, cell: CellPlace, part: Contribution, go: () => void): HTMLElement {
  const { recording, naming, layer } = opened;
  const which: Part = part.part === "head" ? part.head : "mlp";
  const name = part.part === "head" ? `head ${part.head + 1}` : `MLP, unit c${part.unit + 1}`;
  const { what, lines } = writtenFor(opened, cell, part);
  // All that becomes a state is written for the statement that assigns it.
  const line = lineOf(opened.explainer, cell);
  const proof = isUnverified(recording.trace) ? "" : ` · obligation “${obligation(recording.layers, layer, which)}”`;
  return el(
    "div",
    { class: "origin-part", "data-testid": "origin-part", "data-adds": part.adds },
    button(
      `Open layer ${layer}, ${name}`,
      { class: "link", "data-keep": `origin ${name}` },
      go,
      `${signed(naming, part.adds)} by layer ${layer}, ${name}`,
    ),
    el("span", { class: "dim" }, `${what === "" ? "" : ` · ${what}`}${linesText(line > 0 ? [line] : lines)}${proof}`),
  );
}

/** What a part writes to a cell, and the lines of that: of a head that several columns share, that of this column. */
export function writtenFor(
  opened: Opened,
  { column }: CellPlace,
  part: Contribution,
): { what: string; lines: readonly number[] } {
  const { naming, layer, run, recording } = opened;
  const about = recording.trace.model.layers[layer - 1] as Layer;
  if (part.part === "head") return broughtTo(naming, about.heads[part.head] as Head, column);
  const { purposes, lines } = servedBy(naming, layer, run.layer, 2, part.unit);
  const named = namedText(naming, purposes);
  if (about.units.stages[2]?.[part.unit]?.carries !== true) return { what: named, lines };
  const source = carriedFrom(opened, part.unit);
  if (part.adds < 0 && opened.state(column) !== null) return { what: "takes the old value away", lines };
  if (part.adds < 0 && source.column === column) return { what: "erases what stood there", lines };
  // A unit of an earlier stage that is passed on is a part of what it is for, as the others are.
  if (source.column === null && named !== "") return { what: named, lines };
  const times = Math.abs(part.weight) === 1 ? "" : `${naming.factor(Math.abs(part.weight))} × `;
  return { what: `${part.weight < 0 ? "subtracts" : "passes on"} ${times}${source.name}`, lines };
}

/** The column that a unit of the last stage passes on, by name; a constant has none. */
function carriedFrom(opened: Opened, unit: number): { column: number | null; name: string } {
  const { naming, run } = opened;
  const isOne = ({ from, weight }: Sum) => from.length === 1 && weight[0] === 1;
  let [sum, at] = [run.layer.stages[2][unit] as Sum, 2];
  while (at > 0 && isOne(sum)) {
    at--;
    sum = run.layer.stages[at]?.[sum.from[0] as number] as Sum;
  }
  const column = at === 0 && isOne(sum) ? (sum.from[0] as number) : null;
  return { column, name: naming.formula(sum, (each) => opened.column(each, "attended")) };
}

function broughtTo(naming: Naming, head: Head, column: number): { what: string; lines: readonly number[] } {
  const purposes = head.value.filter((each) => each.column === column).flatMap((each) => each.for);
  if (purposes.length === 0) return { what: head.empties.includes(column) ? "erases the old value" : "", lines: [] };
  return { what: namedText(naming, purposes), lines: linesFor(naming, naming.here(purposes)) };
}

function namedText(naming: Naming, purposes: readonly Purpose[]): string {
  return naming.purposes(purposes).join("; ") + naming.whose(purposes);
}

function signed(naming: Naming, value: number): string {
  return `${value < 0 ? "−" : "+"} ${naming.factor(Math.abs(value))}`;
}
