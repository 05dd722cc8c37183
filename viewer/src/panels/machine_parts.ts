/** What the cards of the Machine tab share: rows by name, purposes with their lines, and the proof's obligations. */

import { proofCommand } from "../commands";
import { el, setAttribute, setText } from "../dom";
import { few } from "../few";
import { explained } from "../glossary";
import { nowhereText } from "../labels";
import type { Explainer, HeadRun, LayerRun } from "../machine/explain";
import { unitsOf } from "../meaning";
import { type Moment, Naming } from "../naming";
import { numberText, shortText } from "../numbers";
import { ERASES } from "../purposes";
import type { Recording, Thing } from "../recording";
import { isUnverified, type Kind, type Purpose, type Scope, type Trace } from "../trace";
import type { Part } from "./machine_diagram";

/** A layer that is open, and what its cards need to tell of it. */
export class Opened {
  readonly recording: Recording;
  readonly naming: Naming;

  constructor(
    readonly explainer: Explainer,
    readonly run: LayerRun,
  ) {
    this.recording = explainer.recording;
    this.naming = new Naming(explainer.model, explainer.recording);
  }

  get layer(): number {
    return this.run.number;
  }

  column(column: number, moment: Moment): string {
    return this.naming.column(column, this.layer, moment);
  }

  /** Whether what stands in a column is for statements that do not run now. */
  idle(column: number, moment: Moment): boolean {
    return this.naming.idle(this.naming.held(column, this.layer, moment));
  }

  /** Things about columns, those that this iteration uses first. */
  usedFirst<T>(things: readonly T[], idle: (thing: T) => boolean): T[] {
    return [...things.filter((each) => !idle(each)), ...things.filter(idle)];
  }

  /** Said of what is computed for other statements. */
  get unused(): string {
    return "not used in this iteration";
  }

  /** A number of X, and as people read it, where that says more: what purposes say it is. */
  meant(purposes: readonly Purpose[], value: number): string[] {
    const [purpose] = this.naming.here(purposes).filter(([, , part]) => part === "value");
    return purpose ? this.ends(this.naming.op(purpose).type.kind, value) : [this.naming.number(value)];
  }

  /** How a formula ends: "7 units of 0.5", "3.5"; a row and what has that row are no two numbers: "1 (vertex 0)". */
  ends(kind: Kind, value: number): string[] {
    const number = this.naming.number(value);
    if (kind === "vertex" || kind === "hyperedge") return [`${number} (${this.#pointed(kind, value)})`];
    const read = this.read(kind, value);
    return [number + this.unit(kind, value), ...(read === "" ? [] : [read])];
  }

  #pointed(kind: "vertex" | "hyperedge", value: number): string {
    if (value === 0) return "none";
    return this.recording.called(kind === "vertex" ? "vertices" : "hyperedges", value) ?? nowhereText(value);
  }

  read(kind: Kind, value: number): string {
    const text = kind === "flag" || kind === "count" ? "" : this.recording.text(kind, value);
    return text === "" || text === numberText(value) ? "" : text === "–" ? "none" : text;
  }

  /** " units of 0.5", to stand after a length that is counted in units of another size than 1. */
  unit(kind: Kind, value: number): string {
    if (kind !== "length" || this.read(kind, value) === "" || value === this.recording.trace.model.infinity) return "";
    return ` ${unitsOf(value)} of ${shortText(this.recording.trace.unit)}`;
  }

  /** The scope and kind of the state that a column holds, if it is one. */
  state(column: number): { kind: Kind; scope: Scope } | null {
    const found = this.recording.trace.variables.find((each) => each.column === column && each.role !== "local");
    return found ?? null;
  }
}

/** The rows of which a head brings something, but only for statements that do not run now. */
export function unusedRows(opened: Opened, head: number): Set<number> {
  const { head: its, looks } = opened.run.heads[head] as HeadRun;
  const idle = its.writes.map((column) => opened.idle(column, "attended"));
  if (idle.every((each) => each)) return new Set(); // then all of the head is, which it says of itself
  const brings = (row: number, wanted: boolean) => looks.brought.some((b, k) => idle[k] === wanted && b[row] !== 0);
  return new Set([...looks.row.keys()].filter((row) => brings(row, true) && !brings(row, false)));
}

