/** The algorithm to run and its inputs. */

import { el, setText } from "../dom";
import type { Kind } from "../trace";
import type { Desk } from "./cards";
import { Field } from "./field";
import { type Algorithm, numberProblem, setAlgorithm, setInput } from "./model";

export class Inputs {
  readonly node: HTMLElement;
  readonly #desk: Desk;
  readonly #algorithms: readonly Algorithm[];
  readonly #choice = el("select", { "data-testid": "edit-algorithm" });
  readonly #about = el("p", { class: "edit-about" });
  readonly #list = el("div", { class: "edit-inputs" });
  #updates: ((force: boolean) => void)[] = [];
  #made = "";

  constructor(algorithms: readonly Algorithm[], desk: Desk) {
    this.#desk = desk;
    this.#algorithms = algorithms;
    this.#choice.append(...algorithms.map(({ name }) => el("option", { value: name }, name)));
    this.#choice.addEventListener("change", () => this.#chosen());
    this.node = el(
      "div",
      {},
      el("label", { class: "edit-line" }, el("span", {}, "Algorithm"), this.#choice),
      this.#about,
      this.#list,
    );
  }

  /** The algorithm of the draft, if the server offers it. */
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
      ...(algorithm?.inputs ?? []).map(({ name, kind }) =>
        el("label", { class: "edit-line" }, el("span", {}, name), this.#control(name, kind)),
      ),
    );
  }

  #control(name: string, kind: Kind): HTMLElement {
    if (kind === "flag") return this.#flag(name);
    return kind === "vertex" || kind === "hyperedge" ? this.#pointer(name, kind) : this.#number(name, kind);
  }

  #flag(name: string): HTMLElement {
    const box = el("input", { type: "checkbox", "data-testid": `edit-input-${name}` });
    box.addEventListener("change", () => this.#desk.edit((draft) => setInput(draft, name, box.checked)));
    this.#updates.push(() => {
      box.checked = this.#value(name) === true;
    });
    return box;
  }

  #pointer(name: string, kind: "vertex" | "hyperedge"): HTMLElement {
    const choice = el("select", { "data-testid": `edit-input-${name}` });
    choice.addEventListener("change", () => this.#desk.edit((draft) => setInput(draft, name, Number(choice.value))));
    let shown: unknown = null;
    this.#updates.push(() => {
      const { vertices, hyperedges } = this.#desk.draft;
      const list = kind === "vertex" ? vertices : hyperedges;
      if (list !== shown) {
        const options =
          kind === "vertex"
            ? vertices.map(({ id, label }) => [id, label] as const)
            : hyperedges.map((e) => [e.id, e.name] as const);
        choice.replaceChildren(...options.map(([id, label]) => el("option", { value: id }, String(label))));
        shown = list;
      }
      const value = this.#value(name);
      choice.value = String(list.some(({ id }) => id === value) ? value : (list[0]?.id ?? ""));
    });
    return choice;
  }

  #number(name: string, kind: Kind): HTMLElement {
    const field = new Field({
      label: name,
      class: "edit-weight",
      when: "typing",
      check: (text) => numberProblem(kind, text),
      commit: (text) => this.#desk.edit((draft) => setInput(draft, name, text.trim()), `input ${name}`),
      left: () => this.#desk.settle(),
    });
    field.name(name, `edit-input-${name}`);
    this.#updates.push((force) => {
      const value = this.#value(name);
      field.set(typeof value === "string" ? value : "", force);
    });
    return field.node;
  }

  #value(name: string) {
    const { inputs } = this.#desk.draft;
    return Object.hasOwn(inputs, name) ? inputs[name] : null;
  }
}
