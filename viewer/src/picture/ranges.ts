/** What vertices or hyperedges can be coloured by, and the scale of its colours. */

import { endOf, type Thing } from "../recording";
import type { Changes, Kind, OutputRecord, Trace, Variable } from "../trace";

type Side = Thing["scope"];

/** A variable or a local of the program, or an output that is one state divided by another. */
export interface Colour {
  readonly name: string; // as the program calls it
  readonly scope: Side;
  readonly state: string; // whose values these are
  readonly over: string | null; // what they are divided by
}

export interface Range {
  least: number;
  most: number;
  under: boolean; // whether values of the run are less than that, as scratch values may be
  over: boolean; // or more
  infinite: boolean; // whether it ever is infinite
  none: boolean; // whether the answer has none of it somewhere, before the run or after it
  categories: boolean; // whether values are pointers: then each has a colour of its own, and 0 has none
  bend: number; // of the scale, as in `shareOf`: a few huge values do not make all others look the same
  /** Of quotients: the two numbers of the least and of the most, exactly. */
  exact?: { readonly least: Pair; readonly most: Pair };
}

type Pair = readonly [top: number, bottom: number];

const POINTERS: readonly Kind[] = ["vertex", "hyperedge"];

export function isPointer(kind: Kind): boolean {
  return POINTERS.includes(kind);
}

// -- what there is to choose from -------------------------------------------------------------------------------------

/** All variables of the vertices, then those of the hyperedges; of each, those of the result first. */
export function colourable(trace: Trace): Colour[] {
  return (["vertices", "hyperedges"] as const).flatMap((scope) => coloursOf(trace, scope));
}

function coloursOf(trace: Trace, scope: Side): Colour[] {
  const ordered = [...trace.variables].sort((a, b) => Number(b.output) - Number(a.output));
  // What the program has no name for is called by its expression, which says little in a list.
  const unnamed = new Set(ordered.filter(({ named }) => named === false).map(({ name }) => name));
  const names = [...ordered, ...trace.program].filter((each) => each.scope === scope).map(({ name }) => name);
  const plain = [...new Set(names)].filter((name) => !unnamed.has(name));
  const found = plain.map((name): Colour => ({ name, scope, state: name, over: null }));
  const told = found.filter(({ state }) => ordered.some(({ name, output }) => output && name === state)).length;
  return [...found.slice(0, told), ...quotientsOf(trace, scope), ...found.slice(told)];
}

/** The outputs that one state divided by another makes. */
function quotientsOf(trace: Trace, scope: Side): Colour[] {
  return outputsOver(trace, scope).flatMap(({ name, state, over }) =>
    over === undefined ? [] : [{ name, scope, state, over }],
  );
}

/** The outputs with a value for each of these rows; of older files, the states that are outputs. */
function outputsOver({ variables, algorithm }: Trace, scope: Side): OutputRecord[] {
  const states = variables.filter((each) => each.output && each.scope === scope).map(({ name }) => name);
  const told = algorithm.outputs ?? states.map((name): OutputRecord => ({ name, state: name, form: "value" }));
  return told.filter(({ state, form }) => form === "value" && states.includes(state));
}

/**
 * The colour that the trace shows, or the output of which that value is one of two parts: a vertex with a small
 * `farness` may be near to all or near to none, its `closeness` says which. Where it shows none, that of the first number, else pointer, of hyperedges.
 */
export function shownColour(trace: Trace): Colour | null {
  const colours = colourable(trace);
  const { value } = trace.shows;
  if (value !== null) {
    const whole = quotientsOf(trace, "vertices").find(({ state, over }) => state === value || over === value);
    return whole ?? colours.find(({ name, scope }) => name === value && scope === "vertices") ?? null;
  }
  const told = outputsOver(trace, "hyperedges");
  const isToldOf = (pointer: boolean) => (each: Colour) =>
    each.scope === "hyperedges" &&
    told.some(({ name }) => name === each.name) &&
    kindOf(trace, each) !== "flag" &&
    isPointer(kindOf(trace, each)) === pointer;
  return colours.find(isToldOf(false)) ?? colours.find(isToldOf(true)) ?? null;
}

