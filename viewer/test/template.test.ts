import { describe, expect, it } from "vitest";
import { readModelFile } from "../src/machine/model";
import { templateOf } from "../src/machine/template";
import type { Trace, Variable } from "../src/trace";
import { harbourMachine, modelFiles } from "./cases";

/** What a listing has otherwise than a source: lines, and names of values that the program has none for. */
function withoutLines(list: readonly (Partial<Variable> & { elsewhere?: unknown })[]): unknown[] {
  return list.map(({ line: _, made: __, elsewhere: ___, name = "", ...rest }) => ({
    ...rest,
    name: rest.named === false ? "" : name.replace(/ \(line \d+\)$/, ""),
  }));
}

function templateIn(file: Uint8Array): Trace {
  const { model, document } = readModelFile(file);
  return templateOf(model, document);
}

describe("what a model's file says of itself", () => {
  it.each(modelFiles().map((each) => [each.name, each] as const))("is as Python's recording has it: %s", (_, each) => {
    const [made, { trace }] = [templateIn(each.file), each];
    expect({ ...made.model, verified: "" }).toEqual({ ...trace.model, verified: "" });
    const ends = (list: Variable[]) =>
      trace.recorded.layers
        ? list
        : list.filter(({ role, until }) => role !== "local" || until === trace.model.layers.length);
    expect(withoutLines(ends(made.variables))).toEqual(withoutLines(trace.variables));
    expect(withoutLines(made.algorithm.ops)).toEqual(withoutLines(trace.algorithm.ops));
    expect(made.shows).toEqual(trace.shows);
    expect(made.program.map(({ name, section, kind }) => [name, section, kind])).toEqual(
      trace.program.map(({ name, section, kind }) => [name, section, kind]),
    );
  });

  it("is a listing, whose lines are those of the operations", () => {
    const { algorithm } = templateIn(modelFiles()[0]?.file as Uint8Array);
    expect([algorithm.listing, algorithm.shipped, algorithm.file]).toEqual([true, false, "dijkstra (listing)"]);
    const argmin = algorithm.ops.find(({ name }) => name === "argmin") as { line: number; op: number };
    expect(algorithm.source[argmin.line - algorithm.first]?.trim()).toMatch(new RegExp(`^${argmin.op} argmin `));
  });
});

describe("a model file that the page is given", () => {
  it("runs beside the one of its name, and gives the same", async () => {
    const { machine, trace } = harbourMachine();
    const { file } = modelFiles()[0] as { file: Uint8Array };
    const own = {
      name: "dijkstra (your file)",
      about: trace.algorithm.about,
      inputs: [{ name: "source", kind: "vertex", scope: "scalar" }],
      directed: false,
    };
    expect(machine.adopt(file)).toEqual({ algorithm: own, beside: "dijkstra" });
    expect(machine.adopt(file).algorithm.name).toBe("dijkstra (your file 2)");
    const names = machine.algorithms.map(({ name }) => name);
    expect(names).toEqual(["dijkstra (your file 2)", "dijkstra (your file)", "dijkstra"]);
    expect(machine.modelOf(trace)?.hash).toBeDefined(); // of the run that the page began with
    const { hypergraph } = trace;
    const found = await machine.run({
      algorithm: own.name,
      inputs: { source: "Quay" },
      hypergraph: {
        name: "harbour",
        vertices: hypergraph.vertices.map(String),
        hyperedges: hypergraph.hyperedges.map((name, e) => ({
          name: String(name),
          weight: hypergraph.weights[e] as string,
          members: (hypergraph.members[e] as number[]).map((v) => String(hypergraph.vertices[v - 1])),
        })),
      },
    });
    expect(found.columns.map(({ value }) => value)).toEqual(trace.columns.map(({ value }) => value));
    expect([found.algorithm.listing, found.model.verified]).toEqual([true, "unverified"]);
    expect(machine.modelOf(found)).not.toBeNull();
  });

  it("is refused if it was damaged", () => {
    const { machine } = harbourMachine();
    const file = Uint8Array.from((modelFiles()[0] as { file: Uint8Array }).file);
    file[file.length - 1] = (file.at(-1) as number) ^ 0x80; // the sign of the last weight
    expect(() => machine.adopt(file)).toThrow(/hash|whole numbers/);
    expect(() => machine.adopt(new Uint8Array([1, 2, 3]))).toThrow("not a model file");
  });
});
