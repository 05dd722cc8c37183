"""A model from a file is believed as far as somebody has looked: reproduced, proved here, or unverified and said so."""

import copy
import json
import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors import safe_open
from safetensors.numpy import save

import hyloop
from effort import sample
from hyloop import Capacity, HyloopWarning, ModelError, known, trust
from hyloop.algorithms import ALGORITHMS
from hyloop.cli import check as check_command
from hyloop.cli import compile, info, run
from hyloop.cli.prove import prove as prove_command
from hyloop.execute.cuda.launch import bits_of
from hyloop.facts import of_model
from hyloop.lang import Count, Outputs, Vertex, algorithm
from hyloop.machine import files
from hyloop.machine.document import FORMAT
from hyloop.machine.files import document_of, model_hash, to_bytes, write_model
from hyloop.machine.model import Built
from hyloop.prove import prove

ROOT = Path(__file__).parents[1]
SMALL = hyloop.compile("dijkstra", Capacity(5, 10))
# Two boats to the same place, the cheaper one many rows below: a model for 5 rows takes the first.
PATH = hyloop.Hypergraph.from_hyperedges([[0, 1], *([[2]] * 38), [0, 1]], weights=[10] * 39 + [9])


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    """Nothing is known of any model."""
    monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(known, "_KNOWN", set())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.safetensors"


def forged(path, model=SMALL, proof=None, tensors=None, **changes):
    """A file that says something else of a model, with the hash that belongs to it."""
    document = files._plain(document_of(model)) | changes
    tensors = files._tensors(model) if tensors is None else tensors
    document["hash"] = files._hash(document, tensors)
    metadata = {files.KEY: json.dumps(document)}
    if proof is not None:
        metadata[files.PROOF] = json.dumps(proof)
    path.write_bytes(save(tensors, metadata))
    return path


RELABELLED = {"capacity": {"rows": 131_071, "weight": 100}}


# -- reproduced -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in sample(ALGORITHMS) if name != "motifs"])
def test_what_was_saved_is_reproduced(path, name):
    model = hyloop.compile(name)
    assert model.verified == "compiled"
    hyloop.save(model, path)
    assert hyloop.load(path).verified == "reproduced"


@pytest.mark.parametrize(
    "options",
    [
        {"heads": 1},
        {"heads": 2, "dtype": "float32"},
        {"schedule": "one operation per layer"},
        {"capacity": Capacity(7, 3)},
        {"capacity": Capacity(7, 3), "heads": 7},
    ],
    ids=str,
)
def test_with_the_options_that_the_file_names(path, options):
    hyloop.save(hyloop.compile("levels", **options), path)
    assert hyloop.load(path).verified == "reproduced"


def test_a_program_of_ones_own(path):
    @algorithm
    def counting(h, source: Vertex):
        """Counts."""
        steps = h.state(Count, 0)
        with h.loop(at_most=h.vertices.count) as loop:
            steps.assign(steps + 1)
            loop.stop_when(steps == 3)
        return Outputs(steps=steps)

    hyloop.save(hyloop.compile(counting), path)
    assert hyloop.load(path).verified == "reproduced"


def test_the_weight_that_the_schedule_was_planned_with_is_in_the_file():
    assert hyloop.compile("levels").built == Built(3, "packed", 1000)
    assert hyloop.compile("levels", Capacity(9, 9)).built == Built(3, "packed", 9)


def test_it_is_looked_at_once(path, monkeypatch):
    hyloop.save(SMALL, path)
    assert hyloop.load(path).verified == "reproduced"
    monkeypatch.setattr(known, "_KNOWN", set())  # another process, with the same cache folder
    monkeypatch.setattr(trust, "compile_again", lambda *_: pytest.fail("compiled again"))
    assert hyloop.load(path).verified == "reproduced"


def test_a_result_says_it(path):
    hyloop.save(SMALL, path)
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]])
    assert hyloop.run(hyloop.load(path), h, source="a").verified == "reproduced"
    assert hyloop.run("dijkstra", h, source="a").verified == "compiled"
    assert hyloop.run("dijkstra", h, source="a", backend="interpreter").verified is None


# -- unverified -------------------------------------------------------------------------------------------------------


def test_a_false_capacity_is_not_believed(path):
    forged(path, **RELABELLED)
    with pytest.warns(HyloopWarning, match=r"is unverified: its program compiles to another model.*hyloop prove"):
        model = hyloop.load(path)
    assert model.verified == "unverified"
    assert repr(model).endswith("float64, unverified>")
    assert "unverified" in model._repr_html_()
    found = hyloop.run(model, PATH, source=0)
    assert found["distance"] != hyloop.run("dijkstra", PATH, source=0)["distance"]  # so it matters
    assert found.verified == found.to_json()["verified"] == "unverified"
    assert repr(found).endswith("by an unverified model>")
    assert "unverified" in found._repr_html_()
    assert hyloop.trace(model, PATH, source=0).document["model"]["verified"] == "unverified"


