"""Making a data set: the same again, after an interruption, and nothing of another one."""

import json

import numpy as np
import pytest

import hyloop
from hyloop.data import making, shard
from hyloop.data import plan as planning
from hyloop.data.columns import columns_of
from hyloop.data.making import make, total_cost
from hyloop.data.parquet import Writer
from hyloop.data.plan import custom
from hyloop.data.read import ShardFile
from hyloop.errors import CapacityError, FormatError, HyloopError
from hyloop.execute.prepare import program_of
from hyloop.lang import Count, Length, Outputs, Vertex, algorithm, quotient, total

pytest.importorskip("pyarrow")


def plan(count=5, seed=1, **more):
    programs = [program_of("levels"), program_of("forward_chaining")]
    options = {"sizes": [4, 9], "generators": ["uniform", "communities"], "seeds": [seed], "split": "train", **more}
    return custom(programs, count=count, **options)


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(planning, "PER_SHARD", 2)


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}


def test_the_same_bytes_again(tmp_path):
    done = []
    first = make(plan(), tmp_path / "a", processes=1, progress=done.append)
    assert done[-1] == total_cost(plan())
    assert sum(each["examples"] for each in first["shards"]) == 20
    assert len(first["shards"]) == 12
    assert make(plan(), tmp_path / "b", processes=1)["hash"] == first["hash"]
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert (tmp_path / "a/dataset.json").read_bytes() == (tmp_path / "b/dataset.json").read_bytes()
    assert make(plan(seed=2), tmp_path / "c", processes=1)["hash"] != first["hash"]


def test_a_run_that_was_killed_goes_on(tmp_path, monkeypatch):
    whole = make(plan(), tmp_path / "whole", processes=1)
    real, made = making.make_shard, []

    def dies(folder, shard):
        if len(made) == 5:
            raise KeyboardInterrupt
        made.append(shard.path)
        return real(folder, shard)

    monkeypatch.setattr(making, "make_shard", dies)
    with pytest.raises(KeyboardInterrupt):
        make(plan(), tmp_path / "killed", processes=1)
    monkeypatch.setattr(making, "make_shard", real)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "killed").rglob("*.parquet")}
    assert len(kept) == 5
    left = tmp_path / "killed/levels/.train-4-00000.parquet.0123.unfinished"
    left.write_bytes(b"half")
    assert make(plan(), tmp_path / "killed", processes=1)["hash"] == whole["hash"]
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    assert not left.exists()


def test_another_data_set_is_not_mixed_in(tmp_path):
    make(plan(), tmp_path, processes=1)
    with pytest.raises(HyloopError, match="holds another data set"):
        make(plan(seed=2), tmp_path, processes=1)
    with pytest.raises(HyloopError, match="holds another data set"):
        make(plan(limit=3), tmp_path, processes=1)


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(HyloopError, match="has files of something else"):
        make(plan(), tmp_path, processes=1)
    with pytest.raises(HyloopError, match="cannot be made"):
        make(plan(), tmp_path / "notes.txt" / "here", processes=1)


def test_a_damaged_shard_is_told(tmp_path):
    make(plan(), tmp_path, processes=1)
    (tmp_path / "levels/train-9-00001.parquet").write_bytes(b"PAR1")
    with pytest.raises(FormatError, match=r"train-9-00001\.parquet is no shard"):
        make(plan(), tmp_path, processes=1)


def test_a_shard_with_other_content_is_not_kept(tmp_path):
    made = make(plan(), tmp_path, processes=1)
    path = tmp_path / "levels/train-9-00001.parquet"
    there = ShardFile.load(path)
    examples = [{**each, "output_level": each["output_level"] + 1} for each in there.examples()]
    path.write_bytes(b"".join(Writer(columns_of(program_of("levels"))).pieces(examples, there.document)))
    with pytest.raises(HyloopError, match=r"train-9-00001\.parquet: its content is not what its hash says; delete it"):
        make(plan(), tmp_path, processes=1)
    path.unlink()
    assert make(plan(), tmp_path, processes=1) == made


def test_what_a_kill_leaves_is_not_something_else(tmp_path):
    """Killed before the list was there."""
    (tmp_path / ".dataset.json.0123.unfinished").write_bytes(b"half")
    assert make(plan(), tmp_path, processes=1)["shards"]


def test_two_runs_in_one_folder(tmp_path, monkeypatch):
    """The one that ends first removes what is unfinished, also of the other; by then every file is there."""
    whole = make(plan(), tmp_path / "whole", processes=1)
    real, runs = shard.write_whole, []

    def overtaken(path, pieces):
        if not runs:
            runs.append(path)
            make(plan(), tmp_path / "both", processes=1)
            raise FileNotFoundError(2, "No such file or directory", "the unfinished file")
        real(path, pieces)

    monkeypatch.setattr(shard, "write_whole", overtaken)
    assert make(plan(), tmp_path / "both", processes=1) == whole
    assert content(tmp_path / "both") == content(tmp_path / "whole")


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    make(plan(), tmp_path / "a", processes=1)
    path = tmp_path / "a/levels/train-9-00001.parquet"
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HyloopError, match=r"train-9-00001\.parquet is a link to a file that is not there: delete it"):
        make(plan(), tmp_path / "a", processes=1)
    assert not (tmp_path / "elsewhere").exists()


