import type { Link } from "./picture";
import type { Recording, Thing } from "./recording";

/** The interface between panels and the viewer. */
export interface Stage {
  readonly recording: Recording;
  readonly selected: Thing | null;
  readonly dark: boolean;
  /** Show a frame; drawn with the next animation frame. */
  seek(frame: number): void;
  select(thing: Thing | null): void;
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
