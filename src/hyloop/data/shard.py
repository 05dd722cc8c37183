"""Make one shard, in any process: draw its hypergraphs and inputs, run them, write the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from hyloop import io
from hyloop._version import __version__
from hyloop.atomic import write_whole
from hyloop.batch import unpacked
from hyloop.data.columns import (
    FEATURES,
    Example,
    add_to_hash,
    columns_of,
    example_of,
    hash_of_shard,
    inputs_document,
    outputs_document,
)
from hyloop.data.fits import SAFE
from hyloop.data.generators import draw_of, random_hypergraph
from hyloop.data.hints import Hinted, hinted
from hyloop.data.parquet import FORMAT, VERSION, Writer, content_hash, read_document
from hyloop.data.plan import Part, Shard
from hyloop.data.record import record
from hyloop.errors import CapacityError, HyloopError
from hyloop.execute.encode import largest
from hyloop.execute.prepare import Given, program_of
from hyloop.hypergraph import Hypergraph, Integers
from hyloop.hypergraph_batch import Draw
from hyloop.lang.kinds import SCOPE_OF, Kind, Scope
from hyloop.lang.matrices import uses_direction
from hyloop.lang.program import Input, Program

COUNTS, LENGTHS = (1, 1, 1, 2), tuple(range(1, 11))  # inputs that are counts or lengths are one of these
FOUND = ("examples", "left_out", "steps", "longest", "changes", "hash")  # of metadata: what its examples gave
INPUTS = 2000  # the numbers of draws for inputs begin here


def make_shard(folder: str, shard: Shard) -> dict[str, Any]:
    """Write a shard, unless it is there and is what its hash says; gives the summary of it."""
    path = Path(folder) / shard.path
    if path.exists():
        return _kept(path, shard.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():  # writing follows links, out of the folder
        raise HyloopError(f"{path} is a link to a file that is not there: delete it, and run the command once more.")
    try:
        write_whole(path, _Making(shard).pieces())
    except FileNotFoundError:
        # Another run made the same data set in this folder, and removed what it took for leftovers at its end.
        if not path.exists():
            raise
    return summary(path, shard.path)


def _kept(path: Path, name: str) -> dict[str, Any]:
    """The summary of a shard that is there; raises for one with other content than its hash says."""
    document = read_document(path)
    if content_hash(path, document) != document["hash"]:
        raise HyloopError(f"{path}: its content is not what its hash says; delete it, and run the command once more.")
    return summary_of(document, name)


def summary(path: Path, name: str) -> dict[str, Any]:
    """What the list of a data set's shards says of one."""
    return summary_of(read_document(path), name)


