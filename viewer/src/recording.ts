import { isolated } from "./isolate";
import { labelText, nowhereText } from "./labels";
import { ChangeLog } from "./log";
import { counted, type Fraction, fractionOf, numberText, parseFraction, short, times } from "./numbers";
import { Operations, purposesOf } from "./purposes";
import type { Changes, Interpreted, Kind, Scope, Section, Trace, Variable } from "./trace";

/** A vertex or a hyperedge; rows count from 1. */
export type Thing = { scope: "vertices" | "hyperedges"; row: number };

export interface Event {
  frame: number;
  name: string;
  value: number;
  line: number;
  /** The iteration after whose end it happened, if what lies between that and its frame is not recorded. */
  after: number | null;
}

/** Something with a name that has values: in a column of X, or in the interpreter. */
export interface Named {
  name: string;
  kind: Kind;
  scope: Scope;
  line: number;
  section: Section;
  /** Its variable of the transformer, if it has one. */
  variable: Variable | null;
  /** Where in the log: the column, or the column after them all that the interpreter's values have. */
  column: number;
  /** Of an output that is a quotient: what its values are divided by. */
  over?: Named;
}

/** A trace that can be played to any frame, and what stands where at that frame. */
export class Recording {
  readonly trace: Trace;
  readonly length: number;
  frame = 0;
  /** Rows of X: the global one, and as many as there are vertices or hyperedges. */
  readonly rows: number;
  readonly layers: number;
  /** Whether iteration 1 is that of the statements before the loop. */
  readonly hasBefore: boolean;
  readonly log: ChangeLog;
  readonly variables: ReadonlyMap<string, Named>;
  readonly locals: ReadonlyMap<string, Named>;
  readonly operations: Operations;
  /** The frames that do not follow the one before: layers or iterations between are not recorded. */
  readonly gaps: readonly number[];

  readonly #unit: Fraction;
  readonly #lengths = new Map<number, string>();
  readonly #differences = new Map<string, Map<number, Map<number, number>>>();
  #linesToFrames: Map<number, number[]> | null = null;

  constructor(trace: Trace) {
    this.trace = trace;
    this.length = trace.frames.iteration.length;
    this.rows = countRows(trace);
    this.layers = trace.model.layers.length;
    this.hasBefore = trace.algorithm.begins;
    const columns = [...trace.columns, ...trace.program.map(changesOf)];
    this.log = new ChangeLog(columns, this.rows, this.length, trace.model.infinity);
    this.variables = new Map(trace.variables.map((v) => [v.name, ofVariable(v)]));
    const at = trace.columns.length;
    this.locals = new Map(trace.program.map((p, k) => [p.name, ofLocal(p, at + k)]));
    this.operations = new Operations(trace);
    this.#unit = unitOf(trace);
    this.gaps = range(1, this.length - 1).filter((frame) => !this.follows(frame));
    this.seek(0);
  }

  /** Go to a frame; a number out of range is clamped. */
  seek(frame: number): void {
    this.frame = Math.min(this.length - 1, Math.max(0, Math.round(frame) || 0));
    this.log.seek(this.frame);
  }

  get iteration(): number {
    return this.iterationOf(this.frame);
  }

  get layer(): number {
    return this.layerOf(this.frame);
  }

  iterationOf(frame: number): number {
    return this.trace.frames.iteration[frame] ?? 0;
  }

  layerOf(frame: number): number {
    return this.trace.frames.layer[frame] ?? 0;
  }

