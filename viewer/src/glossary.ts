/** The terms of this page: for its help and for tooltips. */
export const GLOSSARY = {
  "hypergraph, vertex, hyperedge":
    "A hypergraph has vertices and hyperedges. A hyperedge joins any number of vertices, its members; an edge of a graph joins two.",
  incidence:
    "Which vertex is a member of which hyperedge: a table with a row for each vertex and a column for each hyperedge.",
  "transformer = interpreter":
    "The interpreter runs the program statement by statement. ✓: every recorded value of the transformer equals the interpreter's, exactly. ✗: where they first differ.",
  "hash of a run":
    "The SHA-256 of all numbers of X at all recorded frames. Runs with the same numbers, recorded at the same frames, have the same hash, whoever computed them; runs with other numbers have another, unless somebody finds a collision of SHA-256, which nobody has. It says nothing of what is not in X: labels, and which vertex is in which hyperedge; nor that a model computed the numbers. Save shows it; hyloop trace prints the same, and in Python it is Trace.run_hash.",
  iteration:
    "One pass through all layers. If the program has statements before its loop, iteration 1 runs these; every later one runs the loop once; of loops inside a loop, once the one whose turn it is.",
  layer: "One step of the transformer: its attention heads, then its MLP; each adds to X.",
  head: "An attention head: every row asks with its query. The row whose key gives the best score answers with its value; where several rows tie, the average of their values. (Average-hard attention, also called hardmax: no softmax, exactly the best rows.)",
  "query, key, value":
    "Sums of columns of X, with the weights of a head. Query and key are two numbers each; a row's score for another is the sum of their products: first by first, second by second.",
  margin:
    "The difference between the best score and the next lower one. All scores of a compiled model are whole numbers, so it is at least 1, and the choice is exact. A search for the least or the greatest multiplies what it compares by a large number and subtracts the number of the row (P_1): of equal rows the lowest wins, by the distance between them. A small margin says no more than that.",
  "runner-up": "The row with the next lower score.",
  tie: "Rows with the same best score. The head averages their values, as sum ÷ count.",
  "Ã, Ãᵀ":
    "A hypergraph head multiplies what it brings by the incidence: with Ã each vertex gets the sum over its hyperedges, with Ãᵀ each hyperedge the sum over its members. Programs with directions also have heads with the tails alone, or the heads of hyperedges alone.",
  MLP: "The hidden units of a layer, in three stages. Each sums up numbers of its own row and keeps what is above 0 (ReLU); what the last stage gives, times its weights, is added to X.",
  "hidden unit":
    "One ReLU of an MLP. The page calls those of the first stage a1, a2, …, of the second b1, …, of the third c1, …. The width of an MLP is that of its widest stage.",
  implements: "The values of the program that a part computes: name, and source line.",
  erase: "A head that subtracts old values, so that new ones can be written there.",
  read: "A head that reads the value at the row to which a pointer points.",
  carry: "Hidden units that pass a value on to the next stage, unchanged.",
  obligation:
    "One of the statements that hyloop prove proves of a model, for every hypergraph that it holds, not only for this one. The page names those of the layers. The command lists the others, too: what the encoder writes, what holds before and after every iteration, and that all numbers are exact.",
  local:
    "A value that every iteration computes again. It is shown while it is in X; at the end of an iteration, as the interpreter computed it.",
  "hollow: ∞": "Vertices without a finite value, or without any, are drawn hollow.",
  "state X":
    "The transformer's state (residual stream). Row 0 is for global values. Row j is the j-th vertex and the j-th hyperedge at once: some columns are about the one, some about the other.",
  unit: "X holds lengths as whole numbers of one unit, so that they are exact: with a unit of 0.5, 7 is 3.5.",
  Ω: "The whole number that stands for an infinite length in X, shown as ∞: larger than every length of a hypergraph that the model holds.",
  "(loop)":
    "A variable that is not in the program. A transformer has one loop only; where the program has a loop inside a loop, hyloop adds variables that remember where it is. phase: which of the loops is running. rounds: how often the inner loop has run. times: how often the part after it has run. coming: the row that each() takes next. held: whether the condition of a when holds. Of several alike, each has a number.",
  "by now": "A state as the statements of this iteration have made it so far, before the iteration ends.",
  "B_global, B_local": "Columns of X: 1 on row 0 and 0 on every other row; and the reverse. Together: 1 everywhere.",
  "P_1, P_2": "Columns of X: the number of the row, and its square. With these, a head finds a row by its number.",
  started:
    "A column of X: 0 in iteration 1 if that sets up, then 1. All layers compute for the setup and for the loop at every iteration; it decides which of them assign variables.",
  halt: "A column of X: 1 when the loop ends.",
  temporary: "A column of X for temporary values; different ones in different layers.",
} as const;

/** What the page shows, before any other word: for the help, and in short for the guide. */
const FIRST_WORDS =
  "This page shows a looped transformer at work: a few layers that run again and again on one table of numbers, the " +
  "state X. A layer is attention heads and an MLP, and adds to X; an iteration is one pass through all layers. ";
const OF_COMPILED =
  "Nobody trained its weights: hyloop compiles them from a program, such as Dijkstra's algorithm, so that the transformer " +
  "computes exactly what the program does. The page shows which head and which unit does which line of it.";
const OF_UNVERIFIED =
  "The model of this run is unverified: its weights may have been edited, and nothing is proved of them. The page shows " +
  "what they compute here; which line a head or a unit is for is what the model says of itself.";
export const IN_SHORT = "A looped transformer: a few layers that run again and again on one table of numbers, X.";
export const COMPILED = "Its weights were compiled from this program, not trained.";

/** The first words of the help, about the model of a run. */
export function firstWords(isVerified: boolean): string {
  return FIRST_WORDS + (isVerified ? OF_COMPILED : OF_UNVERIFIED);
}

/** "margin: by how much ..." */
export function explained(word: keyof typeof GLOSSARY): string {
  return `${word}: ${GLOSSARY[word]}`;
}
