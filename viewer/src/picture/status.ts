/** What the picture shows of one frame, read from the recording. */

import { endOf, type Recording } from "../recording";
import type { Kind, Trace, Variable } from "../trace";
import type { Graph } from "./graph";

/** Entry 0 of each array is unused: rows count from 1. */
export interface Status {
  value: Float64Array; // of the variable that colours: NaN where it has none, Infinity
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
    settled: new Uint8Array(graph.n + 1),
    frontier: { vertices: new Uint8Array(graph.n + 1), hyperedges: new Uint8Array(graph.m + 1) },
    changed: new Uint8Array(graph.n + 1),
    current: { vertices: new Map(), hyperedges: new Map() },
    predecessor: new Int32Array(graph.n + 1),
    through: new Int32Array(graph.n + 1),
  };
}

/** Read the recording's current frame into `status`; `colour` names the variable to colour by. */
export function readStatus(recording: Recording, graph: Graph, colour: string | null, status: Status): void {
  const { shows } = recording.trace;
  readValues(recording, colour, status.value);
  readFlags(recording, shows.settled, status.settled);
  if (settlesByLosing(recording.trace))
    for (let row = 1; row <= graph.n; row++) status.settled[row] = 1 - (status.settled[row] ?? 0);
  readFlags(recording, shows.frontier.vertices, status.frontier.vertices);
  readFlags(recording, shows.frontier.hyperedges, status.frontier.hyperedges);
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

/** Whether vertices are settled once they lose the flag that says so: all have it at the start, such as "uncovered". */
export function settlesByLosing(trace: Trace): boolean {
  const flag = trace.variables.find(({ name, role }) => name === trace.shows.settled && role === "state");
  const initial = flag && trace.columns[flag.column]?.initial;
  return (typeof initial === "number" ? initial : initial?.[1]) === 1;
}

/** The vertex variables whose changes get a halo: states, since the column of a local held something else before. */
export function watched(trace: Trace, colour: string | null): string[] {
  const names = new Set([colour, trace.shows.value, trace.shows.settled]);
  const states = trace.variables.filter(
    (one) => one.scope === "vertices" && one.role === "state" && names.has(one.name),
  );
  return states.map((one) => one.name);
}

function readValues(recording: Recording, name: string | null, into: Float64Array): void {
  into.fill(Number.NaN);
  const named = name === null ? null : recording.standing(name);
  if (!named) return;
  const infinity = named.kind === "length" ? recording.trace.model.infinity : Infinity;
  const pointer = POINTERS.includes(named.kind);
  for (let row = 1; row < into.length; row++) {
    const value = recording.valueOf(named, row);
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

// -- the range of a variable ----------------------------------------------------------------------------------------

export interface Range {
  least: number;
  most: number;
  under: boolean; // whether values of the run are less than that, as scratch values may be
  over: boolean; // or more
  infinite: boolean; // whether it ever is infinite
  none: boolean; // whether the answer has none of it somewhere, before the run or after it
  categories: boolean; // whether values are pointers: then each has a colour of its own, and 0 has none
  bend: number; // of the scale, as in `shareOf`: a few huge values do not make all others look the same
}

const POINTERS: readonly Kind[] = ["vertex", "hyperedge"];

/** The names of all vertex variables, those of the result first; numbers have a scale, pointers a colour each. */
export function colourable(trace: Trace): string[] {
  const ordered = [...trace.variables].sort((a, b) => Number(b.output) - Number(a.output));
  // What the program has no name for is called by its expression, which says little in a list.
  const unnamed = new Set(ordered.filter(({ named }) => named === false).map(({ name }) => name));
  const names = [...ordered, ...trace.program].filter(({ scope }) => scope === "vertices").map(({ name }) => name);
  return [...new Set(names)].filter((name) => !unnamed.has(name));
}

/**
 * The least and the most finite value of a vertex variable, for the whole recording: colours then mean the same all along.
 * Of the answer, those at the end; else, or where these are all the same, those of the whole run.
 */
export function rangeOf(trace: Trace, name: string): Range {
  const range: Range = { ...ALL, infinite: false, none: false, categories: false, bend: 0 };
  const finite: number[] = [];
  const variable = trace.variables.find((one) => one.name === name && one.scope === "vertices");
  const local = trace.program.find((one) => one.name === name && one.scope === "vertices");
  const { kind } = variable ?? local ?? { kind: "count" as const };
  if (POINTERS.includes(kind)) return { ...range, least: 0, most: 0, categories: true };
  const infinity = kind === "length" ? trace.model.infinity : Infinity;
  const take = (value: number) => {
    if (value >= infinity) range.infinite = true;
    else if (Number.isFinite(value)) finite.push(value);
  };
  const lacks = variable ? lackingIn(trace, variable) : { first: NEVER, last: NEVER };
  range.none = [...trace.hypergraph.vertices.keys()].some((k) => lacks.first(k + 1) || lacks.last(k + 1));
  if (variable) takeColumn(trace, variable, take, lacks.first);
  if (local)
    for (let k = 0; k < local.value.length; k++) if (inRows(trace, local.row[k])) take(local.value[k] as number);
  if (finite.length === 0) return { ...range, least: 0, most: 0 };
  const all = extent(finite);
  const end =
    variable?.output && variable.role === "state" ? endValues(trace, variable.column, infinity, lacks.last) : [];
  const { least, most } = extent(end);
  if (least < most)
    return { ...range, least, most, under: all.least < least, over: all.most > most, bend: bendFor(end, least, most) };
  return { ...range, ...all, bend: bendFor(finite, all.least, all.most) };
}

const ALL = { least: Infinity, most: -Infinity, under: false, over: false };

function extent(values: readonly number[]): Pick<Range, "least" | "most"> {
  let { least, most } = ALL;
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return { least, most };
}

/** The finite values of the vertices at the end that the answer has. */
function endValues({ columns, hypergraph }: Trace, column: number, infinity: number, lacks: Lacks): number[] {
  const changes = columns[column];
  const n = hypergraph.vertices.length;
  if (!changes) return [];
  return [...endOf(changes, n + 1)].slice(1).filter((value, k) => value < infinity && !lacks(k + 1));
}

type Lacks = (row: number) => boolean;
const NEVER: Lacks = () => false;

/** Where the answer has no value of a variable: as its flag is before the run, and at the end. */
function lackingIn(trace: Trace, { known, unless }: Variable): { first: Lacks; last: Lacks } {
  const flag = trace.variables.find(({ name }) => name === (known ?? unless));
  const changes = flag && trace.columns[flag.column];
  if (!changes) return { first: NEVER, last: NEVER };
  const rows = trace.hypergraph.vertices.length + 1;
  const [begin, end] = [endOf({ ...changes, row: [], value: [] }, rows), endOf(changes, rows)];
  const lacksIn = (flags: Float64Array) => (row: number) => (flags[row] === 0) === (known !== undefined);
  return { first: lacksIn(begin), last: lacksIn(end) };
}

/** One scale for two runs; `unit` is one of the second in those of the first. */
export function jointRange(a: Range, b: Range, unit: number): Range {
  return {
    least: Math.min(a.least, b.least * unit),
    most: Math.max(a.most, b.most * unit),
    under: a.under || b.under,
    over: a.over || b.over,
    infinite: a.infinite || b.infinite,
    none: a.none || b.none,
    categories: a.categories,
    bend: Math.max(a.bend, b.bend * unit),
  };
}

/** 0 for values that fill their range; where most are near its least, the size of those. */
function bendFor(values: number[], least: number, most: number): number {
  const middle = values.sort((a, b) => a - b)[values.length >> 1] ?? least;
  return most > least && middle - least < 0.08 * (most - least) ? Math.max(middle - least, (most - least) / 1000) : 0;
}

function takeColumn(trace: Trace, variable: Variable, take: (value: number) => void, lacks: Lacks): void {
  const changes = trace.columns[variable.column];
  if (!changes) return;
  const n = trace.hypergraph.vertices.length;
  if (variable.role === "state") {
    const { initial } = changes;
    for (let row = 1; row <= n; row++)
      if (!lacks(row)) take(typeof initial === "number" ? initial : (initial[row] as number));
  }
  for (let k = 0; k < changes.value.length; k++) {
    if (!inRows(trace, changes.row[k])) continue;
    const layer = trace.frames.layer[changes.frame[k] as number] ?? 0;
    // A local shares its column with others: only its own layers count.
    if (variable.role === "local" && (layer < variable.from || layer > variable.until)) continue;
    take(changes.value[k] as number);
  }
}

function inRows(trace: Trace, row: number | undefined): boolean {
  return row !== undefined && row !== 0 && row <= trace.hypergraph.vertices.length;
}

// -- in words -------------------------------------------------------------------------------------------------------

/** What a frame shows, as a sentence or two for those who do not see the picture. */
export function inWords(recording: Recording, graph: Graph, status: Status): string {
  const { frames, shows, hypergraph } = recording.trace;
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
  if (shows.settled) parts.push(`${count(status.settled)} of ${graph.n} vertices settled`);
  if (shows.frontier.vertices) parts.push(`frontier: ${listed(status.frontier.vertices, graph.vertexText)}`);
  if (shows.frontier.hyperedges)
    parts.push(`hyperedges on the frontier: ${listed(status.frontier.hyperedges, graph.edgeText)}`);
  if (count(status.changed) > 0) parts.push(`changed: ${listed(status.changed, graph.vertexText)}`);
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
