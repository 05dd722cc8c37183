/** What the operations of a program are in the iteration that is shown, and which of them it uses. */

import type { Section as Running } from "../trace";
import type { State } from "./encode";
import type { Explainer } from "./explain";
import { givenOf, hypergraphOf } from "./given";
import { evaluated, type Value, type World } from "./interpret";
import { prepare } from "./prepare";
import { assignments, type Section } from "./program";

const KNOWN = new WeakMap<Explainer, { world: World; iteration: number; values: readonly Value[] | null }>();

/**
 * The value of every operation of the iteration that is shown, computed by the interpreter from the states at its
 * start; null where these are not known, or where the transformer differs from the interpreter.
 */
export function iterationValues(explainer: Explainer): readonly Value[] | null {
  const { iteration } = explainer.recording;
  const known = KNOWN.get(explainer);
  if (known?.iteration === iteration) return known.values;
  const world = known?.world ?? worldOf(explainer);
  const values = valuesNow(explainer, world);
  KNOWN.set(explainer, { world, iteration, values });
  return values;
}

function worldOf({ model, recording, incidences }: Explainer): World {
  const h = hypergraphOf(recording.trace);
  const { weights, inputs } = prepare(model.program, h, givenOf(model, recording.trace));
  return { vertices: h.vertices.length, hyperedges: h.hyperedges.length, incidences, weights, inputs };
}

function valuesNow(explainer: Explainer, world: World): readonly Value[] | null {
  const { model, recording } = explainer;
  const start = explainer.run(1)?.before;
  if (!start || recording.trace.differences.first) return null;
  const { before, body } = model.program;
  const section = recording.sectionOf(recording.frame) === "before" ? before : body;
  return evaluated(section, world, statesIn(explainer, world, start));
}

/** The states of the program, as they stand in X. */
function statesIn({ model }: Explainer, world: World, state: State): Map<string, Value> {
  const { program, infinity } = model;
  const states = program.states.map(({ name, type }): [string, Value] => {
    const column = model.columns.findIndex(({ role, of }) => role === "state" && of === name);
    const read = (row: number) => {
      const value = (state[column] as Float64Array)[row] as number;
      return type.kind === "length" && value === infinity ? Number.POSITIVE_INFINITY : value;
    };
    if (type.scope === "scalar") return [name, read(0)];
    return [name, Array.from({ length: world[type.scope] }, (_, k) => read(k + 1))];
  });
  return new Map(states);
}

const WORLDS = new WeakMap<Explainer, World>();

/**
 * Whether a statement assigns the state in a column on a row, in an iteration with these states before its last layer;
 * also true of a column with no state.
 */
export function assignedIn(explainer: Explainer, running: Running, state: State, row: number, column: number): boolean {
  const { role, of } = explainer.model.columns[column] as Explainer["model"]["columns"][number];
  if (role !== "state") return true;
  const world = WORLDS.get(explainer) ?? worldOf(explainer);
  WORLDS.set(explainer, world);
  const { before, body } = explainer.model.program;
  const section = running === "before" ? before : body;
  const masks = assignments(section, of).map(({ mask }) => mask);
  if (masks.length === 0 || masks.includes(null)) return masks.length > 0;
  const values = evaluated(section, world, statesIn(explainer, world, state));
  return masks.some((mask) => {
    const value = values[mask as number] as Value;
    return (typeof value === "number" ? value : value[row - 1]) === 1;
  });
}

/** The operations that decide what an iteration writes: not those of a branch that is not taken on any row. */
export function usedIn({ ops, updates, stop }: Section, values: readonly Value[]): Set<number> {
  const used = new Set<number>();
  const holds = (op: number, wanted: 0 | 1): boolean => {
    const value = values[op] as Value;
    return typeof value === "number" ? value === wanted : value.every((each) => each === wanted);
  };
  const visit = (op: number): void => {
    if (used.has(op)) return;
    used.add(op);
    for (const operand of decidingOperands(op)) visit(operand);
  };
  const decidingOperands = (op: number): readonly number[] => {
    const { name, operands } = ops[op] as Section["ops"][number];
    const [first, second, third] = operands as [number, number, number];
    if (name === "where" && holds(first, 0)) return [first, third];
    if (name === "where" && holds(first, 1)) return [first, second];
    // One operand decides: the others do not matter.
    const decisive = name === "and" ? 0 : name === "or" ? 1 : null;
    const deciding = decisive === null ? undefined : operands.find((each) => holds(each, decisive));
    return deciding === undefined ? operands : [deciding];
  };
  for (const op of updates.values()) visit(op);
  if (stop !== null) visit(stop);
  return used;
}
