// A number in X, decoded.

import { counted } from "./numbers";
import type { Named, Recording } from "./recording";
import type { Kind, Scope } from "./trace";

/** "distance of Cove: 7 units of 0.5 = 3.5"; "" if the cell holds no named value now. */
export function meaning(recording: Recording, row: number, column: number): string {
  const value = recording.log.now[column * recording.rows + row] ?? 0;
  const { role, of } = recording.trace.model.columns[column] ?? { role: "", of: "" };
  const input = role === "input" ? recording.trace.inputs.find((each) => each.name === of) : undefined;
  if (input) return `input ${input.name}: ${valueText(recording, input.kind, value)}`;
  const named = standingIn(recording, column) ?? (role === "weight" ? WEIGHT : null);
  if (!named) return "";
  if (named.scope === "scalar") return `${recording.shown(named.name)}: ${valueText(recording, named.kind, value)}`;
  const whose = recording.label(named.scope, row);
  return whose === null ? "" : `${named.name} of ${whose}: ${valueText(recording, named.kind, value)}`;
}

/** Whether a column is about vertices, about hyperedges, or has one number for all rows; null: about rows as such. */
export function scopeOf(recording: Recording, column: number): Scope | null {
  const { role, of } = recording.trace.model.columns[column] ?? { role: "spare", of: "" };
  if (role === "class") return of === "vertices" || of === "hyperedges" ? of : null;
  if (role === "weight") return "hyperedges";
  if (role === "size" || role === "started") return "scalar";
  return standingIn(recording, column)?.scope ?? null;
}

type Meant = Pick<Named, "name" | "kind" | "scope">;

const WEIGHT: Meant = { name: "weight", kind: "length", scope: "hyperedges" };

function standingIn(recording: Recording, column: number): Meant | null {
  for (const named of recording.variables.values()) {
    if (named.column === column && recording.standing(named.name) === named) return named;
  }
  return null;
}

function valueText(recording: Recording, kind: Kind, value: number): string {
  const text = recording.text(kind, value);
  const { unit, model } = recording.trace;
  if (kind === "length") {
    if (value === model.infinity) return "∞";
    return unit === "1" ? text : `${counted(value)} ${value === 1 ? "unit" : "units"} of ${unit} = ${text}`;
  }
  if (kind === "vertex" || kind === "hyperedge") return value === 0 ? "nothing (0)" : `row ${value}, ${text}`;
  return text;
}
