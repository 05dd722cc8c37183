const KEY = "hyloop-theme";

/** Light or dark: as the system says, until somebody chooses. */
export class Theme {
  dark: boolean;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = recall();
    this.dark = chosen === null ? system.matches : chosen === "dark";
    this.#apply();
    system.addEventListener("change", () => {
      if (recall() === null) this.#set(system.matches);
    });
  }

  toggle(): void {
    this.#set(!this.dark);
    keep(this.dark ? "dark" : "light");
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

// A page from a file or in a sandbox may have no storage.
function recall(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it holds for this visit.
  }
}
