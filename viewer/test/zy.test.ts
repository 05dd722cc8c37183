import { it } from "vitest";
import { toldAt } from "./cases";
import { usedIn, iterationValues } from "../src/machine/iteration";
it("x", () => {
  for (const [name, i, l] of [["weighted_set_cover", 3, 5], ["subleq", 2, 5],["subleq", 2, 4], ["label_propagation", 3, 6],["label_propagation", 3, 5]] as const) {
    const e = toldAt(name, i, l);
    const p = e.recording.trace.model.layers[l - 1]!.units.stages;
    const values = iterationValues(e)!;
    const used = usedIn(e.model.program.body, values);
    for (const [s, st] of p.entries()) for (const u of st) {
      if (u.carries) continue;
      const t = u.for.filter((x) => x[0] === "body").map((x) => `${x[1]}:${e.model.program.body.ops[x[1]]!.name}(${e.model.program.body.ops[x[1]]!.operands}):${e.model.program.body.ops[x[1]]!.label}:${x[2]}${used.has(x[1])?"+":""}`);
      console.log(name, l, s, t.join(" "));
    }
  }
});
