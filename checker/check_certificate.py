#!/usr/bin/env python3
"""Check a proof that `hyloop prove X --certificate FILE` wrote: python check_certificate.py FILE [MODEL]

This file is all there is to trust of a solver. It needs Python alone, and shares no code with hyloop. A certificate is
a list of obligations: each is a script in a small part of SMT-LIB, and a proof that its assertions cannot all hold.
Given the model's file too, it is checked that the certificate names the hash of what stands there. What is believed:

- Numbers are integers; a function has one argument, and gives the same for the same argument.
- `t >= 0` is the same as `t/g >= 0`, rounded down, where g divides all factors of t; `not t >= 0` is `-t - 1 >= 0`.
- A *literal* is such a statement, an equation `t = 0`, an `and` or an `or` of literals; or the negation of one. Each
  has a number, in the order in which it is met first; a negation has the negative number. 1 is what is always true.
- A *clause* is a list of literals, one of which holds. Clauses are numbered from 0. The first is [1]. Each new `and`,
  `or` and equation comes with its definition as clauses. A proof is a list of steps, and the last clause is empty:
    ["use", n]                       assertion n of the script holds
    ["ite", a]                       a symbol that is defined by `ite`: two clauses, with the condition and without
    ["same", a, b]                   of a = f(s), b = f(t): s is not t, or a is b
    ["mul", l, m]                    of l: s >= 0, m: t >= 0, or l: s = 0: not l, or not m, or s·t >= 0 (or s·t = 0)
    ["let", e, c, [[k, a], ...]]     a number for `c + Σ k·a >= 0`, or (e is 1) for the equation
    ["sum", [l, k, m, k, ...]]       taken so often each, these add up to "a negative number >= 0": one does not hold
    ["so", [l, ...], [n, ...]]       a clause that follows: if none of its literals holds, each of the clauses n in turn
                                     has one literal left, and the last of them none
"""

import hashlib
import json
import os
import sys
import zlib
from math import gcd
from pathlib import Path


class Refused(Exception):  # noqa: N818
    """What is not a proof."""


MOST = 1000  # parentheses in each other, and factors of a product


def need(holds, why):
    if not holds:
        raise Refused(why)


def tokens(text):
    """The parentheses, names and numbers of a script. A name may stand between bars; comments end with the line."""
    at, end = 0, len(text)
    while at < end:
        letter, stop = text[at], at + 1
        if letter == ";":
            stop = text.find("\n", at)
            stop = end if stop < 0 else stop
        elif letter == "|":
            stop = text.find("|", at + 1) + 1
            need(stop, "a name between bars does not end")
            yield text[at:stop]
        elif letter in "()":
            yield letter
        elif not letter.isspace():
            while stop < end and text[stop] not in "()|;" and not text[stop].isspace():
                stop += 1
            yield text[at:stop]
        at = stop


def expressions(text):
    """The expressions of a script, as nested lists of words."""
    stack = [[]]
    for word in tokens(text):
        need(len(stack) <= MOST, "it is nested too deeply")
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    need(len(stack) == 1 and ")" not in stack[0], "parentheses do not match")
    return stack[0]


def is_number(word):
    return isinstance(word, str) and word.isascii() and word.isdigit()


