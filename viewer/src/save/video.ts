/** A film that the browser encodes while it plays. */

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** What this browser makes films of; null: it does not. */
export function videoKind(): string | null {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return null;
  return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

/** How a file of that kind ends. */
export function endingOf(kind: string): string {
  return kind.startsWith("video/mp4") ? "mp4" : "webm";
}

const STILL = 100; // milliseconds after which a frame is sent once more: encoders skip what never changes

/**
 * Play frames on a canvas and keep what is seen. `paint` draws frame number k; each stays for so many milliseconds.
 * Null if `cancelled` says so meanwhile.
 */
export async function filmed(
  canvas: HTMLCanvasElement,
  kind: string,
  count: number,
  paint: (k: number) => number,
  watch: { progress(k: number): void; cancelled(): boolean },
): Promise<Blob | null> {
  const stream = canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 4_000_000 });
  const parts: Blob[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => resolve();
    recorder.onerror = () => reject(new Error("This browser stopped making the video."));
  });
  recorder.start();
  for (let k = 0; k < count && !watch.cancelled(); k++) {
    const until = performance.now() + paint(k);
    watch.progress(k);
    while (performance.now() < until && !watch.cancelled()) {
      track.requestFrame();
      await new Promise((resolve) => setTimeout(resolve, Math.min(STILL, Math.max(0, until - performance.now()))));
    }
  }
  recorder.stop();
  await ended;
  for (const each of stream.getTracks()) each.stop();
  return watch.cancelled() ? null : new Blob(parts, { type: kind });
}
