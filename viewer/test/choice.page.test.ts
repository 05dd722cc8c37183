// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { algorithmOptions } from "../src/edit/choice";

const inputs: [] = [];

test("algorithms are listed with their few words, those of directed hypergraphs together", () => {
  const groups = algorithmOptions([
    { name: "mine", about: "", inputs },
    { name: "scc", about: "", inputs, short: "Directed: strongly connected components", directed: true },
    { name: "bfs", about: "", inputs, short: "Breadth-first search", directed: false },
  ]);
  const told = groups.map((group) => [
    group.getAttribute("label"),
    ...[...group.querySelectorAll("option")].map((option) => `${option.value} | ${option.textContent}`),
  ]);
  expect(told).toEqual([
    ["Any hypergraph", "mine | mine", "bfs | bfs – Breadth-first search"],
    ["Directed: from tails to heads", "scc | scc – Directed: strongly connected components"],
  ]);
});
