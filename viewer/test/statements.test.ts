import { describe, expect, it } from "vitest";
import { type Contribution, Explainer, type LayerRun } from "../src/machine/explain";
import { iterationValues } from "../src/machine/iteration";
import { assignments } from "../src/machine/program";
import { servedBy, stopsOf, stopThatHolds } from "../src/machine/statements";
import { Naming } from "../src/naming";
import { writtenFor } from "../src/panels/machine_cell";
import { Opened } from "../src/panels/machine_parts";
import { unitText } from "../src/panels/machine_units";
import { toldOf } from "../src/told";
import { harbourAt, openedCases, toldAt } from "./cases";

const STAGES = "abc";

/** "c15" of the layer that is shown. */
function lines(explainer: Explainer, unit: string): readonly number[] {
  const { layer } = explainer.recording;
  const run = explainer.run(layer) as LayerRun;
  const naming = new Naming(explainer.model, explainer.recording);
  return servedBy(naming, layer, run.layer, STAGES.indexOf(unit[0] as string), Number(unit.slice(1)) - 1).lines;
}

describe("the lines of a hidden unit", () => {
  it("are those of the statement that it works for, whatever the row", () => {
    const explainer = harbourAt(2, 3);
    expect(lines(explainer, "b14")).toEqual([33, 34]); // reached
    expect(lines(explainer, "c19")).toEqual([33, 34]); // it passes that on
    expect(lines(explainer, "c15")).toEqual([33]); // best + weight
    expect(lines(explainer, "b13")).toEqual([31]); // this hyperedge is edge
    expect(lines(explainer, "c14")).toEqual([31]); // INFINITY
    expect(lines(explainer, "c12")).toEqual([31, 33]); // the old key, where neither takes effect
    expect(lines(explainer, "b3")).toEqual([27, 28, 29, 30]);
    expect(lines(explainer, "c2")).toEqual([27]);
  });

  it("are those of the setup, if the unit works for that alone", () => {
    const explainer = harbourAt(2, 3);
    expect(lines(explainer, "c13")).toEqual([19]);
    expect(lines(explainer, "a14")).toEqual([18, 19]);
    const opened = new Opened(explainer, explainer.run(3) as LayerRun);
    expect(unitText(opened, 2, 12)).toBe("new key (of the setup) · line 19");
    expect(unitText(opened, 1, 13)).toBe("whether key is written; whether queued is written · lines 33, 34");
  });

  it.each(openedCases())("are those that take effect, in $name", ({ model, recordings }) => {
    for (const recording of recordings) {
      const explainer = new Explainer(model, recording);
      for (let iteration = 1; iteration <= Math.min(recording.trace.recorded.iterations, 12); iteration++) {
        recording.seek(recording.frameOf(iteration, recording.layers));
        if (recording.layer === recording.layers && recording.frame > 0) checkOpen(explainer);
      }
    }
  });

  it.each(["pagerank", "closeness", "topological", "b_distance"])("are those that take effect, in %s", (name) => {
    let seen = 0;
    const { iterations } = toldAt(name, 1, 1).recording.trace.recorded;
    for (let iteration = 1; iteration <= Math.min(iterations, 12); iteration++) {
      const { recording } = toldAt(name, iteration, 1);
      const explainer = toldAt(name, iteration, recording.layers);
      seen += checkOpen(explainer);
    }
    expect(seen).toBeGreaterThan(10);
  });
});

