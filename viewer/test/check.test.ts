import { expect, test } from "vitest";
import { libraryProblem } from "../src/check";
import { Recording, unitOf } from "../src/recording";
import { asTrace, type Trace } from "../src/trace";
import { harbour } from "./traces";

/** The harbour's trace with one thing changed, at a path such as "variables.0.kind". */
function changed(path: string, value: unknown): unknown {
  const trace = JSON.parse(JSON.stringify(harbour()));
  const steps = path.split(".");
  const last = steps.pop() as string;
  const at = steps.reduce((part, step) => part[step], trace);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return trace;
}

test("a trace that Python wrote is taken", () => {
  expect(asTrace(changed("unit", "0.000000001"))).toBeTruthy();
  expect(asTrace(changed("unit", "1/3"))).toBeTruthy();
});

test.each(["1e-09", "", "0", "-1", "1/0", "abc", "NaN", " 1", 1, null, undefined])("the unit %j is refused", (unit) => {
  expect(() => asTrace(changed("unit", unit))).toThrow(/cannot be read: unit: expected a positive number/);
});

test("a recording without a readable unit is not made", () => {
  expect(() => new Recording(changed("unit", "1e-09") as Trace)).toThrow("1e-09");
  expect(() => unitOf({ unit: "0" })).toThrow("unit");
});

test.each([
  ["format", "other"],
  ["version", 3],
  ["model.layers.0.heads.0.query.0.1", 999],
  ["model.layers.0.heads.0.query.0.2", "other"],
  ["model.layers.0.heads.0.query.0", ["body", 1]],
  ["algorithm.ops.5.operands", [5]],
  ["model.columns.0.role", "other"],
  ["hypergraph.weights.0", "1e-09"],
  ["hypergraph.weights.0", "0"],
  ["hypergraph.weights.0", 4],
  ["hypergraph.weights", ["1"]],
  ["hypergraph.members.0.0", 99],
  ["hypergraph.members.0.0", 0],
  ["hypergraph.members.0.0", 1.5],
  ["hypergraph.vertices.0", null],
  ["hypergraph.positions.vertices.0", [0.5]],
  ["hypergraph.positions.vertices.0.0", "0.5"],
  ["variables.0.kind", "weight"],
  ["variables.0.scope", "edges"],
  ["variables.0.role", "other"],
  ["variables.0.section", "after"],
  ["variables.0.column", 999],
  ["inputs.0.kind", "number"],
  ["inputs.0.value", "1"],
  ["program.0.kind", null],
  ["program.0.value.0", null],
  ["model.infinity", undefined],
  ["model.infinity", "∞"],
  ["model.layers.0.heads.0.kind", "sideways"],
  ["model.columns.0.scope", "local"],
  ["frames.iteration", []],
  ["frames.layer.0", "0"],
  ["columns.0.initial", null],
  ["columns.0.initial", [1]],
  ["columns.9.value.0", "7"],
  ["columns.9.value", []],
  ["columns.9.frame.0", 10 ** 6],
  ["columns.9.row.0", 10 ** 6],
  ["columns.9.row.0", -2],
  ["attention.0.pattern.0", 3],
  ["attention.0.start", []],
  ["differences.first", 1],
  ["differences.values", { x: { frame: [1], row: [], expected: [] } }],
  ["differences.values", { nobody: { frame: [1], row: [1], expected: [1] } }],
  ["differences.first", { frame: 1, variable: "nobody", row: 1, expected: 1, found: 2 }],
  ["shows.value", 1],
  ["recorded.iterations", -1],
  ["algorithm.first", 0.5],
])("a trace whose %s is %j is refused", (path, value) => {
  expect(() => asTrace(changed(path, value))).toThrow(Error);
  expect(() => asTrace(changed(path, value))).toThrow(/cannot be read|not a trace|version/);
});

test("numbers that JSON can write and doubles cannot hold are refused", () => {
  const text = JSON.stringify(harbour()).replace(/"infinity":\d+/, '"infinity":1e999');
  expect(() => asTrace(JSON.parse(text))).toThrow("model.infinity: expected a number");
});

test("the algorithms and examples of a page", () => {
  const one = {
    name: "a",
    about: "",
    inputs: [{ name: "x", kind: "vertex", scope: "scalar" }],
    model: "",
    template: "",
  };
  const example = { name: "b", about: "", hif: "{}", positions: [[0, 1]] };
  const library = { algorithms: [one], examples: [example] };
  expect(libraryProblem(library)).toBeNull();
  expect(libraryProblem({ ...library, examples: [{ ...example, positions: [[0]] }] })).toContain("two numbers");
  const wrong = { ...one, inputs: [{ name: "x", kind: "weight", scope: "scalar" }] };
  expect(libraryProblem({ ...library, algorithms: [wrong] })).toContain("kind: expected flag");
});
