/** One row for each hyperedge and vertex of the draft. Labels become text nodes and attribute values only. */

import { button, el, icon, setAttribute, setText } from "../dom";
import { few } from "../few";
import { isolated } from "../isolate";
import { labelText } from "../labels";
import { Field } from "./field";
import type { Row } from "./list";
import {
  addMember,
  type Draft,
  dropHyperedge,
  dropVertex,
  type Hyperedge,
  hyperedgeNameProblem,
  removeMember,
  renameHyperedge,
  renameVertex,
  type Side,
  setSide,
  setWeight,
  type Vertex,
  vertexNameProblem,
  weightProblem,
} from "./model";

/** What a row needs of the editor. */
export interface Desk {
  readonly draft: Draft;
  readonly picking: number | null; // the hyperedge to which clicks in the picture add vertices
  edit(change: (draft: Draft) => Draft, merge?: string): void;
  settle(): void;
  pick(id: number | null): void;
  labelOf(vertex: number): string;
  degreeOf(vertex: number): number;
}

const EAGER = 60; // vertices: more are offered only once somebody opens the choice
const CHIPS = 40;

const SIDES: { readonly [side in Side | "both"]: { text: string; words: string; next: Side | null } } = {
  both: { text: "both", words: "a tail and a head", next: "tail" },
  tail: { text: "tail", words: "a tail", next: "head" },
  head: { text: "head", words: "a head", next: null },
};

export function drop(label: string, testid: string, act: () => void): HTMLButtonElement {
  return button(label, { class: "edit-drop", "data-testid": testid }, act, icon("close"));
}

function renamed(node: Element, label: string, testid: string): void {
  setAttribute(node, "aria-label", label);
  setAttribute(node, "title", label);
  setAttribute(node, "data-testid", testid);
}

export class HyperedgeCard implements Row<Hyperedge> {
  readonly node: HTMLElement;
  readonly #desk: Desk;
  readonly #id: number;
  readonly #name: Field;
  readonly #weight: Field;
  readonly #drop: HTMLButtonElement;
  readonly #chips = el("span", { class: "edit-chips" });
  readonly #add = el("select", { class: "edit-add-member" });
  readonly #pick: HTMLButtonElement;
  #offered = "";