def test_in_another_process_too(path):
    forged(path, **RELABELLED)
    with pytest.warns(HyloopWarning):
        model = hyloop.load(path)
    [found] = hyloop.run_many(model, [PATH], processes=1, source=0)
    assert found.verified == "unverified"
    [found] = hyloop.run_many(SMALL, [hyloop.Hypergraph.from_hyperedges([[0, 1]])], processes=1, source=0)
    assert found.verified == "compiled"


def changed_weight():
    tensors = dict(files._tensors(SMALL))
    tensors["layers.0.mlp.w1"] = tensors["layers.0.mlp.w1"].copy()
    tensors["layers.0.mlp.w1"][0, 0] += 1
    return tensors


DOUBTFUL = {
    "another weight of a hyperedge": ({"capacity": {"rows": 5, "weight": 11}}, "compiles to another model"),
    "a larger Ω": ({"infinity": SMALL.infinity + 1}, "compiles to another model"),
    "another tensor": ({"tensors": changed_weight()}, "compiles to another model"),
    "a better certificate": ({"certificate": None}, "compiles to another model"),
    "other heads": ({"built": {"heads": 1, "schedule": "packed", "planned": 10}}, "compiles to another model"),
    "nothing to compile it with": ({"built": None}, "does not say how it was compiled"),
    "a capacity that cannot be": ({"capacity": {"rows": 10**7, "weight": 2**53}}, "does not compile to a model of"),
    "another version": ({"hyloop": "0.0.9", **RELABELLED}, "hyloop 0.0.9 has written it, and in hyloop"),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_is_not_reproduced_is_unverified(path, name):
    changes, why = DOUBTFUL[name]
    forged(path, **changes)
    with pytest.warns(HyloopWarning, match=why) as told:
        assert hyloop.load(path).verified == "unverified"
    assert f"`hyloop prove {path}` settles it" in str(told[0].message)
    assert f"`hyloop compile {path} -o NEW.safetensors`" in str(told[0].message)


def test_another_version_of_the_same_model_is_fine(path):
    assert hyloop.load(forged(path, hyloop="0.0.9")).verified == "reproduced"


def test_edited_weights_are_unverified_without_a_word(path):
    path.write_bytes(save(changed_weight(), files._contents(saved(path))[0]))
    with pytest.raises(ModelError, match="damaged or edited"):
        hyloop.load(path)
    assert hyloop.load(path, edited=True).verified == "unverified"  # a warning would be an error here


def saved(path):
    hyloop.save(SMALL, path)
    return path


def test_a_model_made_of_another_one_is_unverified():
    assert replace(SMALL, capacity=Capacity(99, 10)).verified == "unverified"
    with pytest.raises(ValueError, match="verified"):
        replace(SMALL, verified="proved")


def test_the_name_is_that_of_the_program(path):
    forged(path, name="bfs")
    with pytest.raises(ModelError, match="it is called 'bfs', and its program 'dijkstra'"):
        hyloop.load(path)


# -- proved -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["load", "prove"])
def test_what_was_proved_is_called_so_in_whatever_order(path, first):
    write_model(SMALL, path)
    if first == "load":
        assert hyloop.load(path).verified == "reproduced"
    known.proved(SMALL)
    assert hyloop.load(path).verified == "proved"


def test_a_proof_made_here_counts(path):
    pytest.importorskip("z3")
    model = hyloop.compile("levels", Capacity(5, 10))
    forged(path, model, built=None)  # not to be reproduced
    with pytest.warns(HyloopWarning):
        doubtful = hyloop.load(path)
    assert prove(doubtful).model.verified == "proved"
    assert hyloop.load(path).verified == "proved"
    known._KNOWN.clear()
    assert hyloop.load(path).verified == "proved"


def test_a_compiled_model_stays_compiled():
    assert known.proved(SMALL).verified == "compiled"


# -- whose program it is ----------------------------------------------------------------------------------------------


def test_whose():
    ours = ALGORITHMS["levels"].program
    assert known.whose(ours) == "hyloop's own levels"
    assert known.whose(replace(ours, about="Another text.")) == "hyloop's own levels"
    other = replace(ours, name="dijkstra")
    assert known.whose(other) == "another program than hyloop's own dijkstra, of the same name"
    assert known.whose(replace(ours, name="mine")) == "a program called mine, which is none of hyloop's own"


# -- older files ------------------------------------------------------------------------------------------------------


def of_format(number, path):
    """As a hyloop of then wrote it: the first did not say how it compiled, the second claimed a margin of 1."""
    document = files._plain(document_of(SMALL)) | {"format": number}
    if number == 1:
        del document["built"]
    document["certificate"] |= {"margins": [1] * len(SMALL.layers)}
    tensors = files._tensors(SMALL)
    path.write_bytes(save(tensors, {files.KEY: json.dumps(document | {"hash": files._hash(document, tensors)})}))
    return path


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_older_format_names_the_command_that_builds_it_anew(path, tmp_path, number):
    of_format(number, path)
    with pytest.raises(ModelError) as caught:
        hyloop.load(path)
    command = f"hyloop compile {path} -o NEW.safetensors --rows 5 --weight 10"
    assert str(caught.value).endswith(f"this hyloop reads format {FORMAT}. Build it again: {command}")
    compile.compile_command(str(path), str(tmp_path / "new.safetensors"), rows=5, weight=10, quiet=True)
    assert (tmp_path / "new.safetensors").read_bytes() == to_bytes(SMALL)


def test_a_file_that_is_compiled_anew_is_opened_once(path, tmp_path, monkeypatch):
    hyloop.save(SMALL, path)
    opened = []
    monkeypatch.setattr(files, "safe_open", lambda name, **options: opened.append(name) or safe_open(name, **options))
    compile.compile_command(str(path), str(tmp_path / "new.safetensors"), quiet=True)
    assert opened == [str(path)]
    assert (tmp_path / "new.safetensors").read_bytes() == path.read_bytes()


def test_a_newer_format(path):
    with pytest.raises(ModelError, match=rf"it is of format {FORMAT + 1}.*A newer hyloop reads it"):
        hyloop.load(forged(path, format=FORMAT + 1))
    with pytest.raises(ModelError, match=rf"its format is '{FORMAT}', which is no integer"):
        hyloop.load(forged(path, format=str(FORMAT)))


# -- commands ---------------------------------------------------------------------------------------------------------


def told(command, capsys, *arguments, **options):
    """What a command prints; its warnings are expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HyloopWarning)
        command(*map(str, arguments), **options)
    return capsys.readouterr().out


def test_the_commands_say_it(path, tmp_path, capsys):
    harbour = ROOT / "examples" / "harbour.hif.json"
    forged(path, proof={"answer": "proved", "model": "0" * 64, "theorem": "For every hypergraph"}, **RELABELLED)
    shown = told(run.run, capsys, path, harbour, source="Quay")
    assert "Computed by an unverified model: this may be wrong." in shown
    assert json.loads(told(run.run, capsys, path, harbour, source="Quay", json=True))["verified"] == "unverified"
    shown = told(info.info, capsys, path)
    assert "The file speaks of a proof, but it is one of another model." in shown
    assert "For every hypergraph" not in shown
    facts = json.loads(told(info.info, capsys, path, json=True))
    assert (facts["verified"], facts["program"]) == ("unverified", "hyloop's own dijkstra")
    assert facts["proof_in_the_file"]["of_this_model"] is False
    small = [str(tmp_path / "small.edges")]
    (tmp_path / "small.edges").write_text("a b\nb c\n", encoding="utf-8")
    shown = told(check_command.check, capsys, path, files=small, source="a")
    assert "The model is unverified" in shown
    checked = json.loads(told(check_command.check, capsys, path, files=small, source="a", json=True))
    assert (checked["agrees"], checked["verified"]) == (True, "unverified")


def test_a_proof_of_this_model_is_repeated(path, capsys):
    write_model(SMALL, path, {"answer": "proved", "model": model_hash(SMALL), "theorem": "For every hypergraph"})
    shown = told(info.info, capsys, path)
    assert "The file says: proved. That is a claim; `hyloop prove` proves it." in shown
    assert "For every hypergraph" in shown


def test_prove_says_whose_program_it_is(path, capsys):
    pytest.importorskip("z3")
    hyloop.save(hyloop.compile("levels", Capacity(5, 10)), path)
    assert "The program is hyloop's own levels." in told(prove_command, capsys, path, quiet=True)
    program = ALGORITHMS["levels"].program
    other = replace(program, outputs=(replace(program.outputs[0], known=None),))
    hyloop.save(hyloop.compile(other, Capacity(5, 10)), path)
    document = json.loads(told(prove_command, capsys, path, quiet=True, json=True))
    assert document["program"] == "another program than hyloop's own levels, of the same name"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_the_weights_of_a_copy_cannot_be_changed_either(copied):
    model = copied(SMALL)
    for weight in (model.layers[0].heads[0].query, model.layers[0].mlp.weights[0]):
        with pytest.raises(ValueError, match="read-only"):
            weight[0, 0] = 1


# -- what a file says of its numbers ----------------------------------------------------------------------------------


def test_a_certificate_of_a_file_is_no_licence_for_narrow_numbers(path, tmp_path):
    """A proof shows that numbers are exact, not that they are as small as the file says."""
    model = hyloop.compile("dijkstra")
    told = document_of(model)["certificate"] | {"largest": 1}
    false = hyloop.load(forged(path, model, certificate=told), edited=True)
    assert (false.verified, false.largest) == ("unverified", 2**53 - 1)
    here = prove(false).model
    assert (here.verified, here.largest, bits_of(here)) == ("proved", 2**53 - 1, 64)
    again = hyloop.load(path)
    assert (again.verified, again.largest, bits_of(again)) == ("proved", 2**53 - 1, 64)
    assert of_model(again)["largest_value"] == 2**53 - 1

    hyloop.save(model, tmp_path / "true.safetensors")
    for true in (model, prove(model).model, hyloop.load(tmp_path / "true.safetensors")):
        assert true.largest == model.certificate.largest
    assert hyloop.load(tmp_path / "true.safetensors").verified == "proved"
