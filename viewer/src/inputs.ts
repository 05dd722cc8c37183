// The inputs of a run in words: single values, sets of rows, and arrays, from what the trace records of them.

import { numberText } from "./numbers";
import type { Recording, Thing } from "./recording";
import type { Kind } from "./trace";

export interface InputArray {
  readonly name: string;
  readonly kind: Kind;
  readonly scope: Thing["scope"];
  /** One for each vertex or hyperedge. */
  readonly values: readonly number[];
}

export interface InputText {
  readonly name: string;
  readonly text: string;
}

/** The inputs that are arrays: those in columns of X, as the encoder wrote them, and those that no column has. */
export function inputArrays({ trace }: Recording): InputArray[] {
  const { ops } = trace.algorithm;
  const placed = trace.model.columns.flatMap(({ role, scope, of }, column): InputArray[] => {
    if (role !== "input" || scope !== "array") return [];
    // Columns do not say what they are arrays of; the operation that reads one does.
    const op = ops.find(({ name, label }) => name === "input" && label === of);
    if (!op || op.scope === "scalar") return [];
    const { initial } = trace.columns[column] as { initial: number | number[] };
    const values = trace.hypergraph[op.scope].map((_, k) =>
      typeof initial === "number" ? initial : (initial[k + 1] as number),
    );
    return [{ name: of, kind: op.kind, scope: op.scope, values }];
  });
  return [...placed, ...(trace.arrays ?? [])];
}

/** All inputs; an array of more than `few` entries, or set of more than `few` rows, in short. */
export function inputTexts(recording: Recording, few: number): InputText[] {
  const single = recording.trace.inputs.map(({ name, kind, value }) => ({ name, text: recording.text(kind, value) }));
  const arrays = inputArrays(recording).map((each) => ({ name: each.name, text: arrayText(recording, each, few) }));
  return [...single, ...arrays];
}

const SINGULAR = { vertices: "vertex", hyperedges: "hyperedge" } as const;

function arrayText(recording: Recording, { kind, scope, values }: InputArray, few: number): string {
  const label = (k: number) => recording.label(scope, k + 1) ?? `row ${k + 1}`;
  const rows = [...values.keys()];
  if (kind === "flag") {
    const chosen = rows.filter((k) => values[k] !== 0);
    if (chosen.length === 0) return `no ${SINGULAR[scope]}`;
    return chosen.length <= few ? chosen.map(label).join(", ") : `${numberText(chosen.length)} ${scope}`;
  }
  if (rows.length === 0) return `there is no ${SINGULAR[scope]}`;
  if (rows.length > few) return `a ${kind} for each ${SINGULAR[scope]}`;
  return rows.map((k) => `${label(k)} ${recording.text(kind, values[k] as number)}`).join(", ");
}