def summary_of(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The same, from the metadata of the shard."""
    told = {key: document[key] for key in FOUND}
    return {
        "path": name,
        "algorithm": document["algorithm"]["name"],
        "part": document["part"]["name"],
        "split": document["part"]["split"],
        **told,
    }


def examples_of(shard: Shard) -> Iterator[tuple[int, Example | None]]:
    """The examples of a shard by number; None for one that is left out."""
    what = _hinted(shard.program)
    for number in range(shard.first, shard.last):
        given = given_of(what.original, shard.part, number)
        recorded = None if given is None else record(what, given, shard.limit)
        if given is None or recorded is None:
            yield number, None
        else:
            generator = "real" if shard.part.file else shard.part.generator(number)
            yield number, example_of(number, generator, what, given, recorded)


@lru_cache(maxsize=32)
def _hinted(text: str) -> Hinted:
    return hinted(program_of(unpacked(text)))


class _Making:
    """A shard while it is made: its hash and its sums grow with the examples, and go into its footer at the end."""

    def __init__(self, shard: Shard) -> None:
        self.shard = shard
        self.columns = columns_of(_hinted(shard.program).original)
        self.digest = sha256()
        self.document = metadata_of(shard)

    def pieces(self) -> Iterator[bytes]:
        """The bytes of the file."""
        return Writer(self.columns).pieces(self._examples(), self.document)

    def _examples(self) -> Iterator[Example]:
        told = self.document
        for number, each in examples_of(self.shard):
            if each is None:
                told["left_out"].append(number)
                continue
            add_to_hash(self.digest, self.columns, each)
            told["examples"] += 1
            told["steps"] += each["steps"]
            told["longest"] = max(told["longest"], each["steps"])
            told["changes"] += len(each["hint_step"])
            yield each
        told["hash"] = hash_of_shard(told, self.digest.hexdigest())


def metadata_of(shard: Shard) -> dict[str, Any]:
    """The metadata of a shard, before its examples."""
    what = _hinted(shard.program)
    program = what.original
    return {
        "format": FORMAT,
        "version": VERSION,
        "hyloop": __version__,
        "algorithm": {"name": program.name, "about": program.about, "program": shard.program},
        "part": shard.part.document(),
        "first": shard.first,
        "last": shard.last,
        "limit": shard.limit,
        "directed": uses_direction(program),
        "hypergraph": [dict(each) for each in FEATURES],
        "inputs": inputs_document(program),
        "outputs": outputs_document(program),
        "variables": [each.document() for each in what.variables],
        "examples": 0,
        "left_out": [],
        "steps": 0,
        "longest": 0,
        "changes": 0,
        "hash": "",
    }


# -- one input --------------------------------------------------------------------------------------------------------


def given_of(program: Program, part: Part, number: int) -> Given | None:
    """Example `number` of a part; None where an input has nothing to choose from.

    The hypergraph is the same for all algorithms that read directions, and for all that do not.
    """
    directed = uses_direction(program)
    words: tuple[str, ...] = (part.digest,)
    if part.file:
        h = _real(part.file, part.digest)
        h = h if directed else h.ignoring_direction()
    else:
        size, generator = part.size(number), part.generator(number)
        words = (part.split, generator, str(size))
        kind = "directed" if directed else "undirected"
        h = random_hypergraph(generator, size, draw_of(part.seed, *words, number, kind), directed=directed)
    return _with_inputs(program, h, draw_of(part.seed, *words, number, "inputs of", program.name))


@lru_cache(maxsize=2)
def _real(file: str, digest: str) -> Hypergraph:
    found = io.read(file)
    if sha256(Path(file).read_bytes()).hexdigest() != digest:
        raise HyloopError(f"{file} was changed while the data set was made: make it anew.")
    if largest(_in_units(found)[0]) > SAFE:
        raise CapacityError(f"{file}: a data set stores weights below 2^63; as integers of one unit, these are larger.")
    return found


def _with_inputs(program: Program, h: Hypergraph, draw: Draw) -> Given | None:
    weights, unit = _in_units(h)
    found: dict[str, int | tuple[int, ...]] = {}
    for place, each in enumerate(program.inputs):
        scope, choices = each.type.scope, _choices(each, h)
        count = 1 if scope is Scope.SCALAR else h.counts[0] if scope is Scope.VERTICES else h.counts[1]
        if not len(choices):
            return None
        values = [choices[drawn] for drawn in draw.below(INPUTS + place, len(choices), np.arange(count)).tolist()]
        found[each.name] = values[0] if scope is Scope.SCALAR else tuple(values)
    return Given(h, weights, found, unit)


def _in_units(h: Hypergraph) -> tuple[Integers, Fraction]:
    """The weights as integers; those that are integers stay what they are, with the unit 1."""
    weights, unit = h.in_units
    if unit.denominator != 1:
        return weights, unit
    times = int(unit)
    if isinstance(weights, tuple) or largest(weights) * times > SAFE:  # an array would wrap around
        return tuple(times * int(each) for each in weights), Fraction(1)
    return weights * times, Fraction(1)


def _choices(each: Input, h: Hypergraph) -> Sequence[int]:
    """What an input may be: flags 0 and 1, rows from 1 (in arrays also none, 0), small numbers within its bound."""
    kind = each.type.kind
    if kind is Kind.FLAG:
        return range(2)
    if kind.is_pointer:
        rows = h.counts[0] if SCOPE_OF[kind] is Scope.VERTICES else h.counts[1]
        return range(int(each.type.scope is Scope.SCALAR), rows + 1)
    usual, unit = (LENGTHS, _in_units(h)[1]) if kind is Kind.LENGTH else (COUNTS, 1)
    return [number for number in usual if each.at_most is None or number * unit <= each.at_most] or [0]
