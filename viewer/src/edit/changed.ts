/** What an edit changed in the answer, in words: "Wreck: distance ∞ → 7". */

import { labelText } from "../labels";
import { endOf, type Recording } from "../recording";
import type { Changes, Kind, Scope, Variable } from "../trace";
import { NO_RENAMES, type Renames } from "./model";

/**
 * What was renamed, and the outputs of two runs of one algorithm that differ, a line for each vertex, hyperedge or
 * single value, by its new name.
 */
export function changesBetween(before: Recording, after: Recording, renames: Renames = NO_RENAMES): string[] {
  return [...renamed(renames), ...differing(before, after, renames)];
}

function renamed({ vertices, hyperedges }: Renames): string[] {
  return [...vertices, ...hyperedges].map(([old, label]) => `${labelText(old)}: renamed, now ${labelText(label)}`);
}

function differing(before: Recording, after: Recording, renames: Renames): string[] {
  const [was, is] = [answersOf(before, renames), answersOf(after, NO_RENAMES)];
  const main = after.trace.shows.value ?? "";
  const lines = [...is].flatMap(([key, now]) => {
    const told = changesOf(was.get(key)?.values ?? null, now.values);
    return told === ""
      ? []
      : [{ told: `${now.title}${told}`, main: now.values.get(main) !== was.get(key)?.values.get(main) }];
  });
  // Those whose main value changed come first.
  return [...lines.filter(({ main }) => main), ...lines.filter(({ main }) => !main)].map(({ told }) => told);
}

interface Answer {
  readonly title: string;
  /** By name, that which the picture shows first; a single value has its name in the title. */
  readonly values: Map<string, string>;
}

function changesOf(was: ReadonlyMap<string, string> | null, is: ReadonlyMap<string, string>): string {
  const named = (name: string) => (name === "" ? "" : `${name} `);
  if (was === null) return `new, ${[...is].map(([name, value]) => `${named(name)}${value}`).join(", ")}`;
  return [...is]
    .filter(([name, value]) => was.has(name) && was.get(name) !== value)
    .map(([name, value]) => `${named(name)}${was.get(name)} → ${value}`)
    .join(", ");
}

/** The outputs at the end of a run, by what they are of, in the names of another one. */
function answersOf(recording: Recording, renames: Renames): Map<string, Answer> {
  const { trace } = recording;
  const found = new Map<string, Answer>();
  const outputs = trace.variables.filter(({ output, role }) => output && role === "state");
  const shown = (each: Variable) => (each.name === trace.shows.value ? 0 : 1);
  for (const each of outputs.sort((a, b) => shown(a) - shown(b))) {
    const end = endOf(trace.columns[each.column] as Changes, recording.rows);
    for (const { key, title, row } of placesOf(recording, each.scope, each.name, renames)) {
      const answer = found.get(key) ?? { title, values: new Map<string, string>() };
      const name = each.scope === "scalar" ? "" : each.name;
      found.set(key, answer);
      answer.values.set(name, textOf(recording, each.kind, end[row] as number, renames));
    }
  }
  return found;
}

function placesOf(
  { trace }: Recording,
  scope: Scope,
  name: string,
  renames: Renames,
): { key: string; title: string; row: number }[] {
  if (scope === "scalar") return [{ key: `scalar ${name}`, title: `${name}: `, row: 0 }];
  return trace.hypergraph[scope].map((old, k) => {
    const label = renames[scope].get(old) ?? old;
    return { key: `${scope} ${typeof label} ${String(label)}`, title: `${labelText(label)}: `, row: k + 1 };
  });
}

/** A value as text; one that points to something that was renamed, by its new name. */
function textOf(recording: Recording, kind: Kind, value: number, renames: Renames): string {
  const scope = kind === "vertex" ? "vertices" : kind === "hyperedge" ? "hyperedges" : null;
  const label = scope && renames[scope].get(recording.trace.hypergraph[scope][value - 1] ?? "");
  return label === null || label === undefined ? recording.text(kind, value) : labelText(label);
}
