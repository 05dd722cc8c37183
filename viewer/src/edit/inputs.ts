/** The algorithm to run and its inputs. */

import { el, setText } from "../dom";
import { isolated } from "../isolate";
import { type Label, labelText } from "../labels";
import type { Kind } from "../trace";
import type { Desk } from "./cards";
import { algorithmOptions } from "./choice";
import { Field } from "./field";
import { List, type Row } from "./list";
import {
  type Algorithm,
  entryOf,
  type InputValue,
  numberProblem,
  type Single,
  setAlgorithm,
  setEntry,
  setInput,
} from "./model";

/** Where a control reads and writes its value. */
interface Cell {
  readonly label: string;
  readonly testid: string;
  get(): InputValue;
  set(value: Single, merge?: string): void;
}

type Update = (force: boolean) => void;

export class Inputs {
  readonly node: HTMLElement;
  readonly #desk: Desk;
  #algorithms: readonly Algorithm[];
  readonly #choice = el("select", { "data-testid": "edit-algorithm" });
  readonly #about = el("p", { class: "edit-about" });
  readonly #list = el("div", { class: "edit-inputs" });
  #updates: Update[] = [];
  #made = "";

  constructor(algorithms: readonly Algorithm[], desk: Desk) {
    this.#desk = desk;
    this.#algorithms = algorithms;
    this.offer(algorithms);
    this.#choice.addEventListener("change", () => this.#chosen());
    this.node = el(
      "div",
      {},
      el("label", { class: "edit-line" }, el("span", {}, "Algorithm"), this.#choice),
      this.#about,
      this.#list,
    );
  }

  /** The algorithms to choose from. */
  offer(algorithms: readonly Algorithm[]): void {
    this.#algorithms = algorithms;
    this.#made = "";
    this.#choice.replaceChildren(...algorithmOptions(algorithms));
  }

  /** The algorithm of the draft, if the page has it. */
  get algorithm(): Algorithm | undefined {
    return this.#algorithms.find(({ name }) => name === this.#desk.draft.algorithm);
  }

  show(force: boolean): void {
    const { algorithm } = this;
    this.#choice.value = algorithm?.name ?? "";
    setText(this.#about, algorithm?.about.replaceAll("`", "") ?? "Choose an algorithm to run.");
    if (this.#made !== (algorithm?.name ?? "")) this.#make(algorithm);
    for (const update of this.#updates) update(force);
  }

  #chosen(): void {
    const next = this.#algorithms.find(({ name }) => name === this.#choice.value);
    if (next) this.#desk.edit((draft) => setAlgorithm(draft, next, this.algorithm));
  }

  #make(algorithm: Algorithm | undefined): void {
    this.#made = algorithm?.name ?? "";
    this.#updates = [];
    this.#list.replaceChildren(
      ...(algorithm?.inputs ?? []).map(({ name, kind, scope }) =>
        scope === "scalar" ? this.#single(name, kind) : this.#array(name, kind, scope),
      ),
    );
  }

  #single(name: string, kind: Kind): HTMLElement {
    const cell: Cell = {
      label: name,
      testid: `edit-input-${name}`,
      get: () => this.#value(name),
      set: (value, merge) => this.#desk.edit((draft) => setInput(draft, name, value), merge),
    };
    const [control, update] = controlOf(this.#desk, kind, cell, false);
    this.#updates.push(update);
    return el("label", { class: "edit-line" }, el("span", {}, name), control);
  }

  /** One value for each vertex or hyperedge: a list, folded up while it is long. */
  #array(name: string, kind: Kind, scope: "vertices" | "hyperedges"): HTMLElement {
    const text = (item: { id: number }) =>
      labelText(("label" in item ? item.label : (item as { name?: unknown }).name) as Label);
    const rows = new List<{ readonly id: number }>(
      `${scope} of ${name}`,
      (item) => new ArrayRow(this.#desk, name, kind, item.id, () => text(this.#item(scope, item.id))),
      text,
      () => this.show(false),
    );
    this.#updates.push((force) => rows.show(this.#desk.draft[scope], null, force));
    const few = this.#desk.draft[scope].length <= FOLDED;
    const of = scope === "vertices" ? "each vertex" : "each hyperedge";
    return el(
      "details",
      { class: "edit-array", open: few, "data-testid": `edit-array-${name}` },
      el("summary", {}, `${name}, for ${of}`),
      rows.node,
    );
  }

  #item(scope: "vertices" | "hyperedges", id: number): { id: number } {
    return this.#desk.draft[scope].find((each) => each.id === id) ?? { id };
  }

