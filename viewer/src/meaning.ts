// A number in X, decoded.

import type { Naming } from "./naming";
import { numberText } from "./numbers";
import type { Named, Recording } from "./recording";
import type { Kind, Purpose, Scope } from "./trace";

/**
 * "distance of Cove: 7 units of 0.5 = 3.5"; "" if the cell holds no named value now. With the model's naming, also of a
 * temporary column that holds something without a name: "count of touching(fresh) of steamer: 1".
 */
export function meaning(recording: Recording, row: number, column: number, naming: Naming | null = null): string {
  const value = recording.log.now[column * recording.rows + row] ?? 0;
  const { role, of } = recording.trace.model.columns[column] ?? { role: "", of: "" };
  const input = role === "input" ? recording.trace.inputs.find((each) => each.name === of) : undefined;
  if (input) return `input ${input.name}: ${valueText(recording, input.kind, value)}`;
  const named = standingIn(recording, column) ?? (role === "weight" ? WEIGHT : null);
  // What has no name in the program is called what the model's naming calls it, here as in formulas.
  const held = naming && role === "temporary" && !named?.named ? heldText(naming, row, column, value) : "";
  if (!named || held !== "") return held;
  if (named.scope === "scalar") return `${recording.shown(named.name)}: ${valueText(recording, named.kind, value)}`;
  const whose = recording.called(named.scope, row);
  return whose === null ? "" : `${named.name} of ${whose}: ${valueText(recording, named.kind, value)}`;
}

function heldText(naming: Naming, row: number, column: number, value: number): string {
  const { recording } = naming;
  const content = naming.content(column, recording.layer, "after");
  if (content === null) return "";
  const [kind, scope] = partType(naming, content.purpose);
  const name = content.text;
  const text = valueText(recording, kind, value);
  if (scope === "scalar") return `${name}: ${text}`;
  const whose = recording.called(scope, row);
  return whose === null ? "" : `${name} of ${whose}: ${text}`;
}

/** Kind and scope of a part of an operation: its value, or what is computed on the way to it. */
export function partType(naming: Naming, purpose: Purpose): [Kind, Scope] {
  const [section, , part] = purpose;
  const { type, operands } = naming.op(purpose);
  const [first] = operands.map((operand) => naming.op([section, operand]).type);
  switch (part) {
    case "value":
    case "assignment":
      return [type.kind, type.scope];
    case "count":
      return ["count", type.scope];
    case "one-hot":
      return ["flag", first?.kind === "vertex" ? "vertices" : "hyperedges"];
    case "lacking":
    case "candidates":
      return ["flag", first?.scope ?? type.scope];
    default:
      return ["flag", type.scope];
  }
}

/** Whether a column is about vertices, about hyperedges, or has one number for all rows; null: about rows as such. */
export function scopeOf(recording: Recording, column: number): Scope | null {
  const { role, of, scope: kind } = recording.trace.model.columns[column] ?? { role: "spare", of: "", scope: "" };
  if (role === "class") return of === "vertices" || of === "hyperedges" ? of : null;
  if (role === "weight") return "hyperedges";
  if (role === "size" || role === "started") return "scalar";
  if (role === "input") return kind === "array" ? arrayScope(recording, of) : "scalar";
  return standingIn(recording, column)?.scope ?? null;
}

/** Columns do not say what they are arrays of; the operation that reads one does. */
function arrayScope({ trace }: Recording, input: string): Scope | null {
  return trace.algorithm.ops.find(({ name, label }) => name === "input" && label === input)?.scope ?? null;
}

type Meant = Pick<Named, "name" | "kind" | "scope"> & { readonly named: boolean };

const WEIGHT: Meant = { name: "weight", kind: "length", scope: "hyperedges", named: true };

function standingIn(recording: Recording, column: number): Meant | null {
  for (const named of recording.variables.values()) {
    if (named.column === column && recording.standing(named.name) === named)
      return { ...named, named: named.variable?.named ?? true };
  }
  return null;
}

export function unitsOf(value: number): string {
  return value === 1 ? "unit" : "units";
}

function valueText(recording: Recording, kind: Kind, value: number): string {
  const text = recording.text(kind, value);
  const { unit, model } = recording.trace;
  if (kind === "length") {
    if (value === model.infinity) return "∞";
    return unit === "1" ? text : `${numberText(value)} ${unitsOf(value)} of ${unit} = ${text}`;
  }
  if (kind === "vertex" || kind === "hyperedge") return value === 0 ? "none (0)" : `${text} (row ${value})`;
  return text;
}
