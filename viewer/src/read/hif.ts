/**
 * Reads HIF, the Hypergraph Interchange Format: the twin of src/hyloop/io/hif.py. Attributes are checked, not kept; where
 * records contradict each other, the reader warns.
 */

import type { Label } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import type { Fraction } from "../numbers";
import { Contradictions, comparable, step } from "./contradictions";
import { type Json, JsonReader, Written } from "./exact_json";
import {
  at,
  decimal,
  FormatRefusal,
  integerLabel,
  integerOf,
  keyOf,
  positive,
  short,
  textLabel,
  type Warn,
} from "./fields";
import { type Direction, Gathering } from "./gathering";
import { shownLabel } from "./shown";

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

export function readHif(text: string, warn: Warn = () => {}): Hypergraph {
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
  for (const each of reading.contradictions.sentences()) warn(each);
  return reading.gathered.hypergraph(directed);
}

/** A record and its position. */
class Place {
  constructor(
    readonly part: string,
    readonly place: number,
    readonly record: Fields,
  ) {}

  /** What it is about; incidences also by their direction. */
  get thing(): string {
    const labels = ["node", "edge"].map((name) => this.record.has(name) && keyOf(labelOf(this.record.get(name))));
    return JSON.stringify([...labels, this.record.get("direction") ?? null]);
  }

  /** A field of the record, for sentences: its path, and what the record is about. */
  told(field: string): string {
    const kinds = [["node", "vertex"] as const, ["edge", "hyperedge"] as const];
    const about = kinds.flatMap(([name, kind]) =>
      this.record.has(name) ? [`${kind} ${shownLabel(labelOf(this.record.get(name)))}`] : [],
    );
    return `$.${this.part}[${this.place}]${field} of ${about.join(" in ")}`;
  }
}

const NOTHING: Fields = new Map();

class Reading {
  readonly gathered = new Gathering();
  readonly contradictions = new Contradictions();
  /** The weights of hyperedges as they are written, in the `weight` of a record or among its attributes. */
  readonly #stated = new Map<number, { text: Written; own: boolean; place: number }>();

  take(part: string, reader: JsonReader): void {
    if (reader.peek() !== "[") throw new FormatRefusal(`$.${part}`, "expected an array [...].");
    reader.expect("[");
    if (reader.peek() === "]") {
      reader.expect("]");
      return;
    }
    let place = 0;
    do {
      const where = `$.${part}[${place}]`;
      const record = checked(part, reader.value(2), where);
      at(where, () => this.#use(part, record, place));
      place++;
    } while (reader.expect(",]") === ",");
  }

  #use(part: string, record: Fields, place: number): void {
    const weight = record.get("weight");
    const attributes = (record.get("attrs") ?? NOTHING) as Fields;
    const where = new Place(part, place, record);
    if (part === "edges") {
      this.#edge(record, attributes, where);
      return;
    }
    if (weight instanceof Written) {
      decimal(weight.text);
      this.contradictions.said(
        () => `weight ${where.thing}`,
        new Map([["weight", weight]]),
        () => where.told(".weight"),
      );
    }
    if (part === "nodes") this.gathered.vertices.list(labelOf(record.get("node")));
    else {
      const direction = (record.get("direction") ?? null) as Direction;
      const hyperedge = this.gathered.hyperedges.number(labelOf(record.get("edge")));
      this.gathered.incidence(hyperedge, labelOf(record.get("node")), direction);
    }
    this.contradictions.said(
      () => where.thing,
      attributes,
      (name) => where.told(`.attrs${step(name)}`),
    );
  }

  /** A number that is an attribute `weight` is the weight, if the record has no other; anything else is an attribute. */
  #edge(record: Fields, attributes: Fields, where: Place): void {
    const name = labelOf(record.get("edge"));
    const number = this.gathered.hyperedges.list(name);
    const [own, attribute] = [record.get("weight"), attributes.get("weight")];
    const stated = own ?? attribute;
    if (own !== undefined && attribute instanceof Written && comparable(own) !== comparable(attribute))
      this.contradictions.replaced(where.place);
    if (stated instanceof Written) this.#weigh(number, stated, positive(decimal(stated.text), name), where);
    const others = new Map([...attributes].filter(([each, value]) => each !== "weight" || !(value instanceof Written)));
    this.contradictions.said(
      () => where.thing,
      others,
      (each) => where.told(`.attrs${step(each)}`),
    );
  }

  /** A weight of its own counts more than an attribute of any record of the same name, else the later one. */
  #weigh(number: number, stated: Written, weight: Fraction, where: Place): void {
    const [before, own] = [this.#stated.get(number), where.record.has("weight")];
    if (before?.own === own)
      this.contradictions.number(before.text, stated, () => where.told(own ? ".weight" : ".attrs.weight"));
    else if (before && comparable(before.text) !== comparable(stated))
      this.contradictions.replaced(own ? before.place : where.place);
    if (before?.own && !own) return;
    this.#stated.set(number, { text: stated, own, place: where.place });
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
  return value instanceof Written ? integerLabel(integerOf(value.text)) : textLabel(value as string);
}

/** How many levels a value has, itself and what stands in it counted. */
function depthOf(value: Json): number {
  if (!(value instanceof Map) && !Array.isArray(value)) return 1;
  let deepest = 0;
  for (const each of value.values()) deepest = Math.max(deepest, depthOf(each));
  return 1 + deepest;
}
