#!/usr/bin/env python3
"""Check a proof that `hyloop prove MODEL --certificate FILE` wrote: python check_certificate.py FILE

This file is all there is to trust. It needs Python alone, shares no code with hyloop, and never asks a solver. A
certificate is a list of obligations, each a script in a small part of SMT-LIB and a proof that its assertions cannot
all hold. docs/proof.md explains the format; here is what is believed:

- Numbers are integers; every function has one argument, and gives the same for the same argument.
- A proof is a tree. On the way from its root to a leaf, statements are gathered: linear ones (`t >= 0`, `t = 0`), and
  disjunctions. Each node is one of
    ["use", [i, ...], node]          gather these assertions of the script
    ["case", d, [node, ...]]         one node for each part of the disjunction d gathered so far, which it gathers
    ["ite", a, yes, no]              the definition of the symbol a is `ite`: its condition, or the condition's negation
    ["same", a, b, below, at, above] a and b are f(s), f(t): s < t, or s = t and so f(s) = f(t), or s > t
    ["split", [[n, a], ...], k, low, high]   a sum of integers is at most k, or at least k + 1
    ["cut", [[i, n], ...], node]     a non-negative sum of linear statements, rounded as integers allow
    ["sum", [[i, n], ...]]           a leaf: such a sum says that a negative number is not negative
  Linear statements are numbered in the order in which they are gathered, disjunctions too.
"""

from __future__ import annotations

import gzip
import json
import sys
from math import gcd

DEEPEST = 10_000


class Refused(Exception):
    """What is not a proof."""


# -- scripts: s-expressions, terms, formulas ------------------------------------------------------------------------


def tokens(text):
    """The parentheses, names and numbers of a script. A name may stand between bars; comments end with the line."""
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter.isspace():
            at += 1
        elif letter == ";":
            stop = text.find("\n", at)
            at = end if stop < 0 else stop
        elif letter in "()":
            yield letter
            at += 1
        elif letter == "|":
            stop = text.find("|", at + 1)
            if stop < 0:
                raise Refused("a name between bars does not end")
            yield text[at : stop + 1]
            at = stop + 1
        else:
            stop = at
            while stop < end and text[stop] not in "()|;" and not text[stop].isspace():
                stop += 1
            yield text[at:stop]
            at = stop


def expressions(text):
    """The expressions of a script, as nested lists of words."""
    stack = [[]]
    for token in tokens(text):
        if token == "(":
            stack.append([])
            if len(stack) > DEEPEST:
                raise Refused("the script is nested too deeply")
        elif token == ")":
            if len(stack) < 2:
                raise Refused("a parenthesis is closed that was not opened")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise Refused("a parenthesis is not closed")
    return stack[0]


def is_number(word):
    return isinstance(word, str) and word.isascii() and word.isdigit()


