/** Asks for runs: at once, or a little after the last change; only the newest answer counts. */

import { Cancelled, type Watch } from "../machine/slices";

export interface Answers<T> {
  begun(): void;
  /** How far a long run is. */
  progress?(told: number): void;
  done(answer: T): void;
  failed(sentence: string): void;
}

export class Runner<Q, T> {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newest = 0;
  #busy = false;
  #waiting: { question: () => Q; due: boolean } | null = null;

  constructor(
    readonly run: (question: Q, watch: Watch) => Promise<T>,
    readonly on: Answers<T>,
  ) {}

  /**
   * Ask in so many milliseconds; what was asked before is forgotten, and a run that goes on is cancelled. `question` is
   * made when it is sent; it may refuse by throwing.
   */
  ask(question: () => Q, wait = 0): void {
    this.#newest++;
    const waiting = { question, due: false };
    this.#waiting = waiting;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      waiting.due = true;
      this.#go();
    }, wait);
  }

  /** Forget what was asked: an answer that still comes does not count. */
  cancel(): void {
    this.#newest++;
    this.#waiting = null;
    clearTimeout(this.#timer);
  }

  // One run at a time: the one that goes on sees that it is cancelled at the end of its slice.
  async #go(): Promise<void> {
    const asked = this.#waiting;
    if (this.#busy || !asked?.due) return;
    this.#waiting = null;
    this.#busy = true;
    const mine = this.#newest;
    const newest = () => mine === this.#newest;
    try {
      const question = asked.question();
      this.on.begun();
      const progress = (told: number) => {
        if (newest()) this.on.progress?.(told);
      };
      const answer = await this.run(question, { progress, cancelled: () => !newest() });
      if (newest()) this.on.done(answer);
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      if (newest() && !(error instanceof Cancelled)) this.on.failed(told);
    } finally {
      this.#busy = false;
      this.#go();
    }
  }
}
