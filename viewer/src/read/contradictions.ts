/** Records of one thing in a HIF file that contradict each other, told as src/hyloop/io/hif.py tells them. */

import { type Json, Written } from "./exact_json";
import { partsOf, shownJson } from "./shown";

type Fields = ReadonlyMap<string, Json>;

const SHOWN = 3;
/** Characters of the name of an attribute. */
const NAME = 60;

/** The first few of the things that a sentence names, and their number. */
class Some {
  readonly first: string[] = [];
  count = 0;

  add(text: () => string): void {
    if (++this.count <= SHOWN) this.first.push(text());
  }
}

export class Contradictions {
  readonly #replaced = new Some();
  readonly #found = new Some();
  readonly #known = new Map<string, Map<string, Json>>();

  /** The `attrs.weight` at a place gives way to the weight of an edge record. */
  replaced(edge: number): void {
    this.#replaced.add(() => `$.edges[${edge}].attrs.weight`);
  }

  /** Compare a number with that of an earlier record; `about` says where it stands, and what it is about. */
  number(before: Json, now: Json, about: () => string): void {
    if (comparable(before) !== comparable(now))
      this.#found.add(() => `${about()} is ${shownJson(now)}, before ${shownJson(before)}`);
  }

  /** Compare what a record says of a thing with what earlier ones said of it, and remember it. */
  said(thing: () => string, fields: Fields, about: (name: string) => string): void {
    if (fields.size === 0) return;
    const key = thing();
    const known = this.#known.get(key) ?? new Map<string, Json>();
    this.#known.set(key, known);
    for (const [name, value] of fields) {
      const before = known.get(name);
      if (before !== undefined) this.number(before, value, () => about(name));
      known.set(name, value);
    }
  }

  sentences(): string[] {
    const [replaced, found] = [this.#replaced, this.#found];
    const and = (count: number) => `and ${count.toLocaleString("en")} more`;
    const others = replaced.count > 1 ? `, and so were ${(replaced.count - 1).toLocaleString("en")} more` : "";
    const more = found.count > SHOWN ? `; ${and(found.count - SHOWN)}` : "";
    return [
      ...(replaced.count > 0
        ? [`${replaced.first[0]} contradicts the weight of its edge record and was replaced by it${others}.`]
        : []),
      ...(found.count > 0
        ? [`Records contradict earlier ones of the same name, and the later count: ${found.first.join("; ")}${more}.`]
        : []),
    ];
  }
}

/** The step of a JSON path to a field. */
export function step(name: string): string {
  const letters = [...name];
  const short = letters.length <= NAME ? name : `${letters.slice(0, NAME - 3).join("")}...`;
  if (/^[A-Za-z_][\p{L}\p{N}_-]*$/u.test(short)) return `.${short}`;
  const ascii = JSON.stringify(short).replace(
    /[^ -~]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `[${ascii}]`;
}

/** A text that is equal for equal values: 1 and 1.0 are; so are, within lists and objects, 1 and true, as in Python. */
export function comparable(value: Json): string {
  return typeof value === "boolean" ? String(value) : within(value);
}

function within(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "1e0" : "0";
  if (value instanceof Written) return numeral(value);
  if (Array.isArray(value)) return `[${value.map(within).join(",")}]`;
  return `{${[...value]
    .map(([name, each]) => `${JSON.stringify(name)}:${within(each)}`)
    .sort()
    .join(",")}}`;
}

/** The digits of a number without zeros at the ends, and the power of ten. */
function numeral(number: Written): string {
  const { sign, digits, exponent } = partsOf(number);
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? "0" : `${sign}${kept}e${exponent + digits.length - kept.length}`;
}
