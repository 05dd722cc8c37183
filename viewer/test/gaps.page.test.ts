// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { momentsOf } from "../src/compare/differences";
import { Explainer } from "../src/machine/explain";
import { cellCard, originOf } from "../src/panels/machine_cell";
import { changedText, gapText } from "../src/panels/variables";
import { graphOf } from "../src/picture/graph";
import { emptyStatus, inWords, readStatus } from "../src/picture/status";
import { Recording } from "../src/recording";
import { sentence, toldOf } from "../src/told";
import { harbourMachine } from "./cases";
import { thinned, withoutLayers } from "./gaps";

const { machine, trace } = harbourMachine();
const full = new Recording(trace);
const model = machine.modelOf(trace);
if (!model) throw new Error("the harbour's model is not here");

const end = trace.recorded.iterations;
const CASES: [string, Recording][] = [
  ["the last two iterations", thinned(trace, (it) => it > end - 2)],
  ["every third iteration", thinned(trace, (it) => it % 3 === 0 || it === 1 || it === end)],
  ["the first and the last", thinned(trace, (it) => it === 1 || it === end)],
];

function columnOf(name: string): number {
  const found = trace.model.columns.findIndex((column) => column.name === name);
  if (found < 0) throw new Error(`there is no column ${name}`);
  return found;
}

const wholeRun = new Explainer(model, full);

/** The last place at which a cell was written, in the whole run: what the page may say of it. */
function lastWrite(row: number, column: number, iteration: number, layer: number): [number, number] | null {
  full.seek(full.frameOf(iteration, layer));
  const { frame } = originOf(wholeRun, { row, column });
  return frame === 0 ? null : [full.iterationOf(frame), full.layerOf(frame)];
}

function textOf(explainer: Explainer, row: number, column: number): string {
  const nodes = cellCard(explainer, { row, column }, () => {});
  return nodes.map((node) => node.textContent).join("\n");
}

describe.each(CASES)("a recording of %s", (_, recording) => {
  const explainer = new Explainer(model, recording);

  test("says of no cell that another layer wrote it than the one that did", () => {
    for (let frame = 1; frame < recording.length; frame++) {
      recording.seek(frame);
      trace.model.columns.forEach((_, column) => {
        for (let row = 0; row < recording.rows; row++) {
          const origin = originOf(explainer, { row, column });
          const truth = lastWrite(row, column, recording.iteration, recording.layer);
          const sum = origin.parts.reduce((total, { adds }) => total + adds, origin.before);
          if (origin.layer !== null) {
            expect([recording.iterationOf(origin.frame), origin.layer]).toEqual(truth);
            expect(sum).toBe(origin.after);
          } else if (origin.frame === 0) expect(truth).toBe(null);
          else if (truth) expect(truth[0]).toBeLessThan(recording.iterationOf(origin.frame));
        }
      });
      expect(recording.frame).toBe(frame);
    }
  });

  test("has the sentences of the whole run", () => {
    const whole = new Explainer(model, new Recording(trace));
    for (let frame = 1; frame < recording.length; frame++) {
      recording.seek(frame);
      whole.recording.seek(full.frameOf(recording.iteration, recording.layer));
      for (let layer = 1; layer <= recording.layers; layer++) {
        const [here, there] = [toldOf(explainer, layer), toldOf(whole, layer)];
        const section = recording.sectionOf(frame);
        expect(here && sentence(here, section)).toBe(there && sentence(there, section));
      }
    }
  });

  test("tells no line and no time of a change that it may have missed", () => {
    for (const frame of recording.gaps) {
      recording.seek(frame);
      expect(recording.changedLines().size).toBe(0);
      expect(recording.sinceText()).toMatch(/^since (the start|iteration \d+)$/);
    }
    expect(recording.gaps.some((frame) => recording.framesOfLine(27).includes(frame))).toBe(false);
    for (let row = 1; row <= recording.count("vertices"); row++) {
      for (const { frame, after, line } of recording.history("vertices", row)) {
        expect(after !== null).toBe(recording.gaps.includes(frame));
        if (after !== null) expect([after, line]).toEqual([recording.iterationOf(frame - 1), 0]);
      }
    }
  });

  test("is compared with the whole run where it is recorded", () => {
    const moments = momentsOf(recording, new Recording(trace));
    const known = new Set(recording.trace.frames.iteration);
    expect(moments.every(({ iteration }) => known.has(iteration))).toBe(true);
    expect(moments.length).toBe(recording.length);
  });
});

