/** A hypergraph that is being edited, with the algorithm to run on it. Every edit gives a new draft; none is changed. */

import { isolated } from "../isolate";
import { type JsonLabel, labelFromJson, labelInJson } from "../labels";
import type { Origin } from "../machine/hif";
import type { Hypergraph } from "../machine/hypergraph";
import type { Point } from "../machine/positions";
import type { Entry } from "../machine/prepare";
import { fractionOf, numberText, parseFraction, times, written } from "../numbers";
import { lookalikes } from "../read/lookalikes";
import { unitOf } from "../recording";
import type { Kind, Label, Scope, Trace } from "../trace";

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
  /** In a directed hypergraph: the members that are a tail or a head only. All others are both. */
  readonly sides: ReadonlyMap<Id, Side>;
}

export type Side = "tail" | "head";

/** A vertex or hyperedge by its id, a flag, or a number as it was typed. */
export type Single = Id | boolean | string | null;

/** One value, or one for each vertex or hyperedge, by id; what is not there has not been given yet. */
export type InputValue = Single | ReadonlyMap<Id, Single>;

/** Where a hypergraph came from: its file or example, and where its vertices were drawn there. */
export interface Source {
  readonly name: string;
  readonly places: ReadonlyMap<Label, Point>;
  /** The file, if it may say more than the hypergraph. */
  readonly origin: Origin | null;
  /** How the file was read, if somebody opened one. */
  readonly told?: string;
  /** What is odd about the file, in sentences. */
  readonly warnings?: readonly string[];
}

export interface Draft {
  readonly vertices: readonly Vertex[];
  readonly hyperedges: readonly Hyperedge[];
  readonly directed: boolean;
  readonly source: Source;
  readonly algorithm: string;
  readonly inputs: Readonly<Record<string, InputValue>>;
  readonly next: Id; // the first that was never given away
}

export interface Algorithm {
  name: string;
  about: string;
  inputs: { name: string; kind: Kind; scope: Scope }[];
  /** What it finds, in a few words; not of a model file. */
  short?: string;
  /** Whether it follows directions, from tails to heads. */
  directed?: boolean;
}

/** Why an edit cannot be made: a sentence for the person who made it. */
export class Refusal extends Error {}

// -- from and to ----------------------------------------------------------------------------------------------------

/** An input that is an array, as a run had it: one entry for each row. */
export interface ArrayInput {
  readonly name: string;
  readonly kind: Kind;
  readonly scope: "vertices" | "hyperedges";
  readonly entries: readonly Entry[];
}

/** A hypergraph with exact numbers or with weights as text, as readers and traces have it. */
type Rows = Omit<Hypergraph, "weights"> & { readonly weights: readonly string[] };

/** The hypergraph and the inputs of a run; a trace does not name the inputs that are arrays. */
export function draftOf(trace: Trace, arrays: readonly ArrayInput[] = [], origin: Origin | null = null): Draft {
  const { name, vertices, positions, tails = null, heads = null } = trace.hypergraph;
  const places = new Map(vertices.map((label, k) => [label, positions.vertices[k] as Point]));
  const source = { name, places, origin, warnings: lookalikes(trace.hypergraph) };
  const draft = drafted({ ...trace.hypergraph, tails, heads }, source, trace.algorithm.name);
  const single = trace.inputs.map(({ name, kind, value }) => [name, inputOf(trace, kind, value)] as const);
  const whole = arrays.map((each) => [each.name, entriesOf(draft, each)] as const);
  return { ...draft, inputs: Object.fromEntries<InputValue>([...single, ...whole]) };
}

function drafted(h: Rows, source: Source, algorithm: string): Draft {
  const n = h.vertices.length;
  return {
    vertices: h.vertices.map((label, k) => ({ id: k + 1, label })),
    hyperedges: h.hyperedges.map((name, k) => ({
      id: n + k + 1,
      name,
      weight: h.weights[k] as string,
      members: h.members[k] as number[],
      sides: sidesOf(h.members[k] as number[], h.tails?.[k], h.heads?.[k]),
    })),
    directed: h.tails !== null,
    source,
    algorithm,
    inputs: {},
    next: n + h.hyperedges.length + 1,
  };
}

function sidesOf(members: readonly Id[], tails?: readonly Id[], heads?: readonly Id[]): Map<Id, Side> {
  const [from, to] = [new Set(tails), new Set(heads)];
  const only = members.filter((id) => from.has(id) !== to.has(id));
  return new Map(only.map((id) => [id, from.has(id) ? "tail" : "head"]));
}

function inputOf(trace: Trace, kind: Kind, value: number): Single {
  if (kind === "flag") return value !== 0;
  if (kind === "vertex") return value || null;
  if (kind === "hyperedge") return value ? trace.hypergraph.vertices.length + value : null;
  const exact = fractionOf(value);
  if (!exact) return numberText(value);
  return written(kind === "length" ? times(unitOf(trace), exact) : exact);
}

