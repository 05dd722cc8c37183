/** Edits the hypergraph of a page that has models in it, and has it run again at once. */

import { few } from "../few";
import "./edit.css";
import { button, el, setAttribute, setText, toggle } from "../dom";
import { labelText } from "../labels";
import type { Hypergraph } from "../machine/hypergraph";
import type { Runs, SavedFile } from "../machine/page";
import type { Point } from "../machine/positions";
import type { Thing } from "../recording";
import { download, stemOf } from "../save/download";
import type { Label, Trace } from "../trace";
import { type Desk, HyperedgeCard, VertexRow } from "./cards";
import { Field } from "./field";
import { Files } from "./files";
import { History } from "./history";
import { Inputs } from "./inputs";
import { List } from "./list";
import {
  addHyperedge,
  addMember,
  addVertex,
  type Draft,
  degreesOf,
  draftOf,
  draftOfBody,
  freshName,
  type Hyperedge,
  hyperedgeNameProblem,
  hypergraphBody,
  NO_RENAMES,
  Refusal,
  type Renames,
  type RunBody,
  removeMember,
  renamesBetween,
  replaced,
  runBody,
  type Source,
  sameHypergraph,
  setAlgorithm,
  setDirected,
  type Vertex,
  vertexNameProblem,
} from "./model";
import { Runner } from "./runner";

const SLOW = 700; // milliseconds after which a run is worth a message
const TYPING = 150; // milliseconds after the last key
const PAUSE = 1000; // milliseconds after which typing in the same field is another edit, with an undo of its own
const LINES = 200; // of what changed

export interface EditorEvents {
  /** A run of what was edited; what has another name than in the run before. */
  trace(trace: Trace, body: RunBody, renames: Renames): void;
  message(text: string, bad: boolean): void;
  /** What was said holds no more. */
  unsay?(text: string): void;
  /** Clicks in the picture now make vertices members of this hyperedge, or no more; null: of none. */
  picking?(hyperedge: string | null): void;
  /** Show the run beside the one before the edit. */
  compare?(): void;
  /**
   * Why what is edited has not run, so that the page shows something else; null: it shows what is edited. Returns
   * whether the page says so in view.
   */
  stale?(sentence: string | null): boolean;
  /** Another file or example takes the place of what was there. */
  opened?(name: string): void;
}