  #value(name: string): InputValue {
    const { inputs } = this.#desk.draft;
    return Object.hasOwn(inputs, name) ? (inputs[name] as InputValue) : null;
  }
}

/** Rows of an array from which on its list is folded up at first. */
const FOLDED = 12;

class ArrayRow implements Row<{ readonly id: number }> {
  readonly node: HTMLElement;
  readonly #name = el("span", { class: "edit-entry" });
  readonly #update: Update;
  readonly #title: () => string;

  constructor(desk: Desk, name: string, kind: Kind, id: number, title: () => string) {
    this.#title = title;
    const cell: Cell = {
      label: `${name} of ${isolated(title())}`,
      testid: `edit-input-${name}-${title()}`,
      get: () => entryOf(desk.draft, name, kind, id),
      set: (value, merge) => desk.edit((draft) => setEntry(draft, name, id, value), merge),
    };
    const [control, update] = controlOf(desk, kind, cell, true);
    this.#update = update;
    this.node = el("li", {}, el("label", { class: "edit-line" }, this.#name, control));
  }

  update(_: { readonly id: number }, force: boolean): void {
    setText(this.#name, this.#title());
    this.#update(force);
  }
}

// -- controls ---------------------------------------------------------------------------------------------------------

function controlOf(desk: Desk, kind: Kind, cell: Cell, none: boolean): [HTMLElement, Update] {
  if (kind === "flag") return flagOf(cell);
  return kind === "vertex" || kind === "hyperedge" ? pointerOf(desk, kind, cell, none) : numberOf(desk, kind, cell);
}

function flagOf(cell: Cell): [HTMLElement, Update] {
  const box = el("input", { type: "checkbox", "data-testid": cell.testid });
  box.addEventListener("change", () => cell.set(box.checked));
  const update = () => {
    box.checked = cell.get() === true;
  };
  return [box, update];
}

/** A choice of vertices or hyperedges; with `none`, also of nothing. */
function pointerOf(desk: Desk, kind: "vertex" | "hyperedge", cell: Cell, none: boolean): [HTMLElement, Update] {
  const choice = el("select", { "data-testid": cell.testid });
  choice.addEventListener("change", () => cell.set(choice.value === "" ? null : Number(choice.value)));
  let shown: unknown = null;
  const update = () => {
    const { vertices, hyperedges } = desk.draft;
    const list = kind === "vertex" ? vertices : hyperedges;
    if (list !== shown) {
      const options =
        kind === "vertex"
          ? vertices.map(({ id, label }) => [id, label] as const)
          : hyperedges.map((e) => [e.id, e.name] as const);
      const nothing = none ? [el("option", { value: "" }, "–")] : [];
      choice.replaceChildren(
        ...nothing,
        ...options.map(([id, label]) => el("option", { value: id }, labelText(label))),
      );
      shown = list;
    }
    const value = cell.get();
    const known = list.some(({ id }) => id === value);
    choice.value = String(known ? value : none ? "" : (list[0]?.id ?? ""));
  };
  return [choice, update];
}

function numberOf(desk: Desk, kind: Kind, cell: Cell): [HTMLElement, Update] {
  const field = new Field({
    label: cell.label,
    class: "edit-weight",
    when: "typing",
    check: (text) => numberProblem(kind, text),
    commit: (text) => cell.set(text.trim(), cell.testid),
    left: () => desk.settle(),
  });
  field.name(cell.label, cell.testid);
  const update = (force: boolean) => {
    const value = cell.get();
    field.set(typeof value === "string" ? value : "", force);
  };
  return [field.node, update];
}
