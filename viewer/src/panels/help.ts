import { button, el, icon } from "../dom";

const KEYS: [string, string][] = [
  ["←  →", "a layer back, on"],
  ["shift ←  →, or ↑  ↓", "an iteration back, on"],
  ["Home  End", "to the start, to the end"],
  ["space", "play, pause"],
  ["n  p", "next, previous change of the chosen variable"],
  ["/", "find a vertex, a hyperedge or a variable"],
  ["x", "the raw state X, and back"],
  ["1 … 7", "the tabs"],
  ["Esc", "select nothing"],
  ["d", "dark or light"],
  ["c", "copy a link to this moment"],
  ["?", "this list"],
];

const SIGNS: [string, string][] = [
  ["▸", "a source line that the current layer serves"],
  ["●", "a line that changed something at this frame"],
  ["∞ → 3.5", "a value that changed at this frame"],
  ["3.5 ≠ 4", "the transformer has 3.5, the interpreter 4"],
  ["reached (i)", "a local of the program, as the interpreter computed it"],
];

/** The list of keys and signs. */
export class Help {
  readonly root: HTMLDialogElement;

  constructor() {
    const close = button("Close (Esc)", { class: "quiet" }, () => this.root.close(), icon("close"));
    this.root = el(
      "dialog",
      { class: "help", "aria-label": "Keys and signs", "data-testid": "help-dialog" },
      el("div", { class: "panel-head" }, el("h2", {}, "Keys"), close),
      list(KEYS),
      el("h2", {}, "Signs"),
      list(SIGNS),
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

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}

function list(entries: readonly [string, string][]): HTMLElement {
  return el("dl", {}, ...entries.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)]));
}
