/** What the author of a program tells of the loop that runs in an iteration, with the values there. */

import type { Explainer } from "./machine/explain";
import type { Value } from "./machine/interpret";
import { iterationValues } from "./machine/iteration";
import { code } from "./marked";
import { Naming } from "./naming";
import { Spoken } from "./spoken";
import type { Note } from "./trace";

export interface Noted {
  /** "one step of a long division, rank by leaves: …"; names of the program are marked in it. */
  readonly about: string;
  /** What is said of rows, those of which the same is said together. */
  readonly rows: readonly { readonly names: readonly string[]; readonly said: string }[];
}

/** The notes on the iteration that is shown; none where its values are not known. */
export function notesOf(explainer: Explainer): Noted[] {
  const { recording } = explainer;
  const { notes = [] } = recording.trace.algorithm;
  if (notes.length === 0 || recording.sectionOf(recording.frame) !== "body") return [];
  const values = iterationValues(explainer);
  if (values === null) return [];
  const teller = new Teller(explainer, values);
  return notes
    .filter(({ guard }) => guard === undefined || values[guard] !== 0)
    .map((note) => ({ about: teller.about(note), rows: teller.rows(note) }));
}

class Teller {
  readonly #naming: Naming;
  readonly #spoken: Spoken;

  constructor(
    readonly explainer: Explainer,
    readonly values: readonly Value[],
  ) {
    this.#naming = new Naming(explainer.model, explainer.recording);
    this.#spoken = new Spoken(this.#naming, (section, op) => (section === "body" ? (values[op] ?? null) : null));
  }

  about({ about }: Note): string {
    return about.map((part) => (typeof part === "string" ? part : this.#named(part))).join("");
  }

  rows({ each }: Note): Noted["rows"] {
    const array = each.find((part) => typeof part === "number" && this.#scope(part) !== "scalar");
    if (typeof array !== "number") return [];
    const scope = this.#scope(array) as "vertices" | "hyperedges";
    const found = new Map<string, string[]>();
    for (let row = 1; row <= this.explainer.recording.count(scope); row++) {
      const said = each.map((part) => (typeof part === "string" ? part : this.#counted(part, row))).join("");
      found.set(said, [...(found.get(said) ?? []), this.explainer.recording.called(scope, row) ?? `row ${row}`]);
    }
    return [...found].map(([said, names]) => ({ names, said }));
  }

  #scope(op: number): string {
    return this.#naming.op(["body", op]).type.scope;
  }

  /** The value of an operation that has one; of an array, its name. */
  #named(op: number): string {
    const { type } = this.#naming.op(["body", op]);
    if (type.scope === "scalar") return this.#text(op, this.values[op] as number);
    const state = this.#spoken.becomes("body", this.#spoken.resolved("body", op));
    return state === null ? this.#spoken.noun("body", op) : code(this.#naming.stateName(state));
  }

  /** The value on a row; a flag counts as 0 or 1, as in sums. */
  #counted(op: number, row: number): string {
    const values = this.values[op] as Value;
    const value = typeof values === "number" ? values : (values[row - 1] as number);
    return this.#naming.op(["body", op]).type.kind === "flag" ? String(value) : this.#text(op, value);
  }

  #text(op: number, value: number): string {
    const { recording } = this.explainer;
    const number = value === Number.POSITIVE_INFINITY ? recording.trace.model.infinity : value;
    return recording.text(this.#naming.op(["body", op]).type.kind, number);
  }
}