class Script:
    """The symbols and assertions of a script. A term is (constant, {symbol: factor}), a formula a nested tuple."""

    RESERVED = ("true", "false", "and", "or", "not", "ite", "+", "-", "*", ">=", "=", "!", "Int", "Bool", "let")

    def __init__(self, text):
        self.arity, self.ite, self.apply, self.assertions = {}, {}, {}, []
        self.factors, self.products = {}, {}  # of a product of symbols its factors, sorted; and which product they make
        found = expressions(text)
        need(found and found[-1] == ["check-sat"], "the script does not end with (check-sat)")
        for each in found[:-1]:
            self._command(each)

    def _command(self, each):
        need(listed(each), "an empty command")
        if each in (["set-logic", "QF_UFLIA"], ["set-logic", "QF_UFNIA"]):
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
        fits = isinstance(name, str) and not (is_number(name) or name in self.RESERVED or name in self.arity)
        need(fits, f"the name {name} is declared twice, or is none")
        self.arity[name] = arity

    def _define(self, name, body):
        """A symbol that is an `ite`, a function at a term, or a product of two symbols."""
        if isinstance(body, list) and len(body) == 4 and body[0] == "ite":
            self.ite[name] = (self.formula(body[1]), self.term(body[2]), self.term(body[3]))
        elif isinstance(body, list) and len(body) == 3 and body[0] == "*" and all(map(self.is_symbol, body[1:])):
            self.factors[name] = self.multiplied(*body[1:])
            self.products.setdefault(self.factors[name], name)
        elif isinstance(body, list) and len(body) == 2 and isinstance(body[0], str) and self.arity.get(body[0]) == 1:
            self.apply[name] = (body[0], self.term(body[1]))
        else:
            raise Refused(f"the definition of {name} is not an ite, a function at a term or a product of two symbols")
        self._new(name, 0)  # after its parts: it must not occur in them

    def is_symbol(self, name):
        return isinstance(name, str) and self.arity.get(name) == 0

    def multiplied(self, a, b):
        a, b = self.factors.get(a, (a,)), self.factors.get(b, (b,))
        need(len(a) + len(b) <= MOST, "a product has too many factors")
        return tuple(sorted(a + b))

    def term(self, text):
        """A sum of integers times symbols."""
        if is_number(text):
            return int(text), {}
        if isinstance(text, str):
            need(self.is_symbol(text), f"{text} is no number")
            return 0, {text: 1}
        if text and text[0] == "+" and len(text) > 1:
            return added((self.term(part), 1) for part in text[1:])
        if text and text[0] == "-" and len(text) == 2:
            return times(-1, self.term(text[1]))
        if text and text[0] == "*" and len(text) == 3:
            factor, rest = self.term(text[1]), self.term(text[2])
            if not factor[1]:
                return times(factor[0], rest)
        raise Refused(f"this term is not known: {text}")

    def formula(self, text):
        """(">=", term), ("=", term), ("and", parts), ("or", parts), ("not", part)."""
        if text in ("true", "false"):
            return ("and" if text == "true" else "or", ())
        if not isinstance(text, list) or not text:
            raise Refused(f"this is no formula: {text}")
        if text[0] in (">=", "=") and len(text) == 3:
            return (text[0], plus(self.term(text[1]), times(-1, self.term(text[2]))))
        if text[0] in ("and", "or"):
            return (text[0], tuple(self.formula(part) for part in text[1:]))
        if text[0] == "not" and len(text) == 2:
            return ("not", self.formula(text[1]))
        if text[0] == "!" and len(text) == 4 and text[2] == ":named" and isinstance(text[3], str):  # a name for readers
            return self.formula(text[1])
        raise Refused(f"this formula is not known: {text[0]}")


def plus(a, b, factor=1):
    """a + factor·b."""
    return added([(a, 1), (b, factor)])


def added(terms):
    """The sum of terms, each times a factor."""
    constant, parts = 0, {}
    for (number, symbols), factor in terms:
        constant += factor * number
        for name, many in symbols.items():
            parts[name] = parts.get(name, 0) + factor * many
    return constant, {name: many for name, many in parts.items() if many}


def times(factor, a):
    return plus((0, {}), a, factor)


