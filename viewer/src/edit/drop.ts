/** A file that is dropped anywhere on the page. */

import { el } from "../dom";

export class FileDrop {
  readonly #sign = el(
    "div",
    { class: "drop-here", hidden: true, "data-testid": "drop-here" },
    "Drop a hypergraph (HIF, an edge list or an incidence table, CSV) or a model (.safetensors)",
  );

  constructor(host: HTMLElement, take: (file: File) => void) {
    host.append(this.#sign);
    window.addEventListener("dragover", (event) => this.#over(event));
    window.addEventListener("dragleave", (event) => {
      // Over another element of the page it goes on; out of the window there is none.
      if (event.relatedTarget === null) this.#sign.hidden = true;
    });
    window.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault(); // else the browser would open the file instead of the page
      this.#sign.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (file) take(file);
    });
  }

  #over(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#sign.hidden = false;
  }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
