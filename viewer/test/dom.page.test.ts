// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { button, setText } from "../src/dom";

const named = (label: string, text: string) => button(label, {}, () => {}, text);

it("a button is called what is written on it, where its label says something else", () => {
  const compare = named("Show both runs beside each other (b)", "Before and after");
  expect(compare.getAttribute("aria-label")).toBeNull();
  expect(compare.title).toBe("Show both runs beside each other (b)");
  setText(compare, "Both");
  expect(compare.textContent).toBe("Both");
  expect(named("Add a vertex", "Add").getAttribute("aria-label")).toBe("Add a vertex");
  expect(button("Close", {}, () => {}).getAttribute("aria-label")).toBe("Close");
});