def test_what_cannot_be_written_is_a_sentence(tmp_path, monkeypatch):
    def full(path, pieces):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(shard, "write_whole", full)
    with pytest.raises(HyloopError, match=r"parquet: this cannot be written \(No space left on device\)"):
        make(plan(), tmp_path / "a", processes=1)
    with pytest.raises(HyloopError, match="cannot be made, or read"):
        make(plan(), f"{tmp_path}/a\0b", processes=1)
    with pytest.raises(HyloopError, match="make takes a plan"):
        make(None, tmp_path)


def test_weights_beyond_64_bits(tmp_path):
    file = tmp_path / "heavy.csv"
    file.write_text("vertex,hyperedge,weight\na,e,1" + "0" * 30 + "\nb,e,1" + "0" * 30 + "\n")
    with pytest.raises(CapacityError, match=r"heavy\.csv: a data set stores weights below 2\^63"):
        make(custom(["levels"], real=[file]), tmp_path / "a", processes=1)


@pytest.mark.parametrize("weights", [(2**62, 3 * 2**62), (2**70, 3 * 2**70)])
def test_weights_of_arrays_do_not_wrap_around(weights):
    h = hyloop.Hypergraph.from_arrays([0, 1], [0, 1], weights)
    assert isinstance(h.in_units[0], np.ndarray)
    assert shard._in_units(h) == (weights, 1)


def summing(value, outputs):
    """An algorithm with the same number at every vertex, and outputs made of it."""

    def sums(h):
        """Sums."""
        y = h.vertices.state(Count, 0)
        y.assign(value)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return outputs(y)

    return algorithm(sums)


@pytest.mark.parametrize("as_list", [False, True])
@pytest.mark.parametrize("count", [2**13, 2**14 + 1])  # the sum is 2^63, which 64 bits hold as -2^63; 2^64 + 2^50
def test_a_total_beyond_64_bits(count, as_list, tmp_path):
    file = tmp_path / "many.csv"
    hyloop.write(hyloop.Hypergraph.from_arrays([0], [0], counts=(count, 1)), file)
    sums = summing(2**50, lambda y: Outputs(t=[total(y), total(y)] if as_list else total(y)))
    with pytest.raises(
        CapacityError, match=rf"the total t is {count * 2**50:,} in .* below 2\^63\. Make what it adds up \(y\)"
    ):
        make(custom([sums], real=[file]), tmp_path / "a", processes=1)


def test_a_total_within_64_bits(tmp_path):
    file = tmp_path / "many.csv"
    hyloop.write(hyloop.Hypergraph.from_arrays([0], [0], counts=(2**13 - 1, 1)), file)
    make(custom([summing(2**50, lambda y: Outputs(t=total(y)))], real=[file]), tmp_path / "a", processes=1)
    [made] = ShardFile.load(tmp_path / "a/sums/real-many-00000.parquet").examples()
    assert made["output_t"] == (2**13 - 1) * 2**50


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        (lambda a, b, v: Outputs(top=[v, a]), "output_top would be a list of these kinds: vertex, count"),
        (lambda a, b, v: Outputs(top=[a, v]), "these kinds: count, vertex"),
        (lambda a, b, v: Outputs(top=[a, b]), "these kinds: count, length"),
        (lambda a, b, v: Outputs(top=[quotient(a, b), quotient(b, a)]), "these kinds: quotient"),
        (lambda a, b, v: Outputs(x=quotient(a, b), x_over=a), "two columns .* would be called output_x_over"),
        (lambda a, b, v: Outputs(x_over=a, x=quotient(a, b)), "two columns .* would be called output_x_over"),
        (lambda a, b, v: Outputs(x_over=[a], x=quotient(a, b)), "two columns .* would be called output_x_over"),
    ],
)
def test_outputs_that_no_column_holds(outputs, told, tmp_path):
    def odd(h):
        """Odd."""
        a, b, v = h.state(Count, 6), h.state(Length, 0), h.state(Vertex)
        a.assign(5)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return outputs(a, b, v)

    with pytest.raises(HyloopError, match=told):
        make(custom([algorithm(odd)], sizes=[4], count=1), tmp_path / "a", processes=1)
    assert not (tmp_path / "a").exists()


def test_a_real_file_that_changes_meanwhile(tmp_path):
    file = tmp_path / "tiny.edges"
    file.write_text("a b c\n")
    wanted = custom(["levels"], real=[file])
    file.write_text("a b\n")
    with pytest.raises(HyloopError, match="was changed while the data set was made"):
        make(wanted, tmp_path / "a", processes=1)


def test_what_takes_too_long_is_listed(tmp_path):
    document = make(plan(limit=2), tmp_path, processes=1)
    left = [number for each in document["shards"] for number in each["left_out"]]
    assert 0 < len(left) == 20 - sum(each["examples"] for each in document["shards"])


def test_real_hypergraphs(tmp_path):
    file = tmp_path / "tiny.edges"
    file.write_text("a b c\nc d\n")
    wanted = plan(count=1, real=[str(file)])
    first = make(wanted, tmp_path / "one", processes=1)
    parts = {each["path"]: each["examples"] for each in first["shards"] if each["split"] == "real"}
    # levels has a source to draw
    assert parts == {"levels/real-tiny-00000.parquet": 10, "forward_chaining/real-tiny-00000.parquet": 1}
    told = json.loads((tmp_path / "one/dataset.json").read_text())
    assert told["plan"]["algorithms"][0]["parts"][-1]["file"] == "tiny.edges"  # and not where it was
    assert str(tmp_path) not in json.dumps(told)
    file.write_text("a b\n")
    with pytest.raises(HyloopError, match="holds another data set"):
        make(plan(count=1, real=[str(file)]), tmp_path / "one", processes=1)
