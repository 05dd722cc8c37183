import { describe, expect, test } from "vitest";
import { headText } from "../src/panels/table";
import { graphOf } from "../src/picture/graph";
import { hollowText } from "../src/picture/legend";
import { type Colour, rangeOf } from "../src/picture/ranges";
import { emptyStatus, readStatus } from "../src/picture/status";
import { type Named, Recording } from "../src/recording";
import type { Changes } from "../src/trace";
import { type Opened, openedCases } from "./cases";
import { harbour, naive, random, randomTrace } from "./traces";

function values(recording: Recording): number[][] {
  const { now, rows } = recording.log;
  return recording.trace.columns.map((_, c) => [...now.subarray(c * rows, (c + 1) * rows)]);
}

describe("seek", () => {
  const sizes = [
    { frames: 40, rows: 5, columns: 4 },
    { frames: 7, rows: 1, columns: 2 },
    { frames: 4000, rows: 12, columns: 6 }, // long enough for snapshots
  ];

  test.each(sizes)("forward, backward and at random equals a replay of %o", (size) => {
    const trace = randomTrace(size.frames, size);
    const recording = new Recording(trace);
    const next = random(7);
    const all = size.frames > 100 ? [0, 1, 2, 3999, 1500, 1499, 1498] : [...Array(size.frames).keys()];
    const order = [...all, ...[...all].reverse(), ...Array.from({ length: 60 }, () => next(size.frames))];
    for (const frame of order) {
      recording.seek(frame);
      expect(values(recording)).toEqual(naive(trace, size.rows, frame));
    }
  });

  test("what changed is what differs from the frame before", () => {
    const size = { frames: 50, rows: 6, columns: 5 };
    const trace = randomTrace(3, size);
    const recording = new Recording(trace);
    for (const frame of [1, 2, 3, 30, 29, 49, 5]) {
      recording.seek(frame);
      const [now, before] = [naive(trace, size.rows, frame), naive(trace, size.rows, frame - 1)];
      for (const [name, { column }] of recording.variables) {
        for (let row = 1; row < size.rows; row++) {
          expect(recording.changed(name, row)).toBe(now[column]?.[row] !== before[column]?.[row]);
          expect(recording.previous(name, row)).toBe(before[column]?.[row]);
        }
      }
    }
  });

  test("the rows that changed, in order", () => {
    const trace = randomTrace(5, { frames: 60, rows: 9, columns: 3 });
    const recording = new Recording(trace);
    const named = [...recording.variables.values()];
    for (let frame = 0; frame < 60; frame++) {
      recording.seek(frame);
      const rows = [1, 2, 3, 4, 5, 6, 7, 8].filter((row) => named.some((n) => recording.changedOf(n, row)));
      expect(recording.changedRows(named, 8)).toEqual(rows);
    }
  });

  test("a frame out of range is brought into it", () => {
    const recording = new Recording(harbour());
    recording.seek(1e9);
    expect(recording.frame).toBe(recording.length - 1);
    recording.seek(-3);
    expect(recording.frame).toBe(0);
    recording.seek(Number.NaN);
    expect(recording.frame).toBe(0);
  });
});

