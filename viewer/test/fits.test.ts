// Changed traces, which the page takes or refuses as hyloop.Trace.load does: scripts/trace_cases.py makes the table.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asTrace } from "../src/trace";

type Part = { [name: string]: unknown };

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const run = read("./harbour.json");
const table: {
  values: string[];
  places: { [place: string]: string };
  chosen: { what: string; taken: boolean; changes: [place: string, value: string][] }[];
} = JSON.parse(read("./traces.json"));

/** Put a JSON text at a place such as "variables.0.kind"; "" leaves the place out. */
function put(trace: Part, place: string, value: string): void {
  const steps = place.split(".");
  const last = steps.pop() as string;
  const at = steps.reduce((part, step) => part[step] as Part, trace);
  if (value !== "") at[last] = JSON.parse(value);
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}

function isTaken(changes: readonly (readonly [place: string, value: string])[]): boolean {
  const trace = JSON.parse(run);
  for (const [place, value] of changes) put(trace, place, value);
  try {
    asTrace(trace);
    return true;
  } catch (wrong) {
    expect(String(wrong)).toMatch(/cannot be read|not a trace|has version/);
    return false;
  }
}

test.each(table.chosen)("a trace with $what: taken is $taken", ({ taken, changes }) => {
  expect(isTaken(changes)).toBe(taken);
});

test.each(Object.entries(table.places))("whatever stands at %s, Python and the page agree", (place, wanted) => {
  const found = table.values.map((value) => (isTaken([[place, value]]) ? "t" : "r"));
  expect(found.join("")).toBe(wanted);
});
