import "./style/page.css";
import { App } from "./app";
import { el } from "./dom";
import { runsOfPage, traceOfPage } from "./load";

async function start(): Promise<void> {
  const host = document.getElementById("app") ?? document.body.appendChild(el("main", { id: "app" }));
  try {
    const trace = await traceOfPage();
    const runs = await runsOfPage(trace);
    const app = new App(host, trace, runs);
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
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    host.replaceChildren(el("p", { class: "failed", role: "alert", "data-testid": "failed" }, text));
  }
}

void start();
