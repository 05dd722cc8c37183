/** Asks the server for runs: a little after the last change, and only the newest answer counts. */

export interface Answers<T> {
  begun(): void;
  done(answer: T): void;
  failed(sentence: string): void;
}

export class Runner<Q, T> {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newest = 0;
  #busy = false;
  #waiting: { question: () => Q } | null = null;

  constructor(
    readonly run: (question: Q) => Promise<T>,
    readonly on: Answers<T>,
    readonly wait = 250,
  ) {}

  /** Ask soon; what was asked before is forgotten. `question` is made when it is sent; it may refuse by throwing. */
  ask(question: () => Q): void {
    this.#newest++;
    this.#waiting = { question };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#go(), this.wait);
  }

  /** Forget what was asked: an answer that still comes does not count. */
  cancel(): void {
    this.#newest++;
    this.#waiting = null;
    clearTimeout(this.#timer);
  }

  // One run at a time: a server that is still busy with an old question would only be slower with two.
  async #go(): Promise<void> {
    const asked = this.#waiting;
    if (this.#busy || !asked) return;
    this.#waiting = null;
    this.#busy = true;
    const mine = this.#newest;
    try {
      const question = asked.question();
      this.on.begun();
      const answer = await this.run(question);
      if (mine === this.#newest) this.on.done(answer);
    } catch (error) {
      if (mine === this.#newest) this.on.failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#busy = false;
      if (this.#waiting) this.#go();
    }
  }
}