function kindOf(trace: Trace, { state, scope }: Colour): Kind {
  const known = [...trace.variables, ...trace.program].find((each) => each.name === state && each.scope === scope);
  return known?.kind ?? "count";
}

// -- sets that are part of the answer ---------------------------------------------------------------------------------

/** A set of vertices or hyperedges that a program answers with: where a flag is set, or where a pointer has a target. */
export interface AnswerSet {
  readonly name: string;
  readonly by: "flag" | "target";
}

/**
 * The first flag among the outputs of these rows, unless it says where another output has no value; for hyperedges that
 * have pointers only, such as those of a matching, the first of these.
 */
export function answerSet(trace: Trace, scope: Side): AnswerSet | null {
  const outputs = outputsOver(trace, scope).filter(({ over }) => over === undefined);
  const kinds = outputs.map(({ state }) => trace.variables.find(({ name }) => name === state)?.kind);
  const denies = new Set(trace.variables.map(({ unless }) => unless));
  const flag = outputs.find(({ state }, k) => kinds[k] === "flag" && !denies.has(state));
  if (flag) return { name: flag.state, by: "flag" };
  const [first] = outputs;
  const pointers = kinds.every((kind) => kind !== undefined && isPointer(kind));
  return scope === "hyperedges" && first && pointers ? { name: first.state, by: "target" } : null;
}

/** Vertices that a program answers with one by one: an output of several single pointers. */
export interface AnswerList {
  readonly name: string; // of the output
  readonly states: readonly string[];
}

/** The first such output, such as the witness of `helly` or the ends of `diameter`; `hyloop draw` has the same rule. */
export function answerList({ variables, algorithm }: Trace): AnswerList | null {
  const isSingle = (state: string) =>
    variables.some(({ name, kind, scope }) => name === state && kind === "vertex" && scope === "scalar");
  const outputs = (algorithm.outputs ?? []).filter(({ state, form }) => form === "value" && isSingle(state));
  const name = outputs.find((each) => outputs.some((other) => other !== each && other.name === each.name))?.name;
  if (name === undefined) return null;
  return { name, states: outputs.filter((each) => each.name === name).map(({ state }) => state) };
}

/** The rows that are ever in such a set. */
export function everIn(trace: Trace, scope: Side, { name }: AnswerSet): Uint8Array {
  const found = new Uint8Array(trace.hypergraph[scope].length + 1);
  const changes = changesOf(trace, name);
  if (!changes) return found;
  const { initial, row, value } = changes;
  const put = (at: number, held: number | undefined) => {
    if (held && at > 0 && at < found.length) found[at] = 1;
  };
  for (let at = 1; at < found.length; at++) put(at, typeof initial === "number" ? initial : initial[at]);
  for (const [k, at] of row.entries()) if (at >= 0) put(at, value[k]);
  if (row.some((at, k) => at < 0 && value[k])) found.fill(1, 1);
  return found;
}

function changesOf(trace: Trace, state: string): Changes | undefined {
  const variable = trace.variables.find(({ name }) => name === state);
  return variable && trace.columns[variable.column];
}

// -- scales -----------------------------------------------------------------------------------------------------------

const ALL = { least: Infinity, most: -Infinity, under: false, over: false };
const NOTHING: Range = { ...ALL, least: 0, most: 0, infinite: false, none: false, categories: false, bend: 0 };

/**
 * The least and the most finite value, for the whole recording: colours then mean the same all along.
 * Of the answer, those at the end; else, or where these are all the same, those of the whole run.
 */
