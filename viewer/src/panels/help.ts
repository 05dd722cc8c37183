import { button, el, icon, setText } from "../dom";
import { firstWords, GLOSSARY } from "../glossary";
import type { Tab } from "../link";
import { numberText } from "../numbers";
import type { Recording } from "../recording";
import { isUnverified } from "../trace";
import { TITLES } from "./tabs";
import { hasKeys, stepOf } from "./timeline";

const KEYS: [string, string][] = [
  ["shift ←  →, or ↑  ↓", "back, forward one iteration"],
  ["Home  End", "to the start, to the end"],
  ["space", "play, pause"],
  ["n  p", "next, previous change of the selected variable"],
  ["/", "find a vertex, a hyperedge or a variable"],
  ["x", "the raw state X, and back"],
  ["w", "why: the part of the layer that did this, or the number that was clicked"],
  ["Esc", "end the guide, the telling or picking; else clear the selection"],
  ["Ctrl-Z", "undo the last edit; with shift, redo it"],
  ["d", "dark or light"],
  ["c", "copy a link to this frame"],
  ["b", "two runs beside each other"],
  ["s", "save this frame, or the run as a film"],
  ["?", "this list"],
];

const SIGNS: [string, string][] = [
  ["▸", "a source line that the current layer implements"],
  ["●", "a line that changed something at this frame"],
  ["∞ → 3.5", "a value that changed at this frame, or since the last one that is recorded"],
  ["3.5 ≠ 4", "the transformer has 3.5, the interpreter 4"],
  ["✓  –", "a flag: yes, no"],
  ["●  ■  =", "in State X: a column about vertices, about hyperedges, with one number for all rows"],
  ["★  2nd", "in Machine: the row with the best score, and the next lower one"],
  ["‹…›", "in formulas: a value without a name of its own"],
  ["italic", "a local, as the interpreter computed it (see below)"],
];

/** The list of keys and signs. */
export class Help {
  readonly root: HTMLDialogElement;
  readonly #tabs = { key: el("dt", {}), names: el("dd", {}) };
  readonly #step = el("dd", {});
  readonly #first = el("p", { "data-testid": "help-first" });

  constructor() {
    const close = button("Close (Esc)", { class: "quiet" }, () => this.root.close(), icon("close"));
    const keys = list(KEYS);
    keys.prepend(el("dt", {}, "←  →"), this.#step);
    keys.append(this.#tabs.key, this.#tabs.names);
    const others = [...part("Signs", list(SIGNS)), ...part("Words", list(Object.entries(GLOSSARY), "words"))];
    this.root = el(
      "dialog",
      { class: "help", "aria-label": "Keys, signs and words", "data-testid": "help-dialog" },
      el("div", { class: "panel-head" }, el("h2", {}, "Help"), close),
      this.#first,
      ...(hasKeys() ? [...part("Keys", keys), ...others] : [...others, ...part("Keys", keys)]),
      el(
        "p",
        { class: "dim" },
        "Click a source line to go to its next change; a table row, a vertex or a hyperedge to see its history.",
      ),
    );
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
  }

  /** Open or close it; these are the tabs that there are now. */
  toggle(tabs: readonly Tab[], recording: Recording): void {
    if (this.root.open) {
      this.root.close();
      return;
    }
    setText(this.#first, firstWords(!isUnverified(recording.trace)));
    const ohm = [...this.root.querySelectorAll("dt")].find((node) => node.textContent === "Ω")?.nextElementSibling;
    if (ohm) setText(ohm, `${GLOSSARY.Ω} In this model it is ${numberText(recording.trace.model.infinity)}.`);
    const step = stepOf(recording);
    const why = step === "layer" ? "" : ": this recording has no layers";
    setText(this.#step, `back, forward one ${step}${why}`);
    setText(this.#tabs.key, `1 … ${tabs.length}`);
    setText(this.#tabs.names, tabs.map((tab) => TITLES[tab]).join(", "));
    this.root.showModal();
    this.root.scrollTop = 0;
  }
}

function part(title: string, content: HTMLElement): HTMLElement[] {
  return [el("h2", {}, title), content];
}

function list(entries: readonly [string, string][], look = ""): HTMLElement {
  return el("dl", { class: look }, ...entries.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)]));
}
