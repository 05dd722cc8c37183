"""The GPU executor: code generated from the weights, a warp or a block of threads for each hypergraph."""

from hyloop.execute.cuda.session import start

__all__ = ["start"]
