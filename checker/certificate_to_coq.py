#!/usr/bin/env python3
"""Write a certificate for Coq: python certificate_to_coq.py CERTIFICATE > FILE.v

What comes out needs coq/Obligation.v and coq/Certificate.v. It has the scripts of all obligations, line by line as they
are in the certificate, each different one once, and states that all of them hold; coqc checks that. Nothing here has to
be believed but that these are the scripts of the certificate, and that anyone can see: --obligations FILE.v prints the
hash of the scripts that a written file states, which check_certificate.py prints for the certificate.
"""

import hashlib
import json
import re
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from check_certificate import Proof, Refused, Script  # beside this file, wherever that is

LAST, BASE = ord("P"), 32  # how Certificate.v reads numbers
PART = 4000  # numbers in a text


class Recorder(Proof):
    """A proof that remembers of each clause what it comes from: a literal that it defines, or a step."""

    def __init__(self, script):
        super().__init__(script)
        self.origins = [("whole", 1)]

    def _of_step(self):
        """Clauses that no literal defines are from the step: its words, which of its clauses it is, and the clause."""
        while len(self.origins) < len(self.clauses):
            self.origins.append((*self.step, self.given, self.clauses[len(self.origins)]))
            self.given += 1

    def linear(self, kind, term):
        self._of_step()
        literal = super().linear(kind, term)
        self.origins += [("apart", *clause) for clause in self.clauses[len(self.origins) :]]
        return literal

    def literal(self, formula):
        self._of_step()
        literal = super().literal(formula)
        own = self.clauses[len(self.origins) :]
        if own:
            self.origins += [("part", literal, each[1] if formula[0] == "and" else -each[1]) for each in own[:-1]]
            self.origins.append(("whole", literal))
        return literal

    def take(self, step):
        """One step of the certificate."""
        self.step, self.given = step, 0
        getattr(self, step[0])(*step[1:])
        self._of_step()

    def atoms(self):
        """What each literal says, by its number."""
        found = {number: key for key, number in self.numbers.items()}
        return {**found, 1: ("and", ())}


def recorded(script, steps):
    """All clauses of a proof and their origins."""
    proof = Recorder(Script(script))
    for step in steps:
        proof.take(step)
    if proof.clauses[-1] != ():
        raise Refused("the proof does not end with a contradiction")
    return proof


def needed_clauses(origins):
    """The clauses that the last one rests on, in order."""
    wanted = {len(origins) - 1}
    for number in range(len(origins) - 1, -1, -1):
        if number in wanted and origins[number][0] == "so":
            wanted.update(origins[number][2])
    return sorted(wanted)


class Writer:
    """The numbers that Certificate.v reads, of one proof."""

    CODES = {"use": 0, "whole": 1, "part": 2, "apart": 3, "ite": 4, "same": 5, "mul": 6, "sum": 7, "so": 8}

    def __init__(self, proof):
        script = proof.script
        numbers = [name for name, arity in script.arity.items() if arity == 0]
        self.symbols = {name: number for number, name in enumerate(numbers, start=1)}
        self.atoms = proof.atoms()
        clauses = needed_clauses(proof.origins)
        self.places = {number: place for place, number in enumerate(clauses, start=1)}
        steps = [self.step(proof.origins[number]) for number in clauses]
        self.literals = {old: new for new, old in enumerate(sorted(self.used(steps)), start=1)}
        self.numbers = [len(self.literals)]
        for old in self.literals:
            self.numbers += self.atom(self.atoms[old])
        for step in steps:
            self.numbers += [number for part in step for number in self.number(part)]

    def number(self, part):
        """A part of a step: a plain number, a literal, a list with its length."""
        kind, what = part
        if kind == "literal":
            return [self.renumbered(what)]
        if kind == "literals":
            return [len(what), *map(self.renumbered, what)]
        if kind == "taken":
            pairs = zip(what[::2], what[1::2], strict=True)
            return [len(what), *(each for literal, factor in pairs for each in (self.renumbered(literal), factor))]
        return [len(what), *what] if kind == "list" else [what]

    def renumbered(self, literal):
        return self.literals[abs(literal)] * (1 if literal > 0 else -1)

    def atom(self, key):
        if key[0] in ("and", "or"):
            return [2 if key[0] == "and" else 3, len(key[1]), *map(self.renumbered, key[1])]
        kind, constant, parts = key
        pairs = sorted((self.symbols[name], factor) for name, factor in parts)
        return [0 if kind == ">=" else 1, constant, 2 * len(pairs), *(each for pair in pairs for each in pair)]

    def step(self, origin):
        """A step as (kind of number, number) pairs."""
        name, *parts = origin
        return [("plain", self.CODES[name]), *getattr(self, f"_{name}")(*parts)]

    def _use(self, number, _, clause):
        return [("plain", number + 1), ("literal", clause[0])]

    def _whole(self, number):
        return [("literal", number)]

    def _part(self, number, part):
        return [("literal", number), ("literal", part)]

    def _apart(self, *literals):
        return [("literal", each) for each in literals]

    def _ite(self, name, second, clause):
        condition = clause[0] if second else -clause[0]
        return [("plain", 1 - second), ("plain", self.symbols[name]), ("literal", condition), ("literal", clause[1])]

    def _same(self, a, b, _, clause):
        return [("plain", self.symbols[a]), ("plain", self.symbols[b]), ("literal", -clause[0]), ("literal", clause[1])]

    def _mul(self, one, other, _, clause):
        return [("literal", one), ("literal", other), ("literal", clause[-1])]

    def _sum(self, taken, *_):
        return [("taken", taken)]

    def _so(self, clause, hints, *_):
        return [("literals", clause), ("list", [self.places[hint] for hint in hints])]

    def used(self, steps):
        """The literals of steps, with all that they are made of."""
        found, left = set(), [abs(each) for step in steps for part in step for each in literals(part)]
        while left:
            number = left.pop()
            if number not in found:
                found.add(number)
                key = self.atoms[number]
                left += map(abs, key[1]) if key[0] in ("and", "or") else ()
        return found


