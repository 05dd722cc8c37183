/** The hypergraph and the inputs of a recorded run, so that it can be run again. */

import { type Fraction, fractionOf, parseFraction, times } from "../numbers";
import type { Kind, Trace } from "../trace";
import type { Hypergraph } from "./hypergraph";
import { columnOfArray, type Model } from "./model";
import type { Entry, Given } from "./prepare";
import { record } from "./record";
import { Refusal } from "./refusal";

/** The same run once more, in this page: equal to the recorded one in every number. */
export function again(model: Model, trace: Trace): Trace {
  const { positions, name } = trace.hypergraph;
  return record(model, trace, hypergraphOf(trace), givenOf(model, trace), { positions, name, whole: true });
}

export function hypergraphOf({ hypergraph: h }: Trace): Hypergraph {
  const { vertices, hyperedges, members, tails = null, heads = null } = h;
  return { vertices, hyperedges, weights: h.weights.map(exact), members, tails, heads };
}

/** The inputs of a run: single values as the trace has them, arrays from the columns of its first state or beside them. */
export function givenOf(model: Model, trace: Trace): Given {
  const unit = exact(trace.unit);
  const single = trace.inputs.map(({ name, kind, value }) => [name, entryOf(kind, value, unit)] as const);
  const arrays = model.program.inputs.flatMap(({ name, type }) => {
    if (type.scope === "scalar") return [];
    const size = trace.hypergraph[type.scope].length;
    const entries = entriesIn(model, trace, name, size);
    return [[name, entries.map((value) => entryOf(type.kind, value, unit))] as const];
  });
  return new Map<string, Entry | readonly Entry[]>([...single, ...arrays]);
}

function entriesIn(model: Model, trace: Trace, name: string, size: number): number[] {
  const beside = trace.arrays?.find((each) => each.name === name);
  if (beside) return beside.values;
  const initial = trace.columns[columnOfArray(model, name)]?.initial;
  if (initial === undefined) throw new Refusal(`The input ${name} is in no column of the trace.`);
  return Array.from({ length: size }, (_, k) => (typeof initial === "number" ? initial : (initial[k + 1] as number)));
}

/** A number of the machine as what it stands for. */
function entryOf(kind: Kind, value: number, unit: Fraction): Entry {
  if (kind === "flag") return value !== 0;
  if (kind === "vertex" || kind === "hyperedge") return value;
  const number = fractionOf(value) as Fraction;
  return kind === "length" ? times(number, unit) : number;
}

function exact(text: string): Fraction {
  const found = parseFraction(text);
  if (!found) throw new Refusal(`${text} is not a number.`);
  return found;
}
