"""Every mistake that the language notices: where the message points, what it says, and a nearby program that is right.

A case is a statement with the expression that the caret marks between « and », in one of the places of `PROGRAM`.
"""

import contextlib
import functools
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

import hyloop
from hyloop.lang import Count, Flag, LanguageError, Length, Outputs, Vertex, algorithm, at_most, when
from hyloop.lang.text import to_text
from hyloop.lang.tracing import load
from lang.raises import reached, sites

PROGRAM = """\
import builtins
import numpy as np
from hyloop.lang import *

@algorithm
def example({inputs}):
    flag, count, length = h.state(Flag, False), h.state(Count, 0), h.state(Length, 0)
    flags, counts = h.vertices.state(Flag, False), h.vertices.state(Count, 0)
    edge_flags, edge_counts = h.hyperedges.state(Flag, False), h.hyperedges.state(Count, 0)
    lengths, pointers = h.vertices.state(Length, INFINITY), h.vertices.state(Vertex)
    p, q = h.state(Vertex), h.state(Hyperedge)
    {before}
    with h.loop({loop}) as loop:
        {body}
        {stop}
    {after}
    return {outputs}
"""
USUAL = {
    "inputs": "h, v: Vertex, e: Hyperedge, k: Count, d: Length",
    "before": "pass",
    "loop": "at_most=h.vertices.count + 1",
    "body": "pass",
    "stop": "loop.stop_when(count == 0)",
    "after": "pass",
    "outputs": "Outputs(counts=counts)",
}


@dataclass(frozen=True)
class Case:
    """A wrong statement, the message, and a right one beside it."""

    wrong: str
    message: str
    right: str
    place: str = "body"


def program(text, tmp_path):
    """The program that a file with this text defines."""
    file = tmp_path / "example.py"
    file.write_text(text, encoding="utf-8")
    # By no loader: its bytecode would be that of the text before, if that was as long and of the same second.
    module = types.ModuleType("example")
    exec(compile(text, str(file), "exec"), vars(module))
    return module.example.program


PARSED_FORMATS = sys.version_info >= (3, 12)  # Python knows the places within an f-string


def expected(case):
    """The whole message: place, sentence, the user's line, and carets under the marked expression."""
    text = PROGRAM.format(**{**USUAL, case.place: case.wrong})
    number, line = next((number, line) for number, line in enumerate(text.splitlines(), 1) if "«" in line)
    line = line.strip()
    start, end = line.index("«"), line.index("»") - 1
    plain = line.replace("«", "").replace("»", "")
    return f"example.py:{number}: {case.message}\n    {plain}\n    {' ' * start}{'^' * (end - start)}"


NOT_KNOWN = (
    "a traced value is not known yet, so Python's `if`, `while`, `and`, `or`, `not` and `a < b < c` cannot use it. "
    "Write `with when(flag):` for if, `with h.loop(at_most=...) as loop:` for while, `&` for and, `|` for or, `~` for "
    "not."
)
NOT_VISITED = (
    "rows cannot be visited in Python: use `first`, `argmin` and the loop. If you meant `any`, `all`, `min`, `max` or "
    "`sum` of the language, import them from `hyloop.lang`."
)
NOT_CALLED = "a value is not called; leave out the brackets: `p.is_none`, `p.exists`, `h.weight`."
NO_DIVISION = "there are no fractions here: `a // b` is how often b goes into a, and `a % b` what is left over."
BY_ZERO = "nothing is divided by 0. By a value that is 0, `a // b` and `a % b` give 0."
BY_UNIT = (
    "a length divided by a count, rounded down, would depend on the unit of the weights; divide lengths by lengths and "
    "counts by counts."
)
NOT_DECIDED = (
    "a traced value is not known yet, so a function of Python's cannot decide by it. Of two values, one is "
    "`smaller(a, b)` or `larger(a, b)`; of two sizes, `largest(a, b)`; of all rows of an array, `min(x)` or `max(x)` "
    "of `hyloop.lang`."
)
NO_NUMPY = (
    "a traced value is not known yet, so NumPy cannot work on it. The language has functions of its own: `where`, "
    "`smaller`, `larger`, `min`, `max`, `argmin`, `argmax`, `any`, `all` and `first`."
)
NEIGHBOURS = (
    "what shares a hyperedge with vertices that have a flag is `h.covered(h.touching(flags))`, and with one vertex "
    "`h.covered(h.containing(v))`."
)
DEGREES = (
    "the hyperedges of each vertex are counted by `h.incidence @ h.hyperedges.every`, the vertices of each hyperedge "
    "by `h.incidence.T @ h.vertices.every`."
)
NO_FLOAT = (
    "3.0 is no value of this language: it has flags, whole numbers, INFINITY, and None for no vertex. A length such as "
    "this one is an input: `def f(h, limit: Length)`."
)
NOT_AN_OUTPUT = (
    "this output is no value of the program, and the loop cannot use it: outputs stand in `return Outputs(...)` and "
    "are made when it has ended."
)
NO_STATE = (
    "this is lengths over the hyperedges, and no state; only states can be assigned. Make a state with these values: "
    "`x = h.vertices.state(Count)`, then `x.assign(...)`."
)
ALWAYS_ENTRIES = "an array has an entry for every row, and none can go; assign another value: `x[p] = 0`."
UNITS = "; a length is in units of the weights, a count is not."
NO_INCIDENCE = (
    "h.incidence is no value of the program; its products are: `h.incidence @ x` and `h.incidence.T @ x` of an array x."
)
ONE_OF_TWO = (
    "looks at all rows of one array, and its second argument is the flag `where=`; of two numbers, one is "
    "`smaller(a, b)` or `larger(a, b)`."
)
TRUE_IS_ONE = (
    "True counts as 1, and lengths and counts do not mix: a length is in units of the weights, a count is not."
)
SIZES = (
    "a size has `+`, `-`, `*`, `//` and `**` by a whole number, `n.choose(k)`, `log2(n)` and `largest(a, b)`, nothing "
    "else."
)
NEXT_ONLY = "a vertex or hyperedge has a next one, `p + 1`; nothing else can be added to it."
GIVEN_AWAY = (
    "`count` is a state, and this gives its name to another value; to change the state, write `count.assign(...)`, "
    "else choose another name."
)
SOME_OF_IT = (
    "this may leave some of the state as it was, and it was never set; give it a first value: `h.state(Count, 0)`."
)
VERTICES_NOT_KNOWN = (
    "the vertices are not known yet, so Python cannot visit or count them; an operation works on all rows at once, "
    "`with h.vertices.each() as x:` takes one after the other, and `h.vertices.count` is how many there are."
)
NO_NEIGHBOURS = (
    "this machine has no minimum over neighbours: the incidence adds. Let the best candidate come first with `argmin` "
    "and the loop, as `dijkstra` does, and mark what it reaches with `touching` or `covered`."
)
NO_MEETING = (
    "a value over the vertices cannot meet one over the hyperedges row by row; carry it over with `h.touching`, "
    "`h.covered` or `h.incidence @ x` first."
)
MIXED = "lengths and counts do not mix: a length is in units of the weights, a count is not."
NO_LENGTH = (
    "3 is not a length: lengths are in units of the weights, so only 0 and INFINITY can be written outright. "
    "Make it an input: `def f(h, limit: Length)`."
)
NOT_A_SIZE = (
    "`at_most` must follow from the size of the hypergraph: `h.vertices.count`, `h.hyperedges.count`, whole numbers, "
    "inputs with a bound (`k: at_most(Count, 10)`), `+`, `-`, `*`, `//`, `**`, `log2`."
)

NOT_A_NUMBER = (
    "a traced value is not known yet; it cannot become a Python number. What is done again and again stands in `with "
    "h.loop(at_most=...) as loop:`, and an operation works on all rows at once."
)
NO_KEY = "a traced value is not known yet, so it cannot be in a set or be the key of a dictionary."
ONE_NUMBER = "a size is one number, not known yet; it has no length, no entries, and Python cannot visit it."
NO_POWER = "there are no powers here; write the product out, as in `x * x`."
NO_IN = "there is no `in` on a traced value: whether a flag holds at a vertex or hyperedge is `flags[p]`."
CONSTANT_FIRST = "a state starts with a constant; assign other values before the loop."


def not_a_truth(what):
    return f"{what} is neither true nor false, and Python's `if`, `and`, `or`, `not` cannot use it."


def no_order(what):
    return f"{what} is no value of the program, and cannot be compared; compare values, states and counts."


def no_collection(what):
    return f"{what} is no collection; Python cannot visit, count or look into it."


