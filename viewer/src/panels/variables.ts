import { button, el, setAttribute, setStyle, setText, toggle } from "../dom";
import { few } from "../few";
import { GLOSSARY } from "../glossary";
import { type InputText, inputTexts } from "../inputs";
import { counted } from "../numbers";
import type { Named, Recording } from "../recording";
import type { Panel, Stage } from "../stage";
import { CellView, Table } from "./table";
import { stepOf } from "./timeline";

const SCOPES = ["vertices", "hyperedges"] as const;

interface Part {
  readonly table: Table;
  readonly title: HTMLElement;
  readonly changed: HTMLElement;
  /** Leads to what is new or changed, where that is out of view. */
  readonly lead: HTMLButtonElement;
  readonly part: HTMLElement;
}

/** The program's variables by name: scalars as a list, the others as tables of vertices and of hyperedges. */
export class Variables implements Panel {
  readonly root: HTMLElement;
  readonly #stage: Stage;
  /** Where iterations before this frame are not recorded: since when the marked values are others. */
  readonly #since = el("p", { class: "dim since", "data-testid": "since", hidden: true });
  readonly #scalars = el("div", { class: "scalars", "data-testid": "scalars" });
  readonly #lines = new Map<string, Scalar>();
  readonly #tables: Map<(typeof SCOPES)[number], Part>;
  #both = false;
  #onlyChanged = false;
  /** They stay the same all through a run. */
  #inputs: readonly InputText[] = [];
  #quotients: readonly Named[] = [];
  #locals = true;

  constructor(stage: Stage) {
    this.#stage = stage;
    const parts = SCOPES.map((scope) => {
      const [title, changed] = [el("span"), el("span", { "data-testid": `changed-${scope}` })];
      const table = new Table(
        scope,
        scope === "vertices" ? "Variables of vertices" : "Variables of hyperedges",
        (thing) => stage.select(thing),
        () => stage.redraw(),
      );
      const lead = button(
        "",
        { class: "chip", "data-testid": `lead-${scope}`, hidden: true },
        () => this.#lead(scope),
        "→",
      );
      return [
        scope,
        {
          table,
          title,
          changed,
          lead,
          part: el(
            "div",
            { class: "table-part" },
            el("h2", { class: "minor" }, title, changed, lead),
            table.frame,
            table.empty,
          ),
        },
      ] as const;
    });
    this.#tables = new Map(parts);
    this.root = el(
      "section",
      { class: "panel variables", "data-panel": "variables", "aria-label": "Variables" },
      this.#toolbar(),
      this.#since,
      this.#scalars,
      ...parts.map(([, { part }]) => part),
    );
  }

