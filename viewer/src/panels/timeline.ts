import { button, el, icon, setAttribute, setText } from "../dom";
import { counted } from "../numbers";
import { type Player, SPEEDS } from "../player";
import type { Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { keep, recall } from "../storage";
import { Strip } from "./strip";

const KEY = "hyloop-hint";

/** The current position in the run, and the controls to move. */
export class Timeline implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  readonly #player: Player;
  readonly #strip: Strip;
  readonly #play: HTMLButtonElement;
  readonly #where = el("output", { class: "where", "data-testid": "where" });
  readonly #follow = el("select", { "aria-label": "Variable to follow", "data-testid": "follow" });
  readonly #stopped = el("p", { class: "stopped", "data-testid": "stopped", hidden: true });

  readonly #back = act("", "back-layer", "left", () => this.step(-1));
  readonly #next = act("", "next-layer", "right", () => this.step(1));
  readonly #hint = el("p", { class: "hint", "data-testid": "hint", hidden: true });

  constructor(stage: Stage, player: Player) {
    this.#stage = stage;
    this.#player = player;
    this.#strip = new Strip(
      (frame) => this.#scrub(frame),
      () => stage.redraw(),
    );
    this.#play = button(
      "Play (space)",
      { class: "primary", "data-testid": "play" },
      () => player.toggle(),
      icon("play"),
    );
    this.root = el(
      "footer",
      { class: "timeline", "aria-label": "Timeline" },
      this.#strip.root,
      this.#controls(),
      this.#stopped,
    );
    this.#hint.append(
      el("span", {}, hasKeys() ? "Space plays, → steps, ? explains" : "Tap ▶ to play"),
      button("Close this hint", { class: "quiet", "data-testid": "hint-close" }, () => this.#dismiss(), icon("close")),
    );
  }

  /** Show or hide the hint for newcomers; once closed, it stays hidden. */
  welcome(on: boolean): void {
    this.#hint.hidden = !on || recall(KEY) === "no";
  }

  #dismiss(): void {
    keep(KEY, "no");
    this.welcome(false);
  }

  #controls(): HTMLElement {
    return el(
      "div",
      { class: "controls" },
      el(
        "div",
        { class: "group transport" },
        act("To the start (Home)", "to-start", "first", () => this.#stage.seek(0)),
        act("Back one iteration (shift ← or ↑)", "back-iteration", "back", () => this.iteration(-1)),
        this.#back,
        this.#play,
        this.#next,
        act("Forward one iteration (shift → or ↓)", "next-iteration", "forward", () => this.iteration(1)),
        act("To the end (End)", "to-end", "last", () => this.#stage.seek(this.#stage.recording.length - 1)),
        this.#speeds(),
      ),
      this.#where,
      this.#hint,
      el(
        "div",
        { class: "group follow" },
        act("Previous change (p)", "prev-change", "left", () => this.change(-1)),
        el("label", { class: "follow-label" }, el("span", { class: "dim" }, "changes of"), this.#follow),
        act("Next change (n)", "next-change", "right", () => this.change(1)),
      ),
    );
  }

  #speeds(): HTMLElement {
    const options = SPEEDS.map((s) => el("option", { value: s, selected: s === this.#player.speed }, `${s}/s`));
    const select = el(
      "select",
      { "aria-label": "Frames per second", title: "Frames per second", "data-testid": "speed" },
      ...options,
    );
    select.addEventListener("change", () => this.#player.setSpeed(Number(select.value)));
    return select;
  }

  load(): void {
    const { recording } = this.#stage;
    const states = [...recording.variables.values()].filter((named) => named.variable?.role !== "local");
    const names = states.map((named) => named.name);
    // A value without a name of its own is called by its expression: nobody looks for that in a list.
    const named = [...recording.variables.values()].filter(({ variable }) => variable?.named !== false);
    const others = new Set(
      [...named.map(({ name }) => name), ...recording.locals.keys()].filter((n) => !names.includes(n)),
    );
    const option = (name: string) => this.#option(name);
    this.#follow.replaceChildren(
      el("option", { value: "" }, "any state"),
      el("optgroup", { label: "states" }, ...names.map(option)),
      ...(others.size > 0 ? [el("optgroup", { label: "locals" }, ...[...others].map(option))] : []),
    );
    setText(this.#stopped, recording.trace.recorded.stopped);
    this.#stopped.hidden = recording.trace.recorded.stopped === "";
    this.#strip.load(recording);
    const step = stepOf(recording);
    for (const [node, label] of [
      [this.#back, `Back one ${step} (←)`],
      [this.#next, `Forward one ${step} (→)`],
    ] as const) {
      setAttribute(node, "title", label);
      setAttribute(node, "aria-label", label);
    }
  }

  render(): void {
    const { recording } = this.#stage;
    const place = placeText(recording);
    setText(this.#where, place);
    this.#strip.render(place, this.#stage.dark);
  }

  playing(on: boolean): void {
    this.#play.replaceChildren(icon(on ? "pause" : "play"));
    setAttribute(this.#play, "aria-label", on ? "Pause (space)" : "Play (space)");
    setAttribute(this.#play, "title", on ? "Pause (space)" : "Play (space)");
  }

  /** Follow a variable; one without a name, which was found elsewhere, is added to the list. */
  follow(name: string): void {
    this.#follow.value = name;
    if (this.#follow.value === name) return;
    this.#follow.append(this.#option(name));
    this.#follow.value = name;
  }

  #option(name: string): HTMLOptionElement {
    return el("option", { value: name }, this.#stage.recording.shown(name));
  }

  step(by: number): void {
    this.#player.pause();
    this.#stage.seek(this.#stage.recording.frame + by);
  }

  /** To the end of the next iteration; back: to the end of the one before. */
  iteration(by: 1 | -1): void {
    this.#player.pause();
    const { recording } = this.#stage;
    const here = recording.iteration;
    if (by < 0) {
      this.#stage.seek(here === 0 ? 0 : recording.frameOf(here - 1));
      return;
    }
    const end = recording.frameOf(here);
    this.#stage.seek(recording.frame < end ? end : recording.frameOf(recording.iterationOf(end + 1) || here));
  }

  change(direction: 1 | -1): void {
    this.#player.pause();
    const { recording } = this.#stage;
    const name = this.#follow.value;
    const states = [...recording.variables.values()].filter((named) => named.variable?.role !== "local");
    const names = name === "" ? states.map((named) => named.name) : [name];
    const found = names.map((each) => recording.nextChange(each, direction)).filter((frame) => frame !== null);
    if (found.length === 0) {
      this.#stage.say(`No ${direction > 0 ? "later" : "earlier"} change of ${name === "" ? "any state" : name}.`);
      return;
    }
    this.#stage.seek(direction > 0 ? Math.min(...found) : Math.max(...found));
  }

  #scrub(frame: number): void {
    this.#player.pause();
    this.#stage.seek(frame);
  }
}

function act(label: string, id: string, name: Parameters<typeof icon>[0], move: () => void): HTMLButtonElement {
  return button(label, { class: "quiet", "data-testid": id }, move, icon(name));
}

/** What one step of this recording is. */
export function stepOf({ trace }: Recording): "layer" | "iteration" {
  return trace.recorded.layers ? "layer" : "iteration";
}

/** Whether there is likely a keyboard. */
export function hasKeys(): boolean {
  return !matchMedia("(pointer: coarse)").matches;
}

/** "iteration 4 of 8 · layer 2 of 3" */
export function placeText(recording: Recording): string {
  const { iterations, layers } = recording.trace.recorded;
  if (recording.frame === 0) return `start, before iteration 1 of ${counted(iterations)}`;
  const iteration = `iteration ${counted(recording.iteration)} of ${counted(iterations)}`;
  return layers ? `${iteration} · layer ${recording.layer} of ${recording.layers}` : iteration;
}
