// Whether the parts of a trace fit each other: whatever one part names, another has. The twin of
// src/hyloop/recording/fits.py; test/traces.json, a table of changed traces, holds both.

import type { Attention, Changes, Interpreted, Kind, Layer, Purpose, Scope, Trace, Variable } from "./trace";

/** Which part does not fit the others; null if all do. The shapes and types are right already. */
export function misfit(trace: Trace): string | null {
  const wrong = RULES.find(([, holds]) => !holds(trace));
  return wrong ? wrong[0] : null;
}

type Rule = (trace: Trace) => boolean;

// -- what the rules ask of a document

/** The last row of X; row 0 is the global one. A model that looks numbers up has padding rows for them. */
function rowsOf(trace: Trace): number {
  let rows = neededOf(trace);
  for (const { initial } of trace.columns) if (typeof initial !== "number") rows = Math.max(rows, initial.length - 1);
  return rows;
}

/** The last row that is a vertex or a hyperedge. */
function neededOf({ hypergraph: h }: Trace): number {
  return Math.max(h.vertices.length, h.hyperedges.length, 1);
}

function lastRow({ hypergraph: h }: Trace, scope: Scope): number {
  return scope === "scalar" ? 0 : h[scope].length;
}

function differ(names: readonly unknown[]): boolean {
  return new Set(names).size === names.length;
}

function sameLength(...lists: readonly (readonly unknown[])[]): boolean {
  return lists.every((list) => list.length === lists[0]?.length);
}

function rises(numbers: readonly number[]): boolean {
  return numbers.every((number, k) => k === 0 || (numbers[k - 1] as number) <= number);
}

function within(numbers: readonly number[], least: number, most: number): boolean {
  return numbers.every((number) => least <= number && number <= most);
}

/** Whether the interpreter can have computed these: integers from 0, of their kind. */
function areComputed({ hypergraph: h }: Trace, kind: Kind, values: readonly number[]): boolean {
  const most = { flag: 1, vertex: h.vertices.length, hyperedge: h.hyperedges.length, count: null, length: null }[kind];
  return values.every((value) => Number.isInteger(value) && 0 <= value && (most === null || value <= most));
}

/** Whether each is a line of the source, or 0. */
function areLines({ algorithm: { first, source } }: Trace, lines: readonly number[]): boolean {
  return lines.every((line) => line === 0 || (first <= line && line < first + source.length));
}

// -- the hypergraph and the inputs

const hyperedges: Rule = ({ hypergraph: h }) =>
  sameLength(h.hyperedges, h.weights, h.members, h.positions.hyperedges) && differ(h.hyperedges);

const vertices: Rule = ({ hypergraph: h }) => sameLength(h.vertices, h.positions.vertices) && differ(h.vertices);

/** Whether every place is in the unit square. */
const positions: Rule = ({ hypergraph: { positions: at } }) =>
  [...at.vertices, ...at.hyperedges].every((place) => within(place, 0, 1));

const members: Rule = ({ hypergraph: h }) =>
  h.members.every((list) => differ(list) && within(list, 1, h.vertices.length));

/** Whether tails and heads are both told or neither; together they are the members. */
const directions: Rule = ({ hypergraph: { members, tails, heads } }) => {
  if (tails === undefined || heads === undefined) return tails === heads;
  return sameLength(members, tails, heads) && members.every((all, e) => areEnds(all, tails[e] ?? [], heads[e] ?? []));
};

/** A member without a direction is both a tail and a head, so each is one of them. */
function areEnds(members: readonly number[], tails: readonly number[], heads: readonly number[]): boolean {
  const [inside, ends] = [new Set(members), new Set([...tails, ...heads])];
  return differ(tails) && differ(heads) && ends.size === inside.size && [...ends].every((vertex) => inside.has(vertex));
}

const inputs: Rule = (trace) => {
  const { inputs, arrays = [], hypergraph: h } = trace;
  const most = new Map([
    ["flag", 1],
    ["vertex", h.vertices.length],
    ["hyperedge", h.hyperedges.length],
  ]);
  const fits = (value: number, limit: number | undefined) =>
    limit === undefined || (Number.isInteger(value) && 0 <= value && value <= limit);
  const names = [...[...inputs, ...arrays].map(({ name }) => name), ...inColumns(trace)];
  return (
    differ(names) &&
    inputs.every(({ kind, value }) => fits(value, most.get(kind))) &&
    arrays.every(
      ({ kind, scope, values }) =>
        values.length === h[scope].length && values.every((value) => fits(value, most.get(kind))),
    )
  );
};

// -- the program and the model

const SIDES = new Set(["vertices", "hyperedges"]);

