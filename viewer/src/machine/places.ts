/** Which column holds which value of the program after which layers: the twin of `places` in src/hyloop/compare.py. */

import type { Variable } from "../trace";
import type { Model } from "./model";

/** A local of the program, operation `op` of a section, in a column after the layers `from` to `until`. */
export interface LocalPlace {
  readonly section: "before" | "body";
  readonly op: number;
  readonly column: number;
  readonly from: number;
  readonly until: number;
}

/** The locals that stand in columns in passing, each value in one column after consecutive layers together. */
export function localPlaces(model: Model): LocalPlace[] {
  const found: LocalPlace[] = [];
  for (const { section, op, column, layer } of heldValues(model)) {
    const last = found.at(-1);
    const same = last?.section === section && last.op === op && last.column === column && last.until === layer - 1;
    if (same && last) found[found.length - 1] = { ...last, until: layer };
    else found.push({ section, op, column, from: layer, until: layer });
  }
  return found;
}

/** Whole values of the same iteration, in the order of sections, operations, names of columns and layers. */
function heldValues({ held, columns }: Model) {
  const name = (column: number) => columns[column]?.name ?? "";
  return held
    .flatMap(({ layer, column, for: purposes }) =>
      purposes.flatMap(([section, op, part, ahead]) =>
        part === "value" && !ahead ? [{ section, op, column, layer }] : [],
      ),
    )
    .sort(
      (a, b) =>
        compared(a.section, b.section) || a.op - b.op || compared(name(a.column), name(b.column)) || a.layer - b.layer,
    );
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For each of a trace's variables, the operation that it is; null for states and the halt flag. */
export function operationsOf(model: Model, variables: readonly Variable[]): (number | null)[] {
  const locals = localPlaces(model);
  return variables.map(({ role, section, column, from, until }) => {
    if (role !== "local") return null;
    // Two equal values in one column are two variables, in the order of their operations.
    const at = locals.findIndex(
      (one) => one.section === section && one.column === column && one.from === from && one.until === until,
    );
    return locals.splice(at, 1)[0]?.op ?? null;
  });
}
