import { button, el, icon, setText, toggle } from "../dom";
import { few } from "../few";
import { shortText } from "../numbers";
import type { Event, Named, Recording, Thing } from "../recording";
import type { Panel, Stage } from "../stage";
import { stepChart } from "./chart";

const LISTED = 500;

/** All changes of the selected vertex or hyperedge. */
export class History implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #title = el("h2", {});
  readonly #about = el("p", { class: "dim note" });
  readonly #body = el("div", { class: "history-body scroll" });
  #shown = "";
  #locals = false;
  #rows: { frame: number; root: HTMLElement }[] = [];
  #now: HTMLElement | null = null;
  #playheads: { move(frame: number): void }[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    const close = button(
      "Close the history",
      { class: "quiet", "data-testid": "history-close" },
      () => stage.select(null),
      icon("close"),
    );
    this.root = el(
      "section",
      { class: "panel history", "data-panel": "history", "data-testid": "history", "aria-label": "History" },
      el("div", { class: "panel-head" }, this.#title, this.#about, close),
      this.#body,
    );
  }

  load(): void {
    this.#shown = "";
  }

  render(): void {
    const { recording, selected } = this.#stage;
    const key = selected ? `${selected.scope} ${selected.row} ${this.#locals}` : "none";
    const opened = key !== this.#shown;
    if (opened) {
      this.#shown = key;
      if (selected) this.#build(recording, selected);
      else this.#clear();
    }
    for (const playhead of this.#playheads) playhead.move(recording.frame);
    this.#mark(recording.frame, opened);
  }

  #clear(): void {
    setText(this.#title, "History");
    setText(this.#about, "");
    this.#rows = [];
    this.#playheads = [];
    this.#body.replaceChildren(el("p", { class: "empty" }, "Select a vertex or a hyperedge to see its changes."));
  }

  #build(recording: Recording, thing: Thing): void {
    const events = recording.history(thing.scope, thing.row, this.#locals);
    setText(this.#title, recording.label(thing.scope, thing.row) ?? "");
    setText(this.#about, aboutThing(recording, thing));
    const rows = events
      .slice(0, few(events.length, LISTED))
      .map((event) => ({ frame: event.frame, root: this.#row(recording, event, thing.row) }));
    const charts = this.#charts(recording, events);
    this.#rows = rows;
    this.#playheads = charts;
    const more = events.length - rows.length;
    const withLocals = toggle("with locals", "history-locals", this.#locals, (on) => {
      this.#locals = on;
      this.#stage.redraw();
    });
    this.#body.replaceChildren(
      ...charts.map((chart) => chart.root),
      withLocals,
      el("ol", { class: "events", "data-testid": "history-list" }, ...rows.map((row) => row.root)),
      events.length === 0 ? el("p", { class: "dim" }, `The program has no state of ${thing.scope}.`) : "",
      more > 0 ? el("p", { class: "dim" }, `… and ${more.toLocaleString("en")} more`) : "",
    );
    this.#body.scrollTop = 0;
  }

  #charts(recording: Recording, events: readonly Event[]) {
    const names = [...new Set(events.map((event) => event.name))];
    const numbers = names.filter((name) => ["length", "count"].includes(recording.kindOf(name)?.kind ?? ""));
    const jump = (frame: number) => this.#stage.seek(frame);
    return numbers
      .map((name) => ({ name, steps: events.filter((event) => event.name === name) }))
      .filter(({ steps }) => steps.length > 1)
      .map(({ name, steps }) => stepChart(recording, name, steps, jump));
  }

  #row(recording: Recording, event: Event, row: number): HTMLElement {
    const named = recording.variables.get(event.name) ?? (recording.locals.get(event.name) as Named);
    const at = `${recording.iterationOf(event.frame)}${recording.trace.recorded.layers ? ` · ${recording.layerOf(event.frame)}` : ""}`;
    const when = event.frame === 0 ? "start" : event.after === null ? at : `by ${at}`;
    const node = el(
      "button",
      {
        type: "button",
        class: "event",
        title: `Go to ${event.frame === 0 ? "the start" : `iteration ${recording.iterationOf(event.frame)}, layer ${recording.layerOf(event.frame)}`}${unseenText(event)}`,
      },
      el("span", { class: "when" }, when),
      el("span", { class: "var" }, event.name),
      el("span", { class: "what" }, recording.cellText(named, row, event.value, event.frame === 0)),
      el("span", { class: "dim line-number" }, event.line > 0 ? `line ${event.line}` : ""),
    );
    node.addEventListener("click", () => this.#stage.seek(event.frame));
    return el("li", {}, node);
  }

  /** Mark the last event at or before this frame. */
  #mark(frame: number, opened: boolean): void {
    let found: HTMLElement | null = null;
    for (const row of this.#rows) {
      if (row.frame > frame) break;
      found = row.root;
    }
    if (found === this.#now) return;
    this.#now?.removeAttribute("aria-current");
    found?.setAttribute("aria-current", "true");
    // It opens at its top; then it follows the frames.
    if (!opened) found?.scrollIntoView({ block: "nearest" });
    this.#now = found;
  }
}

/** Of a change that may have been earlier than the frame at which it is recorded. */
function unseenText({ after }: Event): string {
  if (after === null) return "";
  const since = after === 0 ? "the start" : `iteration ${after}`;
  return `. It changed after ${since}, by then: what lies between is not recorded`;
}

function aboutThing(recording: Recording, { scope, row }: Thing): string {
  const { members, weights } = recording.trace.hypergraph;
  if (scope === "vertices") {
    const count = members.filter((list) => list.includes(row)).length;
    return `vertex ${row}, in ${count} hyperedge${count === 1 ? "" : "s"}`;
  }
  const own = members[row - 1] ?? [];
  const names = own.slice(0, 4).map((v) => recording.label("vertices", v) ?? "");
  return `hyperedge ${row}, weight ${shortText(weights[row - 1] as string)}: ${names.join(", ")}${own.length > 4 ? `, … (${own.length})` : ""}`;
}
