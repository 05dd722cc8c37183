/** The MLP of a layer, opened on one row: the units that are active, as formulas with their numbers, and what they write. */

import { button, el, toggle } from "../dom";
import { few } from "../few";
import { explained } from "../glossary";
import type { LayerRun } from "../machine/explain";
import type { Sum } from "../machine/model";
import { type Served, servedBy } from "../machine/statements";
import { partType, unitsOf } from "../meaning";
import { computes } from "../purposes";
import type { Kind, Layer } from "../trace";
import {
  formulaNode,
  type Opened,
  obligationNode,
  ohmNodes,
  purposeNodes,
  rowChoice,
  rowText,
  standing,
} from "./machine_parts";

const STAGES = ["a", "b", "c"] as const;
const LAST = STAGES.length - 1;
const ROWS = 12;

export interface UnitChoices {
  readonly row: number;
  /** Whether units that are 0 or only carry are listed as well. */
  readonly all: boolean;
  /** The unit of the last stage that was asked for; it is listed and marked, whatever it does. */
  readonly asked: number | null;
  readonly choose: (row: number) => void;
  readonly list: (all: boolean) => void;
}

export function unitsCard(opened: Opened, choices: UnitChoices): HTMLElement[] {
  const layer = opened.recording.trace.model.layers[opened.layer - 1] as Layer;
  const { row } = choices;
  const nodes = [
    el(
      "h3",
      { title: explained("MLP") },
      `Layer ${opened.layer}, MLP `,
      el("span", { class: "tag", title: explained("hidden unit") }, unitsText(opened.run.layer)),
    ),
    ...purposeNodes(opened, computes(layer)),
    el("h4", {}, "What happens on a row?"),
    standing(rowChoice(opened.recording, "unit-row", "Shown is", row, choices.choose)),
    changedRows(opened, row, choices.choose),
    ...writes(opened, row),
    el(
      "div",
      { class: "units-head" },
      el("h4", { title: explained("hidden unit") }, "Units that are active there"),
      toggle("all units", "all-units", choices.all, choices.list),
    ),
    ...units(opened, choices),
  ];
  return [...nodes, ...ohmNodes(opened.naming), obligationNode(opened, "mlp")];
}

/** The rows on which the MLP writes something else, to choose from. */
function changedRows(opened: Opened, row: number, choose: (row: number) => void): HTMLElement {
  const used = written(opened.run, (column) => !opened.idle(column, "after"));
  const rows = opened.usedFirst(rowsWritten(opened), (each) => !used.has(each));
  const most = few(rows.length, ROWS);
  const chips = rows
    .slice(0, most)
    .map((each) =>
      button(
        rowText(opened.recording, each),
        { class: "chip", "aria-pressed": String(each === row), "data-keep": `row ${each}` },
        () => choose(each),
        String(each),
      ),
    );
  const more = rows.length > most ? ` and ${rows.length - most} more` : "";
  const text = rows.length === 0 ? "The MLP changes no row." : "It changes rows ";
  const split = Math.min(used.size, chips.length);
  const alone = used.size > 0 && split < chips.length ? [` and for the ${opened.naming.others} alone `] : [];
  return el("p", { class: "chips dim" }, text, ...chips.slice(0, split), ...alone, ...chips.slice(split), more);
}

/** The rows of which the MLP changes a number. */
export function rowsWritten({ run }: Opened): number[] {
  return [...written(run).keys()].sort((a, b) => a - b);
}

/** The row on which it changes most states, then most numbers that this iteration uses, then most numbers. */
export function busiestRow(opened: Opened): number {
  const { run } = opened;
  const all = written(run);
  const ranks = [
    written(run, (column) => opened.state(column) !== null),
    written(run, (column) => !opened.idle(column, "after")),
    all,
  ];
  const ahead = (a: number, b: number) =>
    ranks.map((counts) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).find((difference) => difference !== 0) ?? a - b;
  const found = [...all.keys()].sort(ahead);
  return found[0] ?? 0;
}

/** How many numbers it changes on which rows. */
function written(run: LayerRun, counts: (column: number) => boolean = () => true): Map<number, number> {
  const found = new Map<number, number>();
  for (const column of run.layer.writes.filter(counts)) {
    const [attended, after] = [run.attended[column] as Float64Array, run.after[column] as Float64Array];
    for (const row of attended.keys()) if (attended[row] !== after[row]) found.set(row, (found.get(row) ?? 0) + 1);
  }
  return found;
}

