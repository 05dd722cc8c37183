/** What the picture shows of one frame, read from the recording. */

import type { Recording } from "../recording";
import type { Trace } from "../trace";
import type { Graph } from "./graph";
import { type AnswerList, type AnswerSet, answerList, answerSet, type Colour, divided, isPointer } from "./ranges";

/** Entry 0 of each array is unused: rows count from 1. */
export interface Status {
  value: Float64Array; // of the variable that colours vertices: NaN where it has none, Infinity
  edgeValue: Float64Array; // the same of hyperedges
  chosen: { vertices: Uint8Array; hyperedges: Uint8Array }; // what is in the answer, as it is now
  meeting: Uint8Array; // hyperedges with at least two of the vertices that the answer lists
  settled: Uint8Array;
  frontier: { vertices: Uint8Array; hyperedges: Uint8Array };
  changed: Uint8Array;
  current: { vertices: Map<number, string>; hyperedges: Map<number, string> };
  predecessor: Int32Array; // 0: none
  through: Int32Array;
}

export function emptyStatus(graph: Graph): Status {
  return {
    value: new Float64Array(graph.n + 1).fill(Number.NaN),
    edgeValue: new Float64Array(graph.m + 1).fill(Number.NaN),
    chosen: { vertices: new Uint8Array(graph.n + 1), hyperedges: new Uint8Array(graph.m + 1) },
    meeting: new Uint8Array(graph.m + 1),
    settled: new Uint8Array(graph.n + 1),
    frontier: { vertices: new Uint8Array(graph.n + 1), hyperedges: new Uint8Array(graph.m + 1) },
    changed: new Uint8Array(graph.n + 1),
    current: { vertices: new Map(), hyperedges: new Map() },
    predecessor: new Int32Array(graph.n + 1),
    through: new Int32Array(graph.n + 1),
  };
}

/** Read the recording's current frame into `status`; `colour` is what colours, if anything does. */
export function readStatus(recording: Recording, graph: Graph, colour: Colour | null, status: Status): void {
  const { shows } = recording.trace;
  const sets = answersOf(recording.trace);
  readValues(recording, colour?.scope === "vertices" ? colour : null, status.value);
  readValues(recording, colour?.scope === "hyperedges" ? colour : null, status.edgeValue);
  readFlags(recording, sets.vertices?.name ?? null, status.chosen.vertices);
  readFlags(recording, sets.hyperedges?.name ?? null, status.chosen.hyperedges);
  readList(recording, graph, sets.list, status);
  readFlags(recording, shows.settled, status.settled);
  if (settlesByLosing(recording.trace))
    for (let row = 1; row <= graph.n; row++) status.settled[row] = 1 - (status.settled[row] ?? 0);
  const waiting = frontierOf(recording.trace);
  readFlags(recording, waiting.vertices, status.frontier.vertices);
  readFlags(recording, waiting.hyperedges, status.frontier.hyperedges);
  readPointers(recording, shows.predecessor, status.predecessor, graph.n);
  readPointers(recording, shows.through, status.through, graph.m);
  readCurrent(recording, status);
  status.changed.fill(0);
  for (const name of watched(recording.trace, colour)) {
    const named = recording.standing(name);
    if (!named) continue;
    for (let row = 1; row <= graph.n; row++) if (recording.changedOf(named, row)) status.changed[row] = 1;
  }
}

interface Answers {
  readonly vertices: AnswerSet | null;
  readonly hyperedges: AnswerSet | null;
  /** Of a program that answers with no set of vertices. */
  readonly list: AnswerList | null;
}

const ANSWERS = new WeakMap<Trace["variables"], Answers>();

/** The sets that are part of the answer. */
export function answersOf(trace: Trace): Answers {
  const known = ANSWERS.get(trace.variables);
  const found = known ?? findAnswers(trace);
  if (!known) ANSWERS.set(trace.variables, found);
  return found;
}

