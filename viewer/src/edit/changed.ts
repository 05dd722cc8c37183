/** What an edit changed in the answer, in words: "Wreck: distance ∞ → 7". */

import { Answers, type AnswerTable } from "../answer";
import { isolated } from "../isolate";
import { type Label, labelText } from "../labels";
import type { Model } from "../machine/model";
import type { Recording, Thing } from "../recording";
import type { Kind, Trace } from "../trace";
import { NO_RENAMES, type Renames } from "./model";

/**
 * What was renamed, which inputs are others, and the outputs of two runs of one model that differ, a line for each
 * vertex, hyperedge or single value, by its new name.
 */
export function changesBetween(
  model: Model,
  before: Recording,
  after: Recording,
  renames: Renames = NO_RENAMES,
): string[] {
  const was = relabelled(before.trace, renames);
  const answers = hasAnswer(before) && hasAnswer(after) ? differing(model, was, after.trace) : [];
  return [...renamed(renames), ...given(was, before, after), ...answers];
}

/** The vertex or hyperedge in another run that has the same label, or the one it was renamed to; null: there is none. */
export function sameThing(thing: Thing | null, before: Trace, after: Trace, renames: Renames): Thing | null {
  if (thing === null) return null;
  const { scope, row } = thing;
  const label = relabelled(before, renames).hypergraph[scope][row - 1];
  const found = label === undefined ? -1 : after.hypergraph[scope].indexOf(label);
  return found < 0 ? null : { scope, row: found + 1 };
}

/** Whether a recording has the end of its run: what stands there is the answer. */
export function hasAnswer({ trace }: Recording): boolean {
  return trace.recorded.halted;
}

/** Inputs that are others, also where an edit took away what they named: "source: Quay → Mole". */
function given(relabelled: Trace, before: Recording, after: Recording): string[] {
  const was = textsOf(relabelled, before);
  return [...textsOf(after.trace, after)].flatMap(([name, now]) => {
    const then = was.get(name);
    return then === undefined || then === now ? [] : [`${name}: ${then} → ${now}`];
  });
}

function renamed({ vertices, hyperedges }: Renames): string[] {
  return [...vertices, ...hyperedges].map(([old, label]) => `${shown(old)}: renamed, now ${shown(label)}`);
}

function shown(label: Label): string {
  return isolated(labelText(label));
}

function textsOf({ inputs, hypergraph: h }: Trace, run: Recording): Map<string, string> {
  const labelsOf = (kind: Kind) => (kind === "vertex" ? h.vertices : kind === "hyperedge" ? h.hyperedges : []);
  const text = (kind: Kind, value: number) => labelsOf(kind)[value - 1] ?? run.text(kind, value);
  return new Map(inputs.map(({ name, kind, value }) => [name, shown(text(kind, value))]));
}

/** The same run in the names of a later one. */
function relabelled(trace: Trace, { vertices, hyperedges }: Renames): Trace {
  const { hypergraph } = trace;
  return {
    ...trace,
    hypergraph: {
      ...hypergraph,
      vertices: hypergraph.vertices.map((label) => vertices.get(label) ?? label),
      hyperedges: hypergraph.hyperedges.map((label) => hyperedges.get(label) ?? label),
    },
  };
}

function differing(model: Model, before: Trace, after: Trace): string[] {
  const [was, is] = [rowsOf(model, before), rowsOf(model, after)];
  const lines = [...is].flatMap(([key, now]) => {
    const then = was.get(key);
    const told = then ? changesOf(then.values, now) : `new, ${[...now.values].map(named).join(", ")}`;
    const [main] = now.values.keys();
    return told === "" ? [] : [{ told: `${now.title}: ${told}`, main: isOther(then, now, main as string) }];
  });
  const gone = [...was].flatMap(([key, { title, values }]) => (is.has(key) ? [] : [`${title}: gone, ${left(values)}`]));
  // Those whose main value changed come before the others.
  return [...gone, ...[...lines.filter(({ main }) => main), ...lines.filter(({ main }) => !main)].map((l) => l.told)];
}

/** What left the answer: "distance was 0.1" */
function left(values: ReadonlyMap<string, string>): string {
  const [main] = values;
  return main ? named([main[0], `was ${main[1]}`]) : "";
}

interface Row {
  readonly title: string;
  /** By name, what the algorithm is for first; a single value has its name in the title. */
  readonly values: ReadonlyMap<string, string>;
  /** Outputs of which another one is made, such as the divisor of a quotient. */
  readonly parts: ReadonlySet<string>;
}

const NONE = "–"; // as in the tables

function isOther(was: Row | undefined, is: Row, name: string): boolean {
  return was?.values.get(name) !== is.values.get(name);
}

/** Of a quotient that changed, its parts are not told; of one that did not, they are told after it. */
function changesOf(was: ReadonlyMap<string, string>, { values, parts }: Row): string {
  const changed = [...values].filter(([name, value]) => was.has(name) && was.get(name) !== value);
  const whole = changed.filter(([name]) => !parts.has(name));
  const [main] = values;
  const stays = whole.length === 0 && changed.length > 0 && main !== undefined;
  const told = (whole.length > 0 ? whole : changed).map(([name, value]) =>
    named([name, `${was.get(name)} → ${value}`]),
  );
  return [...(stays ? [named([`${main[0]} stays`, main[1]])] : []), ...told].join(", ");
}

function named([name, text]: readonly [string, string]): string {
  return name === "" ? text : `${name} ${text}`;
}

/** The outputs at the end of a run, by what they are of. */
function rowsOf(model: Model, trace: Trace): Map<string, Row> {
  const { single, tables, parts } = new Answers(model, { trace }, NONE);
  const found = new Map<string, Row>();
  for (const { name, text } of single)
    found.set(`single ${name}`, { title: name, values: new Map([["", text]]), parts });
  for (const table of tables)
    for (const [k, { label, cells }] of table.rows.entries()) {
      const values = new Map(table.columns.map((name, column) => [name, cells[column] as string]));
      found.set(keyOf(trace, table, k), { title: label, values, parts });
    }
  return found;
}

/** A label is itself: the vertex 1 is not the vertex "1". */
function keyOf(trace: Trace, { scope, columns, rows, stream }: AnswerTable, row: number): string {
  if (stream) return `stream ${columns[0]} ${rows[row]?.label}`;
  const label = trace.hypergraph[scope][row];
  return `${scope} ${typeof label} ${String(label)}`;
}
