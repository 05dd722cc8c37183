/** A hypergraph that is being edited, with the algorithm to run on it. Every edit gives a new draft; none is changed. */

import { type JsonLabel, labelInJson } from "../labels";
import { fractionOf, numberText, parseFraction, times, written } from "../numbers";
import { unitOf } from "../recording";
import type { Kind, Label, Trace } from "../trace";

/** Numbers that stay with a vertex or hyperedge while it is renamed. */
type Id = number;

export interface Vertex {
  readonly id: Id;
  readonly label: Label;
}

export interface Hyperedge {
  readonly id: Id;
  readonly name: Label;
  readonly weight: string;
  readonly members: readonly Id[];
}

/** A vertex or hyperedge by its id, a flag, or a number as it was typed. */
export type InputValue = Id | boolean | string | null;

export interface Draft {
  readonly vertices: readonly Vertex[];
  readonly hyperedges: readonly Hyperedge[];
  readonly algorithm: string;
  readonly inputs: Readonly<Record<string, InputValue>>;
  readonly next: Id; // the first that was never given away
}

export interface Algorithm {
  name: string;
  about: string;
  inputs: { name: string; kind: Kind }[];
}

/** Why an edit cannot be made: a sentence for the person who made it. */
export class Refusal extends Error {}

// -- from and to ----------------------------------------------------------------------------------------------------

export function draftOf(trace: Trace): Draft {
  const { vertices, hyperedges, weights, members } = trace.hypergraph;
  const n = vertices.length;
  const inputs = trace.inputs.map(({ name, kind, value }) => [name, inputOf(trace, kind, value)] as const);
  return {
    vertices: vertices.map((label, k) => ({ id: k + 1, label })),
    hyperedges: hyperedges.map((name, k) => ({
      id: n + k + 1,
      name,
      weight: weights[k] as string,
      members: members[k] as number[],
    })),
    algorithm: trace.algorithm.name,
    inputs: Object.fromEntries(inputs),
    next: n + hyperedges.length + 1,
  };
}

function inputOf(trace: Trace, kind: Kind, value: number): InputValue {
  if (kind === "flag") return value !== 0;
  if (kind === "vertex") return value || null;
  if (kind === "hyperedge") return value ? trace.hypergraph.vertices.length + value : null;
  const exact = fractionOf(value);
  if (!exact) return numberText(value);
  return written(kind === "length" ? times(unitOf(trace), exact) : exact);
}

export interface HypergraphBody {
  vertices: JsonLabel[];
  hyperedges: { name: JsonLabel; weight: string; members: JsonLabel[] }[];
}

export interface RunBody {
  hypergraph: HypergraphBody;
  algorithm: string;
  inputs: Record<string, JsonLabel | boolean>;
  positions?: { vertices: [JsonLabel, [number, number]][] };
}

export function hypergraphBody(draft: Draft): HypergraphBody {
  const labels = new Map(draft.vertices.map(({ id, label }) => [id, labelInJson(label)]));
  return {
    vertices: draft.vertices.map(({ label }) => labelInJson(label)),
    hyperedges: draft.hyperedges.map(({ name, weight, members }) => ({
      name: labelInJson(name),
      weight,
      members: members.flatMap((id) => labels.get(id) ?? []),
    })),
  };
}

/** What `hyloop view` is asked to run; a refusal says which input is missing. Positions are those of known labels. */
export function runBody(draft: Draft, algorithm: Algorithm, positions: ReadonlyMap<Label, [number, number]>): RunBody {
  const inputs = algorithm.inputs.map(({ name, kind }) => [name, sent(draft, name, kind)] as const);
  const known = draft.vertices.flatMap(({ label }): [JsonLabel, [number, number]][] => {
    const place = positions.get(label);
    return place ? [[labelInJson(label), place]] : [];
  });
  return {
    hypergraph: hypergraphBody(draft),
    algorithm: algorithm.name,
    inputs: Object.fromEntries(inputs),
    ...(known.length > 0 ? { positions: { vertices: known } } : {}),
  };
}

