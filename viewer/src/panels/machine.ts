import { modelIn } from "../commands";
import { button, el, icon } from "../dom";
import type { Contribution, Explainer } from "../machine/explain";
import { codeNodes } from "../marked";
import { brings } from "../purposes";
import type { Thing } from "../recording";
import { drawnAlone } from "../save/diagram";
import type { Panel, Stage } from "../stage";
import { keep, recall } from "../storage";
import { type Doer, markedSentence, opening, setupText, type Told, toldOf } from "../told";
import { isUnverified, type Layer, type Trace } from "../trace";
import { Viewport } from "../viewport";
import { type CellPlace, cellCard } from "./machine_cell";
import { Diagram, LEGEND, markIcon, type Part, type Place } from "./machine_diagram";
import { askingRow, flowThrough, headCard, type Meant } from "./machine_head";
import { Opened, renew, unverifiedNodes } from "./machine_parts";
import { busiestRow, unitsCard, unitsText } from "./machine_units";
import { noteNode } from "./note";

const FOLDED = "hyloop-diagram-folded";

/** What to open of a layer; no part: that which its sentence is about. */
type Opening = Omit<Place, "part"> & { readonly part: Part | null };

/** The transformer, opened: its diagram with the current layer lit, and one head, MLP or cell in numbers. */
export class MachinePanel implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #picture = el("div", { class: "diagram-box", tabindex: "0", role: "region", "aria-label": "Diagram" });
  readonly #legend = el("p", { class: "diagram-legend dim" });
  readonly #fold = el("details", { class: "diagram-fold", open: (recall(FOLDED) ?? folded()) !== "yes" });
  readonly #card = el("div", { class: "machine-card" });
  readonly #frame = el("div", { class: "table-frame" }, this.#picture);
  readonly #view = new Viewport(this.#picture, () => {
    this.#diagram?.fit(this.#view.width);
    this.#diagram?.slide(this.#view.left);
    this.#shade();
  });
  #diagram: Diagram | null = null;
  #scrolled = 0;
  /** What the user opened; null: what tells most of the layer. */
  #part: Part | null = null;
  #row: number | null = null;
  #picked: Thing | null = null;
  #cell: CellPlace | null = null;
  #all = false;
  /** The unit that was asked for from a number, and the frame at which it wrote that. */
  #asked: { readonly frame: number; readonly unit: number } | null = null;
  /** The clause whose doer was asked for at a frame; null: the one that matters most. */
  #answers: { readonly frame: number; readonly clause: number | null } | null = null;
  /** The layer that is open where only whole iterations are recorded. */
  #layer = 1;
  #drew = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    const summary = el("summary", {}, "The model, layer by layer");
    this.#fold.append(summary, this.#frame, this.#legend);
    // A click is before the change; the guide opens it as well, and is not remembered.
    summary.addEventListener("click", () => keep(FOLDED, this.#fold.open ? "yes" : "no"));
    for (const [mark, name] of LEGEND) this.#legend.append(el("span", {}, markIcon(mark), name));
    this.root = el(
      "section",
      { class: "panel machine scroll", "data-panel": "machine", "data-testid": "machine", "aria-label": "Machine" },
      this.#fold,
      this.#card,
    );
  }

  load(): void {
    const { explainer } = this.#stage;
    this.#cell = null;
    this.#row = null;
    this.#scrolled = 0;
    this.#layer = this.#stage.recording.layers;
    this.#diagram = explainer ? this.#drawn(explainer) : null;
    this.#diagram?.fit(this.#view.width);
    this.#picture.replaceChildren(...(this.#diagram ? [this.#diagram.root] : []));
    this.#fold.hidden = !explainer;
  }

  /** What is opened, for a link: a head by its number from 1, or the MLP; null where nobody chose any. */
  get part(): number | "mlp" | null {
    return typeof this.#part === "number" ? this.#part + 1 : this.#part;
  }

  set part(part: number | "mlp" | null) {
    [this.#part, this.#cell] = [typeof part === "number" ? part - 1 : part, null];
  }

  /** Ask where a number of X comes from. */
  ask(cell: CellPlace | null): void {
    this.#cell = cell;
    this.#stage.redraw();
    this.reveal();
    if (cell) afterDrawing(() => this.#takeFocus());
  }

  /** The number was asked for in a panel that is hidden now, and the focus with it: the answer has it, and is read. */
  #takeFocus(): void {
    const { activeElement: active, body } = document;
    // Browsers take the focus from what is hidden sooner or later.
    if (active && active !== body && active.getClientRects().length > 0) return;
    this.#card.querySelector<HTMLElement>(".cell-card")?.focus({ preventScroll: true });
  }

  /** Open what did what the sentence of the layer tells, on a row that it tells of, whatever was open before. */
  why(): void {
    this.#part = null;
    this.#row = null;
    this.#picked = this.#stage.selected; // it was selected before the question
    this.#answers = { frame: this.#stage.recording.frame, clause: null };
    this.ask(null);
  }

  /** Scroll to the opened part, below the diagram and the sentence. */
  reveal(): void {
    this.#scrollTo(() => this.#card.querySelector(".parts") ?? this.#card);
  }

  /** Show the diagram, the scores of the opened head, or what the MLP of the layer worked out. */
  open(which: "diagram" | "scores" | "units"): void {
    if (which === "diagram") this.#fold.open = true;
    else this.#part = which === "units" ? "mlp" : null; // what the guide speaks of, whatever was open before
    if (which === "units") this.reveal();
    else
      this.#scrollTo(() =>
        which === "diagram" ? this.#picture : (this.#card.querySelector(".bars")?.previousElementSibling ?? this.#card),
      );
  }

  /** A shadow where layers of the diagram are beyond the edge. */
  #shade(): void {
    const { left, width } = this.#view;
    this.#frame.classList.toggle("more-right", left + width < (this.#diagram?.width ?? 0) - 1);
  }

  /** The diagram as an SVG file: no layer lit, and the key to its signs beneath; null where there is none. */
  diagram(): string | null {
    const { explainer, recording } = this.#stage;
    if (!explainer) return null;
    const diagram = this.#drawn(explainer);
    diagram.alone();
    // In the panel, whose styles it has.
    this.root.append(diagram.root);
    const file = drawnAlone(diagram.root, isUnverified(recording.trace) ? "The model is unverified." : "");
    diagram.root.remove();
    return file;
  }

  #scrollTo(node: () => Element, block: "start" | "center" = "start"): void {
    afterDrawing(() => node().scrollIntoView({ block }));
  }

  /** Remove the arrows from the picture when the panel is hidden. */
  hide(): void {
    if (this.#drew) this.#stage.links([]);
    this.#drew = false;
  }

  render(): void {
    const { explainer, recording, selected } = this.#stage;
    if (selected !== this.#picked) [this.#row, this.#answers] = [null, null];
    this.#picked = selected;
    if (!explainer) {
      renew(this.#card, el("p", { class: "empty", "data-testid": "no-machine" }, whyMissing(recording.trace)));
      return;
    }
    const layer = this.#current;
    const run = explainer.run(layer);
    const told = toldOf(explainer, layer);
    const part = run ? this.#opened(layer, told) : null;
    const changed = new Set(run ? [...run.layer.writes, ...run.heads.flatMap(({ head }) => head.writes)] : []);
    this.#diagram?.show(
      run ? layer : 0,
      this.#cell ? null : part,
      new Set([...changed].filter((c) => run?.changed(c).length)),
    );
    this.#keepInView(layer);
    const nodes = run ? this.#cards(new Opened(explainer, run), part, told) : [this.#notYet()];
    renew(this.#card, ...nodes);
  }

  /** The layer that is open. */
  get #current(): number {
    const { recording } = this.#stage;
    return recording.trace.recorded.layers ? recording.layer : recording.frame === 0 ? 0 : this.#layer;
  }

  #notYet(): HTMLElement {
    const { recording } = this.#stage;
    const text =
      recording.frame === 0
        ? "Nothing has run yet: the encoder has written the first state X. Step forward to see layer 1 at work."
        : "The state before this layer is not recorded, and too far from the last one that is.";
    return el("p", { class: "empty" }, text);
  }

  #cards(opened: Opened, part: Part | null, told: Told | null): Node[] {
    const { explainer } = opened;
    const setup = setupText(opened.recording);
    const parts = this.#parts(opened, part);
    if (this.#cell) {
      // The bar below has the sentence of the layer; what was asked for comes first.
      this.#links([]);
      return [
        parts,
        this.#boxed(
          cellCard(explainer, this.#cell, (...to) => this.#go(...to)),
          () => this.ask(null),
        ),
      ];
    }
    const head = [
      ...unverifiedNodes(opened.recording.trace),
      this.#told(opened, told),
      ...(setup === "" ? [] : [el("p", { class: "dim setup" }, setup)]),
      ...(told?.notes ?? []).map(noteNode),
      parts,
    ];
    return [...head, el("div", { class: "machine-open" }, ...this.#open(opened, part, told))];
  }

  /** The sentence; where several parts of the layer did what it tells, with the way to each of them. */
  #told(opened: Opened, told: Told | null): HTMLElement {
    const name = "machine-told";
    if (!told || new Set(told.doers.map(({ part }) => part)).size < 2) {
      const said = told ? markedSentence(told, opened.naming.section) : "";
      return el("p", { class: "told", "data-testid": name }, ...codeNodes(said));
    }
    const lines = told.clauses.map((clause, k) => {
      const end = k === told.clauses.length - 1 ? "." : ";";
      return el("span", { class: "clause" }, ...codeNodes(`${clause}${end} `), this.#doer(told, k));
    });
    return el("p", { class: "told by-parts", "data-testid": name }, ...codeNodes(opening(told)), ...lines);
  }

  /** The way to the part that did what a clause tells. */
  #doer({ doers }: Told, clause: number): HTMLElement {
    const { part } = doers[clause] as Doer;
    const name = part === "mlp" ? "MLP" : `head ${part + 1}`;
    const open = () => {
      const { frame } = this.#stage.recording;
      [this.#part, this.#row, this.#answers] = [part, null, { frame, clause }];
      this.ask(null);
    };
    const keep = { class: "link", "data-keep": `clause ${clause}`, "data-testid": "clause-part" };
    return button(`${name}: open what did this`, keep, open, name);
  }

  #open(opened: Opened, part: Part | null, told: Told | null): HTMLElement[] {
    if (part === null) {
      this.#links([]);
      return idleNodes();
    }
    const doer = this.#doerOf(part, told);
    if (part === "mlp") {
      this.#links([]);
      const { row } = this.#rowOf(doer, () => ({ row: busiestRow(opened), scope: null }));
      const list = (all: boolean) => {
        this.#all = all;
        this.#stage.redraw();
      };
      const { frame } = this.#stage.recording;
      const asked = this.#asked?.frame === frame ? this.#asked.unit : null;
      return unitsCard(opened, { row, all: this.#all, asked, choose: (each) => this.#choose(each), list });
    }
    const meant = this.#rowOf(doer, () => askingRow(opened, part));
    const { giver, taker } = flowThrough(opened, part, meant);
    const { nodes, arrows } = headCard(opened, part, giver, (each) => this.#choose(each), taker);
    this.#links(arrows);
    return nodes;
  }

  #boxed(nodes: readonly Node[], close: () => void): HTMLElement {
    const shut = button(
      "Close (back to the layer)",
      { class: "quiet", "data-testid": "cell-close" },
      close,
      icon("close"),
    );
    const label = "Where the number comes from";
    const attributes = { tabindex: "-1", role: "region", "aria-label": label, "data-testid": "cell-card" };
    return el("div", { class: "machine-open cell-card", ...attributes }, shut, ...nodes);
  }

  /** A button for each head and the MLP of the layer. */
  #parts(opened: Opened, part: Part | null): HTMLElement {
    const { heads } = opened.run;
    const each = (which: Part, name: string) =>
      button(
        this.#title({ layer: opened.layer, part: which }),
        {
          class: "chip",
          "aria-pressed": String(!this.#cell && which === part),
          "data-keep": `part ${which}`,
          "data-testid": `open-${which === "mlp" ? "mlp" : `head-${which + 1}`}`,
        },
        () => this.#show({ layer: opened.layer, part: which }),
        name,
      );
    const chips = heads.map((_, k) => each(k, `Head ${k + 1}`));
    const units = opened.run.layer.stages[0].length > 0 ? [each("mlp", "MLP")] : [];
    const layers = this.#stage.recording.trace.recorded.layers ? [] : [this.#layerChoice()];
    return el(
      "div",
      { class: "parts", role: "group", "aria-label": "Parts of the layer" },
      ...layers,
      ...chips,
      ...units,
      this.#above(),
    );
  }

  /** The way back to the diagram, which the opened part scrolls away. */
  #above(): HTMLElement {
    const show = () => this.open("diagram");
    return button("Show the diagram above", { class: "link", "data-testid": "to-diagram" }, show, "↑ diagram");
  }

  /** Where only whole iterations are recorded, the layers between are computed, and chosen here. */
  #layerChoice(): HTMLElement {
    const options = Array.from({ length: this.#stage.recording.layers }, (_, k) =>
      el("option", { value: k + 1, selected: k + 1 === this.#layer }, `Layer ${k + 1}`),
    );
    const select = el(
      "select",
      { "aria-label": "Layer", "data-keep": "layer", "data-testid": "open-layer" },
      ...options,
    );
    select.addEventListener("change", () => this.#show({ layer: Number(select.value), part: this.#part }));
    return select;
  }

  /** The part that is open: the chosen one if the layer has it, else what the sentence is about, if it is of one. */
  #opened(layer: number, told: Told | null): Part | null {
    const about = this.#about(layer);
    const { heads } = about;
    if (this.#part === "mlp" && about.units.count > 0) return "mlp";
    if (typeof this.#part === "number" && this.#part < heads.length) return this.#part;
    return tellingPart(told);
  }

  #about(layer: number): Layer {
    return this.#stage.recording.trace.model.layers[layer - 1] as Layer;
  }

  /** What the open part did of what the sentence tells: what was asked for, else what matters most of it. */
  #doerOf(part: Part, told: Told | null): Doer | null {
    const clause = this.#isAnswering ? (this.#answers?.clause ?? null) : null;
    const wanted = clause === null ? told?.by : told?.doers[clause];
    const found = [...(wanted ? [wanted] : []), ...(told?.doers ?? [])];
    return found.find((each) => each.part === part && each.rows.length > 0) ?? null;
  }

  get #isAnswering(): boolean {
    return this.#answers?.frame === this.#stage.recording.frame;
  }

  /** The chosen row, that of the selected thing, one that the sentence tells of, or another. */
  #rowOf(doer: Doer | null, otherwise: () => Meant): Meant {
    const { selected, recording } = this.#stage;
    const isTold = selected !== null && doer?.scope === selected.scope && doer.rows.includes(selected.row);
    const wanted = this.#isAnswering && doer && !isTold ? null : selected; // what the sentence does not tell of is not why
    const [first] = doer?.rows ?? [];
    const told = doer && first !== undefined ? { row: first, scope: doer.scope } : null;
    const { row, scope } = this.#row === null ? (wanted ?? told ?? otherwise()) : { row: this.#row, scope: null };
    return { row: Math.min(row, recording.rows - 1), scope, column: doer?.column };
  }

  #choose(row: number): void {
    this.#row = row;
    this.#stage.redraw();
  }

  /** Open a part, or that which the sentence is about: of this iteration, another layer is another frame. */
  #show({ layer, part }: Opening, asked: number | null = null): void {
    const { recording } = this.#stage;
    this.#part = part;
    this.#cell = null;
    this.#layer = layer;
    this.#answers = null;
    if (recording.trace.recorded.layers) {
      const iteration = Math.max(1, recording.iteration);
      this.#stage.seek(recording.frameOf(iteration, layer));
    } else if (recording.frame === 0) this.#stage.seek(1);
    this.#asked = asked === null ? null : { frame: recording.frame, unit: asked };
    this.#stage.redraw();
    if (asked === null) this.reveal();
    else this.#scrollTo(() => this.#card.querySelector(".asked") ?? this.#card, "center");
  }

  /** Open what wrote a number: a head, or the MLP with the unit marked. */
  #go(frame: number, layer: number, row: number, part: Contribution): void {
    this.#stage.seek(frame);
    this.#row = row;
    if (part.part === "head") this.#show({ layer, part: part.head });
    else this.#show({ layer, part: "mlp" }, part.unit);
  }

  #links(arrows: Parameters<Stage["links"]>[0]): void {
    this.#drew = arrows.length > 0;
    this.#stage.links(arrows);
  }

  #title({ layer, part }: Place): string {
    const { operations } = this.#stage.recording;
    const about = this.#about(layer);
    const stages = this.#stage.explainer?.model.layers[layer - 1]?.stages;
    if (part === "mlp") return `Layer ${layer}, MLP: ${stages ? unitsText({ stages }) : "units"}`;
    const head = about.heads[part];
    const names = new Set(head ? brings(head).map((purpose) => operations.text(purpose)) : []);
    return `Layer ${layer}, head ${part + 1}: ${[...names].join(", ") || "erase"}`;
  }

  #drawn(explainer: Explainer): Diagram {
    return new Diagram(
      explainer.model,
      (place) => this.#title(place),
      (place) => this.#show(place),
    );
  }

  /** Scroll the diagram sideways to a layer, once when it becomes the current one. */
  #keepInView(layer: number): void {
    if (layer === this.#scrolled || !this.#diagram) return;
    this.#scrolled = layer;
    const left = this.#diagram.left(layer);
    const { left: from, width } = this.#view;
    const end = this.#diagram.left(layer + 1) || this.#diagram.width;
    if (left < from + 100 || end > from + width) this.#picture.scrollLeft = Math.max(0, left - 130);
  }
}

