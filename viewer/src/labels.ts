/** Labels in JSON, one function each way: the twin of src/hyloop/labels.py. */

import { numberText } from "./numbers";

/** A label. Integers beyond 2^53 - 1 are bigints: a number would be another one. */
export type Label = string | number | bigint;

/** A label as JSON has it. */
export type JsonLabel = string | number | { integer: string };

/** Texts that would be read as another label, or not be seen whole: "1", which is not 1, and blanks at an end. */
const MISREAD = /^[\\"]*(0|-?[1-9][0-9]*)[\\"]*$|^"(.*")?$|^\s|\s$/s;

/** A label as it is shown: in quotes, as in Python's tables, where it would be taken for another. */
export function labelText(label: Label): string {
  if (label === "") return "(empty label)";
  return typeof label === "string" && MISREAD.test(label) ? JSON.stringify(label) : String(label);
}

/** A pointer to a row where no such vertex or hyperedge is, by one name wherever it is shown. */
export function nowhereText(row: number): string {
  return `#${numberText(row)}`;
}

/**
 * What hyperedges are called in a picture: e1, e2, … where all are bare numbers and a vertex is one, too, so that none is
 * taken for a vertex; null where labels tell them apart. The twin of `told_apart` in src/hyloop/relabel.py.
 */
export function toldApart(vertices: readonly Label[], hyperedges: readonly Label[]): string[] | null {
  if (!hyperedges.every(isBare) || !vertices.some(isBare)) return null;
  const [named, taken] = [hyperedges.map((label) => `e${label}`), new Set(vertices)];
  return named.some((text) => taken.has(text)) ? null : named;
}

/** Whether a label is nothing but an integer. */
function isBare(label: Label): boolean {
  return typeof label !== "string" || /^(0|-?[1-9][0-9]*)$/.test(label);
}

export function labelInJson(label: Label): JsonLabel {
  return typeof label === "bigint" ? { integer: String(label) } : label;
}

export function labelFromJson(value: JsonLabel): Label {
  return typeof value === "object" ? BigInt(value.integer) : value;
}

/** Whether a value is an integer too long for a number, as `labelInJson` writes it. */
export function isLongInteger(value: unknown): value is { integer: string } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { integer, ...rest } = value as { integer?: unknown };
  if (typeof integer !== "string" || Object.keys(rest).length > 0) return false;
  if (!/^-?[1-9][0-9]{15,999}$/.test(integer)) return false;
  const whole = BigInt(integer);
  return (whole < 0n ? -whole : whole) > BigInt(Number.MAX_SAFE_INTEGER);
}
