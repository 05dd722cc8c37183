import { el } from "../dom";
import type { Event, Recording } from "../recording";

const [WIDTH, HEIGHT, PAD] = [280, 56, 6];
const SVG = "http://www.w3.org/2000/svg";

/** A number over the frames, as steps; infinite values stand on a line of their own at the top. */
export function stepChart(recording: Recording, name: string, steps: readonly Event[], jump: (frame: number) => void) {
  const kind = recording.kindOf(name)?.kind ?? "count";
  const infinite = (value: number) => kind === "length" && value === recording.trace.model.infinity;
  const finite = steps.map((step) => step.value).filter((value) => !infinite(value));
  const [least, most] = [Math.min(0, ...finite), Math.max(1, ...finite)];
  const top = steps.some((step) => infinite(step.value)) ? PAD + 12 : PAD;
  const last = Math.max(1, recording.length - 1);
  const x = (frame: number) => PAD + (frame / last) * (WIDTH - 2 * PAD);
  const y = (value: number) =>
    infinite(value) ? PAD : HEIGHT - PAD - ((value - least) / (most - least)) * (HEIGHT - PAD - top);
  let path = "";
  steps.forEach((step, k) => {
    path += k === 0 ? `M${x(step.frame)} ${y(step.value)}` : `H${x(step.frame)}V${y(step.value)}`;
  });
  path += `H${x(last)}`;
  const [line, playhead] = [shape("path", { d: path, class: "steps" }), shape("path", { class: "playhead" })];
  const dots = steps
    .slice(1, 200)
    .map((s) => shape("circle", { cx: x(s.frame), cy: y(s.value), r: 2.2, class: "dot" }));
  const svg = shape("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `${name} over the run`,
  });
  svg.append(playhead, line, ...dots);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = (((event as MouseEvent).clientX - box.left) / box.width) * WIDTH;
    jump(Math.round(((at - PAD) / (WIDTH - 2 * PAD)) * last));
  });
  const above = top > PAD ? ", ∞ on top" : "";
  const range = `${recording.text(kind, least)} … ${recording.text(kind, most)}${above}`;
  const title = el(
    "div",
    { class: "chart-title" },
    el("span", { class: "var" }, name),
    el("span", { class: "dim" }, range),
  );
  const move = (frame: number) => playhead.setAttribute("d", `M${x(frame)} 0V${HEIGHT}`);
  return { root: el("div", { class: "chart" }, title, svg), move };
}

function shape(tag: string, attributes: { [name: string]: string | number }): SVGElement {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}
