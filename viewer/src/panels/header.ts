import { quickHash, shortHash } from "../cite";
import { button, el, icon, setAttribute, setText } from "../dom";
import { algorithmOptions } from "../edit/choice";
import type { Algorithm } from "../edit/model";
import { GLOSSARY } from "../glossary";
import { inputTexts } from "../inputs";
import { isolated } from "../isolate";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { isUnverified } from "../trace";
import { placeText } from "./timeline";

const FEW = 3; // labels of an input, in a line that has to hold all of them

export interface HeaderEvents {
  theme(): void;
  copy(): void;
  help(): void;
  save(): void;
  compare: (() => void) | null; // null: there is nothing to compare with
  algorithms(): readonly Algorithm[]; // that this page can run now
  choose(algorithm: string): void;
}

/** The algorithm, the hypergraph, the current frame, and whether transformer and interpreter agree. */
export class Header implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #name = el("h1", { "data-testid": "algorithm" });
  readonly #choice = el("select", { "aria-label": "Algorithm", "data-testid": "algorithm-choice" });
  readonly #named = el("div", {}, this.#name, this.#choice);
  readonly #algorithms: () => readonly Algorithm[];
  #offered = "";
  readonly #edited: HTMLButtonElement;
  readonly #about = el("span", { class: "about" });
  readonly #run = el("span", { class: "run", "data-testid": "run" });
  readonly #place = el("span", { class: "place", "data-testid": "place" });
  readonly #badge: HTMLButtonElement;
  readonly #theme: HTMLButtonElement;

  constructor(stage: Stage, on: HeaderEvents) {
    this.#stage = stage;
    this.#badge = button("", { class: "badge", "data-testid": "badge" }, () => this.#jump());
    this.#edited = button("", { class: "tag edited", "data-testid": "edited" }, () => this.#tellEdits(), "edited");
    this.#algorithms = on.algorithms;
    this.#choice.addEventListener("change", () => on.choose(this.#choice.value));
    this.#theme = button("Dark or light (d)", { class: "quiet", "data-testid": "theme" }, on.theme, icon("moon"));
    this.root = el(
      "header",
      { class: "header" },
      el("div", { class: "what" }, this.#named, this.#about),
      el("div", { class: "facts" }, this.#edited, this.#run, this.#place),
      this.#badge,
      el(
        "div",
        { class: "actions" },
        button("Copy a link to this frame (c)", { class: "quiet", "data-testid": "copy-link" }, on.copy, icon("link")),
        button("Save the picture or a film (s)", { class: "quiet", "data-testid": "save" }, on.save, icon("save")),
        on.compare &&
          button(
            "Two runs beside each other (b)",
            { class: "quiet", "data-testid": "compare" },
            on.compare,
            icon("beside"),
          ),
        this.#theme,
        button("Help: keys, signs and words (?)", { class: "quiet", "data-testid": "help" }, on.help, "?"),
      ),
    );
  }

  /** The algorithms to choose from: a model file that was dropped adds one. */
  #offer(algorithms: readonly Algorithm[]): void {
    this.#choice.hidden = algorithms.length < 2;
    this.#named.classList.toggle("chooser", algorithms.length > 1);
    const names = algorithms.map(({ name }) => name).join("\n");
    if (names === this.#offered) return;
    this.#offered = names;
    this.#choice.replaceChildren(...algorithmOptions(algorithms));
  }

  load(): void {
    const { recording } = this.#stage;
    const { algorithm, hypergraph } = recording.trace;
    setText(this.#name, algorithm.name);
    // What the outputs mean comes with the answer.
    this.#about.replaceChildren(...withCode(algorithm.about.split("\n")[0] as string));
    setAttribute(this.#about, "title", algorithm.about.replaceAll("`", ""));
    const given = inputTexts(recording, FEW).map(({ name, text }) => `${name}: ${text}`);
    const inputs = given.join(" · ");
    const name = isolated(hypergraph.name);
    const run = [name, inputs].filter((part) => part !== "").join(" · ");
    // Where the line is too short, the inputs are cut first.
    this.#run.replaceChildren(el("span", { class: "run-name" }, name), el("span", {}, run.slice(name.length)));
    setAttribute(this.#run, "title", run); // the line may be too short for it
    this.#offer(this.#algorithms());
    this.#choice.value = algorithm.name;
    this.#edited.hidden = this.#stage.edits.length === 0;
    setAttribute(this.#edited, "title", this.#stage.edits.join("\n"));
    setAttribute(this.#edited, "aria-label", `edited: ${this.#stage.edits.join("; ")}`);
    setText(this.#badge, badgeText(recording));
    const first = recording.trace.differences.first;
    const sound = !first && !isUnverified(recording.trace);
    setAttribute(this.#badge, "class", `badge ${sound ? "good" : "bad"}`);
    setAttribute(this.#badge, "title", first ? differenceTitle(recording) : standing(recording));
    setAttribute(this.#badge, "aria-label", badgeText(recording));
  }

  render(): void {
    setText(this.#place, placeText(this.#stage.recording));
  }

  theme(dark: boolean): void {
    this.#theme.replaceChildren(icon(dark ? "sun" : "moon"));
  }

  #tellEdits(): void {
    this.#stage.say(`Edited: ${this.#stage.edits.join("; ")}.`);
  }

  #jump(): void {
    const { recording } = this.#stage;
    const first = recording.trace.differences.first;
    if (!first) {
      void this.#tellStanding(recording);
      return;
    }
    this.#stage.seek(first.frame);
    const scope = recording.kindOf(first.variable)?.scope;
    if (scope === "vertices" || scope === "hyperedges") this.#stage.select({ scope, row: first.row });
  }

  async #tellStanding(recording: Recording): Promise<void> {
    const hash = await quickHash(recording.trace);
    if (recording === this.#stage.recording) this.#stage.say(standing(recording) + citedText(hash));
  }
}

function differenceTitle({ trace }: Recording): string {
  return isUnverified(trace) ? "This model is unverified. Go to the first difference" : "Go to the first difference";
}

/** The hash of the run, as the badge tells it. */
function citedText(hash: string | null): string {
  const where = "Save has it, and how Python gives the same";
  return hash === null ? ` This run has a hash: ${where}.` : ` The hash of this run is ${shortHash(hash)}: ${where}.`;
}

/** What the badge means; of an unverified model, what to do about it. */
export function standing({ trace }: Recording): string {
  const means = GLOSSARY["transformer = interpreter"];
  return isUnverified(trace)
    ? `${means} This model is unverified: the page has only compared this run, and nothing is proved of it. If its file was not edited, hyloop verifies it when it opens it: hyloop view MODEL.safetensors`
    : means;
}

/** Text with `code` in it, as docstrings have. */
function withCode(text: string): (Node | string)[] {
  return text.split("`").map((part, k) => (k % 2 === 1 ? el("code", {}, part) : part));
}

export function badgeText(recording: Recording): string {
  const first = recording.trace.differences.first;
  // Of an unverified model the page says so: here it agrees, and elsewhere it may not.
  if (!first && isUnverified(recording.trace)) return "transformer = interpreter here; the model is unverified";
  if (!first) return "✓ transformer = interpreter";
  const known = recording.kindOf(first.variable);
  const kind = known?.kind ?? "count";
  const scope = known?.scope;
  const place = `iteration ${recording.iterationOf(first.frame)}, layer ${recording.layerOf(first.frame)}`;
  const at =
    scope === "vertices" || scope === "hyperedges"
      ? ` at ${recording.label(scope, first.row) ?? `row ${first.row}`}`
      : "";
  const values = `${recording.text(kind, first.found)} ≠ ${recording.text(kind, first.expected)}`;
  // First, since a long line is cut.
  const model = isUnverified(recording.trace) ? "unverified model; " : "";
  return `✗ ${model}first difference: ${place}, ${first.variable}${at}: ${values}`;
}
