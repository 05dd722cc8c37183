"""Lemmas proved by an SMT solver (z3), or refuted by the smallest input that it finds.

A proof is about the weights of the layer itself, in exact arithmetic, for every `Ω ≥ 1`, every number of rows, every
pointer and every entry of the declared ranges (or wider ones); on the parabola and on the circle; for the corrected
form also with every pair of columns that may coincide.

Counterexamples are searched on 1 to 4 rows with `Ω` 1, 2, 4 or 8: of a printed layer on the paper's circle (40
positions, as floating-point numbers, with the tie tolerance), of a corrected one on the parabola first. Every
counterexample is run; it is an error if the layer keeps its promise there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from hyloop.errors import HyloopError
from hyloop.machine.positions import Circle, Parabola, PositionCode
from hyloop.paper.judge import CLOSE, LAST, BrokenPromise, FormName, differences, layout_for
from hyloop.paper.lemma import Lemma, Names, Slot, Trial
from hyloop.paper.lemmas import LEMMAS
from hyloop.paper.prove_any import AnyCircle, AnyCode, AnyParabola, AnyState, EntryKind, NotProvedError, Where
from hyloop.paper.prove_promises import NOTHING, ONE
from hyloop.paper.prove_small import LemmaInstance, SmallState, has, is_flag
from hyloop.paper.prove_terms import (
    Claim,
    Term,
    at_most,
    choose,
    either,
    equal,
    less,
    minus,
    no,
    relu,
    smallest,
    times,
    total,
    unknown_integer,
    z3,
)
from hyloop.paper.prove_weights import layer_of, weights_at, weights_in

ProofStatus = Literal["proved", "refuted", "undecided"]
OMEGAS = (1, 2, 4, 8)  # of counterexamples; powers of two, so that 1/(2Ω) is a floating-point number
MOST_ROWS = 4  # of counterexamples
NUMBERS: tuple[AnyCode, ...] = (AnyParabola(), AnyCircle())
LARGEST_ENTRY = 3  # of the incidence in counterexamples, as in the judge's trials


@dataclass(frozen=True)
class LemmaProof:
    """A proof of a lemma: the kinds of entries, the ways of sharing columns, and the number of claims."""

    entries: Mapping[str, EntryKind]
    aliases: int
    claims: int


@dataclass(frozen=True)
class Refutation:
    """A refutation: the smallest input, where the layer breaks its promise, the position code, and shared columns."""

    place: BrokenPromise
    code: str
    shared: Names

    def __str__(self) -> str:
        shared = "".join(f"{slot} is {column}, " for slot, column in self.shared.items())
        return f"{shared}{self.place}"


@dataclass(frozen=True)
class Report:
    """What the solver found about a lemma in one of its forms."""

    lemma: Lemma
    form: FormName
    verdict: ProofStatus
    proof: LemmaProof | None
    refutation: Refutation | None
    seconds: float
    heads: int
    units: int

    @property
    def over(self) -> str:
        """The scope of a proof, in words."""
        sizes = "every K, c and Ω ≥ 1" if self.lemma.pointer else "every K and Ω ≥ 1"
        return "; ".join((sizes, ", ".join(self._entries())))

    def _entries(self) -> Iterator[str]:
        if self.proof is not None:
            slots: dict[str, list[str]] = {}
            for slot in self.lemma.slots_of(self.form):
                slots.setdefault(_kind(slot, self.proof.entries[slot.name]), []).append(slot.name)
            for kind, names in slots.items():
                yield f"{', '.join(names)} {kind}"
            if self.lemma.incidence:
                yield "Ã rational"

    def document(self) -> dict[str, Any]:
        """For programs."""
        document: dict[str, Any] = {
            "verdict": self.verdict,
            "counterexample": None if self.refutation is None else str(self.refutation),
            "seconds": round(self.seconds, 3),
            "heads": self.heads,
            "units": self.units,
        }
        if self.proof is None:
            codes = [self.refutation.code] if self.refutation else [code.name for code in codes_of(self.form)]
            return document | {"positions": codes, "omega": list(OMEGAS), "rows": f"at most {MOST_ROWS}"}
        return document | {
            "positions": [numbers.code.name for numbers in NUMBERS],
            "omega": "every Ω ≥ 1",
            "rows": "any number",
            "over": self.over,
            "entries": dict(self.proof.entries),
            "shared_columns": self.proof.aliases,
            "claims": self.proof.claims,
        }


@dataclass(frozen=True)
class ProofPair:
    """A lemma as printed and as corrected."""

    lemma: Lemma
    printed: Report
    corrected: Report

    @property
    def as_wanted(self) -> bool:
        """Whether the corrected form is proved, and the printed one proved or refuted."""
        return self.corrected.verdict == "proved" and self.printed.verdict != "undecided"

    def row(self) -> tuple[object, ...]:
        """For a table."""
        corrected = self.corrected
        found, over = self.printed.refutation, corrected.over if corrected.proof else corrected.refutation
        return self.lemma.name, self.printed.verdict, found, corrected.verdict, over, corrected.heads, corrected.units

    def document(self) -> dict[str, Any]:
        """For programs."""
        return {
            "lemma": self.lemma.name,
            "label": self.lemma.label,
            "says": self.lemma.says,
            "printed": self.printed.document() | {"holds_if": self.lemma.holds_if},
            "corrected": self.corrected.document() | {"correction": self.lemma.mend},
        }


COLUMNS = ("lemma", "as printed", "smallest counterexample", "corrected", "for", "heads", "units")


def prove_all(lemmas: Sequence[Lemma] = LEMMAS, progress: Callable[[int], None] = lambda _: None) -> list[ProofPair]:
    """Every lemma in both forms; `progress` is called with the number of lemmas done."""
    z3()
    pairs = []
    for lemma in lemmas:
        pairs.append(ProofPair(lemma, prove(lemma, "printed"), prove(lemma, "corrected")))
        progress(len(pairs))
    return pairs


def prove(lemma: Lemma, form: FormName) -> Report:
    """Prove a lemma on its declared range, or refute it; `undecided` if the solver can do neither."""
    z3()
    began = time.perf_counter()
    refuted = _refutation(lemma, form) if form == "printed" else None
    proof = None if refuted else proof_of(lemma, form)
    if form == "corrected" and proof is None:
        refuted = _refutation(lemma, form)
    verdict: ProofStatus = "proved" if proof else "refuted" if refuted else "undecided"
    layer = layer_of(lemma, form, layout_for(lemma, Parabola()), {})(8.0)
    seconds = time.perf_counter() - began
    return Report(lemma, form, verdict, proof, refuted, seconds, len(layer.heads), layer.mlp.width)


def _refutation(lemma: Lemma, form: FormName) -> Refutation | None:
    for code, names in product(codes_of(form), _shared(lemma, form)):
        found = counterexample(lemma, form, code, names)
        if found is not None:
            return Refutation(found, code.name, names)
    return None


def codes_of(form: FormName) -> tuple[PositionCode, ...]:
    """The position codes on which counterexamples are searched."""
    return (Circle(LAST),) if form == "printed" else (Parabola(), Circle(LAST))


def proof_of(lemma: Lemma, form: FormName) -> LemmaProof | None:
    """A proof for entries of any size; else for the declared ranges, widened slot by slot where possible."""
    slots = [slot for slot in lemma.slots_of(form) if not is_flag(slot)]
    flags: dict[str, EntryKind] = {slot.name: "flag" for slot in lemma.slots_of(form) if is_flag(slot)}
    widest = _proof(lemma, form, {**flags, **{slot.name: "any" for slot in slots}})
    if widest is not None:
        return widest
    found = _proof(lemma, form, {**flags, **{slot.name: _narrowest(slot) for slot in slots}})
    wider: tuple[EntryKind, ...] = ("any", "rational")
    for slot, kind in product(slots, wider if found else ()):
        if found is not None and found.entries[slot.name] not in {"any", kind}:
            found = _proof(lemma, form, {**found.entries, slot.name: kind}) or found
    return found


def _narrowest(slot: Slot) -> EntryKind:
    return "rational" if slot.halves else "integer"


def _shared(lemma: Lemma, form: FormName) -> Iterator[Names]:
    """The ways of sharing columns that a form allows; the paper's allows none."""
    yield {}
    if form == "corrected":
        yield from lemma.aliases


