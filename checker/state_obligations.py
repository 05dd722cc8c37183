#!/usr/bin/env python3
"""State the obligations of a model a second time: python state_obligations.py MODEL CERTIFICATE

`check_certificate.py` checks that every obligation in a certificate holds. This file makes sure that these obligations
are the ones that the theorem about the model needs: from the tensors and the program's text in the model's file, and
the certificate's choices, it makes the list of obligations again, and compares it with the list in the certificate.
It needs Python alone, and shares no code with hyloop. The rules are those of "The obligations" in docs/proof.md, in the
same order. Nothing in a certificate is believed: of any choices, the obligations prove the theorem.
"""

import ast
import json
import os
import re
import struct
import sys
import zlib
from collections import namedtuple
from functools import cache
from itertools import zip_longest
from pathlib import Path


class Refused(Exception):  # noqa: N818
    """A model or certificate that the theorem is not about, or obligations that differ."""


def need(condition, why):
    if not condition:
        raise Refused(why)


# -- terms and formulas ----------------------------------------------------------------------------------------------
# An atom is the number of ("symbol", name), ("at", name, term) or ("ite", formula, term, term). A term is a polynomial
# over atoms: a sorted tuple of (monomial, factor), a monomial being a sorted tuple of atoms. A formula is the number of
# ("ge", term), ("eq", term), ("ne", term), ("and", formulas) or ("or", formulas). Equal ones are the same object.

NODES, NUMBERS = [], {}


def node(*key):
    if key not in NUMBERS:
        NUMBERS[key] = len(NODES)
        NODES.append(key)
    return NUMBERS[key]


def total(*parts):
    """The sum of (factor, term)."""
    found = {}
    for factor, term in parts:
        for monomial, each in term:
            found[monomial] = found.get(monomial, 0) + factor * each
    return tuple(sorted((monomial, each) for monomial, each in found.items() if each))


def number(value):
    return (((), value),) if value else ()


def atom(*key):
    return (((node(*key),), 1),)


def plus(*terms):
    return total(*((1, each) for each in terms))


def minus(a, b):
    return total((1, a), (-1, b))


MOST = 1000  # parentheses in each other, factors of a product, and the square root of how many summands one has


def times(a, b):
    need(len(a) * len(b) <= MOST**2 and all(len(m) <= MOST for m, _ in (*a, *b)), "a product is too large")
    return plus(*(((tuple(sorted(m + n)), j * k),) for m, j in a for n, k in b))


def value_of(term):
    """The number that a term is; None if it is none."""
    return 0 if not term else term[0][1] if len(term) == 1 and term[0][0] == () else None


TRUE, FALSE = node("and", ()), node("or", ())
ZERO, ONE = number(0), number(1)


def truth(holds):
    return TRUE if holds else FALSE


def ge(a, b):
    return node("ge", minus(a, b))


def equation(kind, a, b):
    gap = minus(a, b)
    return node(kind, gap if not gap or gap[-1][1] > 0 else total((-1, gap)))


def eq(a, b):
    return equation("eq", a, b)


def lt(a, b):
    return ge(minus(b, ONE), a)


def joined(kind, parts):
    """`and`, `or`: nested ones are one, and neither order nor repetition counts. Nothing else is simplified."""
    found = set()
    for part in parts:
        found.update(NODES[part][1] if NODES[part][0] == kind else [part])
    return found.pop() if len(found) == 1 else node(kind, tuple(sorted(found)))


def both(*parts):
    return joined("and", parts)


def either(*parts):
    return joined("or", parts)


@cache
def no(formula):
    kind, inner = NODES[formula]
    if kind == "ge":
        return ge(number(-1), inner)
    if kind in {"eq", "ne"}:
        return node("ne" if kind == "eq" else "eq", inner)
    return joined("or" if kind == "and" else "and", map(no, inner))


def if_then(a, b):
    return either(no(a), b)


def ite(condition, yes, otherwise):
    return atom("ite", condition, yes, otherwise)


def relu(term):
    return ite(ge(term, ZERO), term, ZERO)


def absolute(term):
    return plus(relu(term), relu(total((-1, term))))


def flag(condition):
    return ite(condition, ONE, ZERO)


def is_set(term):
    return ge(term, ONE)


@cache
def symbols_in(kind, thing):
    """The symbols, and functions at terms, on which a term or formula depends."""
    if kind == "term":
        return frozenset().union(*(symbols_in("node", each) for monomial, _ in thing for each in monomial))
    word, *parts = NODES[thing]
    if word in {"ge", "eq", "ne"}:
        return symbols_in("term", parts[0])
    if word in {"and", "or"}:
        return frozenset().union(*(symbols_in("node", each) for each in parts[0]))
    if word == "ite":
        return symbols_in("node", parts[0]) | symbols_in("term", parts[1]) | symbols_in("term", parts[2])
    return frozenset([thing]) | (symbols_in("term", parts[1]) if word == "at" else frozenset())


def shown(thing, kind="formula"):
    """A formula or term for people."""
    if kind == "term":
        parts = [" ".join([str(k), *(shown(each, "atom") for each in m)]) for m, k in thing]
        return " + ".join(parts) or "0"
    word, *parts = NODES[thing]
    if word in {"ge", "eq", "ne"}:
        return f"{shown(parts[0], 'term')} {({'ge': '>=', 'eq': '=', 'ne': '!='})[word]} 0"
    if word in {"and", "or"}:
        return f"({word} {', '.join(map(shown, parts[0]))})"
    if word == "ite":
        return f"(if {shown(parts[0])} then {shown(parts[1], 'term')} else {shown(parts[2], 'term')})"
    return f"|{parts[0]}|" if word == "symbol" else f"|{parts[0]}|[{shown(parts[1], 'term')}]"


# -- the scripts of a certificate ------------------------------------------------------------------------------------


def lists(text):
    """The expressions of a script, as nested lists of words; names stand between bars, or are words."""
    stack = [[]]
    for word in re.findall(r"\|[^|]*\||[()]|[^\s()|]+", text):
        need(len(stack) <= MOST, "it is nested too deeply")
        if word == "(":
            stack.append([])
        elif word == ")":
            need(len(stack) > 1, "parentheses do not match")
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    need(len(stack) == 1, "parentheses do not match")
    return stack[0]


def read_json(text):
    """A document in which no field stands twice."""

    def fields(pairs):
        need(len(dict(pairs)) == len(pairs), "a field stands twice in a document")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=fields)


class Script:
    """What a script asserts, with its definitions put in."""

    def __init__(self, text):
        need("\\" not in text and ";" not in text, "a script has comments, or letters that are not known")
        first, *commands, last = lists(text)
        need(first == ["set-logic", "QF_UFNIA"] and last == ["check-sat"], "this is no script of a certificate")
        self.meaning, self.asserted = {}, []
        for each in commands:
            self.command(each)

    def command(self, each):
        word, name, *rest = each
        if word == "assert":
            need(not rest and name[0] == "!" and name[2] == ":named" and len(name) == 4, "an assertion has no name")
            self.asserted.append(self.formula(name[1]))
            return
        plain = name.strip("|")
        need(not {plain, f"|{plain}|"} & self.meaning.keys() and not name.isdigit(), f"{name} is declared twice")
        if word == "declare-fun" and rest in ([[], "Int"], [["Int"], "Int"]):
            self.meaning[name] = plain if rest[0] else atom("symbol", plain)
        else:
            need(word == "define-fun" and rest[:2] == [[], "Int"] and len(rest) == 3, f"{word} is not known")
            self.meaning[name] = self.defined(rest[2])

    def defined(self, body):
        if body[0] == "ite":
            return ite(self.formula(body[1]), self.term(body[2]), self.term(body[3]))
        if body[0] == "*":
            return times(self.term(body[1]), self.term(body[2]))
        need(isinstance(self.meaning[body[0]], str) and len(body) == 2, "a definition is not known")
        return atom("at", self.meaning[body[0]], self.term(body[1]))

    def term(self, text):
        if isinstance(text, str):
            found = number(int(text)) if text.isdigit() else self.meaning[text]
            need(isinstance(found, tuple), f"{text} is no term")
            return found
        word, *parts = text
        terms = [self.term(each) for each in parts]
        if word == "+" and terms:
            return plus(*terms)
        if word == "-" and len(terms) == 1:
            return total((-1, terms[0]))
        need(word == "*" and len(terms) == 2 and value_of(terms[0]) is not None, f"{word} is not known")
        return times(*terms)

    def formula(self, text):
        if text in ("true", "false"):
            return truth(text == "true")
        word, *parts = text
        if word in (">=", "=") and len(parts) == 2:
            return (ge if word == ">=" else eq)(*map(self.term, parts))
        if word == "not" and len(parts) == 1:
            return no(self.formula(parts[0]))
        need(word in ("and", "or"), f"{word} is not known")
        return joined(word, [self.formula(each) for each in parts])


# -- the model's file ------------------------------------------------------------------------------------------------

Op = namedtuple("Op", "name operands argument kind scope label where")
State = namedtuple("State", "name kind scope initial most")
Input = namedtuple("Input", "name kind scope most")
Section = namedtuple("Section", "ops updates stop")
# Of each operation along an incidence: the matrix, and whether it takes a pointer, and whether it gives a flag.
ALONG = {}
for _product, _transposed, _before in (
    ("incidence", "transposed", ""),
    ("tails", "tails_transposed", "tails_"),
    ("heads", "heads_transposed", "heads_"),
):
    ALONG |= {
        f"{_before}members": (_product, True, False),
        f"{_before}containing": (_transposed, True, False),
        f"{_before}touching": (_transposed, False, True),
        f"{_before}covered": (_product, False, True),
        _product: (_product, False, False),
        _transposed: (_transposed, False, False),
    }
# Of each matrix: from which rows, to which.
ENDS = dict.fromkeys(("incidence", "tails", "heads"), ("hyperedges", "vertices"))
ENDS |= dict.fromkeys(("transposed", "tails_transposed", "heads_transposed"), ("vertices", "hyperedges"))
POINTS = {"vertex": "vertices", "hyperedge": "hyperedges"}
POINTER = {scope: kind for kind, scope in POINTS.items()}


AMOUNTS = {"count", "length"}


