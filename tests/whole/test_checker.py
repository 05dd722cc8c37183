"""`checker/check_certificate.py`: what it accepts is true, and whatever is changed is refused or harmless."""

import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
from itertools import pairwise

import pytest

import hyloop
from hyloop import Capacity
from hyloop.prove import prove
from hyloop.prove.certify import certify
from hyloop.prove.full import full_script, in_full_work
from prove.mutilations import FILE, accepts, changed_proof, changed_script, checker, holds

CHECKER = checker()
EVERY = 24  # an obligation of as many has a certificate here; tests/thorough has all


@pytest.fixture(scope="module")
def model():
    return hyloop.compile("levels", Capacity(9, 9))


@pytest.fixture(scope="module")
def obligations(model):
    """Some obligations of levels in full, with their proofs, as they are in a file."""
    work = in_full_work(prove(model))
    every = [verdict.obligation for verdict in work.journal.verdicts]
    some = [*every[::EVERY], *[each for each in every if each.lemmas][:2]]
    scripts = [full_script(work, each) for each in some]
    return [(each.text, json.loads(json.dumps(certify(each)))) for each in scripts]


def test_certificates_are_accepted(obligations):
    assert len(obligations) > 10
    assert all(accepts(CHECKER, *each) for each in obligations)
    assert {step[0] for _, proof in obligations for step in proof} >= {"use", "ite", "sum", "so", "mul"}


