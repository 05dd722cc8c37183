import { unmarked } from "../isolate";

const MOST = 20_000; // texts that are kept
const WIDE = 9; // pixels of a letter, where nothing can be measured

/** How wide texts are in the font of an element, measured and not guessed: letters and bold digits differ by font. */
export class TextWidths {
  readonly #context = document.createElement("canvas").getContext("2d");
  readonly #known = new Map<string, number>();
  /** Size and family; "" where they have to be asked for. */
  #font = "";
  #measured = "";

  constructor(readonly root: Element) {}

  /** Ask for the font again: it may be another one in a window of another size. */
  forget(): void {
    this.#font = "";
  }

  /** In pixels, and never less than it takes. */
  of(text: string, weight = 400): number {
    if (text === "") return 0;
    if (this.#font === "") this.#ask();
    // The digits of tables are as wide as each other.
    const alike = unmarked(text).replace(/\d/g, "0");
    const font = `${weight} ${this.#font}`;
    const known = this.#known.get(font + alike);
    if (known !== undefined) return known;
    if (this.#known.size > MOST) this.#known.clear();
    const width = Math.ceil(this.#measure(alike, font));
    this.#known.set(font + alike, width);
    return width;
  }

  #measure(text: string, font: string): number {
    if (!this.#context) return WIDE * text.length;
    if (this.#measured !== font) this.#context.font = font;
    this.#measured = font;
    return this.#context.measureText(text).width;
  }

  #ask(): void {
    const { fontSize, fontFamily } = getComputedStyle(this.root);
    this.#font = `${fontSize} ${fontFamily}`;
  }
}
