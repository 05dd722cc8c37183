/**
 * Which statements of the program a hidden unit works for.
 *
 * Its purposes name the state that is assigned; of several assignments to one state, what the unit reads says which it
 * is. So its lines are the same on every row, and whether or not the unit is active there.
 */

import type { Moment, Naming } from "../naming";
import type { Layer as About, Purpose, Section } from "../trace";
import type { Value } from "./interpret";
import type { Layer, Sum } from "./model";
import { type Assignment, assignments, type Op, type Section as Statements } from "./program";

/** What a unit is for, and the source lines of that. */
export interface Served {
  readonly purposes: readonly Purpose[];
  readonly lines: readonly number[];
}

/** Operations that are there without a statement: where one is used first says nothing. */
const GIVEN: ReadonlySet<string> = new Set(["state", "input", "constant", "size", "weight", "own"]);

/** The source lines of purposes, each once, in order. */
export function linesFor(naming: Naming, purposes: readonly Purpose[]): number[] {
  const { operations } = naming.recording;
  const lines = purposes.flatMap((purpose) => {
    const { name, line } = operations.of(purpose);
    if (purpose[2] === "halt") return haltLines(naming, purpose);
    return GIVEN.has(name) && !isAssigned(purpose) ? [] : [line];
  });
  return sorted(lines);
}

/** The lines of all conditions that end the loop. */
function haltLines(naming: Naming, [section]: Purpose): number[] {
  const { before, body } = naming.model.program;
  const stops = stopsOf(section === "before" ? before : body);
  return stops.map((stop) => naming.recording.operations.at(section, stop).line);
}

/** The conditions that end a loop: of several `stop_when`, each a stop of its own. */
export function stopsOf(section: Statements): number[] {
  return section.stop === null ? [] : stopsWithin(section, section.stop);
}

/** Of several conditions that end a loop, the first that holds; the one flag made of them where that is not known. */
export function stopThatHolds(section: Statements, values: readonly Value[] | null): number {
  return stopsOf(section).find((stop) => values?.[stop] === 1) ?? (section.stop as number);
}

/**
 * A later `stop_when` joins the ones before it by an `or`, and holds only where these do not; an `or` of the author's
 * own denies none of its parts.
 */
function stopsWithin(section: Statements, op: number): number[] {
  const { name, operands, label } = section.ops[op] as Op;
  if (name !== "or" || label !== "") return [op];
  const [earlier, later] = operands as [number, number];
  const stops = stopsWithin(section, earlier);
  const denied = deniedBy(section, later);
  return stops.some((stop) => denied.has(stop)) ? [...stops, later] : [op];
}

/** The operations of which a conjunction has the negation. */
function deniedBy(section: Statements, op: number): Set<number> {
  const { name, operands } = section.ops[op] as Op;
  if (name === "not") return new Set(operands);
  return new Set(name === "and" ? operands.flatMap((each) => [...deniedBy(section, each)]) : []);
}

/** What a unit of a layer (from 1) is for, of the statements that it works for. */
export function servedBy(naming: Naming, number: number, layer: Layer, stage: number, unit: number): Served {
  const units = new Units(naming, number, layer);
  const all = units.purposes(stage, unit);
  const assigned = all.filter(isAssigned);
  if (assigned.length === 0) return { purposes: all, lines: linesFor(naming, naming.here(all)) };
  const found = units.gates(stage, unit).flatMap((gate) => gate.units.statements(gate, assigned));
  // What keeps the old value has no gate of its own: it works for all the statements that may replace it.
  const statements = found.length > 0 ? found : assigned.flatMap((purpose) => units.every(purpose));
  const sections = new Set(statements.map(({ section }) => section));
  return { purposes: all.filter(([section]) => sections.has(section)), lines: linesOf(naming, statements) };
}

/** The lines of the statements that the gate in a column lets take effect; [] where no unit is known to write it. */
export function gateLines(naming: Naming, column: number, layer: number, moment: Moment): number[] {
  const held = naming.held(column, layer, moment).filter(isGate);
  const gates = storedGates(naming, column, moment === "after" ? layer : layer - 1);
  const found = gates.flatMap((gate) => gate.units.statements(gate, held));
  return linesOf(naming, found);
}

/** The lines of those that run now, or else of the others. */
function linesOf(naming: Naming, statements: readonly Statement[]): number[] {
  const mine = statements.filter(({ section }) => section === naming.section);
  const here = mine.length > 0 ? mine : statements;
  return sorted(here.map(({ section, op }) => naming.recording.operations.at(section, op).line));
}

/** The gates that a layer up to this one left in a column. */
function storedGates(naming: Naming, column: number, upTo: number): Place[] {
  for (let number = upTo; number > 0; number--) {
    const layer = naming.model.layers[number - 1] as Layer;
    const out = layer.out[layer.writes.indexOf(column)];
    const units = new Units(naming, number, layer);
    const gates = (out?.from ?? []).filter((unit) => units.purposes(LAST, unit).some(isGate));
    if (gates.length > 0) return gates.map((unit) => ({ units, stage: LAST, unit }));
  }
  return [];
}

