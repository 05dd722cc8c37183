"""Long runs: checkpointed, resumed, and refused where the file is damaged or another run's."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

import commands
import hyloop
from effort import EVERYTHING
from hyloop import checkpoint
from hyloop.checkpoint import (
    Checkpoint,
    CheckpointWriter,
    input_hash,
    iterations_in,
    read_checkpoint,
    write_checkpoint,
)
from hyloop.errors import HyloopError
from hyloop.lang import Count, Outputs, Vertex, algorithm, first, stream
from hyloop.result import Entry


class EnoughError(Exception):
    """Ends a run from its progress callback, as a crash would."""


def crash_after(iterations):
    def progress(done):
        if done >= iterations:
            raise EnoughError

    return progress


def hypergraph(vertices=12, hyperedges=20, seed=0):
    rng = np.random.default_rng(seed)
    edges = {f"e{n}": [f"v{v}" for v in rng.choice(vertices, 3, replace=False)] for n in range(hyperedges)}
    weights = {name: int(rng.integers(1, 9)) for name in edges}
    return hyloop.Hypergraph.from_hyperedges(edges, vertices=[f"v{n}" for n in range(vertices)], weights=weights)


@pytest.mark.parametrize("backend", ["cpu", "dense"])
@pytest.mark.parametrize(("name", "inputs"), [("dijkstra", {"source": "v3"}), ("projection", {}), ("helly", {})])
def test_a_run_that_is_gone_on_with_ends_as_the_whole_run(tmp_path, name, inputs, backend):
    h, kept = hypergraph(), tmp_path / "run.checkpoint"
    expected = hyloop.run(name, h, backend=backend, **inputs)
    for iterations in {1, 2, 7, expected.iterations - 1} & set(range(1, expected.iterations)):
        kept.unlink(missing_ok=True)
        with pytest.raises(EnoughError):
            hyloop.run(name, h, backend=backend, checkpoint=kept, every=0, progress=crash_after(iterations), **inputs)
        if not kept.exists():  # it had not come to its first checkpoint
            continue
        begun = read_checkpoint(kept).iterations
        assert begun <= expected.iterations
        found = hyloop.run(name, h, backend=backend, resume=kept, **inputs)
        assert found == expected


def test_a_checkpoint_of_one_backend_is_gone_on_with_on_another(tmp_path):
    h, kept = hypergraph(), tmp_path / "run.checkpoint"
    with pytest.raises(EnoughError):
        hyloop.run("dfs", h, backend="dense", checkpoint=kept, every=0, progress=crash_after(6), source="v0")
    expected = hyloop.run("dfs", h, backend="cpu", source="v0")
    assert hyloop.run("dfs", h, backend="cpu", resume=kept, source="v0") == expected


def interrupted_run(tmp_path, name="dijkstra", **inputs):
    h, kept = hypergraph(), tmp_path / "run.checkpoint"
    inputs = inputs or {"source": "v0"}
    with pytest.raises(EnoughError):
        hyloop.run(name, h, backend="dense", checkpoint=kept, every=0, progress=crash_after(5), **inputs)
    return h, kept


def test_another_input_is_refused(tmp_path):
    h, kept = interrupted_run(tmp_path)
    with pytest.raises(HyloopError, match="another input"):
        hyloop.run("dijkstra", h, resume=kept, source="v1")
    heavier = replace(h, weights=(h.weights[0] + 1, *h.weights[1:]))
    with pytest.raises(HyloopError, match="another input"):
        hyloop.run("dijkstra", heavier, resume=kept, source="v0")
    other = hypergraph(seed=1)
    with pytest.raises(HyloopError, match="another input"):
        hyloop.run("dijkstra", other, resume=kept, source="v0")


def test_another_model_is_refused(tmp_path):
    h, kept = interrupted_run(tmp_path)
    with pytest.raises(HyloopError, match="another model"):
        hyloop.run("bfs", h, resume=kept, source="v0")
    with pytest.raises(HyloopError, match="another model"):
        hyloop.run(hyloop.compile("dijkstra", hyloop.Capacity(50, 50)), h, resume=kept, source="v0")


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_flipped_bit_is_seen(tmp_path_factory, place, bit):
    folder = tmp_path_factory.mktemp("flip")
    file = folder / "c"
    X = np.arange(12.0).reshape(4, 3)
    write_checkpoint(file, Checkpoint("m", "i", 3, X, {"rows": [Entry("a", {"b": 2})]}))
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 1 << bit
    file.write_bytes(data)
    try:
        found = read_checkpoint(file)
    except HyloopError:
        return
    # What a flip may leave as it was: white space, or a letter of JSON that means the same.
    assert (found.model, found.input, found.iterations) == ("m", "i", 3)
    assert np.array_equal(found.X, X)
    assert found.streams == {"rows": [Entry("a", {"b": 2})]}


@pytest.mark.parametrize("length", [0, 1, 7, 8, 20, 100, -1])
def test_a_damaged_file_is_refused(tmp_path, length):
    _, kept = interrupted_run(tmp_path)
    data = kept.read_bytes()
    kept.write_bytes(data[:length])
    with pytest.raises(HyloopError, match="damaged"):
        read_checkpoint(kept)


def test_no_file_and_other_files(tmp_path):
    with pytest.raises(HyloopError, match="no such checkpoint"):
        read_checkpoint(tmp_path / "none")
    model = tmp_path / "m.safetensors"
    hyloop.save(hyloop.compile("levels"), model)
    with pytest.raises(HyloopError, match="not a checkpoint"):
        read_checkpoint(model)


def test_it_must_be_possible_to_write(tmp_path):
    with pytest.raises(HyloopError, match="cannot be written"):
        hyloop.run("levels", hypergraph(), source="v0", checkpoint=tmp_path / "no" / "c", every=0, backend="dense")
    with pytest.raises(HyloopError, match="at least 0"):
        CheckpointWriter(tmp_path / "c", "", "", every=-1)


@pytest.mark.parametrize("name", ["no/c", "", "file/c", "folder"])
def test_a_place_that_cannot_be_written_is_told_before_the_run(tmp_path, name):
    (tmp_path / "file").write_text("a file")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    told = []
    with pytest.raises(HyloopError, match="cannot be written"):
        hyloop.run("levels", hypergraph(), source="v0", checkpoint=tmp_path / name, progress=told.append)
    assert not told
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_is_no_checkpoint_is_left_alone(tmp_path):
    file = tmp_path / "h.hif.json"
    hyloop.write(hypergraph(), file)
    before = file.read_bytes()
    with pytest.raises(HyloopError, match="not overwritten"):
        hyloop.run("levels", hyloop.read(file), source="v0", checkpoint=file, every=0, backend="dense")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "every", [-1, -0.5, float("nan"), "x", None, True, Decimal("sNaN"), 1j, np.complex128(1), np.timedelta64(1), [60]]
)
def test_seconds_that_are_none(tmp_path, every):
    for checkpoint_of in ({"checkpoint": tmp_path / "c"}, {}):
        with pytest.raises(HyloopError, match="between two checkpoints is at least 0 seconds; not "):
            hyloop.run("levels", hypergraph(), source="v0", every=every, **checkpoint_of)


@pytest.mark.parametrize("every", [float("inf"), Fraction(1, 3), Decimal("0.5"), np.float32(2), np.int64(2)])
def test_seconds_of_any_kind_of_number(tmp_path, every):
    expected = hyloop.run("levels", hypergraph(), source="v0")
    assert hyloop.run("levels", hypergraph(), source="v0", checkpoint=tmp_path / "c", every=every) == expected


@pytest.mark.parametrize("name", ["checkpoint", "resume"])
def test_a_file_that_has_no_name(name):
    with pytest.raises(HyloopError, match=f"{name} is the name of a file; not 3"):
        hyloop.run("levels", hypergraph(), source="v0", **{name: 3})


def test_streams_may_be_larger_than_a_header_can_be(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "save", lambda tensors, words: save(tensors, _short(words)))
    entries = [Entry(n, {"a" * 50: 1, 7: 2}) for n in range(1000)]
    write_checkpoint(tmp_path / "c", Checkpoint("0" * 64, "1" * 64, 3, np.zeros((2, 2)), {"rows": entries}))
    assert read_checkpoint(tmp_path / "c").streams == {"rows": entries}


def _short(words):
    assert sum(map(len, words.values())) < 1000
    return words


def test_a_run_that_is_over_can_be_gone_on_with(tmp_path):
    h, kept = hypergraph(), tmp_path / "c"
    expected = hyloop.run("projection", h, backend="dense", checkpoint=kept, every=0)
    for backend in ("dense", "cpu"):
        found = hyloop.run("projection", h, backend=backend, resume=kept)
        assert replace(found, backend="dense", memory=None) == replace(expected, memory=None)


def test_a_second_ctrl_c_ends_a_run_at_once(tmp_path):
    h, kept = interrupted_run(tmp_path)
    before = kept.read_bytes()

    def twice(_):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it went on")

    with pytest.raises(KeyboardInterrupt):
        hyloop.run("dijkstra", h, backend="dense", source="v0", resume=kept, every=3600, progress=twice)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("keep", [False, True])
def test_ctrl_c_on_the_command_line(tmp_path, keep):
    h, file, kept = hypergraph(60, 400), tmp_path / "h.hif.json", tmp_path / "c"
    hyloop.write(h, file)
    command = [*commands.python(), "-m", "hyloop", "run", "motifs", str(file), "--backend", "dense", "--json"]
    run = subprocess.Popen(
        [*command, *(["--checkpoint", str(kept), "--every", "3600"] if keep else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"},  # a progress bar, so that the beginning is seen
    )
    shown = ""
    while "/s" not in shown:
        shown += run.stderr.read(1)
    run.send_signal(signal.SIGINT)
    out, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert not out
    assert "interrupted" in told
    assert kept.exists() is keep
    if keep:
        assert f"has the run until iteration {read_checkpoint(kept).iterations}" in re.sub(r"\s+", " ", told)


def test_the_interpreter_keeps_none(tmp_path):
    with pytest.raises(HyloopError, match="interpreter keeps no checkpoints"):
        hyloop.run("levels", hypergraph(), source="v0", checkpoint=tmp_path / "c", backend="interpreter")


def test_ctrl_c_keeps_the_run(tmp_path):
    h, kept = hypergraph(), tmp_path / "c"
    expected = hyloop.run("dijkstra", h, backend="dense", source="v0")

    pressed = []

    def press(done):
        if done and not pressed:
            pressed.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        hyloop.run("dijkstra", h, backend="dense", source="v0", checkpoint=kept, every=3600, progress=press)
    assert signal.getsignal(signal.SIGINT) is before
    assert 1 <= read_checkpoint(kept).iterations < expected.iterations
    assert hyloop.run("dijkstra", h, backend="dense", source="v0", resume=kept) == expected


def test_after_kill_9_the_run_goes_on_and_ends_in_the_same_state(tmp_path):
    h, file, kept = hypergraph(30, 250), tmp_path / "h.hif.json", tmp_path / "c"
    hyloop.write(h, file)
    words = ["run", "projection", str(file), "--backend", "dense", "--json"]
    command = [sys.executable, "-m", "hyloop", *words]
    expected = json.loads(commands.run(*words).stdout)
    killed, answer = 0, tmp_path / "answer.json"
    wait = 0.05
    for _ in range(5 if EVERYTHING else 3):
        going_on = ["--resume", str(kept)] if kept.exists() else ["--checkpoint", str(kept)]
        with answer.open("wb") as out:  # a pipe that nobody reads would hold up a run that is over
            run = subprocess.Popen([*command, "--every", "0", *going_on], stdout=out, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        before = read_checkpoint(kept).iterations if kept.exists() else 0
        # Let it come further than it was, then kill it at some moment soon after.
        while run.poll() is None and time.monotonic() < deadline:
            if kept.exists() and read_checkpoint(kept).iterations > before:
                break
            time.sleep(0.01)
        time.sleep(wait)
        wait = (wait * 1.7) % 0.3
        run.kill()
        if run.wait() == 0:
            break
        killed += 1
        read_checkpoint(kept)  # whole, whenever the process died
    else:
        answer.write_bytes(commands.run(*words, "--resume", str(kept)).stdout)
    assert killed >= 2
    assert json.loads(answer.read_bytes()) == expected


def test_a_run_is_not_written_over(tmp_path):
    h, kept = interrupted_run(tmp_path)
    with pytest.raises(HyloopError, match="has a run until iteration"):
        hyloop.run("dijkstra", h, source="v0", checkpoint=kept)


def test_the_end_is_kept_too(tmp_path):
    h, kept = interrupted_run(tmp_path)
    expected = hyloop.run("dijkstra", h, source="v0", resume=kept)
    assert read_checkpoint(kept).iterations == expected.iterations
    told = []
    assert hyloop.run("dijkstra", h, source="v0", resume=kept, progress=told.append) == expected
    assert told == [expected.iterations]


def test_a_finished_run_streams_its_last_iteration_once(tmp_path):
    @algorithm
    def visits(h):
        at = h.state(Vertex)
        mark = h.vertices.state(Count, 0)
        with h.loop(at_most=h.vertices.count) as loop:
            mark.assign(mark + 1)
            at.assign(first(mark > 0))
            loop.stop_when(~at.is_none)
        return Outputs(mark=stream(mark, of=at))

    h, kept = hypergraph(3, 2), tmp_path / "c"
    expected = hyloop.run(visits, h, checkpoint=kept)
    assert len(expected["mark"].entries) == 1  # the last iteration streams something
    assert hyloop.run(visits, h, resume=kept) == expected


def test_how_far_a_run_has_come(tmp_path):
    _, kept = interrupted_run(tmp_path)
    assert iterations_in(kept) == read_checkpoint(kept).iterations
    assert iterations_in(tmp_path / "none") is None
    kept.write_bytes(kept.read_bytes()[:-1])
    assert iterations_in(kept) is None


def test_a_text_that_speaks_of_checkpoints_is_not_written_over(tmp_path):
    """Only the header of a real checkpoint says that a file is one: a label may say the same words."""
    file = tmp_path / "h.json"
    text = '{"incidences": [{"edge": "hyloop checkpoint", "node": "a"}, {"edge": "hyloop checkpoint", "node": "b"}]}'
    file.write_text(text, encoding="utf-8")
    with pytest.raises(HyloopError, match="not a checkpoint; it is not overwritten"):
        hyloop.run("levels", hyloop.read(file), source="a", checkpoint=file)
    assert file.read_text(encoding="utf-8") == text


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_run(tmp_path, monkeypatch):
    """A full disk, say: the run continues, with a warning, and the previous checkpoint is kept."""
    h = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"], ["c", "d"]])

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(checkpoint, "write_whole", full)
    with pytest.warns(hyloop.HyloopWarning, match="No space left on device.*The run continues"):
        found = hyloop.run("levels", h, source="a", checkpoint=tmp_path / "c", every=0)
    assert found["level"] == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_streams_that_take_too_much_memory_are_told_before_they_are_read(tmp_path, monkeypatch):
    entries = [Entry("a", {"b": 2})] * 1000
    write_checkpoint(tmp_path / "c", Checkpoint("0" * 64, "1" * 64, 3, np.zeros((2, 2)), {"rows": entries}))
    assert len(read_checkpoint(tmp_path / "c").streams["rows"]) == 1000
    monkeypatch.setattr(checkpoint, "MOST_STREAMS", 100_000)
    with pytest.raises(HyloopError, match=r"streams of this checkpoint are too large: .* memory"):
        read_checkpoint(tmp_path / "c")


def test_a_checkpoint_of_another_format_is_refused_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "FORMAT", 1)
    write_checkpoint(tmp_path / "old.ckpt", Checkpoint("0" * 64, "0" * 64, 3, np.zeros((2, 2)), {}))
    monkeypatch.undo()
    with pytest.raises(HyloopError, match=r"of format 1; this hyloop reads format 3\. Run it again"):
        read_checkpoint(tmp_path / "old.ckpt")


def test_directions_are_part_of_the_input():
    """A run on a hypergraph is not resumed on its mirror image, nor on the same without directions."""
    arcs = hyloop.Hypergraph.from_arcs({"e": (["a"], ["b"])})
    mirrored = hyloop.Hypergraph.from_arcs({"e": (["b"], ["a"])}, vertices=["a", "b"])
    plain = hyloop.Hypergraph.from_hyperedges({"e": ["a", "b"]})
    hashes = [input_hash(h, [1], {}) for h in (arcs, mirrored, arcs.ignoring_direction(), plain)]
    assert len(set(hashes[:3])) == 3
    assert hashes[2] == hashes[3]


def test_large_states_are_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "PACKED", 100)
    X = np.arange(60, dtype=np.float64).reshape(20, 3)
    write_checkpoint(tmp_path / "c", Checkpoint("0" * 64, "1" * 64, 3, X, {}))
    found = read_checkpoint(tmp_path / "c")
    assert np.array_equal(found.X, X)
    monkeypatch.setattr("hyloop.memory.free_bytes", lambda: 10)
    monkeypatch.setattr("hyloop.memory.SMALL", 10)
    with pytest.raises(HyloopError, match="the state of this checkpoint takes about"):
        read_checkpoint(tmp_path / "c")
    monkeypatch.undo()
    data = bytearray((tmp_path / "c").read_bytes())
    data[-5] ^= 1
    (tmp_path / "c").write_bytes(data)
    with pytest.raises(HyloopError, match="damaged"):
        read_checkpoint(tmp_path / "c")


def test_a_run_is_resumed_from_a_packed_state(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "PACKED", 100)
    h = hyloop.Hypergraph.from_hyperedges([[n, n + 1] for n in range(12)])
    whole = hyloop.run("dijkstra", h, source=0, checkpoint=tmp_path / "c", every=0)
    assert hyloop.run("dijkstra", h, source=0, resume=tmp_path / "c") == whole


def test_the_hash_is_of_one_document():
    """The same as of the whole text at once: checkpoints of earlier versions are resumed."""
    h = hyloop.Hypergraph.from_hyperedges({"é": ["a", 1], 2: ["b"]}, weights=[1, 5])
    words = [[["str", "a"], ["int", 1], ["str", "b"]], [["str", "é"], ["int", 2]], ["1", "5"], [["s", 3]]]
    arrays = b"".join(part.tobytes() for part in (h.incidence.indptr, h.incidence.indices))
    expected = hashlib.sha256(json.dumps(words).encode() + arrays).hexdigest()
    assert input_hash(h, (1, 5), {"s": 3}) == input_hash(h, np.array([1, 5]), {"s": 3}) == expected


def test_writing_takes_at_most_half_of_the_time(tmp_path, monkeypatch):
    clock = iter(range(10, 1000, 10))  # every look at the clock is 10 seconds later
    monkeypatch.setattr(checkpoint.time, "monotonic", lambda: next(clock))
    writer = CheckpointWriter(tmp_path / "c", "", "", every=1, last=0.0)
    assert writer.due
    writer.keep(np.zeros((2, 2)), 1, {})
    assert writer.took == 10
    writer.took = 25.0
    assert [writer.due, writer.due, writer.due] == [False, False, True]
    assert CheckpointWriter(tmp_path / "c", "", "", every=0, took=1e9).due


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
def test_a_callback_that_raises_leaves_a_checkpoint(tmp_path, raised):
    h = hyloop.Hypergraph.from_hyperedges([[n, n + 1] for n in range(300)])

    def progress(iteration):
        raise raised

    path = tmp_path / "c"
    with pytest.raises(raised):
        hyloop.run("dijkstra", h, source=0, checkpoint=path, progress=progress)
    assert hyloop.run("dijkstra", h, source=0, resume=path) == hyloop.run("dijkstra", h, source=0)