export class Editor {
  readonly #live: Runs;
  readonly #on: EditorEvents;
  readonly #node: HTMLElement;
  readonly #runner: Runner<RunBody, [Trace, RunBody]>;
  readonly #files: Files;
  readonly #directed: HTMLLabelElement;
  readonly #sides = el("p", { class: "edit-about", hidden: true, "data-testid": "edit-sides" });
  readonly #changes = el("ul", { class: "edit-changes", hidden: true, "data-testid": "edit-changes" });
  readonly #beside = button(
    "Show both runs beside each other (b)",
    { class: "chip edit-compare", "data-testid": "edit-compare", hidden: true },
    () => this.#on.compare?.(),
    "Before and after",
  );
  readonly #more = button(
    "All that changed in the answer",
    { class: "chip edit-all", "data-testid": "edit-more", "aria-expanded": "false" },
    () => this.#unfold(!this.#note.classList.contains("unfolded")),
    "More",
  );
  readonly #note = el(
    "div",
    { class: "edit-note", hidden: true },
    el("div", { class: "edit-told" }, this.#more, this.#beside),
    this.#changes,
  );
  readonly #status = el("span", { class: "edit-status", role: "status", "data-testid": "edit-status" });
  readonly #error = el("p", { class: "edit-error", role: "alert", hidden: true, "data-testid": "edit-error" });
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #hyperedges: List<Hyperedge>;
  readonly #vertices: List<Vertex>;
  readonly #hyperedgeCount = el("span", { class: "edit-count" });
  readonly #vertexCount = el("span", { class: "edit-count" });
  readonly #inputs: Inputs;
  readonly #desk: Desk;
  readonly #adders: Field[] = [];
  #history: History<Draft> | null = null;
  #labels = new Map<number, string>();
  #degrees = new Map<number, number>();
  #trace: Trace | null = null;
  #answer: Trace | null = null; // the newest trace that came from here
  #drawn: Draft | null = null; // whose hypergraph the picture has
  #asked: Draft | null = null; // of the newest run
  readonly #places = new WeakMap<Source, Map<number, { label: Label; at: Point }>>(); // of vertices, by their ids
  readonly #warned = new WeakSet<Source>(); // files of which it was told what is odd
  #put: ReadonlyMap<Label, string> = new Map(); // where the newest run had them, before any was dragged
  #picking: number | null = null;
  #selected: number | null = null;
  #loading = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  #running = ""; // the message of a slow run
  #refused: string | null = null; // why what is edited has not run
  #passing = false; // whether what is told is of something that was tried, not of what is edited

  constructor(host: HTMLElement, live: Runs, on: EditorEvents) {
    this.#live = live;
    this.#on = on;
    this.#runner = new Runner(async (body, watch) => [await live.run(body, watch), body], {
      begun: () => this.#begun(),
      progress: (iterations) => this.#say(`${counted(iterations)} so far …`, true),
      done: ([trace, body]) => this.#done(trace, body),
      failed: (sentence) => this.#failed(sentence),
    });
    this.#desk = this.#deskOf();
    this.#files = new Files(live.examples, {
      hypergraph: (h, source) => this.#replace(h, source),
      model: (bytes, name) => this.#adopt(bytes, name),
      failed: (sentence) => this.#complain(sentence),
    });
    this.#directed = toggle("directed: from tails to heads", "edit-directed", false, (on) =>
      this.#edit((draft) => setDirected(draft, on)),
    );
    this.#inputs = new Inputs(live.algorithms, this.#desk);
    this.#undo = button("Undo (Ctrl-Z)", { "data-testid": "edit-undo" }, () => this.#travel("undo"), "Undo");
    this.#redo = button("Redo (Ctrl-Shift-Z)", { "data-testid": "edit-redo" }, () => this.#travel("redo"), "Redo");
    const again = () => this.#render(false);
    const edgeText = (e: Hyperedge) => [e.name, ...e.members.map((v) => this.#desk.labelOf(v))].join(" ");
    this.#hyperedges = new List("hyperedges", (e) => new HyperedgeCard(e, this.#desk), edgeText, again);
    this.#vertices = new List(
      "vertices",
      (v) => new VertexRow(v, this.#desk),
      (v) => String(v.label),
      again,
    );
    this.#node = this.#layOut();
    host.append(this.#node);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Edit the hypergraph of a trace. A trace that came from here leaves the draft, and what can be undone, as it is. */
  load(trace: Trace): void {
    this.#loading = true;
    queueMicrotask(() => {
      this.#loading = false;
    });
    this.#trace = trace;
    if (this.#history && trace === this.#answer) return;
    // What the page was made with comes first.
    const draft = draftOf(trace, this.#live.arrays(trace), this.#history ? null : this.#live.origin);
    this.#drawn = draft;
    this.#warned.add(draft.source); // nobody opened it here; the editor says it
    if (this.#history && sameHypergraph(this.#history.present, draft)) {
      this.#drawn = this.#history.present; // whose ids go on
      return;
    }
    this.#runner.cancel();
    this.#history = new History(draft);
    this.endPicking();
    this.#refuse(null);
    this.#complain(null);
    this.#render(true);
  }

  /** Run what a link has; undo leads back to what was there. Returns whether the page has its algorithm. */
  open(body: RunBody): boolean {
    const algorithm = this.#live.algorithms.find(({ name }) => name === body.algorithm);
    if (!algorithm) {
      this.#on.message(
        `This link is of ${body.algorithm}, which is not in this page. If it is a model file, open that here, and then the link again.`,
        true,
      );
      return false;
    }
    try {
      this.#become(draftOfBody(body, algorithm));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#on.message(error.message, true);
      return false;
    }
    return true;
  }

  /** Back to what was edited before the last change. */
  undo(): void {
    this.#travel("undo");
  }

  /** Take a file that was dropped on the page. */
  take(file: File): void {
    void this.#files.read(file);
  }

  /** Run a model file instead of what runs now. */
  #adopt(bytes: Uint8Array, name: string): void {
    if (!this.#live.adopt) throw new Refusal("this page takes no models. Make one of it with: hyloop view MODEL FILE");
    const before = this.#inputs.algorithm;
    const { algorithm, beside } = this.#live.adopt(bytes);
    this.#inputs.offer(this.#live.algorithms);
    this.#edit((draft) => setAlgorithm(draft, algorithm, before));
    const also = beside === null ? "" : `, beside its own ${beside}`;
    this.#on.message(
      `${name}: the page runs this model now, as ${algorithm.name}${also}. A model file has no source, so that its program is shown as a listing.`,
      true,
    );
  }

  /** Say what the last edit changed in the answer; returns whether that is in view. */
  changed(lines: readonly string[]): boolean {
    const most = few(lines.length, LINES);
    const more = lines.length > most ? [`and ${(lines.length - most).toLocaleString("en")} more`] : [];
    this.#changes.replaceChildren(...[...lines.slice(0, most), ...more].map((line) => el("li", {}, line)));
    this.#beside.hidden = lines.length === 0;
    this.#note.hidden = lines.length === 0;
    this.#changes.hidden = lines.length === 0;
    this.#unfold(false);
    this.#note.classList.remove("clipped");
    const { clientHeight, scrollHeight } = this.#changes;
    const seen = clientHeight > 0; // not while another tab is open
    this.#note.classList.toggle("clipped", seen ? scrollHeight > clientHeight : lines.length > 1);
    this.#keepField();
    return seen;
  }

  /** Two lines of what changed, so that the editor keeps its room, or all of them. */
  #unfold(all: boolean): void {
    this.#note.classList.toggle("unfolded", all);
    setText(this.#more, all ? "Less" : "More");
    setAttribute(this.#more, "aria-expanded", String(all));
  }

  /** Scroll to the field that is being edited: what is said below it covers what stands there. */
  #keepField(): void {
    const field = document.activeElement?.closest<HTMLElement>(".editor .edit-field");
    const bar = field?.closest(".editor")?.querySelector<HTMLElement>(".edit-bar");
    if (!field || !bar) return;
    field.style.scrollMarginTop = `${bar.offsetHeight + 6}px`;
    field.style.scrollMarginBottom = `${this.#note.offsetHeight + 8}px`;
    field.scrollIntoView?.({ block: "nearest" });
  }

  /** Run another algorithm. */
  choose(name: string): void {
    const next = this.#live.algorithms.find((each) => each.name === name);
    if (next) this.#edit((draft) => setAlgorithm(draft, next, this.#inputs.algorithm));
  }

  #replace(h: Hypergraph, source: Source): void {
    this.#on.opened?.(source.name);
    this.#become(replaced(this.#present(), h, source, this.#inputs.algorithm));
  }

  #become(draft: Draft): void {
    this.endPicking();
    this.#history?.push(draft);
    this.#render(true);
    this.#rerun();
  }

  /** Show where a vertex or hyperedge is edited; while members are being picked, a vertex becomes one, or no more. */
  select(thing: Thing | null): void {
    const id = thing && this.#idOf(thing);
    if (!this.#loading && this.#picking !== null && thing?.scope === "vertices" && id !== null) {
      this.#toggle(this.#picking, id);
      return;
    }
    if (id === this.#selected) return;
    this.#selected = id;
    if (!this.#history) return;
    this.#render(false);
    const node = id === null ? undefined : (this.#hyperedges.nodeOf(id) ?? this.#vertices.nodeOf(id));
    // Whoever picks members looks at the card of the hyperedge.
    if (this.#picking === null) node?.scrollIntoView?.({ block: "nearest" });
  }

  get picking(): boolean {
    return this.#picking !== null;
  }

  /** Clicks in the picture only select again. */
  endPicking(): void {
    if (this.#picking !== null) this.#pick(null);
  }

  #pick(id: number | null): void {
    this.#picking = id;
    const name = this.#present().hyperedges.find((one) => one.id === id)?.name;
    this.#on.picking?.(name === undefined ? null : labelText(name));
    this.#render(false);
  }

  // -- the parts ------------------------------------------------------------------------------------------------------

  #deskOf(): Desk {
    const draft = () => this.#present();
    const picking = () => this.#picking;
    return {
      get draft() {
        return draft();
      },
      get picking() {
        return picking();
      },
      edit: (change, merge) => this.#edit(change, merge),
      settle: () => this.#history?.settle(),
      pick: (id) => this.#pick(id),
      labelOf: (vertex) => this.#labels.get(vertex) ?? "?",
      degreeOf: (vertex) => this.#degrees.get(vertex) ?? 0,
    };
  }

  #layOut(): HTMLElement {
    const download = button(
      "Download the hypergraph (HIF)",
      { "data-testid": "edit-download" },
      () => this.#download(),
      "Download HIF",
    );
    const node = el(
      "div",
      { class: "editor", "data-testid": "editor" },
      el("div", { class: "edit-bar" }, this.#undo, this.#redo, download, this.#status),
      this.#error,
      el("section", { class: "edit-part" }, this.#files.node, this.#inputs.node),
      el(
        "section",
        { class: "edit-part" },
        el("h3", {}, "Hyperedges ", this.#hyperedgeCount),
        this.#directed,
        this.#sides,
        this.#adderOfHyperedges(),
        this.#hyperedges.node,
      ),
      el(
        "section",
        { class: "edit-part" },
        el("h3", {}, "Vertices ", this.#vertexCount),
        this.#adderOfVertices(),
        this.#vertices.node,
      ),
      this.#note,
    );
    node.addEventListener("input", () => this.#keepField());
    // What was tried and refused is done with when somebody does the next thing.
    for (const event of ["click", "input"])
      node.addEventListener(event, () => this.#passing && this.#complain(null), { capture: true });
    return node;
  }

  #adderOfHyperedges(): HTMLElement {
    return this.#adder(
      "hyperedge",
      (text) => hyperedgeNameProblem(this.#present(), text),
      (text) => {
        const names = this.#present().hyperedges.map(({ name }) => name);
        this.#edit((draft) => addHyperedge(draft, text || freshName("hyperedge", names)));
      },
    );
  }

  #adderOfVertices(): HTMLElement {
    return this.#adder(
      "vertex",
      (text) => vertexNameProblem(this.#present(), text),
      (text) => {
        const names = this.#present().vertices.map(({ label }) => label);
        this.#edit((draft) => addVertex(draft, text || freshName("vertex", names)));
      },
    );
  }

  /** A field for a name and a button; an empty field gives a fresh name. */
  #adder(
    what: "vertex" | "hyperedge",
    check: (text: string) => string | null,
    add: (text: string) => void,
  ): HTMLElement {
    const checked = (text: string) => (text === "" ? null : check(text));
    const field = new Field({ label: `Name of a new ${what}`, when: "done", check: checked, commit: () => {} });
    field.name(`Name of a new ${what}`, `edit-new-${what}`);
    this.#adders.push(field);
    field.input.placeholder = `New ${what}`;
    const act = () => {
      if (checked(field.input.value)) return;
      add(field.input.value);
      field.set("", true);
    };
    field.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") act();
    });
    return el(
      "div",
      { class: "edit-row edit-adder" },
      field.node,
      button(`Add a ${what}`, { "data-testid": `edit-add-${what}` }, act, "Add"),
    );
  }

  // -- edits ----------------------------------------------------------------------------------------------------------

  #present(): Draft {
    if (!this.#history) throw new Error("There is nothing to edit yet.");
    return this.#history.present;
  }

  #edit(change: (draft: Draft) => Draft, merge?: string): void {
    this.endPicking();
    this.#change(change, merge);
  }

  #change(change: (draft: Draft) => Draft, merge?: string): void {
    try {
      const next = change(this.#present());
      if (next === this.#present()) return;
      this.#history?.push(next, merge ?? null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#complain(error.message);
      return;
    }
    this.#render(false);
    this.#rerun(merge === undefined ? 0 : TYPING);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#history?.settle(), PAUSE);
  }

  #toggle(hyperedge: number, vertex: number): void {
    const inside = this.#present()
      .hyperedges.find(({ id }) => id === hyperedge)
      ?.members.includes(vertex);
    this.#change((draft) => (inside ? removeMember : addMember)(draft, hyperedge, vertex));
  }

  #travel(where: "undo" | "redo"): void {
    const history = this.#history;
    if (where === "undo" && this.#closeFields()) return;
    if (!history || !(where === "undo" ? history.canUndo : history.canRedo)) return;
    this.endPicking();
    history[where]();
    this.#render(true);
    this.#rerun();
  }

  /**
   * What is typed and not in the model yet is the newest edit: undo begins with it. Some browsers leave the focus in a
   * field while a button is pressed. Returns whether that is all: a text that cannot be is only taken back.
   */
  #closeFields(): boolean {
    const open = () => [...this.#node.querySelectorAll<HTMLElement>(":not(.edit-adder) > .edit-field > [data-open]")];
    for (const field of open()) field.dispatchEvent(new Event("change"));
    if (open().length === 0) return false;
    this.#render(true);
    return true;
  }

  /** Ctrl-Z anywhere in the page: a click on a button that is then disabled, or gone, leaves the focus nowhere. */
  #key(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
    if (event.defaultPrevented || hasOwnUndo(event.target) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.#travel(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  #idOf({ scope, row }: Thing): number | null {
    const label = this.#trace?.hypergraph[scope][row - 1];
    if (label === undefined || !this.#history) return null;
    const draft = this.#present();
    const found =
      scope === "vertices"
        ? draft.vertices.find((v) => v.label === label)
        : draft.hyperedges.find((e) => e.name === label);
    return found?.id ?? null;
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  #render(force: boolean): void {
    const draft = this.#present();
    this.#labels = new Map(draft.vertices.map(({ id, label }) => [id, labelText(label)]));
    this.#degrees = degreesOf(draft);
    this.#undo.disabled = !this.#history?.canUndo;
    this.#redo.disabled = !this.#history?.canRedo;
    this.#inputs.show(force);
    this.#files.show(draft.source);
    const box = this.#directed.querySelector("input");
    if (box) box.checked = draft.directed;
    const { algorithm } = this.#inputs;
    this.#sides.hidden = draft.directed || !algorithm?.directed;
    setText(this.#sides, `Not directed: to ${algorithm?.name ?? ""}, every member is both a tail and a head.`);
    this.#hyperedges.show(draft.hyperedges, this.#selected, force);
    this.#vertices.show(draft.vertices, this.#selected, force);
    setText(this.#hyperedgeCount, draft.hyperedges.length.toLocaleString("en"));
    setText(this.#vertexCount, draft.vertices.length.toLocaleString("en"));
    for (const list of [this.#hyperedges, this.#vertices]) list.mark(this.#selected);
    for (const field of this.#adders) field.recheck(); // a name may be free now, or taken
  }

  /** Say what went wrong, unless it is `seen` elsewhere; what is edited and has not run is still told after it. */
  #complain(sentence: string | null, seen = false): void {
    this.#passing = sentence !== null && sentence !== this.#refused;
    const waits = this.#refused === sentence ? null : this.#refused;
    const told = sentence && waits ? `What is in Edit has still not run. ${waits}` : waits;
    const all = [sentence, told].filter((each) => each !== null);
    this.#error.hidden = all.length === 0;
    this.#error.replaceChildren(...all.map((each) => el("span", {}, each)));
    if (!sentence) return;
    this.changed([]); // that was said of a run before
    if (!seen && !isInView(this.#error)) this.#on.message(sentence, true);
  }

  // -- running --------------------------------------------------------------------------------------------------------

  #rerun(wait = 0): void {
    this.#refuse(null);
    this.#complain(null);
    // Of another hypergraph, or by another algorithm, what changed before says nothing.
    const [shown, next] = [this.#drawn, this.#present()];
    if (shown?.source !== next.source || shown.algorithm !== next.algorithm) this.changed([]);
    this.#runner.ask(() => {
      const { algorithm } = this.#inputs;
      if (!algorithm) throw new Refusal("Choose an algorithm to run.");
      this.#asked = this.#present();
      return runBody(this.#asked, algorithm, this.#positions());
    }, wait);
  }

  /** Where the picture has the vertices: dragging moves them in the trace itself. Another hypergraph has its own. */
  #positions(): ReadonlyMap<Label, Point> {
    this.#remember();
    const draft = this.#present();
    const places = this.#places.get(draft.source);
    if (!places) return draft.source.places;
    const drawn = new Set(draft.source === this.#drawn?.source ? this.#drawn.vertices.map(({ id }) => id) : []);
    const loose = this.#loose(draft);
    const known = draft.vertices.flatMap(({ id, label }) => {
      const place = loose.has(id) ? undefined : places.get(id);
      // After an undo another vertex may get the number of one that was there.
      return place && (drawn.has(id) || place.label === label) ? [[label, place.at] as const] : [];
    });
    return new Map(known);
  }

  /** New vertices that stood apart and are members now: they go to their hyperedges, unless somebody dragged them. */
  #loose(draft: Draft): Set<number> {
    const before = this.#drawn;
    if (!before || before.source !== draft.source || !this.#trace) return new Set();
    const [was, is] = [degreesOf(before), degreesOf(draft)];
    const { vertices, positions } = this.#trace.hypergraph;
    const at = new Map(vertices.map((label, k) => [label, String(positions.vertices[k])]));
    const found = before.vertices.filter(({ id, label }) => {
      const isNew = !draft.source.places.has(label) && this.#put.get(label) === at.get(label);
      return isNew && !was.get(id) && (is.get(id) ?? 0) > 0;
    });
    return new Set(found.map(({ id }) => id));
  }

  /** Keep where vertices are drawn: one that comes back goes where it was. */
  #remember(): void {
    if (!this.#drawn || !this.#trace) return;
    const { vertices, positions } = this.#trace.hypergraph;
    const at = new Map(vertices.map((label, k) => [label, positions.vertices[k]]));
    const places = this.#places.get(this.#drawn.source) ?? new Map<number, { label: Label; at: Point }>();
    this.#places.set(this.#drawn.source, places);
    for (const { id, label } of this.#drawn.vertices) {
      const place = at.get(label);
      if (place) places.set(id, { label, at: [...place] });
    }
  }

  #begun(): void {
    this.#say("running …", true);
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => {
      this.#running = `Running ${this.#present().algorithm} …`;
      this.#on.message(this.#running, false);
    }, SLOW);
  }

  /** The run is over, and what said that it runs goes. */
  #ended(): void {
    clearTimeout(this.#slow);
    this.#on.unsay?.(this.#running);
  }

  #done(trace: Trace, body: RunBody): void {
    this.#ended();
    this.#say(counted(trace.recorded.iterations), false);
    this.#refuse(null);
    this.#complain(null);
    this.#answer = trace;
    const { vertices, positions } = trace.hypergraph;
    this.#put = new Map(vertices.map((label, k) => [label, String(positions.vertices[k])]));
    const [before, after] = [this.#drawn, this.#asked ?? this.#present()];
    this.#drawn = after;
    this.#on.trace(trace, body, before ? renamesBetween(before, after) : NO_RENAMES);
    this.#warn(after.source);
  }

  /** Say once what is odd about a file that was opened, where the editor that says it is not in view. */
  #warn(source: Source): void {
    const { name, warnings = [] } = source;
    if (warnings.length === 0 || this.#warned.has(source)) return;
    this.#warned.add(source);
    if (!isInView(this.#files.warnings)) this.#on.message(`${name}: ${warnings.join(" ")}`, true);
  }

  #failed(sentence: string): void {
    this.#ended();
    this.#say("", false);
    this.#complain(sentence, this.#refuse(sentence));
  }

  /** What is edited has not run, for this reason; or it has, or is about to. Returns whether the page tells it. */
  #refuse(sentence: string | null): boolean {
    this.#refused = sentence;
    return this.#on.stale?.(sentence) ?? false;
  }

  #say(text: string, busy: boolean): void {
    setText(this.#status, text);
    setAttribute(this.#status, "data-busy", busy ? "" : null);
  }

  #download(): void {
    try {
      const draft = this.#present();
      const { format, text } = this.#live.saved(hypergraphBody(draft), draft.source.origin);
      const type = format === "hif" ? "application/json" : "text/plain";
      download(new Blob([text], { type }), fileName(this.#trace?.hypergraph.name || this.#live.file, format));
      if (format === "edge-list") this.#on.message(NOT_DECIMAL, false);
    } catch (error) {
      this.#complain(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Whether all of a part of the editor can be seen: what stands there need not be said once more. */
function isInView(node: HTMLElement): boolean {
  const [own, around] = [node.getBoundingClientRect(), node.closest(".panel")?.getBoundingClientRect()];
  return own.height > 0 && around !== undefined && own.top >= around.top && own.bottom <= around.bottom;
}

/** Text that is not in the model, or not yet, is the browser's to undo. */
function hasOwnUndo(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest(".editor .edit-field")) return target.hasAttribute("data-open");
  const types = ["checkbox", "radio", "button", "range", "file"];
  if (target instanceof HTMLInputElement) return !types.includes(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

function counted(iterations: number): string {
  return `${iterations.toLocaleString("en")} ${iterations === 1 ? "iteration" : "iterations"}`;
}

/** A name for the file to save, of plain characters only; not that of the file that was opened. */
export function fileName(from: string, format: SavedFile["format"] = "hif"): string {
  return `${stemOf(from)}-edited.${format === "hif" ? "hif.json" : "txt"}`;
}

const NOT_DECIMAL =
  "HIF has only decimal numbers, and a weight here is a fraction that none equals: saved as an edge list, every weight " +
  "exact. Attributes of the file are not in it.";
