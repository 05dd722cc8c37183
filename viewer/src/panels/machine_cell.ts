/** A number of X, asked where it comes from: which heads and units wrote it, for which source line, by which obligation. */

import { button, el } from "../dom";
import { type Contribution, type Explainer, lastWritten } from "../machine/explain";
import { linesOn } from "../machine/iteration";
import { meaning } from "../meaning";
import { Naming } from "../naming";
import { holdsText } from "../purposes";
import type { Recording } from "../recording";
import type { Column, Layer, Purpose } from "../trace";
import type { Part } from "./machine_diagram";
import { formulaNode, Opened, obligation, rowText } from "./machine_parts";

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** When a cell became what it is, and by whom. */
export interface Origin {
  /** The frame; 0: the encoder wrote it. */
  readonly frame: number;
  readonly before: number;
  readonly after: number;
  readonly parts: readonly Contribution[];
}

/** Where the number in a cell comes from; parts are empty if that layer cannot be computed. */
export function originOf(explainer: Explainer, { row, column }: CellPlace): Origin {
  const { recording } = explainer;
  const here = recording.frame;
  const frame = lastWritten(recording.trace, row, column, here);
  const after = valueAt(recording, row, column);
  if (frame === 0) return { frame, before: after, after, parts: [] };
  recording.seek(frame);
  const before = recording.log.before(column, row);
  const parts = writers(explainer, row, column);
  recording.seek(here);
  return { frame, before, after, parts };
}

/** Without recorded layers a frame is an iteration: the last of its layers that changed the cell is asked. */
function writers(explainer: Explainer, row: number, column: number): readonly Contribution[] {
  const number = writingLayer(explainer, row, column);
  return number === null ? [] : (explainer.run(number)?.wrote(row, column) ?? []);
}

function writingLayer(explainer: Explainer, row: number, column: number): number | null {
  const { recording } = explainer;
  const layers = recording.trace.recorded.layers
    ? [recording.layer]
    : Array.from({ length: recording.layers }, (_, k) => recording.layers - k);
  return layers.find((layer) => explainer.run(layer)?.changed(column).includes(row)) ?? null;
}

function valueAt({ log, rows }: Recording, row: number, column: number): number {
  return log.now[column * rows + row] as number;
}

/** The card of a cell. `go` opens the part that wrote it, at the frame where it did. */
export function cellCard(
  explainer: Explainer,
  cell: CellPlace,
  go: (frame: number, layer: number, part: Part, row: number) => void,
): HTMLElement[] {
  const { recording } = explainer;
  const { row, column } = cell;
  const its = recording.trace.model.columns[column] as Column;
  const origin = originOf(explainer, cell);
  const naming = new Naming(explainer.model, recording);
  const title = el("h3", {}, `Where ${naming.number(origin.after)} comes from`);
  const meant = meaning(recording, row, column);
  const where = `${rowText(recording, row)}, column “${its.name}”, which holds ${holdsText(recording, its, column)}.`;
  const nodes = [title, el("p", {}, meant === "" ? null : el("b", {}, `${meant}. `), where)];
  if (origin.frame === 0) {
    const text = "It stands there since the start: the encoder wrote it, and no layer has changed it since.";
    return [...nodes, el("p", { "data-testid": "origin" }, text)];
  }
  return [...nodes, ...writtenBy(explainer, cell, origin, go)];
}

function writtenBy(
  explainer: Explainer,
  { row, column }: CellPlace,
  origin: Origin,
  go: (frame: number, layer: number, part: Part, row: number) => void,
): HTMLElement[] {
  const { recording } = explainer;
  const here = recording.frame;
  recording.seek(origin.frame);
  try {
    const layer = writingLayer(explainer, row, column);
    const run = layer === null ? null : explainer.run(layer);
    const when = `Written in iteration ${recording.iteration}${layer === null ? "" : `, layer ${layer}`}`;
    const naming = new Naming(explainer.model, recording);
    const change = `${naming.number(origin.before)} → ${naming.number(origin.after)}`;
    const head = el("p", { "data-testid": "origin" }, `${when}: ${change}${lineText(recording, row, column)}.`);
    if (!run || layer === null)
      return [head, el("p", { class: "dim" }, "The state before that layer is not recorded.")];
    const opened = new Opened(explainer, run);
    const parts = origin.parts.map((part) =>
      partNode(opened, { row, column }, part, (which) => go(origin.frame, layer, which, row)),
    );
    const sum = origin.parts.map(({ adds }) => signed(naming, adds)).join(" ");
    const all = formulaNode("together", `${naming.number(origin.before)} ${sum}`, naming.number(origin.after));
    return [head, ...parts, all];
  } finally {
    recording.seek(here);
  }
}

/** The line whose assignment it was, as the recording has it. */
function lineText(recording: Recording, row: number, column: number): string {
  const line = recording.lineOf(column, row);
  const { first, source } = recording.trace.algorithm;
  return line > 0 ? `, by line ${line}: ${(source[line - first] ?? "").trim()}` : "";
}

function partNode(opened: Opened, cell: CellPlace, part: Contribution, go: (part: Part) => void): HTMLElement {
  const { recording, naming, layer } = opened;
  const about = recording.trace.model.layers[layer - 1] as Layer;
  const which: Part = part.part === "head" ? part.head : "mlp";
  const purposes = part.part === "head" ? headPurposes(about, part.head) : unitPurposes(about, part.unit);
  const erases = part.part === "head" && (about.heads[part.head]?.empties.length ?? 0) > 0;
  const name = part.part === "head" ? `head ${part.head + 1}` : `MLP, unit c${part.unit + 1}`;
  const carries = part.part === "unit" && about.units.stages[2]?.[part.unit]?.carries === true;
  const named = `${carries ? "passes on " : ""}${naming.purposes(purposes).join("; ")}`;
  const old = carries && part.adds < 0 && opened.state(cell.column) !== null;
  const what = old ? "takes the old value away" : purposes.length > 0 ? named : erases ? "erases the old value" : "";
  // All that becomes a state is written for the statement that assigns it.
  const line = recording.lineOf(cell.column, cell.row);
  const lines = line > 0 ? [line] : linesOn(opened.explainer, naming.here(purposes), cell.row);
  const proof = obligation(recording.layers, layer, which);
  return el(
    "div",
    { class: "origin-part", "data-testid": "origin-part", "data-adds": part.adds },
    button(
      `Open layer ${layer}, ${name}`,
      { class: "link", "data-keep": `origin ${name}` },
      () => go(which),
      `${signed(naming, part.adds)} by layer ${layer}, ${name}`,
    ),
    el(
      "span",
      { class: "dim" },
      `${what === "" ? "" : ` · ${what}`}${lines.length > 0 ? ` · line ${lines.join(", ")}` : ""} · obligation “${proof}”`,
    ),
  );
}

function headPurposes({ heads }: Layer, head: number): readonly Purpose[] {
  return heads[head]?.value.flatMap((each) => each.for) ?? [];
}

function unitPurposes({ units }: Layer, unit: number): readonly Purpose[] {
  return units.stages[2]?.[unit]?.for ?? [];
}

function signed(naming: Naming, value: number): string {
  return `${value < 0 ? "−" : "+"} ${naming.factor(Math.abs(value))}`;
}
