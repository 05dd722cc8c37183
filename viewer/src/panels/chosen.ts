import { button, el, icon, setText } from "../dom";
import type { Named, Recording, Thing } from "../recording";
import type { Panel, Stage } from "../stage";

/** On a phone, above the picture: what is selected, its values, and the way to its history, which has a tab there. */
export class Chosen implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #name = el("b");
  readonly #values = el("span", { class: "dim" });

  constructor(stage: Stage) {
    this.#stage = stage;
    const history = button(
      "History of what is selected",
      { class: "chip", "data-testid": "chosen-history" },
      () => stage.show("history"),
      "History",
    );
    const clear = button(
      "Select nothing",
      { class: "quiet", "data-testid": "chosen-clear" },
      () => stage.select(null),
      icon("close"),
    );
    this.root = el(
      "div",
      { class: "chosen", role: "status", hidden: true, "data-testid": "chosen" },
      el("span", { class: "chosen-text" }, this.#name, this.#values),
      history,
      clear,
    );
  }

  load(): void {}

  render(): void {
    const { recording, selected } = this.#stage;
    this.root.hidden = selected === null;
    if (!selected) return;
    setText(this.#name, recording.label(selected.scope, selected.row) ?? "");
    setText(this.#values, ` ${valuesOf(recording, selected)}`);
  }
}

/** "distance 3.5, predecessor Mole, settled yes": its states now, those that the language made left out. */
function valuesOf(recording: Recording, { scope, row }: Thing): string {
  const states = [...recording.variables.values()].filter(
    (named) => named.scope === scope && named.variable?.role === "state" && !recording.isMade(named.name),
  );
  return states.map((named) => `${named.name} ${valueText(recording, named, row)}`).join(", ");
}

function valueText(recording: Recording, named: Named, row: number): string {
  const denied = recording.denied(named, row);
  return `${recording.text(named.kind, recording.valueOf(named, row))}${denied && ` (${denied})`}`;
}
