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

/**
 * A list that was chosen from with the pointer gives up the focus, so that the next key steps and does not choose again.
 * Whoever came to it by keyboard keeps it, to walk through the list; Escape leaves it.
 */
export function releaseLists(): void {
  let byKey = false;
  document.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Escape" && isList(event.target) && !event.target.closest("dialog")) event.target.blur();
  });
  document.addEventListener("pointerdown", () => (byKey = false), true);
  document.addEventListener("change", ({ target }) => {
    if (!byKey && isList(target)) leave(target);
  });
}

function isList(target: EventTarget | null): target is HTMLSelectElement {
  return target instanceof HTMLSelectElement;
}

/** A dialog takes keys only while the focus is inside: to what it names for that. */
function leave(list: HTMLSelectElement): void {
  const dialog = list.closest("dialog");
  if (dialog) dialog.querySelector<HTMLElement>("[data-home]")?.focus();
  else list.blur();
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
