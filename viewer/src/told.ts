// The run as a story: a sentence for each layer, made from what its parts are for and from the values there.

import { few } from "./few";
import type { State } from "./machine/encode";
import type { Explainer, LayerRun } from "./machine/explain";
import type { Value } from "./machine/interpret";
import { iterationValues, usedIn } from "./machine/iteration";
import { assignments, type Section as Statements } from "./machine/program";
import { stopThatHolds } from "./machine/statements";
import { code, plain } from "./marked";
import { Naming } from "./naming";
import { type Noted, notesOf } from "./notes";
import { type Named, noResult, type Recording, SINGULAR, type Thing } from "./recording";
import { bare, described, Spoken } from "./spoken";
import {
  type CalledFunction,
  isUnverified,
  type Kind,
  type Purpose,
  type Scope,
  type Section,
  type Trace,
} from "./trace";

/** Who did what a clause tells: the head (from 0) or the MLP, and on which rows; no rows where it is not known. */
export interface Doer {
  readonly part: number | "mlp";
  readonly scope: Scope;
  readonly rows: readonly number[];
  /** The column that has it, of a head, which may bring several. */
  readonly column?: number;
}

/** What a layer did: whole clauses, in the order in which it does it; names of the program are marked in them. */
export interface Told {
  readonly layer: number;
  /** Whether nobody vouches for what the model says its parts are for. */
  readonly unverified: boolean;
  readonly clauses: readonly string[];
  /** Who did what each of the clauses tells. */
  readonly doers: readonly Doer[];
  /** The functions of the program that it works for, where these are not the algorithm itself. */
  readonly within: readonly CalledFunction[];
  /** What the author of the program says of this iteration. */
  readonly notes: readonly Noted[];
  /** The source lines of what it found and worked out; what it wrote is in the recording. */
  readonly lines: readonly number[];
  /** Who did what matters most of it: what changed at this frame, else what was found; null where nothing is told. */
  readonly by: Doer | null;
}

/** How much a clause matters: what changed a variable of the author's, or ended the loop, comes before all others. */
const WEIGHTS = ["changed", "found", "named", "loops", "ahead", "unnamed"] as const;

/** A clause, with who did what it tells. */
interface Said {
  readonly text: string;
  readonly doer: Doer;
  readonly weight: (typeof WEIGHTS)[number];
}

export const FEW = 5; // names in a sentence
const GROUPS = 4; // of rows that change alike

/** The clauses of a layer of the iteration that is shown; null where the layer cannot be computed. */
export function toldOf(explainer: Explainer, number: number): Told | null {
  const run = explainer.run(number);
  if (!run) return null;
  const teller = new Teller(explainer, run);
  const [found, changed] = [[...teller.heads(), ...teller.locals()], teller.changes()];
  const decided = teller.decided();
  const clauses = [...found, ...decided, ...changed];
  // What it works out and decides by is told once.
  const unnamed = found.length + changed.length > 0 ? clauses : teller.unnamed();
  const named = unnamed.length > 0 ? unnamed : decided;
  const all = named.length > 0 ? named : teller.effects();
  const told = all.filter(({ text }, k) => all.findIndex((other) => other.text === text) === k);
  return {
    layer: number,
    unverified: isUnverified(explainer.recording.trace),
    clauses: told.map(({ text }) => text),
    doers: told.map(({ doer }) => doer),
    within: teller.within(),
    notes: told.length > 0 ? notesOf(explainer) : [],
    lines: [...teller.lines],
    by: weightiest(told),
  };
}

function weightiest(told: readonly Said[]): Doer | null {
  const found = WEIGHTS.map((weight) => told.find((each) => each.weight === weight)).find((each) => each);
  return found?.doer ?? null;
}

/** Whether a layer of the iteration that is shown finds something, works it out, or changes a variable of the author's. */
export function happens(explainer: Explainer, number: number): boolean {
  const run = explainer.run(number);
  return run !== null && new Teller(explainer, run).happens();
}

/** "Layer 1 picks the hyperedge with the least key: ferry, 4." */
export function sentence(told: Told, section: Section): string {
  return plain(markedSentence(told, section));
}

/** The same, with the names of the program marked. */
export function markedSentence(told: Told, section: Section): string {
  const { layer, clauses } = told;
  if (clauses.length > 0) return `${opening(told)}${clauses.join("; ")}.`;
  return section === "before"
    ? `Layer ${layer} has nothing to do yet: its work belongs to the loop.`
    : `Layer ${layer} finds nothing that this iteration uses.`;
}

/**
 * "Layer 2 ", or "Layer 2, for divide (one step of …), ", where it works for a function that the algorithm calls. What
 * an unverified model does is what it says of itself.
 */
export function opening({ layer, unverified, within, notes }: Told): string {
  const about = notes.map((note) => ` (${note.about})`).join("");
  const reserve = unverified ? ", as the unverified model says," : "";
  return within.length === 0
    ? `Layer ${layer}${about}${reserve} `
    : `Layer ${layer}${reserve || ","} for ${listed(within.map(({ name }) => code(name)))}${about}, `;
}

/** How the answer begins: that of an unverified model is what the model says. */
export function answerOpening(trace: Trace): string {
  return isUnverified(trace) ? "The answer, as the unverified model says" : "The answer";
}

