import { el } from "../dom";
import { few } from "../few";
import { explained } from "../glossary";
import { numberText } from "../numbers";
import type { Link } from "../picture";
import { brings, computes, implementsText } from "../purposes";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { type Head, isUnverified, type Layer, type Purpose } from "../trace";
import { afterwards, type Look, look } from "../words";
import { KINDS } from "./machine_diagram";
import { Opened, unusedRows } from "./machine_parts";
import { unitsText } from "./machine_units";

/** The attention of each head of the current layer, in words; the links of the selected head are drawn on the picture. */
export class AttentionPanel implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #list = el("div", { class: "heads" });
  #chosen: string | null = null; // "layer head" of the selected head
  #arrows = new Map<string, Link[]>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.root = el(
      "section",
      {
        class: "panel attention scroll",
        "data-panel": "attention",
        "data-testid": "attention",
        "aria-label": "Attention",
      },
      this.#list,
    );
    this.#list.addEventListener("mouseover", (event) => this.#draw(keyAt(event)));
    this.#list.addEventListener("mouseleave", () => this.#draw(null));
    this.#list.addEventListener("focusin", (event) => this.#draw(keyAt(event)));
    this.#list.addEventListener("click", (event) => this.#choose(keyAt(event)));
    this.#list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.#choose(keyAt(event));
    });
  }

  load(): void {
    this.#chosen = null;
    this.#arrows.clear();
    this.#stage.links([]);
  }

  /** The chosen head of the layer that is shown, by its number from 1; null: none. */
  get part(): number | null {
    const [layer, head] = (this.#chosen ?? "").split(" ").map(Number);
    return head && layer === this.#stage.recording.layer ? head : null;
  }

  set part(head: number | null) {
    this.#chosen = head === null ? null : `${this.#stage.recording.layer} ${head}`;
  }

  /** Remove the arrows from the picture when the panel is hidden. */
  hide(): void {
    if (this.#arrows.size > 0) this.#stage.links([]);
    this.#arrows.clear();
  }

  render(): void {
    const { recording } = this.#stage;
    const layer = recording.trace.model.layers[recording.layer - 1];
    this.#arrows.clear();
    if (!layer || recording.trace.attention.length === 0) {
      this.#list.replaceChildren(el("p", { class: "empty" }, this.#none()));
      this.#stage.links([]);
      return;
    }
    const heads = layer.heads.map((head, k) => this.#head(head, k + 1));
    const title = el("h2", { class: "minor" }, `Layer ${recording.layer}`);
    this.#list.replaceChildren(...reserveNodes(recording), title, ...heads, this.#units(layer));
    this.#draw(null);
  }

  #none(): string {
    const { recording } = this.#stage;
    if (recording.trace.attention.length > 0) return "There is no attention before the first layer.";
    return "This trace has no attention: only whole iterations were recorded. Record it with layers to see attention.";
  }

  #head(head: Head, number: number): HTMLElement {
    const { recording } = this.#stage;
    const entry = recording.trace.attention.find((a) => a.layer === recording.layer && a.head === number);
    const seen = entry ? look(recording, entry, head, this.#unused(number - 1)) : null;
    const key = `${recording.layer} ${number}`;
    this.#arrows.set(key, seen?.arrows ?? []);
    const chosen = this.#chosen === key;
    return el(
      "div",
      {
        class: "head",
        "data-key": key,
        tabindex: "0",
        role: "button",
        "aria-pressed": String(chosen),
        "data-testid": `head-${number}`,
      },
      el("div", { class: "head-title" }, el("b", {}, `Head ${number}`), kindTag(head)),
      this.#implements(brings(head), head.empties.length > 0, false),
      this.#code(recording.operations.lines(brings(head), recording.sectionOf(recording.frame))),
      ...sentences(seen, head),
    );
  }

  /** The rows of which a head brings only what this iteration does not use; the weights say which these are. */
  #unused(head: number): ReadonlySet<number> {
    const { explainer, recording } = this.#stage;
    const run = explainer?.run(recording.layer);
    return explainer && run ? unusedRows(new Opened(explainer, run), head) : new Set();
  }

  /** The source lines themselves; of many, the first few. */
  #code(lines: readonly number[]): HTMLElement | null {
    const { first, source } = this.#stage.recording.trace.algorithm;
    const known = lines.filter((line) => source[line - first] !== undefined);
    if (known.length === 0) return null;
    const most = few(known.length, 3);
    const texts = known.slice(0, most).map((line) => `${line}  ${(source[line - first] as string).trim()}`);
    if (known.length > most) texts.push(`… ${known.length - most} more`);
    return el("pre", { class: "head-code" }, texts.join("\n"));
  }

  /** What a part is for, with the words explained on pointing at them. */
  #implements(purposes: readonly Purpose[], empties: boolean, carries: boolean): HTMLElement {
    const { recording } = this.#stage;
    const title = explanation(recording, purposes, empties, carries);
    return el("p", { class: "implements", title }, implementsText(recording, purposes, empties));
  }

  #units(layer: Layer): HTMLElement {
    const { units } = layer;
    const carries = units.stages.flat().some((unit) => unit.carries);
    return el(
      "div",
      { class: "head units" },
      el("div", { class: "head-title" }, el("b", {}, "MLP"), el("span", { class: "tag" }, this.#size(layer))),
      this.#implements(computes(layer), false, carries),
    );
  }

  /** How many hidden units there are, as Machine says it; a page without the model knows the width only. */
  #size({ units }: Layer): string {
    const { explainer, recording } = this.#stage;
    const layer = explainer?.model.layers[recording.layer - 1];
    return layer ? unitsText(layer) : `width ${units.count}`;
  }

  #choose(key: string | null): void {
    if (key === null || !this.#arrows.has(key)) return;
    this.#chosen = this.#chosen === key ? null : key;
    for (const node of this.#list.querySelectorAll<HTMLElement>("[data-key]")) {
      node.setAttribute("aria-pressed", String(node.dataset.key === this.#chosen));
    }
    this.#draw(null);
  }

  /** The arrows of the head under the mouse pointer, else of the selected one. */
  #draw(key: string | null): void {
    const shown = key !== null && this.#arrows.has(key) ? key : this.#chosen;
    this.#stage.links(shown === null ? [] : (this.#arrows.get(shown) ?? []));
  }
}

