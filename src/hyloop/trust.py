"""How far a model from a file is trusted: its program is compiled again and compared, or it has been proved here.

A hash detects damage, not forgery: whoever changes a capacity can compute the hash anew. But builds are reproducible:
the program in a file, compiled with the options in the file, must give the model in the file. The result is remembered
(`known.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from hyloop._version import __version__
from hyloop.compiler.compile import compile_again
from hyloop.compiler.effort import TooMuchError
from hyloop.compiler.verify import CompilerError
from hyloop.errors import HyloopError
from hyloop.known import is_known, remember
from hyloop.lang.program import Program
from hyloop.machine.files import model_hash
from hyloop.machine.layout import state_column
from hyloop.machine.model import Model, Verified
from hyloop.strict import printable

OTHER = "its program compiles to another model"
OF_COMPILER: tuple[Verified, ...] = ("compiled", "reproduced")  # said of what a program compiles to


@dataclass(frozen=True)
class Standing:
    """How far a model is trusted, and if it is not, why."""

    verified: Verified
    doubt: str = ""
    reproduced: bool = False  # whether its program compiles to it


def standing(model: Model, written_by: str = __version__) -> Standing:
    """Check whether a model is what its program compiles to; `written_by` is the version that its file names."""
    known = model_hash(model)
    doubt = "" if is_known("reproduced", known) else _doubt(model, known)
    if not doubt:
        remember("reproduced", known)
    if is_known("proved", known):  # the stronger word, in whatever order they were earned
        return Standing("proved", reproduced=not doubt)
    if not doubt:
        return Standing("reproduced", reproduced=True)
    if written_by != __version__:
        doubt = f"hyloop {_short(written_by)} has written it, and in hyloop {__version__} {doubt}"
    return Standing("unverified", doubt)


def is_compiled(model: Model) -> bool:
    """Whether a model is what its program compiles to, be it proved or not."""
    return model.verified in OF_COMPILER or not _doubt(model, model_hash(model))


def _doubt(model: Model, known: str) -> str:
    """Why a model is not what its program compiles to; empty if it is."""
    if model.built is None:
        return "it does not say how it was compiled"
    try:
        program = model.parsed
        if not _columns_of(program) <= {column.name for column in model.layout.columns}:
            return OTHER
        again = compile_again(program, model)
    except TooMuchError:
        return "its program is too large to be compiled again here"
    except (HyloopError, CompilerError) as wrong:
        return f"its program does not compile to a model of its capacity ({_short(str(wrong))})"
    except RecursionError:
        return "its program is nested too deeply to be compiled"
    return "" if again is not None and model_hash(again) == known else OTHER


def _columns_of(program: Program) -> set[str]:
    """Columns that every model of a program has."""
    return {state_column(state.name) for state in program.states}


def _short(text: str) -> str:
    return printable(" ".join(text.split()), 200)