export function rangeOf(trace: Trace, colour: Colour): Range {
  if (isPointer(kindOf(trace, colour))) return { ...NOTHING, categories: true };
  return colour.over === null ? rangeOfNumbers(trace, colour) : rangeOfQuotients(trace, colour.state, colour.over);
}

function rangeOfNumbers(trace: Trace, { state, scope }: Colour): Range {
  const range = { ...NOTHING };
  const finite: number[] = [];
  const isIt = (one: { name: string; scope: string }) => one.name === state && one.scope === scope;
  const variable = trace.variables.find(isIt);
  const local = trace.program.find(isIt);
  const infinity = (variable ?? local)?.kind === "length" ? trace.model.infinity : Infinity;
  const take = (value: number) => {
    if (value >= infinity) range.infinite = true;
    else if (Number.isFinite(value)) finite.push(value);
  };
  const rows = trace.hypergraph[scope].length;
  const lacks = variable ? lackingIn(trace, variable, rows) : { first: NEVER, last: NEVER };
  range.none = rowNumbers(rows).some((row) => lacks.first(row) || lacks.last(row));
  const flag = variable && flagOf(trace, variable);
  if (variable && flag) for (const value of knownValues(trace, variable, flag, rows)) take(value);
  else if (variable) takeColumn(trace, variable, take, rows);
  if (local) for (const [k, value] of local.value.entries()) if (isRow(local.row[k], rows)) take(value);
  if (finite.length === 0) return range;
  const output = variable?.output && variable.role === "state";
  const end = output ? endValues(trace, variable.column, infinity, lacks.last, rows) : [];
  return { ...range, ...scaleOf(finite, end) };
}

/** The scale of the end; of all values where the end has one, or none. */
function scaleOf(
  values: readonly number[],
  end: readonly number[],
): Pick<Range, "least" | "most" | "under" | "over" | "bend"> {
  const [all, { least, most }] = [extent(values), extent(end)];
  if (least < most)
    return { least, most, under: all.least < least, over: all.most > most, bend: bendFor(end, least, most) };
  return { ...ALL, ...all, bend: bendFor(values, all.least, all.most) };
}

function extent(values: readonly number[]): Pick<Range, "least" | "most"> {
  let { least, most } = ALL;
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return { least, most };
}

function rowNumbers(rows: number): number[] {
  return Array.from({ length: rows }, (_, k) => k + 1);
}

function isRow(row: number | undefined, rows: number): boolean {
  return row !== undefined && row !== 0 && row <= rows;
}

/** The finite values at the end that the answer has. */
function endValues({ columns }: Trace, column: number, infinity: number, lacks: Lacks, rows: number): number[] {
  const changes = columns[column];
  if (!changes) return [];
  return [...endOf(changes, rows + 1)].filter(
    (value, row) => row > 0 && value < infinity && Number.isFinite(value) && !lacks(row),
  );
}

type Lacks = (row: number) => boolean;
const NEVER: Lacks = () => false;

/** Where the answer has no value of a variable: as its flag is before the run, and at the end. */
function lackingIn(trace: Trace, variable: Variable, rows: number): { first: Lacks; last: Lacks } {
  const changes = flagOf(trace, variable);
  if (!changes) return { first: NEVER, last: NEVER };
  const [begin, end] = [endOf({ ...changes, row: [], value: [] }, rows + 1), endOf(changes, rows + 1)];
  const lacksIn = (flags: Float64Array) => (row: number) => isLacking(variable, flags[row]);
  return { first: lacksIn(begin), last: lacksIn(end) };
}

/** The flag that says where the answer has no value of a variable, if there is one. */
function flagOf(trace: Trace, { known, unless }: Variable): Changes | undefined {
  const name = known ?? unless;
  return name === undefined ? undefined : changesOf(trace, name);
}

function isLacking({ known }: Variable, flag: number | undefined): boolean {
  return (flag === 0) === (known !== undefined);
}