/** Each column that changes on the row: what it was, plus units times weights, is what it becomes. */
function writes(opened: Opened, row: number): HTMLElement[] {
  const { run, naming } = opened;
  const columns = opened.usedFirst(run.layer.writes, (column) => opened.idle(column, "after"));
  const nodes = columns.flatMap((column) => {
    const [was, becomes] = [run.attended[column]?.[row] as number, run.after[column]?.[row] as number];
    if (was === becomes) return [];
    const sum = run.out(column);
    const units = sum.from.flatMap((unit, k) =>
      run.units[2][unit]?.[row] === 0 ? [] : [{ name: nameOf(opened, 2, unit, row), weight: sum.weight[k] as number }],
    );
    const numbers = sum.from.map((unit, k) => ({
      value: run.units[2][unit]?.[row] as number,
      weight: sum.weight[k] as number,
    }));
    const kind = opened.state(column)?.kind;
    return [
      formulaNode(
        opened.column(column, "after"),
        naming.sum([{ name: `(was ${naming.number(was)})`, weight: 1 }, ...units]),
        naming.total([{ value: was, weight: 1 }, ...numbers]),
        ...(kind ? opened.ends(kind, becomes) : [naming.number(becomes)]),
      ),
    ];
  });
  const none = el("p", { class: "dim" }, "Nothing is written on this row.");
  return [el("div", { class: "formulas", "data-testid": "unit-writes" }, ...(nodes.length > 0 ? nodes : [none]))];
}

function units(opened: Opened, { row, all, asked }: UnitChoices): HTMLElement[] {
  const found = STAGES.flatMap((_, stage) =>
    (opened.run.layer.stages[stage] as readonly Sum[]).flatMap((sum, unit) => {
      const value = opened.run.units[stage]?.[unit]?.[row] as number;
      const wanted = stage === LAST && unit === asked;
      if (sum.from.length === 0 || (!all && !wanted && (value === 0 || passes(opened, stage, unit, row)))) return [];
      const node = unitNode(opened, stage, unit, row, value);
      node.classList.toggle("asked", wanted);
      return [{ node, idle: opened.naming.idle(servedIn(opened, stage, unit).purposes) }];
    }),
  );
  const passing = all ? [] : carriers(opened, row);
  const none = passing.length > 0 ? [] : [el("p", { class: "dim" }, "None: all units are 0 on this row.")];
  const nodes = [...used(found), ...unused(opened, found)];
  const shown = nodes.length > 0 ? [el("div", { class: "formulas", "data-testid": "units" }, ...nodes)] : none;
  return [...shown, ...passing];
}

type Listed = readonly { readonly node: HTMLElement; readonly idle: boolean }[];

function used(units: Listed): HTMLElement[] {
  return units.filter(({ idle }) => !idle).map(({ node }) => node);
}

/** The units of statements that do not run now, after the others. */
function unused({ naming, unused }: Opened, units: Listed): HTMLElement[] {
  const nodes = units.filter(({ idle }) => idle).map(({ node }) => node);
  const text = `Of the ${naming.others}, ${unused}:`;
  return nodes.length > 0 ? [el("p", { class: "dim", "data-testid": "unused-units" }, text), ...nodes] : [];
}

function servedIn({ naming, run, layer }: Opened, stage: number, unit: number): Served {
  return servedBy(naming, layer, run.layer, stage, unit);
}

/** The active units that only pass a number on, by name, with what they pass on. */
function carriers(opened: Opened, row: number): HTMLElement[] {
  const found = STAGES.flatMap((_, stage) =>
    (opened.run.layer.stages[stage] as readonly Sum[]).flatMap(({ from }, unit) => {
      const value = opened.run.units[stage]?.[unit]?.[row] as number;
      if (from.length === 0 || value === 0 || !passes(opened, stage, unit, row)) return [];
      const kind = kindPassed(opened, stage, unit);
      const units = kind && opened.unit(kind, value) !== "" ? ` ${unitsOf(value)}` : "";
      return [`${unitName(stage, unit)} (${nameOf(opened, stage, unit, row)}, ${opened.naming.number(value)}${units})`];
    }),
  );
  if (found.length === 0) return [];
  const text = `Active as well, and only passing a number on: ${found.join(", ")}.`;
  return [el("p", { class: "dim", "data-testid": "carriers" }, text)];
}

/** "65 units, at most 23 in a stage": all that there are, and the width of the MLP. */
export function unitsText({ stages }: Pick<LayerRun["layer"], "stages">): string {
  const counts = stages.map((sums) => sums.filter(({ from }) => from.length > 0).length);
  const all = counts.reduce((sum, each) => sum + each, 0);
  return `${all} ${all === 1 ? "unit" : "units"} in three stages: ${counts.join(", ")}`;
}

