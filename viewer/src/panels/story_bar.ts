import { Answers } from "../answer";
import { button, el, setAttribute, setText } from "../dom";
import { COMPILED, IN_SHORT } from "../glossary";
import type { Tab } from "../link";
import { documented, setCoded } from "../marked";
import { counted } from "../numbers";
import type { Panel, Stage } from "../stage";
import { answerOpening, happens, markedSentence, setupText, toldOf } from "../told";
import { isUnverified } from "../trace";
import { tellingPart } from "./machine";
import type { CellPlace } from "./machine_cell";
import { endText, startText } from "./story";
import { hasKeys } from "./timeline";

/** Milliseconds for a sentence: as many as it takes to read it aloud, nearly. */
const FIRST = 1_200;
const WORD = 240;
/** Numbers in a layer beyond which a sentence waits until the frames stand still, and for how many milliseconds. */
const MANY = 50_000;
const STILL = 120;
/** Milliseconds that a sentence may take while frames follow one another at once, as when scrubbing. */
const BRIEF = 2;
/** Frames among which the guide looks for the first at which something happens. */
const SEARCHED = 60;

/** What "Why?" does. */
const WHY = "Opens what did this (w)";

interface Step {
  readonly frame: number;
  readonly tab: Tab;
  readonly title: string;
  readonly text: string;
  /** What to open of the machine, or to scroll to. */
  readonly opens?: Opened;
}

/** What a step of the guide speaks of. */
export type Opened = "diagram" | "scores" | "units" | "answer";