describe("a run of Dijkstra's algorithm", () => {
  const recording = new Recording(harbour());

  test("frames by iteration and layer", () => {
    expect(recording.frameOf(0)).toBe(0);
    expect(recording.frameOf(4, 2)).toBe(11);
    expect(recording.frameOf(4)).toBe(12);
    expect(recording.frameOf(99)).toBe(24);
  });

  test("values of states, locals and the program's locals", () => {
    recording.seek(recording.frameOf(4, 2));
    expect(recording.text("length", recording.value("distance", 2) ?? -1)).toBe("1.5");
    expect(recording.text("hyperedge", recording.value("edge", 0) ?? -1)).toBe("ferry");
    recording.seek(recording.frameOf(4));
    expect(recording.text("hyperedge", recording.value("edge", 0) ?? -1)).toBe("ferry"); // the interpreter's
    expect(recording.text("vertex", recording.value("tail", 0) ?? -1)).toBe("Quay");
    expect(recording.previous("edge", 0)).toBe(recording.value("edge", 0)); // in X it was there already
    expect(recording.changed("edge", 0)).toBe(false);
    recording.seek(recording.frameOf(1));
    expect(recording.value("edge", 0)).toBeNull(); // not yet in the loop
    recording.seek(0);
    expect(recording.value("tail", 0)).toBeNull();
  });

  test("a local that the interpreter repeats at the end of an iteration did not change there", () => {
    recording.seek(recording.frameOf(3));
    for (const name of ["members", "tail", "fresh"]) {
      const named = recording.standing(name) as Named;
      const rows = named.scope === "scalar" ? [0] : recording.trace.hypergraph.vertices.map((_, k) => k + 1);
      expect(rows.filter((row) => recording.changedOf(named, row))).toEqual([]);
      expect(recording.previousOf(named, 1)).toBe(recording.valueOf(named, 1));
    }
    expect(recording.changedRows([recording.standing("members") as Named], 8)).toEqual([]);
  });

  test("a value without a name is called by its line", () => {
    const { trace } = recording;
    const unnamed = [...recording.variables.values()].filter(({ variable }) => variable?.named === false);
    expect(unnamed.length).toBeGreaterThan(0);
    for (const each of unnamed) expect(headText(each)).toBe(`line ${each.line}`);
    expect(headText(recording.variables.get(trace.shows.value as string) as Named)).toBe("distance");
  });

  test("a name that nothing has", () => {
    expect(recording.value("nonsense", 1)).toBeNull();
    expect(recording.value("constructor", 1)).toBeNull();
    expect(recording.kindOf("toString")).toBeNull();
  });

  test("the interpreter's values", () => {
    const trace = harbour();
    trace.differences = {
      first: { frame: 12, variable: "distance", row: 5, expected: 9, found: 8 },
      more: false,
      values: { distance: { frame: [12], row: [5], expected: [9] } },
    };
    const edited = new Recording(trace);
    edited.seek(12);
    expect([edited.value("distance", 5), edited.expected("distance", 5)]).toEqual([8, 9]);
    expect(edited.expected("distance", 2)).toBe(edited.value("distance", 2));
    edited.seek(11);
    expect(edited.expected("distance", 5)).toBe(edited.value("distance", 5));
  });

  test("history of a vertex", () => {
    const events = recording.history("vertices", 5).filter((event) => event.name === "distance");
    expect(events).toEqual([
      { frame: 0, name: "distance", value: recording.trace.model.infinity, line: 9, after: null },
      { frame: 12, name: "distance", value: 8, line: 27, after: null },
    ]);
    const frames = recording.history("hyperedges", 1, true).map((event) => event.frame);
    expect(frames).toEqual([...frames].sort((a, b) => a - b));
    expect(recording.history("hyperedges", 5, true).length).toBeGreaterThan(recording.history("hyperedges", 5).length);
  });

  test("next and previous change of a variable", () => {
    expect(recording.nextChange("distance", 1, 0)).toBe(3);
    expect(recording.nextChange("distance", 1, 3)).toBe(6);
    expect(recording.nextChange("distance", -1, 12)).toBe(9);
    expect(recording.nextChange("distance", 1, 24)).toBeNull();
    const edge = recording.nextChange("edge", 1, 0) as number;
    recording.seek(edge);
    expect(recording.value("edge", 0)).not.toBeNull();
  });

  test("source lines", () => {
    recording.seek(12);
    expect(recording.linesOf()).toContain(27);
    expect(recording.changedLines().get(27)).toBe(1);
    expect(recording.framesOfLine(27)).toEqual([6, 9, 12, 18]);
    expect(recording.framesOfLine(9)).toEqual([]);
    recording.seek(3);
    expect(recording.linesOf()).toContain(16); // before the loop
    expect(recording.linesOf()).not.toContain(27);
  });
});

