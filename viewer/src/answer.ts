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
}

/** A table of outputs, a line for each vertex or hyperedge. */
export interface AnswerTable {
  readonly scope: "vertices" | "hyperedges";
  readonly columns: readonly string[];
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
      ...Object.entries(outputs.scalars).map(([name, value]) => ({ name, text: text(name, value) })),
      ...Object.entries(outputs.streams).map(([name, records]) => ({ name, text: streamText(records) })),
    ];
    this.tables = (["vertices", "hyperedges"] as const).flatMap((scope) => tableOf(outputs, scope, text));
  }

  /** In a few words, for the end of the story. */
  get brief(): string {
    const single = this.single.map(({ name, text }) => `${name}: ${text}`);
    const [table] = this.tables;
    const first = table?.columns[0];
    const rows = first === undefined ? [] : (table?.rows ?? []).map(({ label, cells }) => `${label} ${cells[0]}`);
    return [...single, ...(rows.length > 0 && single.length === 0 ? [`${first}: ${listed(rows)}`] : [])].join("; ");
  }
}

function tableOf(
  outputs: Outputs,
  scope: "vertices" | "hyperedges",
  text: (name: string, value: Plain) => string,
): AnswerTable[] {
  const records = outputs[scope];
  const [first] = records;
  if (!first) return [];
  const [label, ...columns] = Object.keys(first) as [string, ...string[]];
  const rows = records.map((record) => ({
    label: plainText(record[label] as Plain),
    cells: columns.map((name) => text(name, record[name] as Plain)),
  }));
  return [{ scope, columns, rows }];
}

function plainText(value: Plain): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value)) return listed(value.map(plainText));
  const label = labelFromJson(value as JsonLabel);
  return label === "" ? "(empty label)" : String(label);
}

function streamText(records: readonly Record<string, Plain>[]): string {
  return `${records.length} ${records.length === 1 ? "entry" : "entries"}`;
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
