/** A long list that shows only some of its rows: those that match the search, and as many as one asks for. */

import { el, setText } from "../dom";

export interface Row<T> {
  readonly node: HTMLElement;
  update(item: T, force: boolean): void;
}

const PAGE = 40;

/** Items that match the search; the one with id `first` stands in front if it would be beyond the others. */
export function visible<T extends { readonly id: number }>(
  items: readonly T[],
  matches: (item: T) => boolean,
  most: number,
  first: number | null,
): { shown: T[]; found: number } {
  const found = items.filter(matches);
  const shown = found.slice(0, most);
  const chosen = first === null ? undefined : items.find(({ id }) => id === first);
  if (chosen && !shown.includes(chosen)) shown.unshift(chosen);
  return { shown, found: found.length };
}

export class List<T extends { readonly id: number }> {
  readonly node: HTMLElement;
  readonly #rows = new Map<number, Row<T>>();
  readonly #list = el("ul", { class: "edit-list" });
  readonly #search: HTMLInputElement;
  readonly #more: HTMLButtonElement;
  #most = PAGE;

  constructor(
    readonly what: string,
    readonly make: (item: T) => Row<T>,
    readonly textOf: (item: T) => string,
    readonly changed: () => void,
  ) {
    this.#search = el("input", {
      type: "search",
      class: "edit-search",
      placeholder: `Search ${what}`,
      "aria-label": `Search ${what}`,
      "data-testid": `edit-search-${what.replaceAll(" ", "-")}`,
    });
    this.#more = el("button", {
      type: "button",
      class: "edit-more",
      "data-testid": `edit-more-${what.replaceAll(" ", "-")}`,
    });
    this.#search.addEventListener("input", () => {
      this.#most = PAGE;
      this.changed();
    });
    this.#more.addEventListener("click", () => {
      this.#most += 5 * PAGE;
      this.changed();
    });
    this.node = el("div", {}, this.#search, this.#list, this.#more);
  }

  show(items: readonly T[], first: number | null, force: boolean): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const matches = (item: T) => wanted === "" || this.textOf(item).toLowerCase().includes(wanted);
    const { shown, found } = visible(items, matches, this.#most, first);
    this.#search.hidden = items.length <= 8 && wanted === "";
    this.#more.hidden = found <= this.#most;
    setText(this.#more, `Show more (${Math.max(0, found - this.#most).toLocaleString("en")} left)`);
    this.#arrange(shown, force);
  }

  nodeOf(id: number): HTMLElement | undefined {
    return this.#rows.get(id)?.node;
  }

  /** Mark the row that is selected. */
  mark(id: number | null): void {
    for (const [key, row] of this.#rows) row.node.classList.toggle("selected", key === id);
  }

  #arrange(shown: readonly T[], force: boolean): void {
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.node.remove();
      this.#rows.delete(id);
    }
    shown.forEach((item, k) => {
      const row = this.#rows.get(item.id) ?? this.make(item);
      this.#rows.set(item.id, row);
      row.update(item, force);
      // A node that stands right is not moved: moving would take the focus away.
      if (this.#list.children[k] !== row.node) this.#list.insertBefore(row.node, this.#list.children[k] ?? null);
    });
  }
}