/** Whether there are changes of each column, and what it is said to hold is there. */
const columns: Rule = (trace) => {
  const held = new Map<string, ReadonlySet<string>>([
    ["class", SIDES],
    ["size", SIDES],
    ["bias", new Set(["global", "rows"])],
    ["position", new Set(["number", "square", "quarter"])],
    ["state", statesOf(trace)],
    ["input", new Set([...trace.inputs.map(({ name }) => name), ...arraysOf(trace)])],
  ]);
  const { columns: found } = trace.model;
  return found.length === trace.columns.length && found.every(({ role, of }) => held.get(role)?.has(of) ?? true);
};

function statesOf({ variables }: Trace): Set<string> {
  return new Set(variables.filter(({ role }) => role === "state").map(({ name }) => name));
}

/** The inputs that are arrays: in a column, or beside them. */
function arraysOf(trace: Trace): Set<string> {
  return new Set([...inColumns(trace), ...(trace.arrays ?? []).map(({ name }) => name)]);
}

function inColumns({ model }: Trace): Set<string> {
  return new Set(model.columns.filter(({ role, scope }) => role === "input" && scope === "array").map(({ of }) => of));
}

/** Whether operations are numbered in their section, with operands before them, and inputs have their kinds. */
const operations: Rule = (trace) => {
  const { ops } = trace.algorithm;
  const [states, inputs] = [statesOf(trace), new Map(trace.inputs.map(({ name, kind }) => [name, kind]))];
  const arrays = arraysOf(trace);
  const numbers = new Map<string, number>();
  const fits = ops.every(({ section, op, name, label, kind, scope, operands, assigns, elsewhere = [] }) => {
    if (name === "input" && !(scope === "scalar" ? inputs.get(label) === kind : arrays.has(label))) return false;
    const wanted = numbers.get(section) ?? 0;
    numbers.set(section, wanted + 1);
    const named = [...assigns, ...elsewhere.map(({ state }) => state)];
    return op === wanted && within(operands, 0, op - 1) && named.every((state) => states.has(state));
  });
  return (
    fits &&
    areLines(
      trace,
      ops.flatMap(({ line, elsewhere = [] }) => [line, ...elsewhere.map((each) => each.line)]),
    ) &&
    noted(trace)
  );
};

/** Whether notes are about operations of the loop, depend on a flag, and are said of the rows of one scope. */
const noted: Rule = ({ algorithm: { ops, notes = [] } }) => {
  const body = ops.filter(({ section }) => section === "body");
  const numbers = (parts: readonly (string | number)[]) => parts.filter((part) => typeof part === "number");
  return notes.every(({ about, each, guard }) => {
    const guards = guard === undefined ? [] : [guard];
    if (!within([...numbers(about), ...numbers(each), ...guards], 0, body.length - 1)) return false;
    const arrays = numbers(each).flatMap((op) => (body[op]?.scope === "scalar" ? [] : [body[op]?.scope]));
    const flags = guards.every((op) => body[op]?.kind === "flag" && body[op]?.scope === "scalar");
    return flags && new Set(arrays).size === Number(each.length > 0);
  });
};

/** Whether every purpose names an operation that is there. */
const purposes: Rule = ({ algorithm, model }) => {
  const known = new Set(algorithm.ops.map(({ section, op }) => `${section} ${op}`));
  const heads = model.layers.flatMap((layer) => layer.heads);
  const named: Purpose[] = [
    ...heads.flatMap((head) => [...head.query, ...head.key, ...head.value.flatMap((brought) => brought.for)]),
    ...model.layers.flatMap((layer) => layer.units.stages.flat().flatMap((unit) => unit.for)),
    ...model.columns.flatMap((column) => column.for),
  ];
  return named.every(([section, op]) => known.has(`${section} ${op}`));
};

/** Whether the hypergraph is within its capacity, and heads and units speak of columns that there are. */
const model: Rule = (trace) => {
  const { rows, columns, layers } = trace.model;
  const heads = layers.flatMap((layer) => layer.heads);
  const named = [
    ...heads.flatMap((head) => [head.empties, head.columns, head.value.map(({ column }) => column)]),
    ...layers.map(({ units }) => units.columns),
  ];
  return (
    neededOf(trace) <= Math.max(rows, 1) &&
    named.every((list) => within(list, 0, columns.length - 1)) &&
    layers.every(({ units }) => staged(units))
  );
};

/** Whether it is told of each unit in three stages what it is for, or of none. */
function staged({ count, stages }: Layer["units"]): boolean {
  return stages.length === 0 || (stages.length === 3 && stages.every((stage) => stage.length === count));
}

// -- frames

/** How many frames an iteration has. */
function framesEach({ model, recorded }: Trace): number {
  return recorded.layers ? model.layers.length : 1;
}

