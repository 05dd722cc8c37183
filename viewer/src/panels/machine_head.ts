/** A head, opened: what it asks, the score of every row, who wins and by how much, what it carries and writes. */

import { el } from "../dom";
import { few } from "../few";
import { explained } from "../glossary";
import type { HeadRun, Scores } from "../machine/explain";
import type { IncidenceKind } from "../machine/hypergraph";
import type { Sum } from "../machine/model";
import type { Link } from "../picture";
import { brings } from "../purposes";
import { SINGULAR, type Thing } from "../recording";
import { listed } from "../told";
import type { Head, Purpose, Scope } from "../trace";
import { afterwards } from "../words";
import { KINDS } from "./machine_diagram";
import {
  foldedNode,
  formulaNode,
  type Opened,
  obligationNode,
  ohmNodes,
  purposeNodes,
  rowAs,
  rowChoice,
  rowText,
  standing,
  thingOf,
} from "./machine_parts";

const BARS = 40;
const FLOWS = 12;

export interface HeadCard {
  readonly nodes: HTMLElement[];
  readonly arrows: Link[];
}

/** A row whose query tells most: the global one where all ask the same, else the first that gets something. */
export function askingRow(opened: Opened, number: number): Meant {
  const run = opened.run.heads[number] as HeadRun;
  const { kind } = run.head;
  if (run.uniform) return { row: 0, scope: null };
  const { brought, row } = run.looks;
  const found = row.findIndex((_, each) => brought.some((column) => column[each] !== 0));
  return { row: Math.max(0, found), scope: kind === "plain" ? null : sides(kind as IncidenceKind).from };
}

/** A row, and which of the two things in it is meant; no scope: the row itself. And of which column, where one is. */
export interface Meant {
  readonly row: number;
  readonly scope: Scope | null;
  readonly column?: number | undefined;
}

/** Who gives to whom: through the incidence, that is one of those who give to a thing, or to whom it gives. */
export function flowThrough(
  opened: Opened,
  number: number,
  { row, scope, column }: Meant,
): { giver: number; taker: number } {
  const run = opened.run.heads[number] as HeadRun;
  if (run.head.kind === "plain" || scope === null) return { giver: row, taker: row };
  const { from, to } = sides(run.head.kind as IncidenceKind);
  const columns = ordered(opened, run).sort((a, b) => Number(b.column === column) - Number(a.column === column));
  const flows = columns.flatMap(({ k }) => flowOf(opened, run, k));
  const giver = flows.find((each) => each.to.some((target) => target.row === row))?.from;
  const taker = flows.find((each) => each.from === row)?.to[0]?.row;
  return { giver: (scope === to ? giver : undefined) ?? row, taker: (scope === from ? taker : undefined) ?? row };
}

/** The card of a head; `row` is the row whose query is shown, `taker` the row that gets something of it. */
export function headCard(
  opened: Opened,
  number: number,
  row: number,
  choose: (row: number) => void,
  taker = row,
): HeadCard {
  const run = opened.run.heads[number] as HeadRun;
  const head = opened.recording.trace.model.layers[opened.layer - 1]?.heads[number] as Head;
  const scores = run.scores(row);
  const scope = searched(opened, head);
  const erases = head.empties.length > 0;
  const own = run.looks.row.every((target, each) => target === each && run.looks.ties[each] === 1);
  const attends = [
    el("h4", {}, "Which row does it attend to?"),
    asked(opened, run, row, choose),
    ...questions(opened, run, scores),
    el("p", { class: "verdict", "data-testid": "verdict" }, verdict(opened, scores, row, scope, own)),
    bars(opened, scores, scope),
  ];
  const carries = [
    el("h4", {}, "What does it carry and write?"),
    ...(head.kind === "plain" ? [] : received(opened, run, head, row, taker)),
    ...carried(opened, run, head, row),
    ...(head.kind === "plain" ? written(opened, run) : flow(opened, run, head)),
  ];
  const title = el(
    "h3",
    {},
    `Layer ${opened.layer}, head ${number + 1} `,
    el("span", { class: "tag", title: explained(head.kind === "plain" ? "head" : "Ã, Ãᵀ") }, KINDS[head.kind]),
  );
  const nodes = [
    title,
    ...purposeNodes(opened, brings(head), erases),
    // Rows that attend to themselves have nothing to choose: what flows is what matters.
    ...(own ? [...carries, ...attends] : [...attends, ...carries]),
    ...ohmNodes(opened.naming),
    obligationNode(opened, number),
  ];
  return { nodes, arrows: arrowsOf(opened, run, head, scores, row, scope, own) };
}

