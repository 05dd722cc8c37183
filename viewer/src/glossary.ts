/** The terms of this page: for its help and for tooltips. */
export const GLOSSARY = {
  "transformer = interpreter":
    "The interpreter runs the program statement by statement. ✓: every recorded value of the transformer equals the interpreter's, exactly. ✗: where they first differ.",
  layer: "One step of the transformer: attention heads, then an MLP. An iteration applies every layer once.",
  head: "An attention head: every row (the query) attends to the row with the best score and reads a value there.",
  implements: "The values of the program that a part computes: name, and source line in brackets.",
  margin: "The difference between the best score and the second best. More than 0: the choice is exact.",
  erase: "A head that subtracts old values, so that new ones can be written there.",
  read: "A head that reads the value at the row to which a pointer points.",
  carry: "Hidden units that pass a value on to the next stage, unchanged.",
  local:
    "A value that every iteration computes again. It is shown while it is in X; at the end of an iteration, as the interpreter computed it.",
  "hollow: ∞": "Vertices without a finite value are drawn hollow.",
  "state X":
    "The transformer's state (residual stream): a row for each vertex and hyperedge, and row 0 for global values.",
  unit: "X holds lengths as whole numbers of one unit, so that they are exact: with a unit of 0.5, 7 is 3.5.",
  B_global: "A column of X: 1 on row 0. B_local: 1 on every other row.",
  "P_1, P_2": "Columns of X: the number of the row, and its square. With these, a head finds a row by its number.",
  started: "A column of X: whether the statements before the loop are done.",
  temporary: "A column of X for temporary values; different ones in different layers.",
} as const;

/** "margin: by how much ..." */
export function explained(word: keyof typeof GLOSSARY): string {
  return `${word}: ${GLOSSARY[word]}`;
}