/** Why the first iteration of a program with statements before its loop is another than the rest; "" elsewhere. */
export function setupText(recording: Recording): string {
  if (recording.sectionOf(recording.frame) !== "before") return "";
  const { ops } = recording.trace.algorithm;
  const setting = ops.filter(({ section, assigns }) => section === "before" && assigns.length > 0);
  const lines = setting.map(({ line }) => line);
  const names = [...new Set(setting.flatMap(({ assigns }) => assigns))].map((name) => recording.shown(name));
  const known = lines.filter((line) => line > 0);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const where = known.length === 0 ? "" : first === last ? ` (line ${first})` : ` (lines ${first} to ${last})`;
  return (
    `Iteration 1 only sets up: it runs the statements before the loop${where}, which assign ${listed(names)}. The ` +
    "layers are the same as ever and compute for the loop, too; but the flag started is still 0, so that this assigns " +
    "no variable and ends no loop."
  );
}

class Teller {
  readonly #naming: Naming;
  readonly #spoken: Spoken;
  readonly #recording: Recording;
  readonly #section: Section;
  /** The source lines of what was told. */
  readonly lines = new Set<number>();
  /** Of every operation in this iteration; null where they are not known. */
  readonly #values: readonly Value[] | null;
  readonly #used: ReadonlySet<number> | null;

  constructor(
    explainer: Explainer,
    readonly run: LayerRun,
  ) {
    this.#recording = explainer.recording;
    this.#naming = new Naming(explainer.model, explainer.recording);
    this.#spoken = new Spoken(this.#naming, (section, op) => this.#known(section, op));
    this.#section = this.#naming.section;
    this.#values = iterationValues(explainer);
    const { before, body } = explainer.model.program;
    this.#used = this.#values && usedIn(this.#section === "before" ? before : body, this.#values);
  }

  happens(): boolean {
    const worked = this.#computed().filter(({ purpose }) => !this.#spoken.isOfLoops(...place(purpose)));
    return (
      this.#brought().some((each) => this.#finds(each, this.run.attended)) ||
      worked.some((each) => this.#finds(each, this.run.after)) ||
      this.#ownStates().some((each) => this.#changed(each).length > 0)
    );
  }

  /** Whether a value is something: rows, a number, a place. A single flag only decides. */
  #finds({ purpose, column }: Placed, state: State): boolean {
    const { kind, scope } = this.#naming.op(purpose).type;
    if (kind === "flag" && scope === "scalar") return false;
    return this.#rowsOf(purpose, state, column).some(({ value }) => value !== this.#absent(kind));
  }

