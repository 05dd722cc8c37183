import { Answers, type AnswerTable, Paths } from "../answer";
import { button, el, setText } from "../dom";
import { few } from "../few";
import { inputArrays } from "../inputs";
import { code, codeNodes, documented } from "../marked";
import { notesOf } from "../notes";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { answerOpening, listed, markedSentence, opening, setupText, type Told, toldOf } from "../told";
import { type CalledFunction, type HeadKind, isUnverified } from "../trace";
import { whyMissing } from "./machine";
import { codeOf, renew, unverifiedNodes } from "./machine_parts";
import { noteNode } from "./note";
import { shaded } from "./shaded";

const ROWS = 200;
const FEW = 2; // clauses that read well in one line

/** The run, told: the layers of this iteration in a sentence each, and the answer. */
export class StoryPanel implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #why: () => void;
  readonly #told = el("div", { class: "story-told" });
  readonly #answer = el("div", { class: "answer-card", "data-testid": "answer", hidden: true });
  readonly #path = el("p", { class: "answer-path", "data-testid": "answer-path" });
  #target: number | null = null;
  #shown: Recording | null = null;
  #leads = false;

  constructor(stage: Stage, on: { guide(): void; narrate(): void; why(): void }) {
    this.#stage = stage;
    this.#why = on.why;
    const guide = button(
      "A guide through the first minute",
      { class: "link", "data-testid": "guide" },
      on.guide,
      "Guide me",
    );
    const tell = button(
      "Play slowly, a sentence for each layer",
      { class: "link", "data-testid": "narrate" },
      on.narrate,
      "Tell the run",
    );
    this.root = el(
      "section",
      { class: "panel story scroll", "data-panel": "story", "data-testid": "story", "aria-label": "Story" },
      el("div", { class: "story-actions" }, guide, tell),
      this.#told,
      this.#answer,
    );
  }

  load(): void {
    this.#shown = null;
    this.#target = null;
  }

  render(): void {
    const { explainer, recording } = this.#stage;
    if (!explainer) {
      renew(this.#told, el("p", { class: "empty" }, whyMissing(recording.trace)));
      this.#answer.hidden = true;
      return;
    }
    renew(this.#told, ...unverifiedNodes(recording.trace), ...this.#iteration());
    const ended = recording.trace.recorded.halted;
    this.#answer.hidden = !ended || recording.frame < recording.length - 1;
    if (!this.#answer.hidden) this.#answerNow();
    if (this.#leads)
      this.root.scrollTop += this.#answer.getBoundingClientRect().top - this.root.getBoundingClientRect().top;
    this.#leads = false;
  }

  /** Scroll to the answer when it is next drawn. */
  leadToAnswer(): void {
    this.#leads = true;
    this.#stage.redraw();
  }

  /** What every layer of this iteration does; a click goes there. */
  #iteration(): HTMLElement[] {
    const { recording, explainer } = this.#stage;
    if (recording.frame === 0 || !explainer) return [el("p", { class: "empty" }, startText(recording))];
    const { iteration } = recording;
    const layered = recording.trace.recorded.layers;
    const setup = setupText(recording);
    const within = new Set<CalledFunction>();
    const items = Array.from({ length: recording.layers }, (_, k) => k + 1).map((layer) => {
      const found = toldOf(explainer, layer);
      const told = found && { ...found, notes: [] }; // they stand above
      const section = recording.sectionOf(recording.frame);
      const text = told ? markedSentence(told, section) : `Layer ${layer} is not recorded here.`;
      for (const each of told?.within ?? []) within.add(each);
      const parts = told && told.clauses.length > FEW ? clauseLines(told) : codeNodes(text);
      const now = layered && layer === recording.layer;
      const go = () => this.#stage.seek(layered ? recording.frameOf(iteration, layer) : recording.frame);
      return el(
        "li",
        { class: now ? "now" : "", "aria-current": now ? "step" : null },
        button(
          `Go to layer ${layer}`,
          { class: "sentence", "data-keep": `layer ${layer}`, "data-testid": `told-${layer}` },
          go,
          ...parts,
        ),
        ...(now ? this.#reasons(told?.lines ?? []) : []),
      );
    });
    return [
      el("h3", {}, `Iteration ${iteration.toLocaleString("en")}`),
      ...(setup === "" ? [] : [el("p", { class: "dim setup", "data-testid": "setup" }, setup)]),
      ...[...within].map(functionNode),
      ...notesOf(explainer).map(noteNode),
      el("ol", { class: "sentences" }, ...items),
    ];
  }

  /** The source lines that the current layer follows, and the way to the parts that do it. */
  #reasons(lines: readonly number[]): HTMLElement[] {
    const { recording } = this.#stage;
    const all = new Set([...lines, ...recording.changedLines().keys()]);
    const quoted = codeOf(
      recording,
      [...all].sort((a, b) => a - b),
    );
    const why = button(
      "Open the heads and units that did this (w)",
      { class: "chip", "data-keep": "why", "data-testid": "story-why" },
      this.#why,
      "Why? See the heads and units",
    );
    const from = recording.trace.algorithm.listing
      ? "In the listing of the model's program (its file has no source):"
      : "The program says so:";
    const said = quoted.length > 0 ? [el("p", { class: "dim" }, from), ...quoted] : [];
    return [el("div", { class: "reasons", "data-testid": "reasons" }, ...said, why)];
  }

  #answerNow(): void {
    const { recording, explainer } = this.#stage;
    if (this.#shown === recording || !explainer) return;
    this.#shown = recording;
    const answers = new Answers(explainer.model, recording);
    const single = answers.single.flatMap(({ name, text }) => [el("dt", {}, name), el("dd", {}, text)]);
    this.#answer.replaceChildren(
      el("h3", {}, answerOpening(recording.trace)),
      el("p", { class: "dim" }, endText(recording) + emptyText(recording)),
      ...outputsNode(recording),
      ...(single.length > 0 ? [el("dl", {}, ...single)] : []),
      ...this.#pathChoice(new Paths(explainer.model, recording)),
      ...answers.tables.map(tableNode),
    );
  }

  /** The path to a vertex, to be chosen; the one to the farthest at first. */
  #pathChoice(paths: Paths): HTMLElement[] {
    const { recording, selected } = this.#stage;
    const count = recording.count("vertices");
    const targets = Array.from({ length: count }, (_, k) => k + 1).filter((v) => paths.has(v));
    if (targets.length === 0) return [];
    const hops = (vertex: number) => paths.to(vertex)?.length ?? 0;
    const longest = targets.reduce((a, b) => (hops(b) > hops(a) ? b : a));
    const wanted = selected?.scope === "vertices" ? selected.row : longest;
    this.#target = targets.includes(wanted) ? wanted : longest;
    const options = targets.map((v) =>
      el("option", { value: v, selected: v === this.#target }, recording.label("vertices", v) ?? `row ${v}`),
    );
    const select = el("select", { "aria-label": "Path to", "data-testid": "answer-target" }, ...options);
    select.addEventListener("change", () => {
      this.#target = Number(select.value);
      setText(this.#path, paths.text(this.#target));
      this.#stage.select({ scope: "vertices", row: this.#target });
    });
    setText(this.#path, paths.text(this.#target));
    return [el("label", { class: "row-choice" }, el("span", { class: "dim" }, "The path to"), select), this.#path];
  }
}

/** A sentence of many clauses, each in a line of its own. */
function clauseLines(told: Told): (string | Node)[] {
  const { clauses } = told;
  const ends = (k: number) => (k === clauses.length - 1 ? "." : "; ");
  const lines = clauses.map((clause, k) => el("span", { class: "clause" }, ...codeNodes(`${clause}${ends(k)}`)));
  return [...codeNodes(opening(told)), ...lines];
}

/** What a function of the program does, in its author's words. */
function functionNode({ name, about, first, last }: CalledFunction): HTMLElement {
  const text = `${code(name)} (lines ${first} to ${last}): ${documented(about)}`;
  return el("p", { class: "dim setup", "data-testid": "function" }, ...codeNodes(text));
}

export function startText(recording: Recording): string {
  const { hypergraph, model, algorithm } = recording.trace;
  const layers = `${model.layers.length} ${model.layers.length === 1 ? "layer" : "layers"}`;
  return (
    `Before the run: ${things(hypergraph.vertices.length, "vertex", "vertices")} and ` +
    `${things(hypergraph.hyperedges.length, "hyperedge", "hyperedges")} are written into X, the transformer's table of ` +
    `numbers (State X). ${algorithm.name} has ${layers}, each a step that changes X; an iteration takes them all ` +
    `once.${bothSides(recording)}${emptyText(recording)}`
  );
}

/** What to enter, where all inputs that are arrays of numbers are 0: such a run says nothing of the algorithm. */
export function emptyText(recording: Recording): string {
  const arrays = inputArrays(recording).filter(({ kind }) => kind === "count" || kind === "length");
  if (arrays.length === 0 || arrays.some(({ values }) => values.some((value) => value !== 0))) return "";
  const names = listed(arrays.map(({ name }) => name));
  const scopes = listed([...new Set(arrays.map(({ scope }) => scope))]);
  const [about = ""] = recording.trace.algorithm.about.split("\n");
  const said = arrays.length === 1 ? `input ${names} is` : `inputs ${names} are`;
  return (
    ` The ${said} 0 on all ${scopes}: enter numbers under Edit, Algorithm and inputs. ` +
    `What they are for: ${about.replaceAll("`", "")}`
  );
}

/** "1 vertex", "1,024 vertices" */
function things(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** That every member is a tail and a head, where the program tells them apart and the hypergraph does not. */
function bothSides({ trace: { model, hypergraph } }: Recording): string {
  const kinds = model.layers.flatMap(({ heads }) => heads.map(({ kind }) => kind));
  if (hypergraph.tails !== undefined || !kinds.some((kind) => SIDED.has(kind))) return "";
  return " The hypergraph has no directions, so every member of a hyperedge is both a tail and a head of it.";
}

/** Heads through the tails or the heads of hyperedges only. */
const SIDED: ReadonlySet<HeadKind> = new Set(["tails", "tails_transposed", "heads", "heads_transposed"]);

export function endText({ trace: { recorded } }: Recording): string {
  return `The transformer halted after ${things(recorded.iterations, "iteration", "iterations")}.`;
}

function tableNode({ scope, columns, rows }: AnswerTable): HTMLElement {
  const head = el(
    "tr",
    {},
    el("th", {}, scope === "vertices" ? "vertex" : "hyperedge"),
    ...columns.map((name) => el("th", {}, name)),
  );
  const most = few(rows.length, ROWS);
  const lines = rows
    .slice(0, most)
    .map(({ label, cells }) => el("tr", {}, el("th", {}, label), ...cells.map((cell) => el("td", {}, cell))));
  const more = rows.length > most ? [el("p", { class: "dim" }, `… and ${rows.length - most} more`)] : [];
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ...lines));
  return el("div", { class: "answer-part" }, shaded(el("div", { class: "answer-table" }, table)), ...more);
}

/**
 * What the answer means: what the author says of it, in the docstring after its first line, or what hyloop does. Nobody
 * says that the answer of an unverified model means it.
 */
function outputsNode({ trace }: Recording): HTMLElement[] {
  if (isUnverified(trace)) return [];
  const { algorithm } = trace;
  const [, ...rest] = algorithm.about.split("\n");
  const text = documented(rest.join(" ").trim() || (algorithm.meaning ?? ""));
  return text === "" ? [] : [el("p", { class: "dim", "data-testid": "answer-about" }, ...codeNodes(text))];
}
