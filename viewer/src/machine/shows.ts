/** Which variables a picture shows by default: the twin of src/hyloop/recording/shows.py. */

import type { Scope, Shows } from "../trace";
import { assignments, type Op, type Program, type Section, type State } from "./program";

/** A local of the program that has a name: the last operation of that name in its section. */
export interface NamedLocal {
  readonly name: string;
  readonly section: "before" | "body";
  readonly op: number;
}

export function showsOf(program: Program, named: readonly NamedLocal[]): Shows {
  const vertices = over("vertices", program.states);
  const pointers = outputsFirst(
    program,
    vertices.filter(({ type }) => type.kind === "vertex"),
  );
  const through = outputsFirst(
    program,
    vertices.filter(({ type }) => type.kind === "hyperedge"),
  );
  const waiting = program.states.filter((state) => comesAndGoes(program, state));
  return {
    value: shownValue(program, vertices),
    settled: settledOf(program, vertices),
    frontier: {
      // Of flags that are refilled from each other, the last is the innermost.
      vertices: writtenAt(program, named) ?? first(over("vertices", [...waiting].reverse())),
      hyperedges: first(over("hyperedges", waiting)),
    },
    current: currentOf(program, named),
    predecessor: first(told(program, pointers).filter((state) => leadsBack(program.body, state))),
    through: first(through),
  };
}

/** A number over the vertices that is part of the result; else a pointer, such as the name of a component. */
function shownValue(program: Program, vertices: readonly State[]): string | null {
  const others = outputsFirst(
    program,
    vertices.filter(({ type }) => type.kind !== "flag"),
  );
  const isNumber = ({ type }: State) => type.kind === "count" || type.kind === "length";
  return first([...told(program, others).filter(isNumber), ...others]);
}

/** Single pointers, states first: the current rows of the loop. */
function currentOf(program: Program, named: readonly NamedLocal[]): string[] {
  const locals = named.map(({ name, section, op }) => ({ name, type: opOf(program[section], op).type }));
  const points = [...program.states, ...locals].filter(
    ({ type }) => type.scope === "scalar" && (type.kind === "vertex" || type.kind === "hyperedge"),
  );
  return [...new Set(points.map(({ name }) => name))];
}

// -- flags that change once, and those that come and go ---------------------------------------------------------------

/** A flag that every vertex gets once and keeps; else one that every vertex loses once. */
function settledOf(program: Program, vertices: readonly State[]): string | null {
  const flags = vertices.filter(({ type, name }) => type.kind === "flag" && program.body.updates.has(name));
  return first([true, false].flatMap((to) => flags.filter((each) => each.initial !== to && only(program, each, to))));
}

/** Whether a state marks rows for a while: a flag that is set and cleared, a length that becomes infinite again. */
function comesAndGoes(program: Program, state: State): boolean {
  if (state.type.kind === "flag") return !only(program, state, true) && !only(program, state, false);
  if (state.type.kind !== "length" || state.initial !== Number.POSITIVE_INFINITY) return false;
  return assignments(program.body, state.name).some(({ value }) => opOf(program.body, value).argument === "infinity");
}

/** Whether all assignments to a flag leave it as it is or make it `to`. */
function only(program: Program, { name }: State, to: boolean): boolean {
  const sections = [program.before, program.body].filter(({ updates }) => updates.has(name));
  return sections.every((each) => towards(each, name, to)[each.updates.get(name) as number]);
}

/** Of each operation, whether it is the state as it was, except where it is `to`. */
function towards({ ops }: Section, state: string, to: boolean): boolean[] {
  const found: boolean[] = [];
  for (const { name, operands, argument, type } of ops) {
    const parts = operands.map((each) => found[each] as boolean);
    if (name === "state") found.push(argument === state);
    else if (name === "constant") found.push(type.kind === "flag" && argument === String(to));
    else if (name === "where") found.push(parts.slice(1).every(Boolean));
    else if (name === "and" || name === "or")
      found.push((name === "or") === to ? parts.some(Boolean) : parts.every(Boolean));
    else found.push(false);
  }
  return found;
}

// -- where the loop writes ------------------------------------------------------------------------------------------

/** The flag with a name at whose vertices the loop assigns most: those it has just reached. */
function writtenAt({ body, states }: Program, named: readonly NamedLocal[]): string | null {
  const names = new Map(named.filter(({ section }) => section === "body").map(({ op, name }) => [op, name]));
  const counts = new Map<string, number>();
  for (const { name } of over("vertices", states)) {
    const masks = assignments(body, name).flatMap(({ mask }) => (mask === null ? [] : [rowsOf(body, mask)]));
    for (const row of [...new Set(masks)].sort((a, b) => a - b)) {
      const known = opOf(body, row).type.scope === "vertices" ? names.get(row) : undefined;
      if (known !== undefined) counts.set(known, (counts.get(known) ?? 0) + 1);
    }
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}

/** The mask without the conditions that hold for all rows or none: those of `when` and `stop_when`. */
function rowsOf(section: Section, mask: number): number {
  const { name, operands } = opOf(section, mask);
  const arrays = operands.filter((each) => opOf(section, each).type.scope !== "scalar");
  return name === "and" && arrays.length === 1 ? rowsOf(section, arrays[0] as number) : mask;
}

/** Whether a pointer is always one row, found along with the rows that get it, such as a member of their hyperedge. */
function leadsBack(section: Section, { name }: State): boolean {
  const found = assignments(section, name).map(({ mask, value }) => {
    if (mask === null || opOf(section, value).type.scope !== "scalar") return false;
    const other = computed(section, rowsOf(section, mask));
    return [...computed(section, value)].some((each) => other.has(each));
  });
  return found.length > 0 && found.every(Boolean);
}

/** All that is computed, in this iteration, for an operation: itself and its operands, leaves aside. */
function computed(section: Section, number: number): Set<number> {
  const found = new Set<number>();
  const waiting = [number];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const { operands } = opOf(section, each);
    if (found.has(each) || operands.length === 0) continue;
    found.add(each);
    waiting.push(...operands);
  }
  return found;
}

// -- which of several -------------------------------------------------------------------------------------------------

function opOf({ ops }: Section, number: number): Op {
  return ops[number] as Op;
}

function over(scope: Scope, states: readonly State[]): State[] {
  return states.filter(({ type }) => type.scope === scope);
}

/** Those that are part of the result: others the program only works with. */
function told({ outputs }: Program, states: readonly State[]): State[] {
  return states.filter(({ name }) => outputs.some(({ state }) => state === name));
}

function outputsFirst({ outputs }: Program, states: readonly State[]): State[] {
  const order = outputs.map(({ state }) => state);
  const rank = ({ name }: State) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...states].sort((a, b) => rank(a) - rank(b));
}

function first(states: readonly State[]): string | null {
  return states[0]?.name ?? null;
}
