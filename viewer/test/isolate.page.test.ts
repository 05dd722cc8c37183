// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { el, setText } from "../src/dom";
import { isolated, partsOf, unmarked } from "../src/isolate";
import { codeNodes } from "../src/marked";

const HEBREW = "abc שלום";

describe("a label in a sentence", () => {
  it("stands by itself where it reads from right to left, or turns the direction", () => {
    expect(isolated("Quay")).toBe("Quay");
    expect(isolated(HEBREW)).toBe("\u2068abc שלום\u2069");
    expect(isolated("الميناء")).toBe("\u2068الميناء\u2069");
    expect(isolated("\u202egnp.exe")).toBe("\u2068\u202egnp.exe\u2069");
  });

  it("cannot end its isolation, or begin one that it does not end", () => {
    expect(isolated("a\u2069\u202eb")).toBe("\u2068a\u202eb\u2069");
    expect(isolated("a\u2067b")).toBe("\u2068a\u2067b\u2069\u2069");
    for (const label of ["a\u2069\u202eb", "\u2067a", "\u2068a\u2069\u2069", HEBREW]) {
      const text = `least: ${isolated(label)}, 4`;
      expect(partsOf(text).map(({ alone }) => alone)).toEqual([false, true, false]);
      expect(unmarked(text).startsWith("least: ")).toBe(true);
    }
  });

  it("is an element of its own in the page, and its text has no marks", () => {
    const text = `${isolated(HEBREW)} = 3.5`;
    const node = el("p", {}, text);
    expect(node.querySelector("bdi")?.textContent).toBe(HEBREW);
    expect(node.textContent).toBe("abc שלום = 3.5");
    setText(node, `${isolated("سفينة")}, 4`);
    expect([...node.childNodes].map((each) => each.textContent)).toEqual(["سفينة", ", 4"]);
    setText(node, "Quay, 4");
    expect(node.querySelector("bdi")).toBeNull();
    expect(el("p", {}, ...codeNodes(text)).querySelector("bdi")?.textContent).toBe(HEBREW);
    expect(el("option", {}, isolated(HEBREW)).childElementCount).toBe(0);
  });
});
