"""Proofs that a compiled model does what its program says, for every hypergraph within its capacity.

>>> import hyloop
>>> from hyloop.prove import prove
>>> prove(hyloop.compile("levels")).answer
'proved'
"""

from hyloop.prove.counterexample import BadRow, BadRun, bad_row, bad_run
from hyloop.prove.decide import Decision, Decisions, decide_all
from hyloop.prove.proof import ASSUMPTIONS, HeadReport, Proof, prove
from hyloop.prove.report import Failure, Part, document, failure_of, parts, save_proved, second_opinions, write_scripts
from hyloop.prove.solver import Obligation, Outcome
from hyloop.prove.work import Verdict

__all__ = [
    "ASSUMPTIONS",
    "BadRow",
    "BadRun",
    "Decision",
    "Decisions",
    "Failure",
    "HeadReport",
    "Obligation",
    "Outcome",
    "Part",
    "Proof",
    "Verdict",
    "bad_row",
    "bad_run",
    "decide_all",
    "document",
    "failure_of",
    "parts",
    "prove",
    "save_proved",
    "second_opinions",
    "write_scripts",
]