def literals(part):
    """The literals in a part of a step."""
    kind, what = part
    return {"literal": [what], "literals": what, "taken": what[::2] if kind == "taken" else ()}.get(kind, ())


def letters(number):
    """A number as Certificate.v reads it."""
    found, left = "", 2 * number if number >= 0 else -2 * number - 1
    while left >= BASE:
        found += chr(ord("0") + left % BASE)
        left //= BASE
    return found + chr(LAST + left)


def proof_of(script, steps):
    """A proof as a list of texts of Coq."""
    numbers = Writer(recorded(script, steps)).numbers
    parts = ["".join(map(letters, numbers[at : at + PART])) for at in range(0, len(numbers), PART)]
    return f"[{'; '.join(map(quoted, parts))}]"


def quoted(text):
    """A text of Coq."""
    return '"' + text.replace('"', '""') + '"'


def remark(text):
    """A text for a comment, which it cannot end: Coq reads quotation marks there too."""
    return "".join(letter if letter.isalnum() or letter in " .,:;=<>+-/[]()_%" else " " for letter in text)


HEAD = """\
(* {name}: {count} obligations, {different} of them different. Written by checker/certificate_to_coq.py.
   model       {model}
   obligations {stated} *)

From Coq Require Import List.
From Hyloop Require Import Obligation Certificate.
Import ListNotations.
Open Scope text_scope.
"""


def hash_of(scripts):
    return hashlib.sha256("".join(scripts).encode()).hexdigest()


def numbered(letter, known, text):
    """The name of a text, and whether it is new."""
    new = text not in known
    return known.setdefault(text, f"{letter}{len(known) + 1}"), new


def written(document):
    """The file, line by line."""
    found = document["obligations"]
    scripts = [each["script"] for each in found]
    facts = {each: remark(document[each]) for each in ("name", "model")}
    facts |= {"count": len(found), "different": len(set(scripts))}
    yield HEAD.format(stated=hash_of(scripts), **facts)
    lines, names = {}, {}
    for each in found:
        script = each["script"]
        name, new = numbered("s", names, script)
        if new:
            yield from obligation(each, name, lines)
    order = [names[script] for script in scripts]
    yield f"Definition scripts : list (list text) := [{'; '.join(order)}]."
    holding = "".join(f"(Forall_cons {name} {name}_holds " for name in order)
    yield "Theorem all_hold : Forall obligation scripts."
    yield f"Proof. exact {holding}(Forall_nil _){')' * len(order)}. Qed."
    yield "Print Assumptions all_hold."


def obligation(each, name, lines):
    """A script, and that it holds."""
    own = []
    for line in each["script"].splitlines():
        place, new = numbered("l", lines, line)
        own.append(place)
        if new:
            yield f"Definition {place} : text := {quoted(line)}."
    if "".join(f"{line}\n" for line in each["script"].splitlines()) != each["script"]:
        raise Refused(f"the script does not consist of lines: {each['says']}")
    yield f"(* {remark(each['part'])}. {remark(each['says'])} *)"
    yield f"Definition {name} : list text := [{'; '.join(own)}]."
    yield f"Definition {name}_proof : list text := {proof_of(each['script'], each['proof'])}."
    yield f"Lemma {name}_holds : obligation {name}. Proof. by_certificate {name}_proof. Qed."


TEXT = re.compile(r'Definition (l\d+) : text := "((?:[^"]|"")*)"\.')
SCRIPT = re.compile(r"Definition (s\d+) : list text := \[(.*)\]\.")
ALL = re.compile(r"Definition scripts : list \(list text\) := \[(.*)\]\.")


def stated(text):
    """The hash of the scripts that a written file is about."""
    lines = {name: said.replace('""', '"') for name, said in TEXT.findall(text)}
    scripts = {name: "".join(f"{lines[each]}\n" for each in of.split("; ")) for name, of in SCRIPT.findall(text)}
    [order] = ALL.findall(text)
    return hash_of(scripts[name] for name in order.split("; "))


def converted(name):
    """The lines of the file for a certificate."""
    data = Path(name).read_bytes()
    if data[:2] == b"\x1f\x8b":  # of what would fill the memory, a part that is no JSON
        data = zlib.decompressobj(31).decompress(data, 100 * len(data))
    document = json.loads(data)
    sys.setrecursionlimit(100_000)  # for terms; not before the JSON is read, whose parser recurses on the C stack
    return list(written(document))  # all of it or nothing: a part would state less than the certificate


def main():
    try:
        if len(sys.argv) == 3 and sys.argv[1] == "--obligations":
            lines = [stated(Path(sys.argv[2]).read_text(encoding="utf-8"))]
        elif len(sys.argv) == 2:
            lines = converted(sys.argv[1])
        else:
            sys.exit("usage: certificate_to_coq.py CERTIFICATE | --obligations FILE.v")
    except Exception as why:  # whatever goes wrong: there is nothing to write
        told = why if isinstance(why, Refused) else f"this cannot be read ({type(why).__name__})"
        sys.exit("not written: " + "".join(filter(str.isprintable, str(told))))
    try:
        with open(1, "wb", closefd=False) as output:  # not print, whose rest Python would try to write again
            output.write("".join(f"{line}\n" for line in lines).encode())
    except OSError as why:
        sys.exit(f"this cannot be written ({why.strerror})")


if __name__ == "__main__":
    main()
