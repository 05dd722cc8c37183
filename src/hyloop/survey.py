"""Checks on many hypergraphs, given or random: what was found, and how much was tested.

A hypergraph on which something is wrong is reported, and the check continues with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, Literal, cast

from hyloop import answers
from hyloop.batch import in_parallel, portable, require_processes, unpacked
from hyloop.compare import Checked, compare
from hyloop.compiler.compile import compile_program
from hyloop.errors import HyloopError
from hyloop.execute.array_text import array_text
from hyloop.execute.backends import BACKENDS
from hyloop.execute.decode import Reader
from hyloop.execute.given import kinds_of, settled
from hyloop.execute.prepare import prepare, program_of, require_direction
from hyloop.hypergraph import Hypergraph, shown
from hyloop.hypergraph.values import as_python, is_integer, require_flags, require_progress
from hyloop.interop import as_hypergraph
from hyloop.io import edge_list, hif
from hyloop.lang import Algorithm
from hyloop.lang.program import Program
from hyloop.machine.model import Model
from hyloop.numbers import counted, plural, written
from hyloop.result import Result, inputs_in_json
from hyloop.sampling import (
    ALL_CONNECTED,
    ALL_GRAPHS,
    Case,
    Condition,
    Draw,
    Drawn,
    can_be_fixed,
    draw_cases,
    with_inputs,
)

MANY = 400  # inputs of a check that are worth several processes
Wrong = Literal["differs", "did not stop", "another answer", "refused"]


@dataclass(frozen=True)
class Finding:
    """A hypergraph on which something is wrong, with its inputs, and what it is.

    `wrong` is "differs" (the transformer has another value than the program), "did not stop" (the program, within its
    `at_most`), "another answer" (than the user's own), or "refused" (it cannot be run at all).
    """

    wrong: Wrong
    name: str
    told: str
    hypergraph: Hypergraph
    inputs: Mapping[str, Any]
    number: int | None = None  # that of a random hypergraph
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # of the inputs

    def __str__(self) -> str:
        return f"{self.name}, {_inputs(self.inputs)}: {self.told}"

    @property
    def edge_list(self) -> str:
        """The hypergraph, to be kept in a file and read again."""
        return "".join(edge_list.write(self.hypergraph))

    @property
    def hif(self) -> str:
        """The same in HIF, which has directions."""
        return "".join(hif.write(self.hypergraph))

    def document(self) -> dict[str, Any]:
        """As JSON."""
        inputs = inputs_in_json(self.inputs, self.kinds)
        about = {"wrong": self.wrong, "hypergraph": self.name, "inputs": inputs, "told": self.told}
        if self.number is None:
            return about
        return {**about, **({"hif": self.hif} if self.hypergraph.directed else {"edge_list": self.edge_list})}


@dataclass(frozen=True)
class Survey:
    """What checks on many hypergraphs found, and how much they tested.

    `changed` counts the runs in whose loop a state changed, `distinct` the different inputs,
    `answered` those that were compared with the user's own answer. `largest_weight` is in integer units.
    """

    algorithm: str
    inputs: int
    iterations: int
    shortest: int
    longest: int
    compared: int
    changed: int
    distinct: int
    answered: int
    vertices: int
    hyperedges: int
    largest_weight: int
    findings: tuple[Finding, ...] = ()
    tried: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    given: Mapping[str, Any] | None = None  # the inputs of a single hypergraph
    verified: str = "compiled"  # how far the model's weights are trusted
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # of the inputs

    @property
    def agrees(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def count(self, wrong: Wrong) -> int:
        """How many findings there are of a kind."""
        return sum(each.wrong == wrong for each in self.findings)

    def __str__(self) -> str:
        return f"{self.verdict}\n{self.tested}"

    @property
    def verdict(self) -> str:
        """In a sentence: what was found, on how many hypergraphs."""
        given = f" ({_inputs(self.given)})" if self.given else ""
        many = f"{self.inputs:,} hypergraph{'s' * (self.inputs != 1)}{given}"
        work = f"{plural(self.iterations, 'iteration')}, {plural(self.compared, 'value')} compared"
        return f"{self.algorithm}: {self._found()} on {many}, {work}."

    def _found(self) -> str:
        found = [f"{self.count('differs'):,} difference{'s' * (self.count('differs') != 1)}"]
        if self.answered or self.count("another answer"):
            other = self.count("another answer")
            found.append(f"{other:,} other answer{'s' * (other != 1)}")
        found += [f"{self.count(kind):,} {kind}" for kind in ("did not stop", "refused") if self.count(kind)]
        return ", ".join(found)

    @property
    def tested(self) -> str:
        """In a sentence or two: how much was tested."""
        share = f"{self.changed:,} of {self.inputs:,} runs"
        weight = counted(self.largest_weight)
        sizes = f"up to {self.vertices:,} vertices, {self.hyperedges:,} hyperedges and weight {weight}"
        answered = f" {self.answered:,} runs were compared with your own answer." if self.answered else ""
        return (
            f"The loop changed a state in {share}; {self.shortest:,} to {plural(self.longest, 'iteration')} a run; "
            f"{self.distinct:,} different inputs, {sizes}.{answered}"
        )

    def document(self) -> dict[str, Any]:
        """As JSON."""
        apart = ("findings", "rejected", "remarks", "given", "kinds")
        given = {} if self.given is None else {"given": inputs_in_json(self.given, self.kinds)}
        return {
            "agrees": self.agrees,
            **{key: value for key, value in vars(self).items() if key not in apart},
            **given,
            "difference": str(self.findings[0]) if self.findings else None,
            "rejected": dict(self.rejected),
            "remarks": list(self.remarks),
            "findings": [each.document() for each in self.findings],
        }


def check_random(
    algorithm: str | Algorithm | Program | Model,
    count: int,
    *,
    seed: int = 0,
    graphs: bool = False,
    connected: bool = False,
    where: Callable[[Hypergraph], bool] | None = None,
    inputs: Mapping[str, Any] | None = None,
    against: Callable[..., Mapping[str, Any]] | None = None,
    backend: str = "dense",
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Check an algorithm on `count` random hypergraphs, as `hyloop.check` does on one.

    Inputs are random, but for those in `inputs`: numbers and flags that are the same in every run.
    Only on graphs (all hyperedges of two vertices), on connected hypergraphs, or on those of which `where` says True.
    `against(hypergraph, **inputs)` is an answer of your own, a dictionary of outputs; see `hyloop.answers`.

    >>> import hyloop
    >>> found = hyloop.check_random("bfs", 20, connected=True, where=lambda h: len(h.vertices) > 1)
    >>> found.agrees, found.inputs
    (True, 20)
    """
    count, seed = _whole(count, "count"), _whole(seed, "seed")
    if count == 0:
        raise HyloopError("Nothing is compared on 0 hypergraphs; ask for 1 or more.")
    require_progress(progress, "inputs")
    if not isinstance(cast("object", inputs), Mapping | None):
        raise HyloopError(f"inputs is a dictionary of values by the names of inputs; not {shown(inputs)}.")
    require_flags(graphs=graphs, connected=connected)
    model = model_of(algorithm)
    drawn = draw_cases(model, count, seed, conditions(graphs=graphs, connected=connected, where=where), fixed=inputs)
    return survey(model, drawn, against=against, backend=backend, processes=processes, progress=progress)


def check_many(
    algorithm: str | Algorithm | Program | Model,
    hypergraphs: Iterable[object],
    *,
    seed: int = 0,
    against: Callable[..., Mapping[str, Any]] | None = None,
    backend: str = "dense",
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Check an algorithm on several hypergraphs, as `hyloop.check` does on one; see `check_random` for the rest.

    Each is a hypergraph, or a pair of a hypergraph and a dictionary of inputs. Inputs that are not given are random.
    """
    seed = _whole(seed, "seed")
    require_progress(progress, "inputs")
    model = model_of(algorithm)
    listed: object = hypergraphs
    if not isinstance(listed, Iterable) or getattr(listed, "ndim", None) == 0:
        raise HyloopError(f"Several hypergraphs are needed, as a list or an iterator; not {shown(listed)}.")
    cases = []
    for place, item in enumerate(hypergraphs):
        thing, inputs = item if isinstance(item, tuple) and len(item) == 2 else (item, {})
        if not isinstance(inputs, Mapping):
            raise HyloopError(f"The inputs of a hypergraph are given by name, in a dictionary; not as {shown(inputs)}.")
        h = as_hypergraph(thing)
        require_direction(program_of(model), h)
        # As they are now: an iterator may write the next ones into the same array.
        cases.append((f"hypergraph {place}", h, deepcopy(settled(program_of(model), h, inputs))))
    return survey(
        model,
        Drawn(completed(model, cases, seed)),
        against=against,
        backend=backend,
        processes=processes,
        progress=progress,
    )


def _whole(value: object, what: str) -> int:
    if not is_integer(value) or value < 0:
        raise HyloopError(f"The {what} is a whole number of at least 0, not {as_python(value)}.")
    return int(value)


def model_of(algorithm: str | Algorithm | Program | Model) -> Model:
    """A model, compiled if it is none yet."""
    return algorithm if isinstance(algorithm, Model) else compile_program(program_of(algorithm))


def conditions(
    *, graphs: bool, connected: bool, where: Callable[[Hypergraph], bool] | None, name: str = ""
) -> tuple[Condition, ...]:
    """The conditions on random hypergraphs; the fast ones first."""
    own = () if where is None else (Condition(name or answers.name_of(where), partial(answers.holds, where)),)
    return (*((ALL_GRAPHS,) if graphs else ()), *((ALL_CONNECTED,) if connected else ()), *own)


def completed(model: Model, items: Iterable[tuple[str, Hypergraph, Mapping[str, Any]]], seed: int) -> tuple[Case, ...]:
    """Hypergraphs with the inputs that they lack, drawn at random; those without a candidate are left out."""
    program = program_of(model)
    found = []
    for place, (name, h, inputs) in enumerate(items):
        case = with_inputs(model, program, name, h, Draw(2 * seed + 1, place))
        if case is not None or len(inputs) == len(program.inputs):
            drawn, padding = (case.inputs, case.padding) if case is not None else ({}, 0)
            found.append(Case(name, h, {**drawn, **inputs}, padding))
    return tuple(found)


# -- all of them ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _CaseOutcome:
    """What the check of one case gives; `refused` says why there was none."""

    checked: Checked | None
    heaviest: int
    result: Result | None
    refused: str = ""


def survey(
    model: Model,
    drawn: Drawn,
    *,
    against: Callable[..., Mapping[str, Any]] | None = None,
    backend: str = "dense",
    processes: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Check a model on all cases. Only this process draws inputs and calls the user's functions."""
    if backend not in BACKENDS:
        raise HyloopError(f"There is no executor {shown(backend)}; there are {', '.join(BACKENDS)}.")
    require_processes(processes)
    if not drawn.cases:
        raise HyloopError(f"Nothing was compared: {model.name} needs a vertex or hyperedge, and there is none.")
    # Few inputs are checked sooner than other processes have started.
    processes = 1 if processes is None and len(drawn.cases) < MANY else processes
    packed, kinds = portable(model), kinds_of(program_of(model))
    tasks = ((packed, case, backend, against is not None) for case in drawn.cases)
    outcomes: list[_CaseOutcome] = []
    findings: list[Finding] = []
    for case, outcome in zip(drawn.cases, in_parallel(_one, tasks, processes), strict=True):
        outcomes.append(outcome)
        findings += _judged(case, outcome, against, kinds)
        if progress is not None:
            progress(len(outcomes))
    return _summary(model, drawn, outcomes, sorted(findings, key=_size), answered=against is not None)


def _one(packed: bytes, case: Case, backend: str, wants_result: bool) -> _CaseOutcome:
    model = unpacked(packed)
    assert isinstance(model, Model)
    try:
        given = prepare(program_of(model), case.hypergraph, case.inputs)
        reader = Reader(model, given) if wants_result else None
        watch = None if reader is None else (lambda X, step: reader.read(lambda: X, step.iteration, halted=step.halted))
        checked = compare(model, given, padding=case.padding, backend=backend, watch=watch)
    except HyloopError as refused:
        return _CaseOutcome(None, 0, None, str(refused))
    ended = reader is not None and checked.agrees and checked.stopped
    result = reader.result(backend, model.verified) if ended and reader is not None else None
    return _CaseOutcome(checked, given.heaviest if len(given.weights) else 0, result)


def _judged(
    case: Case, outcome: _CaseOutcome, against: Callable[..., Any] | None, kinds: Mapping[str, str]
) -> list[Finding]:
    """What is wrong with a case: nothing, or one thing."""
    checked, about = outcome.checked, (case.hypergraph, case.inputs, case.number, kinds)
    if checked is None:
        return [Finding("refused", case.name, outcome.refused, *about)]
    if checked.difference is not None:
        return [Finding("differs", case.name, str(checked.difference), *about)]
    if not checked.stopped:
        within = f"it did not stop within the {plural(checked.iterations, 'iteration')} that it declares (`at_most`)."
        told = checked.never or within
        return [Finding("did not stop", case.name, told, *about)]
    if against is None or outcome.result is None:
        return []
    about_it = f"{case.name}, {_inputs(case.inputs)}, {answers.in_short(case.hypergraph)}"
    answer = answers.ask(against, about_it, case.hypergraph, deepcopy(case.inputs))  # which it may change
    with answers.blamed(against, about_it, HyloopError):  # what it returned may do anything when it is compared
        differ = list(answers.disagreements(outcome.result, answer, against))
        first = str(differ[0]) if differ else ""
    if not differ:
        return []
    more = f" ({len(differ) - 1:,} more)" if len(differ) > 1 else ""
    return [Finding("another answer", case.name, f"{first}{more}.", *about)]


def _summary(
    model: Model, drawn: Drawn, outcomes: Sequence[_CaseOutcome], findings: Sequence[Finding], *, answered: bool
) -> Survey:
    done = [each.checked for each in outcomes if each.checked is not None]
    iterations = [each.iterations for each in done]
    changed = sum(each.changed for each in done)
    remarks = drawn.remarks
    if len(done) > 1 and changed < len(done) / 2:
        fixable = [each.name for each in program_of(model).inputs if can_be_fixed(each.type)]
        how = f": --input {fixable[0]}=VALUE is the same for all (in Python, inputs=)" if fixable else ""
        remarks += (
            f"In most runs the loop changed nothing: this says little. Choose inputs on which it does something{how}.",
        )
    return Survey(
        model.name,
        inputs=len(outcomes),
        iterations=sum(iterations),
        shortest=min(iterations, default=0),
        longest=max(iterations, default=0),
        compared=sum(each.compared for each in done),
        changed=changed,
        distinct=len({_key(case) for case in drawn.cases}),
        answered=sum(each.result is not None for each in outcomes) if answered else 0,
        vertices=max(len(case.hypergraph.vertices) for case in drawn.cases),
        hyperedges=max(len(case.hypergraph.hyperedges) for case in drawn.cases),
        largest_weight=max(each.heaviest for each in outcomes),
        findings=tuple(findings),
        tried=drawn.tried,
        rejected=drawn.rejected,
        remarks=remarks,
        given=drawn.cases[0].inputs if len(drawn.cases) == 1 else None,
        verified=model.verified,
        kinds=kinds_of(program_of(model)),
    )


def _size(each: Finding) -> int:
    """Random hypergraphs are shown small ones first; files in their order, before them."""
    h = each.hypergraph
    return 0 if each.number is None else 1 + len(h.vertices) + len(h.hyperedges) + len(h.incidence.indices)


def _inputs(inputs: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {input_text(value)}" for name, value in inputs.items()) or "no inputs"


def input_text(value: object) -> str:
    """An input as `--input` takes it."""
    if isinstance(value, Mapping):
        return array_text(value)
    return written(value) if isinstance(value, Fraction) else str(value)


def _key(case: Case) -> tuple[object, ...]:
    h = case.hypergraph
    ends = (tuple(map(side, h.hyperedges)) for side in (h.members_of, h.tails_of, h.heads_of))
    return h.vertices, h.hyperedges, *ends, h.weights, tuple(map(_hashed, case.inputs.items()))


def _hashed(given: tuple[str, Any]) -> tuple[str, Any]:
    name, value = given
    return name, repr(value) if isinstance(value, Mapping) or not isinstance(value, Hashable) else value