/** After the drawing that was just asked for. */
function afterDrawing(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

/** Whether the diagram begins folded: it would fill a phone. */
function folded(): "yes" | "no" {
  return matchMedia("(max-width: 759px)").matches ? "yes" : "no";
}

/** Why there is no model in this page, from what the trace says. */
export function whyMissing(trace: Trace): string {
  const { model, hypergraph } = trace;
  const rows = Math.max(hypergraph.vertices.length, hypergraph.hyperedges.length);
  const start = "The machine cannot be opened here: this page has no model inside.";
  if (model.dtype !== "float64") return `${start} The model computes in ${model.dtype}; a page computes in float64.`;
  if (isUnverified(trace))
    return `${start} The model is unverified, and its numbers leave those that a page holds exactly.`;
  return (
    `${start} Pages of runs with many rows are written without one; this run has ${rows.toLocaleString("en")}. ` +
    `Record a smaller one: hyloop trace ${modelIn(trace)} FILE -o run.html`
  );
}

/** The part of a layer that its sentence is about; null where the layer does nothing that it could tell. */
export function tellingPart(told: Told | null): Part | null {
  return told?.by?.part ?? null;
}

/** In place of a part, where none was asked for and the sentence is about none. */
export function idleNodes(): HTMLElement[] {
  const text =
    "This layer did nothing here that its sentence could tell, so none of its parts is opened as the reason. They " +
    "compute all the same: open one above to see its numbers.";
  return [el("p", { class: "empty", "data-testid": "machine-idle" }, text)];
}
