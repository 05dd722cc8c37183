import { el } from "../dom";
import type { Tab } from "../link";

/** How much room there is: all beside each other, the picture beside one panel, or one panel at a time. */
export type Mode = "wide" | "medium" | "phone";

export const TITLES: { [tab in Tab]: string } = {
  picture: "Picture",
  variables: "Variables",
  attention: "Attention",
  state: "State X",
  source: "Program",
  history: "History",
  edit: "Edit",
  machine: "Machine",
  story: "Story",
};

const SHOWN: { [mode in Mode]: Tab[] } = {
  wide: ["variables", "attention", "state", "machine", "story", "edit"],
  medium: ["variables", "source", "attention", "history", "state", "machine", "story", "edit"],
  phone: ["picture", "story", "machine", "edit", "variables", "state", "attention", "source", "history"],
};

/** The tabs that there are in a mode. */
export function tabsOf(mode: Mode, live: boolean): Tab[] {
  return SHOWN[mode].filter((tab) => live || tab !== "edit");
}

/** The tab shown for the one wanted: it may stand beside the tabs in this mode. */
export function shownTab(wanted: Tab, mode: Mode, live: boolean): Tab {
  const tabs = tabsOf(mode, live);
  return tabs.includes(wanted) ? wanted : (tabs[0] as Tab);
}

export function modeOf(width: number): Mode {
  return width < 760 ? "phone" : width < 1120 ? "medium" : "wide";
}

const PADDING = 8; // pixels of a tab that may be out of view: none of its letters is
const FADE = 44; // pixels at an end of the row that fade beneath its arrow
const NEIGHBOUR = 50; // pixels beside the current tab, in which some letters of the next one are seen
const LETTERS = [12, 0.8] as const; // pixels, and share, of the letters of a tab that is seen to be cut
const WIDER = [0, 1, 2, 3, 4, -1, -2, -3] as const; // pixels at both sides of each tab, until one is

/** How much wider the sides of tabs have to be so that the end of the row cuts letters of one, not the gap between two. */
export function widerFor(tabs: readonly { left: number; right: number }[], padding: number, end: number): number {
  const isCut = (more: number) =>
    tabs.some(({ left, right }, k) => {
      const [from, wide] = [left + padding + (2 * k + 1) * more, right - left - 2 * padding];
      return end - from >= LETTERS[0] && end - from <= LETTERS[1] * wide;
    });
  return WIDER.find(isCut) ?? 0;
}

/** The row of tabs. */
export class Tabs {
  readonly root = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  readonly #choose: (tab: Tab) => void;

  constructor(choose: (tab: Tab) => void) {
    this.#choose = choose;
    this.root.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      event.stopPropagation();
      const buttons = [...this.root.querySelectorAll<HTMLButtonElement>("button")];
      const at = buttons.findIndex((node) => node.getAttribute("aria-selected") === "true");
      const next = buttons[(at + step + buttons.length) % buttons.length];
      next?.click();
      this.root.querySelector<HTMLButtonElement>('[aria-selected="true"]')?.focus();
    });
    this.root.addEventListener("scroll", () => this.#hint(), { passive: true });
    new ResizeObserver(() => this.#arrange()).observe(this.root);
    // The arrows are no elements of the list, which has tabs only: a click on one is a click on the row.
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.#scrollTo(event.clientX);
    });
  }

  show(tabs: readonly Tab[], current: Tab): void {
    const nodes = tabs.map((tab) => {
      const node = el(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(tab === current),
          tabindex: tab === current ? 0 : -1,
          "data-testid": `tab-${tab}`,
        },
        TITLES[tab],
      );
      node.addEventListener("click", () => this.#choose(tab));
      return node;
    });
    this.root.replaceChildren(...nodes);
    this.#arrange();
  }

  /** The current tab in view, and where there are more, one that is seen to be cut. */
  #arrange(): void {
    const { root } = this;
    const nodes = [...root.querySelectorAll<HTMLButtonElement>("button")];
    const [first] = nodes;
    if (!first) return;
    root.style.setProperty("--tab-wider", "0px");
    if (root.scrollWidth - root.clientWidth > PADDING) {
      const boxes = nodes.map(({ offsetLeft, offsetWidth }) => {
        const left = offsetLeft - first.offsetLeft;
        return { left, right: left + offsetWidth };
      });
      const padding = Number.parseFloat(getComputedStyle(first).paddingLeft);
      root.style.setProperty("--tab-wider", `${widerFor(boxes, padding, root.clientWidth - FADE / 2)}px`);
    }
    this.#reveal(nodes.find((node) => node.getAttribute("aria-selected") === "true"));
    this.#hint();
  }

  /** Say on which sides there are more tabs than are seen: an arrow stands there. */
  #hint(): void {
    const { scrollLeft, clientWidth, scrollWidth } = this.root;
    const beyond = [scrollLeft, scrollWidth - clientWidth - scrollLeft];
    const sides = ["left", "right"].filter((_, k) => (beyond[k] as number) > PADDING);
    this.root.dataset.more = sides.join(" ");
  }

  /** Most of a row towards the side that was clicked. */
  #scrollTo(x: number): void {
    const { left, width } = this.root.getBoundingClientRect();
    this.root.scrollLeft += (x < left + width / 2 ? -0.7 : 0.7) * width;
  }

  /** Scroll this row alone: `scrollIntoView` would also scroll a page that has the viewer in a frame. */
  #reveal(node: HTMLElement | undefined): void {
    const [row, tab] = [this.root.getBoundingClientRect(), node?.getBoundingClientRect()];
    if (!tab) return;
    const beside = this.root.scrollWidth - this.root.clientWidth > PADDING ? NEIGHBOUR : 0;
    if (tab.left < row.left + beside) this.root.scrollLeft -= row.left + beside - tab.left;
    else if (tab.right > row.right - beside) this.root.scrollLeft += tab.right - row.right + beside;
  }
}
