/** What was before, for undo and redo. */
export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #present: T;
  #merging: string | null = null;

  constructor(
    present: T,
    readonly most = 200,
  ) {
    this.#present = present;
  }

  get present(): T {
    return this.#present;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Go on to `next`. Changes one after another with the same `merge` (typing in a field) are undone as one. */
  push(next: T, merge: string | null = null): void {
    if (next === this.#present) return;
    if (merge === null || merge !== this.#merging) this.#past.push(this.#present);
    if (this.#past.length > this.most) this.#past.shift();
    this.#present = next;
    this.#future = [];
    this.#merging = merge;
  }

  /** Whatever comes next is a step of its own. */
  settle(): void {
    this.#merging = null;
  }

  undo(): T {
    const before = this.#past.pop();
    if (before === undefined) return this.#present;
    this.#future.push(this.#present);
    this.#merging = null;
    this.#present = before;
    return before;
  }

  redo(): T {
    const after = this.#future.pop();
    if (after === undefined) return this.#present;
    this.#past.push(this.#present);
    this.#merging = null;
    this.#present = after;
    return after;
  }
}