/** Whether frame 0 is the state before the first layer, and the others are those of iterations, in order. */
const frames: Rule = (trace) => {
  const { iteration, layer } = trace.frames;
  const last = trace.model.layers.length;
  const each = framesEach(trace);
  if (last < 1 || iteration.length === 0 || iteration.length !== layer.length) return false;
  if ((iteration.length - 1) % each !== 0 || iteration[0] !== 0 || layer[0] !== 0) return false;
  return iteration.every((at, k) => {
    if (k === 0) return true;
    const [begins, before] = [(k - 1) % each === 0, iteration[k - 1] as number];
    return layer[k] === last - each + 1 + ((k - 1) % each) && (begins ? before < at : before === at);
  });
};

/** Whether the iterations are those that were asked for, and the run ended as it says. */
const recorded: Rule = (trace) => {
  const { every, first, last, iterations: done, halted, stopped } = trace.recorded;
  const each = framesEach(trace);
  const ends = trace.frames.iteration.filter((_, k) => k % each === 0);
  const final = ends[ends.length - 1] as number;
  const atEnd = (end: number) => halted && end === done;
  const onBeat = (end: number) => end === 1 || end % every === 0 || atEnd(end);
  const within = (end: number) =>
    (first === null && last === null) || atEnd(end) || end <= (first ?? 0) || (last !== null && end > done - last);
  const asked = (end: number) => onBeat(end) && within(end);
  const near = (end: number, k: number) => (ends[k + 1] ?? done) - end <= every;
  return (
    (halted || stopped !== "") &&
    final <= done &&
    (!halted || (stopped !== "") === final < done) &&
    ends.slice(1).every(asked) &&
    (last !== null || ends.every(near))
  );
};

const changes: Rule = (trace) => {
  const rows = rowsOf(trace);
  return trace.columns.every((each) => inStep(trace, each, rows, rows) && linesOf(trace, each));
};

function linesOf(trace: Trace, { line, frame }: Changes): boolean {
  return line === undefined || (sameLength(line, frame) && areLines(trace, line));
}

/** Whether changes are one after another, each of a row up to the last, after frame 0; `rows`: the last row of X. */
function inStep(
  trace: Trace,
  { initial, frame, row, value }: Changes | Interpreted,
  last: number,
  rows: number,
): boolean {
  return (
    sameLength(frame, row, value) &&
    rises(frame) &&
    within(frame, 1, trace.frames.iteration.length - 1) &&
    row.every((at) => at <= last) &&
    (typeof initial === "number" || initial.length === rows + 1)
  );
}

// -- variables

const variables: Rule = (trace) =>
  differ(trace.variables.map(({ name }) => name)) && trace.variables.every((each) => isVariable(trace, each));

function isVariable(trace: Trace, variable: Variable): boolean {
  const { name, role, section, from, until, column, line } = variable;
  const last = trace.model.layers.length;
  const local = role === "local";
  const stays = local ? from <= until && until <= last : from === 0 && until === last;
  const its = trace.model.columns[column];
  const stands = local || (its?.role === role && (role === "halt" || its.of === name));
  const placed = stays && local === (section !== "") && its !== undefined && stands;
  return placed && areLines(trace, [line]) && isShownWhere(trace, variable);
}

/** Whether the flag that says where the answer has an output is a state of the same rows; there is at most one. */
function isShownWhere({ variables }: Trace, { known, unless, scope, output }: Variable): boolean {
  const flags = [known, unless].filter((flag) => flag !== undefined);
  const isFlag = (one: Variable) => one.role === "state" && one.kind === "flag" && one.scope === scope;
  return (
    flags.length === 0 || (flags.length === 1 && output && variables.some((o) => o.name === flags[0] && isFlag(o)))
  );
}

/** Whether every output is a state that says so; one that divides another has numbers of the same rows. */
const outputs: Rule = ({ variables, algorithm }) => {
  const states = new Map(variables.filter(({ role }) => role === "state").map((each) => [each.name, each]));
  const isNumber = ({ kind }: Variable) => kind === "count" || kind === "length";
  return (algorithm.outputs ?? []).every(({ state, over }) => {
    const [top, bottom] = [states.get(state), states.get(over ?? state)];
    if (!top?.output || !bottom) return false;
    return over === undefined || (isNumber(top) && isNumber(bottom) && top.scope === bottom.scope);
  });
};

/** Whether what the interpreter computed has rows of its scope, at the ends of iterations. */
const program: Rule = (trace) => {
  const [{ layer }, last, rows] = [trace.frames, trace.model.layers.length, rowsOf(trace)];
  return (
    differ(trace.program.map(({ section, name }) => `${section} ${name}`)) &&
    trace.program.every(
      (each) =>
        inStep(trace, each, lastRow(trace, each.scope), rows) &&
        areComputed(trace, each.kind, each.value) &&
        each.frame.every((at) => layer[at] === last) &&
        areLines(trace, [each.line]),
    )
  );
};

