/** What the words of this page mean: in its help, and where one points at a word. */
export const GLOSSARY = {
  "transformer = interpreter":
    "The interpreter runs the program statement by statement. ✓: every value that was recorded of the transformer is the interpreter's, exactly. ✗: where they first differ.",
  layer: "One step of the transformer: its heads look, then its MLP computes. All layers once are an iteration.",
  head: "A part of a layer that looks from every row at one row (attention) and brings a value from there.",
  implements: "What of the program a part computes: the name, and the source line in brackets.",
  margin: "By how much the chosen row's score beats the runner-up's. More than 0: the choice is exact.",
  erase: "A head that takes old values away, so that new ones can be written there.",
  read: "A head that fetches the value at the row to which a pointer points.",
  carry: "Hidden units that pass a value on to the next stage, unchanged.",
  local:
    "A value that the program computes anew in each iteration. It is shown while it stands in X; at the end of an iteration, as the interpreter computed it.",
  "hollow: ∞": "Vertices without a finite value are drawn hollow.",
  "state X":
    "All numbers that the transformer keeps: a row for each vertex and hyperedge, and row 0 for what is global.",
  unit: "X holds lengths as whole numbers of one unit, so that they are exact: with a unit of 0.5, 7 is 3.5.",
  B_global: "A column of X: 1 on row 0. B_local: 1 on every other row.",
  "P_1, P_2": "Columns of X: the number of the row, and its square. With these, a head finds a row by its number.",
  started: "A column of X: whether the statements before the loop are done.",
  temporary: "A column of X that holds values in passing; different ones in different layers.",
} as const;

/** "margin: by how much ..." */
export function explained(word: keyof typeof GLOSSARY): string {
  return `${word}: ${GLOSSARY[word]}`;
}
