/** A text field that says beneath itself, in a sentence, what is wrong with what is typed. */

import { el, setAttribute, setText } from "../dom";

export interface FieldOptions {
  label: string;
  class?: string;
  check(text: string): string | null;
  commit(text: string): void;
  /** While typing, or when done (Enter, or leaving the field). */
  when: "typing" | "done";
  /** Whether what cannot be is taken back when done, rather than left to be mended. */
  reverts?: boolean;
  /** Somebody is done with it, and left it or not. */
  left?(): void;
}

let count = 0;

export class Field {
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #problem: HTMLElement;
  readonly #options: FieldOptions;
  #value = "";

  constructor(options: FieldOptions) {
    this.#options = options;
    const id = `edit-problem-${++count}`;
    this.input = el("input", {
      type: "text",
      class: options.class,
      "aria-label": options.label,
      "aria-describedby": id,
      autocomplete: "off",
      spellcheck: "false",
    });
    this.#problem = el("small", { class: "edit-problem", id, hidden: true });
    this.node = el("span", { class: "edit-field" }, this.input, this.#problem);
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("change", () => this.#done());
    this.input.addEventListener("blur", () => options.left?.());
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Whether it holds something that is not in the model. */
  get dirty(): boolean {
    return this.input.value !== this.#value;
  }

  /** Show a value; what somebody is typing stays, and so does what is wrong and waits to be mended, unless `force`. */
  set(value: string, force: boolean): void {
    const waits = this.dirty && (value === this.#value || document.activeElement === this.input);
    this.#value = value;
    if (waits && !force) return;
    if (this.input.value !== value) this.input.value = value;
    this.#mark();
    this.#say(null);
  }

  /** What is typed may be right now, or wrong, since something else was edited. */
  recheck(): void {
    if (this.input.value !== "") this.#say(this.#options.check(this.input.value));
  }

  name(label: string, testid: string): void {
    setAttribute(this.input, "aria-label", label);
    setAttribute(this.input, "data-testid", testid);
  }

  #typed(): void {
    const text = this.input.value;
    const problem = this.#options.check(text);
    this.#say(problem);
    if (!problem && this.#options.when === "typing" && this.dirty) this.#commit(text);
    this.#mark();
  }

  #done(): void {
    const text = this.input.value;
    if (!this.dirty) return;
    const problem = this.#options.check(text);
    if (!problem) this.#commit(text);
    else if (this.#options.reverts) this.#revert(problem);
  }

  /** Back to the value that holds; the sentence stays until somebody types again. */
  #revert(problem: string): void {
    this.input.value = this.#value;
    this.#mark();
    this.#say(`${problem} It stays ${this.#value === "" ? "empty" : this.#value}.`);
    setAttribute(this.input, "aria-invalid", null);
  }

  #commit(text: string): void {
    this.#value = text;
    this.#options.commit(text);
    this.#mark();
  }

  /** What is typed here and not in the model is marked: undo is the browser's then. */
  #mark(): void {
    setAttribute(this.input, "data-open", this.dirty ? "" : null);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      this.#done();
      this.#options.left?.(); // what comes next is another edit
    }
    if (event.key !== "Escape" || !this.dirty) return;
    event.preventDefault();
    this.set(this.#value, true);
  }

  #say(problem: string | null): void {
    this.#problem.hidden = problem === null;
    setText(this.#problem, problem ?? "");
    setAttribute(this.input, "aria-invalid", problem === null ? null : "true");
  }
}
