import { describe, expect, it } from "vitest";
import type { State } from "../src/machine/encode";
import { Explainer, type HeadRun, type LayerRun, lastWritten } from "../src/machine/explain";
import type { Value } from "../src/machine/interpret";
import { iterationValues } from "../src/machine/iteration";
import { type Head, type Layer, readModel } from "../src/machine/model";
import { assignments } from "../src/machine/program";
import { Naming } from "../src/naming";
import { originOf } from "../src/panels/machine_cell";
import { flowOf } from "../src/panels/machine_head";
import { Opened } from "../src/panels/machine_parts";
import { lowerBound, Recording } from "../src/recording";
import { sentence, toldOf } from "../src/told";
import type { Attention } from "../src/trace";
import { harbourAt, modelFiles, openedCases, toldAt } from "./cases";

const LONG = 120_000;

function stateOf({ log, rows }: Recording, columns: number): State {
  return Array.from({ length: columns }, (_, c) => log.now.slice(c * rows, (c + 1) * rows));
}

/** Every layer of every recorded frame. */
function* layersOf(explainer: Explainer): Generator<LayerRun> {
  const { recording } = explainer;
  for (let frame = 1; frame < recording.length; frame++) {
    recording.seek(frame);
    const layers = recording.trace.recorded.layers
      ? [recording.layer]
      : Array.from({ length: recording.layers }, (_, k) => k + 1);
    for (const layer of layers) yield explainer.run(layer) as LayerRun;
  }
}

/** What the recording says of a row's attention: the row, how many tie, the margin; null if it says nothing of it. */
function recorded(entry: Attention, frame: number, query: number): [number, number, number | null] | null {
  const k = lowerBound(entry.frame, frame);
  if (entry.frame[k] !== frame) return null;
  for (let i = entry.start[k] as number; i < (entry.start[k + 1] as number); i++) {
    const { query: from, row, ties, margin } = entry.links;
    if (from[i] === query) return [row[i] as number, ties[i] as number, margin[i] as number | null];
  }
  if (entry.pattern[k] !== 0 || entry.start[k] !== entry.start[k + 1]) return null;
  return [entry.row[k] as number, entry.ties[k] as number, entry.margin[k] as number | null];
}