  /** The last frame at or before that iteration and layer (without a layer: its end). */
  frameOf(iteration: number, layer?: number): number {
    const limit = layer ?? Number.POSITIVE_INFINITY;
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const its = this.iterationOf(middle);
      if (its < iteration || (its === iteration && this.layerOf(middle) <= limit)) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /**
   * Whether the frame before is the state right before what a frame shows: a layer or, where layers are not recorded, an
   * iteration. If it is not, what is other than there may have become so earlier, in what is not recorded.
   */
  follows(frame = this.frame): boolean {
    // An iteration is recorded with all of its layers.
    return frame === 0 || this.iterationOf(frame) - this.iterationOf(frame - 1) <= 1;
  }

  /** Whether the assignments of a frame's iteration made what is other there: not after its first layers, after a gap. */
  #knowsLines(frame: number): boolean {
    return this.follows(frame) || this.layerOf(frame) === this.layers;
  }

  /** The first of the frames up to this one that follow one after another. */
  unbrokenFrom(frame = this.frame): number {
    return this.gaps[lowerBound(this.gaps, frame + 1) - 1] ?? 0;
  }

  /** "since iteration 2": since when what is other than at the frame before has changed; "" if at this frame. */
  sinceText(frame = this.frame): string {
    if (this.follows(frame)) return "";
    const before = this.iterationOf(frame - 1);
    return before === 0 ? "since the start" : `since iteration ${counted(before)}`;
  }