function sent(draft: Draft, name: string, kind: Kind): JsonLabel | boolean {
  const value = Object.hasOwn(draft.inputs, name) ? draft.inputs[name] : null;
  if (kind === "flag") return value === true;
  if (kind === "vertex") {
    const found = draft.vertices.find(({ id }) => id === value) ?? draft.vertices[0];
    if (!found) throw new Refusal(`There is no vertex to be ${name}. Add one.`);
    return labelInJson(found.label);
  }
  if (kind === "hyperedge") {
    const found = draft.hyperedges.find(({ id }) => id === value) ?? draft.hyperedges[0];
    if (!found) throw new Refusal(`There is no hyperedge to be ${name}. Add one.`);
    return labelInJson(found.name);
  }
  return checkedNumber(kind, name, value);
}

function checkedNumber(kind: Kind, name: string, value: InputValue | undefined): string {
  const wrong = numberProblem(kind, typeof value === "string" ? value : "");
  if (wrong || typeof value !== "string") throw new Refusal(`The input ${name}: ${wrong ?? "write a number."}`);
  return value.trim();
}

/** Whether two hypergraphs are the same, whatever way their weights are written. */
export function sameHypergraph(draft: Draft, other: Draft): boolean {
  const value = (weight: string) => {
    const fraction = parseFraction(weight.trim());
    return fraction ? `${fraction.top}/${fraction.bottom}` : weight;
  };
  const text = (one: Draft) => {
    const { vertices, hyperedges } = hypergraphBody(one);
    const set = (members: JsonLabel[]) => members.map((label) => JSON.stringify(label)).sort();
    return JSON.stringify([vertices, hyperedges.map((e) => [e.name, value(e.weight), set(e.members)])]);
  };
  return text(draft) === text(other);
}

// -- what can be wrong ----------------------------------------------------------------------------------------------

const LONGEST = 1000;

/** What is wrong with a name, as a sentence; null if it will do. `own` is who may have it already. */
export function nameProblem(
  text: string,
  taken: Iterable<readonly [Id, Label]>,
  own: Id | null,
  what: string,
): string | null {
  if (text.trim() === "") return `A ${what} needs a name.`;
  if (text.length > LONGEST) return `A name has at most ${LONGEST} characters.`;
  if (/[\ud800-\udfff]/u.test(text)) return "This is not valid Unicode text.";
  for (const [id, label] of taken) {
    if (id !== own && String(label) === text) return `There is a ${what} ${text} already; choose another name.`;
  }
  return null;
}

/** What is wrong with a weight, as a sentence; null if it is a positive number. */
export function weightProblem(text: string): string | null {
  const fraction = text.length <= LONGEST ? parseFraction(text.trim()) : null;
  if (!fraction) return "Write a number, such as 2, 1.5 or 1/3.";
  return fraction.top > 0n ? null : "A weight must be more than 0.";
}

export function numberProblem(kind: Kind, text: string): string | null {
  const fraction = text.length <= LONGEST ? parseFraction(text.trim()) : null;
  if (kind === "length") {
    if (!fraction) return "Write a number, such as 2, 1.5 or 1/3.";
    return fraction.top >= 0n ? null : "A length is at least 0.";
  }
  return fraction && fraction.bottom === 1n && fraction.top >= 0n ? null : "Write a whole number, such as 0, 1 or 2.";
}

function refuse(problem: string | null): void {
  if (problem) throw new Refusal(problem);
}

function vertexNames(draft: Draft): (readonly [Id, Label])[] {
  return draft.vertices.map(({ id, label }) => [id, label] as const);
}

function hyperedgeNames(draft: Draft): (readonly [Id, Label])[] {
  return draft.hyperedges.map(({ id, name }) => [id, name] as const);
}

export function vertexNameProblem(draft: Draft, text: string, own: Id | null = null): string | null {
  return nameProblem(text, vertexNames(draft), own, "vertex");
}

export function hyperedgeNameProblem(draft: Draft, text: string, own: Id | null = null): string | null {
  return nameProblem(text, hyperedgeNames(draft), own, "hyperedge");
}

// -- edits ----------------------------------------------------------------------------------------------------------

export function addVertex(draft: Draft, label: string): Draft {
  refuse(vertexNameProblem(draft, label));
  return { ...draft, vertices: [...draft.vertices, { id: draft.next, label }], next: draft.next + 1 };
}

export function renameVertex(draft: Draft, id: Id, text: string): Draft {
  refuse(vertexNameProblem(draft, text, id));
  return { ...draft, vertices: changed(draft.vertices, id, (one) => ({ ...one, label: kept(one.label, text) })) };
}