def fits(kind, text):
    """Whether a constant is of a kind."""
    return text in {"flag": ("true", "false"), "length": ("0", "infinity")}.get(kind, ("none",)) or (
        kind == "count" and text.isascii() and text.isdigit()
    )


def meet(*operands):
    """The rows of a value that is made row by row; vertices and hyperedges do not meet."""
    scopes = {each.scope for each in operands} - {"scalar"}
    need(len(scopes) < 2, "vertices meet hyperedges")
    return scopes.pop() if scopes else "scalar"


def alike(many, kinds, result=None):
    """The type of an operation on so many operands of one of these kinds, the same for all."""

    def rule(_, *operands):
        found = {each.kind for each in operands}
        need(len(operands) == many and len(found) == 1 and found <= set(kinds), "operands are of other kinds")
        return result or operands[0].kind, meet(*operands)

    return rule


def over_rows(kinds, result, most=1):
    """The type of what is found in an array; a second operand, if there may be one, says where."""

    def rule(_, x, *masks):
        need(x.scope != "scalar" and x.kind in kinds and len(masks) < most, "this looks at rows of an array")
        need(all((each.kind, each.scope) == ("flag", x.scope) for each in masks), "a mask is a flag of the same rows")
        return {"kind": x.kind, "pointer": POINTER[x.scope]}.get(result, result), "scalar"

    return rule


def multiplied_type(_, a, b):
    need({a.kind, b.kind} <= AMOUNTS and (a.kind, b.kind) != ("length", "length"), "these are not multiplied")
    return "length" if "length" in (a.kind, b.kind) else "count", meet(a, b)


def chosen_type(_, mask, a, b):
    need(mask.kind == "flag" and a.kind == b.kind, "a flag chooses between two of a kind")
    return a.kind, meet(mask, a, b)


def entry_type(_, array, pointer):
    need(POINTS.get(pointer.kind) == array.scope, "an array is read at a pointer to its rows")
    return array.kind, pointer.scope


ANY_KIND = ("flag", "count", "length", "vertex", "hyperedge")
# Of each operation but those along an incidence: its type, from its argument and its operands.
TYPES = {
    "constant": lambda op: (op.kind, "scalar") if fits(op.kind, op.argument) else None,
    "weight": lambda _: ("length", "hyperedges"),
    "size": lambda op: ("count", "scalar") if op.argument in ("n_v", "n_e") else None,
    "own": lambda op: (POINTER[op.argument], op.argument),
    **dict.fromkeys(("add", "subtract", "smaller", "larger"), alike(2, AMOUNTS)),
    "multiple": lambda op, a: alike(1, AMOUNTS)(op, a) if fits("count", op.argument) else None,
    "multiply": multiplied_type,
    "quotient": alike(2, AMOUNTS, "count"),
    "remainder": alike(2, AMOUNTS),
    "less": alike(2, AMOUNTS, "flag"),
    "precedes": alike(2, POINTS, "flag"),
    "equal": alike(2, ANY_KIND, "flag"),
    "and": alike(2, ["flag"]),
    "or": alike(2, ["flag"]),
    "not": alike(1, ["flag"]),
    "where": chosen_type,
    "number": alike(1, ["flag"], "count"),
    "spread": lambda op, a: (a.kind, op.argument) if a.scope == "scalar" and op.argument in POINTER else None,
    "missing": alike(1, POINTS, "flag"),
    "next": alike(1, POINTS),
    "previous": alike(1, POINTS),
    "ordinal": lambda op, p: alike(1, POINTS, "count")(op, p) if POINTS.get(p.kind) == op.argument else None,
    "read": entry_type,
    **dict.fromkeys(("argmin", "argmax"), over_rows(ANY_KIND[1:], "pointer", 2)),
    **dict.fromkeys(("min", "max"), over_rows(ANY_KIND[1:], "kind", 2)),
    "first": over_rows(["flag"], "pointer"),
    **dict.fromkeys(("any", "all"), over_rows(["flag"], "flag")),
    "mean": over_rows(AMOUNTS, "kind"),
}


def typed(text):
    """The kind and scope of a type, and what follows it."""
    found = re.fullmatch(r"(flag|count|length|vertex|hyperedge)(?:\[(vertices|hyperedges)\])?(?: (.*))?", text)
    need(found, f"{text} is no type")
    return found[1], found[2] or "scalar", found[3] or ""


class Program:
    """A program, read from its text."""

    def __init__(self, text):
        self.inputs, self.states, self.sections, self.size = [], [], {}, None
        self.name = ""
        for line in filter(None, map(str.strip, text.split("\n"))):
            self.read(line)
        self.before, self.body = (self.sections.get(each, Section([], {}, [])) for each in ("before", "body"))
        need(len(self.body.stop) == 1 and not self.before.stop, "the loop does not stop once")
        self.begins = bool(self.before.updates)
        self.state = {each.name: each for each in self.states}
        need(len({each.name for each in self.inputs}) == len(self.inputs), "two inputs have one name")
        need(len(self.state) == len(self.states), "two states have one name")
        need(all(fits(each.kind, each.initial) for each in self.states), "a state starts with what it cannot be")
        [stop] = self.body.stop
        need((self.body.ops[stop].kind, self.body.ops[stop].scope) == ("flag", "scalar"), "what stops is no flag")
        for section in (self.before, self.body):
            for name, place in section.updates.items():
                state, op = self.state[name], section.ops[place]
                need((op.kind, op.scope) == (state.kind, state.scope), f"{name} becomes something of another type")

    def type_of(self, op):
        """The kind and scope that an operation must have."""
        operands = [self.section.ops[each] for each in op.operands]
        if op.name in {"input", "state"}:
            [found] = [
                each for each in (self.inputs if op.name == "input" else self.states) if each.name == op.argument
            ]
            return found.kind, found.scope
        if op.name in ALONG:
            [x] = operands
            (matrix, pointer, flags), kind = ALONG[op.name], x.kind
            source, target = ENDS[matrix]
            if pointer:
                return ("flag", target) if (kind, x.scope) == (POINTER[source], "scalar") else None
            return (kind, target) if x.scope == source and kind in ({"flag"} if flags else AMOUNTS) else None
        need(op.name in TYPES, f"{op.name} is no operation")
        return TYPES[op.name](op, *operands)

    def read(self, line):
        word, _, rest = line.partition(" ")
        if assigned := re.fullmatch(r"(\S+) := (\d+)", line):
            need(assigned[1] not in self.section.updates, f"{assigned[1]} becomes two things")
            self.section.updates[assigned[1]] = int(assigned[2])
        elif word.isdigit():
            self.section.ops.append(self.operation(int(word), rest))
        elif word == "stop":
            self.section.stop.append(int(rest))
        elif line == "before" or line.startswith("loop at most "):
            self.begin(word, rest)
        elif word == "algorithm":
            need(not self.name, "there are two names")
            self.name = rest
        elif word == "input":
            self.inputs.append(self.input(*rest.split(": ", 1)))
        elif word == "state":
            self.states.append(self.state_of(*rest.partition("  @")[0].split(": ", 1)))
        else:
            need(word in {"about", "output"}, f"this line is not known: {line}")

    def begin(self, word, rest):
        """Begin the statements before the loop, or the loop."""
        name = "before" if word == "before" else "body"
        need(name not in self.sections, "there are two loops, or statements before the loop twice")
        self.section = self.sections[name] = Section([], {}, [])
        if word == "loop":
            self.size = ast.parse(rest[8:], mode="eval").body

    def input(self, name, text):
        kind, scope, bound = typed(text)
        need(not bound or kind in AMOUNTS, f"the bound of {name} is not known")
        return Input(name, kind, scope, int(bound.removeprefix("at most ")) if bound else None)

    def state_of(self, name, text):
        kind, _, initial = text.partition(" = ")
        kind, scope, bound = typed(kind)
        need(not bound or (kind == "count" and bound.startswith("at most ")), f"the bound of {name} is not known")
        most = ast.parse(bound[8:], mode="eval").body if bound else None
        return State(name, kind, scope, initial, most)

    def operation(self, number_, text):
        need(number_ == len(self.section.ops), "operations are not numbered in order")
        text, _, place = text.rpartition("  @")
        head, _, kind = text.partition(": ")
        name, *words = head.split()
        argument = " ".join(each for each in words if not re.fullmatch(r"%\d+", each))
        operands = [int(each[1:]) for each in words if re.fullmatch(r"%\d+", each)]
        need(all(each < number_ for each in operands), "an operand comes after its operation")
        kind, scope, label = typed(kind)
        op = Op(name, operands, argument, kind, scope, label, place.rpartition(":")[0])
        need((kind, scope) == self.type_of(op), f"operation {number_}, {name}, is of another type")
        need(name != "mean" or self.is_multiple(self.section.ops[operands[0]]), "a mean may be no integer")
        return op

    def is_multiple(self, op):
        """Whether an array is a product with the number of its rows, or that number where a flag is set, else 0."""
        rows = "n_v" if op.scope == "vertices" else "n_e"
        parts = [self.section.ops[each] for each in op.operands]
        sized = [part.name == "size" and part.argument == rows for part in parts]
        if op.name == "multiply":
            return any(sized)
        return op.name == "where" and sized[1] and (parts[2].name, parts[2].argument) == ("constant", "0")

    def iterations(self, rows):
        """The most iterations that a run may take."""
        return int(self.begins) + extent(self.size, rows)[1]


MANY = 10**18  # no loop runs as often: "this or more"
UNBOUNDED = 2**1000  # what bounds an input that no column holds


def choose(n, k):
    found = int(k <= n)
    if n >= MANY:
        return MANY if k else 1
    for taken in range(1, min(k, n - k) + 1):
        found = found * (n - min(k, n - k) + taken) // taken
        if found >= MANY:
            return MANY
    return found