function findAnswers(trace: Trace): Answers {
  const vertices = answerSet(trace, "vertices");
  return { vertices, hyperedges: answerSet(trace, "hyperedges"), list: vertices === null ? answerList(trace) : null };
}

/** What is on the frontier: a set that is part of the answer has marks of its own. */
export function frontierOf(trace: Trace): Trace["shows"]["frontier"] {
  const { vertices, hyperedges } = trace.shows.frontier;
  const sets = answersOf(trace);
  return {
    vertices: vertices === sets.vertices?.name ? null : vertices,
    hyperedges: hyperedges === sets.hyperedges?.name ? null : hyperedges,
  };
}

/**
 * Whether vertices are settled once they lose the flag that says so: all have it at the start, such as "uncovered". What
 * still has a flag that is part of the answer is in the answer.
 */
export function settlesByLosing(trace: Trace): boolean {
  if (trace.shows.settled === answersOf(trace).vertices?.name) return false;
  const flag = trace.variables.find(({ name, role }) => name === trace.shows.settled && role === "state");
  const initial = flag && trace.columns[flag.column]?.initial;
  return (typeof initial === "number" ? initial : initial?.[1]) === 1;
}

/** The vertex variables whose changes get a halo: states, since the column of a local held something else before. */
export function watched(trace: Trace, colour: Colour | null): string[] {
  const { value, settled } = trace.shows;
  const names = new Set([colour?.state, colour?.over, value, settled, answersOf(trace).vertices?.name]);
  const states = trace.variables.filter(
    (one) => one.scope === "vertices" && one.role === "state" && names.has(one.name),
  );
  return states.map((one) => one.name);
}

function readValues(recording: Recording, colour: Colour | null, into: Float64Array): void {
  into.fill(Number.NaN);
  const named = colour === null ? null : recording.standing(colour.state);
  if (!named || !colour) return;
  const over = colour.over === null ? null : recording.standing(colour.over);
  const infiniteOf = (kind: string) => (kind === "length" ? recording.trace.model.infinity : Infinity);
  const [infinity, beyond] = [infiniteOf(named.kind), infiniteOf(over?.kind ?? "")];
  const pointer = isPointer(named.kind);
  for (let row = 1; row < into.length; row++) {
    const value = recording.valueOf(named, row);
    if (over) {
      const by = recording.valueOf(over, row);
      into[row] = value >= infinity || by >= beyond ? Number.NaN : divided(value, by);
      continue;
    }
    const none = (pointer && value === 0) || recording.lacksOf(named, row);
    into[row] = none ? Number.NaN : value >= infinity ? Infinity : value;
  }
}

/** A flag says so itself; a length is a yes where it is finite (docs/traces.md, Shows). */
function readFlags(recording: Recording, name: string | null, into: Uint8Array): void {
  into.fill(0);
  const named = name === null ? null : recording.standing(name);
  if (!named) return;
  const { infinity } = recording.trace.model;
  for (let row = 1; row < into.length; row++) {
    const value = recording.valueOf(named, row);
    into[row] = (named.kind === "length" ? value < infinity : value !== 0) ? 1 : 0;
  }
}

/** Vertices that the answer names one by one, once it has them, and the hyperedges with at least two of them. */
function readList(recording: Recording, graph: Graph, list: AnswerList | null, status: Status): void {
  status.meeting.fill(0);
  for (const state of list?.states ?? []) {
    const named = recording.standing(state);
    const row = named && !recording.lacksOf(named, 0) ? recording.valueOf(named, 0) : 0;
    if (row >= 1 && row <= graph.n) status.chosen.vertices[row] = 1;
  }
  if (list === null) return;
  for (let e = 1; e <= graph.m; e++) {
    const marked = (graph.members[e] ?? []).filter((v) => status.chosen.vertices[v] === 1);
    status.meeting[e] = marked.length >= 2 ? 1 : 0;
  }
}

