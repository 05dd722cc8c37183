import { el } from "../dom";
import { type Found, Index } from "../search";
import type { Stage } from "../stage";
import { hasKeys } from "./timeline";

const LONG = "Find a vertex, hyperedge, variable";
/** Where the box is narrow: the picture of a low window has it at its side (phone.css). */
const NARROW = "(max-height: 600px) and (min-width: 560px) and (max-width: 759px)";

/** Where there is likely a keyboard, with its key. */
function placeholder(narrow: boolean): string {
  if (narrow) return "Find";
  return hasKeys() ? `${LONG}  ( / )` : LONG;
}

/** A box that finds vertices, hyperedges and variables by a part of their name. */
export class SearchBox {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #input = el("input", {
    type: "search",
    "aria-label": "Find a vertex, a hyperedge or a variable",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "found",
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "search",
  });
  readonly #list = el("ul", { id: "found", class: "found", role: "listbox", hidden: true, "data-testid": "found" });
  #index: Index | null = null;
  #found: Found[] = [];
  #at = 0;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.root = el("div", { class: "search" }, this.#input, this.#list);
    const narrow = matchMedia(NARROW);
    const name = () => this.#input.setAttribute("placeholder", placeholder(narrow.matches));
    narrow.addEventListener("change", name);
    name();
    this.#input.addEventListener("input", () => this.#search());
    this.#input.addEventListener("focus", () => {
      clearTimeout(this.#closing);
      this.#search();
    });
    this.#input.addEventListener("blur", () => {
      this.#closing = setTimeout(() => this.#close(), 150);
    });
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("pointerdown", (event) => {
      const item = (event.target as Element).closest<HTMLElement>("[data-index]");
      if (!item) return;
      event.preventDefault();
      this.#take(Number(item.dataset.index));
    });
  }

  load(): void {
    this.#index = null; // made when somebody searches
    this.#input.value = "";
    this.#close();
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  #search(): void {
    this.#index ??= new Index(this.#stage.recording);
    this.#found = this.#index.find(this.#input.value);
    this.#at = 0;
    const none = this.#input.value.trim() !== "" && this.#found.length === 0;
    const items = this.#found.map((found, k) => this.#item(found, k));
    this.#list.replaceChildren(...items, ...(none ? [el("li", { class: "dim none" }, "Nothing has that name.")] : []));
    this.#open(items.length > 0 || none);
  }

  #item(found: Found, k: number): HTMLElement {
    const what = found.what === "variable" ? "variable" : found.thing.scope === "vertices" ? "vertex" : "hyperedge";
    return el(
      "li",
      { role: "option", id: `found-${k}`, "data-index": k, "aria-selected": String(k === this.#at) },
      el("span", { class: "found-name" }, found.text),
      el("span", { class: "dim" }, what),
    );
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.#close();
      this.#input.blur();
    } else if (event.key === "Enter") {
      this.#take(this.#at);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.#move(event.key === "ArrowDown" ? 1 : -1);
    }
    event.stopPropagation();
  }

  #move(by: number): void {
    if (this.#found.length === 0) return;
    this.#list.children[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = (this.#at + by + this.#found.length) % this.#found.length;
    const item = this.#list.children[this.#at];
    item?.setAttribute("aria-selected", "true");
    item?.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", `found-${this.#at}`);
  }

  #take(k: number): void {
    const found = this.#found[k];
    if (!found) return;
    this.#close();
    this.#input.value = "";
    this.#input.blur();
    if (found.what === "thing") this.#stage.select(found.thing);
    else this.#stage.follow(found.name);
  }

  #open(open: boolean): void {
    this.#list.hidden = !open;
    this.#input.setAttribute("aria-expanded", String(open));
  }

  #close(): void {
    this.#open(false);
    this.#input.removeAttribute("aria-activedescendant");
  }
}
