// What the parts of the model are for: purposes are records; here they become the program's names and lines.

import type { Naming } from "./naming";
import type { Recording } from "./recording";
import type { Column, Head, Layer, Operation, Purpose, Section, Trace } from "./trace";

/** The operations of the program by section and number. */
export class Operations {
  readonly #ops: ReadonlyMap<string, Operation>;
  /** The variables that the language made, as they are called: of several alike, with their number. */
  readonly #made: ReadonlyMap<string, string>;

  constructor({ algorithm, variables }: Trace) {
    this.#made = madeNames(variables);
    this.#ops = new Map(algorithm.ops.map((op) => [`${op.section} ${op.op}`, op]));
  }

  /** Whether the language made a variable, to run loops in loops, and not the author of the program. */
  isMade(variable: string): boolean {
    return this.#made.has(variable);
  }

  /** The name of a variable as it is shown: one that is not the program's says so. */
  shown(variable: string): string {
    return this.isMade(variable) ? `${this.called(variable)} (loop)` : variable;
  }

  /** The same where it need not say so. */
  called(variable: string): string {
    return this.#made.get(variable) ?? variable;
  }

  /** The operation of a purpose. */
  of([section, op]: Purpose): Operation {
    return this.at(section, op);
  }

  /** Which operation a number of a section is; a trace in which there is none is refused when it is opened. */
  at(section: Section, op: number): Operation {
    return this.#ops.get(`${section} ${op}`) as Operation;
  }

  /** The operations of the same name and line, itself among them. */
  alike(section: Section, op: number): number[] {
    const { name, line } = this.at(section, op);
    const found = [...this.#ops.values()].filter((each) => each.section === section);
    return found.filter((each) => each.name === name && each.line === line).map((each) => each.op);
  }

  /** Its name: the program's name for the value, or that of the operation. */
  name(purpose: Purpose): string {
    const op = this.of(purpose);
    const part = purpose[2];
    if (part === "halt") return "halt";
    const assigned =
      part === "assignment" || part === "gate" ? op.assigns.map((each) => this.shown(each)).join(" and ") : "";
    return assigned || (op.name === "state" ? this.shown(op.label) : op.label) || op.name;
  }

  /** "touching (line 32)". */
  text(purpose: Purpose): string {
    const { line } = this.of(purpose);
    return line > 0 ? `${this.name(purpose)} (line ${line})` : this.name(purpose);
  }

  /** The source lines of purposes of a section, in order. */
  lines(purposes: readonly Purpose[], section: Section): number[] {
    const here = purposes.filter((purpose) => purpose[0] === section).map((purpose) => this.of(purpose).line);
    return [...new Set(here.filter((line) => line > 0))].sort((a, b) => a - b);
  }
}

/** "phase", and of two that count rounds "rounds 1" and "rounds 2": their own names only keep them apart in the file. */
function madeNames(variables: Trace["variables"]): Map<string, string> {
  const made = variables.filter((each) => (each.made ?? "") !== "");
  return new Map(
    made.map(({ name, made: what }) => {
      const alike = made.filter((each) => each.made === what).map((each) => each.name);
      return [name, alike.length > 1 ? `${what} ${alike.indexOf(name) + 1}` : (what as string)];
    }),
  );
}

/** The purposes of a head's values. */
export function brings(head: Head): Purpose[] {
  return head.value.flatMap((brought) => brought.for);
}

/** The purposes of what the hidden units of a layer compute; units that only carry a value are left out. */
export function computes({ units }: Pick<Layer, "units">): Purpose[] {
  return units.stages.flat().flatMap((unit) => (unit.carries ? [] : unit.for));
}

/** All purposes of a layer. */
export function purposesOf(layer: Layer): Purpose[] {
  return [...layer.heads.flatMap(brings), ...computes(layer)];
}

/** What a head does that subtracts old values. */
export const ERASES = "erasing what is no longer needed";

/** "For distance (line 27), settled (line 30).": the purposes of a part in this section, each once. */
export function implementsText(recording: Recording, purposes: readonly Purpose[], empties: boolean): string {
  const { operations } = recording;
  const section = recording.sectionOf(recording.frame);
  const here = purposes.filter((purpose) => purpose[0] === section);
  const shown = here.length > 0 ? here : purposes;
  const texts = new Set([...shown.map((purpose) => operations.text(purpose)), ...(empties ? [ERASES] : [])]);
  const late = here.length === 0 && purposes.length > 0 ? ", not used in this iteration" : "";
  return `For ${[...texts].join(", ") || "no named value"}${late}.`;
}

/** What a column of X holds, in words; of a temporary one, what the model says that it holds now. */
export function holdsText(recording: Recording, column: Column, number: number, naming: Naming | null = null): string {
  switch (column.role) {
    case "bias":
      return column.of === "global" ? "1 on row 0" : "1 on every other row";
    case "position":
      if (column.of === "quarter") return "a quarter of the square of its number, rounded down: ⌊j²/4⌋";
      return column.of === "number" ? "the number of the row: its position j" : "the square of its number: j²";
    case "class":
      return `1 on the rows of ${column.of}`;
    case "weight":
      return "the weight of each hyperedge, in units";
    case "size":
      return `how many ${column.of} there are`;
    case "input":
      return `the input ${column.of}`;
    case "state":
      return stateText(recording, column, number);
    case "ahead":
      return `for the next iteration: ${column.for.map((purpose) => recording.operations.text(purpose)).join(", ")}`;
    case "started":
      return "whether the statements before the loop are done";
    case "halt":
      return "whether the loop ends";
    case "spare":
      return "nothing: a spare column";
    default:
      return (naming && holdsNow(naming, number)) || "temporary values";
  }
}

/** "tail, line 26"; "" where nothing is known to stand there. */
function holdsNow(naming: Naming, column: number): string {
  const { recording } = naming;
  const content = naming.content(column, recording.layer, "after");
  if (content === null) return "";
  const { line } = recording.operations.of(content.purpose);
  return `${content.text}${line > 0 && content.purpose[2] !== "gate" ? `, line ${line}` : ""}`;
}

function stateText(recording: Recording, column: Column, number: number): string {
  const state = recording.trace.variables.find((each) => each.column === number && each.role === "state");
  if (!state) return `the state ${column.of}`;
  const scope = state.scope === "scalar" ? "" : ` of the ${state.scope}`;
  return `the state ${recording.shown(column.of)}: ${state.kind}${scope}${state.line > 0 ? `, line ${state.line}` : ""}`;
}
