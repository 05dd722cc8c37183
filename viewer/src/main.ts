import "./style/page.css";
import { App } from "./app";
import { el } from "./dom";
import { runsOfPage, traceOfPage, unverifiedModelOfPage } from "./load";

/** Keys that are pressed while the page loads; they are pressed again when it is there. */
function keptKeys(): () => void {
  const kept: KeyboardEvent[] = [];
  const keep = (event: KeyboardEvent) => kept.push(event);
  document.addEventListener("keydown", keep);
  return () => {
    document.removeEventListener("keydown", keep);
    for (const { key, shiftKey } of kept.filter((each) => !(each.ctrlKey || each.altKey || each.metaKey)))
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  };
}

async function start(): Promise<void> {
  const again = keptKeys();
  const host = document.getElementById("app") ?? document.body.appendChild(el("main", { id: "app" }));
  host.replaceChildren(el("p", { class: "failed loading", role: "status" }, "Loading the run …"));
  try {
    const trace = await traceOfPage();
    const runs = await runsOfPage(trace);
    const app = new App(host, trace, runs, await unverifiedModelOfPage(trace));
    // For tests and the console.
    Object.assign(window, {
      hyloop: {
        app,
        runs,
        get recording() {
          return app.recording;
        },
        seek: (frame: number) => app.seek(frame),
        select: (thing: Parameters<App["select"]>[0]) => app.select(thing),
        show: (tab: Parameters<App["show"]>[0]) => app.show(tab),
      },
    });
    again();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    host.replaceChildren(el("p", { class: "failed", role: "alert", "data-testid": "failed" }, text));
  }
}

void start();
