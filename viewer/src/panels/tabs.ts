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
const ARROW = 28; // pixels at an end of the row that its arrow covers

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
    new ResizeObserver(() => this.#hint()).observe(this.root);
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
    this.#reveal(nodes[tabs.indexOf(current)]);
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
    const arrow = this.root.scrollWidth - this.root.clientWidth > PADDING ? ARROW : 0;
    if (tab.left < row.left + arrow) this.root.scrollLeft -= row.left + arrow - tab.left;
    else if (tab.right > row.right - arrow) this.root.scrollLeft += tab.right - row.right + arrow;
  }
}
