import { el } from "../dom";

/** What scrolls sideways, with a shadow at the edge beyond which there is more. */
export function shaded(scroller: HTMLElement): HTMLElement {
  const frame = el("div", { class: "table-frame" }, scroller);
  const shade = () => {
    const { scrollLeft, scrollWidth, clientWidth } = scroller;
    frame.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
  };
  scroller.addEventListener("scroll", shade, { passive: true });
  const watched = new ResizeObserver(shade);
  watched.observe(scroller);
  if (scroller.firstElementChild) watched.observe(scroller.firstElementChild);
  return frame;
}
