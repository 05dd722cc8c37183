import { describe, expect, it } from "vitest";
import { Answers, Paths } from "../src/answer";
import { firstWords, GLOSSARY } from "../src/glossary";
import { Explainer } from "../src/machine/explain";
import { runHash } from "../src/machine/hash";
import { usedIn } from "../src/machine/iteration";
import type { Sum } from "../src/machine/model";
import { readModel } from "../src/machine/model";
import type { Op, Section } from "../src/machine/program";
import { code, documented, plain } from "../src/marked";
import { Naming } from "../src/naming";
import { standing } from "../src/panels/header";
import { whyMissing } from "../src/panels/machine";
import { obligation } from "../src/panels/machine_parts";
import { endText, startText } from "../src/panels/story";
import { type Named, Recording } from "../src/recording";
import { Spoken } from "../src/spoken";
import { answerOpening, happens, listed, markedSentence, sentence, setupText, type Told, toldOf } from "../src/told";
import { harbourAt, modelFiles, toldAt } from "./cases";
import { harbour } from "./traces";

function told(explainer: Explainer): string {
  const { recording } = explainer;
  return sentence(toldOf(explainer, recording.layer) as Told, recording.sectionOf(recording.frame));
}

describe("a layer in a sentence", () => {
  it("tells a search by what it found", () => {
    expect(told(harbourAt(4, 1))).toBe(
      "Layer 1 picks the hyperedge with the least key: ferry, 4 (dinghy has the same; the lowest row wins).",
    );
    expect(told(harbourAt(5, 1))).toBe("Layer 1 picks the hyperedge with the least key: dinghy, 4.");
    expect(told(harbourAt(8, 1))).toBe("Layer 1 picks the hyperedge with the least key: none.");
  });

  it("tells where the incidence leads, and what is worked out", () => {
    expect(told(harbourAt(4, 2))).toBe(
      "Layer 2 goes from ferry (edge) to its members: Quay, Isle and Cove; reads the weight of ferry (edge): 4; " +
        "works out fresh, the vertices in members and not marked settled: Cove.",
    );
  });

  it("tells what is written, rows that change alike together", () => {
    const text = told(harbourAt(3, 3));
    expect(text).toContain(
      "gives Isle and Light distance 3.5, notes Mole as their predecessor and mail boat as their hyperedge, and marks them as settled",
    );
    expect(text).toContain("gives mail boat key ∞; gives dinghy key 4, and marks it as queued.");
    expect(told(harbourAt(8, 3))).toMatch(/ends the loop, since edge is none\.$/);
  });

  it("says what iteration 1 is for, and that a layer may have nothing to do in it", () => {
    const explainer = harbourAt(1, 1);
    expect(told(explainer)).toBe("Layer 1 has nothing to do yet: its work belongs to the loop.");
    expect(setupText(explainer.recording)).toContain(
      "Iteration 1 only sets up: it runs the statements before the loop (lines 16 to 19), which assign " +
        "distance, settled, queued and key. ",
    );
    // The layers do write for the loop, into temporary columns: no variable changes by that.
    expect(setupText(explainer.recording)).not.toContain("not written");
    const loops = [...explainer.recording.trace.algorithm.ops].filter(({ section }) => section === "body");
    const only = loops
      .flatMap(({ assigns }) => assigns)
      .filter((name) => !setupText(explainer.recording).includes(name));
    for (const name of only) {
      const { column } = explainer.recording.variables.get(name) as Named;
      for (let layer = 1; layer <= 3; layer++) expect(harbourAt(1, layer).run(layer)?.changed(column)).toEqual([]);
    }
    expect(only).toContain("predecessor");
    expect(setupText(harbourAt(2, 1).recording)).toBe("");
    expect(told(harbourAt(1, 3))).toContain("gives Quay distance 0, and marks it as settled");
  });

  it("leaves out what the iteration does not use", () => {
    // There is no edge any more: neither its members nor its weight are looked at.
    expect(told(harbourAt(8, 2))).toBe("Layer 2 finds nothing that this iteration uses.");
    expect(told(harbourAt(8, 3))).toBe("Layer 3 ends the loop, since edge is none.");
  });

  it("marks the names of the program, for code font", () => {
    const { recording } = harbourAt(4, 1);
    const marked = markedSentence(toldOf(harbourAt(4, 1), 1) as Told, recording.sectionOf(recording.frame));
    expect(marked).toContain(`the least ${code("key")}: ferry, 4`);
    expect(plain(marked)).toBe(told(harbourAt(4, 1)));
    expect(documented("from `source`")).toBe(`from ${code("source")}`);
  });

  it("lists a few names", () => {
    expect(listed([])).toBe("none");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
    expect(listed([..."abcdefgh"])).toBe("a, b, c, d, e and 3 more");
  });
});