describe("text", () => {
  const recording = new Recording(harbour());
  const { infinity } = recording.trace.model;

  test.each([
    ["flag", 0, "no"],
    ["flag", 1, "yes"],
    ["flag", 2, "2"],
    ["count", 12, "12"],
    ["count", 0.30000000000000004, "0.30000000000000004"],
    ["length", 3, "1.5"],
    ["length", 0, "0"],
    ["length", -3, "-1.5"],
    ["length", 0.5, "0.25"],
    ["vertex", 0, "–"],
    ["vertex", 1, "Quay"],
    ["vertex", 999, "#999"],
    ["hyperedge", 1, "ferry"],
  ] as const)("%s %d is %s", (kind, value, text) => {
    expect(recording.text(kind, value)).toBe(text);
  });

  test("infinity", () => {
    expect(recording.text("length", infinity)).toBe("∞");
  });

  test.each([
    ["1/3", 4, "4/3"],
    ["1/3", 3, "1"],
    ["1/1000", 1, "0.001"],
    ["2.5", 3, "7.5"],
    ["1", 9007199254740991, "9007199254740991"],
  ])("in units of %s, %d is %s", (unit, value, text) => {
    expect(new Recording({ ...harbour(), unit }).text("length", value)).toBe(text);
  });
});

test("scrubbing ten thousand iterations is fast", () => {
  const recording = new Recording(randomTrace(1, { frames: 30_000, rows: 301, columns: 20 }));
  const next = random(2);
  const begin = performance.now();
  for (let k = 0; k < 200; k++) recording.seek(next(30_000));
  expect((performance.now() - begin) / 200).toBeLessThan(30);
});

describe("an output that the answer has only where a flag says so", () => {
  // Levels of the harbour from Quay: nothing leads to Wreck.
  const { recordings } = openedCases().find(({ name }) => name === "levels") as Opened;
  const recording = recordings[0] as Recording;
  const level = recording.variables.get("level") as Named;
  const [quay, wreck] = [1, 8];
  const rows = [1, 2, 3, 4, 5, 6, 7, 8];
  const texts = () => rows.map((row) => recording.cellText(level, row)).join(" ");

  test("names that flag", () => {
    expect([level.variable?.known, level.variable?.unless]).toEqual(["reached", undefined]);
  });

  test("is a dash until then, also before the run, and its number afterwards", () => {
    recording.seek(0);
    expect(texts()).toBe("– – – – – – – –");
    recording.seek(recording.length);
    expect(texts()).toBe("0 1 1 2 1 2 1 –");
  });

  test("becomes a number when the flag is set, though the number stays the same", () => {
    const lack = () => [recording.lackedOf(level, quay), recording.lacksOf(level, quay)];
    recording.seek(0);
    expect(lack()).toEqual([true, true]);
    recording.seek(recording.frameOf(1)); // the statements before the loop
    expect(recording.changedOf(level, quay)).toBe(false);
    expect(lack()).toEqual([true, false]);
    recording.seek(recording.length);
    expect(lack()).toEqual([false, false]);
  });

  test("has no colour in the picture, and no part in its scale", () => {
    const graph = graphOf(recording.trace);
    const coloured = (frame: number) => {
      const status = emptyStatus(graph);
      recording.seek(frame);
      readStatus(recording, graph, of("level"), status);
      return [...status.value].slice(1);
    };
    expect(coloured(0)).toEqual(rows.map(() => Number.NaN));
    expect(coloured(recording.length)).toEqual([0, 1, 1, 2, 1, 2, 1, Number.NaN]);
    const range = rangeOf(recording.trace, of("level"));
    expect(range).toMatchObject({ least: 0, most: 2, none: true });
    expect(hollowText(range)).toBe("hollow: no value");
    expect(hollowText(rangeOf(harbour(), of("distance")))).toBe("hollow: ∞");
  });

  test("tells a working value of the program where the answer has none, and its scale does not", () => {
    const trace = structuredClone(recording.trace);
    const changes = trace.columns[level.column] as Changes;
    changes.frame.unshift(1);
    changes.row.unshift(wreck);
    changes.value.unshift(7);
    const other = new Recording(trace);
    other.seek(other.length);
    expect(other.cellText(other.variables.get("level") as Named, wreck)).toBe("7");
    expect(rangeOf(trace, of("level"))).toMatchObject({ least: 0, most: 2, over: false });
  });
});

function of(name: string): Colour {
  return { name, scope: "vertices", state: name, over: null };
}
