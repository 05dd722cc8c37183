/** What an edit changed in the answer, in words: "Wreck: distance ∞ → 7". */

import { endOf, type Recording } from "../recording";
import type { Changes, Scope, Variable } from "../trace";

/** The outputs of two runs of one algorithm that differ, a line for each vertex, hyperedge or single value. */
export function changesBetween(before: Recording, after: Recording): string[] {
  const [was, is] = [answersOf(before), answersOf(after)];
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

/** The outputs at the end of a run, by what they are of. */
function answersOf(recording: Recording): Map<string, Answer> {
  const { trace } = recording;
  const found = new Map<string, Answer>();
  const outputs = trace.variables.filter(({ output, role }) => output && role === "state");
  const shown = (each: Variable) => (each.name === trace.shows.value ? 0 : 1);
  for (const each of outputs.sort((a, b) => shown(a) - shown(b))) {
    const end = endOf(trace.columns[each.column] as Changes, recording.rows);
    for (const { key, title, row } of placesOf(recording, each.scope, each.name)) {
      const answer = found.get(key) ?? { title, values: new Map<string, string>() };
      const name = each.scope === "scalar" ? "" : each.name;
      found.set(key, answer);
      answer.values.set(name, recording.text(each.kind, end[row] as number));
    }
  }
  return found;
}

function placesOf(recording: Recording, scope: Scope, name: string): { key: string; title: string; row: number }[] {
  if (scope === "scalar") return [{ key: `scalar ${name}`, title: `${name}: `, row: 0 }];
  return recording.trace.hypergraph[scope].map((label, k) => ({
    key: `${scope} ${typeof label} ${String(label)}`,
    title: `${recording.label(scope, k + 1)}: `,
    row: k + 1,
  }));
}
