import { expect, it } from "vitest";
import { few } from "../src/few";

it("never leaves out one alone", () => {
  expect([3, 4, 5, 6, 7].map((count) => few(count, 4))).toEqual([4, 4, 5, 4, 4]);
});