def _proof(lemma: Lemma, form: FormName, entries: Mapping[str, EntryKind]) -> LemmaProof | None:
    pointers: tuple[Where | None, ...] = (None,)
    if lemma.pointer:
        # Only the corrected form has pointers to none.
        pointers = ("row", "zero", "past") if form == "corrected" or not lemma.points_at_a_row else ("row",)
    claims = 0
    for names, numbers, where in product(_shared(lemma, form), NUMBERS, pointers):
        given = LemmaInstance(lemma, form, names, numbers.code)
        state = AnyState(given, numbers, entries, where)
        try:
            claims += state.prove(weights_in(layer_of(lemma, form, given.layout, names), state.omega))
        except NotProvedError:
            return None
    return LemmaProof(entries, len(list(_shared(lemma, form))) - 1, claims)


def counterexample(
    lemma: Lemma, form: FormName, code: PositionCode, names: Names | None = None
) -> BrokenPromise | None:
    """The smallest input that breaks the promise: fewest rows, then fewest and smallest entries."""
    given = LemmaInstance(lemma, form, names or {}, code)
    for size in range(1 if lemma.rowwise else 2, MOST_ROWS + 1):
        trials = [trial for omega, pointer in _settings(given, size) if (trial := _break(given, size, omega, pointer))]
        if trials:
            return confirmed(given, min(trials, key=_weight))
    return None


def confirmed(given: LemmaInstance, trial: Trial) -> BrokenPromise:
    """The place where the layer, run on a counterexample, breaks its promise; raises if it does not."""
    (place,) = differences(given.lemma, given.form, given.code, [trial], given.names)
    if place is None:
        what = f"{given.lemma.name} ({given.form}, {given.code.name})"
        raise HyloopError(f"The solver refutes {what} by {trial}, where its layer, when run, is right.")
    return place