class Script:
    """The symbols and assertions of a script. A term is (constant, {symbol: factor}), a formula a nested tuple."""

    def __init__(self, text):
        self.arity, self.ite, self.apply, self.assertions = {}, {}, {}, []
        found = expressions(text)
        if not found or found[-1] != ["check-sat"]:
            raise Refused("the script does not end with (check-sat)")
        for each in found[:-1]:
            self._command(each)

    def _command(self, each):
        if not isinstance(each, list) or not each:
            raise Refused(f"this is no command: {each}")
        if each[0] == "set-logic" and len(each) == 2:
            return
        if each[0] == "declare-fun" and len(each) == 4 and each[2] in ([], ["Int"]) and each[3] == "Int":
            self._new(each[1], len(each[2]))
        elif each[0] == "define-fun" and len(each) == 5 and each[2] == [] and each[3] == "Int":
            self._define(each[1], each[4])
        elif each[0] == "assert" and len(each) == 2:
            self.assertions.append(self.formula(each[1]))
        else:
            raise Refused(f"this command is not known: {each[0]}")

    def _new(self, name, arity):
        if not isinstance(name, str) or is_number(name) or name in self.arity:
            raise Refused(f"the name {name} is declared twice, or is none")
        self.arity[name] = arity

    def _define(self, name, body):
        """A symbol that is an `ite`, or a function at a term."""
        if isinstance(body, list) and len(body) == 4 and body[0] == "ite":
            self.ite[name] = (self.formula(body[1]), self.term(body[2]), self.term(body[3]))
        elif isinstance(body, list) and len(body) == 2 and self.arity.get(body[0]) == 1:
            self.apply[name] = (body[0], self.term(body[1]))
        else:
            raise Refused(f"the definition of {name} is neither an ite nor a function at a term")
        self._new(name, 0)  # after its parts: it must not occur in them

    def term(self, text):
        """A sum of integers times symbols."""
        if is_number(text):
            return int(text), {}
        if isinstance(text, str):
            if self.arity.get(text) != 0:
                raise Refused(f"{text} is no number")
            return 0, {text: 1}
        if not text:
            raise Refused("an empty term")
        if text[0] == "+" and len(text) > 1:
            total = (0, {})
            for part in text[1:]:
                total = plus(total, self.term(part))
            return total
        if text[0] == "-" and len(text) == 2:
            return times(-1, self.term(text[1]))
        if text[0] == "*" and len(text) == 3:
            factor, rest = self.term(text[1]), self.term(text[2])
            if factor[1]:
                raise Refused("a product of two symbols")
            return times(factor[0], rest)
        raise Refused(f"this term is not known: {text[0]}")

    def formula(self, text):
        """(">=", term), ("=", term), ("and", parts), ("or", parts), ("not", part)."""
        if text == "true":
            return ("and", ())
        if text == "false":
            return ("or", ())
        if not isinstance(text, list) or not text:
            raise Refused(f"this is no formula: {text}")
        if text[0] in (">=", "=") and len(text) == 3:
            return (text[0], plus(self.term(text[1]), times(-1, self.term(text[2]))))
        if text[0] in ("and", "or"):
            return (text[0], tuple(self.formula(part) for part in text[1:]))
        if text[0] == "not" and len(text) == 2:
            return ("not", self.formula(text[1]))
        raise Refused(f"this formula is not known: {text[0]}")


def plus(a, b, factor=1):
    """a + factor·b."""
    parts = dict(a[1])
    for name, number in b[1].items():
        total = parts.get(name, 0) + factor * number
        if total:
            parts[name] = total
        else:
            parts.pop(name, None)
    return a[0] + factor * b[0], parts


def times(factor, a):
    return plus((0, {}), a, factor) if factor else (0, {})


def shifted(a, number):
    return a[0] + number, a[1]


# -- proofs ---------------------------------------------------------------------------------------------------------


class Path:
    """What has been gathered from the root to here: linear statements (is it an equation?, term), and disjunctions."""

    def __init__(self, linear=(), either=()):
        self.linear, self.either = list(linear), list(either)

    def copy(self):
        return Path(self.linear, self.either)

    def gather(self, formula, holds=True):
        """Add a formula, or its negation."""
        kind, what = formula
        if kind == "not":
            self.gather(what, not holds)
        elif kind in (">=", "="):
            self._linear(kind, what, holds)
        elif (kind == "and") == holds:
            for part in what:
                self.gather(part, holds)
        else:
            self.either.append([(part, holds) for part in what])

    def _linear(self, kind, term, holds):
        if holds:
            self.linear.append((kind == "=", tightened(term) if kind == ">=" else term))
        elif kind == ">=":  # not t >= 0: t <= -1
            self.linear.append((False, tightened(shifted(times(-1, term), -1))))
        else:  # not t = 0: t >= 1 or t <= -1
            above, below = (">=", shifted(term, -1)), (">=", shifted(times(-1, term), -1))
            self.either.append([(above, True), (below, True)])

    def sum(self, pairs):
        """A sum of linear statements; an inequality must not be taken a negative number of times."""
        total = (0, {})
        for index, factor in pairs:
            equation, term = self._at(self.linear, index)
            if not integer(factor) or (factor < 0 and not equation):
                raise Refused("an inequality is taken a negative number of times")
            total = plus(total, term, factor)
        return total

    @staticmethod
    def _at(found, index):
        if not integer(index) or not 0 <= index < len(found):
            raise Refused("a statement is named that was not gathered")
        return found[index]


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def tightened(term):
    """t >= 0, divided by what divides all factors: the constant is rounded down, since all else is an integer."""
    divisor = gcd(*term[1].values()) if term[1] else 1
    return term[0] // divisor, {name: number // divisor for name, number in term[1].items()}


