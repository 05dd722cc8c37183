/**
 * Long computations in slices: in between, the page answers, and whoever asked may have changed their mind.
 *
 * A worker would need a policy that lets scripts come from elsewhere than the page; slices do not.
 */

export interface Watch {
  /** Called between slices, with what the last step told. */
  progress?(told: number): void;
  /** Whether nobody waits for the result any more. */
  cancelled?(): boolean;
}

/** The result is not wanted any more. */
export class Cancelled extends Error {}

/** Milliseconds at once: what is done within the first slice comes back without a pause. */
const FIRST = 40;
const SLICE = 12;

/** Run to the end, in slices; throws `Cancelled` once that is wanted. */
export async function sliced<T>(steps: Generator<number, T>, watch: Watch = {}): Promise<T> {
  for (let length = FIRST; ; length = SLICE) {
    const until = performance.now() + length;
    let told = 0;
    do {
      const step = steps.next();
      if (step.done) return step.value;
      told = step.value;
    } while (performance.now() < until);
    watch.progress?.(told);
    await pause();
    if (watch.cancelled?.()) throw new Cancelled();
  }
}

/** Run to the end at once. */
export function drained<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Until the page has done what waits. A message comes sooner than a timer, which browsers slow down. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
