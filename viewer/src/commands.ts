/** Command lines of hyloop that are about the model of a run. */

import { isUnverified, type Trace } from "./trace";

/**
 * What a command calls the model of a run. Its name is that of hyloop's own model, compiled anew: of a model that came
 * from a file, or that nobody vouches for, only its file says which it is.
 */
export function modelIn({ algorithm, model }: Pick<Trace, "algorithm" | "model">): string {
  const fromFile = model.verified !== undefined && model.verified !== "compiled";
  if (fromFile || algorithm.listing) return "MODEL.safetensors";
  return algorithm.shipped === false ? "PROGRAM.py" : algorithm.name;
}

/** The command that proves or refutes a model; one whose weights may have been edited is refused without being asked for. */
export function proofCommand(trace: Pick<Trace, "algorithm" | "model">): string {
  return `hyloop prove ${modelIn(trace)}${isUnverified(trace) ? " --edited" : ""}`;
}
