// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Legend, type ScaleTexts } from "../src/picture/legend";

describe("the legend", () => {
  it("says that labels are left out also while it is folded, and keeps the room of that", () => {
    const legend = new Legend();
    const signs = () => [
      ...legend.node.querySelectorAll<HTMLElement>("summary .picture-some, .picture-key .picture-left"),
    ];
    legend.leftOut(true);
    expect(signs().map(({ style }) => style.visibility)).toEqual(["", ""]);
    expect(signs()[0]?.textContent).toBe("not all labels fit");
    expect(signs()[0]?.title).toContain("zoom in");
    legend.leftOut(false);
    expect(signs().map(({ style, hidden }) => [style.visibility, hidden])).toEqual([
      ["hidden", false],
      ["hidden", false],
    ]);
  });

  it("has a number in the middle of its scale only where that is none of the ends", () => {
    const legend = new Legend();
    const colour = { name: "order", scope: "vertices", state: "order", over: null } as const;
    const flags = { under: false, over: false, infinite: false, none: false, categories: false };
    const shown = (texts: ScaleTexts, most: number) => {
      legend.scale(colour, { ...flags, least: 0, most, bend: most / 1000 }, texts);
      const scale = legend.node.querySelector(".picture-scale");
      return [...(scale?.querySelectorAll("span:not(.picture-gradient)") ?? [])].map(({ textContent }) => textContent);
    };
    expect(shown({ least: "0", middle: "0", most: "2" }, 2)).toEqual(["0", "2"]);
    expect(shown({ least: "0", middle: "2", most: "2" }, 2)).toEqual(["0", "2"]);
    expect(shown({ least: "0", middle: "", most: "2" }, 2)).toEqual(["0", "2"]);
    expect(shown({ least: "0", middle: "31", most: "1000" }, 1000)).toEqual(["0", "31", "1000"]);
  });
});