  #toolbar(): HTMLElement {
    const act = (set: (on: boolean) => void) => (on: boolean) => {
      set(on);
      this.#stage.redraw();
    };
    const locals = toggle(
      "locals",
      "show-locals",
      true,
      act((on) => (this.#locals = on)),
    );
    setAttribute(locals, "title", GLOSSARY.local);
    const both = toggle(
      "show interpreter",
      "show-interpreter",
      false,
      act((on) => (this.#both = on)),
    );
    setAttribute(both, "title", "Show the interpreter's value beside each value of the transformer");
    return el(
      "div",
      { class: "toolbar" },
      toggle(
        "only changed rows",
        "only-changed",
        false,
        act((on) => (this.#onlyChanged = on)),
      ),
      both,
      locals,
    );
  }

  load(): void {
    this.#quotients = this.#quotientsOf();
    this.#inputs = inputTexts(this.#stage.recording, FEW);
    this.#lines.clear();
    this.#scalars.replaceChildren();
    for (const { table } of this.#tables.values()) table.load(this.#stage.recording);
  }

  render(): void {
    const { recording, selected } = this.#stage;
    const standing = this.#standing();
    this.#since.hidden = recording.follows();
    setText(this.#since, gapText(recording));
    this.#renderScalars(standing.filter((named) => named.scope === "scalar"));
    for (const [scope, { table, title, changed, lead, part }] of this.#tables) {
      const count = recording.count(scope);
      setText(title, `${count.toLocaleString("en")} ${scope}`);
      const columns = standing.filter((named) => named.scope === scope);
      const brought = broughtBy(recording, columns, count);
      setText(changed, broughtText(recording, brought));
      const hidden = columns.length === 0 && count === 0;
      if (part.hidden !== hidden) part.hidden = hidden;
      setStyle(part, "min-height", `${Math.min(5, count) * 25 + 62}px`);
      table.render(columns, selected, {
        both: this.#both,
        onlyChanged: this.#onlyChanged,
        ended: recording.trace.recorded.halted && recording.frame === recording.length - 1,
      });
      const beyond = table.beyond(brought);
      if (lead.hidden !== (beyond === null)) lead.hidden = beyond === null;
      if (beyond) setAttribute(lead, "aria-label", `To the column ${beyond.name}`);
    }
  }

  #lead(scope: (typeof SCOPES)[number]): void {
    const { recording } = this.#stage;
    const columns = this.#standing().filter((named) => named.scope === scope);
    const table = this.#tables.get(scope)?.table;
    const beyond = table?.beyond(broughtBy(recording, columns, recording.count(scope)));
    if (beyond) table?.reveal(beyond);
  }

  /** Answers that are quotients, states, then locals that stand, then what only the interpreter has. */
  #standing(): Named[] {
    const { recording } = this.#stage;
    const states: Named[] = [];
    const locals: Named[] = [];
    const program: Named[] = [];
    for (const named of recording.variables.values()) {
      if (named.variable?.role !== "local") states.push(named);
      else if (this.#locals && recording.standing(named.name) === named) locals.push(named);
    }
    for (const named of recording.locals.values()) {
      if (this.#locals && recording.standing(named.name) === named) program.push(named);
    }
    return [...this.#quotients, ...states, ...locals, ...program];
  }

  /** The outputs that divide one state by another: the answer stands in no column of X. */
  #quotientsOf(): Named[] {
    const { recording, explainer } = this.#stage;
    return (explainer?.model.program.outputs ?? []).flatMap(({ name, form, state, over }): Named[] => {
      const [top, bottom] = [recording.variables.get(state), recording.variables.get(over ?? "")];
      return form === "value" && top && bottom && top.scope === bottom.scope && top.scope !== "scalar"
        ? [{ ...top, name, over: bottom }]
        : [];
    });
  }

  #renderScalars(scalars: readonly Named[]): void {
    const { recording } = this.#stage;
    const lines: Scalar[] = [];
    for (const { name, text } of this.#inputs) {
      const line = this.#line(`input ${name}`, name, "input");
      line.view.show({
        old: "",
        now: text,
        interpreter: "",
        differs: false,
        flag: false,
        denied: "",
      });
      lines.push(line);
    }
    for (const named of scalars) {
      const role = recording.isMade(named.name) ? "loop" : named.variable ? named.variable.role : "program";
      const line = this.#line(`${role} ${named.name}`, named.name, role, recording.operations.called(named.name));
      line.view.value(recording, named, 0, this.#both);
      setAttribute(line.root, "data-column", named.variable ? String(named.column) : null);
      lines.push(line);
    }
    const nodes = lines.map((line) => line.root);
    const same =
      nodes.length === this.#scalars.children.length && nodes.every((n, k) => this.#scalars.children[k] === n);
    if (!same) this.#scalars.replaceChildren(...nodes);
    setAttribute(this.#scalars, "data-count", String(nodes.length));
  }

  #line(key: string, name: string, role: string, shown = name): Scalar {
    let line = this.#lines.get(key);
    if (!line) {
      line = new Scalar(name, shown, role);
      this.#lines.set(key, line);
    }
    return line;
  }
}

const FEW = 8; // labels of an input that is a set or an array
const NAMED = 3; // columns that are new, or changed

/** " · new: fresh · changed: distance": what this frame brought, since it may be out of view. */
export function changedText(recording: Recording, columns: readonly Named[], count: number): string {
  return broughtText(recording, broughtBy(recording, columns, count));
}

function broughtText(recording: Recording, all: readonly Named[]): string {
  const [fresh, changed] = [true, false].map((is) => all.filter((each) => isNew(recording, each) === is));
  const since = recording.sinceText();
  return namesText("new", fresh ?? []) + namesText(since === "" ? "changed" : `changed ${since}`, changed ?? []);
}

/** The columns that are new at this frame, or in which something changed. */
function broughtBy(recording: Recording, columns: readonly Named[], count: number): Named[] {
  if (recording.frame === 0 || count === 0) return [];
  const isOther = (each: Named) => recording.changedRows(each.over ? [each, each.over] : [each], count).length > 0;
  return columns.filter((each) => each.variable?.named !== false && (isNew(recording, each) || isOther(each)));
}

function isNew(recording: Recording, named: Named): boolean {
  return recording.previousOf(named, 1) === null;
}

/** "Marked values are others since iteration 2: iterations 3 to 5 are not recorded."; "" where the frame before is. */
export function gapText(recording: Recording): string {
  const since = recording.sinceText();
  if (since === "") return "";
  const [first, last] = [recording.iterationOf(recording.frame - 1) + 1, recording.iteration - 1];
  const missing =
    first < last ? `iterations ${counted(first)} to ${counted(last)} are` : `iteration ${counted(first)} is`;
  return `Marked values are others ${since}, and not by this ${stepOf(recording)} alone: ${missing} not recorded.`;
}

function namesText(what: string, all: readonly Named[]): string {
  const most = few(all.length, NAMED);
  const names = all.slice(0, most).map(({ name }) => name);
  const more = all.length > most ? ` and ${all.length - most} more` : "";
  return names.length === 0 ? "" : ` · ${what}: ${names.join(", ")}${more}`;
}

const ROLES: { [role: string]: [string, string] } = {
  input: ["input", "an input of the run"],
  state: ["", "a state: it persists from iteration to iteration"],
  halt: ["halt", "the flag that stops the loop"],
  loop: ["loop", GLOSSARY["(loop)"]],
  local: ["local", `a local, in X now. ${GLOSSARY.local}`],
  program: ["local", `a local, as the interpreter computed it. ${GLOSSARY.local}`],
};

class Scalar {
  readonly root: HTMLElement;
  readonly view = new CellView();

  /** A variable that hyloop added is called by what it is for; its name in the trace is beside. */
  constructor(name: string, shown: string, role: string) {
    const [tag, title] = ROLES[role] ?? ["", ""];
    this.view.root.removeAttribute("role");
    this.root = el(
      "div",
      { class: `scalar ${role}`, title: `${shown}: ${title}`, "data-name": name },
      el("span", { class: "var" }, shown),
      tag && tag !== shown ? el("span", { class: "tag" }, tag) : null,
      this.view.root,
    );
  }
}