/** "Quay and ferry": a row is the vertex and the hyperedge of its number. */
export function rowText(recording: Recording, row: number): string {
  if (row === 0) return "row 0, the global row";
  const names = [recording.called("vertices", row), recording.called("hyperedges", row)].filter(
    (each) => each !== null,
  );
  return `row ${row}, ${names.length > 0 ? names.join(" and ") : "padding"}`;
}

/** A row by the name that is meant. */
export function rowAs(recording: Recording, row: number, scope: Scope | null): string {
  if (row === 0) return "global row";
  const label = scope === "vertices" || scope === "hyperedges" ? recording.called(scope, row) : null;
  return label ?? rowText(recording, row);
}

/** The part of the proof that is about a part of a layer, as `hyloop prove` names it. */
export function obligation(layers: number, layer: number, part: Part): string {
  if (part !== "mlp") return `layer ${layer}, head ${part + 1}`;
  return `layer ${layer}, ${layer === layers ? "iteration" : "units"}`;
}

const SAYS = {
  head: "it attends to the rows that the program means, on every input",
  units: "the columns hold the program's values after the layer",
  iteration: "one pass through the layers is one iteration of the program, halting included",
};

/** The obligation that a part has, and whether it is known to hold: that hyloop compiled a model is no proof of it. */
export function obligationNode({ recording, layer }: Opened, part: Part): HTMLElement {
  const { layers, trace } = recording;
  if (isUnverified(trace)) return unprovedNode(trace);
  const name = obligation(layers, layer, part);
  const says = part !== "mlp" ? SAYS.head : layer === layers ? SAYS.iteration : SAYS.units;
  const command = el("code", {}, proofCommand(trace));
  const standing =
    trace.model.verified === "proved"
      ? ["It is proved for this model. ", command, ` also lists ${LAYERLESS}.`]
      : ["This is not proved on this page: ", command, ` proves or refutes it${whoseProof(trace)}, and ${LAYERLESS}.`];
  return el(
    "p",
    { class: "dim obligation", title: explained("obligation"), "data-testid": "obligation" },
    `Proof obligation “${name}”: ${says}. `,
    ...standing,
  );
}

/** Of which model a command proves something that compiles one anew. */
function whoseProof(trace: Trace): string {
  return trace.model.verified === "reproduced" ? "" : " of the model that hyloop compiles by default";
}

const LAYERLESS = "the obligations of no layer: encoder, invariants, exactness";

/** Of a model that nobody vouches for, no obligation is said to hold. */
function unprovedNode(trace: Trace): HTMLElement {
  const command = el("code", {}, proofCommand(trace));
  const attributes = { class: "dim obligation", title: explained("obligation"), "data-testid": "obligation" };
  const start = "Nothing is proved of this part: the model is unverified. ";
  return el("p", attributes, start, command, ", given this model’s file, says what holds of it.");
}

/** That nobody vouches for a model, above all that is told of its parts. */
export function unverifiedNodes(trace: Trace): HTMLElement[] {
  if (!isUnverified(trace)) return [];
  const text =
    "This model is unverified: its weights may have been edited. The numbers here are what these weights compute; what a " +
    "part is for is what the model says of itself, and need not be what it does.";
  return [el("p", { class: "unverified", "data-testid": "unverified" }, text)];
}

/** What Ω is, below numbers that were written with it. */
export function ohmNodes({ wroteOhm, model }: Naming): HTMLElement[] {
  const text = `Ω = ${numberText(model.infinity)} stands for an infinite length.`;
  return wroteOhm ? [el("p", { class: "dim", title: explained("Ω"), "data-testid": "ohm" }, text)] : [];
}

const TOLD = 6;

