/** Reads HIF, the Hypergraph Interchange Format: the twin of src/hyloop/io/hif.py. Attributes are checked, not kept. */

import type { Label } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import type { Fraction } from "../numbers";
import { type Json, JsonReader, Written } from "./exact_json";
import { at, decimal, FormatRefusal, integerLabel, positive, short, textLabel } from "./fields";
import { type Direction, Gathering } from "./gathering";

type Fields = Map<string, Json>;
type Check = (value: Json, where: string) => void;

/** How deep an attribute may be nested, as hyloop.hypergraph has it. */
const NESTING = 100;

const label: Check = (value, where) => {
  if (typeof value !== "string" && !(value instanceof Written && value.isInteger))
    throw new FormatRefusal(where, "expected a string or an integer.");
};
const number: Check = (value, where) => {
  if (!(value instanceof Written)) throw new FormatRefusal(where, "expected a number.");
};
const object: Check = (value, where) => {
  if (!(value instanceof Map)) throw new FormatRefusal(where, "expected an object {...}.");
  if (depthOf(value) > NESTING + 1) throw new FormatRefusal(where, "it is nested too deeply.");
};
const among =
  (...known: string[]): Check =>
  (value, where) => {
    if (typeof value !== "string" || !known.includes(value))
      throw new FormatRefusal(where, `expected ${known.map((each) => `"${each}"`).join(" or ")}.`);
  };

const RECORDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  nodes: { node: label, weight: number, attrs: object },
  edges: { edge: label, weight: number, attrs: object },
  incidences: { edge: label, node: label, weight: number, direction: among("head", "tail"), attrs: object },
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  nodes: ["node"],
  edges: ["edge"],
  incidences: ["edge", "node"],
};
const OTHERS: Readonly<Record<string, Check>> = {
  "network-type": among("undirected", "directed", "asc"),
  metadata: object,
};

export function readHif(text: string): Hypergraph {
  const reader = new JsonReader(text);
  const reading = new Reading();
  if (reader.peek() !== "{") throw new FormatRefusal("$", "a HIF file is a JSON object and begins with {.");
  const seen = new Set<string>();
  let directed = false;
  reader.expect("{");
  for (let more = reader.peek() !== "}"; more; more = reader.expect(",}") === ",") {
    reader.peek();
    const name = reader.string();
    if (!Object.hasOwn(RECORDS, name) && !Object.hasOwn(OTHERS, name))
      throw new FormatRefusal("$", `HIF has no field ${short(name)} here.`);
    if (seen.has(name)) throw new FormatRefusal("$", `the field ${name} occurs twice.`);
    seen.add(name);
    reader.expect(":");
    if (Object.hasOwn(RECORDS, name)) reading.take(name, reader);
    else {
      const value = reader.value(1);
      (OTHERS[name] as Check)(value, `$.${name}`);
      directed ||= name === "network-type" && value === "directed";
    }
  }
  if (seen.size === 0) reader.expect("}");
  if (reader.peek() !== "") reader.fail("nothing may follow the document's closing }");
  if (!seen.has("incidences")) throw new FormatRefusal("$", "the field incidences must be there.");
  return reading.gathered.hypergraph(directed);
}

class Reading {
  readonly gathered = new Gathering();
  /** Hyperedges whose weight stands in the attributes of a record, not in its own field. */
  readonly #fromAttributes = new Set<number>();

  take(part: string, reader: JsonReader): void {
    if (reader.peek() !== "[") throw new FormatRefusal(`$.${part}`, "expected an array [...].");
    reader.expect("[");
    if (reader.peek() === "]") {
      reader.expect("]");
      return;
    }
    let place = 0;
    do {
      const where = `$.${part}[${place++}]`;
      const record = checked(part, reader.value(2), where);
      at(where, () => this.#use(part, record));
    } while (reader.expect(",]") === ",");
  }

  #use(part: string, record: Fields): void {
    const weight = record.get("weight");
    if (part === "nodes") {
      this.gathered.vertices.list(labelOf(record.get("node")));
      if (weight instanceof Written) decimal(weight.text);
    } else if (part === "edges") this.#edge(record, labelOf(record.get("edge")));
    else {
      if (weight instanceof Written) decimal(weight.text);
      const direction = (record.get("direction") ?? null) as Direction;
      const hyperedge = this.gathered.hyperedges.number(labelOf(record.get("edge")));
      this.gathered.incidence(hyperedge, labelOf(record.get("node")), direction);
    }
  }

  /** A weight of its own counts more than an attribute of any record of the same name, else the later one. */
  #edge(record: Fields, name: Label): void {
    const number = this.gathered.hyperedges.list(name);
    const own = record.get("weight");
    const attribute = (record.get("attrs") as Fields | undefined)?.get("weight");
    const stated = own ?? attribute;
    if (!(stated instanceof Written)) return;
    const weight: Fraction = positive(decimal(stated.text), name);
    const known = this.gathered.weights.has(number);
    if (own === undefined && known && !this.#fromAttributes.has(number)) return;
    if (own === undefined) this.#fromAttributes.add(number);
    else this.#fromAttributes.delete(number);
    this.gathered.weights.set(number, weight);
  }
}

function checked(part: string, value: Json, where: string): Fields {
  if (!(value instanceof Map)) throw new FormatRefusal(where, "expected an object {...}.");
  const rules = RECORDS[part] as Readonly<Record<string, Check>>;
  for (const name of REQUIRED[part] as readonly string[])
    if (!value.has(name)) throw new FormatRefusal(where, `the field ${name} must be there.`);
  for (const [name, each] of value) {
    if (!Object.hasOwn(rules, name)) throw new FormatRefusal(where, `HIF has no field ${short(name)} here.`);
    (rules[name] as Check)(each, `${where}.${name}`);
  }
  return value;
}

function labelOf(value: Json | undefined): Label {
  return value instanceof Written ? integerLabel(value.text === "-0" ? "0" : value.text) : textLabel(value as string);
}

/** How many levels a value has, itself and what stands in it counted. */
function depthOf(value: Json): number {
  if (!(value instanceof Map) && !Array.isArray(value)) return 1;
  let deepest = 0;
  for (const each of value.values()) deepest = Math.max(deepest, depthOf(each));
  return 1 + deepest;
}
