// The answer of a run: its outputs in words, and the path to a vertex where the program keeps predecessors.

import { type JsonLabel, labelFromJson } from "./labels";
import { type Outputs, outputsOf, type Plain } from "./machine/decode";
import type { Model } from "./machine/model";
import { numberText } from "./numbers";
import type { Recording } from "./recording";
import { listed } from "./told";

/** A line of the answer: an output, and what it says. */
export interface Answer {
  readonly name: string;
  readonly text: string;
  /** With the first few entries of a list. */
  readonly brief: string;
}

/** A table of outputs, a line for each vertex or hyperedge. */
export interface AnswerTable {
  readonly scope: "vertices" | "hyperedges";
  readonly columns: readonly string[];
  /** Whether the first of them has flags. */
  readonly flags: boolean;
  readonly rows: readonly { label: string; cells: readonly string[] }[];
}

/** The outputs of a run that has ended, as text. */
export class Answers {
  readonly single: readonly Answer[];
  readonly tables: readonly AnswerTable[];

  constructor(model: Model, recording: Recording) {
    const outputs = outputsOf(model, recording.trace);
    const kinds = new Map(
      model.program.outputs.map(({ name, state }) => [
        name,
        model.program.states.find((s) => s.name === state)?.type.kind,
      ]),
    );
    const text = (name: string, value: Plain) =>
      value === null && kinds.get(name) === "length" ? "∞" : plainText(value);
    this.single = [
      ...Object.entries(outputs.scalars).map(([name, value]) => ({
        name,
        text: text(name, value),
        brief: Array.isArray(value) ? listed(value.map(plainText)) : text(name, value),
      })),
      ...Object.entries(outputs.streams).map(([name, { length }]) => {
        const entries = `${length} ${length === 1 ? "entry" : "entries"}`;
        return { name, text: entries, brief: entries };
      }),
    ];
    this.tables = (["vertices", "hyperedges"] as const).flatMap((scope) =>
      tableOf(outputs, scope, text, (name) => kinds.get(name) === "flag"),
    );
  }

  /** In a few words, for the end of the story. */
  get brief(): string {
    if (this.single.length > 0) return this.single.map(({ name, brief }) => `${name}: ${brief}`).join("; ");
    const [table] = this.tables;
    return table ? `${table.columns[0]}: ${listed(firstColumn(table))}` : "";
  }
}

/** "Quay = 0"; of flags, the rows where they hold. */
function firstColumn({ rows, flags }: AnswerTable): string[] {
  const held = rows.filter(({ cells }) => cells[0] === YES).map(({ label }) => label);
  return flags ? held : rows.map(({ label, cells }) => `${label} = ${cells[0]}`);
}

const [YES, NO] = ["yes", "no"];

function tableOf(
  outputs: Outputs,
  scope: "vertices" | "hyperedges",
  text: (name: string, value: Plain) => string,
  isFlag: (name: string) => boolean,
): AnswerTable[] {
  const records = outputs[scope];
  const [first] = records;
  if (!first) return [];
  const [label, ...columns] = Object.keys(first) as [string, ...string[]];
  const rows = records.map((record) => ({
    label: plainText(record[label] as Plain),
    cells: columns.map((name) => text(name, record[name] as Plain)),
  }));
  return [{ scope, columns, flags: isFlag(columns[0] as string), rows }];
}

function plainText(value: Plain): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? YES : NO;
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  const label = labelFromJson(value as JsonLabel);
  return label === "" ? "(empty label)" : String(label);
}

/** One step of a path: from a vertex through a hyperedge, if the program names it, to the next vertex. */
export interface Hop {
  readonly vertex: number;
  /** The hyperedge by which it was reached; 0: none is named. */
  readonly through: number;
}

/** The path to a vertex, from where it begins; null if the program keeps no predecessors, or the vertex has none. */
export function pathTo(recording: Recording, vertex: number): Hop[] | null {
  const { predecessor, through, value } = recording.trace.shows;
  if (predecessor === null || !hasValue(recording, value, vertex)) return null;
  const hops: Hop[] = [];
  const seen = new Set<number>();
  for (let at = vertex; at > 0 && !seen.has(at); at = recording.value(predecessor, at) ?? 0) {
    seen.add(at);
    hops.unshift({ vertex: at, through: (through === null ? null : recording.value(through, at)) ?? 0 });
  }
  return hops;
}

function hasValue(recording: Recording, value: string | null, vertex: number): boolean {
  if (value === null) return true;
  const found = recording.value(value, vertex);
  return found !== null && !(recording.kindOf(value)?.kind === "length" && found === recording.trace.model.infinity);
}

/** "Quay –ferry→ Cove" */
export function pathText(recording: Recording, hops: readonly Hop[]): string {
  return hops
    .map(({ vertex, through }, k) => {
      const name = recording.label("vertices", vertex) ?? `row ${vertex}`;
      const by = through > 0 ? recording.label("hyperedges", through) : null;
      return k === 0 ? name : by === null ? `→ ${name}` : `–${by}→ ${name}`;
    })
    .join(" ");
}
