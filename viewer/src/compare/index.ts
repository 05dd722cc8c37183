/** Two runs beside each other: one time for both, and what differs is marked and told. */

import { resultOf } from "../answer";
import { few } from "../few";
import "./compare.css";
import { button, el, icon, setAttribute, setText } from "../dom";
import { draftOf, type RunBody, runBody, setAlgorithm } from "../edit/model";
import { Runner } from "../edit/runner";
import { LONGEST, packedRun, unpackedRun } from "../edit/share";
import { inputTexts } from "../inputs";
import type { Compared } from "../link";
import type { Runs } from "../machine/page";
import { Cancelled, sliced } from "../machine/slices";
import { placeText } from "../panels/timeline";
import { Picture } from "../picture";
import { jointRange } from "../picture/ranges";
import { Player } from "../player";
import { Recording, type Thing, unitOf } from "../recording";
import { listed } from "../told";
import type { Trace } from "../trace";
import { type Badges, ONLY_HERE, paintBadges, UNLIKE } from "./badges";
import {
  counted,
  type Difference,
  edgeDifference,
  goTo,
  hypergraphDifferences,
  type Moment,
  momentAt,
  momentsOf,
  type Pair,
  Pairs,
} from "./differences";
import { KeptRuns } from "./runs";

const FEW_ROWS = 3; // of an input that is an array, which are told one by one
const ROWS = 60; // differences in the table
const SAMPLES = 600; // moments at which they are counted, of more there are
const ALGORITHM = "algorithm "; // what the value of an option for another algorithm begins with

class Side {
  readonly root: HTMLElement;
  readonly picture: Picture;
  readonly #title = el("span", { class: "compare-title" });
  readonly #place = el("span", { class: "dim", "data-testid": "compare-place" });
  badges: Badges = { vertices: new Map(), hyperedges: new Map() };