function asked(opened: Opened, run: HeadRun, row: number, choose: (row: number) => void): HTMLElement {
  const same = run.uniform ? "Every row asks the same; shown is" : "Shown is the query of";
  return standing(rowChoice(opened.recording, "query-row", same, row, choose));
}

/** Query and key as formulas in named columns, and the query's numbers. */
function questions(opened: Opened, run: HeadRun, { query }: Scores): HTMLElement[] {
  const { naming } = opened;
  const formula = (sum: Sum) => naming.formula(sum, (column) => opened.column(column, "before"));
  const pair = (sums: readonly [Sum, Sum]) => `(${formula(sums[0])},  ${formula(sums[1])})`;
  return [
    formulaNode("query", pair(run.head.query), `(${naming.number(query[0])},  ${naming.number(query[1])})`),
    formulaNode("key", pair(run.head.key)),
    formulaNode("score", "query · key", scoreText(opened, run, query)),
  ];
}

/** The score as one sum: the query's numbers times the key's formulas. */
function scoreText(opened: Opened, run: HeadRun, [a, b]: readonly [number, number]): string {
  const weights = new Map<number, number>();
  run.head.key.forEach(({ from, weight }, k) => {
    from.forEach((each, i) => {
      weights.set(each, (weights.get(each) ?? 0) + (k === 0 ? a : b) * (weight[i] as number));
    });
  });
  const terms = [...weights].filter(([, weight]) => weight !== 0);
  const sum = { from: terms.map(([each]) => each), weight: terms.map(([, weight]) => weight) };
  return opened.naming.formula(sum, (each) => opened.column(each, "before"));
}

/** Who wins, who is next, and by how much. */
function verdict(opened: Opened, scores: Scores, row: number, scope: Scope | null, own: boolean): string {
  const { naming, recording } = opened;
  const { winners, runnersUp, margin, score } = scores;
  const name = (each: number) => (own && each === row ? "itself" : rowAs(recording, each, scope));
  const best = naming.number(score[winners[0] as number] as number);
  const first =
    winners.length === 1
      ? `Winner: ${name(winners[0] as number)}, score ${best}.`
      : `${winners.length} rows tie with score ${best}: ${listed(winners.map(name))}. Their values are averaged.`;
  if (margin === null) return `${first} There is no runner-up.`;
  const next = naming.number(score[runnersUp[0] as number] as number);
  const also = runnersUp.length > 1 ? ` (and ${runnersUp.length - 1} more)` : "";
  const second = rowAs(recording, runnersUp[0] as number, scope);
  return `${first} Runner-up: ${second}${also}, ${next}. Margin ${naming.number(margin)}.`;
}

/** A bar for each row: the longest is the best. Scores differ by factors of millions, so the scale is logarithmic. */
function bars(opened: Opened, { score, winners, runnersUp }: Scores, scope: Scope | null): HTMLElement {
  const { recording, naming } = opened;
  const best = score[winners[0] as number] as number;
  const gap = (row: number) => Math.log1p(best - (score[row] as number));
  const widest = Math.max(...Array.from(score.keys(), gap)) || 1;
  const rows = [...score.keys()];
  const [first, second] = [new Set(winners), new Set(runnersUp)];
  const order = rows.length <= BARS ? rows : rows.sort((a, b) => (score[b] as number) - (score[a] as number));
  const shown = order.slice(0, BARS).map((row) => {
    const mark = first.has(row) ? "wins" : second.has(row) ? "next" : "";
    const share = 4 + 96 * (1 - gap(row) / (widest * 1.04));
    return el(
      "div",
      { class: `bar-row ${mark}`, role: "listitem", "data-row": row, "data-score": score[row] as number },
      el("span", { class: "bar-name", title: rowText(recording, row) }, rowAs(recording, row, scope)),
      el("span", { class: "bar-track" }, el("span", { class: "bar", style: `width:${share.toFixed(1)}%` })),
      el("span", { class: "bar-score" }, naming.number(score[row] as number)),
      el("span", { class: "bar-mark" }, mark === "wins" ? "★" : mark === "next" ? "2nd" : ""),
    );
  });
  const rest = order.slice(BARS);
  const more = rest.length > 0 ? [el("p", { class: "dim" }, restText(rest, first, second))] : [];
  return el(
    "div",
    { class: scope === null ? "bars both" : "bars", role: "list", "aria-label": "Scores", "data-testid": "bars" },
    el("p", { class: "dim" }, "The longer a bar, the nearer the score to the best (logarithmic); negative ones, too."),
    ...shown,
    ...more,
  );
}

