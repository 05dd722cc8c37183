/** The hash of a run, to cite it by: what it is, and how Python gives the same. */

import { modelIn } from "./commands";
import { button, el, setText } from "./dom";
import { hashing, stateBytes } from "./machine/hash";
import { Cancelled, sliced } from "./machine/slices";
import type { Trace } from "./trace";

/** Bytes of states that are hashed without being asked for: a fraction of a second. */
const AT_ONCE = 20_000_000;
const SHORT = 12;

const KNOWN = new WeakMap<Trace, string>();

/** The hash of a run, computed once, in slices. */
export async function hashOf(trace: Trace, tell?: (done: number) => void): Promise<string> {
  const known = KNOWN.get(trace);
  if (known !== undefined) return known;
  const found = await sliced(hashing(trace), { ...(tell ? { progress: tell } : {}) });
  KNOWN.set(trace, found);
  return found;
}

/** The hash where it is known or soon computed; else null. */
export async function quickHash(trace: Trace): Promise<string | null> {
  return KNOWN.has(trace) || isQuick(trace) ? hashOf(trace) : null;
}

function isQuick(trace: Trace): boolean {
  return stateBytes(trace) <= AT_ONCE;
}

/** "9cb28f3a8767…" */
export function shortHash(hash: string): string {
  return `${hash.slice(0, SHORT)}…`;
}

/** How Python gives the same hash: of the run that the page was written with, and of one that the page computed. */
export function inPython(trace: Trace, file: string): readonly [code: string, remark: string] {
  const { recorded } = trace;
  if (recorded.backend !== "page") return [`hyloop.Trace.load(${JSON.stringify(file)}).run_hash`, ""];
  const inputs = "with the same inputs, on the hypergraph that Edit downloads";
  return [`hyloop trace ${modelIn(trace)} FILE ${recordingOptions(recorded)} -o run.json`, `prints it, ${inputs}`];
}

/** The options of `hyloop trace` that record the same frames. */
function recordingOptions({ layers, every, first, last }: Trace["recorded"]): string {
  const options = [layers ? "--layers" : "--no-layers"];
  if (every !== 1) options.push(`--every ${every}`);
  if (first !== null) options.push(`--first ${first}`);
  if (last !== null) options.push(`--last ${last}`);
  return options.join(" ");
}

/** The hash of the run that is shown: short, and whole after a click, which also copies it. */
export class Citation {
  readonly #hash: HTMLButtonElement;
  readonly #how = el("p", { class: "dim", "data-testid": "run-hash-python" });
  readonly root: HTMLElement;
  readonly #copied = el("span", { class: "dim", role: "status" });
  #trace: Trace | null = null;

  constructor() {
    this.#hash = button(
      "Compute the hash of the run",
      { class: "link hash", "data-testid": "run-hash" },
      () => void this.#clicked(),
    );
    this.root = el(
      "div",
      { class: "citation" },
      el("p", {}, "SHA-256 of all its numbers: ", this.#hash, this.#copied),
      this.#how,
    );
  }

  load(trace: Trace): void {
    this.#trace = trace;
    const [code, remark] = inPython(trace, fileOf(location.pathname));
    this.#how.replaceChildren(
      remark === "" ? "In Python: " : "",
      el("code", {}, code),
      remark === "" ? "" : ` ${remark}`,
      ".",
    );
    setText(this.#copied, "");
    this.#show(KNOWN.get(trace) ?? null);
    if (isQuick(trace)) void this.#compute(trace);
  }

  #show(hash: string | null, whole = false): void {
    const label = hash === null ? "Compute the hash of the run" : "Copy the whole hash";
    this.#hash.title = label;
    this.#hash.setAttribute("aria-label", hash === null ? label : `${label}: ${hash}`);
    setText(this.#hash, hash === null ? "compute it (the run is long)" : whole ? hash : shortHash(hash));
  }

  async #compute(trace: Trace): Promise<string> {
    const frames = trace.frames.iteration.length;
    const tell = (done: number) => {
      if (trace === this.#trace) setText(this.#hash, `${Math.floor((100 * done) / frames)} %`);
    };
    const hash = await hashOf(trace, tell);
    if (trace !== this.#trace) throw new Cancelled();
    this.#show(hash);
    return hash;
  }

  async #clicked(): Promise<void> {
    const trace = this.#trace;
    if (!trace) return;
    if (!KNOWN.has(trace)) {
      await this.#compute(trace).catch(() => {});
      return;
    }
    const hash = KNOWN.get(trace) as string;
    this.#show(hash, true);
    await copied(hash).then(
      () => setText(this.#copied, " copied"),
      () => {}, // it stands there whole, to be copied by hand
    );
  }
}

async function copied(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** The name of this page's file, for a line of Python. */
function fileOf(path: string): string {
  const name = path.split("/").pop() ?? "";
  try {
    return /\.html?$/i.test(name) ? decodeURIComponent(name) : "run.html";
  } catch {
    return "run.html"; // not an address that this page was saved under
  }
}
