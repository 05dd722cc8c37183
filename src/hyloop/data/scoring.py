"""Score predictions against the problems of a data set, and find the first wrong step of predicted hints."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low
from typing import Any, cast

import numpy as np

from hyloop.data.columns import Example
from hyloop.data.loaders import columns_without_hints
from hyloop.data.making import LIST
from hyloop.data.parquet import read_examples
from hyloop.data.predictions import (
    DATA_HASH,
    HINT_COLUMNS,
    OUTPUT,
    Key,
    Prediction,
    named,
    read_predictions,
    require_hash,
    require_parts,
)
from hyloop.data.problem import IntArray, Problem
from hyloop.data.read import ShardFile, hash_of_list, is_own, listed, read_list, require_content
from hyloop.data.verify import VERIFIERS, Answer, Judge, Verdict, Verifier, exactly, fault_of
from hyloop.errors import FormatError, HyloopError, HyloopWarning
from hyloop.hypergraph import shown

REFERENCE = "the compiled transformer that made the data set"


def score(
    predictions: str | Path | Iterable[Mapping[str, Any]],
    folder: str | Path,
    *,
    hints: Sequence[str] = (),
    verifiers: Mapping[str, Verifier] | None = None,
    each: bool = False,
    verify: bool = False,
) -> dict[str, Any]:
    """Score predictions: how many nodes and whole graphs are right, and the first wrong step where hints are predicted.

    Every part of the data set that has a prediction is scored as a whole: an example without one is wrong. `hints`
    names the variables whose steps are compared (default: all). `verifiers` adds some for algorithms of your own;
    without one, an answer is compared with the recorded one. `each` adds a verdict for every example. `verify` computes
    the hash of every shard that is scored from its content, and raises `FormatError` where it is another than listed.
    """
    if isinstance(hints, str) or not isinstance(cast("object", hints), Iterable):
        raise HyloopError(f"hints is a list of names of variables; given {shown(hints)}.")
    hints = tuple(hints)
    _require_order(predictions, folder)
    given = read_predictions(predictions)
    document = read_list(folder)
    _require_verifiers(verifiers, [each["name"] for each in document["plan"]["algorithms"]])
    known = hash_of_list(document)
    require_hash(given, known, folder)
    require_parts(given, document, folder)
    found = _found(document, {key[:2] for key in given})
    done: set[Key] = set()
    for about in document["shards"]:
        part = found.get((about["algorithm"], about["part"]))
        if part is not None:
            shard = listed(folder, document, about)
            if verify:
                require_content(shard, about)
            part.add(shard, given, verifiers or {}, hints or (), done)
    unknown = next((key for key in given if key not in done), None)
    if unknown is not None:
        raise FormatError(f"{folder} has no {named(unknown)}, which has a prediction.")
    _warn_of_parts_of_hints(given)
    if hints and not any(part.first_wrong for part in found.values()):
        message = f"No steps of {', '.join(hints)} are compared: the predictions have no hints ({HINT_COLUMNS[1]} ...)."
        warnings.warn(message, HyloopWarning, stacklevel=2)
    return {
        "data": str(folder),
        "hash": known,
        "verified": verify,
        "predictions": {"all": len(given), "without_hash": sum(DATA_HASH not in each for each in given.values())},
        "reference": REFERENCE,
        "parts": [part.document(each=each) for part in _in_order(found.values(), document["plan"])],
    }


def _require_verifiers(given: object, algorithms: Sequence[str]) -> None:
    """Raise unless these are functions for algorithms of the data set; None is no function."""
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise HyloopError(f"verifiers is a dictionary of functions by the names of algorithms; not {shown(given)}.")
    for name, verifier in given.items():
        if name not in algorithms:
            raise HyloopError(
                f"There is a verifier for {shown(name)}, which is not in the data set; it has {', '.join(algorithms)}."
            )
        if not callable(verifier):
            raise HyloopError(f"The verifier for {name} is a function that takes a problem; not {shown(verifier)}.")


def _warn_of_parts_of_hints(given: Mapping[Key, Prediction]) -> None:
    """Hints without one of their columns, such as `steps`, are wrong at once: somebody may have forgotten it."""
    for key, each in given.items():
        lacking = [name for name in HINT_COLUMNS if name not in each]
        if lacking and any(name in each for name in HINT_COLUMNS[1:]):
            message = f"The prediction for {named(key)} has hints and no {lacking[0]}: all of its steps count as wrong."
            warnings.warn(message, HyloopWarning, stacklevel=3)
            return


def _require_order(predictions: Any, folder: Any) -> None:
    """Raise `FormatError` where the data set comes first, and the predictions second."""
    if isinstance(predictions, str | Path) and (Path(predictions) / LIST).exists():
        raise FormatError(
            f"{predictions} is a data set, and not predictions: first come the predictions, then the folder of the "
            f"data set; given were {predictions} and {folder}."
        )


def _found(document: Mapping[str, Any], asked: set[tuple[str, str]]) -> dict[tuple[str, str], _Part]:
    there = {(each["algorithm"], each["part"]): each["split"] for each in document["shards"]}
    return {key: _Part(*key, there[key]) for key in there if key in asked}


def _in_order(parts: Iterable[_Part], plan: Mapping[str, Any]) -> list[_Part]:
    """Parts by algorithm and split, as in the plan, then by size; shards are listed by name, 160 before 80."""
    algorithms = [each["name"] for each in plan["algorithms"]]
    splits = list(dict.fromkeys(part["split"] for each in plan["algorithms"] for part in each["parts"]))
    return sorted(
        parts,
        key=lambda each: (algorithms.index(each.algorithm), splits.index(each.split), list(each.sizes), each.part),
    )


# -- a part -----------------------------------------------------------------------------------------------------------


@dataclass
class _Share:
    """How many of all are right."""

    right: int = 0
    all: int = 0

    def add(self, right: int, all_: int) -> None:
        self.right += right
        self.all += all_

    def document(self) -> dict[str, int]:
        return {"right": self.right, "all": self.all}


@dataclass
class _Tally:
    """What was right of the predictions, or of the reference."""

    nodes: _Share = field(default_factory=_Share)
    graphs: _Share = field(default_factory=_Share)
    outputs: dict[str, _Share] = field(default_factory=dict)

    def add(self, verdict: Verdict, *, there: bool = True) -> None:
        """Count a verdict; where there is no prediction, all of it is wrong."""
        self.nodes.add(int(verdict.places.sum()) * there, len(verdict.places))
        self.graphs.add(verdict.right and there, 1)
        for name, right in verdict.outputs.items():
            self.outputs.setdefault(name, _Share()).add(int(right.sum()) * there, len(right))


@dataclass
class _Part:
    """A part of a data set while it is scored."""

    algorithm: str
    part: str
    split: str
    sizes: Sequence[int] = ()
    against: str = ""
    missing: int = 0
    told: _Tally = field(default_factory=_Tally)
    reference: _Tally = field(default_factory=_Tally)
    first_wrong: list[int | None] = field(default_factory=list)
    steps: _Share = field(default_factory=_Share)
    each: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self,
        shard: ShardFile,
        given: Mapping[Key, Prediction],
        verifiers: Mapping[str, Verifier],
        hints: Sequence[str],
        done: set[Key],
    ) -> None:
        """Score the examples of a shard."""
        mine = {key: value for key, value in given.items() if key[:2] == (self.algorithm, self.part)}
        verifier = _verifier(shard, verifiers)
        self.sizes = shard.part.sizes
        self.against = "the recorded answer" if verifier is None else "the problem"
        outputs = _outputs(shard, mine)
        hinted = any("hint_step" in value for value in mine.values())
        compared = _variables(shard, hints) if hinted else np.zeros(0, np.int64)
        columns = None if hinted else columns_without_hints(shard.document)
        for example in read_examples(shard.path, columns, shard.document):
            key = (self.algorithm, self.part, int(example["number"]))
            done.add(key)
            judge = _recorded(shard, example) if verifier is None else self._judge(verifier, shard, example)
            right = self._answer(judge, outputs, key, example, mine.get(key))
            told: dict[str, Any] = {"number": key[2], "right": right}
            if hinted:
                told["first_wrong_step"] = self._hints(shard, example, mine.get(key, {}), compared)
            self.each.append(told)

    def _judge(self, verifier: Verifier, shard: ShardFile, example: Example) -> Judge:
        judge = verifier(Problem.of(shard.document, example))
        if not callable(judge):
            raise HyloopError(
                f"The verifier for {self.algorithm} gives a function that takes an answer; it gave {shown(judge)}."
            )
        return judge

    def _verdict(self, judge: Judge, answer: Answer) -> Verdict:
        verdict = judge(answer)
        if not isinstance(verdict, Verdict):
            raise HyloopError(
                f"What the verifier for {self.algorithm} says of an answer is a hyloop.data.verify.Verdict; it said "
                f"{shown(verdict)}."
            )
        if fault := fault_of(verdict, answer):
            raise HyloopError(f"The verifier for {self.algorithm} gave a verdict that is none: {fault}.")
        return verdict

    def _answer(
        self, judge: Judge, outputs: Mapping[str, str], key: Key, example: Example, prediction: Prediction | None
    ) -> bool:
        known = {name: _numbers(example[column]) for column, name in outputs.items()}
        reference = self._verdict(judge, known)
        self.reference.add(reference)
        if prediction is None:
            self.missing += 1
            self.told.add(reference, there=False)
            return False
        answer = {name: _fitting(key, prediction, column, known[name]) for column, name in outputs.items()}
        verdict = self._verdict(judge, answer)
        self.told.add(verdict)
        return verdict.right

    def _hints(self, shard: ShardFile, example: Example, prediction: Prediction, compared: IntArray) -> int | None:
        try:
            first = first_wrong_step(shard.document, example, prediction, compared)
        except FormatError as wrong:
            key = (self.algorithm, self.part, int(example["number"]))
            raise FormatError(f"The prediction for {named(key)}: {wrong}") from None
        self.first_wrong.append(first)
        steps = int(example["steps"])
        self.steps.add(steps if first is None else max(min(first - 1, steps), 0), steps)
        return first

    def document(self, *, each: bool) -> dict[str, Any]:
        """The JSON of the score."""
        wrong = [step for step in self.first_wrong if step is not None]
        hints = {
            "examples": len(self.first_wrong),
            "right": len(self.first_wrong) - len(wrong),
            "steps": self.steps.document(),
            "first_wrong_step": {"least": min(wrong), "median": median_low(wrong)} if wrong else None,
        }
        return {
            "algorithm": self.algorithm,
            "part": self.part,
            "split": self.split,
            "sizes": list(self.sizes),
            "against": self.against,
            "examples": self.told.graphs.all,
            "missing": self.missing,
            "nodes": self.told.nodes.document(),
            "graphs": self.told.graphs.document(),
            "outputs": {name: share.document() for name, share in self.told.outputs.items()},
            "reference": {"nodes": self.reference.nodes.document(), "graphs": self.reference.graphs.document()},
            **({"hints": hints} if self.first_wrong else {}),
            **({"each": self.each} if each else {}),
        }


def _verifier(shard: ShardFile, more: Mapping[str, Verifier]) -> Verifier | None:
    """The verifier of an algorithm; one of ours is for the program of ours, not for another of the same name."""
    name = shard.algorithm
    if name in more:
        return more[name]
    return VERIFIERS.get(name) if is_own(shard.document) else None


def _recorded(shard: ShardFile, example: Example) -> Judge:
    return exactly(**{each["name"]: _numbers(example[each["column"]]) for each in shard.document["outputs"]})


def _outputs(shard: ShardFile, mine: Mapping[Key, Prediction]) -> dict[str, str]:
    """The outputs that are predicted, by column."""
    there = {each["column"]: each["name"] for each in shard.document["outputs"]}
    columns = dict.fromkeys(name for value in mine.values() for name in value if name.startswith(OUTPUT))
    for column in columns:
        if column not in there:
            raise FormatError(f"{shard.algorithm} has no {column}, which is predicted; it has {', '.join(there)}.")
    if not columns:
        raise FormatError(f"The predictions for {shard.algorithm} have no outputs; there are {', '.join(there)}.")
    return {column: name for column, name in there.items() if column in columns}


def _numbers(value: Any) -> IntArray:
    return np.atleast_1d(np.asarray(value, np.int64))


def _fitting(key: Key, prediction: Prediction, column: str, known: IntArray) -> IntArray:
    if column not in prediction:
        raise FormatError(f"The prediction for {named(key)} has no {column}, which others of that part have.")
    value = _numbers(prediction[column])
    if value.shape != known.shape:
        raise FormatError(f"{column} of {named(key)} has the shape {value.shape}; expected is {known.shape}.")
    return value


# -- hints ------------------------------------------------------------------------------------------------------------


def _variables(shard: ShardFile, names: Sequence[str]) -> IntArray:
    """The numbers of the variables to compare."""
    there = [each["name"] for each in shard.document["variables"]]
    unknown = next((name for name in names if name not in there), None)
    if unknown is not None:
        raise HyloopError(f"{shard.algorithm} has no variable {unknown}; it has {', '.join(there)}.")
    return np.array([place for place, name in enumerate(there) if not names or name in names], np.int64)


def first_wrong_step(
    document: Mapping[str, Any], example: Example, prediction: Prediction, variables: IntArray
) -> int | None:
    """The first step after which a variable does not hold what it should, or None. No prediction is wrong at step 1."""
    if any(name not in prediction for name in HINT_COLUMNS):
        return 1
    both = [_changes(each, variables, document["variables"]) for each in (example, prediction)]
    rows, count = np.unique(np.concatenate(both), axis=0, return_counts=True)
    wrong = rows[count == 1, 0].tolist()  # a change that one of the two has
    ends = int(example["steps"]), int(_numbers(prediction["steps"])[0])
    if ends[0] != ends[1]:
        wrong.append(min(ends) + 1)
    return min(wrong) if wrong else None


def _changes(hints: Mapping[str, Any], variables: IntArray, about: Sequence[Mapping[str, Any]]) -> IntArray:
    """The changes of some variables as rows (step, variable, index, value), without those that change nothing."""
    rows = _hint_rows(hints, about)
    rows = rows[np.isin(rows[:, 1], variables) & (rows[:, 0] <= int(_numbers(hints["steps"])[0]))]
    rows = np.unique(rows, axis=0)  # the same change may be told twice
    rows = rows[np.lexsort((rows[:, 0], rows[:, 2], rows[:, 1]))]
    follows = np.zeros(len(rows), np.bool_)
    follows[1:] = (rows[1:, 1:3] == rows[:-1, 1:3]).all(axis=1)
    twice = np.flatnonzero(follows[1:] & (rows[1:, 0] == rows[:-1, 0]))
    if len(twice):
        (step, variable, index, one), other = rows[twice[0]].tolist(), rows[twice[0] + 1, 3]
        raise FormatError(f"after step {step}, {about[variable]['name']} at {index} has two values, {one} and {other}.")
    initial = np.array([each["initial"] for each in about], np.int64)
    before = np.where(follows, np.roll(rows[:, 3], 1), initial[rows[:, 1]])
    changes: IntArray = rows[rows[:, 3] != before]
    return changes


def _hint_rows(hints: Mapping[str, Any], about: Sequence[Mapping[str, Any]]) -> IntArray:
    """The hints as rows; raises `FormatError` for those of no step, and of no variable."""
    columns = [np.asarray(hints[name], np.int64) for name in HINT_COLUMNS[1:]]
    if len({len(column) for column in columns}) > 1:
        raise FormatError(f"the columns {', '.join(HINT_COLUMNS[1:])} have different lengths.")
    rows = np.stack(columns, axis=1)
    if (rows[:, 0] < 1).any():
        raise FormatError(f"hint_step counts from 1; given {rows[:, 0].min()}.")
    if ((rows[:, 1] < 0) | (rows[:, 1] >= len(about))).any():
        raise FormatError(f"hint_variable is the place of a variable, from 0 to {len(about) - 1}.")
    return rows
