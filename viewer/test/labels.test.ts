import { describe, expect, it } from "vitest";
import { Answers } from "../src/answer";
import { labelText } from "../src/labels";
import { graphOf } from "../src/picture/graph";
import { Recording } from "../src/recording";
import { harbourAt } from "./cases";

describe("a label as it is shown", () => {
  // As `hyloop run` writes them in its tables.
  it.each([
    [1, "1"],
    ["1", '"1"'],
    ["-7", '"-7"'],
    [2n ** 60n, "1152921504606846976"],
    ['"1"', '"\\"1\\""'],
    ["\\1", '"\\\\1"'],
    ['"Quay"', '"\\"Quay\\""'],
    ['"', '"\\""'],
    [" Quay", '" Quay"'],
    ["Quay\n", '"Quay\\n"'],
    ['5" pipe', '5" pipe'],
    ["North Point", "North Point"],
    ["07", "07"],
    ["1.5", "1.5"],
  ])("of %s is %s", (label, shown) => expect(labelText(label)).toBe(shown));
});

describe('the vertices 1 and "1"', () => {
  const { model, recording } = harbourAt(8, 3);
  const vertices = recording.trace.hypergraph.vertices.map((label, k) => [1, "1"][k] ?? label);
  const trace = { ...recording.trace, hypergraph: { ...recording.trace.hypergraph, vertices } };
  const found = new Recording(trace);

  it("have two names in tables, answers and sentences", () => {
    const [table] = new Answers(model, found).tables;
    expect(table?.rows.slice(0, 3).map(({ label }) => label)).toEqual(["1", '"1"', vertices[2]]);
    expect([1, 2].map((row) => found.label("vertices", row))).toEqual(["1", '"1"']);
    expect([1, 2].map((row) => found.called("vertices", row))).toEqual(["vertex 1", 'vertex "1"']);
  });

  it("have two names in the picture, where a text without such a number stands as it is", () => {
    expect(graphOf(trace).vertexText.slice(1, 3)).toEqual(["1", '"1"']);
    const texts = vertices.map((label) => (label === 1 ? "0" : label));
    const other = { ...trace, hypergraph: { ...trace.hypergraph, vertices: texts } };
    expect(graphOf(other).vertexText.slice(1, 3)).toEqual(["0", "1"]);
  });
});

it("of a number that JSON has as text has no quotes", () => {
  const { model, recording } = harbourAt(8, 3);
  const lengths = recording.trace.variables.filter(({ kind, role }) => kind === "length" && role === "state");
  const columns = recording.trace.columns.map((column, k) =>
    lengths.some((each) => each.column === k) ? { ...column, frame: [], row: [], value: [], initial: 2 ** 53 } : column,
  );
  const { tables } = new Answers(model, { trace: { ...recording.trace, columns, unit: "3" } });
  expect(tables[0]?.rows[0]?.cells[0]).toBe("27021597764222976");
});
