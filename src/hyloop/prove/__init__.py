"""Proofs that a compiled model does what its program says, for every hypergraph within its capacity."""
