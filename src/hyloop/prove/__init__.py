"""Proofs that a compiled model does what its program says, for every hypergraph within its capacity.

>>> import hyloop
>>> from hyloop.prove import prove
>>> prove(hyloop.compile("levels")).answer
'proved'
"""

from hyloop.prove.counterexample import BadRow, BadRun, bad_row, bad_run
from hyloop.prove.proof import ASSUMPTIONS, HeadReport, Proof, prove
from hyloop.prove.solver import Obligation, Outcome
from hyloop.prove.work import Verdict

__all__ = [
    "ASSUMPTIONS",
    "BadRow",
    "BadRun",
    "HeadReport",
    "Obligation",
    "Outcome",
    "Proof",
    "Verdict",
    "bad_row",
    "bad_run",
    "prove",
]
