import { describe, expect, it } from "vitest";
import { widerFor } from "../src/panels/tabs";

describe("the row of tabs", () => {
  const tabs = [0, 80, 160, 240].map((left) => ({ left, right: left + 78 })); // letters of 58 pixels in each

  it("stays where its end cuts letters", () => {
    expect(widerFor(tabs, 10, 200)).toBe(0);
  });

  it("is wider or narrower where its end is between two tabs", () => {
    expect(widerFor(tabs, 10, 145)).toBe(3); // letters of the second tab begin at 99 then: 46 pixels are seen
    expect(widerFor(tabs, 10, 168)).toBe(-3); // those of the third at 155
  });

  it("stays as it is where nothing helps", () => {
    expect(widerFor(tabs.slice(0, 1), 10, 300)).toBe(0);
  });
});