def extent(size, rows):
    """The least and the most that a size can be, with at most so many vertices and hyperedges."""
    if isinstance(size, ast.Constant):
        return min(size.value, MANY), min(size.value, MANY)
    if isinstance(size, ast.Name):
        need(size.id in {"n_v", "n_e"}, "a size is not known")
        return 0, rows
    if isinstance(size, ast.Call):
        word, parts = size.func.id, [extent(each, rows) for each in size.args]
    else:
        word, parts = type(size.op).__name__, [extent(each, rows) for each in (size.left, size.right)]
    if word == "log2":
        return tuple(max(each - 1, 0).bit_length() for each in parts[0])
    (low, high), (least, most) = parts
    if word == "Sub":
        return (0 if most >= MANY or low < most else low - most), (high if high >= MANY else max(high - least, 0))
    if word == "choose":
        return min(choose(low, least), choose(low, most)), choose(high, min(max(high // 2, least), most))
    if word == "FloorDiv":
        return low if low >= MANY else low // least, high if high >= MANY else high // most
    join = {"Add": lambda a, b: a + b, "Mult": lambda a, b: a * b, "Pow": power, "max": max}[word]
    return min(join(low, least), MANY), min(join(high, most), MANY)


def power(n, k):
    return n**k if k * max(n, 1).bit_length() < 10_000 else MANY if n > 1 else n


class Model:
    """The tensors and the document of a model's file: weights are (factor, row of the matrix), by column, no zeros."""

    def __init__(self, data):
        start = 8 + int.from_bytes(data[:8], "little")
        header = read_json(data[8:start])
        self.document = read_json(header.pop("__metadata__")["hyloop"])
        self.data, self.header = memoryview(data)[start:], header
        end = 0
        for first, last in sorted(said["data_offsets"] for said in header.values()):
            need(first == end <= last, "the tensors of the model's file do not follow one another")
            end = last
        need(start + end == len(data), "the model's file is longer or shorter than its tensors")
        said = self.document
        self.limit = {"float64": 2**53, "float32": 2**24}[said["dtype"]]
        need(said["format"] == 4, "the format of the model's file is not known")
        need(said["incidence"] == "ones" and said["positions"] == "parabola", "this is no compiled model")
        self.rows, self.weight = said["capacity"]["rows"], said["capacity"]["weight"]
        self.infinity, self.least, self.halt = said["infinity"], said["least"], said["halt"]
        self.columns = said["columns"]
        self.names = [each["name"] for each in self.columns]
        need(len(set(self.names)) == len(self.names) and self.halt in self.names, "columns are not named apart")
        counts = (self.rows, self.weight, self.infinity, self.least)
        need(all(type(each) is int and each >= 0 for each in counts), "a size of the model is no number")
        self.layers = [self.layer(number_, each) for number_, each in enumerate(said["layers"])]
        need(not header, "there are tensors that no layer uses")

    def layer(self, number_, said):
        width, units, name = len(self.names), None, f"layers.{number_}"
        heads = []
        for place, each in enumerate(said["heads"]):
            need(each["kind"] == "plain" or each["kind"] in ENDS, "the kind of a head is not known")
            shapes = {"query": (width, 2), "key": (width, 2), "value": (width, width)}
            heads.append((each["kind"], *(self.tensor(f"{name}.heads.{place}.{w}", s) for w, s in shapes.items())))
        units = self.header[f"{name}.mlp.w1"]["shape"][1]
        shapes = (width, units), (units, units), (units, units), (units, width)
        return heads, [self.tensor(f"{name}.mlp.w{stage + 1}", shape) for stage, shape in enumerate(shapes)]

    def tensor(self, name, shape):
        said = self.header.pop(name)
        letter = {"F64": "d", "F32": "f"}[said["dtype"]]
        need((letter == "d") == (self.limit == 2**53) and tuple(said["shape"]) == shape, f"{name} is of another form")
        numbers = struct.unpack(f"<{shape[0] * shape[1]}{letter}", self.data[slice(*said["data_offsets"])])
        need(all(each == each // 1 and abs(each) <= 2**53 for each in numbers), f"{name} has other than integers")
        columns = [numbers[column :: shape[1]] for column in range(shape[1])]
        return [[(int(each), row) for row, each in enumerate(column) if each] for column in columns]


# -- what the program means ------------------------------------------------------------------------------------------

Symbol = namedtuple("Symbol", "name scalar low high facts")
States = namedtuple("States", "values started")
Search = namedtuple("Search", "mode x candidate row")
Sum = namedtuple("Sum", "number matrix x most at symbol")
Mean = namedtuple("Mean", "number scope x most symbol")
Product = namedtuple("Product", "a b made scope")
Division = namedtuple("Division", "a b quotient taken")


def word_of(label):
    return "".join(letter if letter.isalnum() or letter in "_[] .-" else "_" for letter in label)


class Meaning:
    """The values of the program, the symbols in them, and what is known of these."""

    def __init__(self, model, program, choices):
        self.model, self.program, self.choices = model, program, choices
        lines = [each["most"] for each in choices["states"].values()]
        for a, b in [*lines, *choices["values"]["before"], *choices["values"]["body"]]:
            need(type(a) is int and type(b) is int and b >= 0, "a line is not of the form a + b·t, with b at least 0")
        self.iterations = program.iterations(model.rows)
        self.last = max(model.rows, model.least)
        self.symbols, self.values = {}, {}
        self.searches, self.sums, self.means, self.operands, self.arithmetic = {}, {}, {}, [], {}
        self.untouched, self.empty, self.late, self.empty_means, self.same = [], set(), set(), set(), {}
        self.size = self.symbol("K", True, max(2, model.least + 1), self.last + 1, self.of_size)
        self.counts = {
            "vertices": self.symbol("n_v", True, 0, model.rows, self.of_size),
            "hyperedges": self.symbol("n_e", True, 0, model.rows, self.of_size),
        }
        self.time = self.symbol("t", True, 0, max(self.iterations - 1, 0))
        self.one = self.symbol("row", True, 0, self.last)
        self.symbol("weight", False, 0, model.weight, self.of_weight)
        self.inputs = {each.name: self.input(each) for each in program.inputs}
        self.now = self.states_now()
        for section in ("before", "body"):
            for place in range(len(self.section(section).ops)):
                self.prepare(self.now, section, place)
        self.next, self.first = self.after(), self.at_first()

    # symbols

    def symbol(self, name, scalar, low, high, facts=lambda _: []):
        """A number, or a function of a row, between two numbers; `facts` says what else is known of it at a row."""
        self.symbols[name] = Symbol(name, scalar, low, high, facts)
        return self.at(name, ZERO)

    def at(self, name, row):
        return atom("symbol", name) if self.symbols[name].scalar else atom("at", name, row)

    def row(self, name, more=lambda _: []):
        found = atom("symbol", f"row {name}")
        return self.symbol(f"row {name}", True, 0, self.last, lambda _: [lt(found, self.size), *more(found)])

    def high(self, term):
        """The most that a term can be, by the ranges of its symbols."""
        return self.range(term)[1]

    def range(self, term):
        low = high = 0
        for monomial, factor in term:
            ends = 1, 1
            for each in monomial:
                products = [x * y for x in ends for y in self.range_of(each)]
                ends = min(products), max(products)
            low, high = low + min(factor * x for x in ends), high + max(factor * x for x in ends)
        return low, high

    def range_of(self, each):
        word, *parts = NODES[each]
        if word != "ite":
            return self.symbols[parts[0]].low, self.symbols[parts[0]].high
        (a, b), (c, d) = self.range(parts[1]), self.range(parts[2])
        return (0, max(b, 0)) if relu(parts[1]) == (((each,), 1),) else (min(a, c), max(b, d))

    def inside(self, scope, row):
        return TRUE if scope == "scalar" else both(ge(row, ONE), ge(self.counts[scope], row))

    def of_size(self, _):
        return [lt(each, self.size) for each in self.counts.values()]

    def of_weight(self, row):
        inside, weight = self.inside("hyperedges", row), self.at("weight", row)
        return [if_then(inside, ge(weight, ONE)), either(inside, eq(weight, ZERO))]

    def input(self, given):
        """An input, as large as the model's columns let it be; they must take what the program takes."""
        name, most = f"input {given.name}", {"flag": 1, "length": self.model.weight}.get(given.kind, self.model.rows)
        if given.kind == "count" and given.scope != "scalar":
            most = max(self.model.rows, self.model.weight)
        if given.most is not None:
            most = max(most, given.most) if given.kind == "length" else given.most
        unbounded = given.kind == "length" or (given.kind == "count" and given.most is None)
        bound = UNBOUNDED if unbounded else most
        for term in (term for column in self.model.columns for term in column["initial"]):
            if term.get("name") == given.name:
                need(term["most"] >= most, f"the model does not take the input {given.name} up to {most}")
                need(term.get("of", "scalar") == given.scope, f"the input {given.name} is over other rows")
                bound = term["most"]

        def facts(row):
            value, known = self.at(name, row), []
            if given.kind in POINTS:
                known.append(ge(self.counts[POINTS[given.kind]], value))
            if given.scope != "scalar":
                known.append(either(self.inside(given.scope, row), eq(value, ZERO)))
            return known

        self.symbol(name, given.scope == "scalar", 0, bound, facts)
        return name

    def line(self, line, time=None):
        a, b = line
        return total((a, ONE), (b, self.time if time is None else time))

    def end(self, line):
        return line[0] + line[1] * self.iterations

    # states

    def states_now(self):
        values = {}
        for state in self.program.states:
            high = self.most_of(state.name)
            self.symbol(f"state {state.name}", state.scope == "scalar", 0, high, self.facts_of_state(state.name))
            values[state.name] = lambda row, name=f"state {state.name}": self.at(name, row)
        return States(values, self.symbol("started", True, 0, 1) if self.program.begins else ONE)

    def most_of(self, name):
        """The most that a state can be: its line at the end, or where its clock is largest."""
        chosen = self.choices["states"][name]
        if chosen["clock"] is None:
            most = self.end(chosen["most"])
        else:
            need(self.choices["states"][chosen["clock"]]["clock"] is None, "a clock has a clock")
            most = chosen["most"][0] + chosen["most"][1] * self.most_of(chosen["clock"])
        kind = self.program.state[name].kind
        if chosen["infinite"]:
            need(kind == "length" and most <= self.model.infinity, f"{name} is no length, or its line passes infinity")
            return self.model.infinity
        return min(most, 1) if kind == "flag" else most

    def facts_of_state(self, name):
        def facts(row):
            learned = [self.is_untouched(each, self.now, row) for each in self.untouched if each[0] == name]
            return [self.in_range(name, self.now, row), *learned]

        return facts

    def in_range(self, name, states, row, time=None):
        state, chosen, value = self.program.state[name], self.choices["states"][name], states.values[name](row)
        time = time if chosen["clock"] is None else states.values[chosen["clock"]](row)
        fits = [ge(self.line(chosen["most"], time), value)]
        if state.most is not None:
            fits.append(ge(self.declared(state.most), value))
        if state.kind == "flag":
            fits.append(ge(ONE, value))
        if state.kind in POINTS:
            fits.append(ge(self.counts[POINTS[state.kind]], value))
        if chosen["infinite"]:
            fits = [either(both(*fits), eq(value, number(self.model.infinity)))]
        fits, inside = both(*fits, ge(value, ZERO)), self.inside(state.scope, row)
        return fits if state.scope == "scalar" else both(if_then(inside, fits), either(inside, eq(value, ZERO)))

    def declared(self, size):
        """The bound that the program declares for a state, as a term."""
        if not any(isinstance(each, ast.Name) and each.id in {"n_v", "n_e"} for each in ast.walk(size)):
            return number(extent(size, 0)[1])
        if isinstance(size, ast.Name):
            return self.counts["vertices" if size.id == "n_v" else "hyperedges"]
        word = size.func.id if isinstance(size, ast.Call) else type(size.op).__name__
        need(word in {"Add", "Sub", "Mult", "max"}, f"a declared bound has {word}, of which there is no term")
        parts = size.args if isinstance(size, ast.Call) else (size.left, size.right)
        a, b = (self.declared(each) for each in parts)
        need(word != "Mult" or value_of(a) is not None or value_of(b) is not None, "a declared bound multiplies counts")
        if word == "max":
            return ite(lt(a, b), b, a)
        return relu(minus(a, b)) if word == "Sub" else {"Add": plus, "Mult": times}[word](a, b)

    def is_untouched(self, chosen, states, row):
        name, beside, unless = chosen
        state = self.program.state[name]
        touched = is_set(states.started if beside is None else states.values[beside](row))
        same = eq(states.values[name](row), number(self.plain(state.initial)))
        return if_then(self.inside(state.scope, row), either(touched if unless else no(touched), same))

    def after(self):
        def new(state, row):
            def of(section):
                updates = self.section(section).updates
                if state.name in updates:
                    return self.full(self.now, section, updates[state.name], row)
                return self.now.values[state.name](row)

            return ite(is_set(self.now.started), of("body"), of("before"))

        return States({each.name: lambda row, each=each: new(each, row) for each in self.program.states}, ONE)

    def at_first(self):
        def old(state, row):
            return ite(self.inside(state.scope, row), number(self.plain(state.initial)), ZERO)

        values = {each.name: lambda row, each=each: old(each, row) for each in self.program.states}
        return States(values, ZERO if self.program.begins else ONE)

    def stops(self):
        return ite(is_set(self.now.started), self.value(self.now, "body", self.program.body.stop[0], ZERO), ZERO)

    def plain(self, text):
        named = {"true": 1, "false": 0, "none": 0, "infinity": self.model.infinity}
        return named[text] if text in named else int(text)

    # values

    def section(self, name):
        return self.program.before if name == "before" else self.program.body

    def op(self, section, place):
        return self.section(section).ops[place]

    def full(self, states, section, place, row):
        """A value as the machine keeps it: 0 outside its rows."""
        value, scope = self.value(states, section, place, row), self.op(section, place).scope
        return value if scope == "scalar" else ite(self.inside(scope, row), value, ZERO)

    def value(self, states, section, place, row):
        key = id(states), section, place, row
        if key not in self.values:
            op = self.op(section, place)
            if op.name in PLAIN:
                args = [self.value(states, section, each, row) for each in op.operands]
                self.values[key] = PLAIN[op.name](self, op, *args)
            else:
                self.values[key] = self.elsewhere(states, section, place, op, row)
        return self.values[key]

    def functions(self, states, section, op):
        """The operands of an operation, as functions of the row."""
        return [lambda row, each=each: self.value(states, section, each, row) for each in op.operands]

    def elsewhere(self, states, section, place, op, row):
        """A value that is a leaf, depends on other rows, or needs symbols of its own."""
        args = self.functions(states, section, op)
        if op.name == "input":
            return self.at(self.inputs[op.argument], row)
        if op.name == "state":
            return states.values[op.argument](row)
        if op.name == "weight":
            return self.at("weight", row)
        if op.name == "own":
            return row
        if op.name == "read":
            return ite(eq(args[1](row), ZERO), ZERO, args[0](args[1](row)))
        made = self.prepare(states, section, place)
        if op.name in ALONG:
            value = self.at(made.symbol, row)
            return flag(ge(value, ONE)) if ALONG[op.name][2] else value
        if op.name == "mean":
            return self.at(made.symbol, ZERO)
        if op.name in {"multiply", "quotient", "remainder"}:
            return self.computed(states, section, place, made, row)
        return self.found(op, made, args[0])

    def found(self, op, made, x):
        if op.name in {"argmin", "argmax", "first"}:
            return made.row
        if op.name == "any":
            return flag(ge(made.row, ONE))
        if op.name == "all":
            return flag(eq(made.row, ZERO))
        none = self.model.infinity if op.name == "min" and op.kind == "length" else 0
        return ite(eq(made.row, ZERO), number(none), x(made.row))

    def prepare(self, states, section, place):
        """The symbols that an operation needs, after those of its operands: what it finds, adds up, multiplies."""
        key = "made", id(states), section, place
        if key not in self.values:
            op = self.op(section, place)
            for each in op.operands:
                self.prepare(states, section, each)
            self.values[key] = self.made(section, op, self.functions(states, section, op))
        return self.values[key]

    def made(self, section, op, args):
        types = [self.op(section, each) for each in op.operands]
        lines = [self.choices["values"][section][each] for each in op.operands]
        if op.name in ALONG:
            return self.adding(op, args[0], lines[0])
        if op.name == "mean":
            return self.averaging(op, args[0], types[0].scope, lines[0])
        if op.name == "multiply":
            return self.multiplying(op, args, types, lines)
        if op.name in {"quotient", "remainder"}:
            return self.dividing(op, args, types, lines)
        if op.name in {"argmin", "argmax", "min", "max", "first", "any", "all"}:
            return self.searching(op, args, types[0])
        return None

    # what looks at other rows

    def candidates(self, op, args, type_, row):
        """Whether a row is a candidate of a search."""
        x = args[0](row)
        if op.name in {"first", "any"}:
            return both(self.inside(type_.scope, row), is_set(x))
        if op.name == "all":
            return both(self.inside(type_.scope, row), no(is_set(x)))
        finite = TRUE
        if type_.kind in POINTS:
            finite = ge(x, ONE)
        elif type_.kind == "length":
            finite = no(eq(x, number(self.model.infinity)))
        return both(self.inside(type_.scope, row), *(is_set(each(row)) for each in args[1:]), finite)

    def searching(self, op, args, type_):
        mode = "least" if op.name in {"argmin", "min"} else "greatest" if op.name in {"argmax", "max"} else "first"
        x = (lambda _: ZERO) if mode == "first" else args[0]

        def candidate(row):
            return self.candidates(op, args, type_, row)

        key = mode, x(self.one), candidate(self.one)
        if key not in self.searches:
            name = f"row {len(self.searches) + 1} found by {word_of(op.label or op.name)}"
            row = atom("symbol", name)
            facts = [lt(row, self.size), if_then(ge(row, ONE), candidate(row))]
            self.symbol(name, True, 0, self.model.rows, lambda _: facts)
            self.searches[key] = Search(mode, x, candidate, row)
        return self.searches[key]

    def no_better(self, search, row):
        found = search.row
        if search.mode == "first":
            worse = ge(row, found)
        else:
            x, best = search.x(row), search.x(found)
            gap = minus(x, best) if search.mode == "least" else minus(best, x)
            worse = either(ge(gap, ONE), both(eq(gap, ZERO), ge(row, found)))
        return if_then(search.candidate(row), both(ge(found, ONE), worse))

    def adding(self, op, x, line):
        matrix, pointer, _ = ALONG[op.name]
        at, most = None, [self.model.rows * line[0], self.model.rows * line[1]]
        if pointer:
            at, most = x(ZERO), [1, 0]
        array = (lambda row: flag(eq(row, at))) if pointer else x
        key = matrix, array(self.one), at
        if key not in self.sums:
            name = f"sum {len(self.sums) + 1} for {word_of(op.label or op.name)}"
            made = self.sums[key] = Sum(len(self.sums) + 1, matrix, array, most, at, name)
            self.symbol(name, False, 0, self.end(most), lambda row: self.of_sum(made, row))
        return self.sums[key]

    def of_sum(self, made, row):
        value = self.at(made.symbol, row)
        known = [either(self.inside(ENDS[made.matrix][1], row), eq(value, ZERO)), ge(self.line(made.most), value)]
        if made.number in self.empty:
            known.append(eq(value, ZERO))
        if made.number in self.late:
            known.append(either(is_set(self.now.started), eq(value, ZERO)))
        if made.number in self.same:
            known.append(eq(value, self.at(self.same[made.number].symbol, row)))
        if made.at is not None:
            known.append(if_then(eq(made.at, ZERO), eq(value, ZERO)))
        return known

    def averaging(self, op, x, scope, line):
        key = scope, x(self.one)
        if key not in self.means:
            name = f"mean {len(self.means) + 1} for {word_of(op.label or op.name)}"
            made = self.means[key] = Mean(len(self.means) + 1, scope, x, line, name)
            self.symbol(name, True, 0, self.end(line), lambda _: self.of_mean(made))
        return self.means[key]

    def of_mean(self, made):
        value = self.at(made.symbol, ZERO)
        known = [ge(self.line(made.most), value), if_then(eq(self.counts[made.scope], ZERO), eq(value, ZERO))]
        if made.number in self.empty_means:
            known.append(either(is_set(self.now.started), eq(value, ZERO)))
        return known

    # products and quotients of two values

    def square(self, row):
        """A quarter of the square of a number, rounded down."""
        if "quarter square" not in self.symbols:
            self.symbol("quarter square", False, 0, self.last**2 // 4, self.of_square)
        return atom("at", "quarter square", row)

    def of_square(self, row):
        most, value = min(self.high(row), self.last), self.square(row)
        ranged = both(ge(number(most), row), ge(row, ZERO))
        return [
            ge(value, ZERO),
            if_then(ranged, ge(number(most * most // 4), value)),
            if_then(eq(row, ZERO), eq(value, ZERO)),
        ]

    def finite(self, type_, x):
        if type_.kind != "length":
            return x
        return lambda row: ite(eq(x(row), number(self.model.infinity)), ZERO, x(row))

    def operand(self, scope, x, high, what, least=0):
        """A number that is multiplied or divided, `least` outside its rows."""
        name = f"{what} {len(self.operands) + 1}"

        def full(row):
            return ite(self.inside(scope, row), x(row), number(least))

        self.symbol(name, scope == "scalar", least, high, lambda row: [eq(self.at(name, row), full(row))])
        self.operands.append((name, full))
        return name

    def product(self, scope, a, b, most):
        name = f"product of {a} and {b}"
        made = Product(a, b, name, scope)

        def facts(row):
            squares = minus(self.square(self.sum_of(made, row)), self.square(self.gap_of(made, row)))
            return [eq(self.at(name, row), squares), eq(times(self.at(a, row), self.at(b, row)), squares)]

        self.symbol(name, scope == "scalar", 0, most, facts)
        return made

    def sum_of(self, made, row):
        return ite(self.inside(made.scope, row), plus(self.at(made.a, row), self.at(made.b, row)), ZERO)

    def gap_of(self, made, row):
        return ite(self.inside(made.scope, row), absolute(minus(self.at(made.a, row), self.at(made.b, row))), ZERO)

    def multiplying(self, op, args, types, lines):
        key = "product", op.scope, *(each(self.one) for each in args)
        if key not in self.arithmetic:
            pairs = zip(types, args, lines, strict=True)
            a, b = (self.operand(op.scope, self.finite(t, x), self.end(line), "factor") for t, x, line in pairs)
            most = self.symbols[a].high * self.symbols[b].high
            self.arithmetic[key] = self.product(op.scope, a, b, most)
        return self.arithmetic[key]

    def divisor(self, args, types, row):
        """What divides; where that is 0, or more than what is divided, one more than that."""
        value, by = self.finite(types[0], args[0])(row), args[1](row)
        return ite(either(eq(by, ZERO), lt(value, by)), plus(value, ONE), by)

    def dividing(self, op, args, types, lines):
        written = [each.name == "constant" for each in types]
        key = "division", op.scope, *(each(self.one) for each in args), *written
        if key in self.arithmetic:
            return self.arithmetic[key]
        scope, x = op.scope, self.finite(types[0], args[0])
        a = self.operand(scope, x, self.end(lines[0]), "dividend")
        most = self.symbols[a].high
        fixed = value_of(args[1](self.one)) if written[1] and types[1].kind == "count" else None
        if fixed:
            fixed = min(fixed, most + 1)
            made = Division(a, fixed, f"quotient of {a}", None)
            self.symbol(made.quotient, scope == "scalar", 0, most // fixed, lambda row: self.of_quotient(made, row))
        else:
            b = self.operand(scope, lambda row: self.divisor(args, types, row), most + 1, "divisor", 1)
            quotient = f"quotient of {a} and {b}"
            made = Division(a, b, quotient, self.product(scope, b, quotient, most))
            self.symbol(quotient, scope == "scalar", 0, most, lambda row: self.of_quotient(made, row))
        self.arithmetic[key] = made
        return made

    def by(self, made, row):
        return self.at(made.b, row) if isinstance(made.b, str) else number(made.b)

    def of_quotient(self, made, row):
        a, b, quotient = self.at(made.a, row), self.by(made, row), self.at(made.quotient, row)
        multiple = times(b, quotient)
        known = [ge(a, multiple), ge(plus(multiple, b, number(-1)), a)]
        known.append(if_then(ge(b, plus(a, ONE)), eq(quotient, ZERO)))
        if made.taken is not None:
            known.append(eq(self.at(made.taken.made, row), multiple))
        return known

    def computed(self, states, section, place, made, row):
        op = self.op(section, place)
        types = [self.op(section, each) for each in op.operands]
        a, b = (self.value(states, section, each, row) for each in op.operands)
        infinity = number(self.model.infinity)
        endless = [infinite(self, type_, x) for x, type_ in zip((a, b), types, strict=True)]
        if op.name == "multiply":
            condition = either(both(endless[0], ge(b, ONE)), both(endless[1], ge(a, ONE)))
            return ite(condition, infinity, self.at(made.made, row))
        result = self.at(made.quotient, row)
        if op.name == "remainder":
            multiple = times(self.by(made, row), result)
            result = minus(self.at(made.a, row), multiple if made.taken is None else self.at(made.taken.made, row))
        return ite(either(eq(b, ZERO), endless[0]), ZERO, result)

    # columns computed ahead

    def ahead(self, states, chosen):
        """What a column holds that is computed an iteration early: a function of the row."""
        section, place, part = chosen
        op = self.op(section, place)
        for each in [place] if part == "value" else op.operands:
            self.prepare(states, section, each)
        types = [self.op(section, each) for each in op.operands]
        args = self.functions(states, section, op)
        if part == "value":
            return lambda row: self.full(states, section, place, row)
        if part == "one-hot":
            return lambda row: flag(both(self.inside(POINTS[types[0].kind], row), eq(row, args[0](row))))
        if part in {"lacking", "candidates"}:
            return lambda row: flag(self.candidates(op, args, types[0], row))
        need(part == "count", "a part of an operation is not known")
        return lambda row: ite(self.inside(op.scope, row), self.counted(op, args, types, row), ZERO)

    def counted(self, op, args, types, row):
        if op.name != "multiply":
            return self.divisor(args, types, row)
        a, b = (self.finite(type_, x)(row) for type_, x in zip(types, args, strict=True))
        return absolute(minus(a, b))

    # what is known

    def facts(self, formulas, rows):
        """What is known of all symbols in formulas, and of those in what is known of them."""
        found, seen, searched = set(), set(), set()
        fresh = frozenset().union(*(symbols_in("node", each) for each in formulas))
        while fresh:
            seen |= fresh
            new = [fact for each in fresh for fact in self.known(each)]
            present = [each for each in self.searches.values() if each.row[0][0][0] in seen]
            for row in [ZERO, *rows, *(each.row for each in present)]:
                for each in present:
                    if (each.row, row) not in searched:
                        searched.add((each.row, row))
                        new.append(self.no_better(each, row))
            found.update(new)
            fresh = frozenset().union(*(symbols_in("node", each) for each in new)) - seen
        return found

    def known(self, each):
        _, name, *index = NODES[each]
        symbol, itself = self.symbols[name], (((each,), 1),)
        facts = symbol.facts(index[0] if index else ZERO)
        if name == "quarter square":
            return facts
        return [ge(itself, number(symbol.low)), ge(number(symbol.high), itself), *facts]


def infinite(meaning, op, value):
    """Whether a value of an operation's kind is infinite."""
    return eq(value, number(meaning.model.infinity)) if op.kind == "length" else FALSE


def added(meaning, op, a, b):
    endless = either(infinite(meaning, op, a), infinite(meaning, op, b))
    return ite(endless, number(meaning.model.infinity), plus(a, b))


def subtracted(meaning, op, a, b):
    endless = both(infinite(meaning, op, a), no(infinite(meaning, op, b)))
    return ite(endless, number(meaning.model.infinity), relu(minus(a, b)))


def multiple(meaning, op, a):
    factor = int(op.argument)
    return ite(infinite(meaning, op, a), number(meaning.model.infinity), total((factor, a))) if factor else ZERO


def following(meaning, op, p):
    return ite(either(eq(p, ZERO), eq(p, meaning.counts[POINTS[op.kind]])), ZERO, plus(p, ONE))


# Operations that read their own row alone.
PLAIN = {
    "constant": lambda meaning, op: number(meaning.plain(op.argument)),
    "size": lambda meaning, op: meaning.counts["vertices" if op.argument == "n_v" else "hyperedges"],
    "add": added,
    "subtract": subtracted,
    "multiple": multiple,
    "smaller": lambda _, __, a, b: ite(lt(a, b), a, b),
    "larger": lambda _, __, a, b: ite(lt(a, b), b, a),
    "less": lambda _, __, a, b: flag(lt(a, b)),
    "precedes": lambda _, __, a, b: flag(both(lt(a, b), ge(a, ONE))),
    "equal": lambda _, __, a, b: flag(eq(a, b)),
    "and": lambda _, __, a, b: flag(both(is_set(a), is_set(b))),
    "or": lambda _, __, a, b: flag(either(is_set(a), is_set(b))),
    "not": lambda _, __, a: flag(no(is_set(a))),
    "where": lambda _, __, mask, a, b: ite(is_set(mask), a, b),
    "number": lambda _, __, a: a,
    "spread": lambda _, __, a: a,
    "missing": lambda _, __, p: flag(eq(p, ZERO)),
    "next": following,
    "previous": lambda _, __, p: relu(minus(p, ONE)),
    "ordinal": lambda meaning, op, p: ite(eq(p, ZERO), meaning.counts[op.argument], minus(p, ONE)),
}


# -- the machine -----------------------------------------------------------------------------------------------------

Look = namedtuple("Look", "at sums means")


class Machine:
    """What every column holds at a row, before each layer; `starts` before the first."""

    def __init__(self, model, meaning, starts):
        self.model, self.meaning, self.starts = model, meaning, starts
        self.looks = [[] for _ in model.layers]
        self.held = [{} for _ in model.layers]
        self.memo = {}

    def before(self, layer, column, row):
        key = "before", layer, column, row
        if key not in self.memo:
            if layer == 0:
                self.memo[key] = self.starts[column](row)
            elif column in self.held[layer - 1]:
                self.memo[key] = self.held[layer - 1][column](row)
            else:
                self.memo[key] = self.after(layer - 1, column, row)
        return self.memo[key]

    def brought(self, layer, head, column, row):
        """What a head adds to a column."""
        (kind, _, _, values), look = self.model.layers[layer][0][head], self.looks[layer][head]
        if column in look.sums:
            return self.meaning.at(look.sums[column].symbol, row)
        if column in look.means:
            return self.meaning.at(look.means[column].symbol, ZERO)
        if kind != "plain":
            return ZERO
        return self.weighed(layer, values[column], look.at(row))

    def weighed(self, layer, weights, row):
        return total(*((factor, self.before(layer, column, row)) for factor, column in weights))

    def attended(self, layer, column, row):
        key = "attended", layer, column, row
        if key not in self.memo:
            heads = range(len(self.model.layers[layer][0]))
            parts = [self.brought(layer, head, column, row) for head in heads]
            self.memo[key] = plus(self.before(layer, column, row), *parts)
        return self.memo[key]

    def input_of(self, layer, stage, place, row):
        """What a weight of a unit weighs: a column, or a unit of the stage before."""
        return self.attended(layer, place, row) if stage == 0 else self.unit(layer, stage - 1, place, row)

    def unit(self, layer, stage, unit, row):
        key = "unit", layer, stage, unit, row
        if key not in self.memo:
            weights = self.model.layers[layer][1][stage][unit]
            self.memo[key] = relu(total(*((k, self.input_of(layer, stage, place, row)) for k, place in weights)))
        return self.memo[key]

    def after(self, layer, column, row):
        weights = self.model.layers[layer][1][3][column]
        out = [(factor, self.unit(layer, 2, unit, row)) for factor, unit in weights]
        return total((1, self.attended(layer, column, row)), *out)


# -- the obligations -------------------------------------------------------------------------------------------------

Obligation = namedtuple("Obligation", "part says goal hypotheses")
OWN = {"B_global", "B_local", "P_1", "P_2", "vertices", "hyperedges", "weight", "n_v", "n_e", "started", "halt"}
PARTS = {"units": "step", "iteration": "step", "invariants": "invariants", "exactness": "exactness"}
AT_END = {
    "state": "becomes the program's new value",
    "started": "is set when the program says",
    "halt": "is set when the program says",
    "ahead": "is ready for the next iteration",
    "input": "stays as it was",
    "empty": "is empty again",
    "emptied": "stays within its bound until it is erased",
}


def numbered(found):
    """Sums or means by their numbers."""
    return {made.number: made for made in found.values()}


class Statement:
    """All obligations of a model, for the choices of a certificate."""

    def __init__(self, model, choices):
        self.model, self.choices, self.program = model, choices, Program(model.document["program"])
        self.meaning = Meaning(model, self.program, choices)
        self.i = self.meaning.row("i")
        self.columns = range(len(model.names))
        self.state_of = {(f"state {s.name}" if s.name in OWN else s.name): s.name for s in self.program.states}
        for column in self.state_of:
            need(column in model.names and column != model.halt, f"there is no column of its own for {column}")
        envs = self.meaning.first, self.meaning.now, self.meaning.next
        self.ahead = {
            column["name"]: [self.meaning.ahead(each, choices["ahead"][column["name"]]) for each in envs]
            for column in model.columns
            if column["name"] in choices["ahead"]
        }
        self.roles = [self.role(column) for column in self.columns]
        self.machine = Machine(model, self.meaning, self.starts({}))
        self.obligations = []
        self.encoder()
        self.untouched()
        self.values()
        for layer in range(len(model.layers)):
            self.heads(layer)
            self.held(layer)
        self.iteration()
        self.left()
        self.encoded()
        for layer in range(len(model.layers)):
            self.exactness(layer)

    def require(self, where, part, says, goal, rows=None, lemmas=()):
        """`where` is the number of a layer, "input" or "whole"; without rows nothing is known."""
        facts = set() if rows is None else self.meaning.facts([goal, *lemmas], rows)
        kind = "at first" if where == "input" else PARTS.get(part, "heads")
        place = where if isinstance(where, str) else f"layer {where + 1}"
        self.obligations.append(Obligation(kind, f"{place}, {part}: {says}", goal, frozenset({*facts, *lemmas})))

    # columns

    def role(self, number_):
        column, name = self.model.columns[number_], self.model.names[number_]
        if name in self.state_of:
            return "state"
        if name == self.model.halt:
            return "halt"
        if column["role"] == "started" and self.program.begins:
            return "started"
        if name in self.ahead:
            return "ahead"
        if column["initial"]:
            return "input"
        erased = any((-1, number_) in values[number_] for _, _, _, values in self.model.layers[0][0])
        return "emptied" if erased else "empty"

    def starts(self, left):
        return [self.start(column, left) for column in self.columns]

    def start(self, number_, left):
        role, name = self.roles[number_], self.model.names[number_]
        if role == "state":
            return self.meaning.now.values[self.state_of[name]]
        if role == "started":
            return lambda _: self.meaning.now.started
        if role == "ahead":
            return self.ahead[name][1]
        if role == "input":
            return lambda row: self.written(number_, row)
        if role in {"halt", "empty"}:
            return lambda _: ZERO
        low, high = left.get(name, (1 - self.model.limit, self.model.limit - 1))
        self.meaning.symbol(f"left in {name}", False, low, high)
        return lambda row: self.meaning.at(f"left in {name}", row)

    def written(self, number_, row):
        """What the encoder writes into a column."""
        return plus(*(self.written_by(term, row) for term in self.model.columns[number_]["initial"]))

    def written_by(self, term, row):
        kind, meaning = term["term"], self.meaning
        if kind == "Fill":
            need(term["value"] == int(term["value"]), "a column starts with a number that is no integer")
            return ite(self.region(term["rows"], row), number(int(term["value"])), ZERO)
        if kind == "Position":
            need(term["part"] in (0, 1), "a position has two parts")
            return times(row, row) if term["part"] else row
        if kind == "Weights":
            return meaning.at("weight", row)
        if kind in {"Everywhere", "Entries"}:
            return meaning.at(meaning.inputs[term["name"]], row)
        if kind == "Cardinality":
            return meaning.counts[term["of"]]
        if kind == "Numbers":
            return ite(self.region(term["rows"], row), row, ZERO)
        need(kind == "QuarterSquares", f"a column starts with {kind}")
        return meaning.square(row)

    def region(self, name, row):
        if name in {"global", "rows"}:
            return eq(row, ZERO) if name == "global" else no(eq(row, ZERO))
        if name.startswith("past "):
            return ge(row, plus(self.meaning.counts[name[5:]], ONE))
        need(name in self.meaning.counts, f"there is no class of rows {name}")
        return self.meaning.inside(name, row)

    def encoder(self):
        for number_ in self.columns:
            role, name = self.roles[number_], self.model.names[number_]
            if role == "input":
                continue
            expected = ZERO
            if role == "state":
                expected = self.meaning.first.values[self.state_of[name]](self.i)
            elif role == "ahead":
                expected = self.ahead[name][0](self.i)
            goal = eq(self.written(number_, self.i), expected)
            self.require("input", "encoder", f"{name} starts as the program says", goal, [self.i])
        for state in self.program.states:
            goal = self.meaning.in_range(state.name, self.meaning.first, self.i, ZERO)
            self.require("input", "invariants", f"{state.name} is in its range at first", goal, [self.i])

    def untouched(self):
        self.meaning.untouched = [tuple(each) for each in self.choices["untouched"]]
        for each in self.meaning.untouched:
            name, beside, unless = each
            goal = self.meaning.is_untouched(each, self.meaning.first, self.i)
            self.require("input", "invariants", f"{name} begins with its initial value", goal, [self.i])
            says = "until the loop begins" if beside is None else f"where {beside} is {'not ' * unless}set"
            goal = self.meaning.is_untouched(each, self.meaning.next, self.i)
            self.require("whole", "invariants", f"{name} has its initial value {says}", goal, [self.i])

    # what is assumed of the symbols

    def values(self):
        meaning, i = self.meaning, self.i
        for made in meaning.sums.values():
            rows = self.model.rows if made.at is None else 1
            goal = self.between(made.x(i), ZERO, meaning.line([each // rows for each in made.most]))
            says = f"what {made.symbol} adds up is in its range"
            self.invariant(says, if_then(meaning.inside(ENDS[made.matrix][0], i), goal))
        for made in meaning.means.values():
            goal = self.between(made.x(i), ZERO, meaning.line(made.most))
            self.invariant(f"what {made.symbol} averages is in its range", if_then(meaning.inside(made.scope, i), goal))
        for name, full in meaning.operands:
            symbol = meaning.symbols[name]
            self.invariant(f"{name} is in its range", self.between(full(i), number(symbol.low), number(symbol.high)))
        self.empty()
        self.finite_leaves()
        for section, place, op in self.lengths():
            if op.name in {"add", "multiple", "multiply", "mean"} or op.name in ENDS:
                self.finite_or_infinite(section, place, op)

    def invariant(self, says, goal):
        self.require("whole", "invariants", says, goal, [self.i])

    def between(self, value, low, high):
        return both(ge(high, value), ge(value, low))

    def begins_empty(self, made, scope, verb):
        goal = either(is_set(self.meaning.now.started), eq(made.x(self.i), ZERO))
        says = f"{made.symbol} {verb} nothing until the loop begins"
        self.invariant(says, if_then(self.meaning.inside(scope, self.i), goal))

    def empty(self):
        """Sums and means of arrays that are 0, and sums of equal arrays: known once they are obligations."""
        meaning, i = self.meaning, self.i
        for made in meaning.sums.values():
            if made.number in self.choices["empty sums"]:
                inside = meaning.inside(ENDS[made.matrix][0], i)
                self.invariant(f"{made.symbol} adds up nothing", if_then(inside, eq(made.x(i), ZERO)))
                meaning.empty.add(made.number)
        need(
            self.program.begins or not self.choices["late sums"] + self.choices["empty means"], "a loop begins at once"
        )
        for made in meaning.sums.values():
            if made.number in self.choices["late sums"]:
                self.begins_empty(made, ENDS[made.matrix][0], "adds up")
                meaning.late.add(made.number)
        for made in meaning.means.values():
            if made.number in self.choices["empty means"]:
                self.begins_empty(made, made.scope, "averages")
                meaning.empty_means.add(made.number)
        self.equal_sums(numbered(meaning.sums))

    def equal_sums(self, sums):
        for one, two in self.choices["equal sums"]:
            made, other = sums[one], sums[two]
            need(two < one and made.matrix == other.matrix, "two sums along different matrices are not equal")
            inside = self.meaning.inside(ENDS[made.matrix][0], self.i)
            goal = if_then(inside, eq(made.x(self.i), other.x(self.i)))
            self.invariant(f"{made.symbol} adds up what {other.symbol} does", goal)
            self.meaning.same[one] = other

    def lengths(self):
        """The lengths that a state or the stop flag depends on."""
        for name in ("before", "body"):
            section = self.meaning.section(name)
            live, waiting = set(), [*section.updates.values(), *section.stop]
            while waiting:
                place = waiting.pop()
                if place not in live:
                    live.add(place)
                    waiting += self.taken(section, section.ops[place])
            for place in sorted(live):
                if section.ops[place].kind == "length":
                    yield name, place, section.ops[place]

    def taken(self, section, op):
        """The operands that matter: of a `where` with a constant flag, one branch."""
        if op.name == "where" and section.ops[op.operands[0]].name == "constant":
            return [op.operands[1 if section.ops[op.operands[0]].argument == "true" else 2]]
        return op.operands

    def finite_leaves(self):
        infinity, lengths = number(self.model.infinity), [op for _, _, op in self.lengths()]
        states = [each for each in self.program.states if each.kind == "length"]
        if lengths or states:
            self.invariant("0 is below Ω", lt(ZERO, infinity))
        for op in lengths:
            if op.name in {"weight", "input"} or (op.name == "constant" and op.argument != "infinity"):
                name = {"weight": "weight", "input": f"input {op.argument}"}.get(op.name)
                most = self.meaning.symbols[name].high if name else self.meaning.plain(op.argument)
                self.invariant(f"{op.name} ({op.where}) is below Ω", lt(number(most), infinity))
        for state in states:
            if state.initial != "infinity":
                goal = lt(number(self.meaning.plain(state.initial)), infinity)
                self.invariant(f"{state.name} is below Ω at first", goal)

    def finite_or_infinite(self, section, place, op):
        meaning, infinity = self.meaning, number(self.model.infinity)
        value, *operands = (meaning.value(meaning.now, section, each, self.i) for each in (place, *op.operands))
        finite = both(ge(meaning.line(self.choices["values"][section][place]), value), lt(value, infinity))
        endless = both(eq(value, infinity), either(*(eq(each, infinity) for each in operands)))
        goal = if_then(meaning.inside(op.scope, self.i), either(finite, endless))
        self.invariant(f"{op.label or op.name} ({op.where}) is infinite or below Ω", goal)

    # heads

    def claim(self, chosen):
        """The row that a head is claimed to look at: in words, and as a function of the row."""
        what, meaning = chosen["at"][0], self.meaning
        if what == "itself":
            says, at = "itself", lambda row: row
        elif what == "first":
            first = flag(ge(meaning.counts[chosen["averages"]], ONE))
            says, at = "", lambda _: first
        else:
            says, at = self.claimed(*chosen["at"])
        return says if chosen["averages"] is None else f"all {chosen['averages']}", at

    def claimed(self, what, section, place):
        meaning, op = self.meaning, self.meaning.op(section, place)
        made, called = meaning.prepare(meaning.now, section, place), f"{op.label or op.name} ({op.where})"
        if what == "search":
            return f"the row of {called}", lambda _: made.row
        if what == "value":
            argument = "" if op.argument in {"0", "false", "none"} else op.argument
            says = f"{op.label or argument or op.name} ({op.where})"
            return says, lambda row: meaning.full(meaning.now, section, place, row)
        if what == "quotient":
            return f"the quotient of {called}", lambda row: meaning.at(made.quotient, row)
        product = made.taken if isinstance(made, Division) else made
        if what == "sum":
            return f"the sum of what {called} multiplies", lambda row: meaning.sum_of(product, row)
        need(what == "difference", "what a head looks at is not known")
        return f"the difference of what {called} multiplies", lambda row: meaning.gap_of(product, row)

    def heads(self, layer):
        need(len(self.choices["heads"][layer]) == len(self.model.layers[layer][0]), "a head has no claim")
        for number_, chosen in enumerate(self.choices["heads"][layer]):
            self.head(layer, number_, chosen)

    def head(self, layer, number_, chosen):
        kind, query, _, values = self.model.layers[layer][0][number_]
        part, (says, at) = f"head {number_ + 1}", self.claim(chosen)
        i, j = self.i, self.meaning.row("j")
        plain = kind == "plain"
        need(plain or (chosen["at"] == ["itself"] and chosen["averages"] is None), "a head looks at another row")
        need(not chosen["means"] or chosen["averages"] is not None, "a head that takes no means has some")
        need(not plain or not chosen["sums"], "a head without an incidence adds up nothing")
        asked = [self.machine.weighed(layer, each, i) for each in query]
        divides = self.meaning.prepare(self.meaning.now, *chosen["at"][1:]) if chosen["at"][0] == "quotient" else None
        if chosen["aimed"]:
            self.aimed(layer, part, says, asked, at, divides)
        if chosen["at"] != ["itself"] or chosen["averages"] is not None:
            exists = both(ge(at(i), ZERO), lt(at(i), self.meaning.size))
            self.require(layer, part, f"the row of {says} exists", exists, [i])
        self.looking(layer, number_, chosen, asked, divides)
        look = self.look(chosen, at)
        if chosen["averages"] is not None:
            self.averages(layer, number_, chosen["averages"], asked, look)
        elif not plain:
            self.adds(layer, part, kind, values, look, j)
        self.machine.looks[layer].append(look)

    def look(self, chosen, at):
        sums, means = numbered(self.meaning.sums), numbered(self.meaning.means)
        return Look(
            at,
            {int(column): sums[each] for column, each in chosen["sums"].items()},
            {int(column): means[each] for column, each in chosen["means"].items()},
        )

    def query_of(self, divides, row):
        a, b = self.meaning.at(divides.a, row), self.meaning.by(divides, row)
        return [plus(total((2, a), (-1, b)), ONE), total((-1, b))]

    def aimed(self, layer, part, says, asked, at, divides):
        if divides is not None:
            pairs = zip(asked, self.query_of(divides, self.i), strict=True)
            goal, what = both(*(eq(*each) for each in pairs)), f"(2a - b + 1, -b) for {says}"
        else:
            goal, what = eq(asked[0], total((2, at(self.i)))), f"twice the number of {says}"
        self.require(layer, part, f"the query is {what}", goal, [])

    def looking(self, layer, number_, chosen, asked, divides):
        """That row i looks at row t, and at no row j of another value."""
        (_, _, key, values), (says, at) = self.model.layers[layer][0][number_], self.claim(chosen)
        i, j, target = self.i, self.meaning.row("j"), at(self.i)
        simple = value_of(target) is not None or (
            len(target) == 1 and target[0][1] == 1 and len(target[0][0]) == 1 and NODES[target[0][0][0]][0] == "symbol"
        )
        t = target if simple else self.meaning.row("t", lambda row: [eq(row, target)])
        query, lemmas = list(asked), []
        shift = value_of(minus(query[0], total((2, target))))
        if divides is not None and chosen["aimed"]:
            query, lemmas = self.query_of(divides, i), self.quotient_lemma(divides, i, t, j)
        elif value_of(query[0]) is None and shift is not None:
            query[0] = total((2, t), (shift, ONE))
        elif chosen["aimed"]:
            query[0] = total((2, t))
        gap = minus(self.score(layer, key, query, t), self.score(layer, key, query, j))
        better = ge(gap, ONE)
        if chosen["ties"]:
            pairs = [each for column, each in enumerate(values) if each and str(column) not in chosen["means"]]
            same = [eq(self.machine.weighed(layer, each, t), self.machine.weighed(layer, each, j)) for each in pairs]
            better = either(better, both(eq(gap, ZERO), *same))
        goal = either(both(ge(t, j), ge(j, t)), better)
        ends = "or at rows of the same value" if chosen["ties"] else "at no other row"
        self.require(layer, f"head {number_ + 1}", f"row i looks at {says}, {ends}", goal, [j, i, t], lemmas)

    def quotient_lemma(self, divides, i, t, j):
        a, b = self.meaning.at(divides.a, i), self.meaning.by(divides, i)
        quotient = self.meaning.at(divides.quotient, i)
        jj, jt, tt = (times(b, times(x, y)) for x, y in ((j, j), (j, t), (t, t)))
        bj, bt = times(b, j), times(b, t)
        square = total((1, jj), (-2, jt), (1, tt))
        above = ge(plus(minus(jt, tt), times(minus(j, t), plus(minus(b, a), number(-1)))), ZERO)
        below = ge(plus(minus(jt, tt), times(minus(t, j), a)), ZERO)
        return [
            if_then(eq(t, quotient), eq(bt, times(b, quotient))),
            ge(square, minus(bj, bt)),
            ge(square, minus(bt, bj)),
            if_then(ge(j, plus(t, ONE)), if_then(ge(plus(bt, b, number(-1)), a), above)),
            if_then(ge(t, plus(j, ONE)), if_then(ge(a, bt), below)),
        ]

    def score(self, layer, key, query, row):
        return plus(*(times(q, self.machine.weighed(layer, k, row)) for q, k in zip(query, key, strict=True)))

    def averages(self, layer, number_, scope, asked, look):
        """That all rows of a scope tie and no other, and that each mean is of what they bring."""
        _, _, key, values = self.model.layers[layer][0][number_]
        i, j, part = self.i, self.meaning.row("j"), f"head {number_ + 1}"
        gap = minus(self.score(layer, key, asked, ONE), self.score(layer, key, asked, j))
        inside = self.meaning.inside(scope, j)
        tie = both(if_then(inside, eq(gap, ZERO)), either(inside, ge(gap, ONE)))
        goal = if_then(ge(self.meaning.counts[scope], ONE), tie)
        self.require(layer, part, f"row i looks at all {scope}, and at no other row", goal, [j, i, ONE])
        for column, made in look.means.items():
            brought = self.machine.weighed(layer, values[column], j)
            goal = both(if_then(inside, eq(brought, made.x(j))), either(inside, eq(brought, ZERO)))
            says = f"the value of row j for {self.model.names[column]} is its part of {made.symbol}"
            self.require(layer, part, says, goal if made.scope == scope else FALSE, [j])

    def adds(self, layer, part, kind, values, look, j):
        """That each column of a head along an incidence is a sum of the program, or nothing."""
        inside = self.meaning.inside(ENDS[kind][0], j)
        for column, weights in enumerate(values):
            if not weights:
                need(column not in look.sums, "a head brings a sum with no weights")
                continue
            made = look.sums.get(column)
            need(made is None or made.matrix == kind, "a sum is along another matrix than its head")
            brought = self.machine.weighed(layer, weights, j)
            what = "0" if made is None else f"its term of {made.symbol}"
            goal = if_then(inside, eq(brought, ZERO if made is None else made.x(j)))
            self.require(layer, part, f"the value of row j for {self.model.names[column]} is {what}", goal, [j])

    # the step

    def held(self, layer):
        """Columns that hold a value of the program after a layer; from there on they are that value."""
        for after, name, section, place in self.choices["held"]:
            if after == layer + 1:
                op, column = self.meaning.op(section, place), self.model.names.index(name)
                expected = self.meaning.full(self.meaning.now, section, place, self.i)
                says = f"{name} holds {op.label or f'{op.name} %{place}'} ({op.where})"
                found = self.machine.after(layer, column, self.i)
                self.require(layer, "units", says, eq(found, expected), [self.i])
                self.machine.held[layer][column] = lambda row, s=section, p=place: self.meaning.full(
                    self.meaning.now, s, p, row
                )

    def iteration(self):
        last, meaning, i = len(self.model.layers), self.meaning, self.i
        for number_ in self.columns:
            role, name = self.roles[number_], self.model.names[number_]
            found = self.machine.before(last, number_, i)
            if role == "emptied":
                goal = ge(number(self.model.limit - 1), absolute(found))
            else:
                goal = eq(found, self.expected(number_, role, name))
            self.require(last - 1, "iteration", f"{name} {AT_END[role]}", goal, [i])
        for state in self.program.states:
            goal = meaning.in_range(state.name, meaning.next, i, plus(meaning.time, ONE))
            self.invariant(f"{state.name} stays in its range", goal)

    def expected(self, number_, role, name):
        if role == "state":
            return self.meaning.next.values[self.state_of[name]](self.i)
        if role == "ahead":
            return self.ahead[name][2](self.i)
        if role == "input":
            return self.written(number_, self.i)
        return {"halt": self.meaning.stops(), "started": ONE, "empty": ZERO}[role]

    # exactness

    def left(self):
        last = len(self.model.layers)
        for number_ in self.columns:
            name = self.model.names[number_]
            if name in self.choices["left"]:
                low, high = map(number, self.choices["left"][name])
                found = self.machine.before(last, number_, self.i)
                goal = both(ge(ZERO, low), ge(high, ZERO), ge(found, low), ge(high, found))
                self.require(last - 1, "exactness", f"what is left in {name} is in its range", goal, [self.i])
        starts = self.starts(self.choices["left"])
        tight = Machine(self.model, self.meaning, starts)
        tight.looks, tight.held = self.machine.looks, self.machine.held
        self.machine = tight

    def most_written(self, term):
        """How large a term of a column can be on row 0, and on the others."""
        kind, last = term["term"], self.meaning.last
        if kind == "Fill":
            most = abs(int(term["value"]))
            return (most, 0) if term["rows"] == "global" else (0, most)
        most = {"Weights": self.model.weight, "QuarterSquares": last * last // 4}.get(kind, last)
        if kind == "Position" and term["part"]:
            most = last * last
        if kind in {"Everywhere", "Entries"}:
            most = term["most"]
        return (most, most) if kind in {"Everywhere", "Cardinality"} else (0, most)

    def encoded(self):
        for number_ in self.columns:
            sizes = [self.most_written(term) for term in self.model.columns[number_]["initial"]]
            most = max(sum(each[side] for each in sizes) for side in (0, 1))
            goal = ge(number(most), absolute(self.written(number_, self.i)))
            says = f"{self.model.names[number_]} starts with at most {most:,} in absolute value"
            self.require("input", "encoder", says, goal, [self.i])
            self.below_limit("input", "encoder", f"column {number_}", most)

    def below_limit(self, where, part, what, most):
        says = f"{what} stays below {self.model.limit:,}; its parts may add up to {most:,}"
        self.require(where, part, says, lt(number(most), number(self.model.limit)))

    def exactness(self, layer):
        """The absolute values of all that is added up, each within the bound that is chosen for it."""
        given, stated = iter(self.choices["bounds"][layer]), []

        def bound(parts):
            stated.append((next(given), plus(*map(absolute, parts))))
            need(type(stated[-1][0]) is int, "a bound is no number")
            return stated[-1][0]

        for part, what, most in self.sizes(layer, bound):
            self.below_limit(layer, part, what, most)
        for most, whole in stated:
            says = f"absolute values add up to at most {most:,}"
            self.require(layer, "exactness", says, ge(number(most), whole), [self.i])
        need(next(given, None) is None, "there are more bounds than sums")

    def sizes(self, layer, bound):
        heads, stages = self.model.layers[layer]
        brought = {}
        for number_, (kind, query, key, values) in enumerate(heads):
            queries, keys, sent = (
                [bound(self.parts(layer, each)) for each in weights]
                for weights in (query, key, [each for each in values if each])
            )
            many = 1 if kind == "plain" else self.model.rows + 1
            if self.choices["heads"][layer][number_]["ties"]:
                many = self.meaning.last + 1
            part = f"head {number_ + 1}"
            yield part, "query", max(queries)
            yield part, "key", max(keys)
            yield part, "score", sum(a * b for a, b in zip(queries, keys, strict=True))
            yield part, "values", many * max(sent, default=0)
            for column, each in enumerate(values):
                if each and (kind == "plain" or column in self.machine.looks[layer][number_].sums):
                    brought.setdefault(column, []).append(number_)
        for column, numbers in brought.items():
            parts = [self.machine.brought(layer, each, column, self.i) for each in numbers]
            most = bound([self.machine.before(layer, column, self.i), *parts])
            yield "heads", f"column {column} after attention", most
        for stage, units in enumerate(stages[:3]):
            for unit, weights in enumerate(units):
                if weights:
                    parts = [total((k, self.machine.input_of(layer, stage, place, self.i))) for k, place in weights]
                    yield "units", f"unit {unit + 1} of stage {stage + 1}", bound(parts)
        for column, weights in enumerate(stages[3]):
            if weights:
                parts = [total((k, self.machine.unit(layer, 2, unit, self.i))) for k, unit in weights]
                whole = [self.machine.attended(layer, column, self.i), *parts]
                yield "units", f"column {column} after the MLP", bound(whole)

    def theorem(self):
        """What is proved, in words."""
        model, symbols = self.model, self.meaning.symbols
        counts = [each.name for each in self.program.inputs if each.kind in {"count", "length"}]
        most = {name: symbols[f"input {name}"].high for name in counts}
        bounds = ", ".join(f"{name} up to {each:,}" for name, each in most.items() if each < UNBOUNDED)
        bounds = f" ({bounds})" if bounds else ""
        padded = f" (to {model.least:,} rows at least)" if model.least else ""
        return (
            f"For every hypergraph with at most {model.rows:,} vertices, {model.rows:,} hyperedges and integer weights "
            f"from 1 to {model.weight:,}, for every input of {self.program.name}{bounds} and any padding that the "
            f"capacity allows{padded}: after every iteration of the transformer, each of the "
            f"{len(self.program.states)} state columns holds on every row what the program says, and the halt flag is "
            "1 exactly when the program stops. So the transformer's run is the program's run, for as many iterations "
            "as the program declares. Every number on the way is an integer below "
            f"{model.limit:,} in absolute value, whatever the order of summation, so {model.document['dtype']} "
            "computes it exactly."
        )

    def parts(self, layer, weights):
        return [total((factor, self.machine.before(layer, column, self.i))) for factor, column in weights]


# -- both lists ------------------------------------------------------------------------------------------------------


def compare(mine, theirs, place):
    """That an obligation of the certificate is the one that is stated here."""
    need(theirs is not None, f"obligation {place} is missing: {mine and mine.says}")
    need(mine is not None, f"obligation {place} is one too many: {theirs['says']}")
    need(
        (mine.part, mine.says) == (theirs["part"], theirs["says"]),
        f"obligation {place} is {theirs['part']}: {theirs['says']}; expected is {mine.part}: {mine.says}",
    )
    found, stated = {*Script(theirs["script"]).asserted} - {TRUE}, {*mine.hypotheses, no(mine.goal)} - {TRUE}
    for which, only in (("asserts what it should not", found - stated), ("does not assert", stated - found)):
        need(not only, f"obligation {place} ({mine.says}) {which}: {shown(min(only)) if only else ''}")


def compare_lists(stated, found):
    for place, pair in enumerate(zip_longest(stated, found), start=1):
        compare(*pair, place)


def check_document(model, document):
    """The number of obligations, if those of a certificate are the model's; `Refused` says which is not."""
    need(document["format"] == "hyloop-certificate 1", "this is no certificate of hyloop")
    statement = Statement(model, document["choices"])
    for field, expected in (("name", model.document["name"]), ("theorem", statement.theorem())):
        need(document[field] == expected, f"the {field} is another one; expected is: {expected}")
    compare_lists(statement.obligations, document["obligations"])
    return len(statement.obligations)


def check(model, certificate):
    """The same of two files."""
    data = Path(certificate).read_bytes()
    if data[:2] == b"\x1f\x8b":  # of what would fill the memory, a part that is no JSON
        data = zlib.decompressobj(31).decompress(data, 100 * len(data))
    document = read_json(data)
    model = Model(Path(model).read_bytes())
    sys.setrecursionlimit(100_000)  # for terms; not before all JSON is read, whose parser recurses on the C stack
    return check_document(model, document)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: state_obligations.py MODEL CERTIFICATE")
    try:
        same = check(*sys.argv[1:])
    except Exception as why:  # whatever goes wrong: they are not the same
        told = why if isinstance(why, Refused) else f"this cannot be read ({type(why).__name__}: {why})"
        sys.exit("not the same: " + "".join(filter(str.isprintable, str(told))))  # a file cannot write lines of its own
    try:
        os.write(1, f"the same {same} obligations\n".encode())
    except OSError as why:  # which says nothing about the obligations
        sys.exit(f"the same {same} obligations, but that cannot be written ({why.strerror})")


if __name__ == "__main__":
    main()