CASES = {
    # -- sizes, as far as Python would have its own answer
    "if there are vertices": Case(
        "if «h.vertices.count»: pass", NOT_KNOWN, "flag.assign(h.vertices.count > 0)", "before"
    ),
    "a size or another": Case(
        "at_most=«h.vertices.count or 1»", NOT_KNOWN, "at_most=largest(h.vertices.count, 1)", "loop"
    ),
    "a size and another": Case("n = «h.vertices.count and 1»", NOT_KNOWN, "n = h.vertices.count + 1", "before"),
    "not a size": Case("n = «not h.vertices.count»", NOT_KNOWN, "n = h.vertices.count == 0", "before"),
    "the truth of a sum of sizes": Case(
        "n = «bool(h.vertices.count + 1)»", NOT_DECIDED, "n = h.vertices.count + 1 > 0", "before"
    ),
    "the truth of the largest": Case("n = «bool(largest(0, 0))»", NOT_DECIDED, "n = largest(0, 0)", "before"),
    "a size in a list": Case("n = «h.vertices.count in [2, 3]»", NOT_KNOWN, "n = h.vertices.count == 2", "before"),
    "a range of sizes": Case("«range(h.vertices.count)»", NOT_A_NUMBER, "range(3)"),
    "a size as an int": Case("«int(h.vertices.count)»", NOT_A_NUMBER, "h.vertices.count + 0"),
    "a size as a float": Case("«float(h.vertices.count)»", NOT_A_NUMBER, "h.vertices.count + 0"),
    "a size rounded": Case("«round(h.vertices.count)»", NOT_A_NUMBER, "h.vertices.count + 0"),
    "an entry at a size": Case("«[1, 2][h.vertices.count]»", NOT_A_NUMBER, "[1, 2][0]"),
    "a size's length": Case("«len(h.vertices.count)»", ONE_NUMBER, "h.vertices.count + 0"),
    "a walk over a size": Case("«list(h.vertices.count)»", ONE_NUMBER, "list(range(3))"),
    "an entry of a size": Case("«h.vertices.count[0]»", ONE_NUMBER, "h.vertices.count + 0"),
    "a size looked into": Case("«1 in h.vertices.count»", ONE_NUMBER, "1 == h.vertices.count"),
    "a size as a key": Case("«{h.vertices.count: 1}»", NO_KEY, "{'n': h.vertices.count}"),
    "max of Python's, of sizes": Case(
        "«builtins.max(h.vertices.count, h.hyperedges.count)»", NOT_DECIDED, "largest(h.vertices.count, 1)"
    ),
    "sizes in order": Case("«sorted([h.vertices.count, h.hyperedges.count])»", NOT_DECIDED, "[h.vertices.count]"),
    "a size raised": Case("«2 ** h.vertices.count»", SIZES, "h.vertices.count ** 2"),
    "a size raised to another": Case(
        "«h.vertices.count ** h.hyperedges.count»",
        "n_e is not a whole number of at least 0, to whose power a size can be raised.",
        "h.vertices.count ** 3",
    ),
    "the largest of a size and a count": Case(
        "«largest(h.vertices.count, k)»",
        "`largest` takes sizes and whole numbers, and this is known at run time only; write `larger(a, b)`, also in "
        "`at_most`.",
        "larger(h.vertices.count, k)",
    ),
    "a logarithm of a count": Case(
        "«log2(k)»",
        "`log2` takes sizes and whole numbers, and this is known at run time only; of an input, declare a bound: "
        "`k: at_most(Count, 10)`.",
        "log2(h.vertices.count)",
    ),
    "a choice of a count": Case(
        "«h.vertices.count.choose(k)»",
        "`choose` takes sizes and whole numbers, and this is known at run time only; write a bound of the result as a "
        "size.",
        "h.vertices.count.choose(2)",
    ),
    "a size turned round": Case("«~h.vertices.count»", SIZES, "h.vertices.count == 0"),
    "a first value that is a size": Case(
        "x = «h.state(Count, h.vertices.count)»",
        CONSTANT_FIRST,
        "x = h.state(Count); x.assign(h.vertices.count)",
        "before",
    ),
    "a search in a size": Case(
        "«first(h.vertices.count)»",
        "this needs a value of the traced program, not <the size n_v>.",
        "first(flags)",
    ),
    # -- what is no value
    "if a hypergraph": Case("«not h»", not_a_truth("h"), "pass"),
    "if vertices": Case("«not h.vertices»", not_a_truth("h.vertices"), "h.vertices.count > 0"),
    "if an incidence": Case("«not h.incidence.T»", not_a_truth("h.incidence.T"), "pass"),
    "if the loop": Case("«not loop»", not_a_truth("the loop"), "pass"),
    "if when": Case("«not when(flag)»", not_a_truth("`when(...)`"), "with when(flag): pass"),
    "if a loop": Case("«not h.loop(at_most=1)»", not_a_truth("`h.loop(...)`"), "pass", "before"),
    "if a total": Case("«not total(counts)»", not_a_truth("this output"), "pass", "after"),
    "if outputs": Case("«Outputs(x=count) or None»", not_a_truth("`Outputs(...)`"), "Outputs(x=count)", "outputs"),
    "vertices like hyperedges": Case(
        "«h.vertices == h.hyperedges»", no_order("h.vertices"), "h.vertices.count == h.hyperedges.count"
    ),
    "fewer vertices": Case(
        "«h.vertices < h.hyperedges»", no_order("h.vertices"), "h.vertices.count < h.hyperedges.count"
    ),
    "a vertex like vertices": Case(
        "«p == h.vertices»",
        "h.vertices is no value of the program; `h.vertices.number` is each row's own, `h.vertices.every` a flag of "
        "all, and `h.vertices.count` how many.",
        "p == v",
    ),
    "another hypergraph": Case("«h != h»", no_order("h"), "pass"),
    "a total compared": Case("«total(counts) == 3»", no_order("this output"), "pass", "after"),
    "a vertex of the hypergraph": Case("«v in h»", no_collection("h"), "v.exists"),
    "a walk over the incidence": Case("«list(h.incidence)»", no_collection("h.incidence"), "pass"),
    "a vertex among the vertices": Case("«v in h.vertices»", VERTICES_NOT_KNOWN, "v.exists"),
    "the first of the vertices": Case("«h.vertices[0]»", VERTICES_NOT_KNOWN, "h.vertices.first"),
    # -- Python's own answers about values
    "a vertex among members": Case("flag.assign(«v in h.members(e)»)", NO_IN, "flag.assign(h.members(e)[v])"),
    "a value in a list": Case("flag.assign(«count in [1, 2]»)", NOT_KNOWN, "flag.assign((count == 1) | (count == 2))"),
    "a set of values": Case("«{count, k}»", NO_KEY, "[count, k]"),
    "values in order": Case("«sorted([count, k])»", NOT_DECIDED, "count < k"),
    "max of Python's, of two values": Case("«builtins.max(count, k)»", NOT_DECIDED, "larger(count, k)"),
    "a power": Case("«count ** 2»", NO_POWER, "count * count"),
    "a power of a number": Case("«2 ** count»", NO_POWER, "2 * count"),
    "an absolute value": Case(
        "«abs(count)»", "counts and lengths are never negative: leave out the `+` or `abs`.", "count"
    ),
    "a Python float": Case("«float(count)»", NOT_A_NUMBER, "count + 0"),
    "a rounded value": Case("«round(count)»", NOT_A_NUMBER, "count + 0"),
    "True added to a length": Case(
        "length.assign(«length + True»)",
        "True counts as 1, and lengths and counts do not mix: a length is in units of the weights, a count is not.",
        "count.assign(count + True)",
    ),
    "the smaller of True and a length": Case(
        "length.assign(«smaller(length, True)»)",
        "True counts as 1, and lengths and counts do not mix: a length is in units of the weights, a count is not.",
        "count.assign(smaller(count, True))",
    ),
    "half a length": Case("flag.assign(«d / 2» == length)", NO_DIVISION, "flag.assign(d == 2 * length)"),
    "a length divided by another": Case("flag.assign(«length / d» == 2)", NO_DIVISION, "flag.assign(length // d == 2)"),
    "a power of a length": Case("«d ** 2»", NO_POWER, "d * 2"),
    "a product of arrays": Case(
        "«counts @ counts»",
        "`@` is the product with the incidence: `h.incidence @ x` or `h.incidence.T @ x`.",
        "h.incidence.T @ counts",
    ),
    "a shift": Case("«count << 1»", "numbers have no bits here, and no shifts; `x * 2` is there.", "count * 2"),
    "min of two values": Case(
        "count.assign(«min(count, k)»)", f"`min(x)` {ONE_OF_TWO}", "count.assign(smaller(count, k))"
    ),
    "max of a value and a number": Case(
        "count.assign(«max(count, 3)»)", f"`max(x)` {ONE_OF_TWO}", "count.assign(larger(count, 3))"
    ),
    "min of Python's, of two values": Case("«builtins.min(count, 3)»", NOT_DECIDED, "smaller(count, 3)"),
    "an output in the loop": Case("count.assign(«count + total(counts)»)", NOT_AN_OUTPUT, "total(counts)"),
    "an output assigned": Case("«count.assign(total(counts))»", NOT_AN_OUTPUT, "count.assign(1)"),
    "the incidence as a flag": Case(
        "«counts.assign(1, where=h.incidence)»", NO_INCIDENCE, "counts.assign(1, where=h.members(e))"
    ),
    "the incidence times": Case("«h.incidence * edge_counts»", NO_INCIDENCE, "h.incidence @ edge_counts"),
    "times the incidence": Case("«edge_counts * h.incidence»", NO_INCIDENCE, "h.incidence @ edge_counts"),
    "the hypergraph and a number": Case("«h + 1»", "h is no value of the program.", "h.vertices.count + 1"),
    "a function as a value": Case(
        "«counts.assign(1, where=any)»",
        "the function `any` is no value of this language: it has flags, whole numbers, INFINITY, and None for no "
        "vertex.",
        "counts.assign(1, where=any(flags))",
    ),
    "both results of a search as a value": Case(
        "«p.assign(argmax(counts))»",
        "(<a vertex>, <a count>) is no value of this language: it has flags, whole numbers, INFINITY, and None for no "
        "vertex. `argmin` and `argmax` give two values: `at, best = argmin(x)`.",
        "p.assign(argmax(counts)[0])",
    ),
    # -- entries
    "writing at both results of a search": Case(
        "«counts[argmax(counts)]» = 1",
        "an array over the vertices is written at a vertex, not at (<a vertex>, <a count>). `argmin` and `argmax` give "
        "two values: `at, best = argmin(x)`.",
        "counts[argmax(counts)[0]] = 1",
    ),
    "a weight assigned": Case("«h.weight[e]» = INFINITY", NO_STATE, "lengths[v] = INFINITY"),
    "an entry deleted": Case("del «counts[p]»", ALWAYS_ENTRIES, "counts[p] = 0"),
    "a weight deleted": Case("del «h.weight[e]»", ALWAYS_ENTRIES, "counts[p] = 0"),
    "an entry of a size assigned": Case("«h.vertices.count[0]» = 1", ONE_NUMBER, "counts[p] = 1"),
    "a vertex deleted": Case("del «h.vertices[p]»", VERTICES_NOT_KNOWN, "counts[p] = 1"),
    "writing at None": Case(
        "«counts[None]» = 1",
        "None names no vertex, so that nothing can be written there; leave this out, or give a vertex.",
        "counts[p] = 1",
    ),
    "reading at None": Case(
        "count.assign(«counts[None]»)",
        "None names no vertex, so that nothing can be read there; leave this out, or give a vertex.",
        "count.assign(counts[p])",
    ),
    "whether a number exists": Case(
        "flag.assign(«exists(3)»)", "this needs a value of the traced program, not 3.", "flag.assign(exists(p))"
    ),
    # -- names of handles
    "neighbours": Case("«h.neighbors»", f"h has no `neighbors`; {NEIGHBOURS}", "h.covered(h.touching(flags))"),
    "neighbours of vertices": Case(
        "«h.vertices.neighbours»", f"h.vertices has no `neighbours`; {NEIGHBOURS}", "h.covered(h.containing(v))"
    ),
    "degrees": Case(
        "«h.vertices.degree»", f"h.vertices has no `degree`; {DEGREES}", "h.incidence @ h.hyperedges.every"
    ),
    "weights": Case("«h.weights»", "h has no `weights`; did you mean `weight`?", "h.weight"),
    "edges": Case("«h.edges».count", "h has no `edges`; did you mean `hyperedges`?", "h.hyperedges.count"),
    "counts": Case("«h.vertices.counts»", "h.vertices has no `counts`; did you mean `count`?", "h.vertices.count"),
    "choices with a slip": Case(
        "«h.vertices.count.chose»(2)", "a size has no `chose`; did you mean `choose`?", "h.vertices.count.choose(2)"
    ),
    "assigned with a slip": Case(
        "«count.asign»(3)", "a count has no `asign`; did you mean `assign`?", "count.assign(3)"
    ),
    "a value assigned": Case(
        "«h.weight.assign»(3)",
        "an array, lengths over the hyperedges, has no `assign`; only a state is assigned: `x = h.state(Count, 0)`, "
        "then `x.assign(...)`.",
        "count.assign(3)",
    ),
    "a minimum as a method": Case(
        "«counts.min»()",
        "an array, counts over the vertices, has no `min`; there is the function `min(x)` of `hyloop.lang`.",
        "min(counts)",
    ),
    "a name of nothing": Case(
        "«count.value»", "a count has no `value`; it has `assign`, `exists`, `is_none`.", "count"
    ),
    "a name of Python's": Case(
        "«count._hidden»", "AttributeError: 'StateHandle' has no '_hidden'.", "hasattr(count, '_hidden')"
    ),
    "a stop with a slip": Case(
        "«loop.stopwhen»(flag)", "the loop has no `stopwhen`; did you mean `stop_when`?", "loop.stop_when(flag)"
    ),
    "a transpose in small letters": Case(
        "«h.incidence.t» @ counts",
        "h.incidence has no `t`; it has `T`, `containing`, `covered`, `members`, `touching`, `within`.",
        "h.incidence.T @ counts",
    ),
    "a name of an output": Case(
        "«total(counts).value»", "this output has no `value`; it has no names.", "total(counts)"
    ),
    "were": Case(
        "«counts.assign(1, were=flags)»",
        "`assign` has no `were=`; did you mean `where=`?",
        "counts.assign(1, where=flags)",
    ),
    "when=": Case(
        "«min(counts, when=flags)»", "`min` has no `when=`; did you mean `where=`?", "min(counts, where=flags)"
    ),
    "a keyword far off": Case(
        "«first(flags, colour=1)»", "`first` has no `colour=`; it has `flags=`.", "first(flags=flags)"
    ),
    "an initial value with a slip": Case(
        "x = «h.state(Count, intial=0)»",
        "`state` has no `intial=`; did you mean `initial=`?",
        "x = h.state(Count, initial=0)",
        "before",
    ),
    "one of two": Case(
        "«smaller(count)»", "`smaller(a, b)` cannot be called so: missing a required argument: 'b'.", "smaller(k, 1)"
    ),
    "a name that is not there": Case("«nobody»", "NameError: name 'nobody' is not defined.", "count"),
    "a function that is misspelt": Case(
        "«argmn»(counts)", "NameError: name 'argmn' is not defined; did you mean `argmin`?", "argmin(counts)"
    ),
    "a value that is misspelt": Case(
        "«lenght»", "NameError: name 'lenght' is not defined; did you mean `length`?", "length"
    ),
    "a mistake of Python's": Case("x = «1 / 0»", "ZeroDivisionError: division by zero.", "x = 1 / 1"),
    # -- NumPy
    "where of NumPy's": Case("«np.where(flags, counts, 0)»", NO_NUMPY, "where(flags, counts, 0)"),
    "minimum of NumPy's": Case("«np.minimum(count, k)»", NO_NUMPY, "smaller(count, k)"),
    "a sum of NumPy's": Case("«np.sum(counts)»", NO_NUMPY, "total(counts)"),
    "an array of NumPy's and a value": Case("«np.array([1, 2]) + count»", NO_NUMPY, "np.array(1) + count"),
    "a value in an array of NumPy's": Case("«np.array([count])»", NO_NUMPY, "[count]"),
    "a float of NumPy's": Case("count.assign(«count + np.float64(3)»)", NO_FLOAT, "count.assign(count + np.int64(3))"),
    "a float of NumPy's first": Case(
        "count.assign(«np.float64(3) + count»)", NO_FLOAT, "count.assign(np.int8(3) + count)"
    ),
    "a float of many bits": Case(
        "count.assign(«np.longdouble(3) + count»)", NO_NUMPY, "count.assign(np.uint64(3) + count)"
    ),
    "a boolean of NumPy's and a length": Case(
        "length.assign(«length + np.True_»)", TRUE_IS_ONE, "count.assign(count + np.True_)"
    ),
    # -- infinity
    "infinity and a number": Case("length.assign(«INFINITY + 3»)", NO_LENGTH, "length.assign(INFINITY + 0)"),
    "infinity taken negatively": Case(
        "length.assign(«INFINITY * -1»)",
        "a length can be multiplied by a whole number of at least 0 only, not by -1.",
        "length.assign(INFINITY * 2)",
    ),
    "infinity of Python's": Case(
        "«length.assign(float('inf'))»",
        "inf is a number of Python's; the infinite length is INFINITY of `hyloop.lang`.",
        "length.assign(INFINITY)",
    ),
    "not only zeros as lengths": Case(
        "«length.assign(where(flag, 0, 1))»",
        f"a count cannot be assigned to a length{UNITS}",
        "length.assign(where(flag, 0, 0))",
    ),
    # -- conditions
    "a when that is used again": Case(
        "again = when(flag)\n        with again: pass\n        with «again»: pass",
        "a `when` is used once; for another block, write `with when(flag):` again.",
        "with when(flag): pass\n        with when(flag): pass",
    ),
    "a when that is not used": Case(
        "«when(flag)»; count.assign(1)",
        "`when(flag)` alone changes nothing; write `with when(flag):` above the statements that it is about.",
        "with when(flag): count.assign(1)",
    ),
    "a when from before the loop": Case(
        "with «earlier»: count.assign(1)",
        "a `when` from before the loop cannot be used in it; write `with when(flag):` where it begins.",
        "with when(flag): count.assign(1)",
    ),
    # -- names
    "an output with a space": Case(
        "«Outputs(**{'number of steps': count})»",
        "'number of steps' cannot be the name of an output; a name of Python's can, such as `distance`.",
        "Outputs(**{'number_of_steps': count})",
        "outputs",
    ),
    "an output with more behind it": Case(
        "«Outputs(**{'a = count\\noutput b': count})»",
        "'a = count\\noutput b' cannot be the name of an output; a name of Python's can, such as `distance`.",
        "Outputs(self=count, outputs=counts)",
        "outputs",
    ),
    "an output of nothing": Case(
        "«Outputs(x=count, none=[])»",
        "The output 'none' is an empty list; give it states, or leave it out.",
        "Outputs(x=count, some=[count])",
        "outputs",
    ),
    "an output without a name": Case(
        "«Outputs(count)»", "every output has a name: `Outputs(distance=x)`.", "Outputs(count=count)", "outputs"
    ),
    "a stream in a list": Case(
        "«Outputs(x=[stream(counts, of=p)])»",
        "The output 'x' has a stream in a list; give the stream an output of its own.",
        "Outputs(x=stream(counts, of=p))",
        "outputs",
    ),
    "a stream with a slip": Case(
        "Outputs(x=«stream(counts, off=p)»)",
        "`stream` has no `off=`; did you mean `of=`?",
        "Outputs(x=stream(counts, of=p))",
        "outputs",
    ),
    "a bound of a length": Case(
        "x = «h.state(Length, 0, at_most=3)»",
        "only counts have a declared bound, as in `h.state(Count, 0, at_most=9)`; this is a length.",
        "x = h.state(Count, 0, at_most=3)",
        "before",
    ),
    "a bound of a state that is not known": Case(
        "x = «h.vertices.state(Count, 0, at_most=k)»",
        "the bound of a state must follow from the size of the hypergraph: `h.vertices.count`, `h.hyperedges.count`, "
        "whole numbers, inputs with a bound, `+`, `-`, `*`, `//`.",
        "x = h.vertices.state(Count, 0, at_most=h.vertices.count + 1)",
        "before",
    ),
    "a first value above the bound": Case(
        "x = «h.state(Count, 1, at_most=h.vertices.count)»",
        "x starts with 1, and its declared bound n_v may be less than that.",
        "x = h.state(Count, 1, at_most=h.vertices.count + 1)",
        "before",
    ),
    "a state with a bound": Case(
        "x = «h.state(at_most(Count, 3), 0)»",
        "at_most(Count, 3) is no kind; the kinds are Flag, Count, Length, Vertex and Hyperedge.",
        "x = h.state(Count, 0)",
        "before",
    ),
    # -- kinds
    "counts and lengths": Case("length.assign(«count + d»)", MIXED, "length.assign(length + d)"),
    "a flag and a count": Case(
        "flag.assign(«flag == count»)", "a flag and a count do not go together.", "flag.assign(count == 1)"
    ),
    "adding two pointers' numbers": Case(
        "count.assign(«count + p»)", "a count and a vertex do not go together.", "count.assign(count + counts[p])"
    ),
    "subtracting pointers": Case(
        "count.assign(«p - p»)",
        "a vertex cannot be added or subtracted; only counts, lengths and flags can.",
        "count.assign(count - counts[p])",
    ),
    "adding to a pointer": Case(
        "p.assign(«p + 2»)",
        "a vertex or hyperedge has a next one, `p + 1`; nothing else can be added to it.",
        "p.assign(p + 1 + 1)",
    ),
    "adding a value to a pointer": Case("p.assign(«p + k»)", NEXT_ONLY, "p.assign(p + 1)"),
    "the one before the previous one": Case(
        "p.assign(«p - 2»)",
        "a vertex or hyperedge has one before it, `p - 1`; nothing else can be taken from it.",
        "p.assign(p - 1 - 1)",
    ),
    "the number of a count": Case(
        "count.assign(«number(count)»)",
        "only a vertex or hyperedge has a number; this is a count.",
        "count.assign(number(p))",
    ),
    "multiplying a pointer": Case(
        "p.assign(«p * 2»)",
        "a vertex cannot be multiplied; only counts, lengths and flags can.",
        "count.assign(2 * counts[p])",
    ),
    "comparing a pointer with a number": Case(
        "flag.assign(«p == 1»)",
        "1 is not a vertex: there are `h.vertices.first`, the next one `p + 1`, and None; any other, take as an input.",
        "flag.assign(p == h.vertices.first)",
    ),
    "comparing a number with none": Case(
        "flag.assign(«count == None»)",
        "None stands for no vertex or no hyperedge; a count always has a value.",
        "flag.assign(p == None)",
    ),
    "adding a pointer to a number": Case(
        "p.assign(«2 + p»)",
        "a vertex or hyperedge has a next one, `p + 1`; nothing else can be added to it.",
        "p.assign(1 + p)",
    ),
    "the smaller of two pointers": Case(
        "count.assign(«smaller(p, v)»)",
        "of two counts or two lengths one is the smaller; this is a vertex.",
        "count.assign(smaller(count, counts[p]))",
    ),
    "the larger of a count and a length": Case(
        "count.assign(«larger(count, length)»)",
        "lengths and counts do not mix: a length is in units of the weights, a count is not.",
        "count.assign(larger(count, 3))",
    ),
    "the smaller of a number and infinity": Case(
        "count.assign(«smaller(3, INFINITY)»)",
        NO_LENGTH,
        "count.assign(smaller(3, 2))",
    ),
    "the number of None": Case(
        "count.assign(«number(None)»)",
        "None may be no vertex or no hyperedge. The number of none is how many there are: `h.vertices.count` or "
        "`h.hyperedges.count`.",
        "count.assign(number(p))",
    ),
    "infinity times infinity": Case(
        "length.assign(«INFINITY * INFINITY»)",
        "a length times a length is no length: multiply a length by a count.",
        "length.assign(2 * INFINITY)",
    ),
    "infinity divided by 0": Case(
        "count.assign(«INFINITY // 0»)",
        "nothing is divided by 0. By a value that is 0, `a // b` and `a % b` give 0.",
        "count.assign(INFINITY // INFINITY)",
    ),
    "a format": Case(
        """print(f"«{count:5d}»")""" if PARSED_FORMATS else """print(«f"{count:5d}"»)""",
        "a count is not known yet, and has no digits to show as `5d` says; leave that out.",
        """print(f"{count}")""",
    ),
    **{
        f"setting {wrong}": Case(
            f"«{wrong}» = 3",
            f"the `{name}` of {of} cannot be set. A value gets a name of its own, `{name} = x + 1`; a state is changed "
            "by `x.assign(...)`.",
            f"{name} = 3",
        )
        for wrong, name, of in [
            ("count.foo", "foo", "a count"),
            ("flags.state", "state", "an array, flags over the vertices"),
            ("h.vertices", "vertices", "h"),
            ("h.vertices.first", "first", "h.vertices"),
            ("h.incidence.T", "T", "h.incidence"),
            ("h.vertices.count.value", "value", "a size"),
            ("loop.foo", "foo", "the loop"),
        ]
    },
    "deleting a part of a handle": Case(
        "del «count.state»",
        "the `state` of a count cannot be set. A value gets a name of its own, `state = x + 1`; a state is changed by "
        "`x.assign(...)`.",
        "pass",
    ),
    "a negative number of iterations": Case(
        "with «h.loop(at_most=-1)»: pass",
        "-1 is not a whole number of at least 0, as `at_most` must be.",
        "with h.loop(at_most=1) as inner: inner.stop_when(True)",
    ),
    "too many digits for a bound": Case(
        "x = «h.state(Count, 0, at_most=10**5000)»",
        "a number of more than 100 digits cannot be a size, as `at_most` must be.",
        "x = h.state(Count, 0, at_most=10**50)",
        "before",
    ),
    "ordering flags": Case(
        "flag.assign(«flag < flags[p]»)",
        "a flag has no order; counts, lengths and pointers have.",
        "flag.assign(p < v)",
    ),
    "ordering a vertex and a hyperedge": Case(
        "flag.assign(«p < q»)", "a vertex and a hyperedge do not go together.", "flag.assign(p < v)"
    ),
    "joining numbers": Case(
        "flag.assign(«flag & count»)",
        "`&`, `|` and `~` join flags; this is a count. Compare it with something first.",
        "flag.assign(flag & (count > 0))",
    ),
    "a condition that is no flag": Case(
        "count.assign(«where(count, 1, 0)»)",
        "the condition must be a flag; this is a count.",
        "count.assign(where(count > 0, 1, 0))",
    ),
    "branches of two kinds": Case(
        "count.assign(«where(flag, count, d)»)", MIXED, "count.assign(where(flag, count, k))"
    ),
    "none of a number": Case(
        "flag.assign(«count.is_none»)", "this needs a vertex or a hyperedge; it is a count.", "flag.assign(p.is_none)"
    ),
    "assigning another kind": Case(
        "«count.assign(d)»", f"a length cannot be assigned to a count{UNITS}", "count.assign(k)"
    ),
    "assigning weights to counts": Case(
        "«edge_counts.assign(h.weight)»",
        f"lengths over the hyperedges cannot be assigned to counts over the hyperedges{UNITS}",
        "edge_counts.assign(h.incidence.T @ h.vertices.every)",
    ),
    "assigning a flag to a count": Case(
        "«counts.assign(flags)»",
        "flags over the vertices cannot be assigned to counts over the vertices; as 0 and 1 it can: `flag + 0`.",
        "counts.assign(flags + 0)",
    ),
    "assigning a vertex to a count": Case(
        "«count.assign(v)»", "a vertex cannot be assigned to a count.", "p.assign(v)"
    ),
    "writing another kind": Case(
        "«flags[v]» = 1",
        "a count cannot be assigned to flags over the vertices; compare it with something first: `x > 0`.",
        "flags[v] = True",
    ),
    "a where that is no flag": Case(
        "«counts.assign(1, where=counts)»",
        "the condition must be a flag; this is counts over the vertices.",
        "counts.assign(1, where=counts == 0)",
    ),
    # -- constants
    "a negative number": Case(
        "count.assign(«count + -1»)", "-1 is negative; counts and lengths start at 0.", "count.assign(count - 1)"
    ),
    "a number as a length": Case("«length.assign(3)»", NO_LENGTH, "length.assign(0)"),
    "a number as a vertex": Case(
        "«p.assign(3)»",
        "3 is not a vertex: there are `h.vertices.first`, the next one `p + 1`, and None; any other, take as an input.",
        "p.assign(h.vertices.first)",
    ),
    "an infinite count": Case(
        "«count.assign(INFINITY)»", "INFINITY is a length; a count has no such value.", "length.assign(INFINITY)"
    ),
    "a fraction": Case(
        "count.assign(«count + 0.5»)",
        NO_FLOAT.replace("3.0", "0.5"),
        "count.assign(count + 5)",
    ),
    "a fraction of a value": Case(
        "count.assign(«count * 0.5»)",
        "a value can be multiplied by a whole number of at least 0 only, not by 0.5.",
        "count.assign(count * 2)",
    ),
    # -- scopes
    "vertices and hyperedges": Case("flags.assign(«flags & edge_flags»)", NO_MEETING, "flags.assign(flags & flags)"),
    "one value from many": Case(
        "«count.assign(counts)»",
        "counts over the vertices cannot be assigned to a count: the rows do not correspond.",
        "count.assign(counts[p])",
    ),
    "one value where many hold": Case(
        "«count.assign(1, where=flags)»",
        "the flag is one over rows, so that counts over the vertices would be assigned to a count; use `any`, `all`, "
        "or the flag of one row, `flags[p]`.",
        "count.assign(1, where=any(flags))",
    ),
    "one entry from many": Case(
        "«counts[v]» = counts",
        "one entry cannot become counts over the vertices; read it at a pointer first.",
        "counts[v] = counts[p]",
    ),
    "reading one value": Case("flag.assign(«count[v]» == 0)", "a count is one value; it has no entries.", "counts[v]"),
    "reading at a number": Case(
        "count.assign(«counts[0]»)",
        "an array over the vertices is read at a vertex, not at 0.",
        "count.assign(counts[h.vertices.first])",
    ),
    "reading at a hyperedge": Case(
        "count.assign(«counts[e]»)",
        "an array over the vertices is read at a vertex, not at a hyperedge.",
        "count.assign(counts[v])",
    ),
    "writing one value": Case("«count[v]» = 1", "a count is one value; use `assign`.", "counts[v] = 1"),
    "writing at a number": Case(
        "«counts[0]» = 1",
        "an array over the vertices is written at a vertex, not at 0.",
        "counts[h.vertices.first] = 1",
    ),
    "writing at a hyperedge": Case(
        "«counts[e]» = 1", "an array over the vertices is written at a vertex, not at a hyperedge.", "counts[v] = 1"
    ),
    "writing through pointers": Case(
        "«counts[pointers]» = 1",
        "many rows cannot write to the rows that they point at; turn it round and let each row read.",
        "counts.assign(counts[pointers])",
    ),
    "searching one value": Case(
        "«argmin(count)»", "a search looks at all rows of an array; this is one value.", "argmin(counts)"
    ),
    "first of one value": Case(
        "«first(flag)»", "`first` looks at all rows of an array; this is one value.", "first(flags)"
    ),
    "any of one value": Case(
        "«any(flag)»", "`any` or `all` looks at all rows of an array; this is one value.", "any(flags)"
    ),
    "searching flags": Case(
        "«max(flags)»",
        "a search for the least or greatest needs counts, lengths or pointers; this is flags over the vertices.",
        "max(flags + 0)",
    ),
    "searching where others hold": Case(
        "«min(counts, where=edge_flags)»",
        "`where=` must be a flag over the vertices; this is flags over the hyperedges.",
        "min(counts, where=flags)",
    ),
    "members of a vertex": Case("«h.members(v)»", "this needs one hyperedge; it was given a vertex.", "h.members(e)"),
    "members of a label": Case(
        "«h.members('ferry')»", "`h.members` needs a traced value, not 'ferry'.", "h.members(e)"
    ),
    "tails of a label": Case(
        "«h.tails.members('ferry')»", "`h.tails.members` needs a traced value, not 'ferry'.", "h.tails.members(e)"
    ),
    "heads within a label": Case(
        "«h.heads.within(['Quay'])»", "`h.heads.within` needs a traced value, not ['Quay'].", "h.heads.within(flags)"
    ),
    "touching transposed": Case(
        "«h.tails.T.touching(flags)»",
        "`touching` says itself which way it goes: `h.tails.touching`, without `.T`.",
        "h.tails.touching(flags)",
    ),
    "touching hyperedges": Case(
        "«h.touching(edge_flags)»",
        "this goes from the vertices to the hyperedges; it was given flags over the hyperedges.",
        "h.touching(flags)",
    ),
    "touching numbers": Case(
        "«h.touching(counts)»",
        "`&`, `|` and `~` join flags; this is counts over the vertices. Compare it with something first.",
        "h.touching(counts > 0)",
    ),
    "the wrong side of the incidence": Case(
        "«h.incidence @ counts»",
        "this goes from the hyperedges to the vertices; it was given counts over the vertices.",
        "h.incidence.T @ counts",
    ),
    "the incidence of pointers": Case(
        "«h.incidence.T @ pointers»",
        "the incidence multiplies counts and lengths; this is vertices over the vertices.",
        "h.incidence.T @ pointers.exists",
    ),
    "the incidence of a number": Case(
        "«h.incidence.T @ 3»",
        "the incidence multiplies an array of counts, lengths or flags, not 3.",
        "h.incidence.T @ (3 * flags)",
    ),
    "a search in Python's values": Case(
        "«first([True])»", "this needs a value of the traced program, not [True].", "first(flags)"
    ),
    # -- what the machine does not have
    "a sum as a method": Case(
        "«counts.sum»()",
        "an array, counts over the vertices, has no `sum`; there is the function `sum(x)` of `hyloop.lang`.",
        "sum(counts)",
    ),
    "a walk over rows": Case("«list(counts)»", NOT_VISITED, "first(counts > 0)"),
    "a minimum over neighbours": Case("«h.incidence.min(edge_counts)»", NO_NEIGHBOURS, "min(edge_counts)"),
    "a product of lengths": Case(
        "«d * d»", "a length times a length is no length: multiply a length by a count.", "length.assign(d * count)"
    ),
    "a product with a pointer": Case(
        "«count * p»", "a vertex cannot be multiplied; only counts, lengths and flags can.", "count * number(p)"
    ),
    "a pointer divided": Case(
        "«p // count»", "a vertex cannot be divided; only counts, lengths and flags can.", "number(p) // count"
    ),
    "half of a value": Case("«count / 2» == k", NO_DIVISION, "count // 2 == k"),
    "a fraction of a number": Case("«2 / count» == k", NO_DIVISION, "2 // count == k"),
    "division by 0": Case("«count // 0»", BY_ZERO, "count // k"),
    "a remainder by 0": Case("«count % 0»", BY_ZERO, "divmod(count, k)"),
    "a length divided by a count": Case("«d // count»", BY_UNIT, "d // length"),
    "a length divided by a number": Case(
        "«d % 3»",
        "3 is not a length: lengths are in units of the weights, so only 0 and INFINITY can be written outright. Make "
        "it an input: `def f(h, limit: Length)`.",
        "3 % count",
    ),
    "a negative value": Case(
        "«-count»", "there are no negative numbers here; `-` stops at 0. For a flag, write `~`.", "0 - count"
    ),
    "choices in a value": Case(
        "«count < h.vertices.count.choose(2)»",
        "choose(n_v, 2) cannot be computed on this machine, only bounded by: `choose`, `**` and `log2` stand in "
        "`at_most`, beside sizes, whole numbers and inputs with a bound. A power of a value is a product, `x * x`.",
        "count < h.vertices.count * h.hyperedges.count",
    ),
    "infinity added up": Case(
        "edge_counts.assign(0, where=«h.incidence.T @ lengths» == d)",
        "the incidence adds up, and this may be infinite; mask it first with `where`.",
        "edge_counts.assign(0, where=h.incidence.T @ counts == k)",
    ),
    "infinity added up beside a condition": Case(
        "edge_counts.assign(0, where=«h.incidence.T @ where(lengths > d, lengths, 0)» == d)",
        "the incidence adds up, and this may be infinite; mask it first with `where`.",
        "edge_counts.assign(0, where=h.incidence.T @ where(lengths < INFINITY, lengths, 0) == d)",
    ),
    "a size over a value": Case("«h.vertices.count / k» == count", SIZES, "h.vertices.count // k == count"),
    "what a size leaves over": Case("«h.vertices.count % 0»", BY_ZERO, "3 % (h.vertices.count // h.hyperedges.count)"),
    # -- sizes
    "a size divided by nothing": Case(
        "n = «h.vertices.count // 0»",
        "0 is not a whole number of at least 1, by which a size can be divided.",
        "n = h.vertices.count // 1",
        "before",
    ),
    "a size divided by 0": Case(
        "n = «h.vertices.count // 0»",
        "0 is not a whole number of at least 1, by which a size can be divided.",
        "n = h.vertices.count * h.hyperedges.count",
        "before",
    ),
    "half a size": Case("n = «h.vertices.count / 2»", SIZES, "n = h.vertices.count // 2", "before"),
    "a negative choice": Case(
        "n = «h.vertices.count.choose(-1)»",
        "-1 is not a whole number of at least 0.",
        "n = h.vertices.count.choose(0)",
        "before",
    ),
    "a size and a fraction": Case(
        "n = «h.vertices.count + 1.5»",
        "1.5 is not a whole number of at least 0.",
        "n = largest(h.vertices.count + 1, 2 - h.hyperedges.count)",
        "before",
    ),
    "brackets after count": Case(
        "n = «h.vertices.count()»",
        "a count is not called; leave out the brackets: `h.vertices.count`.",
        "n = h.vertices.count",
        "before",
    ),
    # -- Python
    "any of Python's": Case("«builtins.any(flags)»", NOT_VISITED, "any(flags)"),
    "all of Python's": Case("«builtins.all(flags)»", NOT_VISITED, "all(flags)"),
    "min of Python's": Case("«builtins.min(counts)»", NOT_VISITED, "min(counts)"),
    "sum of Python's": Case("«builtins.sum(counts)»", NOT_VISITED, "count.assign(sum(counts))"),
    "a sum of one value": Case(
        "«sum(count)»", "`sum(x)` adds up an array of counts, lengths or flags; this is a count.", "sum(counts)"
    ),
    "a sum of vertices": Case(
        "«sum(pointers)»",
        "`sum(x)` adds up an array of counts, lengths or flags; this is vertices over the vertices.",
        "sum(flags)",
    ),
    "a sum of what may be infinite": Case(
        "length.assign(«sum(lengths)»)",
        "a sum cannot have infinite parts, and this may be infinite; mask it first with `where`.",
        "length.assign(sum(where(lengths < INFINITY, lengths, 0)))",
    ),
    "max of Python's": Case("«builtins.max(counts)»", NOT_VISITED, "max(counts)"),
    "brackets after is_none": Case("flag.assign(«p.is_none()»)", NOT_CALLED, "flag.assign(p.is_none)"),
    "a Python length": Case(
        "«len(counts)»",
        "a traced value has no length in Python; the number of rows is `h.vertices.count` or `h.hyperedges.count`.",
        "h.vertices.count",
    ),
    "exclusive or": Case(
        "flag.assign(«flag ^ flag»)",
        "there is no `^`; of two flags, `a != b` says that one of them holds and the other does not.",
        "flag.assign(flag != flag)",
    ),
    "a walk over the vertices": Case(
        "for each in «list(h.vertices)»: pass", VERTICES_NOT_KNOWN, "for each in range(3): pass"
    ),
    "how many vertices, in Python": Case("«len(h.vertices)»", VERTICES_NOT_KNOWN, "h.vertices.count"),
    "a name given away": Case("count = «count + 1»", GIVEN_AWAY, "new_count = count + 1"),
    "a name given away later": Case("d = count + 1\n        «count» = d", GIVEN_AWAY, "d = count + 1"),
    "a name given away in two lines": Case("count = («count +»\n            1)", GIVEN_AWAY, "new = count + 1"),
    "an output given away": Case(
        "counts = «counts + 1»", GIVEN_AWAY.replace("count`", "counts`").replace("count.", "counts."), "new = counts"
    ),
    "if": Case("if «count > 3»: count.assign(0)", NOT_KNOWN, "count.assign(0, where=count > 3)"),
    "and": Case("flag.assign(«flag and flag»)", NOT_KNOWN, "flag.assign(flag & flag)"),
    "or": Case("flag.assign(«flag or flag»)", NOT_KNOWN, "flag.assign(flag | flag)"),
    "not": Case("flag.assign(«not flag»)", NOT_KNOWN, "flag.assign(~flag)"),
    "a chain": Case("flag.assign(«1 < count < 3»)", NOT_KNOWN, "flag.assign((1 < count) & (count < 3))"),
    "while": Case("while «count > 3»: break", NOT_KNOWN, "pass"),
    "a Python number": Case("«int(count)»", NOT_A_NUMBER, "count + 0"),
    "a copy": Case(
        "«count.__deepcopy__({})»",
        "a handle stands for one value of the program; it cannot be copied or pickled. Use it twice instead.",
        "count",
    ),
    "a Python range": Case("«range(count)»", NOT_A_NUMBER, "range(3)"),
    "counting up in place": Case(
        "«count += 1»",
        "write `x.assign(x + 1)`: states are assigned by name, so that `where=` can go with it.",
        "count.assign(count + 1)",
    ),
    # -- states and the loop
    "no such kind": Case(
        "x = «h.state(int, 0)»",
        "<class 'int'> is no kind; the kinds are Flag, Count, Length, Vertex and Hyperedge.",
        "x = h.state(Count, 0)",
        "before",
    ),
    "a first value of another kind": Case(
        "x = «h.state(Flag, 0)»", "0 cannot be the first value of a flag.", "x = h.state(Flag, False)", "before"
    ),
    "a first value that is not known": Case(
        "x = «h.state(Count, k)»",
        "a state starts with a constant; assign other values before the loop.",
        "x = h.state(Count); x.assign(k)",
        "before",
    ),
    "reading what was never set": Case(
        "x = h.state(Count); count.assign(«x + 1»)",
        "this state is read before it was ever set; give it a first value: `h.state(Count, 0)`.",
        "x = h.state(Count, 0); count.assign(x + 1)",
        "before",
    ),
    "setting some rows of what was never set": Case(
        "x = h.vertices.state(Count); «x.assign(1, where=flags)»",
        SOME_OF_IT,
        "x = h.vertices.state(Count); x.assign(0); x.assign(1, where=flags)",
        "before",
    ),
    "setting one entry of what was never set": Case(
        "x = h.vertices.state(Count); «x[v]» = 1", SOME_OF_IT, "x = h.vertices.state(Count, 0); x[v] = 1", "before"
    ),
    "never set": Case(
        "x = «h.state(Count)»",
        "this state is never set; give it a first value: `h.state(Count, 0)`.",
        "x = h.state(Count, 0)",
        "before",
    ),
    "a state in the loop": Case("x = «h.state(Count, 0)»", "a state must be made before the loop.", "x = count + 0"),
    "a value from before the loop": Case(
        "counts.assign(«old + 1»)",
        "this value comes from before the loop, where it was made from a state; keep it in a state of its own.",
        "counts.assign(new + 1)",
    ),
    "no bound": Case(
        "",
        "a loop must say how often it may run at most: `h.loop(at_most=h.vertices.count + 1)`.",
        "at_most=1",
        "loop",
    ),
    "a bound that is not known": Case("at_most=k", NOT_A_SIZE, "at_most=h.vertices.count", "loop"),
    "a bound that is a fraction": Case("at_most=1.5", NOT_A_SIZE, "at_most=1", "loop"),
    "a bound in words": Case("at_most='many'", NOT_A_SIZE, "at_most=3", "loop"),
    "another loop": Case(
        "with «h.loop(at_most=1)»: pass",
        "a program has one loop; put both into a loop around them, `h.loop(at_most=1)`.",
        "pass",
        "after",
    ),
    "stopping a loop around this one": Case(
        "with h.vertices.each(): «loop.stop_when(True)»",
        "this loop cannot stop here, inside or after another one; let each loop stop in its own block.",
        "with h.vertices.each(): count.assign(1)",
    ),
    "telling of a loop around this one": Case(
        "with h.vertices.each(): «loop.tell('x')»",
        "a loop is told of in its own block, not inside or after another one.",
        "loop.tell('x')",
    ),
    "telling of a value that is not given": Case(
        "«loop.tell('step {n}')»",
        "`tell` has no value `n=` for {n}; give it one: `tell(..., n=x)`.",
        "loop.tell('step {n}', n=count)",
    ),
    "telling of rows without any": Case(
        "«loop.tell('x', 'has {n}', n=count)»",
        "`each` is said of rows: it needs values over the vertices, or over the hyperedges, not of both.",
        "flags.assign(~flags); loop.tell('x', 'has {n}', n=flags)",
    ),
    "telling of what nobody computes": Case(
        "«loop.tell('{n}', n=count + 3)»",
        "`tell` is about a value that the program does not use; tell of what it computes.",
        "loop.tell('{n}', n=count)",
    ),
    "a value of a loop around this one": Case(
        "with h.vertices.each(): flags.assign(«made == 1»)",
        "this value was made from a state in another loop, outside or inside this one, and other iterations do not "
        "have it; keep it in a state of its own.",
        "loop.stop_when(made == 1)",
        "stop",
    ),
    "the pointer of each": Case(
        "with h.vertices.each() as u: «u.assign(v)»",
        "the pointer of `each()` cannot be assigned; the loop sets it.",
        "with h.vertices.each() as u: p.assign(u)",
    ),
    "otherwise alone": Case(
        "with «otherwise()»: pass",
        "`with otherwise():` stands right after a `with when(flag):` block, with nothing assigned between.",
        "with when(flag): pass",
    ),
    "computing after the loop": Case(
        "«count + 1»", "nothing can be computed after the loop; do it in the loop.", "pass", "after"
    ),
    "every row after the loop": Case(
        "«h.vertices.every»", "nothing can be computed after the loop; do it in the loop.", "h.vertices.count", "after"
    ),
    "stopping after the loop": Case(
        "«loop.stop_when(True)»", "nothing can be computed after the loop; do it in the loop.", "pass", "after"
    ),
    "writing after the loop": Case(
        "«counts[v]» = 1",
        "nothing can be assigned after the loop; the outputs are the states as the loop leaves them.",
        "pass",
        "after",
    ),
    "assigning after the loop": Case(
        "«count.assign(1)»",
        "nothing can be assigned after the loop; the outputs are the states as the loop leaves them.",
        "pass",
        "after",
    ),
    "a state after the loop": Case("x = «h.state(Count, 0)»", "a state must be made before the loop.", "pass", "after"),
    "stopping on many flags": Case(
        "«loop.stop_when(flags)»",
        "the loop stops on one flag; this is flags over the vertices. Use `any` or `all`.",
        "loop.stop_when(any(flags))",
        "stop",
    ),
    "stopping on a number": Case(
        "«loop.stop_when(count)»",
        "the condition must be a flag; this is a count.",
        "loop.stop_when(count == 0)",
        "stop",
    ),
    # -- outputs
    "known nowhere": Case(
        "Outputs(counts=«known(counts)»)",
        "`known` needs one flag: `where=flag` or `unless=flag`.",
        "Outputs(counts=known(counts, where=flags))",
        "outputs",
    ),
    "an output that is no state": Case(
        "Outputs(counts=«counts + 1»)",
        "nothing can be computed after the loop; do it in the loop.",
        "Outputs(counts=counts)",
        "outputs",
    ),
    "an output that was made in the loop": Case(
        "«Outputs(made=made)»",
        "The output 'made' needs a state, for only states live on after the loop; assign the value to one in the loop.",
        "Outputs(counts=counts)",
        "outputs",
    ),
    "a total of an expression": Case(
        "Outputs(counts=«total(0)»)",
        "`total` needs a state, for only states live on after the loop; assign the value to one in the loop.",
        "Outputs(counts=total(counts))",
        "outputs",
    ),
}

