import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { counted, FEW, fractionOf, numberText, parseFraction, short, shortText, times, written } from "../src/numbers";

interface Case {
  top: string;
  bottom: string;
  written: string;
  short: string;
  few: string;
}

/** What Python writes: scripts/number_cases.py makes this table, tests/test_numbers.py holds Python against it. */
const TABLE = JSON.parse(readFileSync(new URL("./numbers.json", import.meta.url), "utf8")) as {
  numbers: Case[];
  doubles: [number, string, string][];
  refused: string[];
};

test.each(TABLE.numbers)("$top/$bottom is $short, as in Python", (one) => {
  const fraction = { top: BigInt(one.top), bottom: BigInt(one.bottom) };
  expect(written(fraction)).toBe(one.written);
  expect(parseFraction(one.written)).toEqual(fraction);
  expect(short(fraction)).toBe(one.short);
  expect(short(fraction, FEW)).toBe(one.few);
  expect(shortText(one.written, FEW)).toBe(one.few);
});

test.each(TABLE.doubles)("the double %d is %s, as in Python", (value, text, few) => {
  expect(numberText(value)).toBe(text);
  expect(numberText(value, FEW)).toBe(few);
});

test.each(TABLE.refused.map((text) => [text.slice(0, 20), text] as const))("%j is not a number", (_, text) => {
  expect(parseFraction(text)).toBeNull();
  expect(() => shortText(text)).toThrow("is not a number");
});

test("the table has cases of every sort", () => {
  expect(TABLE.numbers.length).toBeGreaterThan(150);
  for (const sign of ["…", "/", ".", "digits)"]) expect(TABLE.numbers.some(({ few }) => few.includes(sign))).toBe(true);
});

test("a fraction that is not in lowest terms is read as the number that it is", () => {
  expect(parseFraction("0.50")).toEqual({ top: 1n, bottom: 2n });
  expect(parseFraction("-6/4")).toEqual({ top: -3n, bottom: 2n });
});

test("numbers that are not finite", () => {
  expect(fractionOf(Number.NaN)).toBeNull();
  expect(fractionOf(Infinity)).toBeNull();
  expect([numberText(Infinity), numberText(-Infinity), numberText(Number.NaN)]).toEqual(["∞", "-∞", "not a number"]);
});

test("products are exact, and counts have commas", () => {
  expect(written(times({ top: 1n, bottom: 10n ** 9n }, { top: 333333333n, bottom: 1n }))).toBe("0.333333333");
  expect(counted(131071)).toBe("131,071");
  expect(counted(-0.0004)).toBe("-0.0004"); // toLocaleString says -0
  expect(counted(1 / 3, FEW)).toBe("0.333333333…");
  expect(counted(1e21)).toBe("1000000000000000000000");
});