  /** The last iteration recorded before that of a frame, if others between are not recorded. */
  #lastBefore(frame: number): number | null {
    const gap = this.unbrokenFrom(frame);
    return gap > 0 && this.iterationOf(gap) === this.iterationOf(frame) ? this.iterationOf(gap - 1) : null;
  }

  /** Which statements run at a frame: those before the loop, or those of the loop. */
  sectionOf(frame: number): Section {
    const iteration = this.iterationOf(frame);
    if (iteration === 0) return "";
    return iteration === 1 && this.hasBefore ? "before" : "body";
  }

  kindOf(name: string): { kind: Kind; scope: Scope } | null {
    const named = this.variables.get(name) ?? this.locals.get(name);
    return named ? { kind: named.kind, scope: named.scope } : null;
  }

  /** Whether the language made a variable, to run loops in loops, and not the author of the program. */
  isMade(name: string): boolean {
    return this.operations.isMade(name);
  }

  /** A name as it is shown: one that is not the program's says so. */
  shown(name: string): string {
    return this.operations.shown(name);
  }

  /** The meaning of a name at a frame (default: now): a variable, else a local of the program, else nothing. */
  standing(name: string, frame = this.frame): Named | null {
    const variable = this.variables.get(name);
    if (variable && this.#stands(variable, frame)) return variable;
    const local = this.locals.get(name);
    return local && this.#stands(local, frame) ? local : null;
  }

  #stands({ variable, section }: Named, frame: number): boolean {
    if (variable?.role === "state" || variable?.role === "halt") return true;
    if (section !== "" && section !== this.sectionOf(frame)) return false;
    const layer = this.layerOf(frame);
    if (!variable) return frame > 0 && layer === this.layers;
    return frame > 0 && variable.from <= layer && layer <= variable.until;
  }

  /** The value of a variable or a local of the program now; null if it stands nowhere at this frame. */
  value(name: string, row: number): number | null {
    const named = this.standing(name);
    return named ? this.valueOf(named, row) : null;
  }

  valueOf(named: Named, row: number): number {
    return this.log.now[named.column * this.rows + rowIn(named, row)] ?? 0;
  }

  /** Whether the answer has no value of it at a row, as things stand now: a flag of the program says so. */
  lacksOf(named: Named, row: number): boolean {
    return this.#isLacking(named, (flag) => this.valueOf(flag, row));
  }

  /** The same at the frame before, if there is one. */
  lackedOf(named: Named, row: number): boolean {
    if (this.frame === 0) return this.lacksOf(named, row);
    return this.#isLacking(named, (flag) => this.previousOf(flag, row) ?? 0);
  }

  /** The same before the run. */
  #lacksAtStart(named: Named, row: number): boolean {
    return this.#isLacking(named, (flag) => this.#initial(flag, row));
  }

  #isLacking(named: Named, read: (flag: Named) => number): boolean {
    const denial = this.denialOf(named);
    return denial !== null && (read(denial.flag) === 0) === (denial.value === 0);
  }

  /** The flag that says where the answer has no value of it, and what that flag is there; null where none says so. */
  denialOf({ variable }: Named): { flag: Named; value: 0 | 1 } | null {
    const flag = this.variables.get(variable?.known ?? variable?.unless ?? "");
    return flag === undefined ? null : { flag, value: variable?.known === undefined ? 1 : 0 };
  }

  /** "no result while left is yes": of a value that stands there for the program only; "" of others. */
  denied(named: Named, row: number): string {
    const denial = this.denialOf(named);
    if (denial === null || !this.lacksOf(named, row) || this.cellText(named, row) === NOTHING) return "";
    return noResult(denial.flag.name, denial.value);
  }

  #initial({ column }: Named, row: number): number {
    const { initial } = this.trace.columns[column] as Changes;
    return typeof initial === "number" ? initial : (initial[row] ?? 0);
  }

  /** A value as text; a dash where the answer has none and this is what the variable began with. */
  cellText(named: Named, row: number, value = this.valueOf(named, row), lacks = this.lacksOf(named, row)): string {
    const begun = lacks && this.#lacksAtStart(named, row) && value === this.#initial(named, row);
    return begun ? NOTHING : this.text(named.kind, value);
  }

  /** What it was at the frame before; null if it did not stand there. */
  previous(name: string, row: number): number | null {
    const named = this.standing(name);
    return named ? this.previousOf(named, row) : null;
  }

  previousOf(named: Named, row: number): number | null {
    if (this.frame === 0) return null;
    const inX = this.#inXBefore(named);
    if (inX) return this.log.before(inX.column, rowIn(inX, row));
    if (this.#repeats(named)) return this.valueOf(named, row);
    // A local of the program keeps its values until the next end of an iteration.
    const stood = named.variable ? this.#stands(named, this.frame - 1) : true;
    return stood ? this.log.before(named.column, rowIn(named, row)) : null;
  }

  /** The variable of X that a local of the program takes the place of at this frame. */
  #inXBefore({ variable, name }: Named): Named | null {
    const inX = variable ? undefined : this.variables.get(name);
    return inX && this.#stands(inX, this.frame - 1) ? inX : null;
  }

  /** Whether a local of the program only repeats, at the end of an iteration, what one of its layers has worked out. */
  #repeats({ variable, name }: Named): boolean {
    return !variable && this.trace.recorded.layers && !Object.hasOwn(this.trace.differences.values, name);
  }

  /** What the interpreter has. */
  expected(name: string, row: number): number | null {
    const named = this.standing(name);
    return named ? this.expectedOf(named, row) : null;
  }

  expectedOf(named: Named, row: number): number {
    const value = this.valueOf(named, row);
    if (!named.variable) return value;
    const here = this.#differencesOf(named.variable.name)?.get(this.frame);
    return here?.get(rowIn(named, row)) ?? here?.get(-1) ?? value;
  }

  /** Whether it changed at this frame. */
  changed(name: string, row: number): boolean {
    const named = this.standing(name);
    return named !== null && this.changedOf(named, row);
  }

  changedOf(named: Named, row: number): boolean {
    if (this.frame === 0 || this.#unknown(named)) return false;
    if (this.#inXBefore(named) || this.#repeats(named)) return this.previousOf(named, row) !== this.valueOf(named, row);
    const at = rowIn(named, row);
    return this.log.before(named.column, at) !== this.log.now[named.column * this.rows + at];
  }

  /** Of what the interpreter computes once in each iteration: whether its value in the iteration before is not recorded. */
  #unknown({ variable }: Named): boolean {
    return variable === null && this.follows() && this.#lastBefore(this.frame) !== null;
  }

  /** The rows at which any of these changed at this frame, in order. */
  changedRows(all: readonly Named[], count: number): number[] {
    const names = all.filter((named) => !this.#unknown(named));
    if (this.frame === 0) return [];
    const columns = new Set(names.map((n) => n.column));
    if ([...columns].some((c) => this.log.filled.has(c)) || names.some((n) => this.#inXBefore(n) || this.#repeats(n))) {
      return range(1, count).filter((row) => names.some((n) => this.changedOf(n, row)));
    }
    const rows = new Set<number>();
    for (const cell of this.log.cells) {
      const column = Math.floor(cell / this.rows);
      const row = cell % this.rows;
      if (!columns.has(column) || row < 1 || row > count) continue;
      if (this.log.before(column, row) !== this.log.now[cell]) rows.add(row);
    }
    return [...rows].sort((a, b) => a - b);
  }

  /** A value as text. */
  text(kind: Kind, value: number): string {
    if (kind === "flag") return value === 0 ? "no" : value === 1 ? "yes" : numberText(value);
    if (kind === "count") return numberText(value);
    if (kind === "length") return this.#length(value);
    if (value === 0) return "–";
    return this.label(kind === "vertex" ? "vertices" : "hyperedges", value) ?? nowhereText(value);
  }

  /** One number divided by another, exactly; a dash where the answer has none: divided by 0, or one of them is infinite. */
  quotient(top: Kind, value: number, bottom: Kind, by: number): string {
    const [a, b] = [this.#exact(top, value), this.#exact(bottom, by)];
    if (!a || !b || b.top === 0n) return "–";
    return short(times(a, { top: b.bottom, bottom: b.top }));
  }

  #exact(kind: Kind, value: number): Fraction | null {
    if (kind === "length" && value === this.trace.model.infinity) return null;
    const exact = fractionOf(value);
    return exact && kind === "length" ? times(this.#unit, exact) : exact;
  }

  #length(value: number): string {
    if (value === this.trace.model.infinity) return "∞";
    let text = this.#lengths.get(value);
    if (text === undefined) {
      const exact = fractionOf(value);
      text = exact ? short(times(this.#unit, exact)) : numberText(value);
      if (this.#lengths.size > 50_000) this.#lengths.clear();
      this.#lengths.set(value, text);
    }
    return text;
  }

  /** The label of a row as it is shown, or null where no such vertex or hyperedge is. */
  label(scope: Thing["scope"], row: number): string | null {
    const label = this.trace.hypergraph[scope][row - 1];
    return label === undefined ? null : isolated(labelText(label));
  }

  /** The label in a sentence: one that is a bare number says what it is of, "hyperedge 4". */
  called(scope: Thing["scope"], row: number): string | null {
    const label = this.label(scope, row);
    return label !== null && isNumber(label) ? `${SINGULAR[scope]} ${label}` : label;
  }

  /** Several of them: "hyperedges 0, 1 and 4", "Quay and Mole"; `listed` joins them. */
  calledAll(scope: Thing["scope"], rows: readonly number[], listed: (names: readonly string[]) => string): string {
    const labels = rows.map((row) => this.label(scope, row) ?? `row ${row}`);
    const bare = labels.length > 1 && labels.every(isNumber);
    if (bare) return `${scope} ${listed(labels)}`;
    return listed(rows.map((row) => this.called(scope, row) ?? `row ${row}`));
  }

  /** How many vertices or hyperedges there are. */
  count(scope: Thing["scope"]): number {
    return this.trace.hypergraph[scope].length;
  }

  /** All that happened to one vertex or hyperedge: its states, and with `locals` what the interpreter computed. */
  history(scope: Thing["scope"], row: number, locals = false): Event[] {
    const states = this.trace.variables.filter((v) => v.scope === scope && v.role !== "local");
    const events = states.flatMap((v) =>
      eventsOf(v.name, this.trace.columns[v.column], row, v.line).map((event) =>
        this.follows(event.frame)
          ? event
          : {
              ...event,
              line: this.#knowsLines(event.frame) ? event.line : 0,
              after: this.iterationOf(event.frame - 1),
            },
      ),
    );
    if (locals) {
      const own = this.trace.program.filter((p) => p.scope === scope);
      const computed = own.flatMap((p) => eventsOf(p.name, changesOf(p), row, p.line).slice(1));
      events.push(...computed.map((event) => ({ ...event, after: this.#lastBefore(event.frame) })));
    }
    return events.sort((a, b) => a.frame - b.frame);
  }

  /** The next (or, with -1, the last) frame after (before) this one at which a name's value changes; null: none. */
  nextChange(name: string, direction: 1 | -1, from = this.frame): number | null {
    const named = [this.variables.get(name), this.locals.get(name)];
    const found = named.map((n) => (n ? this.#nextChangeOf(n, direction, from) : null)).filter((f) => f !== null);
    if (found.length === 0) return null;
    return direction > 0 ? Math.min(...found) : Math.max(...found);
  }

  #nextChangeOf(named: Named, direction: 1 | -1, from: number): number | null {
    const changes = this.#changesOf(named);
    const last = named.scope === "scalar" ? 0 : this.count(named.scope);
    const first = named.scope === "scalar" ? 0 : 1;
    let k = direction > 0 ? lowerBound(changes.frame, from + 1) : lowerBound(changes.frame, from) - 1;
    for (; k >= 0 && k < changes.frame.length; k += direction) {
      const row = changes.row[k] as number;
      const frame = changes.frame[k] as number;
      if ((row === -1 || (row >= first && row <= last)) && this.#stands(named, frame)) return frame;
    }
    return null;
  }

  #changesOf(named: Named): Pick<Changes, "frame" | "row" | "value"> {
    const columns = this.trace.columns.length;
    const changes = named.variable ? this.trace.columns[named.column] : this.trace.program[named.column - columns];
    return changes as Changes;
  }

  /** The source lines whose assignments changed something at this frame, with how many values; none if not known. */
  changedLines(): Map<number, number> {
    const lines = new Map<number, number>();
    const { start, line } = this.log;
    if (this.frame === 0 || !this.#knowsLines(this.frame)) return lines;
    const end = start[this.frame + 1] as number;
    for (let i = start[this.frame] as number; i < end; i++) {
      const n = line[i] as number;
      if (n > 0) lines.set(n, (lines.get(n) ?? 0) + 1);
    }
    return lines;
  }

  /** The source line whose assignment changed a cell at this frame; 0 if none did, or that is not known. */
  lineOf(column: number, row: number): number {
    const { frame, row: rows, line } = this.trace.columns[column] as Changes;
    if (!this.#knowsLines(this.frame)) return 0;
    for (let k = lowerBound(frame, this.frame); frame[k] === this.frame; k++)
      if (rows[k] === row || rows[k] === -1) return line?.[k] ?? 0;
    return 0;
  }

  /** All frames at which a source line changes something, in order. */
  framesOfLine(line: number): readonly number[] {
    this.#linesToFrames ??= this.#indexLines();
    return this.#linesToFrames.get(line) ?? [];
  }

  #indexLines(): Map<number, number[]> {
    const index = new Map<number, number[]>();
    const { start, line } = this.log;
    for (let f = 1; f < this.length; f++) {
      if (!this.#knowsLines(f)) continue;
      const end = start[f + 1] as number;
      for (let i = start[f] as number; i < end; i++) {
        const n = line[i] as number;
        if (n <= 0) continue;
        const frames = index.get(n);
        if (!frames) index.set(n, [f]);
        else if (frames[frames.length - 1] !== f) frames.push(f);
      }
    }
    return index;
  }

  /** The source lines that a frame's layer implements; without layers, those of all. */
  linesOf(frame = this.frame): number[] {
    const section = this.sectionOf(frame);
    if (section === "") return [];
    const layers = this.trace.model.layers;
    const here = this.trace.recorded.layers ? layers.slice(this.layerOf(frame) - 1, this.layerOf(frame)) : layers;
    return this.operations.lines(here.flatMap(purposesOf), section);
  }

  #differencesOf(name: string): Map<number, Map<number, number>> | undefined {
    const known = this.#differences.get(name);
    const given = this.trace.differences.values;
    if (known || !Object.hasOwn(given, name)) return known;
    const { frame, row, expected } = given[name] as { frame: number[]; row: number[]; expected: number[] };
    const index = new Map<number, Map<number, number>>();
    for (let k = 0; k < frame.length; k++) {
      const f = frame[k] as number;
      if (!index.has(f)) index.set(f, new Map());
      index.get(f)?.set(row[k] as number, expected[k] as number);
    }
    this.#differences.set(name, index);
    return index;
  }
}

const NOTHING = "–";

/** Why a value is not of the answer: a flag of the program is what it is. */
export function noResult(flag: string, value: 0 | 1): string {
  return `no result while ${flag} is ${value === 1 ? "yes" : "no"}`;
}

/** The first k with numbers[k] >= least. */
export function lowerBound(numbers: ArrayLike<number>, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function eventsOf(name: string, changes: Changes | undefined, row: number, declared: number): Event[] {
  if (!changes) return [];
  let last = typeof changes.initial === "number" ? changes.initial : (changes.initial[row] ?? 0);
  const events: Event[] = [{ frame: 0, name, value: last, line: declared, after: null }];
  for (let k = 0; k < changes.frame.length; k++) {
    const at = changes.row[k] as number;
    const value = changes.value[k] as number;
    if ((at !== row && at !== -1) || value === last) continue;
    events.push({
      frame: changes.frame[k] as number,
      name,
      value,
      line: changes.line ? (changes.line[k] ?? 0) : declared,
      after: null,
    });
    last = value;
  }
  return events;
}

function rowIn(named: Named, row: number): number {
  return named.scope === "scalar" ? 0 : row;
}

function ofVariable(v: Variable): Named {
  const { name, kind, scope, line, section, column } = v;
  return { name, kind, scope, line, section, variable: v, column };
}

function ofLocal(p: Interpreted, column: number): Named {
  const { name, kind, scope, line, section } = p;
  return { name, kind, scope, line, section, variable: null, column };
}

function changesOf({ initial, frame, row, value }: Interpreted): Changes {
  return { initial, frame, row, value };
}

function countRows(trace: Trace): number {
  const { vertices, hyperedges } = trace.hypergraph;
  let rows = 1 + Math.max(vertices.length, hyperedges.length);
  for (const { initial } of trace.columns) if (typeof initial !== "number") rows = Math.max(rows, initial.length);
  return rows;
}

/** One unit of length. A trace without one is not shown: every length would be wrong. */
export function unitOf({ unit }: Pick<Trace, "unit">): Fraction {
  const fraction = parseFraction(unit);
  if (!fraction || fraction.top <= 0n) throw new Error(`The unit of lengths cannot be read: ${unit}`);
  return fraction;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
}

/** The first rows of a column at the end of a run. */
export function endOf({ initial, row, value }: Changes, rows: number): Float64Array {
  const now = new Float64Array(rows);
  if (typeof initial === "number") now.fill(initial);
  else now.set(initial.slice(0, rows));
  for (let k = 0; k < row.length; k++) {
    const at = row[k] as number;
    if (at < 0) now.fill(value[k] as number);
    else if (at < rows) now[at] = value[k] as number;
  }
  return now;
}

export const SINGULAR = { vertices: "vertex", hyperedges: "hyperedge" } as const;

/** Whether a label reads as a number, whatever it is in the file. */
function isNumber(label: string): boolean {
  return /^("?)-?\d+(\.\d+)?\1$/.test(label);
}