  constructor({ id }: Hyperedge, desk: Desk) {
    this.#desk = desk;
    this.#id = id;
    this.#name = new Field({
      label: "Name",
      class: "edit-name",
      when: "done",
      reverts: true,
      check: (text) => hyperedgeNameProblem(desk.draft, text, id),
      commit: (text) => desk.edit((draft) => renameHyperedge(draft, id, text)),
    });
    this.#weight = new Field({
      label: "Weight",
      class: "edit-weight",
      when: "typing",
      check: weightProblem,
      commit: (text) => desk.edit((draft) => setWeight(draft, id, text), `weight ${id}`),
      left: () => desk.settle(),
    });
    this.#drop = drop("Drop", "", () => desk.edit((draft) => dropHyperedge(draft, id)));
    this.#pick = button(
      "Click vertices in the picture to add or remove them",
      { class: "edit-pick", "aria-pressed": "false" },
      () => desk.pick(desk.picking === id ? null : id),
      "pick",
    );
    for (const event of ["focus", "pointerdown"]) this.#add.addEventListener(event, () => this.#offer(true));
    this.#add.addEventListener("change", () => this.#added());
    const times = el("span", { class: "edit-times", "aria-hidden": "true" }, "weight");
    this.node = el(
      "li",
      { class: "edit-card" },
      el("div", { class: "edit-row" }, this.#name.node, times, this.#weight.node, this.#drop),
      el("div", { class: "edit-row edit-members" }, this.#chips, this.#add, this.#pick),
    );
  }

  update(hyperedge: Hyperedge, force: boolean): void {
    const name = String(hyperedge.name);
    this.#name.set(name, force);
    this.#name.name(`Name of hyperedge ${isolated(name)}`, `edit-name-${name}`);
    this.#weight.set(hyperedge.weight, force);
    this.#weight.name(`Weight of ${isolated(name)}`, `edit-weight-${name}`);
    renamed(this.#drop, `Drop hyperedge ${isolated(name)}`, `edit-drop-hyperedge-${name}`);
    renamed(this.#add, `Add a member to ${isolated(name)}`, `edit-add-member-${name}`);
    setAttribute(this.#pick, "data-testid", `edit-pick-${name}`);
    const picking = this.#desk.picking === this.#id;
    setAttribute(this.#pick, "aria-pressed", String(picking));
    this.node.classList.toggle("picking", picking);
    this.#chips.replaceChildren(...this.#chipsOf(hyperedge));
    this.#offered = "";
    this.#offer(this.#desk.draft.vertices.length <= EAGER);
  }

  #chipsOf({ name, members, sides }: Hyperedge): HTMLElement[] {
    const most = few(members.length, CHIPS);
    const chips = members.slice(0, most).map((member) => {
      const label = this.#desk.labelOf(member);
      const remove = drop(
        `Remove ${isolated(label)} from ${isolated(String(name))}`,
        `edit-drop-member-${name}-${label}`,
        () => this.#desk.edit((draft) => removeMember(draft, this.#id, member)),
      );
      const side = this.#desk.draft.directed
        ? this.#sideOf(String(name), label, member, sides.get(member) ?? null)
        : null;
      return el("span", { class: "edit-chip" }, side, el("span", {}, label), remove);
    });
    if (members.length > most) chips.push(el("span", { class: "edit-dim" }, `and ${members.length - most} more`));
    if (members.length === 0) chips.push(el("span", { class: "edit-dim" }, "no members yet"));
    return chips;
  }

  /** Says whether the hyperedge leads from a member, to it, or both; a click is the next of the three. */
  #sideOf(name: string, label: string, member: number, side: Side | null): HTMLButtonElement {
    const { text, words, next } = SIDES[side ?? "both"];
    return button(
      `${isolated(label)} is ${words} of ${isolated(name)}; change it`,
      { class: "edit-side", "data-testid": `edit-side-${name}-${label}`, "data-side": side ?? "both" },
      () => this.#desk.edit((draft) => setSide(draft, this.#id, member, next)),
      text,
    );
  }

  /** Fill the choice of members; with many vertices only when it is wanted. */
  #offer(all: boolean): void {
    if (this.#offered === "all" || (this.#offered === "none" && !all)) return;
    this.#offered = all ? "all" : "none";
    const inside = new Set(this.#desk.draft.hyperedges.find(({ id }) => id === this.#id)?.members);
    const others = all ? this.#desk.draft.vertices.filter(({ id }) => !inside.has(id)) : [];
    this.#add.replaceChildren(
      el("option", { value: "" }, "+ member"),
      ...others.map(({ id, label }) => el("option", { value: id }, labelText(label))),
    );
    this.#add.disabled = all && others.length === 0;
  }

  #added(): void {
    const member = Number(this.#add.value);
    if (member > 0) this.#desk.edit((draft) => addMember(draft, this.#id, member));
  }
}

export class VertexRow implements Row<Vertex> {
  readonly node: HTMLElement;
  readonly #desk: Desk;
  readonly #name: Field;
  readonly #drop: HTMLButtonElement;
  readonly #in = el("span", { class: "edit-dim" });

  constructor({ id }: Vertex, desk: Desk) {
    this.#desk = desk;
    this.#name = new Field({
      label: "Name",
      class: "edit-name",
      when: "done",
      reverts: true,
      check: (text) => vertexNameProblem(desk.draft, text, id),
      commit: (text) => desk.edit((draft) => renameVertex(draft, id, text)),
    });
    this.#drop = drop("Drop", "", () => desk.edit((draft) => dropVertex(draft, id)));
    this.node = el("li", { class: "edit-row edit-vertex" }, this.#name.node, this.#in, this.#drop);
  }

  update(vertex: Vertex, force: boolean): void {
    const name = String(vertex.label);
    this.#name.set(name, force);
    this.#name.name(`Name of vertex ${isolated(name)}`, `edit-vertex-${name}`);
    renamed(this.#drop, `Drop vertex ${isolated(name)}`, `edit-drop-vertex-${name}`);
    const count = this.#desk.degreeOf(vertex.id);
    setText(this.#in, `in ${count}`);
    setAttribute(this.#in, "title", `in ${count} ${count === 1 ? "hyperedge" : "hyperedges"}`);
  }
}
