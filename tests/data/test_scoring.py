"""Scores: what is counted, the first wrong step, the reference, and predictions that do not fit."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hyloop
from hyloop import data
from hyloop.data.verify import Verdict, exactly, judged
from hyloop.errors import HyloopError, HyloopWarning

HINTS = ("steps", "hint_step", "hint_variable", "hint_index", "hint_value")


def predictions(samples, *, hints=False):
    """The recorded answers as predictions."""
    return [
        {
            **each.key,
            **{name: np.array(value) for name, value in each.example.items() if name.startswith("output_")},
            **({name: np.array(each.example[name]) for name in HINTS} if hints else {}),
        }
        for each in samples
    ]


@pytest.fixture
def samples(small):
    return data.load(small, "dijkstra", part="test-7")


def only(found):
    [part] = found["parts"]
    return part


def test_the_reference_is_right_at_every_size(small):
    for algorithm in ("dijkstra", "s_distance", "scc", "helly"):
        found = data.score(predictions(data.load(small, algorithm), hints=True), small)
        assert found["reference"] == "the compiled transformer that made the data set"
        for part in found["parts"]:
            assert part["against"] == "the problem"
            assert part["reference"]["graphs"] == part["graphs"] == {"right": 5, "all": 5}
            assert part["reference"]["nodes"] == part["nodes"]
            assert part["hints"]["right"] == part["hints"]["examples"] == 5
            assert part["hints"]["first_wrong_step"] is None


def test_the_reference_is_verified_not_presumed(samples, small):
    """A verifier that refuses everything refuses the reference, too."""
    nothing = {"dijkstra": lambda _: lambda answer: judged({name: value < -5 for name, value in answer.items()})}
    part = only(data.score(predictions(samples), small, verifiers=nothing))
    assert part["reference"]["graphs"] == {"right": 0, "all": 5}


ALL = np.ones(7, bool)


@pytest.mark.parametrize(
    ("outputs", "places", "told"),
    [
        ({}, np.full(7, 7), "there are 7 places"),
        ({}, np.ones(1, bool), "there are 7 places"),
        ({}, np.ones(0, bool), "there are 7 places"),
        ({}, [True] * 7, "there are 7 places"),
        ({}, np.full(7, np.nan), "there are 7 places"),
        ({"distance": ALL[:6]}, ALL, "distance has 7 entries"),
        ({"level": ALL}, ALL, "outputs is a dictionary by the names of outputs: distance, predecessor, hyperedge"),
        ([ALL], ALL, "outputs is a dictionary"),
        (
            dict.fromkeys(["distance", "predecessor", "hyperedge"], ~ALL),
            ALL,
            "a place is right only where its outputs are",
        ),
    ],
)
def test_a_verdict_that_is_none(outputs, places, told, samples, small):
    with pytest.raises(HyloopError, match=f"The verifier for dijkstra gave a verdict that is none: {told}"):
        data.score(predictions(samples), small, verifiers={"dijkstra": lambda _: lambda _: Verdict(outputs, places)})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (5, "verifiers is a dictionary of functions by the names of algorithms; not 5"),
        ({"dijkstar": exactly}, "a verifier for 'dijkstar', which is not in the data set; it has .*dijkstra"),
        ({"dijkstra": 5}, "The verifier for dijkstra is a function that takes a problem; not 5"),
        ({"dijkstra": lambda _: None}, "The verifier for dijkstra gives a function that takes an answer; it gave None"),
        ({"dijkstra": lambda _: lambda _: True}, r"is a hyloop\.data\.verify\.Verdict; it said True"),
    ],
)
def test_what_is_no_verifier(given, told, samples, small):
    with pytest.raises(HyloopError, match=told):
        data.score(predictions(samples), small, verifiers=given)


def test_wrong_nodes_and_graphs_are_counted(samples, small):
    told = predictions(samples)
    told[1]["output_distance"][:2] += 1
    told[4]["output_predecessor"][:] = 6
    part = only(data.score(told, small, each=True))
    assert (part["graphs"], part["nodes"]["all"]) == ({"right": 3, "all": 5}, 35)
    assert part["outputs"]["distance"] == {"right": 33, "all": 35}
    assert part["outputs"]["hyperedge"] == {"right": 35, "all": 35}
    assert part["reference"]["nodes"] == {"right": 35, "all": 35}
    assert [each["right"] for each in part["each"]] == [True, False, True, True, False]


def test_examples_without_a_prediction_are_wrong(samples, small):
    part = only(data.score(predictions(samples)[:2], small))
    assert (part["examples"], part["missing"]) == (5, 3)
    assert (part["graphs"], part["nodes"]) == ({"right": 2, "all": 5}, {"right": 14, "all": 35})


def test_some_of_the_outputs(samples, small):
    told = [{**each.key, "output_distance": each.outputs["distance"]} for each in samples]
    part = only(data.score(told, small))
    assert list(part["outputs"]) == ["distance"]
    assert part["graphs"] == {"right": 5, "all": 5}


def test_another_program_of_the_same_name_is_compared_with_its_record(samples, small, monkeypatch):
    monkeypatch.setattr("hyloop.data.read._own_text", lambda _: "another program")
    part = only(data.score(predictions(samples), small))
    assert (part["against"], part["graphs"]) == ("the recorded answer", {"right": 5, "all": 5})


# -- hints ------------------------------------------------------------------------------------------------------------


def first_wrong(told, small, **options):
    part = only(data.score(told, small, each=True, **options))
    return [each["first_wrong_step"] for each in part["each"]]


def test_the_first_wrong_step(samples, small):
    for place in (0, 7, -1):
        told = predictions(samples, hints=True)
        told[2]["hint_value"][place] += 1
        step = int(told[2]["hint_step"][place])
        assert first_wrong(told, small) == [None, None, step, None, None]
        part = only(data.score(told, small))
        assert part["hints"]["first_wrong_step"] == {"least": step, "median": step}
        assert part["hints"]["steps"]["all"] - part["hints"]["steps"]["right"] == told[2]["steps"] - step + 1


def test_changes_that_are_late_or_lacking(samples, small):
    told = predictions(samples, hints=True)
    first = int(told[0]["hint_step"][5])
    for name in HINTS[1:]:
        told[0][name] = np.delete(told[0][name], 5)
    assert first_wrong(told, small)[0] == first


def test_changes_in_another_order_or_that_change_nothing(samples, small):
    """What counts is what the variables hold."""
    told = predictions(samples, hints=True)
    order = np.random.default_rng(1).permutation(len(told[0]["hint_step"]))
    for name in HINTS[1:]:
        told[0][name] = told[0][name][order]
    settled = [each["name"] for each in samples.document["variables"]].index("settled")
    source, last = samples[0].inputs["source"], int(told[0]["steps"])
    for name, value in zip(HINTS[1:], (last, settled, source, 1), strict=True):
        told[0][name] = np.append(told[0][name], value)  # it is settled already
    assert first_wrong(told, small) == [None] * 5


def test_too_few_and_too_many_steps(samples, small):
    told = predictions(samples, hints=True)
    right = int(told[0]["steps"])
    told[0]["steps"] = right + 3
    told[1]["steps"] = 2
    assert first_wrong(told, small)[:2] == [right + 1, 3]


def test_hints_that_lack_are_wrong_at_once(samples, small):
    told = predictions(samples, hints=True)
    del told[3]["hint_value"]
    with pytest.warns(HyloopWarning, match="number 3 of test-7 of dijkstra has hints and no hint_value: all"):
        assert first_wrong(told[:4], small) == [None, None, None, 1, 1]


def test_the_steps_of_one_variable(samples, small):
    told = predictions(samples, hints=True)
    names = [each["name"] for each in samples.document["variables"]]
    told[0]["hint_value"][told[0]["hint_variable"] == names.index("distance")] += 1
    assert first_wrong(told, small)[0] is not None
    assert first_wrong(told, small, hints=["settled", "key"]) == [None] * 5
    assert first_wrong(told, small, hints=["distance"])[0] is not None
    with pytest.raises(HyloopError, match="dijkstra has no variable far; it has distance, predecessor"):
        data.score(told, small, hints=["far"])


def test_variables_are_named_but_no_hints_are_predicted(samples, small):
    with pytest.warns(HyloopWarning, match=r"No steps of distance, key are compared: the predictions have no hints"):
        part = only(data.score(predictions(samples), small, hints=["distance", "key"]))
    assert "hints" not in part


# -- what does not fit ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"part": "test-9"}, "no part test-9 of dijkstra, which has predictions; of dijkstra it has test-4, test-7.$"),
        ({"number": 77}, "has no number 77 of test-7 of dijkstra, which has a prediction"),
        ({"output_far": [1]}, "dijkstra has no output_far, which is predicted; it has output_distance"),
        ({"output_distance": [1, 2]}, r"output_distance of number 0 .* has the shape \(2,\); expected is \(7,\)"),
        ({"output_distance": [0.5] * 7}, "output_distance holds float64, but predictions are integers"),
        ({"output_distance": None}, "number 0 of test-7 of dijkstra has no output_distance, which others"),
    ],
)
def test_errors_are_sentences(change, told, samples, small):
    given = predictions(samples)
    given[0] |= change
    with pytest.raises(HyloopError, match=told):
        data.score(given, small)


def test_predictions_for_another_data_set(samples, small, tmp_path):
    """The same algorithm, part and numbers, of another seed."""
    plan = data.custom(["dijkstra"], sizes=[7], generators=list(data.GENERATORS), seeds=[6], count=5, split="test")
    data.make(plan, tmp_path / "other", processes=1)
    told = predictions(data.load(tmp_path / "other", "dijkstra"))
    assert data.score(told, small)["predictions"] == {"all": 5, "without_hash": 5}  # nobody knows
    data.write_predictions(tmp_path / "told.parquet", told, tmp_path / "other")
    found = data.score(tmp_path / "told.parquet", tmp_path / "other")
    assert found["predictions"] == {"all": 5, "without_hash": 0}
    hashes = f"with the hash {found['hash']}; .* with the hash {data.info(small)['hash']}. Give the folder"
    with pytest.raises(HyloopError, match=hashes):
        data.score(tmp_path / "told.parquet", small)


def test_swapped_arguments(samples, small, tmp_path):
    data.write_predictions(tmp_path / "told.parquet", predictions(samples))
    with pytest.raises(HyloopError, match=r"is a data set, and not predictions: first come the predictions, then the"):
        data.score(small, tmp_path / "told.parquet")


def test_parts_come_in_the_order_of_their_sizes(tmp_path):
    plan = data.custom(["levels"], sizes=[4, 10, 5], generators=["uniform"], seeds=[1], count=1)
    data.make(plan, tmp_path / "mine", processes=1)
    told = [{**each.key, "output_level": each.outputs["level"]} for each in data.load(tmp_path / "mine", "levels")]
    found = data.score(told, tmp_path / "mine")
    assert [part["part"] for part in found["parts"]] == ["train-4", "train-5", "train-10"]


def test_predictions_without_outputs(samples, small):
    with pytest.raises(HyloopError, match="The predictions for dijkstra have no outputs; there are output_distance"):
        data.score([each.key for each in samples], small)


def test_hints_that_contradict_themselves(samples, small):
    told = predictions(samples, hints=True)
    for name in HINTS[1:]:
        told[0][name] = np.append(told[0][name], told[0][name][:1])
    assert first_wrong(told, small) == [None] * 5  # the same, told twice
    step, value = told[0]["hint_step"][0], told[0]["hint_value"][0]
    told[0]["hint_value"][-1] = value + 1
    sentence = f"number 0 of test-7 of dijkstra: after step {step}, .* has two values, {value} and {value + 1}"
    with pytest.raises(HyloopError, match=sentence):
        data.score(told, small)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("hint_step", 0, "hint_step counts from 1; given 0"),
        ("hint_variable", 99, "hint_variable is the place of a variable, from 0 to"),
        ("hint_variable", -1, "hint_variable is the place of a variable"),
    ],
)
def test_hints_of_no_step_or_variable(name, value, sentence, samples, small):
    told = predictions(samples, hints=True)
    told[0][name][0] = value
    with pytest.raises(HyloopError, match=sentence):
        data.score(told, small)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc, as on Linux")
def test_tables_are_read_without_threads_of_pyarrow(samples, small, tmp_path):
    """One of them that is the last to let go of Python's bytes while Python ends aborts the process."""
    data.write_predictions(tmp_path / "p.parquet", predictions(samples), small)
    hypergraph = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]], weights=[1, 2])
    for name in ("h.parquet", "h.arrow"):
        hyloop.write(hypergraph, tmp_path / name)
    code = f"""if True:
        import os, pyarrow, pyarrow.parquet, pyarrow.ipc
        import hyloop
        from hyloop import data
        before = len(os.listdir("/proc/self/task"))
        data.score({str(tmp_path / "p.parquet")!r}, {str(small)!r})
        hyloop.read({str(tmp_path / "h.parquet")!r}), hyloop.read({str(tmp_path / "h.arrow")!r})
        assert len(os.listdir("/proc/self/task")) == before
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_of_hints_are_a_list(samples, small):
    with pytest.raises(HyloopError, match="hints is a list of names of variables; given 'distance'"):
        data.score(predictions(samples, hints=True), small, hints="distance")
    with pytest.raises(HyloopError, match="hints is a list of names of variables; given 3"):
        data.score(predictions(samples, hints=True), small, hints=3)
