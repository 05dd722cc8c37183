import type { Tab } from "./link";
import type { Explainer } from "./machine/explain";
import type { CellPlace } from "./panels/machine_cell";
import type { Link } from "./picture";
import type { Recording, Thing } from "./recording";

/** The interface between panels and the viewer. */
export interface Stage {
  readonly recording: Recording;
  readonly selected: Thing | null;
  readonly dark: boolean;
  /** The model of the run, layer by layer; null if it is not in the page. */
  readonly explainer: Explainer | null;
  /** What was edited in the hypergraph, in words; empty where it is as it was. */
  readonly edits: readonly string[];
  /** Show a frame; drawn with the next animation frame. */
  seek(frame: number): void;
  select(thing: Thing | null): void;
  show(tab: Tab): void;
  /** Show where a number of X comes from. */
  ask(cell: CellPlace): void;
  /** Draw again, without moving. */
  redraw(): void;
  /** Arrows on the picture. */
  links(links: Link[]): void;
  /** The variable that "next change" follows. */
  follow(name: string): void;
  /** Show a message for a while. */
  say(text: string, bad?: boolean): void;
}

/** One part of the page. */
export interface Panel {
  readonly root: HTMLElement;
  /** A new recording is there. */
  load(): void;
  /** Show the recording's current frame. Only called while the panel is visible. */
  render(): void;
}
