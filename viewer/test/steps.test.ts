import { expect, test } from "vitest";
import { momentAt } from "../src/compare/differences";
import { unitText } from "../src/panels/state";
import { placeText, stepOf } from "../src/panels/timeline";
import { Recording } from "../src/recording";
import { harbour } from "./traces";

test("the start counts iterations as every other place does", () => {
  const trace = harbour();
  const recording = new Recording({ ...trace, recorded: { ...trace.recorded, iterations: 18_147 } });
  expect(placeText(recording)).toBe("start, before iteration 1 of 18,147");
  recording.seek(1);
  expect(placeText(recording)).toBe("iteration 1 of 18,147 · layer 1 of 3");
});

test("a step is what the recording has frames of", () => {
  const trace = harbour();
  expect(stepOf(new Recording(trace))).toBe("layer");
  expect(stepOf(new Recording({ ...trace, recorded: { ...trace.recorded, layers: false } }))).toBe("iteration");
});

test("the unit is named where it is not 1", () => {
  expect(unitText(new Recording(harbour()))).toBe("Lengths and weights are in units of 0.5: 8 is 4. ");
  expect(unitText(new Recording({ ...harbour(), unit: "1/3" }))).toContain("units of 1/3: 8 is 8/3");
  expect(unitText(new Recording({ ...harbour(), unit: "1" }))).toBe("");
});

test("a quotient is exact, in the user's unit, and none by zero or of ∞", () => {
  const recording = new Recording(harbour());
  const { infinity } = recording.trace.model;
  expect(recording.quotient("count", 6, "length", 53)).toBe("12/53");
  expect(recording.quotient("count", 6, "length", 30)).toBe("0.4");
  expect(recording.quotient("length", 3, "length", 1)).toBe("3");
  expect(recording.quotient("count", 0, "count", 0)).toBe("–");
  expect(recording.quotient("count", 1, "length", infinity)).toBe("–");
});

test("the moment of a comparison is the last one that is not after the step that is shown", () => {
  const layers = [0, 1, 2, 3, 4].map((k) => ({ iteration: Math.ceil(k / 2), layer: k === 0 ? 0 : ((k - 1) % 2) + 1 }));
  expect(momentAt(layers, { iteration: 1, layer: 2 })).toBe(2);
  expect(momentAt(layers, { iteration: 2, layer: null })).toBe(4);
  expect(momentAt(layers, { iteration: 9, layer: 1 })).toBe(4);
  const whole = [0, 1, 2].map((iteration) => ({ iteration, layer: null }));
  expect(momentAt(whole, { iteration: 1, layer: 2 })).toBe(1);
});