function entriesOf(draft: Draft, { scope, kind, entries }: ArrayInput): Map<Id, Single> {
  const value = (entry: Entry): Single => {
    if (typeof entry === "object") return written(entry);
    if (typeof entry === "boolean") return entry;
    return draft[kind === "vertex" ? "vertices" : "hyperedges"][entry - 1]?.id ?? null;
  };
  return new Map(draft[scope].map(({ id }, k) => [id, value(entries[k] as Entry)]));
}

/** Another hypergraph for the same algorithm; numbers and flags stay, everything else begins with the first there is. */
export function replaced(draft: Draft, h: Hypergraph, source: Source, algorithm: Algorithm | undefined): Draft {
  const next = drafted({ ...h, weights: h.weights.map(written) }, source, draft.algorithm);
  const inputs = (algorithm?.inputs ?? []).map(({ name, kind, scope }) => {
    const stays = scope === "scalar" && kind !== "vertex" && kind !== "hyperedge" && Object.hasOwn(draft.inputs, name);
    return [name, stays ? (draft.inputs[name] as InputValue) : firstValue(next, kind, scope)] as const;
  });
  return { ...next, inputs: Object.fromEntries(inputs) };
}

/** Old labels and the new ones that took their place. */
export interface Renames {
  readonly vertices: ReadonlyMap<Label, Label>;
  readonly hyperedges: ReadonlyMap<Label, Label>;
}

export const NO_RENAMES: Renames = { vertices: new Map(), hyperedges: new Map() };

/** What has another name than in an earlier draft of the same hypergraph: ids stay, of another one they say nothing. */
export function renamesBetween(before: Draft, after: Draft): Renames {
  if (before.source !== after.source) return NO_RENAMES;
  const named = (rows: readonly { readonly id: Id; readonly label: Label }[]) =>
    new Map(rows.map(({ id, label }) => [id, label]));
  const edges = ({ hyperedges }: Draft) => named(hyperedges.map(({ id, name }) => ({ id, label: name })));
  return {
    vertices: otherLabels(named(before.vertices), named(after.vertices)),
    hyperedges: otherLabels(edges(before), edges(after)),
  };
}

function otherLabels(before: ReadonlyMap<Id, Label>, after: ReadonlyMap<Id, Label>): Map<Label, Label> {
  const both = [...before].flatMap(([id, old]): [Label, Label][] => {
    const label = after.get(id);
    return label === undefined || label === old ? [] : [[old, label]];
  });
  return new Map(both);
}

export interface HypergraphBody {
  name: string;
  vertices: JsonLabel[];
  hyperedges: HyperedgeBody[];
  /** Said where no hyperedge can say it. */
  directed?: boolean;
}

export function isDirected({ hyperedges, directed }: HypergraphBody): boolean {
  return directed === true || hyperedges.some(({ tails, heads }) => tails !== undefined || heads !== undefined);
}

/** Of a directed hypergraph, every hyperedge says which of its members it leads from and to. */
export interface HyperedgeBody {
  name: JsonLabel;
  weight: string;
  members: JsonLabel[];
  tails?: JsonLabel[];
  heads?: JsonLabel[];
}

/** A label, a number as text, a flag; null is no vertex or hyperedge. */
export type SingleBody = JsonLabel | boolean | null;

/** A run as JSON: what the transformer in the page is asked, and what a link carries. */
export interface RunBody {
  hypergraph: HypergraphBody;
  algorithm: string;
  inputs: Record<string, SingleBody | SingleBody[]>;
  positions?: { vertices: [JsonLabel, [number, number]][] };
}

export function hypergraphBody(draft: Draft): HypergraphBody {
  const labels = new Map(draft.vertices.map(({ id, label }) => [id, labelInJson(label)]));
  const named = (ids: readonly Id[]) => ids.flatMap((id) => labels.get(id) ?? []);
  return {
    name: draft.source.name,
    vertices: draft.vertices.map(({ label }) => labelInJson(label)),
    hyperedges: draft.hyperedges.map(({ name, weight, members, sides }) => ({
      name: labelInJson(name),
      weight,
      members: named(members),
      ...(draft.directed
        ? {
            tails: named(members.filter((id) => sides.get(id) !== "head")),
            heads: named(members.filter((id) => sides.get(id) !== "tail")),
          }
        : {}),
    })),
    ...(draft.directed && draft.hyperedges.length === 0 ? { directed: true } : {}),
  };
}