# Where the caret stands on the whole statement, in some versions of Python.
WHOLE_STATEMENT = {"if there are vertices", "a when that is used again", "a when from before the loop"}
# Where the caret stands on a whole `with` statement, which has its own line.
WHOLE_WITH = {"no bound", "a bound that is not known", "a bound that is a fraction", "a bound in words", "another loop"}
EARLIER = "earlier = when(flag)"
BEFORE = "old, new = counts + 1, h.incidence @ h.hyperedges.every"


def refused(text, tmp_path):
    with pytest.raises(LanguageError) as caught:
        program(text, tmp_path)
    return caught.value


def variants(case):
    def filled(statement):
        more = {"before": EARLIER} if "earlier" in statement else {"before": BEFORE} if "old" in case.wrong else {}
        more |= {"body": "made = count + 1"} if "made" in case.wrong else {}
        return PROGRAM.format(**{**USUAL, **more, case.place: statement})

    return filled(case.wrong.replace("«", "").replace("»", "")), filled(case.right)


@pytest.mark.parametrize("name", [name for name in CASES if name not in WHOLE_WITH | WHOLE_STATEMENT])
def test_the_message_points_at_the_expression(name, tmp_path):
    case = CASES[name]
    wrong, _ = variants(case)
    assert str(refused(wrong, tmp_path)) == expected(case)


