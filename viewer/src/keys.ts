type Keys = { [key: string]: () => void };

/** Keys for the whole page; not while the user types, nor with ctrl, alt or cmd. */
export function listenToKeys(keys: Keys): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || typing(event)) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `shift ${event.key}` : event.key;
    const act = keys[name];
    if (!act || (name === " " && isControl(event))) return;
    event.preventDefault();
    act();
  });
}

function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog")) return event.key !== "?";
  if (event.key === "Escape") return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Whether the element handles space itself. */
function isControl(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.closest("button, input, [role=button]") !== null;
}
