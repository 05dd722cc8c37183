import type { Measure } from "./layout";

const MOST = 20_000; // widths that are kept

/**
 * How wide texts are on a canvas. To set its font and ask takes microseconds, and frames ask for the same texts again and
 * again: each is asked for once.
 */
export class Measured {
  readonly #ask: Measure;
  readonly #known = new Map<string, Map<string, number>>(); // by font, then by text
  #held = 0;
  #font = "";
  #ofFont = new Map<string, number>(); // of the font that was asked for last

  constructor(ask: Measure) {
    this.#ask = ask;
  }

  /** In a window that is zoomed, letters may have other widths. */
  forget(): void {
    this.#known.clear();
    this.#held = 0;
    this.#font = "";
  }

  readonly of: Measure = (text, font) => {
    if (this.#held >= MOST) this.forget();
    if (font !== this.#font) this.#turnTo(font);
    const known = this.#ofFont.get(text);
    if (known !== undefined) return known;
    const width = this.#ask(text, font);
    this.#ofFont.set(text, width);
    this.#held += 1;
    return width;
  };

  #turnTo(font: string): void {
    this.#font = font;
    const known = this.#known.get(font);
    this.#ofFont = known ?? new Map();
    if (!known) this.#known.set(font, this.#ofFont);
  }
}
