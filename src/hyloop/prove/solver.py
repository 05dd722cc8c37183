"""Obligations, and the solvers that discharge them: z3, and cvc5 for a second opinion.

An obligation is a goal and facts. It is proved when the solver answers that there are no values for which all facts
hold and the goal does not. Values that it does find are checked here, in Python, before they are used.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from hyloop.errors import HyloopError
from hyloop.prove.terms import TRUE, Formula, Term, Valuation, at_most, atoms_of, conjunction, negation, to_smt

ProofAnswer = Literal["proved", "refuted", "undecided"]
SMALL = (3, 8)  # upper bounds of the symbols that are tried first, for hard questions
TIME = 20_000  # milliseconds: the solver's timeout for one obligation


@dataclass(frozen=True, eq=False)
class Obligation:
    """A statement to prove. `layer` (from 1, 0: the encoder, None: the whole) and `part` say where it belongs."""

    layer: int | None
    part: str
    says: str
    goal: Formula
    facts: tuple[Formula, ...] = field(repr=False, default=())
    compares: tuple[Term, Term] | None = field(repr=False, default=None)  # what is found, and what should be
    lemmas: tuple[Formula, ...] = field(repr=False, default=())  # those of the facts that hold for all products

    @property
    def is_trivial(self) -> bool:
        """Whether simplification alone has decided it."""
        return self.goal is TRUE

    @cached_property
    def script(self) -> str:
        """The question to a solver: `unsat` means proved."""
        return self.question(exact_products=False)

    def question(self, *, exact_products: bool, most: int | None = None) -> str:
        """The question, with products of two terms exact, or as symbols constrained by the facts alone.

        `most` asks for a small counterexample: no symbol exceeds it.
        """
        where = "encoder" if self.layer == 0 else "whole" if self.layer is None else f"layer {self.layer}"
        comment = f"{where}, {self.part}: {self.says}\nunsat: proved for all values"
        asked = [*self.facts, negation(self.goal)]
        if most is not None:
            symbols = [atom for atom in atoms_of(asked) if atom.kind in {"variable", "function"} and atom.low >= 0]
            asked += [at_most(atom, most) for atom in symbols]
        return to_smt(asked, comment=comment, exact_products=exact_products)


@dataclass(frozen=True)
class Outcome:
    """The answer to an obligation, and how long it took; the values refute it if there are any."""

    answer: ProofAnswer
    values: Valuation | None = None
    seconds: float = 0.0


def discharge(obligation: Obligation, *, milliseconds: int = TIME) -> Outcome:
    """Ask z3."""
    if obligation.goal is TRUE:
        return Outcome("proved")
    outcome = ask(obligation.script, milliseconds=milliseconds)
    if outcome.answer != "refuted" or refutes(outcome.values, obligation):
        return outcome
    # The counterexample used symbols for products: ask again with exact products, on few rows first.
    for most in (*SMALL, None):
        outcome = ask(obligation.question(exact_products=True, most=most), milliseconds=milliseconds)
        if outcome.answer == "refuted" and refutes(outcome.values, obligation):
            return outcome
    return outcome if outcome.answer == "proved" else Outcome("undecided")


def proves(obligation: Obligation) -> bool:
    """Whether z3 proves it with symbols for products. Searches for a bound ask this: they need no counterexample, and
    where exact products are needed to decide, the solver takes seconds.
    """
    return obligation.goal is TRUE or ask(obligation.script, values=False).answer == "proved"


def refutes(values: Valuation | None, obligation: Obligation) -> bool:
    """Whether the values are a counterexample: all facts hold, the goal does not."""
    if values is None:
        return False
    claim = conjunction(*obligation.facts, negation(obligation.goal))
    return values.of([claim]).formula(claim)


def ask(script: str, *, milliseconds: int = TIME, values: bool = True) -> Outcome:
    """The answer of z3 to a script. Reading the values that refute it takes long: without `values` it has none."""
    z3 = library()
    began = time.perf_counter()
    solver = z3.SimpleSolver()
    solver.set("timeout", milliseconds)
    solver.from_string(script)
    answer = str(solver.check())
    seconds = time.perf_counter() - began
    if answer == "unsat":
        return Outcome("proved", None, seconds)
    if answer != "sat":
        return Outcome("undecided")
    return Outcome("refuted", _values(solver.model()) if values else None, seconds)


def library() -> Any:
    """The module z3, an optional package."""
    try:
        return importlib.import_module("z3")
    except ImportError:
        raise HyloopError("Proofs need the solver z3: pip install 'hyloop[prove]', or pip install z3-solver.") from None


def leave_interrupts_to_python() -> None:
    """Let Python handle Ctrl-C: z3 would catch it during a question, and lose both the answer and the interrupt."""
    library().set_param("ctrl_c", False)


def _values(model: Any) -> Valuation:
    variables: dict[str, int] = {}
    functions: dict[str, Mapping[int, int]] = {}
    for declared in model.decls():
        value = model[declared]
        if declared.arity():
            functions[declared.name()] = _Table(value)
        elif hasattr(value, "as_long"):  # a symbol that the script defines has its definition instead
            variables[declared.name()] = value.as_long()
    return Valuation(variables, functions)


class _Table(Mapping[int, int]):
    """A function as the solver gives it: some entries, and one value elsewhere."""

    def __init__(self, interpretation: Any) -> None:
        entries = (interpretation.entry(number) for number in range(interpretation.num_entries()))
        self._entries: dict[int, int] = {each.arg_value(0).as_long(): each.value().as_long() for each in entries}
        self._elsewhere: int = interpretation.else_value().as_long()

    def __getitem__(self, key: int) -> int:
        return self._entries.get(key, self._elsewhere)

    def __iter__(self) -> Iterator[int]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def second_opinion(script: str, *, milliseconds: int = TIME) -> ProofAnswer:
    """The answer of cvc5 to a script."""
    try:
        cvc5 = importlib.import_module("cvc5")
    except ImportError:
        raise HyloopError("A second opinion needs the solver cvc5: pip install cvc5.") from None
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, symbols)) or answer
    return {"unsat": "proved", "sat": "refuted"}.get(answer.strip(), "undecided")  # type: ignore[return-value]
