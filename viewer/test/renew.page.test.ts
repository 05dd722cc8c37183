// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { button, el } from "../src/dom";
import { renew, standing } from "../src/panels/machine_parts";

test("what is alike stays in the page, with other attributes and text", () => {
  const root = el("div");
  renew(root, el("p", { class: "a", title: "x" }, "one"), el("p", {}, "two"));
  const [first, second] = [...root.children];
  renew(root, el("p", { class: "b" }, "three", el("b", {}, "!")));
  expect([...root.children]).toEqual([first]);
  expect(root.innerHTML).toBe('<p class="b">three<b>!</b></p>');
  expect(second?.isConnected).toBe(false);
});

test("what listens is the one of its frame", () => {
  const root = el("div");
  const heard: number[] = [];
  for (const frame of [1, 2])
    renew(
      root,
      el(
        "p",
        {},
        button("go", {}, () => heard.push(frame)),
      ),
    );
  root.querySelector("button")?.click();
  expect(heard).toEqual([2]);
});

test("what stands for a node puts that one there, and does not take it out again", () => {
  const root = el("div");
  const list = el("label", {}, "rows");
  renew(root, standing(list), el("p", {}, "one"));
  renew(root, el("h3", {}, "more"), standing(list), el("p", {}, "two"));
  expect(root.innerHTML).toBe("<h3>more</h3><label>rows</label><p>two</p>");
  expect(root.children[1]).toBe(list);
  renew(root, standing(list));
  expect([...root.childNodes]).toEqual([list]);
});

test("what stays has its place within what is new", () => {
  const [root, kept] = [el("div"), el("select")];
  renew(root, el("p", {}, "before"));
  renew(root, el("p", {}, "before"), el("div", {}, "row ", standing(kept)));
  expect(root.innerHTML).toBe("<p>before</p><div>row <select></select></div>");
});
