import { expect, test } from "vitest";
import { Measured } from "../src/picture/measured";

function counted(): { widths: Measured; asked: string[] } {
  const asked: string[] = [];
  const widths = new Measured((text, font) => {
    asked.push(`${font} ${text}`);
    return text.length * Number.parseFloat(font);
  });
  return { widths, asked };
}

test("a text is measured once in each font", () => {
  const { widths, asked } = counted();
  const of = () => [widths.of("ab", "10px"), widths.of("ab", "20px"), widths.of("abc", "10px"), widths.of("", "10px")];
  expect(of()).toEqual([20, 40, 30, 0]);
  expect(of()).toEqual([20, 40, 30, 0]);
  expect(asked).toEqual(["10px ab", "20px ab", "10px abc", "10px "]);
});

test("what is forgotten is measured again", () => {
  const { widths, asked } = counted();
  widths.of("ab", "10px");
  widths.forget();
  expect(widths.of("ab", "10px")).toBe(20);
  expect(asked).toHaveLength(2);
});

test("no more widths are kept than there is room for", () => {
  const { widths, asked } = counted();
  for (let k = 0; k < 20_001; k++) widths.of(String(k), "10px");
  widths.of("20000", "10px");
  expect(asked).toHaveLength(20_001);
  widths.of("0", "10px");
  expect(asked).toHaveLength(20_002);
});