/** The values that a variable had while its flag said that these are of the answer: others are only stored there. */
function knownValues({ columns }: Trace, variable: Variable, flag: Changes, rows: number): number[] {
  const { passed } = pairsOf(columns[variable.column] as Changes, flag, rows);
  return passed.filter(([, held]) => !isLacking(variable, held)).map(([value]) => value);
}

function takeColumn(trace: Trace, variable: Variable, take: (value: number) => void, rows: number): void {
  const changes = trace.columns[variable.column];
  if (!changes) return;
  if (variable.role === "state") {
    const { initial } = changes;
    for (const row of rowNumbers(rows)) take(typeof initial === "number" ? initial : (initial[row] as number));
  }
  for (let k = 0; k < changes.value.length; k++) {
    if (!isRow(changes.row[k], rows)) continue;
    const layer = trace.frames.layer[changes.frame[k] as number] ?? 0;
    // A local shares its column with others: only its own layers count.
    if (variable.role === "local" && (layer < variable.from || layer > variable.until)) continue;
    take(changes.value[k] as number);
  }
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
function bendFor(values: readonly number[], least: number, most: number): number {
  const middle = [...values].sort((a, b) => a - b)[values.length >> 1] ?? least;
  return most > least && middle - least < 0.08 * (most - least) ? Math.max(middle - least, (most - least) / 1000) : 0;
}

// -- quotients --------------------------------------------------------------------------------------------------------

/** A quotient as a float, which has the order of the fractions: rounding never turns an order round. */
export function divided(top: number, bottom: number): number {
  return bottom === 0 ? Number.NaN : top / bottom;
}

function rangeOfQuotients(trace: Trace, top: string, bottom: string): Range {
  const variables = [top, bottom].map((state) => trace.variables.find(({ name }) => name === state));
  const [a, b] = variables as [Variable, Variable];
  const rows = trace.hypergraph[a.scope as Side].length;
  const { infinity } = trace.model;
  const isIn = ([x, y]: Pair) =>
    y !== 0 && !(a.kind === "length" && x >= infinity) && !(b.kind === "length" && y >= infinity);
  const { passed, end } = pairsOf(trace.columns[a.column] as Changes, trace.columns[b.column] as Changes, rows);
  const [all, last] = [passed.filter(isIn), end.filter(isIn)];
  if (all.length === 0) return { ...NOTHING, none: true };
  const value = ([x, y]: Pair) => divided(x, y);
  const scale = scaleOf(all.map(value), last.map(value));
  const exactly = (wanted: number) => [...last, ...all].find((pair) => value(pair) === wanted) as Pair;
  const exact = { least: exactly(scale.least), most: exactly(scale.most) };
  return { ...NOTHING, ...scale, none: all.length < passed.length, exact };
}

const MOST_PASSED = 200_000; // pairs that are looked at: of longer runs, those of the end

/** The two numbers of every row, after every frame that changes one, and at the end. */
function pairsOf(one: Changes, other: Changes, rows: number): { passed: Pair[]; end: Pair[] } {
  const both = [one, other].map((changes) => ({
    changes,
    now: endOf({ ...changes, row: [], value: [] }, rows + 1),
    at: 0,
  }));
  const frames = [...new Set([...one.frame, ...other.frame])].sort((a, b) => a - b);
  const pairs = () => rowNumbers(rows).map((row): Pair => [both[0]?.now[row] ?? 0, both[1]?.now[row] ?? 0]);
  const few = frames.length * rows <= MOST_PASSED;
  const passed = pairs();
  for (const frame of frames) {
    for (const each of both)
      for (const { frame: when, row, value } = each.changes; (when[each.at] ?? Infinity) <= frame; each.at++) {
        const at = row[each.at] as number;
        if (at < 0) each.now.fill(value[each.at] as number);
        else if (at <= rows) each.now[at] = value[each.at] as number;
      }
    if (few) passed.push(...pairs());
  }
  return { passed: few ? passed : pairs(), end: pairs() };
}