def _settings(given: LemmaInstance, size: int) -> Iterator[tuple[int, int | None]]:
    lemma = given.lemma
    # As the judge draws them; and for the corrected form one past the end.
    first, past = (1, size) if given.form == "printed" else (0, size + 1)
    if not lemma.points_at_a_row:
        first, past = 0, LAST
    pointers = range(first, past) if lemma.pointer else (None,)
    build = layer_of(lemma, given.form, given.layout, given.names)
    weights = weights_at(build, 1.0)
    matters = any(slot.of_omega for slot in given.slots) or any(weights_at(build, omega) != weights for omega in OMEGAS)
    yield from product(OMEGAS if matters else OMEGAS[:1], pointers)


def _break(given: LemmaInstance, size: int, omega: int, pointer: int | None) -> Trial | None:
    """The smallest input of this size, `Ω` and pointer on which the layer breaks its promise."""
    facts: list[Claim] = []
    columns = {slot.name: _unknowns(slot, size, omega, facts) for slot in given.slots}
    matrix = _matrix(size, facts) if given.lemma.incidence else ()
    state = SmallState(given, size, columns, pointer, matrix)
    after = state.after(weights_at(layer_of(given.lemma, given.form, given.layout, given.names), float(omega)))
    margin = Fraction(CLOSE) if given.code.tie_tolerance else NOTHING
    wrong = [
        _differ(a, b, margin)
        for row, promised in zip(after, state.expected(), strict=True)
        for a, b in zip(row, promised, strict=True)
    ]
    entries = [entry for column in columns.values() for entry in column]
    edges = [entry for row in matrix for entry in row]
    sizes = [_absolute(entry) for entry in entries]
    nonzero = total(choose(equal(entry, NOTHING), NOTHING, ONE) for entry in entries)
    # Then entry by entry, positive before negative, so that there is only one smallest input.
    one_by_one = [term for entry, size in zip(entries, sizes, strict=True) for term in (size, times(-ONE, entry))]
    least = [nonzero, total(sizes), *one_by_one, total(edges), *edges]
    values = smallest(
        [*facts, either(wrong)], [term for term in least if not isinstance(term, Fraction)], entries + edges
    )
    if values is None:
        return None
    floats = [float(value) for value in values]
    found = {name: tuple(floats[k * size : (k + 1) * size]) for k, name in enumerate(columns)}
    filled = {**found, **{slot: found[column] for slot, column in given.names.items() if column in found}}
    rest = {slot.name: filled.get(slot.name, (0.0,) * size) for slot in given.lemma.slots}
    table = floats[len(entries) :]
    incidence = tuple(tuple(table[k * size : (k + 1) * size]) for k in range(size)) if matrix else ()
    return Trial(float(omega), rest, pointer, incidence)


def _unknowns(slot: Slot, size: int, omega: int, facts: list[Claim]) -> list[Term]:
    result: list[Term] = []
    unit = omega if slot.of_omega else 1
    for row in range(size):
        if not has(slot, top=row == 0):
            result.append(NOTHING)
            continue
        share = Fraction(1, 2 * omega) if slot.halves else ONE
        entry = times(share, unknown_integer(f"{slot.name}[{row}]"))
        facts += [at_most(Fraction(slot.low * unit), entry), at_most(entry, Fraction(slot.high * unit))]
        result.append(entry)
    return result


def _matrix(size: int, facts: list[Claim]) -> Sequence[Sequence[Term]]:
    rows: list[list[Term]] = [[NOTHING] * size for _ in range(size)]
    for vertex, hyperedge in product(range(1, size), repeat=2):
        rows[vertex][hyperedge] = entry = unknown_integer(f"A[{vertex},{hyperedge}]")
        facts += [at_most(NOTHING, entry), at_most(entry, Fraction(LARGEST_ENTRY))]
    return rows


def _differ(a: Term, b: Term, margin: Fraction) -> Claim:
    if not margin:
        return no(equal(a, b))
    return either((less(margin, minus(a, b)), less(margin, minus(b, a))))


def _absolute(entry: Term) -> Term:
    return total((relu(entry), relu(times(-ONE, entry))))


def _weight(trial: Trial) -> tuple[float, ...]:
    entries = [abs(entry) for values in trial.columns.values() for entry in values]
    return sum(entry != 0 for entry in entries), sum(entries), trial.pointer or 0, trial.omega


def _kind(slot: Slot, entries: EntryKind) -> str:
    if entries == "flag":
        return "0 or 1"
    if entries == "any":
        return "rational"
    unit = "Ω" if slot.of_omega else "1"
    low = "0" if slot.low == 0 else f"-{unit}" if slot.low == -1 else f"{slot.low}{unit}"
    high = unit if slot.high == 1 else f"{slot.high}{unit}"
    return f"{entries} in [{low}, {high}]"