/** What the current layer does, in a sentence, below the panels; the guide and the narration speak here. */
export class StoryBar implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #pause: () => void;
  readonly #reveal: () => void;
  readonly #open: (which: Opened) => void;
  readonly #title = el("b", { class: "story-title" });
  readonly #text = el("span", { "data-testid": "story-text" });
  readonly #last = el("span", { class: "story-last", "aria-hidden": "true" });
  readonly #say = el("p", { class: "story-say", "aria-live": "off" }, this.#title, this.#text, this.#last);
  readonly #more: HTMLButtonElement;
  readonly #why: HTMLButtonElement;
  readonly #tell: HTMLButtonElement;
  readonly #guide: HTMLButtonElement;
  readonly #back: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #end: HTMLButtonElement;
  #steps: readonly Step[] = [];
  #step = -1;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #expected = -1;
  #brief = "";
  #heavy = false;
  #unfolded: number | null = null; // the frame whose sentence was unfolded
  /** When a sentence was last wanted, and how long the last one took, in milliseconds. */
  #wanted = 0;
  #took = 0;
  /** The last sentence, and its frame. */
  #told = { frame: -1, text: "" };
  #still: ReturnType<typeof setTimeout> | null = null;
  /** A number that was clicked, at which frame: the next question is where it comes from. */
  #asked: { cell: CellPlace; frame: number } | null = null;

  constructor(stage: Stage, on: { pause(): void; why(): void; open(which: Opened): void }) {
    this.#stage = stage;
    this.#pause = on.pause;
    this.#reveal = on.why;
    this.#open = on.open;
    const act = (name: string, title: string, id: string, does: () => void) =>
      button(title, { class: "chip", "data-testid": id }, does, name);
    this.#why = act("Why?", `Why? ${WHY}`, "why", () => this.why());
    this.#tell = act("Tell", "Play slowly, a sentence for each layer", "tell", () => this.narrate());
    this.#guide = act("Guide", "A guide through the first minute", "start-guide", () => this.guide());
    this.#back = act("Back", "The step before", "guide-back", () => this.#go(this.#step - 1));
    this.#next = act("Next", "The next step", "guide-next", () => this.#go(this.#step + 1));
    this.#end = act("End", "End the guide (Esc)", "guide-end", () => this.#leave());
    this.#more = act("More", "All of the sentence", "story-more", () => this.#unfold());
    this.#more.classList.add("story-more");
    // Told by the browser when it lays out anyway: asking at every frame would take time.
    new IntersectionObserver(([end]) => this.root.classList.toggle("clipped", end?.isIntersecting === false), {
      root: this.#say,
    }).observe(this.#last);
    // A phone shows two lines of it: the tab has it all.
    this.#say.addEventListener("click", () => {
      if (this.#step < 0) stage.show("story");
    });
    this.root = el(
      "section",
      { class: "story-bar", "aria-label": "What happens", "data-testid": "story-bar" },
      el("div", { class: "story-place" }, this.#say, this.#more),
      el("div", { class: "story-buttons" }, this.#why, this.#tell, this.#guide, this.#back, this.#next, this.#end),
    );
  }

  load(): void {
    this.#stop();
    this.#step = -1;
    this.#brief = "";
    this.#told = { frame: -1, text: "" };
    const { explainer, recording } = this.#stage;
    this.root.hidden = explainer === null;
    const parts = explainer?.model.layers.map(({ heads, stages }) => heads.length + stages[0].length) ?? [];
    const [most, all] = [Math.max(0, ...parts), parts.reduce((sum, each) => sum + each, 0)];
    this.#heavy = recording.rows * (recording.trace.recorded.layers ? most : all) > MANY;
  }

  #unfold(): void {
    this.#unfolded = this.#unfolded === null ? this.#stage.recording.frame : null;
    this.#folding();
  }

  /** All of the sentence lies over the panels: until the next frame, or another tab. */
  fold(): void {
    this.#unfolded = null;
  }

  #folding(): void {
    if (this.#unfolded !== this.#stage.recording.frame) this.fold();
    this.root.classList.toggle("unfolded", this.#unfolded !== null);
    setText(this.#more, this.#unfolded === null ? "More" : "Less");
  }

  /** The sentence of this frame; where that takes long, when the frames stand still. */
  #sentenceNow(): string {
    const { frame } = this.#stage.recording;
    if (this.#told.frame === frame) return this.#told.text;
    const since = performance.now() - this.#wanted;
    this.#wanted += since;
    if (!this.#heavy && !(since < STILL && this.#took > BRIEF)) return this.#telling(frame);
    if (this.#still !== null) clearTimeout(this.#still);
    this.#still = setTimeout(() => {
      this.#telling(this.#stage.recording.frame);
      this.#stage.redraw();
    }, STILL);
    return "…";
  }

  #telling(frame: number): string {
    const begun = performance.now();
    this.#told = { frame, text: this.sentence() };
    this.#took = performance.now() - begun;
    return this.#told.text;
  }

  render(): void {
    const { recording, explainer } = this.#stage;
    if (!explainer) return;
    if (this.#timer !== null && recording.frame !== this.#expected) this.#stop();
    const step = this.#steps[this.#step];
    if (step && recording.frame !== step.frame) this.#step = -1; // someone went elsewhere
    const guiding = this.#steps[this.#step];
    setText(this.#title, guiding ? `${this.#step + 1} of ${this.#steps.length} · ${guiding.title} ` : this.#place());
    setCoded(this.#text, guiding ? guiding.text : this.#sentenceNow());
    this.#folding();
    this.#buttons(guiding !== undefined);
  }

  /** Open the part of the layer that did this, or the number that was clicked. */
  why(): void {
    const asked = this.#offered();
    if (asked) {
      this.#stage.ask(asked);
      return;
    }
    this.#stage.show("machine");
    this.#reveal();
  }

  /** A click on a number of the tables: "Why?" then asks for that one. */
  offer(event: MouseEvent): void {
    const cell = (event.target as Element).closest<HTMLElement>("[data-column]");
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row ?? 0);
    const column = Number(cell?.dataset.column);
    this.#asked = cell ? { cell: { row, column }, frame: this.#stage.recording.frame } : null;
    this.#stage.redraw();
  }

  /** A number of X that was asked for: "Why?" asks for it again. */
  remember(cell: CellPlace): void {
    this.#asked = { cell, frame: this.#stage.recording.frame };
  }

  /** End the guide or the telling; returns whether there was one. Else "Why?" is about the layer again. */
  cancel(): boolean {
    const busy = this.#step >= 0 || this.#timer !== null;
    this.#stop();
    if (!busy) this.#asked = null;
    this.#leave();
    return busy;
  }

  #offered(): CellPlace | null {
    return this.#asked?.frame === this.#stage.recording.frame ? this.#asked.cell : null;
  }

  /** "Why 4?" */
  #question(): string {
    const cell = this.#offered();
    const { recording } = this.#stage;
    const named =
      cell &&
      [...recording.variables.values()].find(
        (each) => each.column === cell.column && recording.standing(each.name) === each,
      );
    return cell && named ? `Why ${recording.cellText(named, cell.row)}?` : "Why?";
  }

  #buttons(guiding: boolean): void {
    const { recording } = this.#stage;
    for (const node of [this.#back, this.#next, this.#end]) node.hidden = !guiding;
    for (const node of [this.#tell, this.#guide]) node.hidden = guiding;
    this.#why.hidden = guiding || recording.frame === 0;
    this.#back.disabled = this.#step === 0;
    this.#next.hidden ||= this.#step === this.#steps.length - 1;
    const question = this.#question();
    setText(this.#why, question);
    // Whoever speaks to the page says what is written on the button.
    setAttribute(this.#why, "aria-label", `${question} ${WHY}`);
    const telling = this.#timer !== null;
    this.root.classList.toggle("guiding", guiding || telling);
    this.root.classList.toggle("guided", guiding);
    this.root.classList.toggle("begins", recording.frame === 0);
    setText(this.#tell, telling ? "Stop" : "Tell");
    setAttribute(this.#tell, "aria-pressed", String(telling));
    setAttribute(this.#say, "aria-live", telling || guiding ? "polite" : "off");
  }

  #place(): string {
    const { recording } = this.#stage;
    return recording.frame === 0 ? "" : `Iteration ${counted(recording.iteration)} · `;
  }

  /** The current frame in a sentence. */
  sentence(): string {
    const { recording, explainer } = this.#stage;
    if (!explainer) return "";
    if (recording.frame === 0) return startText(recording);
    const told = toldOf(explainer, recording.layer);
    const said = told
      ? markedSentence(told, recording.sectionOf(recording.frame))
      : "This layer's state is not recorded.";
    const setup = recording.layer === 1 || !recording.trace.recorded.layers ? setupText(recording) : "";
    return [setup, said, this.#ending()].filter((part) => part !== "").join(" ");
  }

  #ending(): string {
    const { recording, explainer } = this.#stage;
    if (!explainer || !recording.trace.recorded.halted || recording.frame < recording.length - 1) return "";
    this.#brief ||= new Answers(explainer.model, recording).brief;
    return this.#brief === "" ? endText(recording) : `${answerOpening(recording.trace)}: ${this.#brief}.`;
  }

  // -- narration ------------------------------------------------------------------------------------------------------

  /** Play slowly, a sentence for each layer; or stop that. */
  narrate(): void {
    if (this.#timer !== null) {
      this.#stop();
      this.#stage.redraw();
      return;
    }
    this.#pause();
    this.#step = -1;
    const { recording } = this.#stage;
    if (recording.frame >= recording.length - 1) this.#stage.seek(0);
    this.#wait();
    this.#stage.redraw();
  }

  #wait(): void {
    this.#expected = this.#stage.recording.frame;
    const words = this.sentence().split(" ").length; // marks of names have no spaces
    this.#timer = setTimeout(() => this.#on(), FIRST + WORD * words);
  }

  #on(): void {
    const { recording } = this.#stage;
    this.#timer = null;
    if (recording.frame !== this.#expected || recording.frame >= recording.length - 1) {
      this.#stage.redraw();
      return;
    }
    this.#stage.seek(recording.frame + 1);
    this.#wait();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  // -- the guide ------------------------------------------------------------------------------------------------------

  /** Begin the guide, at the first frame where the loop does something. */
  guide(): void {
    this.#pause();
    this.#stop();
    this.#steps = this.#planned();
    this.#go(0);
  }

  #go(step: number): void {
    const next = this.#steps[step];
    if (!next) return;
    this.#step = step;
    this.#stage.seek(next.frame);
    this.#stage.show(next.tab);
    if (next.opens) this.#open(next.opens);
    this.#say.scrollTop = 0;
    this.#stage.redraw();
  }

  #leave(): void {
    this.#step = -1;
    this.#stage.redraw();
  }

  #planned(): Step[] {
    const { recording } = this.#stage;
    const { algorithm, model } = recording.trace;
    const begin = recording.frameOf(recording.hasBefore ? 2 : 1, 1);
    const start = this.#firstEvent(begin);
    const last = recording.length - 1;
    const where =
      start === begin ? "the loop begins here" : "this is the first layer after it that finds something to do";
    const setup = recording.hasBefore ? `Iteration 1 only set things up; ${where}. ` : "";
    const [about] = algorithm.about.split("\n");
    // Who made a model that nobody verified is not known.
    const first = isUnverified(recording.trace) ? IN_SHORT : `${IN_SHORT} ${COMPILED}`;
    return [
      {
        frame: start,
        tab: "picture",
        title: "What you see",
        text: `${first} ${algorithm.name}: ${documented(about ?? "")} ${setup}${this.#at(start)}`,
      },
      {
        frame: start,
        tab: "machine",
        title: "The model",
        text:
          `The diagram is the whole model: ${model.layers.length} layers, a strip for each head and MLP, a line for each ` +
          "column of X. The layer at work is lit.",
        opens: "diagram",
      },
      {
        frame: start,
        tab: "machine",
        title: "Why",
        text: this.#opens(start),
        opens: "scores",
      },
      ...this.#further(start),
      {
        frame: last,
        tab: "story",
        title: "The answer",
        text: `${endText(recording)} ${this.#at(last)}`,
        opens: "answer",
      },
      {
        frame: last,
        tab: "state",
        title: "Every number",
        text:
          "This is X, all that the transformer keeps from layer to layer; hypergraph heads also multiply by the " +
          `incidence, which is not in X. ${hasKeys() ? "Click a number" : "Tap a number twice"} to see which heads ` +
          "and units wrote it. To change the hypergraph and run again, open Edit.",
      },
    ];
  }

  /** What the Machine tab has open at a frame. */
  #opens(frame: number): string {
    const { recording, explainer } = this.#stage;
    const number = recording.trace.recorded.layers ? recording.layerOf(frame) : recording.layers;
    const told = this.#seeing(() => {
      recording.seek(frame);
      return explainer && toldOf(explainer, number);
    });
    const part = tellingPart(told);
    if (part === null) return "Here each head and MLP of the layer can be opened, with all its numbers.";
    return part === "mlp"
      ? "The MLP is open: its hidden units, each a formula with the numbers of one row, and what they write."
      : "A head is open: its score of every row, as bars. The best one wins (★).";
  }

  /** The first frame of the loop at which something happens; its first frame where nothing does so soon. */
  #firstEvent(begin: number): number {
    const { recording, explainer } = this.#stage;
    const frames = Array.from({ length: Math.min(SEARCHED, recording.length - begin) }, (_, k) => begin + k);
    const found = this.#seeing(() =>
      frames.find((frame) => {
        recording.seek(frame);
        return explainer !== null && happens(explainer, recording.layer);
      }),
    );
    return found ?? begin;
  }

  /** The layers that follow, to the end of their iteration. */
  #further(start: number): Step[] {
    const { recording } = this.#stage;
    const next = this.#seeing(() => {
      recording.seek(start + 1);
      return recording.iteration;
    });
    const end = recording.frameOf(next);
    const frames = Array.from({ length: Math.max(0, end - start) }, (_, k) => start + k + 1);
    const few = frames.length > 3 ? [frames[0] as number, end] : frames;
    return few.map((frame) => ({
      frame,
      tab: frame === end ? "picture" : "machine",
      title: frame === end ? "What it writes" : "Then",
      text: this.#at(frame),
      ...(frame === end ? {} : { opens: this.#works(frame) ? ("units" as const) : ("scores" as const) }),
    }));
  }

  /** Whether the sentence of a frame ends with what the MLP works out. */
  #works(frame: number): boolean {
    return this.#seeing(() => {
      const { recording, explainer } = this.#stage;
      recording.seek(frame);
      return (explainer && toldOf(explainer, recording.layer)?.doers.at(-1)?.part === "mlp") ?? false;
    });
  }

  /** The sentence of another frame. */
  #at(frame: number): string {
    return this.#seeing(() => {
      this.#stage.recording.seek(frame);
      return this.sentence();
    });
  }

  /** Look at other frames, and come back. */
  #seeing<T>(look: () => T): T {
    const { recording } = this.#stage;
    const here = recording.frame;
    const found = look();
    recording.seek(here);
    return found;
  }
}
