"""Code for a GPU, generated from the plan that the cpu executor runs: encode, all iterations, and what is read.

The text is C++ in a small dialect (`dialect/`): the same lines run on a GPU, and in lock-step on a CPU, which is
how they are tested without one. Every number is an integer: 32 bits where the certificate allows, otherwise 64.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from hyloop.errors import ModelError
from hyloop.execute.cpu.expressions import Expression, Fact, Facts, Formulas, Ref, Sum, Value
from hyloop.execute.cpu.plan import LayerPlan, Product
from hyloop.execute.cpu.sparse import ROLES, TO_HYPEREDGES
from hyloop.execute.cuda.guess import Guess, Phase, Tent
from hyloop.machine.layout import (
    Cardinality,
    Column,
    Entries,
    Everywhere,
    Fill,
    InitialTerm,
    Mark,
    Numbers,
    Pointer,
    Position,
    QuarterSquares,
    Region,
    Weights,
)
from hyloop.machine.model import Model

Dialect = Literal["device", "host", "native"]

# The arrays that the code is given, by their place in a table of addresses, with the type of their entries. Then come
# the inputs of the program, and then what is written for each column that is read.
ARRAYS: tuple[tuple[str, str], ...] = (
    ("order", "int"),
    ("vertices", "int"),
    ("hyperedges", "int"),
    ("vertex_at", "int"),
    ("hyperedge_at", "int"),
    ("member_at", "int"),
    ("member", "int"),
    ("member_role", "unsigned char"),
    ("incident_at", "int"),
    ("incident", "int"),
    ("incident_role", "unsigned char"),
    ("weight", "N"),
    ("rows", "int"),
    ("limit", "int"),
    ("iterations", "int"),
    ("status", "int"),
    ("state", "N"),
    ("state_at", "long long"),
)
# How a run ended: the last two are run again, without the guess, and not at all, having more rows than any shape.
HALTED, UNFINISHED, INEXACT, MISGUESSED, BEYOND = 0, 1, 2, 3, 4


@dataclass(frozen=True)
class Shape:
    """How a hypergraph lies on the threads: `width` threads with `rows` rows each; the bits of a number.

    `groups` is how many hypergraphs a block of threads takes, if each has a warp. With `given` a run begins at a given
    state, otherwise at the encoder's; with `whole` the whole state is written at its end.
    """

    width: int
    rows: int
    bits: int
    groups: int = 4
    given: bool = False
    whole: bool = False

    @property
    def room(self) -> int:
        """How many rows besides row 0 it takes."""
        return self.width * self.rows


@dataclass(frozen=True)
class Reading:
    """A column that is read at the end: on row 0, or on the vertices or hyperedges."""

    column: int
    of: Literal["scalar", "vertices", "hyperedges"]


def source(model: Model, guess: Guess, shape: Shape, readings: Sequence[Reading], dialect: Dialect) -> str:
    """The whole text for a model: the dialect, and the code of one hypergraph."""
    if any(layer.slow for layer in guess.steady.layers):
        raise ModelError(f"The model {model.name} has a head without a fast form; the backend cpu runs it.")
    writer = _Writer(model, guess, shape, tuple(readings))
    body = writer.text()
    number = "int" if shape.bits == 32 else "long long"
    head = [
        f"typedef {number} N;",
        f"#define N_BITS {shape.bits}",
        f"#define WIDTH {shape.width}",
        f"#define ROWS {shape.rows}",
        f"#define HYPERGRAPHS_A_BLOCK {shape.groups}",
        f"#define SLOTS {max(writer.slots, 1)}",
    ]
    return "\n".join(
        [
            *head,
            _part(dialect),
            _part("group"),
            body,
            _part("device_entry" if dialect == "device" else "host_entry"),
            "",
        ]
    )


@cache
def _part(name: str) -> str:
    return files("hyloop.execute.cuda").joinpath("dialect", f"{name}.h").read_text(encoding="utf-8")


def inputs_of(model: Model) -> tuple[tuple[str, str], ...]:
    """The inputs that the encoder writes, by name, each with what it is an array of (or `scalar`)."""
    found: dict[str, str] = {}
    for column in model.layout.columns:
        for term in column.initial:
            match term:
                case Everywhere(name) | Mark(_, name):
                    found.setdefault(name, "scalar")
                case Pointer(_, str(name)):
                    found.setdefault(name, "scalar")
                case Entries(name, of):
                    found[name] = of
    return tuple(found.items())


def _literal(value: float) -> str:
    if value != int(value):
        raise ModelError(f"{value} is no integer.")
    return f"(N){int(value)}LL"


class _Writer:
    """Writes the function that runs one hypergraph.

    A column is on row 0 a number `f`, on the other rows a number `r` or a vector `v`, or a known constant.
    """

    def __init__(self, model: Model, guess: Guess, shape: Shape, readings: tuple[Reading, ...]) -> None:
        self.model, self.guess, self.shape, self.readings = model, guess, shape, readings
        self.fixed: dict[str, str] = {}  # products that are computed once, by their text
        # What no iteration changes, by its name: columns that stay, columns and nodes that are computed anew from such.
        self.staying: set[int] = set()
        self.constant: dict[tuple[int, Ref], str] = {}
        self.ahead: list[str] = []  # lines that come before the loop
        self.lines: list[str] = []
        self.slots = 0

    def text(self) -> str:
        self._open()
        self._tables()
        self._begin()
        self._products_once()
        self._loop()
        self._end()
        self.lines.append("}")
        return "\n".join(self.lines)

    def _do(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _slot(self, count: int = 1) -> int:
        """A place for a number that all threads read; each use of an iteration has its own."""
        self.slots += count
        return self.slots - count

    # -- arguments

    def _open(self) -> None:
        self.lines.append("INSIDE void one(const unsigned long long *table, const int g) {")
        for place, (name, kind) in enumerate(ARRAYS):
            constant = "" if name in {"iterations", "status", "state"} else "const "
            self._do(f"{constant}{kind} *const a_{name} = ({constant}{kind} *)table[{place}];")
        self._do("const int n_v = a_vertices[g], n_e = a_hyperedges[g];")
        self._do("const int v_at = a_vertex_at[g], e_at = a_hyperedge_at[g];")
        self._do("const Rows rows = rows_for(a_rows[g]);")
        for place, (_, of) in enumerate(inputs_of(self.model)):
            at = len(ARRAYS) + place
            pointer = f"(const N *)table[{at}]"
            if of == "scalar":
                self._do(f"const N i{place} = ({pointer})[g];")
            else:
                self._do(f"const N *const i{place} = {pointer};")

    def _input(self, name: str) -> str:
        names = [each for each, _ in inputs_of(self.model)]
        return f"i{names.index(name)}"

    def _tables(self) -> None:
        """The incidence as bits of rows (a warp), of the kinds that the plan multiplies by."""
        if self.shape.width != 32:
            return
        kinds = sorted(
            {product.kind for phase in self.guess.phases for layer in phase.layers for product in layer.products}
        )
        for role in sorted({ROLES[kind] for kind in kinds}):
            arguments = f"a_member_at, a_member, a_member_role, {role}, e_at, n_e, rows"
            self._do(f"const Masks members{role} = masks_of({arguments});")
        for kind in kinds:
            masks = f"members{ROLES[kind]}"
            self._do(f"const Masks m_{kind} = {masks if kind in TO_HYPEREDGES else f'transposed({masks})'};")

    # -- the first state

    def _begin(self) -> None:
        first = self.guess.start
        live = self._live()
        for number, column in enumerate(self.model.layout.columns):
            self._do(f"N f{number} = 0, r{number} = 0;")
            if number in live:
                self._do(f"V v{number} = spread(0);")
            if self.shape.given:
                self._load(number, first[number])
            else:
                self._encode(number, column, first[number])

    def _live(self) -> set[int]:
        known = [layer.before for phase in self.guess.phases for layer in phase.layers]
        return {c for c in range(len(self.guess.start)) if any(facts[c].vector for facts in known)}

    def _load(self, number: int, fact: Fact) -> None:
        """A column from a given state, whose columns are contiguous: row 0, then the others."""
        base = f"a_state + a_state_at[g] + (long long){number} * (rows.count + 1)"
        if fact.first is None:
            self._do(f"f{number} = ({base})[0];")
        if fact.vector:
            self._do(f"v{number} = entries({base}, 1, rows.count, rows);")
        elif fact.rest is None:
            self._do(f"r{number} = ({base})[1];")

    def _encode(self, number: int, column: Column, fact: Fact) -> None:
        if fact.first is None:
            self._do(f"f{number} = {self._total(column.initial, 0)};")
        if fact.vector:
            self._do(f"v{number} = as_vector({self._total(column.initial, 1)});")
        elif fact.rest is None:
            self._do(f"r{number} = {self._total(column.initial, 1)};")

    def _total(self, terms: Iterable[InitialTerm], rows: int) -> str:
        found = [text for term in terms if (text := self._term(term, rows)) is not None]
        return " + ".join(found) or "(N)0"

    def _term(self, term: InitialTerm, rows: int) -> str | None:
        match term:
            case Fill(value, "global"):
                return None if rows else _literal(value)
            case Fill(value, "rows"):
                return _literal(value) if rows else None
            case Pointer(part, to):
                number = self._input(to) if isinstance(to, str) else _literal(to)
                return None if rows else (f"{number} * {number}" if part else number)
            case Everywhere(name):
                return self._input(name)
            case Cardinality(of):
                return "(N)n_v" if of == "vertices" else "(N)n_e"
        return self._row_term(term) if rows else None

    def _row_term(self, term: InitialTerm) -> str:  # noqa: PLR0911  (one for each term)
        match term:
            case Fill(value, region):
                return f"filled(rows, {_range(region)}, spread({_literal(value)}))"
            case Position(part):
                return "squares(rows)" if part else "row_numbers(rows)"
            case Mark(value, at):
                return f"marked(rows, {self._input(at)}, {_literal(value)})"
            case Weights():
                return "entries(a_weight, e_at, n_e, rows)"
            case Entries(name, of):
                at, count = ("v_at", "n_v") if of == "vertices" else ("e_at", "n_e")
                return f"entries({self._input(name)}, {at}, {count}, rows)"
            case Numbers(of):
                return f"filled(rows, {_range(of)}, row_numbers(rows))"
            case QuarterSquares():
                return "quarter_squares(rows)"
        raise ModelError(f"The encoder's term {term!r} has no code.")

    # -- values

    def _ref(self, ref: Ref, rows: int, layer: LayerPlan) -> str:
        if (rows, ref) in self.constant:
            return self.constant[rows, ref]
        if ref.space == "node":
            return f"{'n' if rows else 'm'}{ref.number}"
        if ref.space == "column":
            vector = rows and layer.before[ref.number].vector
            apart = rows and ref.number not in self.guess.same
            return f"{'v' if vector else 'r' if apart else 'f'}{ref.number}"
        vector = rows and layer.brought[ref.number].vector
        return f"{'bv' if vector else 'br' if rows else 'bf'}{ref.number}"

    def _sum(self, of: Sum, rows: int, layer: LayerPlan) -> str:
        """A sum as an expression; vectors are joined first, then numbers."""
        terms = [(self._ref(ref, rows, layer), weight) for ref, weight in of.terms]
        terms.sort(key=lambda term: term[1] < 0)
        found = ""
        for name, weight in terms:
            size = name if abs(weight) == 1 else f"{_literal(abs(weight))} * {name}"
            if found:
                found += f" {'-' if weight < 0 else '+'} {size}"
            else:
                found = f"(N)0 - {size}" if weight < 0 else size
        if of.constant or not found:
            found = f"{found} + {_literal(of.constant)}" if found else _literal(of.constant)
        return found

    def _value(self, value: Value, rows: int, layer: LayerPlan) -> str:
        return self._ref(value, rows, layer) if isinstance(value, Ref) else _literal(value)

    # -- the loop

    def _products_once(self) -> None:
        """Products of columns that no layer changes."""
        for phase in self.guess.phases:
            for layer in phase.layers:
                for product in layer.products:
                    text = self._product(product, layer)
                    if product.fixed and text not in self.fixed:
                        self.fixed[text] = f"p{len(self.fixed)}"
                        self._do(f"const V {self.fixed[text]} = {text};")

    def _product(self, product: Product, layer: LayerPlan, ones: frozenset[int] = frozenset()) -> str:
        source = f"as_vector({self._sum(product.source, 1, layer)})"
        if self.shape.width == 32:
            return f"{'product_of_ones' if product.to in ones else 'product'}(m_{product.kind}, {source})"
        lists, at, count = ("incident", "v_at", "n_v") if product.kind in TO_HYPEREDGES else ("member", "e_at", "n_e")
        arrays = f"a_{lists}_at, a_{lists}, a_{lists}_role, {ROLES[product.kind]}, {at}, {count}"
        return f"product({arrays}, {source}, rows)"

    def _loop(self) -> None:
        known = self.guess.boundary[self.guess.halt].first
        halt = f"f{self.guess.halt}" if known is None else _literal(known)
        self._do("bool wrong = false;")
        self._do("N off = 0;")
        self._do("V signs = spread(0);")
        self._do("int done = 0;")
        self._do(f"int status = {HALTED};")
        self._do("const int limit = a_limit[g];")
        if self.guess.first is not None:  # whoever runs this sees to it that there is a first iteration
            self._iteration(self.guess.first)
        self.staying = _staying(self.guess.steady)
        loop = len(self.lines)
        self._do(f"while ({halt} != 1) {{")
        self._do(f"if (wrong) {{ status = {INEXACT}; break; }}")
        self._do(f"if (done >= limit) {{ status = {UNFINISHED}; break; }}")
        self._iteration(self.guess.steady)
        self._do("}")
        self.lines[loop:loop] = self.ahead
        self._do(f"if (wrong) status = {INEXACT};")

    def _iteration(self, phase: Phase) -> None:
        for number in range(len(phase.layers)):
            self._layer(phase, number)
        self._do("++done;")
        if self.shape.width != 32:
            self._do("meet();")

    def _layer(self, phase: Phase, number: int) -> None:
        layer, after = phase.layers[number], phase.known_after(number)
        self._do("{")
        self._scans(layer)
        self._reads(layer, phase.reads[number])
        self._gathers(layer)
        ones = phase.ones[number] if phase.ones else frozenset[int]()
        for product in layer.products:
            text = self._product(product, layer, frozenset() if product.fixed else ones)
            if not product.fixed and self.staying and self._stays(product.source, 1):
                self.constant[1, Ref("brought", product.to)] = self._before(f"{text}", "V")
                continue
            self._do(f"const V bv{product.to} = {self.fixed[text] if product.fixed else text};")
        self._nodes(layer.first, 0, layer)
        self._nodes(layer.body, 1, layer)
        stores: list[str] = []
        for column, fact in enumerate(after):
            stores += self._store(column, fact, layer)
        self._watch(phase, number)
        for store in stores:
            self._do(store)
        self._do("}")
        self._remember(layer, after)

    def _before(self, text: str, kind: str) -> str:
        """Compute something before the loop; returns its name."""
        name = f"h{len(self.ahead)}"
        self.ahead.append(f"  const {kind} {name} = {text};")
        return name

    def _stays(self, of: Sum, rows: int) -> bool:
        """Whether no iteration changes a sum."""
        return all(
            (rows, ref) in self.constant or (ref.space == "column" and ref.number in self.staying)
            for ref, _ in of.terms
        )

    def _remember(self, layer: LayerPlan, after: Facts) -> None:
        """Which columns hold after a layer what no iteration changes."""
        kept = {}
        for column, fact in enumerate(after):
            new = layer.body.new[column]
            if fact.vector and isinstance(new, Ref) and column not in self.staying and (1, new) in self.constant:
                kept[1, Ref("column", column)] = self.constant[1, new]
        self.constant = kept

    def _watch(self, phase: Phase, number: int) -> None:
        """Note where the guess does not hold after a layer: looked at once, at the end of the run."""
        layer, after = phase.layers[number], phase.known_after(number)
        for column, value in phase.zero[number].items():
            found = self._value(layer.first.new[column], 0, layer)
            self._do(f"off = off | ({found if not value else f'{found} - {_literal(value)}'});")
        for column in phase.signs[number]:
            if not (column in self.guess.same and after[column].first is not None):
                line = f"  watch(signs, {self._value(layer.body.new[column], 1, layer)});"
                constant = (1, layer.body.new[column]) in self.constant
                (self.ahead if constant else self.lines).append(line)

    def _scans(self, layer: LayerPlan) -> None:
        for at, scan in enumerate(layer.scans):
            score = f"as_vector({self._sum(scan.score[1], 1, layer)}), {self._sum(scan.score[0], 0, layer)}"
            self._do(f"const Best s{at} = best_of({score}, rows);")
            names, alone, several = [], [], []
            for number, (first, body) in enumerate(scan.values):
                own = [f"bf{each}" for each in scan.to_first[number : number + 1]]
                own += [f"br{each}" for each in scan.to_body[number : number + 1]]
                value = f"as_vector({self._sum(body, 1, layer)}), {self._sum(first, 0, layer)}"
                alone.append(f"{own[0]} = winner(s{at}, {value}, {self._slot()});")
                several.append(f"{own[0]} = average(s{at}, {value}, wrong);")
                names.append(own)
            self._do(f"N {', '.join(own[0] for own in names)};")
            self._do(f"if (s{at}.count == 1) {{ {' '.join(alone)} }} else {{ {' '.join(several)} }}")
            for own in names:
                for name in own[1:]:
                    self._do(f"const N {name} = {own[0]};")

    def _reads(self, layer: LayerPlan, known: Mapping[int, int]) -> None:
        for at, read in enumerate(layer.reads):
            rows = int(read.body)
            if at in known:
                for to in read.to:
                    self._do(f"const N br{to} = bf{to};")
                continue
            query = f"{self._sum(read.doubled, rows, layer)}, {self._sum(read.by, rows, layer)}"
            self._do(f"const Near q{at} = nearest({query}, rows.count, wrong);")
            for to, (first, body) in zip(read.to, read.values, strict=True):
                value = f"as_vector({self._sum(body, 1, layer)}), {self._sum(first, 0, layer)}"
                name = f"{'br' if read.body else 'bf'}{to}"
                self._do(f"const N {name} = read(q{at}, {value}, wrong, {self._slot(2)});")

    def _gathers(self, layer: LayerPlan) -> None:
        for at, gather in enumerate(layer.gathers):
            query = ", ".join(f"as_vector({self._sum(each, 1, layer)})" for each in (gather.doubled, gather.by))
            self._do(f"const Nears g{at} = nearest({query}, rows, wrong);")
            for to, (first, body) in zip(gather.to, gather.values, strict=True):
                value = f"as_vector({self._sum(body, 1, layer)}), {self._sum(first, 0, layer)}"
                self._do(f"const V bv{to} = gather(g{at}, {value}, rows, wrong);")

    def _nodes(self, formulas: Formulas, rows: int, layer: LayerPlan) -> None:
        for number, node in enumerate(formulas.nodes):
            kind = "V" if rows and node.vector else "N"
            text = self._node(node, rows, layer)
            stays = self._stays(node.of, rows) and (not isinstance(node, Tent) or self._stays(node.b, rows))
            if kind == "V" and self.staying and stays:
                self.constant[rows, Ref("node", number)] = self._before(text, kind)
                continue
            self._do(f"const {kind} {'n' if rows else 'm'}{number} = {text};")

    def _node(self, node: Expression, rows: int, layer: LayerPlan) -> str:
        total = self._sum(node.of, rows, layer)
        if isinstance(node, Tent):
            width = self._sum(node.b, rows, layer)
            return f"tent({total}, {width if node.positive else f'magnitude({width})'})"
        return f"relu({total})" if node.relu else total

    def _store(self, column: int, fact: Fact, layer: LayerPlan) -> list[str]:
        """Compute the new values of a column under other names; returns the lines that put them in their places."""
        found = []
        new = layer.first.new[column]
        known = layer.before[column]
        if fact.first is None and not (new == Ref("column", column) and known.first is None):
            self._do(f"const N xf{column} = {self._value(new, 0, layer)};")
            found.append(f"f{column} = xf{column};")
        new = layer.body.new[column]
        same = new == Ref("column", column) and layer.before[column].vector == fact.vector
        if fact.rest is None and not same and (fact.vector or column not in self.guess.same):
            value = self._value(new, 1, layer)
            kind, place, text = ("V", "v", f"as_vector({value})") if fact.vector else ("N", "r", value)
            self._do(f"const {kind} x{place}{column} = {text};")
            found.append(f"{place}{column} = x{place}{column};")
        return found

    # -- what is read

    def _end(self) -> None:
        self._do(f"if (off != 0 || negative(signs, rows)) status = {MISGUESSED};")
        self._do("put_one(a_status, g, status);")
        self._do("put_one(a_iterations, g, done);")
        boundary = self.guess.boundary
        if self.shape.whole:
            for column, fact in enumerate(boundary):
                base = f"a_state + a_state_at[g] + (long long){column} * (rows.count + 1)"
                self._do(f"put_one<N>({base}, 0, {self._final(column, fact, 0)});")
                self._do(f"put_rows({base}, 1, rows.count, {self._final(column, fact, 1)}, rows);")
        start = len(ARRAYS) + len(inputs_of(self.model))
        for place, reading in enumerate(self.readings):
            to, fact = f"(N *)table[{start + place}]", boundary[reading.column]
            if reading.of == "scalar":
                self._do(f"put_one<N>({to}, g, {self._final(reading.column, fact, 0)});")
            else:
                at, count = ("v_at", "n_v") if reading.of == "vertices" else ("e_at", "n_e")
                self._do(f"put_rows({to}, {at}, {count}, {self._final(reading.column, fact, 1)}, rows);")

    def _final(self, column: int, fact: Fact, rows: int) -> str:
        if not rows:
            return f"f{column}" if fact.first is None else _literal(fact.first)
        if fact.vector:
            return f"v{column}"
        number = f"{'f' if column in self.guess.same else 'r'}{column}"
        return f"spread({number if fact.rest is None else _literal(fact.rest)})"


def _staying(phase: Phase) -> set[int]:
    """The columns that no layer changes."""
    return {
        c
        for c in range(len(phase.after))
        if all(
            layer.first.new[c] == layer.body.new[c] == Ref("column", c) or _known(layer, c) for layer in phase.layers
        )
    }


def _known(layer: LayerPlan, column: int) -> bool:
    """Whether a layer leaves a column as it is, where one of its classes of rows is a known constant."""
    fact, first, body = layer.before[column], layer.first.new[column], layer.body.new[column]
    own = Ref("column", column)
    return first in {own, fact.first} and body in {own, fact.rest}


def _range(region: Region) -> str:
    """The rows of a class: after the first number, up to the second."""
    return {
        "rows": "0, rows.count",
        "vertices": "0, n_v",
        "hyperedges": "0, n_e",
        "past vertices": "n_v, rows.count",
        "past hyperedges": "n_e, rows.count",
    }[region]