/** "… and 12 more rows: 2 with the best score, 10 with lower scores": the rows that have no bar. */
function restText(rest: readonly number[], winners: ReadonlySet<number>, runnersUp: ReadonlySet<number>): string {
  const best = rest.filter((row) => winners.has(row)).length;
  const next = rest.filter((row) => runnersUp.has(row)).length;
  const lower = rest.length - best - next;
  const parts = [
    ...(best > 0 ? [`${best} with the best score`] : []),
    ...(next > 0 ? [`${next} with the second`] : []),
    ...(lower > 0 ? [`${lower} with lower scores`] : []),
  ];
  return `… and ${rest.length} more ${rest.length === 1 ? "row" : "rows"}: ${parts.join(", ")}`;
}

/** The columns that a head writes, those that this iteration uses first. */
function ordered(opened: Opened, { head }: HeadRun): { column: number; k: number; idle: boolean }[] {
  const all = head.writes.map((column, k) => ({ column, k, idle: opened.idle(column, "attended") }));
  return opened.usedFirst(all, ({ idle }) => idle);
}

/** What the one row gets through the incidence; and that what follows is what the other gives. */
function received(opened: Opened, run: HeadRun, head: Head, row: number, taker: number): HTMLElement[] {
  const { recording, naming } = opened;
  const { from, to } = sides(head.kind as IncidenceKind);
  const [gives, takes] = [recording.called(from, row), recording.called(to, taker)];
  const gets = ordered(opened, run).map(({ column, k, idle }) => {
    const sources = flowOf(opened, run, k).filter((each) => each.to.some((target) => target.row === taker));
    const names = sources.map((each) => `${recording.called(from, each.from)}: ${naming.number(each.value)}`);
    const total = naming.number((run.adds[k] as Float64Array)[taker] as number);
    const parts = names.length > 0 ? `, from ${listed(names)}` : "";
    return `${opened.column(column, "attended")}: ${total}${parts}${idle ? `, ${opened.unused}` : ""}`;
  });
  return [
    ...(takes === null ? [] : [columnsNode(`${takes} gets `, gets, "head-gets")]),
    el(
      "p",
      { class: "dim", "data-testid": "head-gives" },
      givesText(gives, row, from, takes !== null && taker === row),
    ),
  ];
}

/** Two things stand in one row of X: the text says so where the other has just been told of. */
function givesText(giver: string | null, row: number, from: Thing["scope"], told: boolean): string {
  if (giver === null) return row === 0 ? "Row 0 gives:" : `Row ${row}, in which there is no ${SINGULAR[from]}, gives:`;
  return told ? `${giver}, which has row ${row} as well, gives:` : `${giver} gives:`;
}

/** Each value that it takes from the rows it attends to. */
function carried(opened: Opened, run: HeadRun, head: Head, row: number): HTMLElement[] {
  const { naming } = opened;
  const target = run.looks.row[row] as number;
  const tied = (run.looks.ties[row] as number) > 1;
  const nodes = ordered(opened, run).map(({ column, k }) => {
    const sum = run.head.value[k] as Sum;
    const purposes = purposesOf(head, column);
    const brought = (run.looks.brought[k] as Float64Array)[row] as number;
    const ends = opened.meant(purposes, brought);
    const numbers = naming.numbers(sum, (each) => (run.state[each] as Float64Array)[target] as number);
    const name = purposes.length > 0 ? opened.column(column, "attended") : opened.column(column, "before");
    return formulaNode(
      name,
      naming.formula(sum, (each) => opened.column(each, "before")),
      ...(tied ? [] : [numbers]),
      ...ends.map((text, at) => (tied && at === 0 ? `average ${text}` : text)),
    );
  });
  const rest = nodes.slice(FLOWS);
  return [
    ...nodes.slice(0, FLOWS),
    ...(rest.length > 0 ? [foldedNode("head-carries", moreColumns(rest), ...rest)] : []),
  ];
}

