export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 30, 60, 240, 1000]; // frames per second

/** Plays a recording: asks for later frames as time goes by. */
export class Player {
  speed = 4;
  #from = { time: 0, frame: 0 };
  #timer = 0;
  readonly #on: { frame(): number; last(): number; seek(frame: number): void; changed(playing: boolean): void };

  constructor(on: { frame(): number; last(): number; seek(frame: number): void; changed(playing: boolean): void }) {
    this.#on = on;
  }

  get playing(): boolean {
    return this.#timer !== 0;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.#on.frame() >= this.#on.last()) this.#on.seek(0);
    this.#restart();
    this.#timer = requestAnimationFrame((time) => this.#tick(time));
    this.#on.changed(true);
  }

  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.#timer);
    this.#timer = 0;
    this.#on.changed(false);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.#restart();
  }

  #restart(): void {
    this.#from = { time: performance.now(), frame: this.#on.frame() };
  }

  #tick(time: number): void {
    const frame = this.#from.frame + Math.floor((Math.max(0, time - this.#from.time) / 1000) * this.speed);
    const last = this.#on.last();
    if (frame > this.#on.frame()) this.#on.seek(Math.min(last, frame));
    if (frame >= last) this.pause();
    else this.#timer = requestAnimationFrame((next) => this.#tick(next));
  }
}
