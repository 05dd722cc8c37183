/** Mouse, pen, fingers and keys on the picture: pan, zoom, drag a vertex, hover, click. */

import type { Point } from "./geometry";

export interface Gestures {
  /** A press begins here; true if what lies there is dragged instead of the whole picture. */
  grab(at: Point): boolean;
  drag(dx: number, dy: number): void; // what was grabbed
  drop(): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  fit(): void;
  hover(at: Point | null): void;
  click(at: Point): void;
  key(key: string): boolean; // whether it meant something
}

const STILL = 4; // pixels that a click may move

/** Listens until the returned function is called. */
export function listenTo(canvas: HTMLCanvasElement, act: Gestures): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const pointers = new Pointers(canvas, act);
  canvas.addEventListener("pointerdown", (event) => pointers.down(event), options);
  canvas.addEventListener("pointermove", (event) => pointers.move(event), options);
  canvas.addEventListener("pointerup", (event) => pointers.up(event, true), options);
  canvas.addEventListener("pointercancel", (event) => pointers.up(event, false), options);
  canvas.addEventListener("pointerleave", () => act.hover(null), options);
  canvas.addEventListener("dblclick", () => act.fit(), options);
  canvas.addEventListener("wheel", (event) => wheel(event, canvas, act), { ...options, passive: false });
  canvas.addEventListener(
    "keydown",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && act.key(event.key)) event.preventDefault();
    },
    options,
  );
  return () => stop.abort();
}

function wheel(event: WheelEvent, canvas: HTMLCanvasElement, act: Gestures): void {
  event.preventDefault();
  const lines =
    event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 200 : 1;
  // A pinch on a touch pad comes as a wheel with ctrl, in small steps.
  const speed = event.ctrlKey ? 0.01 : 0.0016;
  act.zoom(Math.exp(-event.deltaY * lines * speed), placeOf(event, canvas));
}

function placeOf(event: MouseEvent, canvas: HTMLCanvasElement): Point {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

class Pointers {
  readonly #down = new Map<number, Point>();
  #from: Point = [0, 0];
  #moved = false;
  #grabbed = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly act: Gestures,
  ) {}

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = placeOf(event, this.canvas);
    this.canvas.setPointerCapture?.(event.pointerId);
    this.#down.set(event.pointerId, at);
    if (this.#down.size > 1) {
      this.#release();
      this.#moved = true;
      return;
    }
    this.#from = at;
    this.#moved = false;
    this.#grabbed = this.act.grab(at);
  }

  move(event: PointerEvent): void {
    const at = placeOf(event, this.canvas);
    const before = this.#down.get(event.pointerId);
    if (!before) {
      if (this.#down.size === 0) this.act.hover(at);
      return;
    }
    if (this.#down.size === 2) this.#pinch(event.pointerId, before, at);
    if (Math.hypot(at[0] - this.#from[0], at[1] - this.#from[1]) > STILL) this.#moved = true;
    if (this.#down.size === 1 && this.#moved) {
      if (this.#grabbed) this.act.drag(at[0] - before[0], at[1] - before[1]);
      else this.act.pan(at[0] - before[0], at[1] - before[1]);
    }
    // Until it counts as a move, the press stays where it began.
    if (this.#moved) this.#down.set(event.pointerId, at);
  }

  up(event: PointerEvent, done: boolean): void {
    if (!this.#down.delete(event.pointerId)) return;
    if (this.#down.size > 0) return;
    if (done && !this.#moved) this.act.click(placeOf(event, this.canvas));
    this.#release();
  }

  #release(): void {
    if (this.#grabbed) this.act.drop();
    this.#grabbed = false;
  }

  #pinch(id: number, before: Point, at: Point): void {
    const other = [...this.#down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const is = Math.hypot(at[0] - other[0], at[1] - other[1]);
    const middle: Point = [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2];
    if (was > 1) this.act.zoom(is / was, middle);
    this.act.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
  }
}