def test_it_is_short_and_needs_python_alone():
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    lines = [line.split() for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert {words[1] for words in lines} <= sys.stdlib_module_names


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_proof_is_refused_or_still_one(obligations, seed):
    """The scripts are the same, so that what is accepted is true; but most changes must be noticed."""
    chance, taken = random.Random(seed), 0
    for _ in range(150):
        script, proof = chance.choice(obligations)
        taken += accepts(CHECKER, script, changed_proof(proof, chance))
    assert taken < 60


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_obligation_is_refused_or_holds(obligations, seed):
    chance = random.Random(seed)
    for _ in range(100):
        script, proof = chance.choice(obligations)
        changed = changed_script(script, chance)
        if changed != script and accepts(CHECKER, changed, proof):
            assert holds(changed)


def script(*commands: str) -> str:
    return "\n".join(["(declare-fun x () Int)", "(declare-fun y () Int)", *commands, "(check-sat)"])


FUNCTIONS = script(
    "(declare-fun f (Int) Int)",
    "(declare-fun g (Int) Int)",
    "(define-fun a () Int (f x))",
    "(define-fun b () Int (g y))",
)
FALSE = "(assert false)"
# 2 is `false`, an `or` of nothing.
BY_ASSUMPTION = [["use", 0], ["so", [], [1, 2]]]


def test_a_small_proof():
    CHECKER.check(script(FALSE), BY_ASSUMPTION)


def test_nothing_is_between_two_integers():
    """2x >= 1 is x >= 1, and 1 >= 2x is 0 >= x."""
    between = script("(assert (>= (* 2 x) 1))", "(assert (>= 1 (* 2 x)))")
    CHECKER.check(between, [["use", 0], ["use", 1], ["so", [], [1, 2]]])


X_IS_0 = script("(assert (>= x 0))", "(assert (>= 0 x))")
REFUSED = {
    "a contradiction that is none": (X_IS_0, [["use", 0], ["use", 1], ["sum", [2, 1, -3, 1]], ["so", [], [1, 2, 3]]]),
    "an inequality taken backwards": (X_IS_0, [["use", 0], ["sum", [2, -1]], ["so", [], [1, 2]]]),
    "nothing added up": (X_IS_0, [["sum", []]]),
    "no step": (X_IS_0, []),
    "an equation that does not hold": (script("(assert (not (= x 0)))"), [["use", 0], ["sum", [-2, 1]]]),
    "an assertion that is not there": (X_IS_0, [["use", 2]]),
    "an assertion from the end": (X_IS_0, [["use", -1]]),
    "a clause that is not there yet": (script(FALSE), [["use", 0], ["so", [], [1, 3]]]),
    "a clause with two literals left": (script("(assert (or (>= x 1) (>= y 1)))"), [["use", 0], ["so", [], [3]]]),
    "no hints": (script(FALSE), [["use", 0], ["so", [], []]]),
    "a literal that has no number": (script(FALSE), [["use", 0], ["so", [9], [1, 2]]]),
    "a literal 0": (script(FALSE), [["use", 0], ["so", [0], [1, 2]]]),
    "a step that is not known": (script(FALSE), [["statement", 1]]),
    "a method that is no step": (script(FALSE), [["linear", ">=", [0, {}]]]),
    "a step with too many parts": (script(FALSE), [["use", 0, 0]]),
    "other functions": (FUNCTIONS, [["same", "a", "b"]]),
    "a product that is not defined": (X_IS_0, [["use", 0], ["mul", 2, 2]]),
    "a factor that is no integer": (X_IS_0, [["use", 0], ["sum", [2, 0.5]]]),
    "a factor that is true": (X_IS_0, [["use", 0], ["sum", [2, True]]]),
    "a name twice": (script("(declare-fun x () Int)", FALSE), BY_ASSUMPTION),
    "a definition of itself": (script("(define-fun a () Int (ite (>= a 1) 0 1))", FALSE), BY_ASSUMPTION),
    "a product of two sums": (script("(assert (>= (* x y) 1))", FALSE), BY_ASSUMPTION),
    "a quantifier": (script("(assert (forall ((z Int)) false))", FALSE), BY_ASSUMPTION),
    "a script that goes on": (script(FALSE) + "(assert false)", BY_ASSUMPTION),
    "a parenthesis too many": (script(FALSE) + ")", BY_ASSUMPTION),
    "a parenthesis too few": (script(FALSE)[:-1], BY_ASSUMPTION),
    "a script that is no text": (None, BY_ASSUMPTION),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_proof_is_refused(name):
    assert not accepts(CHECKER, *REFUSED[name])


def test_a_product_of_numbers_below_zero_is_above():
    """x·x >= 0: x >= 0, or -x - 1 >= 0, and then (-x - 1)² >= 0 and -2x - 2 >= 0, which add up to it."""
    square = script("(define-fun p () Int (* x x))", "(assert (not (>= p 0)))")
    proof = [["use", 0], ["let", 0, 0, [[1, "x"]]], ["mul", 3, 3], ["mul", -3, -3]]
    CHECKER.check(square, [*proof, ["so", [-3], [1, 2]], ["sum", [4, 1, -3, 2, -2, 1]], ["so", [], [4, 1, 3, 5]]])


def run(*arguments: object, program: str = FILE.stem) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(FILE.with_stem(program)), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def file(tmp_path_factory, model, obligations):
    path = tmp_path_factory.mktemp("certificates") / "levels.certificate"
    found = [
        {"part": "step", "says": f"number {n}", "script": text, "proof": proof}
        for n, (text, proof) in enumerate(obligations[:3])
    ]
    said = {"format": "hyloop-certificate 1", "name": "levels", "model": hyloop.machine.files.model_hash(model)}
    path.write_bytes(gzip.compress(json.dumps(said | {"obligations": found}).encode()))
    hyloop.save(model, path.with_name("levels.safetensors"))
    hyloop.save(hyloop.compile("levels", Capacity(9, 8)), path.with_name("other.safetensors"))
    return path


def test_files(file, obligations):
    done = run(file, file.with_name("levels.safetensors"))
    stated = hashlib.sha256("".join(text for text, _ in obligations[:3]).encode()).hexdigest()
    assert done.stdout.startswith(f"accepted: 3 obligations of levels\nobligations {stated}\n"), done.stderr
    done = run(file, file.with_name("other.safetensors"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "of another model" in done.stderr


def damaged(data):
    """Model files of which two readers may read two things: bytes too many, too few, fields that stand twice."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    document = header["__metadata__"]["hyloop"]
    inner = document.replace("{", '{"name":"dijkstra",', 1)
    first = next(name for name in header if name != "__metadata__")
    text = data[8:start].decode()
    tensor, metadata = (
        json.dumps({first: header[first]})[1:-1],
        json.dumps({"__metadata__": header["__metadata__"]})[1:-1],
    )
    changed = {
        "a field": text.replace(json.dumps(document), json.dumps(inner)),
        "a tensor": text.replace("{", f"{{{tensor},", 1),
        "metadata": text.replace("{", f"{{{metadata},", 1),
    }
    assert all(each != text for each in changed.values())
    yield data + bytes(8), "not all that follows"
    yield data[:-8], "not all that follows"
    for each in changed.values():
        said = each.encode()
        yield len(said).to_bytes(8, "little") + said + data[start:], "stands twice"


def test_a_damaged_model_is_refused(file, tmp_path):
    path = tmp_path / "damaged.safetensors"
    second = checker("state_obligations")
    for data, why in damaged(file.with_name("levels.safetensors").read_bytes()):
        path.write_bytes(data)
        with pytest.raises(CHECKER.Refused, match=why):
            CHECKER.model_hash(path)
        with pytest.raises(second.Refused, match=why.replace("not all that follows", "longer or shorter")):
            second.Model(data)
        if "stands" not in why:
            with pytest.raises(hyloop.HyloopError):
                hyloop.load(path)


def test_a_certificate_with_a_field_twice_is_refused(file, tmp_path):
    twice = tmp_path / "twice"
    twice.write_bytes(gzip.decompress(file.read_bytes()).replace(b"{", b'{"name": "dijkstra", ', 1))
    assert "stands twice" in run(twice).stderr


def test_a_name_cannot_write_lines_of_its_own(file, tmp_path):
    said = json.loads(gzip.decompress(file.read_bytes()))
    forged = tmp_path / "forged"
    forged.write_text(json.dumps({**said, "name": f"levels\nobligations {'0' * 64}\x1b[8m", "model": "\rnone"}))
    lines = run(forged).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["accepted:", "obligations", "model"]
    assert all(line.isprintable() for line in lines)
    assert "0" * 64 not in lines[1]


def test_files_that_are_refused(file, tmp_path):
    document = json.loads(gzip.decompress(file.read_bytes()))
    without = [{**each, "proof": None} if number < 2 else each for number, each in enumerate(document["obligations"])]
    wrong = [{**document["obligations"][0], "proof": [["use", 0]]}]
    bad = {
        "2 obligations have no certificate": document | {"obligations": without},
        "there are no obligations": document | {"obligations": []},
        "obligation 1 (number 0): the proof does not end": document | {"obligations": wrong},
        "this is no certificate": {"format": "another"},
        "this cannot be read (KeyError)": document | {"obligations": [{}]},
    }
    for said, each in bad.items():
        path = tmp_path / "bad"
        path.write_text(json.dumps(each))
        done = run(path)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"not accepted: {said}"), done.stderr


REFUSALS = {
    "check_certificate": ("not accepted: ", ["CERTIFICATE", "MODEL"]),
    "state_obligations": ("not the same: ", ["MODEL", "CERTIFICATE"]),
    "certificate_to_coq": ("not written: ", ["CERTIFICATE"]),
}


def bad_files(file, folder):
    """Files that are neither certificates nor models; the parser of JSON recurses for each bracket of two of them."""
    deep = b"[" * 100_000
    texts = {"nothing": b"", "deep": deep, "model": len(deep).to_bytes(8, "little") + deep}
    texts |= {"half": file.read_bytes()[:-100], "other": b"{}", "letters": b"\xff\xfe", "list": b"[1]"}
    for name, text in texts.items():
        folder.joinpath(name).write_bytes(text)
    return [*map(folder.joinpath, texts), folder, folder / "missing"]


def test_of_a_sum_no_part_is_copied_for_each_summand(monkeypatch):
    """80,000 summands took 44 seconds."""
    names = [f"a{number}" for number in range(2000)]
    script = CHECKER.Script(
        "(set-logic QF_UFLIA)"
        + "".join(f"(declare-fun {name} () Int)" for name in names)
        + f"(assert (>= (+ {' '.join(names)}) 0))(check-sat)"
    )
    asked, plus = [], CHECKER.plus
    monkeypatch.setattr(CHECKER, "plus", lambda *given: asked.append(given) or plus(*given))
    assert script.term(["+", *names, ["-", names[0]], "5"]) == (5, dict.fromkeys(names[1:], 1))
    assert len(asked) <= 1


@pytest.mark.parametrize("program", REFUSALS)
def test_whatever_a_file_holds_is_answered_by_a_sentence(program, file, tmp_path):
    begins, takes = REFUSALS[program]
    given = {"CERTIFICATE": file, "MODEL": file.with_name("levels.safetensors")}
    for bad in bad_files(file, tmp_path):
        for place in takes:
            done = run(*({**given, place: bad}[each] for each in takes), program=program)
            assert (done.returncode, done.stdout) == (1, ""), (bad.name, place, done)
            assert done.stderr.startswith(begins), (bad.name, place, done.stderr)
            assert len(done.stderr.splitlines()) == 1


def test_an_output_that_is_cut_off_says_nothing_against_a_certificate(file):
    """As with `| head -0`, or on a full disk."""
    for program, says in (
        ("check_certificate", "accepted, but that cannot be written"),
        ("certificate_to_coq", "this"),
    ):
        reading, writing = os.pipe()
        os.close(reading)
        command = [sys.executable, "-I", str(FILE.with_stem(program)), str(file)]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writing)
        assert done.returncode == 1
        assert done.stderr.startswith(says), done.stderr
        assert done.stderr.endswith("cannot be written (Broken pipe)\n"), done.stderr


def test_the_second_statement_prints_no_lines_of_a_file(monkeypatch):
    second = checker("state_obligations")

    def refusing(*_):
        raise second.Refused("obligation 1 is one too many: x\nthe same 3 obligations\x1b[8m")

    monkeypatch.setattr(second, "check", refusing)
    monkeypatch.setattr(sys, "argv", ["state_obligations.py", "a", "b"])
    with pytest.raises(SystemExit) as ended:
        second.main()
    assert str(ended.value).isprintable()


def hostile(kind):
    """A script that is short, and whose terms are deep or large."""
    if kind == "deep":
        return f"(set-logic QF_UFNIA)(assert (! {'(and ' * 30_000}(= 0 1){')' * 30_000} :named g))(check-sat)"
    names = ["p", *(f"p{k}" for k in range(40))]
    squares = "".join(f"(define-fun {b} () Int (* {a} {a}))" for a, b in pairwise(names))
    return f"(set-logic QF_UFNIA)(declare-fun p () Int){squares}(check-sat)"


@pytest.mark.parametrize(("kind", "why"), [("deep", "nested too deeply"), ("square", "too many factors")])
def test_a_short_script_takes_neither_the_stack_nor_all_memory(kind, why):
    with pytest.raises(CHECKER.Refused, match=why):
        CHECKER.check(hostile(kind), [["use", 0]])


@pytest.mark.parametrize(("kind", "why"), [("deep", "nested too deeply"), ("square", "a product is too large")])
def test_the_second_statement_takes_neither(kind, why):
    second = checker("state_obligations")
    with pytest.raises(second.Refused, match=why):
        second.Script(hostile(kind))


@pytest.mark.parametrize("program", ["check_certificate.py", "certificate_to_coq.py"])
def test_a_short_file_does_not_fill_the_memory(program, tmp_path):
    """What is compressed is read up to a hundred times its size; certificates unpack to some eleven times theirs."""
    bomb = tmp_path / "bomb"
    bomb.write_bytes(gzip.compress(b" " * 2**28 + b"{}"))
    little = "resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))"
    start = f"import resource, runpy, sys; del sys.argv[0]; {little}; runpy.run_path(sys.argv[0], run_name='__main__')"
    run = [sys.executable, "-c", start]
    done = subprocess.run([*run, str(FILE.with_name(program)), str(bomb)], capture_output=True, text=True, check=False)
    assert "this cannot be read (JSONDecodeError" in done.stdout + done.stderr