def check(script, proof):
    """Whether the proof shows that the assertions cannot all hold; `Refused` says why not."""
    todo = [(proof, Path())]
    while todo:
        node, path = todo.pop()
        if not isinstance(node, list) or not node or node[0] not in NODES:
            raise Refused("a node of the proof is not known")
        rule, length = NODES[node[0]]
        if len(node) != length:
            raise Refused(f"a node `{node[0]}` has {len(node) - 1} parts, and not {length - 1}")
        todo += rule(script, path, *node[1:])


def use(script, path, numbers, node):
    for number in listed(numbers):
        path.gather(path._at(script.assertions, number))
    return [(node, path)]


def case(script, path, number, nodes):
    parts = path._at(path.either, number)
    if not isinstance(nodes, list) or len(nodes) != len(parts):
        raise Refused("a disjunction has another number of parts than cases")
    return [(node, gathered(path, part)) for node, part in zip(nodes, parts)]


def ite(script, path, name, yes, no):
    if not isinstance(name, str) or name not in script.ite:
        raise Refused(f"{name} is not defined by ite")
    condition, first, second = script.ite[name]
    found = []
    for node, holds, value in ((yes, True, first), (no, False, second)):
        here = gathered(path, (condition, holds))
        here.gather(("=", plus((0, {name: 1}), value, -1)))
        found.append((node, here))
    return found


def same(script, path, a, b, below, at, above):
    if not all(isinstance(name, str) and name in script.apply for name in (a, b)):
        raise Refused("what should be functions at terms is not")
    (f, s), (g, t) = script.apply[a], script.apply[b]
    if f != g:
        raise Refused("two functions are not the same")
    gap = plus(t, s, -1)
    less, more = path.copy(), path.copy()
    less.gather((">=", shifted(gap, -1)))
    more.gather((">=", shifted(times(-1, gap), -1)))
    path.gather(("=", gap))
    path.gather(("=", (0, {a: 1, b: -1}) if a != b else (0, {})))
    return [(below, less), (at, path), (above, more)]


def split(script, path, parts, bound, low, high):
    total = (0, {})
    for pair in listed(parts):
        if not isinstance(pair, list) or len(pair) != 2 or not integer(pair[0]) or script.arity.get(pair[1]) != 0:
            raise Refused("what is split is no sum of integers times symbols")
        total = plus(total, (0, {pair[1]: pair[0]}), 1) if pair[0] else total
    if not integer(bound):
        raise Refused("a sum is split at what is no integer")
    other = path.copy()
    path.gather((">=", shifted(times(-1, total), bound)))
    other.gather((">=", shifted(total, -bound - 1)))
    return [(low, path), (high, other)]


def cut(script, path, pairs, node):
    path.linear.append((False, tightened(path.sum(paired(pairs)))))
    return [(node, path)]


def leaf(script, path, pairs):
    constant, parts = path.sum(paired(pairs))
    if parts or constant >= 0:
        raise Refused("a sum at a leaf is no contradiction")
    return []


def gathered(path, part):
    here = path.copy()
    here.gather(*part)
    return here


def listed(value):
    if not isinstance(value, list):
        raise Refused("a list is expected")
    return value


def paired(value):
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in listed(value)):
        raise Refused("a list of pairs is expected")
    return value


NODES = {
    "use": (use, 3),
    "case": (case, 3),
    "ite": (ite, 4),
    "same": (same, 6),
    "split": (split, 5),
    "cut": (cut, 3),
    "sum": (leaf, 2),
}


# -- files ----------------------------------------------------------------------------------------------------------


def read(name):
    with open(name, "rb") as file:
        data = file.read()
    return json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def check_file(name):
    """The number of obligations that hold; `Refused` at the first that does not."""
    document = read(name)
    if not isinstance(document, dict) or document.get("format") != "hyloop-certificate":
        raise Refused("this is no certificate of hyloop")
    for number, each in enumerate(document["obligations"], start=1):
        try:
            check(Script(each["script"]), each["proof"])
        except Refused as why:
            raise Refused(f"obligation {number} ({each.get('says')}): {why}") from None
    return len(document["obligations"])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_certificate.py FILE")
    sys.setrecursionlimit(10 * DEEPEST)
    try:
        print(f"{check_file(sys.argv[1])} obligations hold.")
    except (Refused, OSError, ValueError, KeyError, TypeError, RecursionError) as why:
        sys.exit(f"Not a proof: {why}")


if __name__ == "__main__":
    main()
