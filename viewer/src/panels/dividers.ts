import { el, listen, setAttribute } from "../dom";
import { keep, recall } from "../storage";
import type { Mode } from "./tabs";

type Name = "source" | "side" | "half";

interface Pane {
  label: string;
  /** Shares of the page's width, in percent. */
  least: number;
  usual: number;
  most: number;
  /** On which side of its divider the pane is. */
  at: "left" | "right";
  mode: Mode;
}

const PANES: { [name in Name]: Pane } = {
  source: { label: "Width of the program", least: 16, usual: 30, most: 50, at: "left", mode: "wide" },
  side: { label: "Width of the panel", least: 20, usual: 34, most: 55, at: "right", mode: "wide" },
  half: { label: "Width of the panel", least: 25, usual: 46, most: 70, at: "right", mode: "medium" },
};
const PICTURE = 18; // percent that stay for the picture
const KEY = "hyloop-panes";

/** The dividers between the panes: moved by mouse, finger or arrow keys; a double click brings the usual width back. */
export class Dividers {
  readonly nodes: HTMLElement[];
  readonly #host: HTMLElement;
  readonly #shares: { [name in Name]: number };

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#shares = kept();
    this.nodes = (Object.keys(PANES) as Name[]).map((name) => this.#divider(name));
  }

  #divider(name: Name): HTMLElement {
    const { label, least, most, mode } = PANES[name];
    const node = el("div", {
      class: `divider ${name}`,
      role: "separator",
      tabindex: "0",
      title: `${label}: drag, or press ← →`,
      "aria-label": label,
      "aria-orientation": "vertical",
      "aria-valuemin": least,
      "aria-valuemax": most,
      "data-for": mode,
      "data-testid": `divider-${name}`,
    });
    listen(node, {
      pointerdown: (event) => {
        node.setPointerCapture(event.pointerId);
        event.preventDefault();
        node.focus({ preventScroll: true });
      },
      pointermove: (event) => {
        if (node.hasPointerCapture(event.pointerId)) this.#set(name, node, this.#shareAt(name, event.clientX));
      },
      pointerup: () => this.#keep(),
      dblclick: () => {
        this.#set(name, node, PANES[name].usual);
        this.#keep();
      },
      keydown: (event) => this.#key(name, node, event),
    });
    this.#set(name, node, this.#shares[name]);
    return node;
  }

  #shareAt(name: Name, x: number): number {
    const box = node(this.#host).getBoundingClientRect();
    const share = (100 * (x - box.left)) / Math.max(1, box.width);
    return PANES[name].at === "left" ? share : 100 - share;
  }

  #key(name: Name, node: HTMLElement, event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 2 : event.key === "ArrowLeft" ? -2 : 0;
    if (step === 0 || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#set(name, node, this.#shares[name] + (PANES[name].at === "left" ? step : -step));
    this.#keep();
  }

  #set(name: Name, node: HTMLElement, wanted: number): void {
    const { least, most } = PANES[name];
    const others = name === "source" ? this.#shares.side : name === "side" ? this.#shares.source : 0;
    const share = Math.round(10 * Math.max(least, Math.min(most, 100 - PICTURE - others, wanted))) / 10;
    this.#shares[name] = share;
    this.#host.style.setProperty(`--${name}`, `${share}%`);
    setAttribute(node, "aria-valuenow", String(Math.round(share)));
  }

  #keep(): void {
    keep(KEY, JSON.stringify(this.#shares));
  }
}

/** The element whose width is shared. */
function node(host: HTMLElement): HTMLElement {
  return host.querySelector<HTMLElement>(".panels") ?? host;
}

function kept(): { [name in Name]: number } {
  const shares = { source: PANES.source.usual, side: PANES.side.usual, half: PANES.half.usual };
  try {
    const found = JSON.parse(recall(KEY) ?? "{}") as { [name: string]: unknown } | null;
    for (const name of Object.keys(shares) as Name[]) {
      const share = found?.[name];
      if (typeof share === "number" && Number.isFinite(share)) shares[name] = share;
    }
  } catch {
    // What is kept there is not ours.
  }
  return shares;
}
