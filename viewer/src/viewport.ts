/**
 * The size of an element and how far it is scrolled, as last told by the browser. Asking the element itself while
 * drawing would make the browser lay the page out again for each panel.
 */
export class Viewport {
  width = 0;
  height = 0;
  top = 0;
  left = 0;
  readonly #node: HTMLElement;

  constructor(node: HTMLElement, changed: () => void) {
    this.#node = node;
    new ResizeObserver(() => {
      this.width = node.clientWidth;
      this.height = node.clientHeight;
      this.top = node.scrollTop;
      this.left = node.scrollLeft;
      changed();
    }).observe(node);
    const scrolled = () => {
      if (this.top === node.scrollTop && this.left === node.scrollLeft) return;
      this.top = node.scrollTop;
      this.left = node.scrollLeft;
      changed();
    };
    node.addEventListener("scroll", scrolled, { passive: true });
  }

  scrollTo(top: number): void {
    if (top <= 0 && this.top === 0) return; // asking would make the browser lay the page out
    this.#node.scrollTop = top;
    this.top = this.#node.scrollTop;
  }
}
