/** The list of algorithms to choose from. */

import { el } from "../dom";
import type { Algorithm } from "./model";

const GROUPS = [
  ["Any hypergraph", false],
  ["Directed: from tails to heads", true],
] as const;

/** An option for each algorithm, with its few words; those that follow directions stand together. */
export function algorithmOptions(algorithms: readonly Algorithm[]): HTMLElement[] {
  return GROUPS.flatMap(([label, directed]) => {
    const group = algorithms.filter((each) => (each.directed ?? false) === directed);
    const options = group.map(({ name, short }) => el("option", { value: name }, short ? `${name} – ${short}` : name));
    return options.length === 0 ? [] : [el("optgroup", { label }, ...options)];
  });
}
