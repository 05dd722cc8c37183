"""The proofs of the lemmas: their parts are held against the executor and the promises, and they can say no."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import commands
from effort import every, examples
from hyloop.cli import app
from hyloop.errors import HyloopError, ModelError
from hyloop.machine.layout import P1
from hyloop.paper import prove as proving
from hyloop.paper import prove_terms
from hyloop.paper.judge import LAST, differences, judge, layout_for
from hyloop.paper.lemma import Situation, Trial
from hyloop.paper.lemmas import LEMMAS
from hyloop.paper.prove import confirmed, counterexample, proof_of, prove
from hyloop.paper.prove_promises import PROMISES
from hyloop.paper.prove_small import LemmaInstance, SmallState
from hyloop.paper.prove_weights import layer_of, weights_at, weights_in
from paper.lemma_runs import CIRCLE, PARABOLA, POINTER, after, both_codes, trials
from paper.promises import BY_NAME, promised

z3 = pytest.importorskip("z3")
HOLD_AS_PRINTED = {"read incidence", "repeat addition"}
FORMS = ("printed", "corrected")
every_lemma = pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name.replace(" ", "_"))
every_form = pytest.mark.parametrize("form", FORMS)
WAYS = [
    pytest.param(lemma, names, id=f"{lemma.name.replace(' ', '_')}-{'_'.join(f'{a}_is_{b}' for a, b in names.items())}")
    for lemma in LEMMAS
    for names in ({}, *lemma.aliases)
]


def fractions(rows):
    return [[Fraction(value) for value in row] for row in rows]


def known_state(lemma, form, code, trial, names=None):
    """A state of fractions: the solver's own machinery with nothing left to solve."""
    names = names or {}
    columns = {name: list(map(Fraction, values)) for name, values in trial.columns.items() if name not in names}
    incidence = fractions(trial.incidence)
    return SmallState(LemmaInstance(lemma, form, names, code), trial.size, columns, trial.pointer, incidence)


def by_column(lemma, code, rows):
    return {column.name: [row[k] for row in rows] for k, column in enumerate(layout_for(lemma, code).columns)}


class TestWhatProofsAreMadeOf:
    @every_form
    @pytest.mark.parametrize(("lemma", "names"), WAYS)
    @examples(6)
    @given(data=st.data())
    def test_a_layer_run_on_fractions_is_the_layer_run_by_the_executor(self, lemma, names, form, data):
        """On the parabola, exactly; the printed comparison's 1/Ω is exact for powers of two."""
        if form == "printed" and lemma.name in {"comparison", "termination"}:
            omegas = st.sampled_from([1, 2, 8, 64])
            size = 3 if lemma.name == "termination" else None  # a mean over two rows
            trial = data.draw(trials(lemma, form, omegas=omegas).filter(lambda t: size is None or t.size == size))
        else:
            trial = data.draw(trials(lemma, form))
        build = layer_of(lemma, form, layout_for(lemma, PARABOLA), names)
        found = known_state(lemma, form, PARABOLA, trial, names).after(weights_at(build, trial.omega))
        ran = after(lemma, form, PARABOLA, trial, names)
        shared = set(names)  # columns that no slot uses: the test's state leaves them empty
        for name, values in by_column(lemma, PARABOLA, found).items():
            assert name in shared or values == ran[name]

    @both_codes
    @pytest.mark.parametrize(("lemma", "names"), WAYS)
    @examples(10)
    @given(data=st.data())
    def test_the_promise_as_terms_is_the_promise_of_the_lemma(self, lemma, names, code, data):
        trial = data.draw(trials(lemma))
        state = known_state(lemma, "corrected", code, trial, names)
        columns = by_column(lemma, code, [row.cells for row in state.rows])
        slots = (*POINTER, *trial.columns) if lemma.pointer else tuple(trial.columns)
        values = {slot: np.array([columns[names.get(slot, slot)]], dtype=np.float64) for slot in slots}
        incidence = np.array([trial.incidence or np.zeros((trial.size, trial.size))], dtype=np.float64)
        batch = Situation(values, np.array([trial.pointer or 0]), incidence, code.table(LAST))
        expected = lemma.promise(batch)
        stated = [PROMISES[lemma.name](state, row) for row in state.rows]
        assert all(row.keys() == expected.keys() for row in stated)
        for slot, rows in expected.items():
            assert [row[slot] for row in stated] == rows[0].tolist()

    def test_every_lemma_has_a_promise(self):
        assert list(PROMISES) == [lemma.name for lemma in LEMMAS]

    @both_codes
    @every_form
    @every_lemma
    def test_weights_in_an_unknown_omega_are_the_weights_at_each(self, lemma, form, code):
        build = layer_of(lemma, form, layout_for(lemma, code), {})
        for omega in (1, 2, 32, 2**30):
            assert weights_in(build, Fraction(omega)) == weights_at(build, float(omega))

    def test_weights_of_another_kind_are_refused(self):
        lemma = BY_NAME["read scalar"]
        squared = replace(lemma, corrected=lambda layout, names, omega: lemma.corrected(layout, names, omega**2))
        with pytest.raises(ModelError, match="a \\+ bΩ"):
            weights_in(layer_of(squared, "corrected", layout_for(lemma, PARABOLA), {}), Fraction(2))