describe.each(openedCases())("the layers of $name, taken apart", ({ model, recordings }) => {
  it("are those of the recording, before and after", { timeout: LONG }, () => {
    for (const recording of recordings) {
      for (const run of layersOf(new Explainer(model, recording))) {
        if (run.number !== recording.layer) continue;
        expect(run.after).toEqual(stateOf(recording, model.columns.length));
      }
    }
  });

  it("have the scores that choose what the recording says was attended to, by its margin", { timeout: LONG }, () => {
    let compared = 0;
    for (const recording of recordings) {
      for (const run of layersOf(new Explainer(model, recording))) {
        run.heads.forEach((head, k) => {
          for (let row = 0; row < recording.rows; row++) {
            const { winners, margin } = head.scores(row);
            const told = [winners[0], winners.length, margin];
            expect(told).toEqual([head.looks.row[row], head.looks.ties[row], finite(head.looks.margin[row] as number)]);
            const entry = recording.trace.attention.find((a) => a.layer === run.number && a.head === k + 1);
            const said = entry ? recorded(entry, recording.frame, row) : null;
            if (said) expect(told).toEqual(said);
            if (said) compared++;
          }
        });
      }
    }
    if (recordings.some(({ trace }) => trace.attention.length > 0)) expect(compared).toBeGreaterThan(0);
  });

  it("bring the average of the values of the rows that tie", { timeout: LONG }, () => {
    for (const recording of recordings) {
      for (const { heads } of layersOf(new Explainer(model, recording))) {
        for (const head of heads) {
          head.head.writes.forEach((_, k) => {
            for (let row = 0; row < recording.rows; row++) {
              const { winners } = head.scores(row);
              const sum = winners.reduce((total, each) => total + head.value(k, each), 0);
              expect(head.looks.brought[k]?.[row]).toBe(sum / winners.length);
            }
          });
        }
      }
    }
  });

  it("add to every cell what their parts add, and nothing else", { timeout: LONG }, () => {
    for (const recording of recordings) {
      for (const run of layersOf(new Explainer(model, recording))) {
        model.columns.forEach((_, column) => {
          for (let row = 0; row < recording.rows; row++) {
            const added = run.wrote(row, column).reduce((sum, { adds }) => sum + adds, 0);
            expect(run.before[column]?.[row] as number).toBe((run.after[column]?.[row] as number) - added);
          }
        });
      }
    }
  });

  it("carry through the incidence what their neighbours sum up", { timeout: LONG }, () => {
    for (const recording of recordings) {
      const explainer = new Explainer(model, recording);
      for (const run of layersOf(explainer)) {
        for (const head of run.heads.filter((each) => each.head.kind !== "plain")) flows(explainer, run, head);
      }
    }
  });

  it("say where every number comes from", { timeout: LONG }, () => {
    for (const recording of recordings) {
      const explainer = new Explainer(model, recording);
      for (const frame of [0, 1, recording.length >> 1, recording.length - 1]) {
        recording.seek(frame);
        const now = stateOf(recording, model.columns.length);
        model.columns.forEach((_, column) => {
          for (let row = 0; row < recording.rows; row++) {
            const origin = originOf(explainer, { row, column });
            expect(origin.after).toBe(now[column]?.[row]);
            if (recording.trace.recorded.layers)
              expect(origin.before).toBe(origin.after - origin.parts.reduce((sum, { adds }) => sum + adds, 0));
          }
        });
        expect(recording.frame).toBe(frame);
      }
    }
  });

  it("are told in a sentence each", { timeout: LONG }, () => {
    for (const recording of recordings) {
      const explainer = new Explainer(model, recording);
      for (const run of layersOf(explainer)) {
        const told = toldOf(explainer, run.number);
        const text = told ? sentence(told, recording.sectionOf(recording.frame)) : "";
        expect(text).toMatch(/^Layer \d+ .*\.$/);
        expect(text).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  });
});

function flows(explainer: Explainer, run: LayerRun, head: HeadRun): void {
  head.head.writes.forEach((_, k) => {
    const sums = new Float64Array(explainer.recording.rows);
    for (const { to } of flowOf(new Opened(explainer, run), head, k))
      for (const { row, gets } of to) sums[row] = (sums[row] as number) + gets;
    expect(sums).toEqual(head.adds[k]);
  });
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

describe("a number that is written again", () => {
  it("comes from the layer that wrote it last, be it the same number", { timeout: LONG }, () => {
    let [again, kept] = [0, 0];
    for (const { name, file, trace } of modelFiles().filter((each) => each.trace.recorded.layers)) {
      const recording = new Recording(trace);
      const explainer = new Explainer(readModel(file), recording);
      const last = new Map<string, number>();
      for (let frame = 1; frame < Math.min(recording.length, 13); frame++) {
        recording.seek(frame);
        const run = explainer.run() as LayerRun;
        explainer.model.columns.forEach(({ role, of }, column) => {
          for (let row = 0; row < recording.rows; row++) {
            const cell = `${row} ${column}`;
            const parts = run.wrote(row, column);
            const same = parts.reduce((sum, { adds }) => sum + adds, 0) === 0;
            const keeps = role === "state" && same && !isAssigned(explainer, of, row);
            if (parts.length > 0 && keeps) kept++;
            if (parts.length > 0 && !keeps) last.set(cell, frame);
            const origin = originOf(explainer, { row, column });
            expect(origin.frame, `${name} ${frame} ${cell}`).toBe(last.get(cell) ?? 0);
            if (origin.became) again++;
          }
        });
      }
    }
    expect([again > 0, kept > 0]).toEqual([true, true]);
  });

  /** Whether an assignment to a state takes effect on a row of this iteration, by the interpreter's values. */
  function isAssigned(explainer: Explainer, state: string, row: number): boolean {
    const { recording, model } = explainer;
    const section = recording.sectionOf(recording.frame) === "before" ? model.program.before : model.program.body;
    const values = iterationValues(explainer) as readonly Value[];
    return assignments(section, state).some(({ mask }) => {
      const value = mask === null ? 1 : (values[mask] as Value);
      return typeof value === "number" ? value !== 0 : value[row - 1] === 1;
    });
  }

  it("is found from wherever one looks", () => {
    const explainer = toldAt("b_distance", 4, 4);
    const { recording } = explainer;
    const fresh = (frame: number, row: number, column: number) => {
      const other = new Explainer(explainer.model, new Recording(recording.trace));
      other.recording.seek(frame);
      return originOf(other, { row, column }).frame;
    };
    for (const frame of [1, 13, 7, 8, 12, recording.length - 1, 3]) {
      recording.seek(frame);
      for (let column = 0; column < explainer.model.columns.length; column++)
        expect(originOf(explainer, { row: 1, column }).frame).toBe(fresh(frame, 1, column));
    }
  });
});

describe("the harbour", () => {
  it("is written by whom the page says", () => {
    const explainer = harbourAt(4, 3);
    const { recording } = explainer;
    const distance = recording.variables.get("distance")?.column as number;
    const origin = originOf(explainer, { row: 3, column: distance }); // Isle, since iteration 3
    expect([recording.iterationOf(origin.frame), recording.layerOf(origin.frame)]).toEqual([3, 3]);
    expect([origin.before, origin.after]).toEqual([recording.trace.model.infinity, 7]);
    expect(origin.parts.every(({ part }) => part === "unit")).toBe(true);
    expect(lastWritten(recording.trace, 3, 0, recording.frame)).toBe(0); // a column of ones stays
  });

  it("has its formulas in the program's names", () => {
    const explainer = harbourAt(4, 1);
    const naming = new Naming(explainer.model, explainer.recording);
    const { key, query } = (explainer.model.layers[0] as Layer).heads[0] as Head;
    const before = (column: number) => naming.column(column, 1, "before");
    expect(key.map((sum) => naming.formula(sum, before))).toEqual(["Ω − Ω·hyperedges + key", "P_1"]);
    expect(query.map((sum) => naming.formula(sum, before))).toEqual(["−131072", "−1"]);
    expect(naming.column(18, 2, "attended")).toBe("members");
    expect(naming.column(18, 1, "after")).toBe("‹1 at edge›");
    expect(naming.expression("body", 16)).toBe("first(members and settled and distance + weight[edge] = best)");
    expect(naming.number(explainer.model.infinity - 8)).toBe("Ω − 8");
    expect(naming.number(-2 * explainer.model.infinity)).toBe("−2Ω");
    expect(naming.number(-1_048_577)).toBe("−1048577");
  });
});