  constructor(name: string, select: (thing: Thing | null) => void) {
    const box = el("div", { class: "picture-box" });
    this.root = el(
      "figure",
      { class: "compare-side", "data-testid": `compare-${name}` },
      el("figcaption", {}, this.#title, this.#place),
      box,
    );
    this.picture = new Picture(box, {
      select,
      painted: (ctx, scene, heads) => paintBadges(ctx, scene, this.badges, heads),
    });
  }

  load(recording: Recording, beside: Recording, result: readonly string[]): void {
    const title = titleOf(recording, beside);
    setText(this.#title, title);
    setAttribute(this.#title, "title", title); // the line may be too short for it
    this.picture.load(recording, result);
  }

  show(recording: Recording, ended: boolean): void {
    const iterations = recording.iteration.toLocaleString("en");
    setText(this.#place, ended ? `ended after iteration ${iterations}` : placeText(recording));
    this.picture.show();
  }
}

/** Algorithm and inputs of a run; what is other in the run beside it comes first, since the end may be cut. */
export function titleOf(recording: Recording, beside: Recording): string {
  const partsOf = (of: Recording) => [
    of.trace.algorithm.name,
    ...inputTexts(of, FEW_ROWS).map(({ name, text }) => `${name}: ${text}`),
  ];
  const others = new Set(partsOf(beside));
  const parts = partsOf(recording);
  return [...parts.filter((part) => !others.has(part)), ...parts.filter((part) => others.has(part))].join(" · ");
}

/** A unit of length, as a number. */
function lengthOf(trace: Trace): number {
  const { top, bottom } = unitOf(trace);
  return Number(top) / Number(bottom);
}

export interface CompareEvents {
  /** Other runs, or another moment: the link is another one. */
  changed(): void;
  copy(): void;
}

export class Compare {
  readonly root: HTMLDialogElement;
  readonly #live: Runs;
  readonly #on: CompareEvents;
  readonly #kept = new KeptRuns();
  readonly #chosen = {
    left: el("select", { "aria-label": "Left run", "data-testid": "compare-choose-left" }),
    right: el("select", { "aria-label": "Right run", "data-testid": "compare-choose-right" }),
  };
  readonly #summary = el("p", { class: "compare-summary", role: "status", "data-testid": "compare-summary" });
  readonly #slider = el("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Moment",
    "data-testid": "compare-slider",
  });
  readonly #bars = el("canvas", {
    class: "compare-bars",
    "aria-hidden": "true",
    title: "How many values differ",
  });
  readonly #play: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #table = el("div", { class: "compare-words scroll", "data-testid": "compare-words" });
  readonly #player: Player;
  readonly #runner: Runner<string, Trace>;
  #sides: [Side, Side] | null = null; // made when it is opened
  #pairs: Pairs | null = null;
  #moments: Moment[] = [];
  #moment = 0;
  #counts: Float64Array | null = null;
  #counting = 0;
  #waiting = 0;
  #dark = false;
  #packed: readonly [string, string] | null = null; // both runs, for a link
  #wanted: number | Moment | null = null; // the moment of a link that was opened, or of the page; null: the end

  constructor(live: Runs, on: CompareEvents) {
    this.#live = live;
    this.#on = on;
    this.#player = new Player({
      frame: () => this.#moment,
      last: () => this.#moments.length - 1,
      seek: (moment) => this.#seek(moment),
      changed: (playing) => this.#playing(playing),
    });
    this.#runner = new Runner((name, watch) => this.#other(name, watch), {
      begun: () => setText(this.#summary, "Running …"),
      progress: (iterations) => setText(this.#summary, `Running: ${iterations.toLocaleString("en")} iterations …`),
      done: (trace) => this.#ran(trace),
      failed: (sentence) => setText(this.#summary, sentence),
    });
    const act = (label: string, id: string, name: Parameters<typeof icon>[0], does: () => void) =>
      button(label, { class: "quiet", "data-testid": id }, does, icon(name));
    this.#play = button(
      "Play (space)",
      { class: "primary", "data-testid": "compare-play", "data-home": true },
      () => this.#player.toggle(),
      icon("play"),
    );
    this.#next = button(
      "To the next moment with other differences (n)",
      { class: "chip compare-next", "data-testid": "compare-next" },
      () => this.#jump(),
      "Next difference",
    );
    this.root = el(
      "dialog",
      { class: "compare", "aria-label": "Two runs", "data-testid": "compare-dialog" },
      el(
        "div",
        { class: "compare-head" },
        el("h2", {}, "Two runs"),
        this.#chosen.left,
        el("span", { class: "dim" }, "and"),
        this.#chosen.right,
        act("Copy a link to these runs (c)", "compare-link", "link", () => this.#on.copy()),
        act("Close (Esc)", "compare-close", "close", () => this.root.close()),
      ),
      this.#summary,
      el("div", { class: "compare-pictures", "data-testid": "compare-pictures" }),
      this.#table,
      el(
        "div",
        { class: "compare-time" },
        act("To the start (Home)", "compare-start", "first", () => this.#step(-this.#moments.length)),
        act("Back (←)", "compare-back", "left", () => this.#step(-1)),
        this.#play,
        act("Forward (→)", "compare-forward", "right", () => this.#step(1)),
        act("To the end (End)", "compare-end", "last", () => this.#step(this.#moments.length)),
        el("div", { class: "compare-track" }, this.#bars, this.#slider),
        this.#next,
      ),
    );
    this.#listen();
  }

  /** A run that the page shows. */
  keep(trace: Trace): void {
    this.#kept.keep(trace);
  }

  theme(dark: boolean): void {
    this.#dark = dark;
    for (const side of this.#sides ?? []) side.picture.theme(dark);
  }

  /** What a link to this has; null while nothing is compared. */
  get compared(): Compared | null {
    return this.root.open && this.#packed ? { runs: this.#packed, moment: this.#moment } : null;
  }

  /** The algorithms of both runs; null while nothing is compared. */
  get names(): string[] | null {
    const both = this.root.open ? this.#pairs : null;
    return both && [both.left.trace.algorithm.name, both.right.trace.algorithm.name];
  }

  /** Whether two runs are compared that a link does not hold. */
  get unlinked(): boolean {
    return this.root.open && this.#packed === null;
  }

  /** Run and compare what a link has. */
  async show({ runs, moment }: Compared): Promise<void> {
    const bodies = await Promise.all(runs.map(unpackedRun));
    const traces: Trace[] = [];
    for (const body of bodies) traces.push(await this.#live.run(body));
    const [left, right] = this.#kept.keepPair(traces[0] as Trace, traces[1] as Trace);
    this.#wanted = moment;
    this.#open(left.number, right.number);
  }

  /** Compare the run that is shown with the one before it, at the step that is shown; at the start nothing has run. */
  open(shown: Moment): void {
    const runs = this.#kept.all;
    this.#wanted = shown.iteration > 0 ? shown : null;
    this.#open((runs.at(-2) ?? runs.at(-1))?.number, runs.at(-1)?.number);
  }

  #open(left: number | undefined, right: number | undefined): void {
    if (!this.root.open) this.root.showModal();
    this.#play.focus(); // and not a list, which takes keys for itself
    if (!this.#sides) {
      this.#sides = [
        new Side("left", (thing) => this.#select(0, thing)),
        new Side("right", (thing) => this.#select(1, thing)),
      ];
      this.root.querySelector(".compare-pictures")?.append(...this.#sides.map(({ root }) => root));
      this.theme(this.#dark);
    }
    this.#offer(left, right);
    this.#load();
  }

  // -- which runs -----------------------------------------------------------------------------------------------------

  #offer(left: number | undefined, right: number | undefined): void {
    const runs = this.#kept.all;
    const options = (which: number | undefined) =>
      runs.map(({ number, title }) => el("option", { value: number, selected: number === which }, title));
    const names = this.#live.algorithms.map(({ name }) => name);
    const others = names.map((name) =>
      el("option", { value: `${ALGORITHM}${name}` }, `${name}, on the hypergraph at the left`),
    );
    this.#chosen.left.replaceChildren(...options(left));
    this.#chosen.right.replaceChildren(
      el("optgroup", { label: "Runs so far" }, ...options(right)),
      ...(names.length > 1 ? [el("optgroup", { label: "Run another algorithm" }, ...others)] : []),
    );
  }

  #traceOf(select: HTMLSelectElement): Trace | undefined {
    return this.#kept.all.find(({ number }) => String(number) === select.value)?.trace;
  }

  #choose(): void {
    const { value } = this.#chosen.right;
    if (value.startsWith(ALGORITHM)) this.#runner.ask(() => value.slice(ALGORITHM.length));
    else this.#load();
  }

  /** The hypergraph at the left, by another algorithm. */
  #other(name: string, watch: Parameters<Runs["run"]>[1]): Promise<Trace> {
    const trace = this.#traceOf(this.#chosen.left);
    const algorithm = this.#live.algorithms.find((each) => each.name === name);
    if (!trace || !algorithm) throw new Error(`There is no algorithm ${name} in this page.`);
    const before = this.#live.algorithms.find((each) => each.name === trace.algorithm.name);
    const draft = setAlgorithm(draftOf(trace, this.#live.arrays(trace)), algorithm, before);
    return this.#live.run(runBody(draft, algorithm, draft.source.places), watch);
  }

  #ran(trace: Trace): void {
    const left = this.#traceOf(this.#chosen.left);
    const { number } = this.#kept.keep(trace);
    const kept = this.#kept.all.find((each) => each.trace === left);
    this.#offer(kept?.number, number);
    this.#load();
  }

  #load(): void {
    const [left, right] = [this.#traceOf(this.#chosen.left), this.#traceOf(this.#chosen.right)];
    if (!left || !right || !this.#sides) return;
    this.#player.pause();
    this.#pairs = new Pairs(new Recording(left), new Recording(right));
    this.#moments = momentsOf(this.#pairs.left, this.#pairs.right);
    this.#slider.max = String(this.#moments.length - 1);
    const runs = [this.#pairs.left, this.#pairs.right] as const;
    for (const k of [0, 1] as const) this.#sides[k].load(runs[k], runs[1 - k] as Recording, this.#resultOf(runs[k]));
    this.#sameScale(this.#pairs, this.#sides[0].picture, this.#sides[1].picture);
    this.#moment = this.#begin();
    this.#wanted = null;
    this.#render();
    void this.#count(this.#pairs);
    void this.#pack(this.#pairs);
  }

  /** The answer in words, where it is no mark of the picture. */
  #resultOf(recording: Recording): string[] {
    const model = this.#live.modelOf?.(recording.trace) ?? null;
    return model ? resultOf(model, recording) : [];
  }

  /** The moment to begin with. */
  #begin(): number {
    const [wanted, last] = [this.#wanted, this.#moments.length - 1];
    if (wanted === null) return last;
    return typeof wanted === "number" ? Math.min(wanted, last) : momentAt(this.#moments, wanted);
  }

  /** Both runs as text, unless they are too long for a link. */
  async #pack(pairs: Pairs): Promise<void> {
    this.#packed = null;
    const bodies = [pairs.left.trace, pairs.right.trace].map((trace) => this.#bodyOf(trace));
    const [left, right] = await Promise.all(bodies.map((body) => body && packedRun(body)));
    if (pairs !== this.#pairs) return;
    this.#packed = left && right && left.length + right.length <= LONGEST ? [left, right] : null;
    this.#on.changed();
  }

  /** How a run can be run again; null if its algorithm is not in the page. */
  #bodyOf(trace: Trace): RunBody | null {
    const algorithm = this.#live.algorithms.find(({ name }) => name === trace.algorithm.name);
    const draft = draftOf(trace, this.#live.arrays(trace));
    return algorithm ? runBody(draft, algorithm, draft.source.places) : null;
  }

  /** Equal colours are equal numbers on both sides, where both are coloured by the same. */
  #sameScale({ left, right }: Pairs, here: Picture, there: Picture): void {
    const [a, b] = [here.scale, there.scale];
    const kind = left.kindOf(a.name)?.kind;
    if (a.name !== b.name || a.range.categories || kind === undefined || kind !== right.kindOf(b.name)?.kind) return;
    const unit = kind === "length" ? lengthOf(right.trace) / lengthOf(left.trace) : 1;
    here.scaleTo(jointRange(a.range, b.range, unit));
    there.scaleTo(jointRange(b.range, a.range, 1 / unit));
  }

  /** How many values differ when: for the bars, and to go to the next. */
  async #count(pairs: Pairs): Promise<void> {
    const mine = ++this.#counting;
    this.#counts = null;
    this.#drawBars();
    try {
      const counts = await sliced(counted(pairs, this.#moments, SAMPLES), { cancelled: () => mine !== this.#counting });
      if (mine !== this.#counting) return;
      this.#counts = counts;
      this.#drawBars();
      this.#render();
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  // -- time -----------------------------------------------------------------------------------------------------------

  #step(by: number): void {
    this.#player.pause();
    this.#seek(this.#moment + by);
  }

  #seek(moment: number): void {
    this.#moment = Math.min(this.#moments.length - 1, Math.max(0, moment));
    this.#waiting ||= requestAnimationFrame(() => {
      this.#waiting = 0;
      this.#render();
    });
  }

  /** The next moment at which more or fewer values differ than at the one before; after the last, the first. */
  #jump(): void {
    const counts = this.#counts;
    if (!counts) return;
    this.#player.pause();
    const other = [...counts.keys()].filter((k) => counts[k] !== (counts[k - 1] ?? 0) && counts[k] !== 0);
    const next = other.find((k) => k > this.#moment) ?? other[0];
    if (next !== undefined) this.#seek(next);
  }

  #playing(on: boolean): void {
    this.#play.replaceChildren(icon(on ? "pause" : "play"));
    setAttribute(this.#play, "aria-label", on ? "Pause (space)" : "Play (space)");
  }

  // -- what is shown --------------------------------------------------------------------------------------------------

  #render(): void {
    const [pairs, sides, moment] = [this.#pairs, this.#sides, this.#moments[this.#moment]];
    if (!pairs || !sides || !moment) return;
    goTo(pairs, moment);
    const differences = pairs.now();
    for (const which of [0, 1] as const) {
      const recording = which === 0 ? pairs.left : pairs.right;
      sides[which].badges = badgesOf(pairs, differences, which);
      sides[which].show(recording, recording.iteration < moment.iteration);
    }
    const place = `iteration ${moment.iteration.toLocaleString("en")}${moment.layer ? `, layer ${moment.layer}` : ""}`;
    this.#slider.value = String(this.#moment);
    setAttribute(this.#slider, "aria-valuetext", place);
    this.root.dataset.moment = String(this.#moment);
    this.#summary.classList.toggle("differs", differences.length > 0);
    setText(this.#summary, `${sentenceCase(place)}: ${this.#told(pairs, differences)}`);
    this.#tell(pairs, differences);
    this.#next.disabled = !this.#counts?.some((count) => count > 0);
    this.#on.changed();
  }

  #told(pairs: Pairs, differences: readonly Difference[]): string {
    if (pairs.left.trace === pairs.right.trace)
      return `both are the same run. Edit the hypergraph and come back${this.#elsewhere}.`;
    if (pairs.names.length === 0) return `the two algorithms have no variable in common; see what each does.`;
    if (differences.length === 0)
      return `${listed(pairs.names)} ${pairs.names.length === 1 ? "is" : "are"} the same in both.`;
    const said = differences.slice(0, few(differences.length, 2)).map(briefly);
    const more = differences.length > said.length ? `; and ${differences.length - said.length} more` : "";
    return `${said.join("; ")}${more}.`;
  }

  /** Where there are others, what can be chosen. */
  get #elsewhere(): string {
    return this.#live.algorithms.length > 1 ? ", or choose another algorithm at the right" : "";
  }

  #tell(pairs: Pairs, differences: readonly Difference[]): void {
    const hypergraphs = hypergraphDifferences(pairs);
    const rows = differences
      .slice(0, few(differences.length, ROWS))
      .map(({ label, name, left, right, scope, rows }) => {
        const row = el(
          "tr",
          {},
          el("th", {}, label),
          el("td", { class: "var" }, name),
          el("td", {}, left),
          el("td", {}, right),
        );
        if (scope !== "scalar") row.addEventListener("click", () => this.#select(0, { scope, row: rows[0] }));
        return row;
      });
    const head = el("tr", {}, ...["", "variable", "left", "right"].map((text) => el("th", {}, text)));
    const table = el("table", { "data-testid": "compare-table" }, el("thead", {}, head), el("tbody", {}, ...rows));
    const more = differences.length - rows.length;
    this.#table.replaceChildren(
      ...(hypergraphs.length > 0
        ? [
            el("h2", {}, "What the runs were given"),
            el("ul", { "data-testid": "compare-hypergraphs" }, ...hypergraphs.map((line) => el("li", {}, line))),
          ]
        : []),
      ...(rows.length > 0 ? [el("h2", {}, "What differs here"), table] : []),
      ...(more > 0 ? [el("p", { class: "dim" }, `and ${more.toLocaleString("en")} more`)] : []),
    );
    this.#table.hidden = this.#table.childElementCount === 0;
  }

  /** Select the same in both. */
  #select(which: 0 | 1, thing: Thing | null): void {
    const pair = thing && this.#pairs?.[thing.scope].find((each) => each[which] === thing.row);
    this.#sides?.forEach((side, k) => {
      const row = pair?.[k as 0 | 1] ?? 0;
      side.picture.select(thing && row > 0 ? { scope: thing.scope, row } : null);
    });
  }

  #drawBars(): void {
    const { clientWidth: width, clientHeight: height } = this.#bars;
    const ratio = window.devicePixelRatio || 1;
    [this.#bars.width, this.#bars.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const [ctx, counts] = [this.#bars.getContext("2d"), this.#counts];
    if (!ctx || !counts || width === 0) return;
    ctx.scale(ratio, ratio);
    ctx.fillStyle = getComputedStyle(this.root).getPropertyValue("--bad").trim();
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1));
    const each = width / Math.max(1, counts.length);
    counts.forEach((count, k) => {
      const tall = (Math.log1p(count) / most) * height;
      if (count > 0) ctx.fillRect(k * each, height - Math.max(2, tall), Math.max(1, each * 0.8), tall);
    });
  }

  // -- listening ------------------------------------------------------------------------------------------------------

  #listen(): void {
    this.#chosen.left.addEventListener("change", () => this.#load());
    this.#chosen.right.addEventListener("change", () => this.#choose());
    this.#slider.addEventListener("input", () => {
      this.#player.pause();
      this.#seek(Number(this.#slider.value));
    });
    this.root.addEventListener("close", () => {
      this.#player.pause();
      this.#runner.cancel();
      this.#counting++;
      this.#on.changed();
    });
    const keys: { [key: string]: () => void } = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      Home: () => this.#step(-this.#moments.length),
      End: () => this.#step(this.#moments.length),
      " ": () => this.#player.toggle(),
      n: () => this.#jump(),
      c: () => this.#on.copy(),
    };
    this.root.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (
        !act ||
        event.target instanceof HTMLSelectElement ||
        (event.key === " " && event.target instanceof HTMLButtonElement)
      )
        return;
      event.preventDefault();
      act();
    });
    new ResizeObserver(() => this.#drawBars()).observe(this.#bars);
  }
}

/** "Wreck: distance ∞ ≠ 7" */
export function briefly({ label, name, left, right }: Difference): string {
  return `${label === "" ? "" : `${label}: `}${name} ${left} ≠ ${right}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The marks on one of the pictures. */
export function badgesOf(pairs: Pairs, differences: readonly Difference[], which: 0 | 1): Badges {
  const found = { vertices: new Map<number, string>(), hyperedges: new Map<number, string>() };
  for (const { scope, rows } of differences) if (scope !== "scalar") found[scope].set(rows[which], UNLIKE);
  for (const pair of pairs.hyperedges)
    if (both(pair) && edgeDifference(pairs.left.trace, pairs.right.trace, pair) !== "")
      found.hyperedges.set(pair[which], UNLIKE);
  for (const scope of ["vertices", "hyperedges"] as const)
    for (const pair of pairs[scope]) if (!both(pair) && pair[which] > 0) found[scope].set(pair[which], ONLY_HERE);
  return found;
}

function both([left, right]: Pair): boolean {
  return left > 0 && right > 0;
}
