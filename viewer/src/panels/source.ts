import { el, setAttribute, setText, toggle } from "../dom";
import { tokenise } from "../python";
import { lowerBound } from "../recording";
import type { Panel, Stage } from "../stage";
import { keep, recall } from "../storage";
import { Viewport } from "../viewport";

const KEY = "hyloop-wrap";

/** The program, with the lines that the current layer implements. A click goes to the next change that a line makes. */
export class Source implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #title = el("h2", {});
  readonly #note = el("p", { class: "dim note" });
  readonly #code = el("div", {
    class: "code",
    "data-testid": "source",
    tabindex: "0",
    role: "region",
    "aria-label": "Source",
  });
  #lines: Line[] = [];
  readonly #view: Viewport;
  #marked = "";
  #tops: { key: string; of: number[] } = { key: "", of: [] };
  #wraps = recall(KEY) !== "no";

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#view = new Viewport(this.#code, () => stage.redraw());
    const wrap = toggle("wrap", "source-wrap", this.#wraps, (on) => {
      keep(KEY, on ? "yes" : "no");
      this.#wrap(on);
    });
    setAttribute(wrap, "title", "Wrap long lines");
    this.root = el(
      "section",
      { class: "panel source", "data-panel": "source", "aria-label": "Program" },
      el("div", { class: "panel-head" }, this.#title, this.#note, wrap),
      this.#code,
    );
    this.#wrap(this.#wraps);
  }

  load(): void {
    const { algorithm } = this.#stage.recording.trace;
    setText(this.#title, algorithm.listing ? `${algorithm.name} (listing)` : algorithm.file);
    this.#lines = tokenise(algorithm.source).map((tokens, k) => {
      const number = algorithm.first + k;
      const writes = this.#stage.recording.framesOfLine(number).length > 0;
      return new Line(number, tokens, writes, () => this.#jump(number));
    });
    this.#code.replaceChildren(...this.#lines.map((line) => line.root));
    this.#marked = "";
    this.#tops.key = "";
  }

  #wrap(on: boolean): void {
    this.#wraps = on;
    this.#code.classList.toggle("wraps", on);
    this.#stage.redraw();
  }

  render(): void {
    const { recording } = this.#stage;
    const { first } = recording.trace.algorithm;
    const [served, changed] = [recording.linesOf(), recording.changedLines()];
    const implemented = new Set(served);
    this.#lines.forEach((line, k) => {
      line.mark(implemented.has(first + k), changed.get(first + k) ?? 0);
    });
    const changes = [...changed.keys()].filter((n) => n >= first && n < first + this.#lines.length);
    const sentence = this.#sentence(served.length, changes.length);
    setText(this.#note, sentence);
    setAttribute(this.#note, "title", sentence); // a narrow panel cuts it
    this.#follow(changes.length > 0 ? changes : served);
  }

  #sentence(served: number, changed: number): string {
    const { recording } = this.#stage;
    if (recording.frame === 0) return "before the first layer";
    const who = recording.trace.recorded.layers ? `layer ${recording.layer}` : `iteration ${recording.iteration}`;
    // In the first iteration a layer may compute for the loop only, which does not run yet.
    if (served === 0 && changed === 0) return `${who}: no line runs now`;
    const lines = (n: number) => `${n} line${n === 1 ? "" : "s"}`;
    if (!recording.follows() && changed === 0) return `${who}: ${lines(served)}; what changed is not known`;
    const changes = changed === 0 ? "no state written" : `${changed} wrote a state ${recording.sinceText()}`.trim();
    return `${who}: ${lines(served)}, ${changes}`;
  }

  #jump(line: number): void {
    const { recording } = this.#stage;
    const frames = recording.framesOfLine(line);
    if (frames.length === 0) {
      this.#stage.say(`Line ${line} changes no state in this recording.`);
      return;
    }
    const next = frames[lowerBound(frames, recording.frame + 1)];
    if (next === undefined) this.#stage.say(`Line ${line} changes nothing later; this is its first change.`);
    this.#stage.seek(next ?? (frames[0] as number));
  }

  /** Scroll to the marked lines when they change and none of them is visible. */
  #follow(numbers: readonly number[]): void {
    const key = `${numbers.join()} ${this.#view.height}`;
    if (key === this.#marked || numbers.length === 0 || this.#view.height === 0) return;
    this.#marked = key;
    const { first } = this.#stage.recording.trace.algorithm;
    const all = this.#measured();
    const tops = numbers.map((n) => all[n - first] ?? 0).sort((a, b) => a - b);
    const { top: low, height: room } = this.#view;
    if (tops.some((top) => top >= low && top <= low + room - 40)) return;
    this.#view.scrollTo((tops[0] as number) - room / 3);
  }

  /** How far down each line begins; measured only when that may have changed. */
  #measured(): number[] {
    const key = `${this.#view.width} ${this.#wraps}`;
    if (this.#tops.key !== key) this.#tops = { key, of: this.#lines.map((line) => line.root.offsetTop) };
    return this.#tops.of;
  }
}

/** A long line is broken before a dot or after a bracket, not within a word. */
function breakable(text: string): (string | HTMLElement)[] {
  return text.split(/(?=\.)|(?<=[([{=])/).flatMap((part, k) => (k === 0 ? [part] : [el("wbr"), part]));
}

class Line {
  readonly root: HTMLElement;
  readonly #marker = el("span", { class: "marker", "aria-hidden": "true" });

  constructor(number: number, tokens: ReturnType<typeof tokenise>[number], writes: boolean, jump: () => void) {
    const text = tokens.map(({ text, role }) =>
      role === "plain" ? breakable(text) : [el("span", { class: `tok-${role}` }, text)],
    );
    const code = el("code", {}, ...text.flat());
    const indent = /^ */.exec(tokens.map((token) => token.text).join(""))?.[0].length ?? 0;
    code.style.setProperty("--hang", `${indent + 4}ch`);
    this.root = el(
      "div",
      { class: "line", "data-line": number },
      this.#marker,
      writes
        ? el("button", { type: "button", class: "number", "aria-label": `Line ${number}: next change` }, String(number))
        : el("span", { class: "number" }, String(number)),
      code,
    );
    this.root.addEventListener("click", () => {
      if (String(getSelection() ?? "") === "") jump();
    });
  }

  mark(served: boolean, changed: number): void {
    const name = `line${served ? " served" : ""}${changed > 0 ? " wrote" : ""}`;
    if (this.root.className !== name) this.root.className = name;
    setText(this.#marker, changed > 0 ? "●" : served ? "▸" : "");
    const values = `${changed} value${changed === 1 ? "" : "s"} changed here`;
    setAttribute(this.root, "title", changed > 0 ? values : null);
    setAttribute(this.root, "aria-current", served ? "step" : null);
  }
}