/** What a part is for, and the source lines of that. */
export function purposeNodes({ naming, recording }: Opened, all: readonly Purpose[], erases = false): HTMLElement[] {
  // What becomes a state, or has a name, first.
  const rank = (purpose: Purpose) => (purpose[2] === "assignment" ? 0 : naming.op(purpose).label !== "" ? 1 : 2);
  const here = [...naming.here(all)].sort((a, b) => rank(a) - rank(b));
  const late = here.some(([section]) => section !== naming.section);
  const told = new Set(
    here.map((purpose) => {
      const [section, op, part] = purpose;
      const { label } = naming.op(purpose);
      return part === "value" && label !== "" && naming.op(purpose).name !== "state"
        ? `${label} = ${naming.expression(section, op)}`
        : naming.purpose(purpose);
    }),
  );
  if (erases) told.add(ERASES);
  const section = here[0]?.[0] ?? "body";
  const code = codeOf(recording, recording.operations.lines(here, section));
  const most = few(told.size, TOLD);
  const more = told.size > most ? ` and ${told.size - most} more` : "";
  const text = told.size > 0 ? [...told].slice(0, most).join("; ") + more : "nothing with a name";
  return [el("p", { class: "purpose" }, el("b", {}, "For "), text, late ? " (not in this iteration)" : ""), ...code];
}

const LINES = 4;

/** The source lines themselves; of many, the first few. */
export function codeOf({ trace: { algorithm } }: Recording, lines: readonly number[]): HTMLElement[] {
  const { first, source } = algorithm;
  const known = lines.filter((line) => source[line - first] !== undefined);
  if (known.length === 0) return [];
  const most = few(known.length, LINES);
  const texts = known.slice(0, most).map((line) => `${line}  ${(source[line - first] as string).trim()}`);
  if (known.length > most) texts.push(`… ${known.length - most} more lines`);
  return [el("pre", { class: "head-code" }, texts.join("\n"))];
}

interface Choice {
  readonly node: HTMLLabelElement;
  readonly name: HTMLElement;
  readonly select: HTMLSelectElement;
  row: number;
  choose: (row: number) => void;
}

/** One for each place, so that what has the focus stays. */
const CHOICES = new WeakMap<Recording, Map<string, Choice>>();

/** A choice of a row of X. */
export function rowChoice(
  recording: Recording,
  id: string,
  label: string,
  row: number,
  choose: (row: number) => void,
): HTMLElement {
  const known = CHOICES.get(recording) ?? new Map<string, Choice>();
  CHOICES.set(recording, known);
  const choice = known.get(id) ?? made(recording, id);
  known.set(id, choice);
  choice.choose = choose;
  setText(choice.name, label);
  setAttribute(choice.select, "aria-label", label);
  if (choice.row !== row) turnTo(recording, choice, row);
  return choice.node;
}

function made(recording: Recording, id: string): Choice {
  const select = el("select", { "data-testid": id, "data-keep": id });
  const name = el("span", { class: "dim" });
  const node = el("label", { class: "row-choice" }, name, select);
  const choice: Choice = { node, name, select, row: -1, choose: () => {} };
  select.addEventListener("change", () => choice.choose(Number(select.value)));
  // Hundreds of options cost milliseconds at every frame: they are there while somebody may choose one.
  for (const event of ["pointerdown", "focus"]) select.addEventListener(event, () => fill(recording, choice));
  select.addEventListener("blur", () => select.replaceChildren(optionOf(recording, choice.row)));
  return choice;
}

function turnTo(recording: Recording, choice: Choice, row: number): void {
  choice.row = row;
  const { select } = choice;
  if (select.options.length > 1) select.value = String(row);
  else select.replaceChildren(optionOf(recording, row));
}

function fill(recording: Recording, { select, row }: Choice): void {
  if (select.options.length === recording.rows) return;
  select.replaceChildren(...Array.from({ length: recording.rows }, (_, each) => optionOf(recording, each)));
  select.value = String(row);
}

function optionOf(recording: Recording, row: number): HTMLOptionElement {
  return el("option", { value: row }, rowText(recording, row));
}