@pytest.fixture(scope="module")
def command():
    """What `hyloop paper lemmas --prove --json` says, and the reports that it is made from."""
    pairs = []
    prove_them = proving.prove_all

    def prove_all(*given):
        pairs.extend(prove_them(*given))
        return pairs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proving, "prove_all", prove_all)
        done = CliRunner().invoke(app, ["paper", "lemmas", "--prove", "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    return pairs, json.loads(done.stdout)


@pytest.fixture(scope="module")
def reports(command):
    return {(pair.lemma.name, form): getattr(pair, form) for pair in command[0] for form in FORMS}


class TestVerdicts:
    @every_lemma
    def test_every_correction_is_proved_with_every_pair_of_columns_that_may_be_one(self, lemma, reports):
        report = reports[lemma.name, "corrected"]
        assert report.verdict == "proved"
        assert report.proof.aliases == len(lemma.aliases)
        assert report.refutation is None

    @every_lemma
    def test_two_lemmas_are_proved_as_printed_and_the_others_refuted(self, lemma, reports):
        report = reports[lemma.name, "printed"]
        assert report.verdict == ("proved" if lemma.name in HOLD_AS_PRINTED else "refuted")
        assert (report.refutation is None) == (lemma.name in HOLD_AS_PRINTED)

    @every_lemma
    def test_a_counterexample_breaks_the_promise_stated_in_the_tests_when_it_is_run(self, lemma, reports):
        refutation = reports[lemma.name, "printed"].refutation
        codes = [] if refutation is None else [CIRCLE] if lemma.name == "increment" else [CIRCLE, PARABOLA]
        for code in codes:
            trial = refutation.place.trial
            broken = after(lemma, "printed", code, trial).differs_from(promised(lemma, code, trial))
            assert refutation.place.column in broken

    @every_lemma
    def test_no_counterexample_that_trials_find_is_smaller(self, lemma, reports):
        refutation = reports[lemma.name, "printed"].refutation
        if refutation is not None:
            ours, theirs = refutation.place, judge(lemma, "printed", CIRCLE, trials=100).smallest
            assert weight(ours.trial) <= weight(theirs.trial)

    def test_numbers_may_be_rational_except_where_a_lemma_needs_integers(self, reports):
        corrected = {lemma.name: reports[lemma.name, "corrected"].proof.entries for lemma in LEMMAS}
        needed = {(name, slot) for name, entries in corrected.items() for slot in entries if entries[slot] == "integer"}
        assert needed == {("comparison", "C"), ("comparison", "D"), ("termination", "C")}
        assert {name for name, entries in corrected.items() if "rational" in entries.values()} == {
            "selection",
            "read scalar",
            "write scalar",
        }


def weight(trial):
    entries = [abs(entry) for values in trial.columns.values() for entry in values]
    return trial.size, sum(entry != 0 for entry in entries), sum(entries), trial.pointer or 0


def matrices(layer):
    return [m for head in layer.heads for m in (head.query, head.key, head.value)] + list(layer.mlp.weights)


def changed(layer, which, row, column, factor):
    """The layer with one weight multiplied."""
    new = [matrix.copy() for matrix in matrices(layer)]
    new[which][row, column] *= factor
    heads = tuple(
        replace(head, query=new[3 * k], key=new[3 * k + 1], value=new[3 * k + 2]) for k, head in enumerate(layer.heads)
    )
    return replace(layer, heads=heads, mlp=replace(layer.mlp, weights=tuple(new[3 * len(heads) :])))


def mutant(lemma, *change):
    def build(layout, names, omega):
        return changed(lemma.corrected(layout, names, omega), *change)

    return replace(lemma, corrected=build, aliases=())


def mutants(lemma, number):
    layer = layer_of(lemma, "corrected", layout_for(lemma, PARABOLA), {})(8.0)
    places = [(which, *place) for which, m in enumerate(matrices(layer)) for place in np.argwhere(m != 0).tolist()]
    chosen = np.random.default_rng(number).choice(len(places), size=number, replace=False)
    return [mutant(lemma, *places[place], -1) for place in chosen]


class TestBrokenLayers:
    @pytest.mark.parametrize("lemma", every(5, LEMMAS), ids=lambda lemma: lemma.name.replace(" ", "_"))
    def test_a_weight_turned_round_is_refuted_wherever_it_matters(self, lemma):
        """Some weights do not matter: a broken layer may be right, and then the solver may prove it; never else."""
        refuted = 0
        for broken in mutants(lemma, 4):
            report = prove(broken, "corrected")
            wrong = [not judge(broken, "corrected", code, trials=60).holds for code in (PARABOLA, CIRCLE)]
            if any(wrong):
                assert report.verdict == "refuted"
                place, code = report.refutation.place, {"parabola": PARABOLA, "circle": CIRCLE}[report.refutation.code]
                assert list(differences(broken, "corrected", code, [place.trial], {})) == [place]
                refuted += 1
            assert report.verdict != "proved" or not any(wrong)
        assert refuted

    def test_a_layer_that_is_right_on_few_rows_only_is_not_proved(self):
        """Query 2.05i for 2i: row i sees itself up to i = 19, and row 21 instead of row 20."""
        lemma = BY_NAME["read incidence"]
        layout = layout_for(lemma, PARABOLA)
        broken = mutant(lemma, 3, layout.number(P1), 0, 2.05 / 2)
        assert counterexample(broken, "corrected", PARABOLA) is None
        assert proof_of(broken, "corrected") is None
        wide = Trial(1, {"D": (0,) * 20 + (1, 0)}, pointer=0, incidence=((0.0,) * 22,) * 22)
        assert next(differences(broken, "corrected", PARABOLA, [wide], {})) is not None

    def test_an_alias_that_does_not_hold_is_found(self):
        """Write scalar onto its own source: the row gets the value, but the top is cleared."""
        lemma = replace(BY_NAME["write scalar"], aliases=({"E": "D"},))
        report = prove(lemma, "corrected")
        assert report.verdict == "refuted"
        assert str(report.refutation).startswith("E is D, Ω=1, D=(")

    def test_a_counterexample_that_is_none_is_an_error(self):
        lemma = BY_NAME["AND"]
        with pytest.raises(HyloopError, match="its layer, when run, is right"):
            confirmed(LemmaInstance(lemma, "printed", {}, CIRCLE), Trial(1, {"C": (0,), "D": (0,), "E": (0,)}))

    def test_ranges_matter(self):
        """Selection beyond its range: a value of 2Ω is not proved, and refuted."""
        lemma = BY_NAME["selection"]
        slots = tuple(replace(slot, high=2) if slot.name == "V_1" else slot for slot in lemma.slots)
        assert prove(replace(lemma, slots=slots), "corrected").verdict == "refuted"


class TestCommand:
    def run(self, *words):
        return subprocess.run(
            [*commands.python(), "-m", "hyloop", "paper", "lemmas", "--prove", *words],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def test_trials_are_refused_with_a_sentence(self):
        done = self.run("--trials", "3")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "Error: A proof runs no trials: leave out --trials and --seed, or --prove.\n"

    def test_without_the_solver_it_says_how_to_get_it(self, monkeypatch):
        prove_terms.z3.cache_clear()
        monkeypatch.setitem(sys.modules, "z3", None)
        with pytest.raises(HyloopError, match=r"pip install 'hyloop\[prove\]'"):
            proving.prove_all()

    def test_the_table_and_the_document_say_the_same(self, command):
        pairs, documents = command
        for pair, document in zip(pairs, documents, strict=True):
            name, printed, found, corrected, over, heads, units = pair.row()
            assert name == document["lemma"]
            assert (printed, corrected) == (document["printed"]["verdict"], document["corrected"]["verdict"])
            assert document["printed"]["counterexample"] == (found and str(found))
            assert document["corrected"]["over"] == over
            assert (document["corrected"]["heads"], document["corrected"]["units"]) == (heads, units)

    def test_a_lemma_that_is_not_proved_is_a_failure_of_the_command(self, command, monkeypatch):
        pairs = [replace(pair, corrected=replace(pair.corrected, verdict="undecided")) for pair in command[0][-1:]]
        monkeypatch.setattr(proving, "prove_all", lambda *_: pairs)
        done = CliRunner().invoke(app, ["paper", "lemmas", "--prove"])
        assert done.exit_code == 1
        assert "undecided" in done.stdout


class TestPage:
    """docs/paper.md shows what the command says now."""

    page = (Path(__file__).parents[2] / "docs" / "paper.md").read_text(encoding="utf-8")

    def test_the_table_of_the_printed_lemmas(self, command):
        rows = [
            (each["lemma"], each["printed"]["verdict"], each["printed"]["counterexample"], each["printed"]["holds_if"])
            for each in command[1]
        ]
        assert table(("lemma", "as printed", "smallest counterexample", "it holds if"), rows) in self.page

    def test_the_table_of_the_corrected_lemmas(self, command):
        corrected = [(each["lemma"], each["corrected"]) for each in command[1]]
        rows = [
            (name, each["correction"], each["verdict"], each["over"], f"{each['heads']}, {each['units']}")
            for name, each in corrected
        ]
        assert table(("lemma", "correction", "corrected", "for", "heads, units"), rows) in self.page


def table(columns, rows):
    lines = [columns, *([cell or "" for cell in row] for row in rows)]
    shown = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines]
    return "\n".join([shown[0], "|---" * len(columns) + "|", *shown[1:]]) + "\n\n"