describe("the harbour, its last two iterations", () => {
  const recording = thinned(trace, (it) => it > end - 2);
  const explainer = new Explainer(model, recording);

  test("a sum begins with the number right before the layer", () => {
    recording.seek(recording.frameOf(end - 1, 1));
    expect(textOf(explainer, 3, columnOf("temporary 1"))).toContain(": 5 → 6");
    expect(textOf(explainer, 3, columnOf("temporary 1"))).toMatch(/together ?5 \+ 6 − 5 = 6/);
  });

  test("what was written before is told as that", () => {
    recording.seek(recording.frameOf(end, 1));
    const distance = recording.variables.get("distance")?.column as number;
    const text = textOf(explainer, 3, distance);
    expect(text).toContain(`Written in iteration ${end - 2} or earlier: Ω → 7 since the start.`);
    expect(text).toContain(`Iterations 1 to ${end - 2} are not recorded.`);
    expect(text).not.toContain("together");
  });

  test("what is the same as at the start is not said to have stood", () => {
    recording.seek(recording.frameOf(end, 1));
    const distance = recording.variables.get("distance")?.column as number;
    const text = textOf(explainer, 8, distance); // Wreck
    expect(text).toContain("It was the same at the start.");
    expect(text).not.toContain("no layer has changed it");
    expect(textOf(explainer, 3, 0)).toContain("no layer has changed it"); // none writes that column
  });

  test("marked values and vertices are others since the start", () => {
    recording.seek(1);
    const named = [...recording.variables.values()].filter(({ scope }) => scope === "vertices");
    expect(changedText(recording, named, 6)).toContain("changed since the start: ");
    expect(gapText(recording)).toBe(
      `Marked values are others since the start, and not by this layer alone: iterations 1 to ${end - 2} are not recorded.`,
    );
    const graph = graphOf(trace);
    const status = emptyStatus(graph);
    const colour = { scope: "vertices", state: "distance", over: null, name: "distance" } as never;
    readStatus(recording, graph, colour, status);
    expect(inWords(recording, graph, status)).toContain("changed since the start: ");
    recording.seek(2);
    expect(gapText(recording)).toBe("");
    expect(recording.follows()).toBe(true);
  });

  test("a local is not marked as changed since an iteration that is not recorded", () => {
    recording.seek(recording.frameOf(end - 1));
    const locals = [...recording.locals.values()].filter(({ scope }) => scope !== "scalar");
    expect(locals.some((local) => recording.changedOf(local, 1))).toBe(false);
    expect(recording.changedRows(locals, 6)).toEqual([]);
  });
});

describe("the ends of iterations alone", () => {
  const recording = withoutLayers(trace);
  const explainer = new Explainer(model, recording);

  test("a sum begins with the number right before the layer, and nothing is said of layers in between", () => {
    for (let frame = 1; frame < recording.length; frame++) {
      recording.seek(frame);
      trace.model.columns.forEach((_, column) => {
        for (let row = 0; row < recording.rows; row++) {
          const origin = originOf(explainer, { row, column });
          const truth = lastWrite(row, column, recording.iteration, recording.layers);
          const sum = origin.parts.reduce((total, { adds }) => total + adds, origin.before);
          if (origin.layer !== null) expect(sum).toBe(origin.after);
          const said = origin.layer === null ? null : [recording.iterationOf(origin.frame), origin.layer];
          if (origin.stood) expect(said).toEqual(truth);
        }
      });
    }
    recording.seek(2);
    expect(textOf(explainer, 8, recording.variables.get("distance")?.column as number)).toContain(
      "The encoder wrote it at the start. It is the same after every iteration",
    );
  });
});
