// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Legend } from "../src/picture/legend";

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
});