function purposesOf(head: Head, column: number): readonly Purpose[] {
  return head.value.filter((each) => each.column === column).flatMap((each) => each.for);
}

/** The cells that a plain head changes. */
function written(opened: Opened, run: HeadRun): HTMLElement[] {
  const lines = run.head.writes.flatMap((column, k) => {
    const adds = run.adds[k] as Float64Array;
    const rows = [...adds.keys()].filter((row) => adds[row] !== 0);
    if (rows.length === 0) return [];
    return [`${columnName(opened, column)}: ${amount(opened, adds, rows)} on ${cells(opened, rows)}`];
  });
  const nothing = ["nothing: all that it brings is 0"];
  return [columnsNode("Adds to ", lines.length > 0 ? lines : nothing, "head-writes")];
}

/** A sentence about columns; of many, all after the first are folded, and it says how many these are. */
function columnsNode(start: string, lines: readonly string[], testid: string): HTMLElement {
  const [few, rest] = [lines.slice(0, FLOWS), lines.slice(FLOWS)];
  const end = rest.length > 0 ? [";", foldedNode(testid, moreColumns(rest), `${rest.join("; ")}.`)] : ["."];
  return el("div", { class: "writes", "data-testid": testid }, el("b", {}, start), few.join("; "), ...end);
}

function moreColumns({ length }: readonly unknown[]): string {
  return `and ${length} more ${length === 1 ? "column" : "columns"}`;
}

function columnName(opened: Opened, column: number): string {
  const { name } = opened.explainer.model.columns[column] as { name: string };
  return `“${name}”`;
}

function cells({ recording }: Opened, rows: readonly number[]): string {
  if (rows.length === 1) return rowText(recording, rows[0] as number);
  return rows.length === recording.rows ? `all ${rows.length} rows` : `rows ${listed(rows.map(String))}`;
}

function amount({ naming }: Opened, adds: Float64Array, rows: readonly number[]): string {
  const values = rows.map((row) => adds[row] as number);
  const same = values.every((value) => value === values[0]);
  return same ? naming.number(values[0] as number) : `(${listed(values.map((value) => naming.number(value)))})`;
}

// -- hypergraph heads -------------------------------------------------------------------------------------------------

/** From which side the incidence carries, and to which. */
export function sides(kind: IncidenceKind): { from: Thing["scope"]; to: Thing["scope"] } {
  const back = kind === "transposed" || kind === "tails_transposed" || kind === "heads_transposed";
  return back ? { from: "vertices", to: "hyperedges" } : { from: "hyperedges", to: "vertices" };
}

export interface Flow {
  readonly from: number;
  readonly value: number;
  /** The rows that get it, and what of it each one gets. */
  readonly to: readonly { row: number; gets: number }[];
}

