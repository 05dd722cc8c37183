// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Editor, fileName } from "../src/edit";
import type { Algorithm } from "../src/edit/model";
import type { Runs } from "../src/machine/page";
import type { Trace } from "../src/trace";
import { traceOf } from "./small";

const DIJKSTRA: Algorithm = {
  name: "dijkstra",
  about: "",
  inputs: [{ name: "source", kind: "vertex", scope: "scalar" }],
};

describe("the editor", () => {
  const id = (name: string) => document.querySelector<HTMLInputElement>(`[data-testid="${name}"]`);
  const type = (name: string, text: string, event = "input") => {
    const field = id(name);
    if (!field) throw new Error(`no ${name}`);
    field.value = text;
    field.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const run = vi.fn();
  const on = { trace: vi.fn(), message: vi.fn(), stale: vi.fn() };
  let editor: Editor;

  beforeEach(() => {
    vi.useFakeTimers();
    document.body.replaceChildren();
    run.mockReset().mockImplementation(async () => traceOf());
    on.trace.mockReset();
    on.message.mockReset();
    const scc = { name: "scc", about: "", inputs: [], directed: true };
    const live = {
      algorithms: [DIJKSTRA, scc],
      examples: [],
      file: "",
      run,
      hif: vi.fn(),
      arrays: () => [],
      origin: null,
    };
    editor = new Editor(document.body, live as unknown as Runs, on);
    editor.load(traceOf());
  });
  afterEach(() => void vi.useRealTimers());

  const settle = () => vi.advanceTimersByTimeAsync(400);
  const sent = () => run.mock.calls.at(-1)?.[0];

  it("runs again after a change of a weight, and undoes it", async () => {
    type("edit-weight-ferry", "9/2");
    await settle();
    expect(sent().hypergraph.hyperedges[0].weight).toBe("9/2");
    expect(on.trace).toHaveBeenCalledOnce();
    id("edit-undo")?.click();
    await settle();
    expect(sent().hypergraph.hyperedges[0].weight).toBe("4");
    expect(id("edit-weight-ferry")?.value).toBe("4");
  });

  it("does not run with a weight that is none, and says why", async () => {
    type("edit-weight-ferry", "-2");
    await settle();
    expect(run).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain("A weight must be more than 0.");
  });

  it("undoes one by one what was typed in the same field with Enter, or a pause, between", async () => {
    const weight = () => id("edit-weight-ferry")?.value;
    const enter = () => id("edit-weight-ferry")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    type("edit-weight-ferry", "5");
    enter();
    type("edit-weight-ferry", "6");
    type("edit-weight-ferry", "67"); // one edit, with the 6
    await vi.advanceTimersByTimeAsync(1500);
    type("edit-weight-ferry", "8");
    const seen = ["67", "5", "4"].map(() => {
      id("edit-undo")?.click();
      return weight();
    });
    expect(seen).toEqual(["67", "5", "4"]);
  });

  it("begins an undo with what is typed in a field that nobody has left", async () => {
    type("edit-weight-launch", "2");
    type("edit-weight-launch", "2", "blur");
    type("edit-name-ferry", "barge");
    id("edit-undo")?.click(); // some browsers leave the focus in the field
    await settle();
    expect(sent().hypergraph.hyperedges.map(({ name, weight }: never) => [name, weight])).toEqual([
      ["ferry", "4"],
      ["launch", "2"],
    ]);
    id("edit-redo")?.click();
    await settle();
    expect(sent().hypergraph.hyperedges[0].name).toBe("barge");
  });

  it("takes back a text that cannot be, and no edit with it", async () => {
    type("edit-weight-launch", "2");
    type("edit-weight-ferry", "-2");
    await settle();
    run.mockClear();
    id("edit-undo")?.click();
    await settle();
    expect([id("edit-weight-ferry")?.value, id("edit-weight-launch")?.value]).toEqual(["4", "2"]);
    expect(document.body.textContent).not.toContain("A weight must be more than 0.");
    expect(run).not.toHaveBeenCalled();
    type("edit-new-vertex", "Mo"); // a name for something new is no edit
    id("edit-undo")?.click();
    expect(id("edit-weight-launch")?.value).toBe("1.5");
  });

  it("tells of a hypergraph that the model does not hold until undo takes that away", async () => {
    const holds = "the model in this page holds at most 174,756.";
    run.mockImplementation(async ({ hypergraph: { hyperedges } }) => {
      if (hyperedges.some(({ weight }: { weight: string }) => weight === "0.333333333")) throw new Error(holds);
      return traceOf();
    });
    type("edit-weight-ferry", "0.333333333");
    await settle();
    expect(on.stale).toHaveBeenLastCalledWith(holds);
    type("edit-new-vertex", "Mole");
    id("edit-add-vertex")?.click();
    await settle();
    expect(on.stale).toHaveBeenLastCalledWith(holds);
    expect(on.trace).not.toHaveBeenCalled();
    for (const refused of [true, false]) {
      id("edit-undo")?.click();
      await settle();
      expect(id("edit-error")?.hidden).toBe(!refused);
    }
    expect(on.stale).toHaveBeenLastCalledWith(null);
    expect(on.trace).toHaveBeenCalledOnce();
    id("edit-add-vertex")?.click();
    type("edit-weight-ferry", "5");
    await settle();
    expect(on.trace).toHaveBeenCalledTimes(2);
    expect(id("edit-error")?.hidden).toBe(true);
  });

  it("takes an error back that holds no more: of a name that is free now, and of what was tried before", async () => {
    const told = () => document.querySelector(".edit-adder .edit-problem:not([hidden])")?.textContent ?? "";
    type("edit-new-vertex", "Isle");
    expect(told()).toContain("Isle");
    id("edit-drop-vertex-Isle")?.click();
    expect(told()).toBe("");
    type("edit-new-vertex", "Isle");
    type("edit-vertex-7", "Isle");
    type("edit-vertex-7", "Isle", "change");
    expect(told()).toContain("Isle");
    await settle();
    editor.take(new File(["{"], "bad.json"));
    vi.useRealTimers();
    await vi.waitFor(() => expect(id("edit-error")?.hidden).toBe(false));
    id("edit-name-ferry")?.click();
    expect(id("edit-error")?.hidden).toBe(true);
  });

  it("says what an algorithm that follows directions makes of a hypergraph without any", async () => {
    const told = () => (id("edit-sides")?.hidden ? "" : id("edit-sides")?.textContent);
    expect(told()).toBe("");
    editor.choose("scc");
    expect(told()).toBe("Not directed: to scc, every member is both a tail and a head.");
    const box = document.querySelector<HTMLInputElement>('[data-testid="edit-directed"]');
    box?.click();
    expect(told()).toBe("");
    editor.undo();
    expect(told()).not.toBe("");
    editor.choose("dijkstra");
    expect(told()).toBe("");
  });

  it("adds a vertex and makes it a member", async () => {
    type("edit-new-vertex", "Mole");
    id("edit-add-vertex")?.click();
    type("edit-add-member-ferry", "6", "change");
    await settle();
    expect(sent().hypergraph.vertices).toEqual(["Quay", 7, "Isle", "Mole"]);
    expect(sent().hypergraph.hyperedges[0].members).toEqual(["Quay", "Isle", "Mole"]);
    id("edit-drop-member-ferry-Mole")?.click();
    id("edit-drop-vertex-Mole")?.click();
    await settle();
    expect(sent().hypergraph.vertices).toEqual(["Quay", 7, "Isle"]);
  });

  it("puts what comes back where it was drawn, and what is new elsewhere", async () => {
    // A run that draws what has no place in the corner.
    run.mockImplementation(async ({ hypergraph: { vertices }, positions }) => {
      const places = new Map(positions.vertices);
      const trace = traceOf();
      trace.hypergraph.vertices = vertices;
      trace.hypergraph.positions.vertices = vertices.map((label: unknown) => places.get(label) ?? [0.9, 0.9]);
      return trace;
    });
    on.trace.mockImplementation((trace) => editor.load(trace));
    const dragged = traceOf();
    dragged.hypergraph.positions.vertices[2] = [0.25, 0.75]; // Isle
    editor.load(dragged);
    const places = () => on.trace.mock.calls.at(-1)?.[0].hypergraph.positions.vertices;
    for (const label of ["Isle", "Quay"]) {
      id(`edit-drop-vertex-${label}`)?.click();
      await settle();
    }
    expect(places()).toEqual([[1, 0]]);
    for (const _ of [1, 2]) {
      id("edit-undo")?.click();
      await settle();
    }
    expect(places()).toEqual([
      [0, 0],
      [1, 0],
      [0.25, 0.75],
    ]);
    for (const label of ["Mole", "Pier"]) {
      type("edit-new-vertex", label);
      id("edit-add-vertex")?.click();
      await settle();
      expect(places()[3]).toEqual([0.9, 0.9]);
      on.trace.mock.calls.at(-1)?.[0].hypergraph.positions.vertices.splice(3, 1, [0.1, 0.2]); // dragged
      id("edit-undo")?.click(); // the next one gets its number, not its place
      await settle();
    }
  });

  it("takes a new vertex to its first hyperedge, unless somebody dragged it", async () => {
    run.mockImplementation(async ({ hypergraph: { vertices, hyperedges }, positions }) => {
      const places = new Map(positions.vertices);
      const trace = traceOf();
      Object.assign(trace.hypergraph, { vertices, hyperedges: hyperedges.map(({ name }: { name: string }) => name) });
      trace.hypergraph.positions.vertices = vertices.map((label: unknown) => places.get(label) ?? [0.05, 0.95]);
      return trace;
    });
    on.trace.mockImplementation((trace) => editor.load(trace));
    const placed = () => sent().positions.vertices.map(([label]: [string]) => label);
    for (const dragged of [false, true]) {
      type("edit-new-vertex", "Mole");
      id("edit-add-vertex")?.click();
      await settle();
      const place = on.trace.mock.calls.at(-1)?.[0].hypergraph.positions.vertices[3];
      if (dragged) [place[0], place[1]] = [0.4, 0.4];
      const mole = [...(id("edit-add-member-ferry")?.querySelectorAll("option") ?? [])].at(-1)?.value as string;
      type("edit-add-member-ferry", mole, "change");
      await settle();
      expect(placed().includes("Mole")).toBe(dragged);
      id("edit-drop-vertex-Mole")?.click();
      await settle();
    }
  });

  it("undoes with ctrl-z and redoes with ctrl-shift-z", async () => {
    id("edit-drop-hyperedge-launch")?.click();
    const press = (shiftKey: boolean) =>
      id("edit-undo")?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "z", ctrlKey: true, shiftKey, bubbles: true }),
      );
    press(false);
    expect(id("edit-weight-launch")).not.toBeNull();
    press(true);
    expect(id("edit-weight-launch")).toBeNull();
  });

  it("picks members in the picture, and a reload picks none", async () => {
    await Promise.resolve();
    id("edit-pick-ferry")?.click();
    editor.select({ scope: "vertices", row: 2 });
    await settle();
    expect(sent().hypergraph.hyperedges[0].members).toEqual(["Quay", "Isle", 7]);
    editor.load(on.trace.mock.calls.at(-1)?.[0]);
    editor.select({ scope: "vertices", row: 2 });
    await settle();
    expect(run).toHaveBeenCalledOnce();
  });

  it("stops picking at any other edit, and says so", async () => {
    const picking = vi.fn();
    Object.assign(on, { picking });
    await Promise.resolve();
    id("edit-pick-ferry")?.click();
    expect(picking).toHaveBeenLastCalledWith("ferry");
    type("edit-weight-launch", "3");
    expect(picking).toHaveBeenLastCalledWith(null);
    expect(id("edit-pick-ferry")?.getAttribute("aria-pressed")).toBe("false");
    editor.select({ scope: "vertices", row: 2 });
    await settle();
    expect(sent().hypergraph.hyperedges[0].members).toEqual(["Quay", "Isle"]);
  });

  it("takes a name back that cannot be, and says why", () => {
    type("edit-name-ferry", "launch");
    type("edit-name-ferry", "launch", "change");
    expect(id("edit-name-ferry")?.value).toBe("ferry");
    expect(document.body.textContent).toContain("It stays ferry.");
    expect(run).not.toHaveBeenCalled();
  });

  it("keeps the draft when its own trace comes back, and tells errors", async () => {
    on.trace.mockImplementation((trace: Trace) => editor.load(trace));
    type("edit-weight-ferry", "5");
    await settle();
    expect(id("edit-undo")?.hasAttribute("disabled")).toBe(false);
    run.mockRejectedValueOnce(new Error("The weights do not fit."));
    type("edit-weight-ferry", "500");
    await settle();
    expect(id("edit-error")?.textContent).toBe("The weights do not fit.");
    expect(on.message).toHaveBeenLastCalledWith("The weights do not fit.", true);
    expect(on.stale).toHaveBeenLastCalledWith("The weights do not fit.");
    editor.take(new File(["no columns"], "bad.csv"));
    await settle();
    expect(id("edit-error")?.textContent).toMatch(/^bad\.csv: .* The weights do not fit\.$/);
    editor.undo();
    await settle();
    expect(on.stale).toHaveBeenLastCalledWith(null);
    expect(id("edit-error")?.textContent).toBe("");
  });

  it("says what is odd about a file that was opened, until another comes", async () => {
    const told = () => [...(id("edit-warnings")?.children ?? [])].map((each) => each.textContent);
    const alike = "these are different vertices, though they look the same: 1 (an integer) and '1'.";
    editor.take(new File(['a: 1 "1"'], "alike.txt"));
    await settle();
    expect(told()).toEqual([alike]);
    expect(on.message).toHaveBeenLastCalledWith(`alike.txt: ${alike}`, true); // where it is not in view
    on.message.mockClear();
    const edge = '{"edge": "e", "weight": 2, "attrs": {"weight": 3}}';
    editor.take(new File([`{"edges": [${edge}], "incidences": [{"edge": "e", "node": "a"}]}`], "weight.json"));
    await settle();
    const replaced = "$.edges[0].attrs.weight contradicts the weight of its edge record and was replaced by it.";
    expect(told()).toEqual([replaced]);
    editor.undo();
    await settle();
    expect(told()).toEqual([alike]);
    expect(on.message.mock.calls).toEqual([[`weight.json: ${replaced}`, true]]); // once
    editor.undo();
    expect([told(), id("edit-warnings")?.hidden]).toEqual([[], true]);
  });

  it("warns of labels in the run of the page that look the same", () => {
    const trace = traceOf();
    trace.hypergraph.vertices.splice(0, 2, 1, "1");
    editor.load(trace);
    expect(id("edit-warnings")?.textContent).toContain("though they look the same: 1 (an integer) and '1'.");
  });

  it("tells nothing more of the change before when another algorithm or hypergraph is asked for", async () => {
    const told = () => id("edit-changes")?.textContent;
    type("edit-weight-ferry", "5");
    await settle();
    editor.changed(["Isle: distance 1 → 2"]);
    type("edit-weight-ferry", "6");
    expect(told()).toBe("Isle: distance 1 → 2");
    editor.choose("scc");
    expect(told()).toBe("");
    await settle();
    editor.changed(["Isle: component 1 → 2"]);
    editor.take(new File(["a b\n"], "own.txt"));
    await settle();
    expect(told()).toBe("");
  });

  it("says what is refused in a message only where the page does not tell it", async () => {
    on.stale.mockReturnValueOnce(false).mockReturnValue(true);
    run.mockRejectedValueOnce(new Error("The weights do not fit."));
    type("edit-weight-ferry", "500");
    await settle();
    expect(on.message).not.toHaveBeenCalled();
    on.stale.mockReset();
  });

  it("shows labels as text, whatever they hold", () => {
    const trace = traceOf();
    trace.hypergraph.vertices[0] = "<img src=x onerror=alert(1)>";
    editor.load(trace);
    expect(document.querySelector("img")).toBeNull();
    expect(document.body.textContent).toContain("<img src=x");
  });

  it("names the file it saves after the hypergraph, with plain characters", () => {
    expect(fileName("data/harbour.hif.json")).toBe("harbour-edited.hif.json");
    expect(fileName("../../..\\evil name?.csv")).toBe("evil-name-edited.hif.json");
    expect(fileName("")).toBe("hypergraph-edited.hif.json");
  });
});
