/** Why a file, an input or a run is refused: a sentence for the person who gave it. */
export class Refusal extends Error {}

/** A directed hypergraph, for an algorithm that does not tell tails from heads. */
export class DirectedRefusal extends Refusal {}
