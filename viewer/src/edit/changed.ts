/** What an edit changed in the answer, in words: "Wreck: ∞ → 7". */

import type { Recording } from "../recording";
import type { Changes, Scope, Variable } from "../trace";

/** The outputs of two runs of one algorithm that differ, a line for each vertex, hyperedge or single value. */
export function changesBetween(before: Recording, after: Recording): string[] {
  const [was, is] = [answersOf(before), answersOf(after)];
  const lines = [...is].flatMap(([key, now]) => {
    const told = changesOf(was.get(key)?.values ?? null, now.values);
    return told === ""
      ? []
      : [{ told: `${now.title}${told}`, main: now.values.get("") !== was.get(key)?.values.get("") }];
  });
  // Those whose main value changed come first.
  return [...lines.filter(({ main }) => main), ...lines.filter(({ main }) => !main)].map(({ told }) => told);
}

interface Answer {
  readonly title: string;
  /** By name; the value that the picture shows has none. */
  readonly values: Map<string, string>;
}

function changesOf(was: ReadonlyMap<string, string> | null, is: ReadonlyMap<string, string>): string {
  const main = (name: string) => (name === "" ? "" : `${name} `);
  if (was === null) return `new, ${[...is].map(([name, value]) => `${main(name)}${value}`).join(", ")}`;
  return [...is]
    .filter(([name, value]) => was.has(name) && was.get(name) !== value)
    .map(([name, value]) => `${main(name)}${was.get(name)} → ${value}`)
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
      const name = each.scope === "scalar" || shown(each) === 0 ? "" : each.name;
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

function endOf({ initial, row, value }: Changes, rows: number): Float64Array {
  const now = new Float64Array(rows);
  if (typeof initial === "number") now.fill(initial);
  else now.set(initial);
  for (let k = 0; k < row.length; k++) {
    if ((row[k] as number) < 0) now.fill(value[k] as number);
    else now[row[k] as number] = value[k] as number;
  }
  return now;
}