function unitNode(opened: Opened, stage: number, unit: number, row: number, value: number): HTMLElement {
  const { naming, run } = opened;
  const sum = sumOf(opened, stage, unit);
  const below = (from: number) =>
    (stage === 0 ? run.attended[from]?.[row] : run.units[stage - 1]?.[from]?.[row]) as number;
  const text = stage === 0 ? columnFormula(opened, sum) : unitFormula(opened, sum, stage, row);
  const numbers = naming.numbers(sum, below);
  const node = formulaNode(unitName(stage, unit), `relu(${text})`, `relu(${numbers})`, naming.number(value));
  node.dataset.unit = unitName(stage, unit);
  node.dataset.value = String(value);
  const what = unitText(opened, stage, unit);
  const constant = stage === 0 && naming.constant(sum) ? "a constant" : "";
  if (what + constant !== "") node.append(el("span", { class: "formula-for dim" }, what || constant));
  return node;
}

/** "new key · line 33": what a unit is for, and the source lines of that; "" where nothing is known. */
export function unitText(opened: Opened, stage: number, unit: number): string {
  const { naming } = opened;
  const { purposes, lines } = servedIn(opened, stage, unit);
  const what = naming.purposes(purposes).join("; ");
  return what === "" ? startedText(opened, stage, unit) : `${what}${naming.whose(purposes)}${linesText(lines)}`;
}

/** The column `started` is for no operation of the program; its name, for the units that lead to it. */
function startedText({ run, explainer }: Opened, stage: number, unit: number): string {
  const column = run.layer.writes.find((each) => explainer.model.columns[each]?.role === "started");
  if (column === undefined) return "";
  let units = run.out(column).from;
  for (let at = LAST; at > stage; at--)
    units = units.flatMap((each) => (run.layer.stages[at] as readonly Sum[])[each]?.from ?? []);
  return units.includes(unit) ? (explainer.model.columns[column]?.name ?? "") : "";
}

export function linesText(lines: readonly number[]): string {
  return lines.length > 0 ? ` · ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}` : "";
}

function columnFormula(opened: Opened, sum: Sum): string {
  return opened.naming.formula(sum, (column) => opened.column(column, "attended"));
}

function unitFormula(opened: Opened, { from, weight }: Sum, stage: number, row: number): string {
  const terms = from.map((unit, k) => ({
    name: nameOf(opened, stage - 1, unit, row),
    weight: weight[k] as number,
  }));
  return opened.naming.sum(terms);
}

function unitName(stage: number, unit: number): string {
  return `${STAGES[stage]}${unit + 1}`;
}

/** A unit by what it passes on, where it only passes a number on; else by its own name. */
function nameOf(opened: Opened, stage: number, unit: number, row: number): string {
  if (!passes(opened, stage, unit, row)) return unitName(stage, unit);
  const [from] = sumOf(opened, stage, unit).from as [number];
  return stage === 0 ? opened.column(from, "attended") : nameOf(opened, stage - 1, from, row);
}

/** The kind of the number that such a unit passes on, where it is known. */
function kindPassed(opened: Opened, stage: number, unit: number): Kind | null {
  const [from] = sumOf(opened, stage, unit).from as [number];
  if (stage > 0) return passesOne(opened, stage - 1, from) ? kindPassed(opened, stage - 1, from) : null;
  const state = opened.state(from);
  if (state) return state.kind;
  if (opened.recording.trace.model.columns[from]?.role === "weight") return "length";
  const content = opened.naming.content(from, opened.layer, "attended");
  return content && partType(opened.naming, content.purpose)[0];
}

function passesOne(opened: Opened, stage: number, unit: number): boolean {
  const { from, weight } = sumOf(opened, stage, unit);
  return from.length === 1 && weight[0] === 1;
}

/** Whether a unit has the one number that it reads. */
function passes(opened: Opened, stage: number, unit: number, row: number): boolean {
  const { run } = opened;
  if (!passesOne(opened, stage, unit)) return false;
  const { from } = sumOf(opened, stage, unit);
  const below = stage === 0 ? run.attended[from[0] as number] : run.units[stage - 1]?.[from[0] as number];
  return below?.[row] === run.units[stage]?.[unit]?.[row];
}

function sumOf({ run }: Opened, stage: number, unit: number): Sum {
  return (run.layer.stages[stage] as readonly Sum[])[unit] as Sum;
}