/** The kind of a head, as in Machine. */
function kindTag({ kind }: Head): HTMLElement {
  return el("span", { class: "tag", title: explained(kind === "plain" ? "head" : "Ã, Ãᵀ") }, KINDS[kind]);
}

function keyAt(event: globalThis.Event): string | null {
  return (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset.key ?? null;
}

/** What "implements" means, and those of the words that are no names of the program. */
function explanation(recording: Recording, purposes: readonly Purpose[], empties: boolean, carries: boolean): string {
  const reads = purposes.some((purpose) => recording.operations.of(purpose).name === "read");
  const words = [...(empties ? ["erase" as const] : []), ...(reads ? ["read" as const] : [])];
  return ["implements" as const, ...words, ...(carries ? ["carry" as const] : [])].map(explained).join("\n");
}

function sentences(seen: Look | null, head: Head): HTMLElement[] {
  if (!seen) return [el("p", { class: "dim" }, "Not recorded at this frame.")];
  const links = seen.links.map(({ text, margin }) =>
    el("li", {}, text, el("span", { class: "dim", title: explained("margin") }, marginText(margin))),
  );
  const list = links.length > 0 ? el("ul", { class: "links" }, ...links) : null;
  const more = seen.more > 0 ? el("p", { class: "dim" }, `… and ${seen.more.toLocaleString("en")} more`) : null;
  const after = afterwards(head);
  const least = seen.links.length > 0 ? `least margin ${marginOf(seen.margin)}` : `margin ${marginOf(seen.margin)}`;
  return [
    el("p", { class: "look" }, seen.text, " ", el("span", { class: "dim", title: explained("margin") }, least)),
    list,
    more,
    after ? el("p", { class: "dim" }, after) : null,
  ].filter((node) => node !== null);
}

function marginOf(margin: number | null): string {
  return margin === null ? "– (no other row)" : numberText(margin);
}

function marginText(margin: number | null): string {
  return margin === null ? "" : ` margin ${numberText(margin)}`;
}

/** What the parts of an unverified model are for is what it says of itself. */
function reserveNodes({ trace }: Recording): HTMLElement[] {
  if (!isUnverified(trace)) return [];
  const text = "This model is unverified: what a head or the MLP is for is what the model says of itself.";
  return [el("p", { class: "unverified" }, text)];
}