class Proof:
    """What has been shown so far: the literals that have a number, and clauses."""

    STEPS = {"use": 1, "ite": 1, "same": 2, "mul": 2, "let": 3, "sum": 1, "so": 2}  # how many parts each step has

    def __init__(self, script):
        self.script = script
        self.clauses = [(1,)]
        self.numbers = {"true": 1}  # also of ("=" or ">=", constant, parts), and of ("and" or "or", literals)
        self.terms = [None, None]  # of each literal: (is it an equation?, term) if it is linear

    def _number(self, key, term=None):
        """The number of a literal, and whether it is new."""
        if key in self.numbers:
            return self.numbers[key], False
        self.numbers[key] = len(self.terms)
        self.terms.append(term)
        return self.numbers[key], True

    def linear(self, kind, term):
        """The literal of `term >= 0` or `term = 0`."""
        constant, parts = term
        if not parts:
            return 1 if constant == 0 or (kind == ">=" and constant > 0) else -1
        divisor = gcd(*parts.values())
        if kind == "=" and constant % divisor:
            return -1
        constant, parts = constant // divisor, {name: number // divisor for name, number in parts.items()}
        sign = 1
        if parts[min(parts)] < 0:  # of a statement and its negation only one has a number; of t = 0, -t = 0 too
            sign, constant, parts = (1 if kind == "=" else -1), -constant - (kind == ">="), times(-1, (0, parts))[1]
        number, new = self._number((kind, constant, tuple(sorted(parts.items()))), (kind == "=", (constant, parts)))
        if new and kind == "=":
            above = self.linear(">=", (constant - 1, parts))
            below = self.linear(">=", (-constant - 1, times(-1, (0, parts))[1]))
            self.clauses.append((number, above, below))
        return sign * number

    def literal(self, formula):
        """The literal of a formula."""
        kind, what = formula
        if kind == "not":
            return -self.literal(what)
        if kind in (">=", "="):
            return self.linear(kind, what)
        parts = tuple(self.literal(part) for part in what)
        number, new = self._number((kind, parts))
        if new:
            sign = 1 if kind == "and" else -1  # an `or` is the negation of the `and` of the negations
            self.clauses += [(-sign * number, sign * part) for part in parts]
            self.clauses.append((sign * number, *(-sign * part for part in parts)))
        return number

    def statement(self, literal):
        """What a linear literal says: whether it is an equation, and its term."""
        found = self.terms[abs(literal)] if integer(literal) and 0 < abs(literal) < len(self.terms) else None
        if found is None or (found[0] and literal < 0):
            raise Refused(f"the literal {literal} says nothing that can be added up")
        return found if literal > 0 else (False, plus((-1, {}), found[1], -1))

    def use(self, number):
        need(integer(number) and 0 <= number < len(self.script.assertions), "there is no such assertion")
        self.clauses.append((self.literal(self.script.assertions[number]),))

    def ite(self, name):
        need(isinstance(name, str) and name in self.script.ite, f"{name} is not defined by ite")
        condition, first, second = self.script.ite[name]
        known = self.literal(condition)
        self.clauses.append((-known, self.linear("=", plus((0, {name: 1}), first, -1))))
        self.clauses.append((known, self.linear("=", plus((0, {name: 1}), second, -1))))

    def same(self, a, b):
        known = all(isinstance(name, str) and name in self.script.apply for name in (a, b))
        need(known, "what should be functions at terms is not")
        (f, s), (g, t) = self.script.apply[a], self.script.apply[b]
        need(f == g, "two functions are not the same")
        gap = self.linear("=", plus(s, t, -1))
        self.clauses.append((-gap, self.linear("=", plus((0, {a: 1}), (0, {b: 1}), -1))))

    def mul(self, one, other):
        (equation, s), (also, t) = self.statement(one), self.statement(other)
        terms = [((s[0] * t[0], {}), 1), ((0, t[1]), s[0]), ((0, s[1]), t[0])]
        for a, m in s[1].items():
            for b, n in t[1].items():
                made = self.script.products.get(self.script.multiplied(a, b))
                need(made is not None, f"the script has no product of {a} and {b}")
                terms.append(((0, {made: 1}), m * n))
        product = self.linear("=" if equation or also else ">=", added(terms))
        self.clauses.append((-one, product) if equation else (-one, -other, product))

    def let(self, equation, constant, parts):
        fits = integer(constant) and equation in (0, 1)
        for pair in listed(parts):
            fits = fits and len(listed(pair)) == 2 and integer(pair[0]) and self.script.is_symbol(pair[1])
        need(fits, "a number is wanted for what is not linear")
        terms = [((constant, {}), 1), *(((0, {name: 1}), number) for number, name in parts)]
        self.linear("=" if equation else ">=", added(terms))

    def sum(self, taken):
        terms, clause = [], []
        need(len(listed(taken)) % 2 == 0, "a sum is no list of pairs")
        for literal, factor in zip(taken[::2], taken[1::2], strict=True):
            equation, term = self.statement(literal)
            need(integer(factor) and (factor >= 0 or equation), "an inequality is taken a negative number of times")
            terms.append((term, factor))
            clause.append(-literal)
        total = added(terms)
        need(not total[1] and total[0] < 0, "a sum is no contradiction")
        self.clauses.append(tuple(clause))

    def so(self, clause, hints):
        if not all(integer(each) and 0 < abs(each) < len(self.terms) for each in listed(clause)):
            raise Refused("a clause has literals that have no number")
        false = set(clause)
        for hint in listed(hints):
            need(integer(hint) and 0 <= hint < len(self.clauses), "a clause is named that is not there yet")
            left = {each for each in self.clauses[hint] if each not in false}
            if not left:
                self.clauses.append(tuple(clause))
                return
            need(len(left) <= 1, "a clause has more than one literal left")
            false.add(-left.pop())
        raise Refused("a clause does not follow")


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def listed(value):
    need(isinstance(value, list), "a list is expected")
    return value