  /** The states that the author of the program made. */
  #ownStates(): Named[] {
    const all = [...this.#recording.variables.values()];
    return all.filter(({ variable, name }) => variable?.role === "state" && !this.#recording.isMade(name));
  }

  /** What the heads bring that this iteration uses. */
  #brought(): FromHead[] {
    const { heads } = this.#recording.trace.model.layers[this.run.number - 1] as { heads: { value: Brought[] }[] };
    return heads.flatMap(({ value }, head) =>
      value.flatMap(({ column, for: purposes }) =>
        purposes.filter((purpose) => this.#matters(purpose)).map((purpose) => ({ column, purpose, head })),
      ),
    );
  }

  /** What the heads found, one clause for each operation. */
  heads(): Said[] {
    const brought = this.#brought();
    return this.#toldOfHeads(brought).map(({ column, purpose, head }) => ({
      text: this.#found(purpose, column, brought),
      doer: { part: head, column, ...this.#where(purpose, this.run.attended, column) },
      weight: purpose[3] ? "ahead" : "found",
    }));
  }

  /** The rows at which a result is something. */
  #where(purpose: Purpose, state: State, column: number): Pick<Doer, "scope" | "rows"> {
    const { scope } = this.#naming.op(purpose).type;
    return { scope, rows: this.#rowsOf(purpose, state, column).map(({ row }) => row) };
  }

  #toldOfHeads(brought: readonly FromHead[]): readonly FromHead[] {
    const places = brought.filter(({ purpose }) => !this.#besidePointer(purpose, brought));
    const full = places.filter(({ column, purpose }) => !this.#isEmpty(purpose, column));
    return full.length > 0 ? full : places;
  }

  /** Who wrote a number that a column has now. */
  #writer(row: number, column: number): number | "mlp" {
    const wrote = this.run.wrote(row, column);
    const head = wrote.find(({ part }) => part === "head");
    return head?.part === "head" && !wrote.some(({ part }) => part === "unit") ? head.head : "mlp";
  }

  /** Whether a search for rows found none: of no interest where others found some. */
  #isEmpty(purpose: Purpose, column: number): boolean {
    const { type } = this.#naming.op(purpose);
    return type.scope !== "scalar" && this.#rowsOf(purpose, this.run.attended, column).length === 0;
  }

  /** The least value is told with the row that has it, if that is brought as well. */
  #besidePointer(purpose: Purpose, all: readonly { purpose: Purpose }[]): boolean {
    const pointer = POINTER_OF.get(this.#naming.op(purpose).name);
    return pointer !== undefined && all.some((other) => this.#sameSearch(purpose, other.purpose, pointer));
  }

  #sameSearch(one: Purpose, other: Purpose, name: string): boolean {
    const [a, b] = [this.#naming.op(one), this.#naming.op(other)];
    return b.name === name && a.operands.join() === b.operands.join();
  }

  #found(purpose: Purpose, column: number, all: readonly Placed[]): string {
    const op = this.#naming.op(purpose);
    this.#noteLine(purpose);
    const said = this.#idle(purpose) || (CLAUSES.get(op.name) ?? DEFAULT)(this.#asked(purpose));
    const value = this.#value(purpose, this.run.attended, column);
    const best = all.find((each) => {
      const { name } = this.#naming.op(each.purpose);
      return POINTER_OF.get(name) === op.name && this.#sameSearch(each.purpose, purpose, op.name);
    });
    const row = (this.run.attended[column] as Float64Array)[0] as number;
    const also = SEARCHES.has(op.name) && row !== 0 ? this.#best(purpose, row, best) : "";
    const when = purpose[3] ? ", for the next iteration" : "";
    return `${said}: ${value}${also}${when}`;
  }

  /** "looks at no vertex, since minus of third = 1 is not 0"; "" where the rows that it looks at are not excluded so. */
  #idle(purpose: Purpose): string {
    const [section] = purpose;
    const { operands } = this.#naming.op(purpose);
    for (const operand of operands) {
      const { kind, scope } = this.#naming.op([section, operand]).type;
      const since = kind === "flag" && scope !== "scalar" ? this.#spoken.excluded(section, operand) : "";
      if (since !== "") return `looks at no ${SINGULAR[scope as Side]}, since ${since}`;
    }
    return "";
  }

  /** The value of the row that a search found, and which others have the same. */
  #best(purpose: Purpose, row: number, best: Placed | undefined): string {
    const [section] = purpose;
    const [array, mask] = this.#naming.op(purpose).operands as [number, number | undefined];
    const { kind, scope } = this.#naming.op([section, array]).type;
    const values = purpose[3] ? null : this.#known(section, array);
    if (values === null || typeof values === "number" || scope === "scalar")
      return best ? `, ${this.#value(best.purpose, this.run.attended, best.column)}` : "";
    const among = mask === undefined ? null : this.#known(section, mask);
    const chosen = (k: number) => among === null || typeof among === "number" || among[k] !== 0;
    const same = [...values.keys()].filter((k) => k !== row - 1 && values[k] === values[row - 1] && chosen(k));
    const names = same.map((k) => this.#label({ scope, row: k + 1 }));
    const tie =
      same.length === 0
        ? ""
        : ` (${listed(names)} ${same.length === 1 ? "has" : "have"} the same; the lowest row wins)`;
    return `, ${this.#text(kind, this.#inX(values[row - 1] as number))}${tie}`;
  }

  /** A number of the interpreter as X has it. */
  #inX(value: number): number {
    return value === Number.POSITIVE_INFINITY ? this.#recording.trace.model.infinity : value;
  }

  #asked(purpose: Purpose): Asked {
    const [section] = purpose;
    const op = this.#naming.op(purpose);
    const at = (k: number, say: (op: number) => string) => {
      const number = op.operands[k];
      return number === undefined ? "" : say(number);
    };
    const array = op.operands[0];
    const scope = array === undefined ? op.type.scope : this.#naming.op([section, array]).type.scope;
    return {
      what: this.#spoken.made(section, purpose[1]),
      noun: (k) => at(k, (number) => this.#spoken.noun(section, number)),
      rows: (k) => at(k, (number) => this.#spoken.rows(section, number)),
      flags: array !== undefined && this.#spoken.areFlags(section, array),
      thing: scope === "vertices" ? "vertex" : scope === "hyperedges" ? "hyperedge" : "row",
      pointed: (k) => at(k, (number) => this.#pointed(section, number)),
    };
  }

  /** "edge (ferry)", where the value of a pointer is known; else its name alone. */
  #pointed(section: Section, number: number): string {
    const { kind } = this.#naming.op([section, number]).type;
    return this.#spoken.pointer(section, number, (value) => this.#text(kind, value));
  }

  /** The value of an operation of this iteration. */
  #known(section: Section, number: number): Value | null {
    return (section === this.#section ? this.#values?.[number] : undefined) ?? null;
  }

  /** The functions that the lines which were told of stand in. */
  within(): CalledFunction[] {
    const { functions = [] } = this.#recording.trace.algorithm;
    const own = [...this.lines].some((line) => !functions.some((each) => stands(each, line)));
    return own ? [] : functions.filter((each) => [...this.lines].some((line) => stands(each, line)));
  }

  #noteLine(purpose: Purpose): void {
    const { line } = this.#recording.operations.of(purpose);
    if (line > 0) this.lines.add(line);
  }

  /** Whether this iteration uses what an operation gives. */
  #matters([section, op]: Purpose): boolean {
    return section === this.#section && (this.#used?.has(op) ?? true);
  }

  /** The named locals that the MLP leaves in X. */
  locals(): Said[] {
    return this.#computed()
      .filter(({ purpose }) => this.#naming.op(purpose).label !== "")
      .map((each) => this.#worked(each, "named"));
  }

  /** What the MLP worked out. */
  #worked({ purpose, column }: Placed, weight: Said["weight"]): Said {
    const doer: Doer = { part: "mlp", ...this.#where(purpose, this.run.after, column) };
    return { text: this.#marked({ purpose, column }), doer, weight };
  }

  /** The comparisons of two numbers by which it decides what this iteration assigns, as they turned out. */
  decided(): Said[] {
    const doer: Doer = { part: "mlp", scope: "scalar", rows: [] };
    return this.#deciding().map((op) => {
      this.#noteLine([this.#section as "before" | "body", op, "value", false]);
      return { text: `finds that ${this.#spoken.comparison(this.#section, op)}`, doer, weight: "unnamed" };
    });
  }

  /** Those that this layer makes: not those that only say whether the loop ends, which are told where it does. */
  #deciding(): number[] {
    const { before, body } = this.#naming.model.program;
    const section = this.#section === "before" ? before : body;
    if (this.#values === null) return [];
    const ends = section.stop === null ? new Set() : coneOf(section, section.stop);
    const told = new Set(
      this.#computed().flatMap(({ purpose }) => (this.#naming.op(purpose).label ? [purpose[1]] : [])),
    );
    return [...usedIn({ ...section, stop: null }, this.#values)]
      .filter((op) => !ends.has(op) && !told.has(op) && this.#spoken.compares(this.#section, op))
      .filter((op) => this.#madeIn(section, op) === this.run.number)
      .sort((a, b) => a - b);
  }

  /** The layer whose units compute an operation, be it as a part of what follows from it. */
  #madeIn(section: Statements, op: number): number | null {
    for (const each of followersOf(section, op)) {
      const layer = this.#recording.trace.model.layers.findIndex(({ units }) =>
        units.stages.some((stage) =>
          stage.some(({ carries, for: all }) => !carries && all.some((p) => p[0] === this.#section && p[1] === each)),
        ),
      );
      if (layer >= 0) return layer + 1;
    }
    return null;
  }

  /** What else it leaves there: for a layer that has nothing with a name to tell of. */
  unnamed(): Said[] {
    // That a comparison holds nowhere decides as well; a state that is only passed on says nothing.
    const isSaid = ({ purpose, column }: Placed) =>
      this.#rowsOf(purpose, this.run.after, column).length > 0 || this.#spoken.comparesRows(...place(purpose));
    const full = this.#computed().filter(
      (each) => !this.#spoken.isOfLoops(...place(each.purpose)) && isSaid(each) && !this.#isPassedOn(each.purpose),
    );
    // What is the same number by another name is told once.
    const told = new Map(full.map((each) => [this.#spoken.resolved(...place(each.purpose)), each] as const).reverse());
    return [...told.values()]
      .reverse()
      .map((each) => this.#worked(each, "unnamed"))
      .filter(({ text }) => text !== "");
  }

  /** Which assignments it finds to take effect, or not to: for a layer that leaves nothing else. */
  effects(): Said[] {
    const before = this.#heldFor(this.run.number - 1);
    const fresh = this.#heldFor(this.run.number).filter(
      (each) => each[0] === this.#section && !before.some((other) => key(other) === key(each)),
    );
    const gates = fresh.filter((purpose) => purpose[2] === "gate");
    const taken = gates.filter((purpose) => this.#takesEffect(purpose));
    const names = (all: readonly Purpose[]) =>
      listed([...new Set(all.map((purpose) => code(this.#recording.operations.name(purpose))))]);
    if (taken.length > 0)
      return [this.#prepared(`works out which variables this iteration assigns: ${names(taken)}`, gates)];
    if (gates.length > 0)
      return [this.#prepared(`works out whether this iteration assigns ${names(gates)}: no`, gates)];
    const used = fresh.filter((purpose) => this.#matters(purpose) && !this.#isPassedOn(purpose));
    // The same number by another name is one thing.
    const kept = used.map((purpose) => [this.#kept(purpose), this.#reader(purpose)] as const);
    const readers = [...new Set(kept.map(([, reader]) => reader))];
    const texts = readers.map((reader) => {
      const what = [...new Set(kept.filter(([, by]) => by === reader).map(([text]) => text))];
      return `${listed(what)}${reader === null ? "" : `, which layer ${reader} uses`}`;
    });
    return used.length > 0 ? [this.#prepared(`prepares ${texts.join("; ")}`, used)] : [];
  }

  /** Whether a value is that of a state, which it is not to change in this iteration. */
  #isPassedOn([section, op, part]: Purpose): boolean {
    return part === "value" && this.#naming.op([section, this.#spoken.resolved(section, op)]).name === "state";
  }

  /** What stands in a temporary column for a later layer: a value of the program, or a step on the way to one. */
  #kept(purpose: Purpose): string {
    const [section, number, part] = purpose;
    const { label, type, operands } = this.#naming.op(purpose);
    const value = () => {
      if (label !== "") return code(label);
      if (type.kind === "flag" && type.scope === "scalar") return `whether ${this.#spoken.statement(section, number)}`;
      if (type.kind === "flag") return this.#keptRows(section, number);
      return this.#spoken.made(section, number);
    };
    switch (part) {
      case "one-hot":
        return `the row of ${this.#pointed(section, operands[0] ?? number)}`;
      case "count":
        return `a count for ${value()}`;
      case "lacking":
      case "any-lacking":
        return `what denies ${value()}`;
      case "candidates":
        return `the candidates for ${value()}`;
      default:
        return part === "assignment" ? `the new ${code(this.#recording.operations.name(purpose))}` : value();
    }
  }

  #keptRows(section: Section, number: number): string {
    const { scope } = this.#naming.op([section, number]).type;
    const { line } = this.#recording.operations.at(section, number);
    if (!this.#spoken.areNone(section, number)) return `the ${scope} ${this.#spoken.rows(section, number)}`.trim();
    return `that there is no ${SINGULAR[scope as Side]}${line > 0 ? ` for line ${line}` : ""}`;
  }

  /** The next layer of this iteration that reads the column in which something is kept. */
  #reader(purpose: Purpose): number | null {
    const { held, layers } = this.#naming.model;
    const here = held.filter((each) => each.layer === this.run.number);
    const columns = here.filter((each) => each.for.some((other) => key(other) === key(purpose)));
    const found = layers.findIndex(
      ({ heads, stages }, k) =>
        k >= this.run.number &&
        columns.some(({ column }) =>
          [...heads.flatMap((head) => [...head.query, ...head.key, ...head.value]), ...stages[0]].some(({ from }) =>
            from.includes(column),
          ),
        ),
    );
    return found < 0 ? null : found + 1;
  }

  /** What is told without its rows, by the head that brings the first of it, or by the MLP. */
  #prepared(text: string, purposes: readonly Purpose[]): Said {
    const first = purposes[0] as Purpose;
    const { heads } = this.#recording.trace.model.layers[this.run.number - 1] as { heads: { value: Brought[] }[] };
    const head = heads.findIndex(({ value }) => value.some((each) => each.for.some((p) => key(p) === key(first))));
    return { text, doer: { part: head < 0 ? "mlp" : head, scope: "scalar", rows: [] }, weight: "unnamed" };
  }

  /** What stands in temporary columns after a layer. */
  #heldFor(layer: number): Purpose[] {
    return this.#naming.model.held.filter((each) => each.layer === layer).flatMap((each) => each.for);
  }

  /** Whether one of the assignments to a state is made on some row of this iteration. */
  #takesEffect(purpose: Purpose): boolean {
    const [section] = purpose;
    const { before, body } = this.#naming.model.program;
    const here = section === "before" ? before : body;
    const holds = (mask: number | null) => {
      const value = mask === null ? 1 : (this.#known(section, mask) ?? 1);
      return typeof value === "number" ? value !== 0 : value.some((each) => each !== 0);
    };
    return this.#recording.operations
      .of(purpose)
      .assigns.some((state) => assignments(here, state).some(({ mask }) => holds(mask)));
  }

  #computed(): Placed[] {
    const { held } = this.#naming.model;
    const layer = this.run.number;
    const before = new Set(
      held.filter((each) => each.layer === layer - 1).flatMap((each) => each.for.map((p) => `${p[0]} ${p[1]}`)),
    );
    const heads = new Set(
      this.run.layer.heads.flatMap((_, k) =>
        (this.#recording.trace.model.layers[layer - 1]?.heads[k]?.value ?? []).flatMap((each) =>
          each.for.map((p) => `${p[0]} ${p[1]}`),
        ),
      ),
    );
    return held
      .filter((each) => each.layer === layer)
      .flatMap(({ column, for: purposes }) =>
        purposes
          .filter((purpose) => {
            const [section, op, part, ahead] = purpose;
            return (
              this.#matters(purpose) &&
              part === "value" &&
              !ahead &&
              !before.has(`${section} ${op}`) &&
              !heads.has(`${section} ${op}`)
            );
          })
          .map((purpose) => ({ purpose, column })),
      );
  }

  #marked({ purpose, column }: Placed): string {
    const [section, number] = purpose;
    const { label, type } = this.#naming.op(purpose);
    this.#noteLine(purpose);
    const value = this.#value(purpose, this.run.after, column);
    if (type.kind === "flag" && type.scope !== "scalar") {
      const which = `the ${type.scope} ${this.#spoken.opened(section, number)}`.trim();
      return label === "" ? `finds ${which}: ${value}` : `works out ${code(label)}, ${which}: ${value}`;
    }
    if (type.kind === "flag") {
      if (label === "" && this.#spoken.isDecidedByLoops(section, number))
        return number === this.#naming.model.program.body.stop ? `works out whether the loop ends: ${value}` : "";
      const said = this.#spoken.statement(section, number);
      if (label === "" && said === "") return "";
      return `works out ${label === "" ? `whether ${said}` : code(label)}: ${value}`;
    }
    const state = this.#spoken.becomes(section, number);
    const name = label !== "" ? code(label) : state === null ? "" : `the new ${code(this.#naming.stateName(state))}`;
    const what = this.#spoken.made(section, number, name === "" ? "what" : "as");
    // A name that stands for another one reads as a list without a word between.
    const said = label !== "" && this.#spoken.isName(section, number) ? `which is ${what}` : what;
    return `works out ${name === "" ? what : `${name}, ${said}`}: ${value}`;
  }

  /** The states that become others: rows that change alike together. */
  changes(): Said[] {
    const states = [...this.#recording.variables.values()].filter(({ variable }) => variable?.role !== "local");
    const rows = new Map<string, Changing>();
    const single: Part[] = [];
    for (const named of states) {
      for (const row of this.#changed(named)) {
        if (named.variable?.role === "halt") continue;
        this.#noteChange(named, row);
        if (named.scope === "scalar") single.push(this.#part(named, row));
        else this.#note(rows, { scope: named.scope, row }, this.#part(named, row));
      }
    }
    const all = grouped([...rows.values()]);
    const most = few(all.length, GROUPS);
    const told = all.slice(0, most).map((each) => this.#changing(each, changedText(this.#names(each.things), each)));
    const rest = all.slice(most);
    const more = `changes ${othersText(rest)}`;
    return [
      ...told,
      ...rest.slice(0, 1).map((each) => this.#changing(each, more)),
      ...this.#set(single),
      ...this.#halts(),
    ];
  }

  #changing({ things, parts }: Group, text: string): Said {
    const [{ scope, row }, { column }] = [things[0] as Thing, parts[0] as Part];
    const doer: Doer = { part: this.#writer(row, column), scope, rows: things.map((each) => each.row) };
    return { text, doer, weight: "changed" };
  }

  /** The scalars that become others, those of the author before those that the language made. */
  #set(single: readonly Part[]): Said[] {
    const said = (parts: readonly Part[], text: string, weight: Said["weight"]): Said[] =>
      parts.slice(0, 1).map(({ column }) => ({ text, doer: this.#onGlobalRow(column), weight }));
    const [loops, own] = [single.filter(({ made }) => made), single.filter(({ made }) => !made)];
    const set = own.map(({ name, value }) => `${code(name)} to ${value}`);
    const kept = loops.map(({ name, value }) => `${code(this.#recording.operations.called(name))} = ${value}`);
    return [
      ...said(own, `sets ${listed(set)}`, "changed"),
      ...said(loops, `keeps track of its loops: ${listed(kept)}`, "loops"),
    ];
  }

  #onGlobalRow(column: number): Doer {
    return { part: this.#writer(0, column), scope: "scalar", rows: [0] };
  }

  /** The line whose assignment a change was, as the recording has it. */
  #noteChange({ column }: Named, row: number): void {
    const line = this.#recording.lineOf(column, row);
    if (line > 0) this.lines.add(line);
  }

  #changed({ column, scope }: Named): number[] {
    const last = scope === "scalar" ? 0 : this.#recording.count(scope);
    const first = scope === "scalar" ? 0 : 1;
    return this.run.changed(column).filter((row) => row >= first && row <= last);
  }

  #note(rows: Map<string, Changing>, thing: Thing, part: Part): void {
    const key = `${thing.scope} ${thing.row}`;
    const noted = rows.get(key) ?? { thing, parts: [] };
    noted.parts.push(part);
    rows.set(key, noted);
  }

  /** " (no result while left is yes)": a flag says that the answer does not have what a row is given. */
  #denied(named: Named, row: number): string {
    const denial = this.#recording.denialOf(named);
    const flag = denial && (this.run.after[denial.flag.column] as Float64Array)[row];
    return denial && flag === denial.value ? ` (${noResult(code(denial.flag.name), denial.value)})` : "";
  }

  #part(named: Named, row: number): Part {
    const { name, kind, column } = named;
    const value = (this.run.after[column] as Float64Array)[row] as number;
    const flag = kind === "flag" ? value !== 0 : null;
    const made = this.#recording.isMade(name);
    const pointer = kind === "vertex" || kind === "hyperedge";
    const denied = this.#denied(named, row);
    return {
      name,
      column,
      value: this.#text(kind, value),
      flag,
      pointer,
      cleared: pointer && value === 0,
      made,
      denied,
    };
  }

  #halts(): Said[] {
    const { halt, program } = this.#naming.model;
    if ((this.run.after[halt] as Float64Array)[0] !== 1 || (this.run.before[halt] as Float64Array)[0] === 1) return [];
    const stop = program.body.stop as number;
    this.#noteLine(["body", stopThatHolds(program.body, this.#values), "value", false]);
    const reason = this.#spoken.reason("body", stop);
    const text = reason === "" ? "ends the loop" : `ends the loop, since ${reason}`;
    return [{ text, doer: this.#onGlobalRow(halt), weight: "changed" }];
  }

  /** The rows at which a result is something: a yes, a finite length, more than 0. */
  #rowsOf([section, op, part]: Purpose, state: State, column: number): { row: number; value: number }[] {
    const { type } = this.#naming.op([section, op]);
    const numbers = state[column] as Float64Array;
    const counts = (part === "count" || part === "any-lacking") && type.kind === "flag";
    const at = (row: number) => {
      const value = numbers[row] as number;
      return counts ? Number(part === "any-lacking" ? value === 0 : value > 0) : value;
    };
    if (type.scope === "scalar") return [{ row: 0, value: at(0) }];
    const rows = Array.from({ length: this.#recording.count(type.scope) }, (_, k) => ({
      row: k + 1,
      value: at(k + 1),
    }));
    return rows.filter(({ value }) => value !== this.#absent(type.kind));
  }

  #absent(kind: Kind): number {
    return kind === "length" ? this.#recording.trace.model.infinity : 0;
  }

  #value(purpose: Purpose, state: State, column: number): string {
    const { scope, kind } = this.#naming.op(purpose).type;
    const found = this.#rowsOf(purpose, state, column);
    if (scope === "scalar") return this.#text(kind, found[0]?.value as number);
    // Where all rows are alike, one number says it.
    const alike =
      found.length === this.#recording.count(scope) && found.every(({ value }) => value === found[0]?.value);
    if (kind !== "flag" && alike && found.length > 1)
      return `${this.#text(kind, found[0]?.value as number)} on all ${found.length} ${scope}`;
    if (kind === "flag") return this.#names(found.map(({ row }) => ({ scope, row })));
    if (found.length === 0) return `${this.#text(kind, this.#absent(kind))} everywhere`;
    return listed(found.map(({ row, value }) => `${this.#label({ scope, row })} = ${this.#text(kind, value)}`));
  }

  #text(kind: Kind, value: number): string {
    if (kind !== "vertex" && kind !== "hyperedge") return this.#recording.text(kind, value);
    if (value === 0) return "none";
    const scope = kind === "vertex" ? "vertices" : "hyperedges";
    return this.#recording.called(scope, value) ?? this.#recording.text(kind, value);
  }

  #label({ scope, row }: Thing): string {
    return this.#recording.called(scope, row) ?? `row ${row}`;
  }

  #names(things: readonly Thing[]): string {
    const count = things[0] ? this.#recording.count(things[0].scope) : 0;
    if (things[0] && things.length === count && count > FEW) return `all ${count} ${things[0].scope}`;
    const [first] = things;
    if (!first) return listed([]);
    const rows = things.filter(({ scope }) => scope === first.scope).map(({ row }) => row);
    if (rows.length < things.length) return listed(things.map((thing) => this.#label(thing)));
    return this.#recording.calledAll(first.scope, rows, listed);
  }
}

function stands({ first, last }: CalledFunction, line: number): boolean {
  return first <= line && line <= last;
}

type Brought = { column: number; for: Purpose[] };
type Placed = { column: number; purpose: Purpose };
type FromHead = Placed & { head: number };

/** "Cove, Mill and 3 more"; "none". */
export function listed(names: readonly string[], few = FEW): string {
  if (names.length === 0) return "none";
  if (names.length === 1) return names[0] as string;
  if (names.length > few + 1) return `${names.slice(0, few).join(", ")} and ${names.length - few} more`;
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The search whose row has the value that another one finds. */
const POINTER_OF: ReadonlyMap<string, string> = new Map([
  ["min", "argmin"],
  ["max", "argmax"],
]);

const SEARCHES: ReadonlySet<string> = new Set(POINTER_OF.values());

/** The operations that one is computed from, and itself. */
function coneOf({ ops }: Statements, op: number): Set<number> {
  const found = new Set([op]);
  for (const each of found) for (const operand of ops[each]?.operands ?? []) found.add(operand); // it grows
  return found;
}

/** An operation, and then those that are computed from it, the nearest first. */
function* followersOf({ ops }: Statements, op: number): Generator<number> {
  const found = new Set([op]);
  for (const each of found) {
    yield each;
    ops.forEach(({ operands }, other) => {
      if (operands.includes(each)) found.add(other);
    });
  }
}

/** A purpose, to compare it with others. */
function key([section, op, part]: Purpose): string {
  return `${section} ${op} ${part}`;
}

/** Which operation a purpose is about. */
function place([section, op]: Purpose): [Section, number] {
  return [section, op];
}

interface Asked {
  /** The whole expression. */
  readonly what: string;
  /** An operand that is a number, by name. */
  readonly noun: (k: number) => string;
  /** An operand that is a flag of rows: which rows these are; "" for all, or if there is no such operand. */
  readonly rows: (k: number) => string;
  /** Whether the first operand is flags. */
  readonly flags: boolean;
  /** What the rows are that it looks at. */
  readonly thing: string;
  /** An operand that is a pointer, and what it points to. */
  readonly pointed: (k: number) => string;
}

type Clause = (asked: Asked) => string;

/** A word and what stands after it, if anything. */
function with_(word: string, after: string): string {
  return after === "" ? word : `${word} ${after}`;
}

function many(thing: string): string {
  return thing === "vertex" ? "vertices" : `${thing}s`;
}

/** " among the vertices marked open": the mask of a search, if it has one. */
const among = ({ rows, thing }: Asked): string => (rows(1) === "" ? "" : ` among the ${many(thing)} ${rows(1)}`);

const SIDES = [
  ["", "members", (what: string) => `contain ${what}`],
  ["tails_", "tails", (what: string) => `have ${what} as a tail`],
  ["heads_", "heads", (what: string) => `have ${what} as a head`],
] as const;

function crossing([prefix, members, contain]: (typeof SIDES)[number]): [string, Clause][] {
  const [there, back] = prefix === "" ? ["incidence", "transposed"] : [members, `${members}_transposed`];
  return [
    [`${prefix}members`, ({ pointed }) => `goes from ${pointed(0)} to its ${members}`],
    [`${prefix}containing`, ({ pointed }) => `goes from ${pointed(0)} to the hyperedges that ${contain("it")}`],
    [
      `${prefix}touching`,
      ({ rows }) => `goes from ${with_("the vertices", rows(0))} to the hyperedges that ${contain("one")}`,
    ],
    [`${prefix}covered`, ({ rows }) => `goes from ${with_("the hyperedges", rows(0))} to their ${members}`],
    [
      there,
      ({ flags, rows, noun }) =>
        flags
          ? `counts for each vertex ${with_("the hyperedges", rows(0))} that ${contain("it")}`
          : `adds up ${noun(0)} over the hyperedges that ${contain("each vertex")}`,
    ],
    [
      back,
      ({ flags, rows, noun }) =>
        flags
          ? `counts for each hyperedge its ${with_(members, rows(0))}`
          : `adds up ${noun(0)} over the ${members} of each hyperedge`,
    ],
  ];
}

const DEFAULT: Clause = ({ what }) => `finds ${what}`;

/** What a head does for an operation. An operation that is not here is told by its expression. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["argmin", (asked) => `picks the ${asked.thing} with the least ${bare(asked.noun(0))}${among(asked)}`],
  ["argmax", (asked) => `picks the ${asked.thing} with the greatest ${bare(asked.noun(0))}${among(asked)}`],
  ["min", (asked) => `finds the least ${bare(asked.noun(0))}${among(asked)}`],
  ["max", (asked) => `finds the greatest ${bare(asked.noun(0))}${among(asked)}`],
  ["first", ({ thing, rows }) => `finds ${with_(`the first ${thing}`, rows(0))}`],
  ["any", ({ thing, rows }) => `asks whether any ${thing} is ${described(rows(0))}`],
  ["all", ({ thing, rows }) => `asks whether every ${thing} is ${described(rows(0))}`],
  ["read", ({ what }) => `reads ${what}`],
  ["mean", ({ noun }) => `adds up ${noun(0)}`],
  ...SIDES.flatMap(crossing),
]);

/** A state that becomes another; `flag` is what it becomes, if it is one. */
interface Part {
  readonly name: string;
  readonly column: number;
  readonly value: string;
  readonly flag: boolean | null;
  readonly pointer: boolean;
  /** Whether it is a pointer that points to nothing now. */
  readonly cleared: boolean;
  /** Whether the language made it, and not the author of the program. */
  readonly made: boolean;
  /** Why the answer does not have it, in brackets; "" where it has. */
  readonly denied: string;
}

/** A vertex or a hyperedge, and the states of it that become others. */
interface Changing {
  readonly thing: Thing;
  readonly parts: Part[];
}

/** Those that change alike. */
interface Group {
  readonly things: Thing[];
  readonly parts: readonly Part[];
}

function grouped(all: readonly Changing[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { thing, parts } of all) {
    const alike = JSON.stringify([thing.scope, parts]);
    const group = groups.get(alike) ?? { things: [], parts };
    group.things.push(thing);
    groups.set(alike, group);
  }
  return [...groups.values()];
}

/** "2 other vertices and 1 other hyperedge" */
function othersText(groups: readonly Group[]): string {
  const things = groups.flatMap((each) => each.things);
  const counts = (["vertices", "hyperedges"] as const).map((scope) => [
    things.filter((each) => each.scope === scope).length,
    scope,
  ]);
  const there = counts.filter(([count]) => count !== 0);
  return listed(there.map(([count, scope]) => `${count} other ${count === 1 ? SINGULAR[scope as Side] : scope}`));
}

type Side = Thing["scope"];

/** "gives Quay order 1, notes Mole as its predecessor, and marks it as visited and no longer waiting" */
function changedText(names: string, { things: { length: count }, parts }: Group): string {
  const alone = parts.every(({ flag, pointer }) => flag !== null || pointer);
  const possessive = count === 1 ? "its" : "their";
  const its = alone ? "the" : possessive;
  const given = parts.filter(({ flag, pointer }) => flag === null && !pointer);
  const pointing = parts.filter(({ pointer, cleared }) => pointer && !cleared);
  const noted = pointing.map(({ name, value }) => `${value} as ${its} ${code(name)}`);
  const denied = [...new Set(pointing.map((part) => part.denied))].join("");
  const cleared = parts.filter((part) => part.cleared).map(({ name }) => code(name));
  const on = parts.filter(({ flag }) => flag === true).map(({ name }) => code(name));
  const off = parts.filter(({ flag }) => flag === false).map(({ name }) => `no longer ${code(name)}`);
  const marks = [...on, ...off];
  const it = count === 1 ? "it" : "them";
  const results = given.filter((part) => part.denied === "");
  const values = results.map(({ name, value }) => `${code(name)} ${value}`).join(", ");
  // A number that the answer does not have is only stored there: it is no order, and the like.
  const stored = given.filter((part) => part.denied !== "");
  const placeOf = (name: string) =>
    results.length > 0 ? `${possessive} ${code(name)}` : `the ${code(name)} of ${names}`;
  const clauses = [
    ...(results.length > 0 ? [`gives ${names} ${values}`] : []),
    ...stored.map(({ name, value, denied }) => `stores ${value} in ${placeOf(name)}${denied}`),
    ...(noted.length > 0 ? [`notes ${listed(noted)}${given.length > 0 ? "" : ` of ${names}`}${denied}`] : []),
  ];
  const whose = clauses.length === 0 ? `the ${listed(cleared)} of ${names}` : `${possessive} ${listed(cleared)}`;
  if (cleared.length > 0) clauses.push(`clears ${whose}`);
  if (clauses.length === 0) return `marks ${names} as ${listed(marks)}`;
  const last = marks.length > 0 ? [`marks ${it} as ${listed(marks)}`] : [];
  return joined([...clauses, ...last]);
}

/** "gives …, notes … and marks …": what is done to the same rows. */
function joined(clauses: readonly string[]): string {
  return clauses.length === 1 ? (clauses[0] as string) : `${clauses.slice(0, -1).join(", ")}, and ${clauses.at(-1)}`;
}