/** "key = Ω − Ω·hyperedges + key", then the numbers; "4 units of 0.5" says what "4" does. */
export function formulaNode(name: string, ...parts: string[]): HTMLElement {
  const isSaid = (part: string, next = "") => next.startsWith(`${part} unit`) || next.startsWith(`${part} (`);
  const texts = parts.filter((part, k) => part !== parts[k - 1] && !isSaid(part, parts[k + 1]));
  return el(
    "div",
    { class: "formula" },
    el("span", { class: "formula-name" }, name),
    el("span", { class: "formula-text" }, texts.join(" = ")),
  );
}

/** What a long list has after its first few, folded; `id` names the list, which stays open while it is shown. */
export function foldedNode(id: string, summary: string, ...rest: (Node | string)[]): HTMLElement {
  const attributes = { class: "list-rest", "data-fold": id, "data-testid": `${id}-rest` };
  return el("details", attributes, el("summary", {}, summary), ...rest);
}

export function thingOf(row: number, scope: Thing["scope"]): Thing {
  return { scope, row };
}

/** Nodes that stay in the page from frame to frame, by what stands for them in what is drawn. */
const PLACES = new WeakMap<Node, HTMLElement>();

/** Stands for a node, for `renew`: taking one of hundreds of options out and putting it back costs milliseconds. */
export function standing(node: HTMLElement): HTMLElement {
  const place = el("span", {});
  PLACES.set(place, node);
  return place;
}

/**
 * The nodes in place of what was there; what had the focus there has it again. What is alike stays, and only its
 * attributes and texts are changed.
 */
export function renew(root: HTMLElement, ...nodes: Node[]): void {
  const active = document.activeElement;
  const kept = active instanceof HTMLElement && root.contains(active) ? active.dataset.keep : undefined;
  patchChildren(root, nodes);
  if (kept === undefined || document.activeElement === active) return;
  const again = [...root.querySelectorAll<HTMLElement>("[data-keep]")].find((node) => node.dataset.keep === kept);
  again?.focus({ preventScroll: true });
}

function patchChildren(root: Node, nodes: readonly Node[]): void {
  let at = root.firstChild;
  for (const node of nodes) {
    const stays = PLACES.get(node);
    let next: ChildNode | null = at?.nextSibling ?? null;
    if (stays && next === stays) next = stays.nextSibling; // it moves up
    if (at && !stays && isAlike(at, node)) patch(at, node);
    else if (at && at !== stays) root.replaceChild(settled(node), at);
    else if (!at) root.appendChild(settled(node));
    at = next;
  }
  while (at) {
    const next: ChildNode | null = at.nextSibling;
    root.removeChild(at);
    at = next;
  }
}

/** A node to put into the page: itself, with those that stay in their places within it. */
function settled(node: Node): Node {
  const within = node instanceof Element ? [...node.querySelectorAll("span")] : [];
  for (const each of within) {
    const stays = PLACES.get(each);
    if (stays) each.replaceWith(stays);
  }
  return PLACES.get(node) ?? node;
}

/** What listens has been told what to do at its frame, so it is not kept for another. */
const LISTENING: ReadonlySet<string> = new Set(["BUTTON", "SELECT", "LABEL"]);

function isAlike(a: Node, b: Node): boolean {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && !LISTENING.has(a.nodeName);
}

function patch(node: Node, like: Node): void {
  if (!(node instanceof Element && like instanceof Element)) {
    if (node.nodeValue !== like.nodeValue) node.nodeValue = like.nodeValue;
    return;
  }
  // Whoever unfolded a list wants to read it at the next frame as well.
  const unfolded = node.hasAttribute("open") && node.getAttribute("data-fold") === like.getAttribute("data-fold");
  if (unfolded && like.hasAttribute("data-fold")) like.setAttribute("open", "");
  for (const name of node.getAttributeNames()) if (!like.hasAttribute(name)) node.removeAttribute(name);
  for (const name of like.getAttributeNames()) setAttribute(node, name, like.getAttribute(name));
  patchChildren(node, [...like.childNodes]);
}