@pytest.mark.parametrize("name", sorted(WHOLE_STATEMENT))
def test_the_message_points_at_the_statement(name, tmp_path):
    case = CASES[name]
    assert str(refused(variants(case)[0], tmp_path)).splitlines()[:2] == expected(case).splitlines()[:2]


@pytest.mark.parametrize("name", sorted(WHOLE_WITH))
def test_the_message_points_at_the_with(name, tmp_path):
    case = CASES[name]
    wrong, _ = variants(case)
    error = refused(wrong, tmp_path)
    lines = str(error).splitlines()
    assert error.message == case.message
    assert lines[0] == f"example.py:{error.location.line}: {case.message}"
    assert lines[1].strip().startswith("with h.loop(")
    assert lines[1][lines[2].index("^") :].startswith(("with h.loop(", "h.loop("))  # Python 3.13: the call alone


@pytest.mark.parametrize("name", CASES)
def test_a_nearby_program_is_right(name, tmp_path):
    _, right = variants(CASES[name])
    program(right, tmp_path)


# -- mistakes in the whole, not in one statement ------------------------------------------------------------------

HEAD = (
    "from hyloop.lang import *\n\n@algorithm\ndef example(h):\n"
    "    x = h.state(Count, 0)\n    flag = h.state(Flag, False)\n"
)
LOOP = "    with h.loop(at_most=3) as loop:\n        loop.stop_when(x == 0)\n"
END = "    return Outputs(x=x)\n"
RIGHT = HEAD + LOOP + END

