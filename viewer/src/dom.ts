// Building the page. Text from a trace only ever becomes text nodes and attribute values, never markup.

import { hasIsolated, partsOf, unmarked } from "./isolate";

type Attributes = { [name: string]: string | number | boolean | null | undefined };
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
type Child = Node | string | null | undefined;

/** An element: el("button", {class: "quiet"}, "Play"). A null or false attribute is left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  const given = children.filter((child): child is Node | string => child !== null && child !== undefined);
  // What is to be chosen is nothing but text.
  node.append(
    ...(tag === "option" ? given : given.flatMap((child) => (typeof child === "string" ? texts(child) : child))),
  );
  return node;
}

/** A text, its labels that read from right to left in elements of their own. */
export function texts(text: string): (Node | string)[] {
  if (!hasIsolated(text)) return [text];
  return partsOf(text).map((part) => {
    if (!part.alone) return part.text;
    const label = document.createElement("bdi");
    label.append(part.text);
    return label;
  });
}

export function listen<T extends HTMLElement>(node: T, handlers: Handlers): T {
  for (const [name, handler] of Object.entries(handlers)) node.addEventListener(name, handler as EventListener);
  return node;
}

/**
 * A button. Its name is the label, or what is written on it where the label does not say that: whoever speaks to the
 * page says what is seen there.
 */
export function button(
  label: string,
  attributes: Attributes,
  act: () => void,
  ...children: Child[]
): HTMLButtonElement {
  const node = el("button", { type: "button", title: label, ...attributes }, ...children);
  const seen = (node.textContent ?? "").toLowerCase();
  if (label.toLowerCase().includes(seen) && attributes["aria-label"] === undefined)
    node.setAttribute("aria-label", label);
  node.addEventListener("click", act);
  return node;
}

/** A checkbox with its label. */
export function toggle(label: string, testid: string, on: boolean, act: (on: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox", "data-testid": testid, checked: on });
  box.addEventListener("change", () => act(box.checked));
  return el("label", { class: "toggle" }, box, label);
}

export function setText(node: Node, text: string): void {
  if (node.textContent === unmarked(text)) return;
  if (hasIsolated(text) && node instanceof Element) node.replaceChildren(...texts(text));
  else node.textContent = text;
}

export function setAttribute(node: Element, name: string, value: string | null): void {
  if (value === null) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Writing a style, even the one that is there, makes the browser look at it again. */
export function setStyle(node: HTMLElement, name: string, value: string): void {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  play: "M5 3.5v9l7.5-4.5z",
  pause: "M4.5 3h2.5v10H4.5zM9 3h2.5v10H9z",
  left: "M10 3.5v9L4 8z",
  right: "M6 3.5v9L12 8z",
  first: "M3.5 3.5h1.8v9H3.5zM12.5 3.5v9L6.5 8z",
  last: "M10.7 3.5h1.8v9h-1.8zM3.5 3.5v9l6-4.5z",
  back: "M8 3.5v9L2.5 8zM13.5 3.5v9L8 8z",
  forward: "M2.5 3.5v9L8 8zM8 3.5v9L13.5 8z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.4.8h1.2v2.4H7.4zM7.4 12.8h1.2v2.4H7.4zM.8 7.4h2.4v1.2H.8zM12.8 7.4h2.4v1.2h-2.4zM2.5 3.3l.8-.8L5 4.2l-.8.8zM11 11.8l.8-.8 1.7 1.7-.8.8zM2.5 12.7 4.2 11l.8.8-1.7 1.7zM11 4.2l1.7-1.7.8.8L11.8 5z",
  moon: "M6.2 1.6a6.6 6.6 0 1 0 8.2 8.2A5.6 5.6 0 0 1 6.2 1.6z",
  link: "M6.3 9.7a.7.7 0 0 1 0-1l2.4-2.4a.7.7 0 1 1 1 1L7.3 9.7a.7.7 0 0 1-1 0zM4.2 12.9a3 3 0 0 1-1.1-5L5 6l1 1-1.9 1.9a1.6 1.6 0 0 0 2.3 2.3l1.9-1.9 1 1-1.9 1.9a3 3 0 0 1-3.2.7zM11 10l-1-1 1.9-1.9a1.6 1.6 0 0 0-2.3-2.3L7.7 6.7l-1-1 1.9-1.9A3 3 0 0 1 12.900 8z",
  save: "M7.3 2h1.4v6.200l2.300-2.300 1 1L8 10.900 4 6.900l1-1 2.300 2.300zM2.500 10.500h1.400v2.100h8.200v-2.100h1.400V14h-11z",
  beside: "M1.500 3h5.900v10H1.500zM2.900 4.400v7.200h3.100V4.400zM8.600 3h5.900v10H8.600z",
  close: "M4.2 3.2 8 7l3.800-3.800 1 1L9 8l3.800 3.800-1 1L8 9l-3.800 3.800-1-1L7 8 3.200 4.200z",
} as const;

export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
