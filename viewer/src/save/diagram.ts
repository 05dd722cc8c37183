/** A drawing of the page as a file of its own: what style sheets say of its parts is written into them. */

import { FILE_FACE } from "./svg";

const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

/** The SVG file of a drawing that is in the page. */
export function drawnAlone(drawing: SVGSVGElement, about = ""): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((one) => [one, ...one.querySelectorAll<SVGElement>("*")]) as [
    SVGElement[],
    SVGElement[],
  ];
  from.forEach((node, k) => {
    const style = getComputedStyle(node);
    const own = to[k] as SVGElement;
    for (const name of LOOKS) own.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style", "tabindex", "role", "aria-pressed"]) own.removeAttribute(name);
  });
  copy.setAttribute("font-family", FILE_FACE);
  const [, , width, height] = (drawing.getAttribute("viewBox") ?? "").split(" ");
  copy.setAttribute("width", width ?? "");
  copy.setAttribute("height", height ?? "");
  if (about !== "") copy.prepend(described(about));
  return new XMLSerializer().serializeToString(copy);
}

function described(about: string): SVGDescElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "desc");
  node.textContent = about;
  return node;
}
