import { el, setAttribute, setText } from "../dom";
import { tokenise } from "../python";
import { lowerBound } from "../recording";
import type { Panel, Stage } from "../stage";

/** The program, with the lines that the current layer serves. A click goes to the next change that a line makes. */
export class Source implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #title = el("h2", {});
  readonly #note = el("p", { class: "dim note" });
  readonly #code = el("div", { class: "code", "data-testid": "source", tabindex: "-1" });
  #lines: Line[] = [];
  #marked = "";

  constructor(stage: Stage) {
    this.#stage = stage;
    this.root = el(
      "section",
      { class: "panel source", "data-panel": "source", "aria-label": "Program" },
      el("div", { class: "panel-head" }, this.#title, this.#note),
      this.#code,
    );
  }

  load(): void {
    const { algorithm } = this.#stage.recording.trace;
    setText(this.#title, algorithm.listing ? `${algorithm.name} (listing)` : algorithm.file);
    this.#lines = tokenise(algorithm.source).map((tokens, k) => {
      const number = algorithm.first + k;
      return new Line(number, tokens, () => this.#jump(number));
    });
    this.#code.replaceChildren(...this.#lines.map((line) => line.root));
    this.#marked = "";
  }

  render(): void {
    const { recording } = this.#stage;
    const { first } = recording.trace.algorithm;
    const [served, changed] = [recording.linesOf(), recording.changedLines()];
    const serves = new Set(served);
    this.#lines.forEach((line, k) => {
      line.mark(serves.has(first + k), changed.get(first + k) ?? 0);
    });
    const changes = [...changed.keys()].filter((n) => n >= first && n < first + this.#lines.length);
    setText(this.#note, this.#sentence(served.length, changes.length));
    this.#follow(changes.length > 0 ? changes : served);
  }

  #sentence(served: number, changed: number): string {
    const { recording } = this.#stage;
    if (recording.frame === 0) return "before the first layer";
    const who = recording.trace.recorded.layers ? `layer ${recording.layer}` : `iteration ${recording.iteration}`;
    const lines = (n: number) => `${n} line${n === 1 ? "" : "s"}`;
    return `${who} serves ${lines(served)}; ${changed === 0 ? "none" : changed} changed something`;
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

  /** Bring the marked lines into view when they change and none of them is. */
  #follow(numbers: readonly number[]): void {
    const key = numbers.join();
    if (key === this.#marked || numbers.length === 0) return;
    this.#marked = key;
    const { first } = this.#stage.recording.trace.algorithm;
    const box = this.#code;
    const tops = numbers.map((n) => this.#lines[n - first]?.root.offsetTop ?? 0).sort((a, b) => a - b);
    const [low, high] = [box.scrollTop, box.scrollTop + box.clientHeight - 24];
    if (tops.some((top) => top >= low && top <= high)) return;
    box.scrollTop = (tops[0] as number) - box.clientHeight / 3;
  }
}

class Line {
  readonly root: HTMLElement;
  readonly #marker = el("span", { class: "marker", "aria-hidden": "true" });

  constructor(number: number, tokens: ReturnType<typeof tokenise>[number], jump: () => void) {
    const text = tokens.map(({ text, role }) => (role === "plain" ? text : el("span", { class: `tok-${role}` }, text)));
    this.root = el(
      "div",
      { class: "line", "data-line": number },
      this.#marker,
      el("span", { class: "number" }, String(number)),
      el("code", {}, ...text),
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