/** Whether what a picture shows is a variable, or a local of the program. */
const shows: Rule = ({ variables, program, shows: shown }) => {
  const names = new Set<string | null>([null, ...[...variables, ...program].map(({ name }) => name)]);
  const { value, settled, frontier, current, predecessor, through } = shown;
  const all = [value, settled, frontier.vertices, frontier.hyperedges, predecessor, through, ...current];
  return all.every((name) => names.has(name));
};

// -- attention

/** Whether each head is there once, with one entry for each frame after its layer. */
const attention: Rule = (trace) => {
  const { layers } = trace.model;
  const rows = rowsOf(trace);
  const after = layers.map((): number[] => []);
  for (const [frame, layer] of trace.frames.layer.entries()) after[layer - 1]?.push(frame);
  const fits = (each: Attention) => {
    const [layer, frames] = [layers[each.layer - 1], after[each.layer - 1]];
    if (!layer || !frames || each.head < 1 || each.head > layer.heads.length) return false;
    return sameNumbers(each.frame, frames) && looks(each, rows);
  };
  return (
    (trace.recorded.layers || trace.attention.length === 0) &&
    differ(trace.attention.map(({ layer, head }) => `${layer} ${head}`)) &&
    trace.attention.every(fits)
  );
};

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return sameLength(one, other) && one.every((number, k) => number === other[k]);
}

/** Whether a head's patterns and links are of rows that there are. */
function looks({ frame, pattern, row, ties, margin, start, links }: Attention, rows: number): boolean {
  return (
    sameLength(frame, pattern, row, ties, margin) &&
    start.length === frame.length + 1 &&
    rises(start) &&
    start[0] === 0 &&
    sameLength(links.query, links.row, links.ties, links.margin) &&
    links.query.length === start[start.length - 1] &&
    row.every((at, k) => at >= 0 === (pattern[k] === 0)) &&
    [row, links.row, links.query].every((list) => within(list, -1, rows)) &&
    [ties, links.ties].every((list) => within(list, 1, rows + 1))
  );
}

// -- differences

/** Whether the first difference is listed, and every other is of a variable, a row and a frame that there are. */
const differences: Rule = (trace) => {
  const { first, more, values } = trace.differences;
  if (first === null) return Object.keys(values).length === 0 && !more;
  const known = new Map(trace.variables.map((each) => [each.name, each]));
  const listed = Object.entries(values).every(([name, each]) => {
    const its = known.get(name);
    return its !== undefined && lists(trace, its, each) && first.frame <= (each.frame[0] as number);
  });
  const its = Object.hasOwn(values, first.variable) ? values[first.variable] : undefined;
  return (
    listed &&
    its !== undefined &&
    sameNumbers(
      [its.frame[0] as number, its.row[0] as number, its.expected[0] as number],
      [first.frame, first.row, first.expected],
    ) &&
    first.found === heldAt(trace, known.get(first.variable)?.column ?? 0)(first.frame, first.row)
  );
};

type Listed = Trace["differences"]["values"][string];

/** What a column holds at a row, at ever later frames. */
function heldAt(trace: Trace, column: number): (frame: number, row: number) => number {
  const { initial, frame: frames, row: rows, value: values } = trace.columns[column] as Changes;
  const now = new Map<number, number>();
  let [base, done] = [initial, 0];
  return (frame, row) => {
    for (; (frames[done] ?? Number.POSITIVE_INFINITY) <= frame; done += 1) {
      const [at, value] = [rows[done] as number, values[done] as number];
      if (at >= 0) {
        now.set(at, value);
        continue;
      }
      base = value;
      now.clear();
    }
    return now.get(row) ?? (typeof base === "number" ? base : (base[row] as number));
  };
}

function lists(trace: Trace, { kind, scope, column }: Variable, { frame, row, expected }: Listed): boolean {
  const held = heldAt(trace, column);
  return (
    frame.length > 0 &&
    sameLength(frame, row, expected) &&
    rises(frame) &&
    within(frame, 0, trace.frames.iteration.length - 1) && // 0: it halts before its first iteration
    within(row, scope === "scalar" ? 0 : 1, lastRow(trace, scope)) &&
    areComputed(trace, kind, expected) &&
    expected.every((number, k) => held(frame[k] as number, row[k] as number) !== number)
  );
}

// In this order: later rules take for granted what earlier ones say.
const RULES: readonly [part: string, holds: Rule][] = [
  ["hyperedges", hyperedges],
  ["vertices", vertices],
  ["positions", positions],
  ["members", members],
  ["directions", directions],
  ["inputs", inputs],
  ["columns", columns],
  ["operations", operations],
  ["purposes", purposes],
  ["model", model],
  ["frames", frames],
  ["recorded", recorded],
  ["changes", changes],
  ["variables", variables],
  ["outputs", outputs],
  ["program", program],
  ["shows", shows],
  ["attention", attention],
  ["differences", differences],
];
