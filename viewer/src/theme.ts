import { keep, recall } from "./storage";

const KEY = "hyloop-theme";

/** Light or dark: the system's setting, until the user chooses. */
export class Theme {
  dark: boolean;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = recall(KEY);
    this.dark = chosen === null ? system.matches : chosen === "dark";
    this.#apply();
    system.addEventListener("change", () => {
      if (recall(KEY) === null) this.#set(system.matches);
    });
  }

  toggle(): void {
    this.#set(!this.dark);
    keep(KEY, this.dark ? "dark" : "light");
  }

  #set(dark: boolean): void {
    this.dark = dark;
    this.#apply();
    this.#changed();
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }
}