function readPointers(recording: Recording, name: string | null, into: Int32Array, most: number): void {
  into.fill(0);
  const named = name === null ? null : recording.standing(name);
  if (!named) return;
  for (let row = 1; row < into.length; row++) {
    const value = recording.valueOf(named, row);
    into[row] = Number.isInteger(value) && value >= 1 && value <= most ? value : 0;
  }
}

function readCurrent(recording: Recording, status: Status): void {
  const { vertices, hyperedges } = status.current;
  vertices.clear();
  hyperedges.clear();
  for (const name of recording.trace.shows.current) {
    const kind = recording.kindOf(name)?.kind;
    const value = recording.value(name, 0);
    if (!value || value < 1 || (kind !== "vertex" && kind !== "hyperedge")) continue;
    const into = kind === "vertex" ? vertices : hyperedges;
    const earlier = into.get(value);
    into.set(value, earlier ? `${earlier}, ${name}` : name);
  }
}

// -- in words -------------------------------------------------------------------------------------------------------

/** What a frame shows, as a sentence or two for those who do not see the picture. */
export function inWords(recording: Recording, graph: Graph, status: Status): string {
  const { frames, shows, hypergraph } = recording.trace;
  const [sets, waiting] = [answersOf(recording.trace), frontierOf(recording.trace)];
  const iteration = frames.iteration[recording.frame] ?? 0;
  const layer = frames.layer[recording.frame] ?? 0;
  const name = hypergraph.name ? `Hypergraph ${plain(hypergraph.name)}` : "A hypergraph";
  const parts = [
    `${name} of ${graph.n} vertices and ${graph.m} hyperedges`,
    recording.frame === 0 ? "before the first layer" : `iteration ${iteration}, layer ${layer}`,
  ];
  for (const [row, pointer] of status.current.vertices)
    parts.push(`current vertex (${pointer}): ${graph.vertexText[row] ?? row}`);
  for (const [row, pointer] of status.current.hyperedges)
    parts.push(`current hyperedge (${pointer}): ${graph.edgeText[row] ?? row}`);
  if (sets.hyperedges)
    parts.push(
      `hyperedges in the answer (${sets.hyperedges.name}): ${listed(status.chosen.hyperedges, graph.edgeText)}`,
    );
  if (sets.vertices)
    parts.push(`vertices in the answer (${sets.vertices.name}): ${listed(status.chosen.vertices, graph.vertexText)}`);
  if (sets.list) parts.push(`${sets.list.name}: ${listed(status.chosen.vertices, graph.vertexText)}`);
  if (count(status.meeting) > 0)
    parts.push(`hyperedges with at least two of these: ${listed(status.meeting, graph.edgeText)}`);
  if (shows.settled && shows.settled !== sets.vertices?.name)
    parts.push(`${count(status.settled)} of ${graph.n} vertices settled`);
  if (waiting.vertices) parts.push(`frontier: ${listed(status.frontier.vertices, graph.vertexText)}`);
  if (waiting.hyperedges)
    parts.push(`hyperedges on the frontier: ${listed(status.frontier.hyperedges, graph.edgeText)}`);
  if (count(status.changed) > 0)
    parts.push(`${`changed ${recording.sinceText()}`.trim()}: ${listed(status.changed, graph.vertexText)}`);
  return `${parts.join("; ")}.`;
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, " ");
}

export function count(flags: Uint8Array): number {
  let sum = 0;
  for (const flag of flags) sum += flag;
  return sum;
}

function listed(flags: Uint8Array, texts: readonly string[]): string {
  const total = count(flags);
  if (total === 0) return "none";
  const names: string[] = [];
  for (let row = 1; row < flags.length && names.length < 6; row++)
    if (flags[row]) names.push(texts[row] ?? String(row));
  return total > names.length ? `${names.join(", ")} and ${total - names.length} more` : names.join(", ");
}