/** Each unit that is active on a row: one of its lines is that of the statement that counts there. */
function checkOpen(explainer: Explainer): number {
  const { recording, model } = explainer;
  const { layer } = recording;
  const run = explainer.run(layer) as LayerRun;
  const values = iterationValues(explainer);
  const section = recording.sectionOf(recording.frame);
  const program = section === "before" ? model.program.before : model.program.body;
  let seen = 0;
  recording.trace.model.layers[layer - 1]?.units.stages[2]?.forEach(({ for: purposes, carries }, unit) => {
    const [purpose] = purposes.filter((each) => each[0] === section && each[2] === "assignment");
    if (!purpose || carries || !values) return;
    for (const state of recording.operations.of(purpose).assigns) {
      const scope = recording.kindOf(state)?.scope;
      const rows = scope === "vertices" || scope === "hyperedges" ? recording.count(scope) : 1;
      for (let row = 1; row <= rows; row++) {
        if (run.units[2][unit]?.[row] === 0) continue;
        const taken = assignments(program, state).find(({ mask }) => {
          const value = mask === null ? 1 : (values[mask] as number | readonly number[]);
          return (typeof value === "number" ? value : value[row - 1]) !== 0;
        });
        const line = taken ? recording.operations.at(section, taken.op).line : 0;
        if (line === 0) continue;
        expect(lines(explainer, `c${unit + 1}`), `${state} ${row} c${unit + 1}`).toContain(line);
        seen++;
      }
    }
  });
  return seen;
}

describe("what a part writes to a number", () => {
  const told = (explainer: Explainer, row: number, column: string) => {
    const { layer } = explainer.recording;
    const run = explainer.run(layer) as LayerRun;
    const number = explainer.model.columns.findIndex(({ name }) => name === column);
    const opened = new Opened(explainer, run);
    return run.wrote(row, number).map((part) => writtenFor(opened, { row, column: number }, part));
  };

  it("is that of its column, where a head has several", () => {
    expect(told(harbourAt(2, 1), 0, "temporary 1")).toContainEqual({ what: "edge", lines: [22] });
    expect(told(harbourAt(2, 1), 0, "temporary 2")).toContainEqual({ what: "best", lines: [22] });
    expect(told(harbourAt(2, 3), 3, "temporary 7")).toContainEqual({ what: "count of touching(fresh)", lines: [32] });
  });

  it("is what is passed on, as often as that is", () => {
    expect(told(toldAt("pagerank", 3, 2), 17, "temporary 7")).toContainEqual({ what: "passes on 2 × rank", lines: [] });
    expect(told(toldAt("pagerank", 3, 2), 17, "temporary 8")).toContainEqual({ what: "passes on vertices", lines: [] });
    expect(told(toldAt("topological", 7, 5), 17, "halt")).toContainEqual({ what: "passes on 1", lines: [] });
    expect(told(harbourAt(1, 3), 1, "started")).toEqual([{ what: "passes on 1 − started", lines: [] }]);
  });

  it("is the erasure of what stood there, also in a temporary column", () => {
    const old = told(harbourAt(7, 3), 6, "queued");
    expect(old).toContainEqual({ what: "takes the old value away", lines: [] });
    const erased = told(toldAt("scc", 2, 3), 1, "temporary 17");
    expect(erased).toContainEqual({ what: "erases what stood there", lines: [36] });
  });

  it("is said to be of the setup, where the loop does not use it", () => {
    const what = "containing(source) (of the setup)";
    expect(told(harbourAt(2, 3), 6, "temporary 3")).toContainEqual({ what, lines: [18] });
  });
});

describe("the end of a loop with several stops", () => {
  const at = (iteration: number) => toldAt("subleq", iteration, 5);

  it("is credited to the stop that holds", () => {
    const explainer = at(5);
    const { recording } = explainer;
    expect(toldOf(explainer, 5)?.lines).toContain(26); // the pc is out of the memory
    expect(toldOf(explainer, 5)?.lines).not.toContain(30); // nothing overflows
    const card = new Opened(explainer, explainer.run(5) as LayerRun);
    const part = card.run.wrote(0, explainer.model.halt)[0] as Contribution;
    expect(writtenFor(card, { row: 0, column: explainer.model.halt }, part).lines).toEqual([26, 30]);
    expect(recording.trace.algorithm.source[26 - recording.trace.algorithm.first]).toContain("stop_when(halted |");
  });

  it("is one of them where the author joined two conditions, or a loop has one stop", () => {
    const { body } = at(5).model.program;
    const lines = stopsOf(body).map((stop) => at(5).recording.operations.at("body", stop).line);
    expect(lines).toEqual([26, 30]);
    expect(stopsOf(harbourAt(8, 3).model.program.body)).toHaveLength(1);
    expect(stopThatHolds(body, null)).toBe(body.stop);
  });
});
