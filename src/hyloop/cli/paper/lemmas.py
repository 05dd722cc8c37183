"""`hyloop paper lemmas`: does each lemma hold, as printed and corrected?"""

from __future__ import annotations

from typing import Annotated

import typer

from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, line, progress, table
from hyloop.errors import HyloopError
from hyloop.paper.lemmas import LEMMAS
from hyloop.paper.verdicts import TRIALS, Judged, judge_lemma


def lemmas(
    trials: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help=f"Random inputs of each size for each layer (default: {TRIALS})."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The seed of the random numbers (default: 0).")
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="No trials: let an SMT solver prove or refute each (needs z3).")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each lemma: does it hold as printed, what is the smallest counterexample found, what does the correction need?

    Printed layers run on the paper's circle (with a tie tolerance), corrected ones on the parabola, exactly, and again
    with every pair of columns that may coincide. With --prove, the layers' weights are passed to z3 instead:
    a proof holds for every number of rows, every Ω ≥ 1 and every entry of the range shown, on both position codes.

    Examples:
      hyloop paper lemmas
      hyloop paper lemmas --prove
    """
    if prove:
        if (trials, seed) != (None, None):
            raise HyloopError("A proof runs no trials: leave out --trials and --seed, or --prove.")
        _prove(json=json, quiet=quiet)
        return
    judged = []
    with progress("trying", len(LEMMAS), wanted=not quiet) as tell:
        for done, lemma in enumerate(LEMMAS, start=1):
            judged.append(judge_lemma(lemma, TRIALS if trials is None else trials, seed or 0))
            tell(done)
    if json:
        as_json([each.document() for each in judged])
    else:
        columns = ("lemma", "as printed", "it holds if", "smallest counterexample found", "corrected", "heads", "units")
        table("The lemmas of the paper", columns, [_row(each) for each in judged], right=("heads", "units"))
    if not all(each.corrected_holds for each in judged):
        raise typer.Exit(1)


def _row(each: Judged) -> tuple[object, ...]:
    printed = "holds" if each.printed.holds else f"fails, {each.printed.failures} of {each.printed.trials}"
    corrected = f"holds, {each.trials} trials" if each.corrected_holds else "FAILS"
    return each.lemma.name, printed, each.lemma.holds_if, each.printed.smallest, corrected, each.heads, each.units


def _prove(*, json: bool, quiet: bool) -> None:
    from hyloop.paper import prove as proofs  # slow to import
    from hyloop.prove.solver import leave_interrupts_to_python

    leave_interrupts_to_python()
    with progress("proving", len(LEMMAS), wanted=not quiet) as tell:
        found = proofs.prove_all(LEMMAS, tell)
    if json:
        as_json([each.document() for each in found])
    else:
        rows = [each.row() for each in found]
        table("The lemmas of the paper, proved or refuted", proofs.COLUMNS, rows, right=("heads", "units"))
        seconds = sum(each.printed.seconds + each.corrected.seconds for each in found)
        line(f"z3 took {seconds:.1f} s. Counterexamples were run and do break the promise.")
    if not all(each.as_wanted for each in found):
        raise typer.Exit(1)