describe("other algorithms in sentences", () => {
  it("tells a number from what it is made of, and for which function", () => {
    const two = toldAt("pagerank", 3, 2);
    expect(told(two)).toMatch(
      /^Layer 2, for divide \(.*\), works out the new rank, twice rank, plus 1 where twice left is at least leaves: /,
    );
    expect(toldOf(two, 2)?.within.map(({ name, first, last }) => [name, first, last])).toEqual([["divide", 8, 20]]);
    expect(told(toldAt("pagerank", 3, 1))).toContain("works out whether place is below 38: yes");
    expect(told(toldAt("pagerank", 3, 3))).toMatch(/; sets place to 1; keeps track of its loops: rounds 1 = 1\.$/);
  });

  it("says what its author tells of the loop that runs, with the numbers of every row", () => {
    const at = toldAt("pagerank", 3, 2);
    const about =
      "one step of a long division, rank by leaves: binary digit 1 of 38; nothing uses what is divided by 0";
    expect(told(at)).toContain(`(${about})`);
    const [note] = toldOf(at, 2)?.notes ?? [];
    expect(plain(note?.about ?? "")).toBe(about);
    const { vertices } = at.recording.trace.hypergraph;
    expect(note?.rows.flatMap(({ names }) => names).sort()).toEqual(vertices.map(String).sort());
    const citrate = note?.rows.find(({ names }) => names.includes("citrate"));
    expect(citrate?.said).toBe("0 by 20: digit 0, rest 0");
    // Another part of the program runs before.
    expect(toldOf(toldAt("pagerank", 2, 3), 3)?.notes).toEqual([]);
  });

  it("tells a layer that only decides what is assigned", () => {
    expect(told(toldAt("pagerank", 2, 2))).toBe(
      "Layer 2 works out which variables this iteration assigns: done, rank, left, phase (loop) and rounds 1 (loop).",
    );
    expect(told(toldAt("pagerank", 2, 1))).toBe("Layer 1 finds nothing that this iteration uses.");
  });

  it("knows where something happens: not in a layer that only decides or prepares", () => {
    const busy = (name: string, iteration: number, layers: number) =>
      Array.from({ length: layers }, (_, k) => k + 1).filter((l) => happens(toldAt(name, iteration, l), l));
    expect(busy("pagerank", 2, 3)).toEqual([3]);
    expect(busy("pagerank", 3, 3)).toEqual([1, 2, 3]);
    expect(busy("closeness", 2, 4)).toEqual([4]);
    expect(busy("topological", 1, 5)).toContain(1);
  });

  it("does not deny a condition that another loop decides", () => {
    expect(told(toldAt("closeness", 2, 3))).toBe("Layer 3 works out whether the loop ends: no.");
    expect(told(toldAt("closeness", 3, 3))).toBe(
      "Layer 3 works out whether edge is none and there is no vertex after Quay (source): no.",
    );
  });

  it("tells a state that was changed before in the iteration by its name", () => {
    expect(told(toldAt("b_distance", 2, 4))).toContain("goes from the vertices not marked derived by now to");
    expect(told(toldAt("topological", 14, 5))).toContain("reads the order of oxaloacetate (current): 6;");
    expect(told(toldAt("topological", 6, 5))).toContain("stores 6 in the order of oxaloacetate (no result");
  });

  it("says of what stands in a column, and not in the answer, which flag denies it", () => {
    const at = toldAt("topological", 6, 5);
    expect(told(at)).toContain(
      "stores 6 in the order of oxaloacetate (no result while left is yes), and notes malate as its before " +
        "(no result while cycle is no);",
    );
    const { recording } = at;
    const row = recording.trace.hypergraph.vertices.indexOf("oxaloacetate") + 1;
    const order = recording.standing("order") as Named;
    expect(recording.cellText(order, row)).toBe("6");
    expect(recording.denied(order, row)).toBe("no result while left is yes");
    // What it began with is a dash, and needs no reason; what is a result is not denied.
    const others = recording.trace.hypergraph.vertices.map((_, k) => k + 1).filter((each) => each !== row);
    expect(others.filter((each) => recording.denied(order, each) !== "")).toEqual([]);
  });

  it("tells why the loop ends: what holds, and not which loop runs", () => {
    expect(told(toldAt("topological", 14, 5))).toMatch(
      /; ends the loop, since free is none and closed is yes, that is, the before of oxaloacetate \(current\) is malate\.$/,
    );
    const { iterations } = toldAt("closeness", 1, 1).recording.trace.recorded;
    expect(told(toldAt("closeness", iterations, 4))).toMatch(
      /; ends the loop, since edge is none and there is no vertex after Wreck \(source\)\.$/,
    );
  });

  it("has no formulas", () => {
    for (const [name, layers] of [
      ["pagerank", 3],
      ["closeness", 4],
      ["topological", 5],
      ["b_distance", 4],
    ] as const) {
      const { iterations } = toldAt(name, 1, 1).recording.trace.recorded;
      for (let i = 1; i <= iterations; i++)
        for (let layer = 1; layer <= layers; layer++)
          expect(told(toldAt(name, i, layer)), `${name} ${i} ${layer}`).not.toMatch(/\w\(|\[|what line|…/);
    }
  });
});

describe("variables that the language made", () => {
  it("say so where they are shown, those that are alike by number", () => {
    const { recording, model } = toldAt("pagerank", 3, 3);
    const made = recording.trace.variables.filter((each) => each.made === "rounds").map(({ name }) => name);
    expect(made).toEqual(["rounds", "rounds_"]);
    expect([...made, "phase", "place"].map((name) => recording.shown(name))).toEqual([
      "rounds 1 (loop)",
      "rounds 2 (loop)",
      "phase (loop)",
      "place",
    ]);
    const naming = new Naming(model, recording);
    expect(naming.called("body", 22)).toBe("rounds 1 (loop) < 38");
    expect(naming.called("body", 2)).toBe("done = rounds");
  });
});

describe("the answer", () => {
  const explainer = harbourAt(8, 3);
  const { recording } = explainer;
  const row = (label: string) => recording.trace.hypergraph.vertices.indexOf(label) + 1;

  it("is that of the outputs", () => {
    const { tables, brief } = new Answers(explainer.model, recording);
    expect(tables[0]?.columns).toEqual(["distance", "predecessor", "hyperedge"]);
    expect(tables[0]?.rows[row("Cove") - 1]).toEqual({ label: "Cove", cells: ["4", "Quay", "ferry"] });
    expect(tables[0]?.rows[row("Wreck") - 1]?.cells).toEqual(["∞", "none", "none"]);
    expect(brief).toBe(
      "distance: Quay = 0, Mole = 1.5, Isle = 3.5, Light = 3.5, Cove = 4, Dunes = 7, Mill = 7 and Wreck = ∞; " +
        "2 more outputs in Story",
    );
  });

  it("says once that nothing has a value", () => {
    const { program } = explainer.model;
    const outputs = program.outputs.filter(({ name }) => name === "predecessor");
    const columns = recording.trace.columns.map((each) => ({ ...each, frame: [], row: [], value: [] }));
    const model = { ...explainer.model, program: { ...program, outputs } };
    expect(new Answers(model, { trace: { ...recording.trace, columns } }).brief).toBe("predecessor: none");
  });

  it("begins with what the others are only parts of", () => {
    const { model, recording: closeness } = toldAt("closeness", 1, 1);
    const { tables, brief } = new Answers(model, closeness);
    expect(tables[0]?.columns).toEqual(["closeness", "farness", "connected"]);
    expect(brief).toBe("closeness: Quay = 1 and Isle = 1 (1 of 3 has none); 2 more outputs in Story");
  });

  it("has the paths, and none to what is not reached", () => {
    const paths = new Paths(explainer.model, recording);
    expect(paths.text(row("Dunes"))).toBe("Quay –ferry→ Cove –barge→ Dunes, distance 7");
    expect(paths.to(row("Wreck"))).toBeNull();
  });

  describe("whose predecessors are other ones", () => {
    /** The harbour's run, with other numbers at its end: of a state, at a vertex. */
    const changed = (verified: "proved" | "unverified", ends: readonly (readonly [string, string, number])[]) => {
      const { trace } = harbourAt(8, 3).recording;
      const columns = trace.columns.map((column, k) => {
        const own = ends.filter(([state]) => trace.variables.some((v) => v.name === state && v.column === k));
        return {
          ...column,
          frame: [...column.frame, ...own.map(() => trace.frames.layer.length - 1)],
          row: [...column.row, ...own.map(([, vertex]) => row(vertex))],
          value: [...column.value, ...own.map(([, , value]) => value)],
        };
      });
      const found = new Recording({ ...trace, columns, model: { ...trace.model, verified } });
      found.seek(found.length - 1);
      return { answers: new Answers(explainer.model, found), paths: new Paths(explainer.model, found), found };
    };
    const number = (hyperedge: string) => recording.trace.hypergraph.hyperedges.indexOf(hyperedge) + 1;

    it("has one name for a row that has none", () => {
      const { answers, found } = changed("unverified", [["predecessor", "Dunes", 10]]);
      expect(answers.tables[0]?.rows[row("Dunes") - 1]?.cells).toEqual(["7", "#10", "barge"]);
      expect(found.text("vertex", 10)).toBe("#10");
    });

    it.each(["proved", "unverified"] as const)(
      "has no path of pointers that lead nowhere, in a model %s",
      (verified) => {
        const { paths } = changed(verified, [
          ["predecessor", "Dunes", 10],
          ["predecessor", "Isle", row("Light")],
          ["predecessor", "Light", row("Isle")],
        ]);
        expect(paths.text(row("Dunes"))).toBe("No path: predecessor of Dunes is #10, which is no vertex.");
        expect(paths.text(row("Light"))).toBe("No path: predecessor leads in a circle, back to Light.");
        expect([row("Dunes"), row("Isle"), row("Light")].map((v) => paths.to(v))).toEqual([null, null, null]);
        expect(paths.text(row("Cove"))).toBe("Quay –ferry→ Cove, distance 4");
      },
    );

    it("has no path of an unverified model from another vertex, or through a hyperedge without it", () => {
      const ends = [
        ["predecessor", "Cove", 0],
        ["hyperedge", "Isle", number("barge")],
      ] as const;
      const { paths } = changed("unverified", ends);
      expect(paths.text(row("Dunes"))).toBe("No path: predecessor leads back to Cove, not to source (Quay).");
      expect(paths.text(row("Isle"))).toBe("No path: Mole and Isle are not both in barge.");
      expect(changed("proved", ends).paths.to(row("Dunes"))?.length).toBe(2);
    });
  });
});

it("names the obligations as the prover does", () => {
  expect([obligation(3, 1, 0), obligation(3, 1, "mlp"), obligation(3, 3, "mlp")]).toEqual([
    "layer 1, head 1",
    "layer 1, units",
    "layer 3, iteration",
  ]);
});

describe("who did what a sentence tells", () => {
  const by = (explainer: Explainer) => toldOf(explainer, explainer.recording.layer)?.by;

  it("is the head that found something, where nothing changed", () => {
    expect(told(toldAt("closeness", 3, 2))).toContain("finds the least key");
    expect(by(toldAt("closeness", 3, 2))?.part).toBe(0);
    expect(by(harbourAt(4, 2))).toMatchObject({ part: 0, scope: "vertices", rows: [1, 3, 5] });
  });

  it("is the part that wrote what changed, on the rows that changed, whatever a head found before", () => {
    // Here a head prepares what only the next source needs; the MLP gives Isle its distance.
    expect(told(toldAt("closeness", 3, 4))).toContain("gives Isle distance 1");
    expect(by(toldAt("closeness", 3, 4))).toEqual({ part: "mlp", scope: "vertices", rows: [2] });
    expect(told(harbourAt(3, 3))).toContain("gives Isle and Light distance 3.5");
    expect(by(harbourAt(3, 3))).toEqual({ part: "mlp", scope: "vertices", rows: [3, 4] });
    expect(told(harbourAt(8, 3))).toContain("ends the loop");
    expect(by(harbourAt(8, 3))).toEqual({ part: "mlp", scope: "scalar", rows: [0] });
  });

  it("is nobody, where nothing is told", () => {
    expect(by(toldAt("closeness", 2, 1))).toBe(null);
  });

  it("is known of every clause, and has changed a number of each row that it is said to change", () => {
    for (const { name, file, trace } of modelFiles()) {
      const recording = new Recording(trace);
      const explainer = new Explainer(readModel(file), recording);
      for (let frame = 1; frame < Math.min(recording.length, 60); frame++) {
        recording.seek(frame);
        const run = explainer.run();
        const { clauses, doers, by } = toldOf(explainer, recording.layer) as Told;
        expect(doers.length).toBe(clauses.length);
        const columns = by?.part === "mlp" ? run?.layer.writes : run?.layer.heads[by?.part ?? 0]?.writes;
        const wrote = (row: number) => columns?.some((c) => (run?.wrote(row, c).length ?? 0) > 0);
        for (const row of by?.rows ?? []) if (by?.scope !== "scalar") expect(wrote(row), `${name} ${frame}`).toBe(true);
      }
    }
  });
});

it("is what an unverified model says of itself", () => {
  const { model, recording } = harbourAt(4, 1);
  const unverified = { ...recording.trace.model, verified: "unverified" as const };
  const edited = new Recording({ ...recording.trace, model: unverified });
  edited.seek(recording.frame);
  const told = toldOf(new Explainer(model, edited), 1) as Told;
  expect(sentence(told, "body")).toMatch(/^Layer 1, as the unverified model says, picks the hyperedge /);
});

it("has an answer that is what an unverified model says", () => {
  const { trace } = harbourAt(8, 3).recording;
  expect(answerOpening(trace)).toBe("The answer");
  const unverified = { ...trace, model: { ...trace.model, verified: "unverified" as const } };
  expect(answerOpening(unverified)).toBe("The answer, as the unverified model says");
});

it("does not say of an unverified model that it computes exactly what the program does", () => {
  expect(firstWords(true)).toContain("hyloop compiles them from a program");
  expect(firstWords(false)).toContain("The model of this run is unverified");
  expect(firstWords(false)).not.toMatch(/compiles|exactly/);
  const { recording } = harbourAt(4, 1);
  const edited = { ...recording.trace.model, verified: "unverified" as const };
  const text = standing(new Recording({ ...recording.trace, model: edited }));
  expect(text).toContain("nothing is proved of it");
  expect(text).toContain("hyloop view MODEL.safetensors");
});

describe("a layer that writes no variable", () => {
  it("names what it prepares, and the layer that uses it", () => {
    const { iterations } = toldAt("dfs", 1, 1).recording.trace.recorded;
    expect(told(toldAt("dfs", iterations, 2))).toBe(
      "Layer 2 prepares that there is no vertex for line 22, which layer 3 uses.",
    );
  });

  it("says why a search has no rows to look at", () => {
    const text = told(toldAt("subleq", 4, 5));
    expect(text).toContain('Layer 5 looks at no vertex, since the minus of vertex "8" (third) = 1 is not 0: none;');
    for (const { file, trace } of modelFiles()) {
      const explainer = new Explainer(readModel(file), new Recording(trace));
      for (let frame = 1; frame < Math.min(explainer.recording.length, 90); frame++) {
        explainer.recording.seek(frame);
        expect(told(explainer)).not.toMatch(
          /of no kind|(vertex|vertices|hyperedges?|members) \(none\)|what a later layer/,
        );
      }
    }
  });

  it("says which variables are not assigned", () => {
    const cover = toldAt("weighted_set_cover", 2, 4);
    for (let frame = 1; frame < cover.recording.length; frame++) {
      cover.recording.seek(frame);
      expect(told(cover)).not.toContain("none of those");
    }
  });
});

describe("what decides", () => {
  const all = (name: string): string[] => {
    const explainer = toldAt(name, 1, 1);
    return Array.from({ length: explainer.recording.length - 1 }, (_, k) => {
      explainer.recording.seek(k + 1);
      return told(explainer);
    });
  };

  it("is told with its numbers", () => {
    expect(told(toldAt("subleq", 2, 4))).toContain('finds that the minus of vertex "2" (third) is 0; ');
    expect(told(toldAt("subleq", 2, 4))).toMatch(/; finds that up = 0 is at most 0\.$/);
    expect(told(toldAt("subleq", 4, 4))).toContain('finds that the minus of vertex "8" (third) = 1 is not 0');
    expect(told(toldAt("weighted_set_cover", 2, 1))).toContain("finds that weight = 1 is finite");
  });

  it("is told where it holds on no row", () => {
    const text = all("label_propagation").join("\n");
    expect(text).toContain("finds the vertices where most is below around: none");
    // A state that is only passed on is not worked out.
    expect(text).not.toContain("works out coming: ");
  });

  it("is told of an end as it came: with the numbers, and not as a name alone", () => {
    expect(all("label_propagation").at(-1)).toMatch(
      /ends the loop, since which is none and done = 1 equals rounds = 1\.$/,
    );
    for (const name of ["label_propagation", "subleq", "weighted_set_cover", "dfs"])
      expect(all(name).join("\n")).not.toMatch(/whether \w+ by now|and \w+ by now\./);
  });
});

describe("conditions of several parts", () => {
  it("have brackets where and and or are mixed", () => {
    const { model, recording } = toldAt("weighted_set_cover", 3, 4);
    const better = model.program.body.ops.findIndex(({ label }) => label === "better");
    const all = { ...model.program.body.ops[better], label: "" } as Op;
    const ops = model.program.body.ops.map((op, k) => (k === better ? all : op));
    const body = { ...model.program.body, ops };
    const open = new Naming({ ...model, program: { ...model.program, body } }, recording);
    expect(plain(new Spoken(open, () => null).statement("body", better))).toBe(
      "light is not none and (best is none or the other of best is below the product of light)",
    );
  });

  it("have them in formulas, too", () => {
    const { model, recording } = toldAt("subleq", 2, 4);
    const flag = { kind: "flag", scope: "scalar" } as Op["type"];
    const op = (name: string, ...operands: number[]): Op => ({ name, operands, argument: name, type: flag, label: "" });
    const leaf = (label: string): Op => ({ ...op("constant"), label });
    const ops = [leaf("a"), leaf("b"), leaf("c"), op("and", 1, 2), op("or", 0, 3), op("or", 0, 1), op("or", 5, 2)];
    const body = { ...model.program.body, ops: ops as Op[] };
    const naming = new Naming({ ...model, program: { ...model.program, body } }, recording);
    expect(naming.expression("body", 4)).toBe("a or (b and c)");
    expect(naming.expression("body", 6)).toBe("a or b or c");
  });
});

it("counts one thing as one", () => {
  const { trace } = harbourAt(1, 1).recording;
  const h = trace.hypergraph;
  const one = { ...h, vertices: h.vertices.slice(0, 1), hyperedges: h.hyperedges.slice(0, 1) };
  expect(startText({ trace: { ...trace, hypergraph: one } } as Recording)).toContain("1 vertex and 1 hyperedge are");
  expect(endText({ trace: { ...trace, recorded: { ...trace.recorded, iterations: 1 } } } as Recording)).toMatch(
    /after 1 iteration\.$/,
  );
});

describe("the glossary", () => {
  it("says that a search subtracts the number of the row, as its scores do", () => {
    expect(GLOSSARY.margin).toContain("subtracts the number of the row (P_1)");
    const explainer = harbourAt(5, 1);
    const [search] = explainer.model.layers[0]?.heads ?? [];
    const naming = new Naming(explainer.model, explainer.recording);
    const names = (sum: Sum) => naming.formula(sum, (column) => naming.column(column, 1, "before"));
    expect(search?.key.map(names)[1]).toBe("P_1");
    expect(search?.query.map(names)[1]).toBe("−1");
  });

  it("claims no more of a hash than it says", () => {
    expect(GLOSSARY["hash of a run"]).not.toContain("equal hashes are equal runs");
    // What is not in X is not in the hash: other labels, the same numbers.
    const { trace } = harbourAt(1, 1).recording;
    const labels = trace.hypergraph.vertices.map((_, k) => `v${k}`);
    expect(runHash({ ...trace, hypergraph: { ...trace.hypergraph, vertices: labels } })).toBe(runHash(trace));
  });
});

it("says why a page has no model", () => {
  const trace = harbour();
  const model = { ...trace.model, verified: "unverified" as const };
  expect(whyMissing({ ...trace, model })).toContain("unverified");
  expect(whyMissing({ ...trace, model: { ...trace.model, dtype: "float32" } })).toContain("float32");
  expect(whyMissing(trace)).toContain("this run has 8");
});

describe("what an iteration uses", () => {
  const flag = { kind: "flag", scope: "scalar" } as Op["type"];
  const op = (name: string, ...operands: number[]): Op => ({ name, operands, argument: "", type: flag, label: "" });
  // 0 and 1: states; 2: not 0; 3: both; 4: one of them by the other.
  const ops = [op("state"), op("state"), op("not", 0), op("and", 2, 1), op("where", 0, 1, 2)];
  const used = (update: number, values: (number | number[])[]) =>
    [...usedIn({ ops, updates: new Map([["x", update]]), stop: null } as Section, values)].sort();

  it("is the branch that is taken", () => {
    expect(used(4, [1, 1, 0, 0, 1])).toEqual([0, 1, 4]);
    expect(used(4, [0, 1, 1, 1, 1])).toEqual([0, 2, 4]);
  });

  it("is both branches where rows differ", () => {
    expect(
      used(4, [
        [0, 1],
        [1, 1],
        [1, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual([0, 1, 2, 4]);
  });

  it("is the operand that decides", () => {
    expect(used(3, [1, 1, 0, 0, 1])).toEqual([0, 2, 3]);
    expect(used(3, [0, 0, 1, 0, 1])).toEqual([1, 3]);
    expect(used(3, [0, 1, 1, 1, 1])).toEqual([0, 1, 2, 3]);
  });
});

describe("labels that are bare numbers", () => {
  const numbered = (iteration: number, layer: number): Explainer => {
    const { model, recording } = harbourAt(iteration, layer);
    const { hypergraph } = recording.trace;
    const hyperedges = hypergraph.hyperedges.map((_, k) => k);
    const own = new Recording({ ...recording.trace, hypergraph: { ...hypergraph, hyperedges } });
    own.seek(own.frameOf(iteration, layer));
    return new Explainer(model, own);
  };

  it("say what they are of in a sentence", () => {
    expect(told(numbered(2, 1))).toContain("the hyperedge with the least key: hyperedge 1, 1.5");
    const sentenceOf = told(numbered(2, 3));
    expect(sentenceOf).toContain("hyperedges 1 and 2");
    expect(sentenceOf).not.toMatch(/(?<!hyperedges? )\b\d (=|and)/);
  });

  it("say so once for several, and for each where names are among them", () => {
    const { recording } = numbered(1, 1);
    expect(recording.calledAll("hyperedges", [1, 2, 3], listed)).toBe("hyperedges 0, 1 and 2");
    expect(recording.calledAll("hyperedges", [1], listed)).toBe("hyperedge 0");
    expect(recording.calledAll("vertices", [1, 2], listed)).toBe("Quay and Mole");
    expect(recording.called("hyperedges", 99)).toBeNull();
  });
});