/** What flows through the incidence: from each row with something to give, to its neighbours. */
export function flowOf(opened: Opened, run: HeadRun, k: number): Flow[] {
  const kind = run.head.kind as IncidenceKind;
  const { rows, start, columns } = opened.explainer.incidences[kind];
  const { entries } = opened.explainer;
  const brought = run.looks.brought[k] as Float64Array;
  const found = new Map<number, { row: number; gets: number }[]>();
  for (let row = 1; row <= rows; row++) {
    for (let at = start[row] as number; at < (start[row + 1] as number); at++) {
      const from = columns[at] as number;
      const value = brought[from] as number;
      const edge = sides(kind).from === "hyperedges" ? from : row;
      const gets = (entries ? (entries[edge - 1] as number) : 1) * value;
      if (gets === 0) continue;
      const to = found.get(from) ?? [];
      to.push({ row, gets });
      found.set(from, to);
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([from, to]) => ({ from, value: brought[from] as number, to }));
}

function flow(opened: Opened, run: HeadRun, head: Head): HTMLElement[] {
  const { recording, naming } = opened;
  const { from, to } = sides(head.kind as IncidenceKind);
  const name = (scope: Thing["scope"]) => (row: number) => recording.called(scope, row) ?? `row ${row}`;
  const nodes = ordered(opened, run).flatMap(({ column, k, idle }) => {
    const flows = flowOf(opened, run, k);
    const adds = run.adds[k] as Float64Array;
    const sums = [...adds.keys()].filter((row) => adds[row] !== 0);
    const most = few(flows.length, FLOWS);
    const lines = flows
      .slice(0, most)
      .map((each) =>
        el(
          "li",
          { "data-from": each.from },
          `${name(from)(each.from)} gives ${naming.number(each.value)} → `,
          takers(opened, to, each),
        ),
      );
    if (flows.length > most) lines.push(el("li", {}, `… and ${flows.length - most} more`));
    const totals = sums.map((row) => `${name(to)(row)}: ${naming.number(adds[row] as number)}`);
    return [
      el(
        "p",
        { class: "writes" },
        el("b", {}, "Flows as "),
        `${opened.column(column, "attended")}${idle ? `, ${opened.unused}` : ""}:`,
      ),
      el(
        "ul",
        { class: "flow", "data-testid": "flow" },
        ...(lines.length > 0 ? lines : [el("li", {}, "nothing: all values are 0")]),
      ),
      el(
        "p",
        { class: "writes", "data-testid": "head-writes" },
        el("b", {}, "Adds to "),
        `${columnName(opened, column)}: ${totals.length > 0 ? listed(totals) : "nothing"}.`,
      ),
    ];
  });
  return [el("p", { class: "dim" }, afterwards(head)), ...nodes];
}

/** Who gets what flows, with what of it each gets where that is not all of it. */
function takers({ recording, naming }: Opened, scope: Thing["scope"], { value, to }: Flow): string {
  const rows = to.map(({ row }) => row);
  if (to.every(({ gets }) => gets === value)) return recording.calledAll(scope, rows, listed);
  const name = (row: number) => recording.called(scope, row) ?? `row ${row}`;
  return listed(to.map(({ row, gets }) => `${name(row)} (${naming.number(gets)})`));
}

// -- the picture ------------------------------------------------------------------------------------------------------

/** The rows that a head chooses from: those of the array that it searches or reads. */
function searched({ naming }: Opened, head: Head): Scope | null {
  if (head.kind !== "plain") return sides(head.kind as IncidenceKind).from;
  const scopes = new Set(
    naming.here(head.query).map(([section, op]) => {
      const { operands, type } = naming.op([section, op]);
      const array = operands[0];
      return array === undefined ? type.scope : naming.op([section, array]).type.scope;
    }),
  );
  const [first, ...others] = scopes;
  return others.length > 0 || first === undefined || first === "scalar" ? null : first;
}

function arrowsOf(
  opened: Opened,
  run: HeadRun,
  head: Head,
  scores: Scores,
  row: number,
  scope: Scope | null,
  own: boolean,
): Link[] {
  if (head.kind !== "plain") {
    const { from, to } = sides(head.kind as IncidenceKind);
    const { section } = opened.naming;
    return run.head.writes.flatMap((column, k) =>
      // What flows for statements that do not run now is not used.
      (purposesOf(head, column).some((purpose) => purpose[0] === section) ? flowOf(opened, run, k) : []).flatMap(
        (each) =>
          each.to.map(({ row: target }) => ({ from: thingOf(each.from, from), to: thingOf(target, to), margin: null })),
      ),
    );
  }
  if (own || scope === null || scope === "scalar") return [];
  const asking = row > 0 && row <= opened.recording.count("vertices") ? thingOf(row, "vertices") : null;
  return scores.winners
    .filter((each) => each > 0 && each <= opened.recording.count(scope))
    .map((each) => ({ from: asking, to: thingOf(each, scope), margin: scores.margin }));
}
