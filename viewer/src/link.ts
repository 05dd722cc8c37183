import type { Recording, Thing } from "./recording";

export const TABS = [
  "picture",
  "variables",
  "attention",
  "state",
  "source",
  "history",
  "edit",
  "machine",
  "story",
] as const;
export type Tab = (typeof TABS)[number];

export interface Compared {
  /** The left run and the right one, each as `h` has it. */
  runs: readonly [string, string];
  moment: number;
}

/** The content of a link to a frame: #i=12&l=3&v=4&tab=state; `h` is the run, if it is not the one in the page. */
export interface Place {
  run: string | null;
  /** Two runs beside each other, and the moment that is shown of them. */
  compared: Compared | null;
  iteration: number | null;
  layer: number | null;
  selected: Thing | null;
  tab: Tab | null;
  /** What is opened there of the layer: a head, by its number from 1, or the MLP. */
  part?: number | "mlp";
}

export function parsePlace(hash: string): Place {
  const fields = new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .map((field) => field.split("=") as [string, string | undefined]),
  );
  const number = (name: string) => {
    const text = fields.get(name);
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const pair = fields.get("c");
  const [, left = pair ?? "", right = ""] = /^([\w-]+)\.([\w-]+)$/.exec(pair ?? "") ?? [];
  const [vertex, hyperedge, tab] = [number("v"), number("e"), fields.get("tab")];
  const part = fields.get("p") === "mlp" ? ("mlp" as const) : number("p");
  return {
    // What cannot be read is refused by whoever unpacks it: a damaged link is not one without a run.
    run: fields.get("h") ?? null,
    compared: pair === undefined ? null : { runs: [left, right], moment: number("m") ?? 0 },
    iteration: number("i"),
    layer: number("l"),
    selected: vertex ? { scope: "vertices", row: vertex } : hyperedge ? { scope: "hyperedges", row: hyperedge } : null,
    tab: TABS.find((name) => name === tab) ?? null,
    ...(part ? { part } : {}),
  };
}

export function formatPlace({ run, compared, iteration, layer, selected, tab, part }: Place): string {
  const fields: string[] = run === null ? [] : [`h=${run}`];
  if (compared) fields.push(`c=${compared.runs.join(".")}`, `m=${compared.moment}`);
  if (iteration !== null) fields.push(`i=${iteration}`);
  if (layer !== null) fields.push(`l=${layer}`);
  if (selected) fields.push(`${selected.scope === "vertices" ? "v" : "e"}=${selected.row}`);
  if (tab !== null) fields.push(`tab=${tab}`);
  if (part !== undefined) fields.push(`p=${part}`);
  return `#${fields.join("&")}`;
}

/** The frame of a link; null if it has none. */
export function frameOfPlace(recording: Recording, { iteration, layer }: Place): number | null {
  if (iteration === null) return null;
  return recording.frameOf(iteration, layer ?? undefined);
}

const EVERY_MS = 400; // browsers refuse more than about a hundred updates in half a minute

/** Keeps the address in sync with the viewer, if the page has an address. */
export class Address {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #next = "";
  #written = "";

  /** Whether the page was opened at a frame. */
  readonly given = this.#hash().length > 1;

  #hash(): string {
    try {
      return location.hash;
    } catch {
      return "";
    }
  }

  read(): Place {
    return parsePlace(this.#hash());
  }

  write(place: Place): void {
    this.#next = formatPlace(place);
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS);
  }

  /** The current address, for copying. */
  current(): string {
    this.#flush();
    try {
      return location.href.replace(/#.*$/, "") + this.#next;
    } catch {
      return this.#next;
    }
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#next === this.#written) return;
    this.#written = this.#next;
    try {
      history.replaceState(null, "", this.#next);
    } catch {
      // A sandboxed page has no address.
    }
  }
}