interface Statement extends Assignment {
  readonly section: Section;
}

/** The last stage of an MLP, which is added to X. */
const LAST = 2;

interface Place {
  readonly units: Units;
  readonly stage: number;
  readonly unit: number;
}

class Units {
  constructor(
    readonly naming: Naming,
    readonly number: number,
    readonly layer: Layer,
  ) {}

  purposes(stage: number, unit: number): readonly Purpose[] {
    const about = this.naming.recording.trace.model.layers[this.number - 1] as About;
    return about.units.stages[stage]?.[unit]?.for ?? [];
  }

  #sum(stage: number, unit: number): Sum {
    return (this.layer.stages[stage] as readonly Sum[])[unit] as Sum;
  }

  /** The gates that open a unit: it is one itself, or adds them; those that it subtracts close it. */
  gates(stage: number, unit: number): Place[] {
    const own = this.purposes(stage, unit);
    if (own.some(isGate)) return [{ units: this, stage, unit }];
    if (!own.some(isAssigned)) return [];
    const { from, weight } = this.#sum(stage, unit);
    const added = from.filter((_, k) => (weight[k] as number) > 0);
    return added.flatMap((source) => (stage > 0 ? this.gates(stage - 1, source) : this.#stored(source)));
  }

  /** The gates that an earlier layer left in a column. */
  #stored(column: number): Place[] {
    const isStored = this.naming.held(column, this.number, "attended").some(isGate);
    return isStored ? storedGates(this.naming, column, this.number - 1) : [];
  }

  /** All assignments of a purpose. */
  every(purpose: Purpose): Statement[] {
    const [section] = purpose;
    const states = this.naming.recording.operations.of(purpose).assigns;
    return states.flatMap((state) => assignments(this.#section(section), state).map((each) => ({ ...each, section })));
  }

  /** Those that a gate opens, of the states that `wanted` assigns. */
  statements({ stage, unit }: Omit<Place, "units">, wanted: readonly Purpose[]): Statement[] {
    const { operations } = this.naming.recording;
    const states = new Set(wanted.flatMap((purpose) => operations.of(purpose).assigns));
    return this.purposes(stage, unit)
      .filter((purpose) => isGate(purpose) && operations.of(purpose).assigns.some((state) => states.has(state)))
      .flatMap((purpose) => {
        const all = this.every(purpose);
        return all.length > 1 ? this.#nearest(all, this.#reads(stage, unit, purpose[0])) : all;
      });
  }

  /** The statements whose masks are nearest to what a gate reads; all of them where it does not say. */
  #nearest(all: readonly Statement[], reads: readonly (readonly number[])[]): readonly Statement[] {
    const far = all.map(({ mask, section }) => {
      const depth = mask === null ? new Map<number, number>() : depths(this.#section(section), mask);
      const each = reads.map((ops) => Math.min(...ops.map((op) => depth.get(op) ?? Number.POSITIVE_INFINITY)));
      return each.reduce((sum, one) => sum + one, 0);
    });
    const least = Math.min(...far);
    return reads.length > 0 && Number.isFinite(least) ? all.filter((_, k) => far[k] === least) : all;
  }

  /** The operations whose values a unit reads, source by source: each source has those that it is the value of. */
  #reads(stage: number, unit: number, section: Section): number[][] {
    const values = (purposes: readonly Purpose[]) =>
      purposes.filter((purpose) => purpose[0] === section && !isAssigned(purpose)).map(([, op]) => op);
    const own = values(this.purposes(stage, unit));
    if (own.length > 0) return [own];
    const { from } = this.#sum(stage, unit);
    if (stage > 0) return from.flatMap((source) => this.#reads(stage - 1, source, section));
    return from
      .map((column) => values(this.naming.held(column, this.number, "attended")))
      .filter((ops) => ops.length > 0);
  }

  #section(section: Section): Statements {
    const { before, body } = this.naming.model.program;
    return section === "before" ? before : body;
  }
}

/** How far below an operation each of those that it is computed from is. */
function depths({ ops }: Statements, from: number): Map<number, number> {
  const found = new Map([[from, 0]]);
  for (const [op, depth] of found)
    for (const operand of ops[op]?.operands ?? []) if (!found.has(operand)) found.set(operand, depth + 1);
  return found;
}

function isGate([, , part]: Purpose): boolean {
  return part === "gate";
}

function isAssigned([, , part]: Purpose): boolean {
  return part === "assignment" || part === "gate";
}

function sorted(lines: readonly number[]): number[] {
  return [...new Set(lines.filter((line) => line > 0))].sort((a, b) => a - b);
}