WHOLE = {
    "any number of inputs": (
        RIGHT.replace("(h)", "(h, *a: Count)"),
        "The input 'a' of example has `*`, but every input is one value with a name of its own: "
        "def example(h, a: Count).",
    ),
    "any inputs by name": (
        RIGHT.replace("(h)", "(h, **kw)"),
        "The input 'kw' of example has `**`, but every input is one value with a name of its own: "
        "def example(h, kw: Count).",
    ),
    "inputs by name only": (
        RIGHT.replace("(h)", "(h, *, a: Count)"),
        "The input 'a' of example stands after a `*`; leave that out, for inputs are given by name anyway: "
        "def example(h, a: Count).",
    ),
    "any number of hypergraphs": (
        RIGHT.replace("(h)", "(*h)"),
        "example needs the hypergraph as its first parameter: def example(h).",
    ),
    "an annotation that is not there": (
        "from __future__ import annotations\n" + RIGHT.replace("(h)", "(h, a: Colour)"),
        "The annotations of example cannot be read: NameError: name 'Colour' is not defined.",
    ),
    "an annotation that is amiss": (
        "from __future__ import annotations\n" + RIGHT.replace("(h)", "(h, a: at_most(Count, -1))"),
        "a bound is a whole number of at least 0, as in `at_most(Count, 10)`, not -1.",
    ),
    "no hypergraph": (
        "from hyloop.lang import *\n\n@algorithm\ndef example():\n    pass\n",
        "example needs the hypergraph as its first parameter: def example(h).",
    ),
    "an input without a kind": (
        RIGHT.replace("(h)", "(h, k)"),
        "The input 'k' of example needs a kind: k: Vertex (or Hyperedge, Count, Length, Flag).",
    ),
    "an input of no kind": (
        RIGHT.replace("(h)", "(h, k: int)"),
        "The input 'k' of example needs a kind: k: Vertex (or Hyperedge, Count, Length, Flag).",
    ),
    "an array of no kind": (
        RIGHT.replace("(h)", "(h, k: Vertices)"),
        "The input 'k' of example is an array, and needs the kind of its entries: k: Vertices[Flag] (or Count, "
        "Length).",
    ),
    "an array of another kind": (
        "from __future__ import annotations\n" + RIGHT.replace("(h)", "(h, k: Hyperedges[int])"),
        "an array is of Flag, Count, Length, Vertex or Hyperedge, as in `Hyperedges[Count]`.",
    ),
    "a bound around an array": (
        "from __future__ import annotations\n" + RIGHT.replace("(h)", "(h, k: at_most(Vertices[Count], 3))"),
        "the bound is one of the entries, and stands inside the brackets: `Vertices[at_most(Count, 10)]`.",
    ),
    "an input with a default": (
        RIGHT.replace("(h)", "(h, k: Count = 2)"),
        "The input 'k' of example cannot have a default; it is given with every run.",
    ),
    "a list of arrays": (
        RIGHT.replace("flag = h.state", "flag = h.vertices.state").replace("x=x", "x=[x, flag]"),
        "A list is of single values or totals; flag is flags over the vertices. Give it an output of its own.",
    ),
    "an output with the name of the labels": (
        RIGHT.replace("flag = h.state", "flag = h.vertices.state").replace("x=x", "vertex=flag"),
        "The output 'vertex' needs another name: the labels of its rows have this one.",
    ),
    "no loop": (HEAD + END, "example has no loop; write its steps in `with h.loop(at_most=...) as loop:`."),
    "no end": (
        HEAD + "    with h.loop(at_most=3):\n        x.assign(x + 1)\n" + END,
        "The loop of example never stops; say when with `loop.stop_when(flag)`.",
    ),
    "nothing returned": (HEAD + LOOP, "example must return its outputs: return Outputs(name=state, ...)."),
    "a state returned": (
        HEAD + LOOP + "    return x\n",
        "example must return its outputs: return Outputs(name=state, ...).",
    ),
    "no outputs": (
        HEAD + LOOP + "    return Outputs()\n",
        "example must return its outputs: return Outputs(name=state, ...).",
    ),
    "an inner loop without an end": (
        HEAD + LOOP + "        with h.loop(at_most=2):\n            x.assign(1)\n" + END,
        "this loop never stops; say when with `loop.stop_when(flag)`.",
    ),
    "an inner loop without an end in a condition": (
        HEAD
        + LOOP
        + "        with when(x > 5):\n            with h.loop(at_most=2):\n                x.assign(1)\n"
        + END,
        "this loop never stops; say when with `loop.stop_when(flag)`.",
    ),
    "an each that is used again": (
        HEAD + LOOP + "        each = h.vertices.each()\n" + "        with each:\n            x.assign(1)\n" * 2 + END,
        "an `each()` is used once; for another loop, write `with h.vertices.each() as v:` again.",
    ),
    "a loop inside when": (
        HEAD
        + "    with when(flag):\n"
        + LOOP.replace("    with", "        with").replace("        loop", "            loop")
        + END,
        "the loop cannot stand inside `when`; put the condition into `stop_when`.",
    ),
    "a mistake in a loop inside when": (
        HEAD + LOOP + "        with when(flag), h.loop(at_most=2):\n            x.assign(x / 2)\n" + END,
        NO_DIVISION,
    ),
    "an inner loop where rows have a flag": (
        HEAD
        + "    flags = h.vertices.state(Flag, False)\n"
        + LOOP
        + "        with when(flags):\n            with h.loop(at_most=2):\n                x.assign(1)\n"
        + END,
        "a loop runs as a whole or not at all, and the flag of this `when` is flags over the vertices; use `any`, "
        "`all`, or the flag of one row, `flags[p]`.",
    ),
    "a condition of another program": (
        "from hyloop.lang import *\nkept = []\n"
        + RIGHT.replace("from hyloop.lang import *\n", "")
        .replace("def example(h)", "def other(h)")
        .replace(LOOP, "    kept.append(x == 0)\n" + LOOP)
        + "\nother.program\n"
        + RIGHT.replace("from hyloop.lang import *\n", "").replace(
            LOOP, LOOP + "        with when(kept[0]): x.assign(1)\n"
        ),
        "this value belongs to another program.",
    ),
    "an output of another program": (
        "from hyloop.lang import *\nkept = []\n"
        + RIGHT.replace("from hyloop.lang import *\n", "")
        .replace("def example(h)", "def other(h)")
        .replace(LOOP, "    kept.append(x)\n" + LOOP)
        + "\nother.program\n"
        + RIGHT.replace("from hyloop.lang import *\n", "").replace("Outputs(x=x)", "Outputs(x=kept[0])"),
        "an output is of a state that belongs to another program.",
    ),
    "a value of another program": (
        "from hyloop.lang import *\nkept = []\n"
        + RIGHT.replace("from hyloop.lang import *\n", "")
        .replace("def example(h)", "def other(h)")
        .replace(LOOP, "    kept.append(x)\n" + LOOP)
        + "\nother.program\n"
        + RIGHT.replace("from hyloop.lang import *\n", "").replace("x == 0", "x == kept[0]"),
        "this value belongs to another program.",
    ),
    "a total of one value": (
        RIGHT.replace("Outputs(x=x)", "Outputs(x=total(x))"),
        "A total is of an array of counts; x is a count.",
    ),
    "known where other rows are": (
        RIGHT.replace("flag = h.state", "flag = h.vertices.state").replace("x=x", "x=known(x, where=flag)"),
        "x is known where a flag of the same rows says so; flag is none such.",
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_mistake_in_the_whole(name, tmp_path):
    text, message = WHOLE[name]
    assert refused(text, tmp_path).message == message


def test_the_whole_as_it_should_be(tmp_path):
    program(RIGHT, tmp_path)
    program(RIGHT.replace("(h)", "(h, k: at_most(Count, 5))").replace("x == 0", "x == k"), tmp_path)
    program(RIGHT.replace("        loop", "        with when(flag):\n            loop"), tmp_path)
    program(RIGHT.replace("flag = h.state", "flag = h.vertices.state").replace("x=x", "hyperedge=flag"), tmp_path)


@pytest.mark.parametrize("name", WHOLE)
def test_a_mistake_in_the_whole_has_a_place_too(name, tmp_path):
    error = refused(WHOLE[name][0], tmp_path)
    assert error.location.file == "example.py"
    assert error.location.text


def crossing():
    """A `when` that is closed in another section than it was opened in."""
    from hyloop.lang import Outputs, algorithm, when

    @algorithm
    def example(h):
        x = h.state(Count, 0)
        loop_block = h.loop(at_most=3)
        loop = loop_block.__enter__()
        condition = when(x == 0)
        condition.__enter__()
        loop.stop_when(x == 0)
        h._tracer.section = h._tracer.before
        condition.__exit__(None, None, None)
        return Outputs(x=x)

    return example


def test_a_when_ends_in_the_section_where_it_began():
    with pytest.raises(LanguageError) as caught:
        _ = crossing().program
    assert caught.value.message == "a `when` block cannot reach across the beginning or the end of the loop."


def under(flag):
    with when(flag):
        yield


@algorithm
def overlapping(h):
    n = h.state(Count, 0)
    with h.loop(at_most=2) as loop:
        outer, inner = under(n == 0), under(n == 1)
        next(outer)
        next(inner)
        outer.close()
        loop.stop_when(True)
    return Outputs(n=n)


def test_a_when_ends_before_the_one_around_it():
    with pytest.raises(LanguageError) as caught:
        _ = overlapping.program
    assert caught.value.message == (
        "a `when` block ends while one that began inside it is still open; end that one first."
    )


@pytest.mark.parametrize("way", ["exception", "generator"])
def test_a_when_that_is_left_early_has_ended(way):
    @algorithm
    def example(h):
        n = h.state(Count, 0)
        with h.loop(at_most=9) as loop:
            if way == "generator":
                for _ in under(n == 7):
                    break
            else:
                with contextlib.suppress(ValueError), when(n == 7):
                    raise ValueError
            n.assign(n + 1)
            loop.stop_when(n == 3)
        return Outputs(n=n)

    assert hyloop.run(example, hyloop.Hypergraph.from_hyperedges([["a"]]), backend="interpreter")["n"] == 3


def test_an_algorithm_is_not_called(tmp_path):
    with pytest.raises(TypeError, match=r"use hyloop.run\(example, hypergraph, ...\)"):
        crossing()()


@pytest.mark.parametrize(("kind", "given"), [(Vertex, "a vertex"), (Flag, "a flag"), (int, "<class 'int'>")])
def test_a_bound_is_of_a_number(kind, given):
    with pytest.raises(LanguageError) as caught:
        at_most(kind, 3)
    assert caught.value.message == (
        f"only a Count or a Length can have a bound, as in `at_most(Count, 10)`; this is {given}."
    )
    at_most(Count, 3)


@pytest.mark.parametrize("bound", [-1, 1.5, True, "3"])
def test_a_bound_is_a_whole_number(bound):
    with pytest.raises(LanguageError) as caught:
        at_most(Count, bound)
    assert caught.value.message == (
        f"a bound is a whole number of at least 0, as in `at_most(Count, 10)`, not {bound!r}."
    )


async def waits(h):
    return h


def gives(h):
    yield h


def named_like_an_argument(h, source: Vertex, hypergraph: Count):
    return h


def named_like_an_option(h, backend: Count):
    return h


def decorated():
    """What is no function of the language, and what is said of it."""
    none = "`@algorithm` stands above a function, `def name(h, ...):`; {} is none."
    called_once = "{} is traced by calling it once, so it cannot be `async` or have a `yield`; return its outputs."
    return {
        "nothing": (None, "`@algorithm` has no brackets: it stands alone above the function."),
        "twice": (forgotten, "forgotten is an algorithm already; `@algorithm` stands above a function once."),
        "built in": (print, none.format("print, which is built in,")),
        "a class": (Case, none.format("the class Case")),
        "part of a function": (functools.partial(gives), none.format("this partial")),
        "a word": ("dijkstra", none.format("this str")),
        "async": (waits, called_once.format("waits")),
        "a generator": (gives, called_once.format("gives")),
        "an input that is called as an argument of run": (
            named_like_an_argument,
            "an input cannot be called `hypergraph`: that is what `hyloop.run` or `check` call their own "
            "arguments. Rename it.",
        ),
        "an input that is called as an option": (
            named_like_an_option,
            "an input cannot be called `backend`: that is what `hyloop.run` or `check` call their own "
            "arguments. Rename it.",
        ),
    }


def test_what_is_no_function_of_the_language():
    for name, (given, message) in decorated().items():
        with pytest.raises(LanguageError) as caught:
            algorithm(given)
        assert caught.value.message == message, name


def test_brackets_after_algorithm():
    with pytest.raises(LanguageError, match="`@algorithm` has no brackets"):

        @algorithm()
        def example(h):
            return h


def unreadable(tmp_path, name, text=None):
    """What `load` says of a file."""
    file = tmp_path / name
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(LanguageError) as caught:
        load(file)
    return caught.value


FILES = {
    "there is none": ("none.py", None, "There is no file {file}."),
    "not Python": ("some.txt", "x", "{file} is not a Python file."),
    "a slip in it": ("slip.py", "def f(:\n", "{file} cannot be run: line 1: invalid syntax."),
    "it fails": (
        "fails.py",
        "x = 1\ny = x / 0\n",
        "{file} cannot be run: line 2: ZeroDivisionError: division by zero.",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_loaded(name, tmp_path):
    file, text, message = FILES[name]
    assert str(unreadable(tmp_path, file, text)) == message.format(file=tmp_path / file)


def test_a_file_that_can_be_loaded(tmp_path):
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    assert [each.name for each in load(tmp_path / "right.py")] == ["example"]


# -- every message has a case -------------------------------------------------------------------------------------

# What no traced program reaches, since the handles see to it first. test_verify.py reaches all but the first, by hand;
# the first guards a table entry that nobody asks for.
BY_HAND = {
    'raise TypeError("a leaf has the type that it was declared with.")',
    'raise TypeError("only a scalar can be spread over all rows.")',
    'raise TypeError(f"only a flag counts as 0 or 1; this is {types[0].phrase}.")',
    'raise TypeError(f"the condition must be a flag; this is {types[0].phrase}.")',
    'raise TypeError(f"{array.phrase} has no entries to read.")',
    'raise TypeError(f"{types[0].phrase} is one of the {scope}, not of {argument}.")',
}


@algorithm
def forgotten(h):
    h.hyperedges.evry  # noqa: B018  (there is no such thing)


def test_a_mistake_in_python_is_told_at_its_line():
    line = forgotten.function.__code__.co_firstlineno + 2
    with pytest.raises(LanguageError, match=rf"^test_lang.py:{line}: h.hyperedges has no `evry`; did you mean `every`"):
        _ = forgotten.program


def test_every_message_of_the_language_has_a_case(tmp_path):
    everything = sites("handles", "inputs", "kinds", "refusals", "signatures", "tracer", "tracing")
    texts = [variants(case)[0] for case in CASES.values()] + [text for text, _ in WHOLE.values()]
    errors = [refused(text, tmp_path) for text in texts]
    errors += [unreadable(tmp_path, name, text) for name, text, _ in FILES.values()]
    makers = [lambda: crossing().program, crossing(), lambda: at_most(Vertex, 3), lambda: forgotten.program]
    makers.append(lambda: overlapping.program)
    for make in (*makers, *(functools.partial(algorithm, given) for given, _ in decorated().values())):
        with pytest.raises((LanguageError, TypeError)) as caught:
            make()
        errors.append(caught.value)
    seen = {everything[site] for error in errors for site in reached(error) if site in everything}
    assert {text for _, text in set(everything.values()) - seen} == BY_HAND


@pytest.mark.parametrize("expression", ["h.vertices.count - k", "h.vertices.count + k", "2 - h.vertices.count"])
def test_a_size_goes_with_a_value(expression, tmp_path):
    program(PROGRAM.format(**{**USUAL, "body": f"count.assign(count + ({expression}))"}), tmp_path)


@pytest.mark.parametrize("expression", ["h.vertices.count, 3", "2, h.vertices.count + 1", "h.vertices.count, count"])
def test_a_size_is_a_number_beside_another(expression, tmp_path):
    program(PROGRAM.format(**{**USUAL, "body": f"count.assign(smaller({expression}))"}), tmp_path)


@pytest.mark.parametrize("branches", ["0, INFINITY", "INFINITY, 0"])
def test_a_zero_beside_infinity_is_a_length(branches, tmp_path):
    program(PROGRAM.format(**{**USUAL, "body": f"length.assign(where(flag, {branches}))"}), tmp_path)


TAKEN = [
    ("count.assign(count + np.int64(3))", "count.assign(count + 3)"),
    ("count.assign(np.int64(3) - count)", "count.assign(3 - count)"),
    ("count.assign(np.int64(3) * count * np.uint8(2))", "count.assign(3 * count * 2)"),
    ("flag.assign(flag & np.True_)", "flag.assign(flag & True)"),
    ("flag.assign(np.False_ | flag)", "flag.assign(False | flag)"),
    ("flag.assign(np.True_ == flag)", "flag.assign(True == flag)"),
    ("flag.assign(np.int64(3) < count)", "flag.assign(3 < count)"),
    ("flag.assign(np.uint64(2**64 - 1) >= count)", "flag.assign(2**64 - 1 >= count)"),
    ("flag.assign(h.vertices.count != np.int64(3))", "flag.assign(h.vertices.count != 3)"),
    ("flag.assign(np.int64(3) <= h.vertices.count)", "flag.assign(3 <= h.vertices.count)"),
    ("count.assign(where(flag, np.int64(1), np.int8(2)))", "count.assign(where(flag, 1, 2))"),
    ("p.assign(np.int64(1) + p)", "p.assign(1 + p)"),
    ("count.assign(h.vertices.count + True)", "count.assign(h.vertices.count + 1)"),
    ("length.assign(INFINITY + INFINITY)", "length.assign(INFINITY)"),
    ("length.assign(INFINITY - 0)", "length.assign(INFINITY)"),
    ("length.assign(INFINITY - INFINITY)", "length.assign(0)"),
    ("length.assign(0 - INFINITY)", "length.assign(0)"),
    ("length.assign(0 * INFINITY)", "length.assign(0)"),
    ("length.assign(np.int64(2) * INFINITY)", "length.assign(INFINITY)"),
    ("length.assign(INFINITY // INFINITY)", "length.assign(0)"),
    ("length.assign(INFINITY % INFINITY)", "length.assign(0)"),
    ("count.assign(0 // INFINITY)", "count.assign(0)"),
    ("length.assign(0 % INFINITY)", "length.assign(0)"),
    ("flag.assign((INFINITY < INFINITY) | (INFINITY <= 0))", "flag.assign(False)"),
    ("flag.assign((INFINITY >= INFINITY) & (INFINITY > 0))", "flag.assign(True)"),
]
SIZES_TAKEN = [
    ("h.vertices.count + True", "h.vertices.count + 1"),
    ("False + h.vertices.count * True", "0 + h.vertices.count * 1"),
    ("np.int64(3)", "3"),
    ("np.int64(3) + h.vertices.count // np.uint8(2)", "3 + h.vertices.count // 2"),
    ("largest(np.int64(3), h.vertices.count.choose(np.int64(2)))", "largest(3, h.vertices.count.choose(2))"),
]
STATES_TAKEN = [
    ("x = h.state(Count, np.int64(3))", "x = h.state(Count, 3)"),
    ("x = h.state(Flag, np.True_)", "x = h.state(Flag, True)"),
]


def without_places(given):
    return [line.partition("  @")[0] for line in to_text(given).splitlines()]


@pytest.mark.parametrize(
    ("place", "written", "meant"),
    [("body", *pair) for pair in TAKEN]
    + [("loop", f"at_most={left}", f"at_most={right}") for left, right in SIZES_TAKEN]
    + [("before", *pair) for pair in STATES_TAKEN],
)
def test_a_constant_is_what_it_equals(place, written, meant, tmp_path):
    one, other = (program(PROGRAM.format(**{**USUAL, place: each}), tmp_path) for each in (written, meant))
    assert without_places(one) == without_places(other)


@pytest.mark.parametrize(
    "expression",
    [
        "where(flag, 0, 0)",
        "where(flag, 0, 0) + d",
        "d - where(flag, 0, 0)",
        "smaller(where(flag, 0, 0), d)",
        "where(flag, where(flag, 0, 0), INFINITY)",
        "where(flag, 0, 0) + INFINITY",
        "larger(INFINITY, where(flag, 0, where(flag, 0, 0)))",
        "where(where(flag, 0, 0) == INFINITY, d, 0)",
        "where(flag, d, where(flag, 0, where(flag, 0, 0)))",
    ],
)
def test_zeros_are_lengths_where_lengths_are_wanted(expression, tmp_path):
    made = program(PROGRAM.format(**{**USUAL, "body": f"length.assign({expression})"}), tmp_path)
    assert made.body.ops[made.body.updates["length"]].type.kind is Length


def test_an_async_function_is_shown_with_its_own_line(tmp_path):
    text = "from hyloop.lang import *\n\n@algorithm\nasync def example(h):\n    def inner(): pass\n    return h\n"
    assert str(refused(text, tmp_path)).splitlines()[1:] == ["    async def example(h):", "    " + "^" * 21]


def test_whether_a_handle_has_a_name_can_be_asked(tmp_path):
    body = "count.assign(1 if hasattr(count, 'nothing') or hasattr(h, 'edges') else 2)"
    made = program(PROGRAM.format(**{**USUAL, "body": body}), tmp_path)
    assert made.body.ops[made.body.updates["count"]].argument == 2


def test_a_caret_stands_below_letters_of_two_columns(tmp_path):
    text = PROGRAM.format(**{**USUAL, "body": "größe = '日本語', 'e\u0301', count + '日'"})
    *_, shown, carets = str(refused(text, tmp_path)).splitlines()
    assert shown == "    größe = '日本語', 'e\u0301', count + '日'"
    assert carets == " " * (4 + len("größe = '......', 'e', ")) + "^" * len("count + '..'")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("smaller(7, 9)", 7),
        ("larger(np.int64(7), 9)", 9),
        ("smaller(True, 9)", 1),
        ("larger(h.vertices.count, 1)", 2),
        ("where(True, 3, 4)", 3),
        ("where(smaller(0, INFINITY) == larger(0, 0), 5, 6)", 5),
    ],
)
def test_constants_alone_follow_the_rules_of_values(written, found, tmp_path):
    text = PROGRAM.format(**{**USUAL, "body": f"count.assign({written})", "stop": "loop.stop_when(True)"})
    made = program(text.replace("counts=counts", "count=count"), tmp_path)
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    inputs = {"v": "a", "e": h.hyperedges[0], "k": 0, "d": 0}
    assert hyloop.run(made, h, backend="interpreter", **inputs)["count"] == found


FINITE = [
    "where(lengths < INFINITY, lengths, 0)",
    "where(flags & (lengths < d), lengths, 0)",
    "where(lengths <= d, lengths, d)",
    "where(lengths != INFINITY, lengths, 0)",
    "where(lengths == INFINITY, 0, lengths)",
    "where(flags | (lengths == INFINITY), d, lengths)",
    "where(lengths == d, lengths, 0)",
]
PERHAPS_INFINITE = [
    "where(flags, lengths, 0)",
    "where(flags | (lengths < INFINITY), lengths, 0)",
    "where(lengths < INFINITY, 0, lengths)",
    "where(lengths == INFINITY, lengths, 0)",
    "where(lengths > d, lengths, 0)",
    "where(lengths + d < INFINITY, lengths, 0)",  # finite as well, but that would have to be proved
    "where(lengths == lengths, lengths, 0)",
]


@pytest.mark.parametrize("expression", FINITE)
def test_what_is_masked_is_finite(expression, tmp_path):
    program(PROGRAM.format(**{**USUAL, "body": f"flag.assign(any(h.incidence.T @ {expression} == d))"}), tmp_path)


@pytest.mark.parametrize("expression", PERHAPS_INFINITE)
def test_another_mask_does_not_help(expression, tmp_path):
    text = PROGRAM.format(**{**USUAL, "body": f"flag.assign(any(h.incidence.T @ {expression} == d))"})
    assert "may be infinite" in refused(text, tmp_path).message


def test_an_error_found_later_shows_the_line_of_a_helper_in_another_file(tmp_path, monkeypatch):
    (tmp_path / "helping.py").write_text("# 1\n# 2\ndef added(h, x):\n    return h.incidence.T @ x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    text = "from helping import added\n" + PROGRAM.format(
        **{**USUAL, "body": "flag.assign(any(added(h, lengths) == d))"}
    )
    assert str(refused(text, tmp_path)).splitlines() == [
        "helping.py:4: the incidence adds up, and this may be infinite; mask it first with `where`.",
        "    return h.incidence.T @ x",
        "           ^^^^^^^^^^^^^^^^^",
    ]


def test_a_relative_path_has_line_numbers_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fails.py").write_text("x = 1\ny = x / 0\n", encoding="utf-8")
    with pytest.raises(LanguageError, match=r"^fails.py cannot be run: line 2: ZeroDivisionError"):
        load(Path("fails.py"))