def check(script, steps):
    """Whether the steps show that the assertions of a script cannot all hold; `Refused` says why not."""
    need(isinstance(script, str), "a script is no text")
    proof = Proof(Script(script))
    for number, step in enumerate(listed(steps)):
        try:
            if not listed(step) or not isinstance(step[0], str) or Proof.STEPS.get(step[0]) != len(step) - 1:
                raise Refused("it is not known, or has another number of parts")
            getattr(proof, step[0])(*step[1:])
        except Refused as why:
            raise Refused(f"step {number + 1}: {why}") from None
    need(proof.clauses[-1] == (), "the proof does not end with a contradiction")


def fields(pairs):
    need(len(dict(pairs)) == len(pairs), "a field stands twice in a document")
    return dict(pairs)


def model_hash(name):
    """The hash of all that a model's file says: its document, and its tensors by name."""
    data = Path(name).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start], object_pairs_hook=fields)
    document = json.loads(header.pop("__metadata__")["hyloop"], object_pairs_hook=fields)
    document.pop("hash", None)
    ends = [0, *(e for two in sorted(each["data_offsets"] for each in header.values()) for e in two), len(data) - start]
    need(ends[::2] == ends[1::2], "the tensors of the model's file are not all that follows")
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode())
    for tensor in sorted(header):
        said, dtypes = header[tensor], {"F64": "float64", "F32": "float32"}
        first, last = said["data_offsets"]
        shape = f"{tensor} {dtypes[said['dtype']]} {tuple(said['shape'])}".encode()
        digest.update(shape + data[start + first : start + last])
    return digest.hexdigest()


def check_file(name, model=None):
    """What the certificate says in one line, if it is right; `Refused` if it is not."""
    data = Path(name).read_bytes()
    data = zlib.decompressobj(31).decompress(data, 100 * len(data)) if data[:2] == b"\x1f\x8b" else data
    document = json.loads(data, object_pairs_hook=fields)
    known = isinstance(document, dict) and document.get("format") == "hyloop-certificate 1"
    need(known, "this is no certificate of hyloop")
    same = model is None or model_hash(model) == document.get("model")
    need(same, f"the certificate is of another model than {model}")
    found = listed(document.get("obligations"))
    missing = sum(each["proof"] is None for each in found)
    need(found and not missing, f"{missing} obligations have no certificate" if found else "there are no obligations")
    sys.setrecursionlimit(10 * MOST)  # for terms; not before all JSON is read, whose parser recurses on the C stack
    for number, each in enumerate(found, start=1):
        try:
            check(each["script"], each["proof"])
        except Refused as why:
            raise Refused(f"obligation {number} ({each.get('says')}): {why}") from None
    stated = hashlib.sha256("".join(each["script"] for each in found).encode()).hexdigest()
    name, of = (ascii(str(document.get(each)))[1:-1][:80] for each in ("name", "model"))
    return f"{len(found)} obligations of {name}\nobligations {stated}\nmodel       {of}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check_certificate.py FILE [MODEL]")
    try:
        accepted = check_file(*sys.argv[1:])
    except Exception as why:  # whatever goes wrong: it is not accepted
        told = why if isinstance(why, Refused) else f"this cannot be read ({type(why).__name__})"
        sys.exit("not accepted: " + "".join(filter(str.isprintable, str(told))))
    try:
        os.write(1, f"accepted: {accepted}\n".encode())
    except OSError as why:  # which says nothing about the certificate
        sys.exit(f"accepted, but that cannot be written ({why.strerror})")


if __name__ == "__main__":
    main()