/** Without the vertex, also in its hyperedges; an input that pointed to it points to the first that is left. */
export function dropVertex(draft: Draft, id: Id): Draft {
  const vertices = draft.vertices.filter((one) => one.id !== id);
  const hyperedges = draft.hyperedges.map((one) =>
    one.members.includes(id) ? { ...one, members: one.members.filter((member) => member !== id) } : one,
  );
  return repointed({ ...draft, vertices, hyperedges }, id, vertices[0]?.id ?? null);
}

export function addHyperedge(draft: Draft, name: string, members: readonly Id[] = [], weight = "1"): Draft {
  refuse(hyperedgeNameProblem(draft, name));
  refuse(weightProblem(weight));
  const added = { id: draft.next, name, weight, members: [...members] };
  return { ...draft, hyperedges: [...draft.hyperedges, added], next: draft.next + 1 };
}

export function renameHyperedge(draft: Draft, id: Id, text: string): Draft {
  refuse(hyperedgeNameProblem(draft, text, id));
  return { ...draft, hyperedges: changed(draft.hyperedges, id, (one) => ({ ...one, name: kept(one.name, text) })) };
}

export function dropHyperedge(draft: Draft, id: Id): Draft {
  const hyperedges = draft.hyperedges.filter((one) => one.id !== id);
  return repointed({ ...draft, hyperedges }, id, hyperedges[0]?.id ?? null);
}

export function setWeight(draft: Draft, id: Id, text: string): Draft {
  refuse(weightProblem(text));
  return { ...draft, hyperedges: changed(draft.hyperedges, id, (one) => ({ ...one, weight: text.trim() })) };
}

export function addMember(draft: Draft, id: Id, member: Id): Draft {
  const add = (one: Hyperedge) => (one.members.includes(member) ? one : { ...one, members: [...one.members, member] });
  return { ...draft, hyperedges: changed(draft.hyperedges, id, add) };
}

export function removeMember(draft: Draft, id: Id, member: Id): Draft {
  const remove = (one: Hyperedge) => ({ ...one, members: one.members.filter((other) => other !== member) });
  return { ...draft, hyperedges: changed(draft.hyperedges, id, remove) };
}

export function setInput(draft: Draft, name: string, value: InputValue): Draft {
  return { ...draft, inputs: { ...draft.inputs, [name]: value } };
}

/** Another algorithm; inputs of the same name and kind stay, others begin with the first vertex, no, or 0. */
export function setAlgorithm(draft: Draft, algorithm: Algorithm, before: Algorithm | undefined): Draft {
  const inputs = algorithm.inputs.map(({ name, kind }) => {
    const same =
      before?.inputs.some((one) => one.name === name && one.kind === kind) && Object.hasOwn(draft.inputs, name);
    return [name, same ? (draft.inputs[name] as InputValue) : firstValue(draft, kind)] as const;
  });
  return { ...draft, algorithm: algorithm.name, inputs: Object.fromEntries(inputs) };
}

function firstValue(draft: Draft, kind: Kind): InputValue {
  if (kind === "vertex") return draft.vertices[0]?.id ?? null;
  if (kind === "hyperedge") return draft.hyperedges[0]?.id ?? null;
  return kind === "flag" ? false : "0";
}

function changed<T extends { readonly id: Id }>(list: readonly T[], id: Id, change: (one: T) => T): T[] {
  return list.map((one) => (one.id === id ? change(one) : one));
}

/** A label that was typed unchanged keeps its type: 7 stays a number. */
function kept(label: Label, text: string): Label {
  return String(label) === text ? label : text;
}

function repointed(draft: Draft, gone: Id, instead: Id | null): Draft {
  const inputs = Object.entries(draft.inputs).map(([name, value]) => [name, value === gone ? instead : value] as const);
  return { ...draft, inputs: Object.fromEntries(inputs) };
}

/** In how many hyperedges each vertex is. */
export function degreesOf(draft: Draft): Map<Id, number> {
  const degrees = new Map<Id, number>();
  for (const { members } of draft.hyperedges) for (const id of members) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  return degrees;
}

/** A name that nothing has yet: stem 1, stem 2, ... */
export function freshName(stem: string, taken: readonly Label[]): string {
  const names = new Set(taken.map(String));
  for (let k = taken.length + 1; ; k++) if (!names.has(`${stem} ${k}`)) return `${stem} ${k}`;
}