/** The run of a draft; a refusal says which input is missing. Positions are those of known labels. */
export function runBody(draft: Draft, algorithm: Algorithm, positions: ReadonlyMap<Label, [number, number]>): RunBody {
  const inputs = algorithm.inputs.map(({ name, kind, scope }) => [name, sent(draft, name, kind, scope)] as const);
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

function sent(draft: Draft, name: string, kind: Kind, scope: Scope): SingleBody | SingleBody[] {
  const value = Object.hasOwn(draft.inputs, name) ? (draft.inputs[name] as InputValue) : null;
  if (scope === "scalar") return sentOne(draft, name, kind, value instanceof Map ? null : (value as Single));
  return draft[scope].map((row) => {
    const entry = entryOf(draft, name, kind, row.id);
    // An entry of an array may point to nothing.
    if (entry === null) return null;
    return sentOne(draft, `${name} of ${String("label" in row ? row.label : row.name)}`, kind, entry);
  });
}

/** The entry of an array for one row; a row that was added since begins with none, no, or 0. */
export function entryOf(draft: Draft, name: string, kind: Kind, id: Id): Single {
  const value = Object.hasOwn(draft.inputs, name) ? draft.inputs[name] : null;
  const entry = value instanceof Map ? (value.get(id) as Single | undefined) : undefined;
  if (entry !== undefined) return entry;
  return kind === "flag" ? false : kind === "count" || kind === "length" ? "0" : null;
}

function sentOne(draft: Draft, name: string, kind: Kind, value: Single): SingleBody {
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

function checkedNumber(kind: Kind, name: string, value: Single): string {
  const wrong = numberProblem(kind, typeof value === "string" ? value : "");
  if (wrong || typeof value !== "string") throw new Refusal(`The input ${name}: ${wrong ?? "write a number."}`);
  return value.trim();
}

/** The draft of a run as JSON has it, such as that of a link. Inputs that are missing, or name nothing, are refused. */
export function draftOfBody(body: RunBody, algorithm: Algorithm): Draft {
  const { name, vertices, hyperedges } = body.hypergraph;
  const labels = vertices.map(labelFromJson);
  const number = new Map(labels.map((label, k) => [label, k + 1]));
  const numbers = (list: readonly JsonLabel[]) => list.flatMap((label) => number.get(labelFromJson(label)) ?? []);
  const directed = isDirected(body.hypergraph);
  const side = (of: "tails" | "heads") =>
    directed ? hyperedges.map((each) => numbers(each[of] ?? each.members)) : null;
  const places = new Map(body.positions?.vertices.map(([label, at]) => [labelFromJson(label), at as Point]));
  const rows: Rows = {
    vertices: labels,
    hyperedges: hyperedges.map((each) => labelFromJson(each.name)),
    weights: hyperedges.map(({ weight }) => weight),
    members: hyperedges.map(({ members }) => numbers(members)),
    tails: side("tails"),
    heads: side("heads"),
  };
  const draft = drafted(rows, { name, places, origin: null, warnings: lookalikes(rows) }, body.algorithm);
  const inputs = algorithm.inputs.map((each) => [each.name, inputOfBody(draft, each, body)] as const);
  return { ...draft, inputs: Object.fromEntries(inputs) };
}

function inputOfBody(
  draft: Draft,
  { name, kind, scope }: Algorithm["inputs"][number],
  { inputs }: RunBody,
): InputValue {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  const refused = (why: string) => new Refusal(`The run in this link cannot be run: ${why}.`);
  if (value === undefined) throw refused(`the input ${name} is missing`);
  const pointed = (one: SingleBody): Single => {
    // An entry of an array may be none; the one vertex of an input only where there is no vertex.
    if (one === null && (scope !== "scalar" || numberOf(draft, kind) === 0)) return null;
    const label = typeof one === "boolean" || one === null ? undefined : labelFromJson(one);
    const found = kind === "vertex" ? vertexOf(draft, label) : hyperedgeOf(draft, label);
    if (found === undefined) throw refused(`the input ${name} is no ${kind} of its hypergraph`);
    return found;
  };
  const single = (one: SingleBody): Single =>
    isPointer(kind) ? pointed(one) : typeof one === "boolean" || one === null ? one : String(one);
  if (Array.isArray(value) !== (scope !== "scalar")) throw refused(`the input ${name} is not of its type`);
  if (!Array.isArray(value)) return single(value);
  if (value.length !== draft[scope as "vertices" | "hyperedges"].length)
    throw refused(`the input ${name} has not one entry for each row`);
  return new Map(
    draft[scope as "vertices" | "hyperedges"].map(({ id }, k) => [id, single(value[k] as SingleBody)] as const),
  );
}

function isPointer(kind: Kind): boolean {
  return kind === "vertex" || kind === "hyperedge";
}

function numberOf(draft: Draft, kind: Kind): number {
  return (kind === "vertex" ? draft.vertices : draft.hyperedges).length;
}

function vertexOf(draft: Draft, wanted: Label | undefined): Id | undefined {
  return draft.vertices.find(({ label }) => label === wanted)?.id;
}

function hyperedgeOf(draft: Draft, wanted: Label | undefined): Id | undefined {
  return draft.hyperedges.find(({ name }) => name === wanted)?.id;
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
    const lists = (e: HyperedgeBody) => [e.members, e.tails ?? [], e.heads ?? []].map(set);
    return JSON.stringify([one.directed, vertices, hyperedges.map((e) => [e.name, value(e.weight), ...lists(e)])]);
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
    if (id !== own && String(label) === text)
      return `There is a ${what} ${isolated(text)} already; choose another name.`;
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
  const hyperedges = draft.hyperedges.map((one) => (one.members.includes(id) ? without(one, id) : one));
  return repointed({ ...draft, vertices, hyperedges }, id, vertices[0]?.id ?? null);
}

export function addHyperedge(draft: Draft, name: string, members: readonly Id[] = [], weight = "1"): Draft {
  refuse(hyperedgeNameProblem(draft, name));
  refuse(weightProblem(weight));
  const added = { id: draft.next, name, weight, members: [...members], sides: new Map<Id, Side>() };
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
  return { ...draft, hyperedges: changed(draft.hyperedges, id, (one) => without(one, member)) };
}

function without(one: Hyperedge, member: Id): Hyperedge {
  const sides = new Map([...one.sides].filter(([id]) => id !== member));
  return { ...one, members: one.members.filter((other) => other !== member), sides };
}

/** Whether hyperedges lead from tails to heads; the sides of members are kept for when they do again. */
export function setDirected(draft: Draft, directed: boolean): Draft {
  return directed === draft.directed ? draft : { ...draft, directed };
}

/** A member is a tail, a head, or (null) both. */
export function setSide(draft: Draft, id: Id, member: Id, side: Side | null): Draft {
  const set = (one: Hyperedge) => {
    const sides = new Map([...one.sides].filter(([other]) => other !== member));
    return { ...one, sides: side === null ? sides : sides.set(member, side) };
  };
  return { ...draft, hyperedges: changed(draft.hyperedges, id, set) };
}

export function setInput(draft: Draft, name: string, value: InputValue): Draft {
  return { ...draft, inputs: { ...draft.inputs, [name]: value } };
}

/** One entry of an input that is an array. */
export function setEntry(draft: Draft, name: string, id: Id, value: Single): Draft {
  const before = Object.hasOwn(draft.inputs, name) ? draft.inputs[name] : null;
  const entries = new Map<Id, Single>(before instanceof Map ? before : []);
  return setInput(draft, name, entries.set(id, value));
}

/** Another algorithm; inputs of the same name and kind stay, others begin with the first vertex, no, or a small number. */
export function setAlgorithm(draft: Draft, algorithm: Algorithm, before: Algorithm | undefined): Draft {
  const inputs = algorithm.inputs.map(({ name, kind, scope }) => {
    const alike = (one: Algorithm["inputs"][number]) => one.name === name && one.kind === kind && one.scope === scope;
    const same = before?.inputs.some(alike) && Object.hasOwn(draft.inputs, name);
    return [name, same ? (draft.inputs[name] as InputValue) : firstValue(draft, kind, scope)] as const;
  });
  return { ...draft, algorithm: algorithm.name, inputs: Object.fromEntries(inputs) };
}

/** The first number of rounds, of neighbours or of steps: with 0 or 1, most algorithms do nothing. */
const SOME = "2";

function firstValue(draft: Draft, kind: Kind, scope: Scope): InputValue {
  if (scope !== "scalar") return new Map();
  if (kind === "vertex") return draft.vertices[0]?.id ?? null;
  if (kind === "hyperedge") return draft.hyperedges[0]?.id ?? null;
  return kind === "flag" ? false : kind === "count" ? SOME : "0";
}

function changed<T extends { readonly id: Id }>(list: readonly T[], id: Id, change: (one: T) => T): T[] {
  return list.map((one) => (one.id === id ? change(one) : one));
}

/** A label that was typed unchanged keeps its type: 7 stays a number. */
function kept(label: Label, text: string): Label {
  return String(label) === text ? label : text;
}

/** Without the entries of what is gone; inputs that pointed to it point to another, entries of arrays to nothing. */
function repointed(draft: Draft, gone: Id, instead: Id | null): Draft {
  const entries = (value: ReadonlyMap<Id, Single>) =>
    new Map([...value].filter(([id]) => id !== gone).map(([id, each]) => [id, each === gone ? null : each]));
  const inputs = Object.entries(draft.inputs).map(([name, value]) => {
    if (value instanceof Map) return [name, entries(value)] as const;
    return [name, value === gone ? instead : value] as const;
  });
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
