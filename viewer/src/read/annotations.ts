/** What a HIF file says besides the hypergraph: metadata, weights and attributes, as JSON text that can be written again. */

import type { Label } from "../labels";
import { type Json, JsonReader, Written } from "./exact_json";
import { integerLabel, integerOf, keyOf, textLabel } from "./fields";

/** The fields of a record that are kept, each as JSON text. */
export type Kept = ReadonlyMap<string, string>;

export interface Annotations {
  readonly networkType: string | null;
  readonly metadata: string | null;
  node(label: Label): Kept;
  /** The attributes of a hyperedge, but for one that is its weight. */
  edge(label: Label): Kept;
  /** Of a vertex in a hyperedge: that of the direction, or else the first there is. */
  incidence(edge: Label, node: Label, direction: string | null): Kept;
}

const NOTHING: Kept = new Map();

/** The annotations of a file that `readHif` has read. */
export function annotationsIn(text: string): Annotations {
  const document = new JsonReader(text).value() as Map<string, Json>;
  const records = (part: string) => (document.get(part) ?? []) as Map<string, Json>[];
  const nodes = new Map<string, Map<string, string>>();
  for (const each of records("nodes")) merge(nodes, key(each.get("node")), each, ["weight"]);
  const edges = new Map<string, Map<string, string>>();
  for (const each of records("edges")) merge(edges, key(each.get("edge")), each, []);
  for (const kept of edges.values()) if (isNumber(kept.get("weight"))) kept.delete("weight");
  const incidences = new Map<string, Map<string, Map<string, string>>>();
  for (const each of records("incidences")) {
    const pair = pairKey(key(each.get("edge")), key(each.get("node")));
    const own = incidences.get(pair) ?? new Map<string, Map<string, string>>();
    merge(own, String(each.get("direction") ?? ""), each, ["weight"]);
    incidences.set(pair, own);
  }
  const plain = (name: string) => (document.has(name) ? jsonText(document.get(name) as Json) : null);
  return {
    networkType: plain("network-type"),
    metadata: plain("metadata"),
    node: (label) => nodes.get(keyOf(label)) ?? NOTHING,
    edge: (label) => edges.get(keyOf(label)) ?? NOTHING,
    incidence: (edge, node, direction) => {
      const own = incidences.get(pairKey(keyOf(edge), keyOf(node)));
      return own?.get(direction ?? "") ?? own?.values().next().value ?? NOTHING;
    },
  };
}

function isNumber(json: string | undefined): boolean {
  return json !== undefined && /^[-\d]/.test(json);
}

/** Several records of one thing are one; attributes are kept one by one, other fields under a name of their own. */
function merge(into: Map<string, Map<string, string>>, name: string, record: Map<string, Json>, own: string[]): void {
  const found = into.get(name) ?? new Map<string, string>();
  for (const [field, value] of fields(record, own)) found.set(OWN + field, value);
  for (const [field, value] of (record.get("attrs") ?? new Map()) as Map<string, Json>)
    found.set(field, jsonText(value));
  into.set(name, found);
}

/** A prefix that tells a field of the record from an attribute of the same name. */
export const OWN = "\0";

function fields(record: Map<string, Json>, names: readonly string[]): Map<string, string> {
  return new Map(names.flatMap((name) => (record.has(name) ? [[name, jsonText(record.get(name) as Json)]] : [])));
}

function key(label: Json | undefined): string {
  return keyOf(label instanceof Written ? integerLabel(integerOf(label.text)) : textLabel(label as string));
}

function pairKey(edge: string, node: string): string {
  return JSON.stringify([edge, node]);
}

function jsonText(value: Json): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, each]) => `${JSON.stringify(name)}: ${jsonText(each)}`).join(", ")}}`;
}
