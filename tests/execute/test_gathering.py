"""Streams as columns: the same, whoever gathers them."""

import numpy as np
import pytest

import hyloop
from hyloop.errors import ModelError
from hyloop.execute import decode
from hyloop.execute.cpu.native import gather
from hyloop.execute.gathering import Gathered, Gathering, Wanted
from hyloop.execute.prepare import program_of
from hyloop.lang import Count, Flag, Hyperedge, Outputs, algorithm, stream

RNG = np.random.default_rng(7)
H = hyloop.Hypergraph.from_hyperedges(
    [RNG.choice(20, RNG.integers(1, 5), replace=False).tolist() for _ in range(17)], vertices=range(21)
)


@algorithm
def two_streams(h):
    """For every hyperedge its overlaps and its vertices."""
    edge, overlap, members = h.state(Hyperedge), h.hyperedges.state(Count, 0), h.vertices.state(Flag, False)
    edge.assign(h.hyperedges.first)
    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        loop.stop_when(edge.is_none)
        members.assign(h.members(edge))
        overlap.assign(h.incidence.T @ h.members(edge))
        edge.assign(edge + 1)
    return Outputs(overlap=stream(overlap, of=edge), members=stream(members, of=edge))


class Few:
    """A session that gathers for a while."""

    def __init__(self, session, times):
        self.session, self.times = session, times

    def __getattr__(self, name):
        return getattr(self.session, name)

    def gather(self, wanted, most):
        self.times -= 1
        return self.session.gather(wanted, min(most, 3)) if self.times >= 0 else []


@pytest.mark.parametrize("space", [1, 5, 2**16])
@pytest.mark.parametrize("name", ["projection", "all-pairs", two_streams])
def test_the_same_as_the_interpreter(name, space, monkeypatch):
    monkeypatch.setattr(gather, "SPACE", space)
    expected, found = hyloop.run(name, H, backend="interpreter"), hyloop.run(name, H)
    assert found.streams == expected.streams
    for each in expected:
        assert [part.tolist() for part in found.pairs(each)] == [part.tolist() for part in expected.pairs(each)]


@algorithm
def overlaps_and_seen(h):
    """A stream, and an array that changes with it."""
    edge, overlap = h.state(Hyperedge), h.hyperedges.state(Count, 0)
    often = h.vertices.state(Count, 0)
    edge.assign(h.hyperedges.first)
    with h.loop(at_most=h.hyperedges.count + 1) as loop:
        loop.stop_when(edge.is_none)
        overlap.assign(h.incidence.T @ h.members(edge))
        often.assign(often + 1, where=h.members(edge))
        edge.assign(edge + 1)
    return Outputs(overlap=stream(overlap, of=edge), often=often)


@pytest.mark.parametrize("engine", ["native", "quiet"])
@pytest.mark.parametrize("name", ["projection", overlaps_and_seen])
def test_checkpoints_of_a_run_that_streams(name, engine, monkeypatch, tmp_path):
    """With sleeping rows, changes that were told to what reads streams were missing in checkpoints and outputs."""
    monkeypatch.setenv("HYLOOP_CPU_ENGINE", engine)
    h = hyloop.Hypergraph.from_hyperedges(
        [RNG.choice(90, RNG.integers(1, 5), replace=False).tolist() for _ in range(300)], vertices=range(90)
    )
    expected, file, kept = hyloop.run(name, h, backend="interpreter"), tmp_path / "now", []

    def keep(_):
        if file.exists():
            kept.append(tmp_path / str(len(kept)))
            kept[-1].write_bytes(file.read_bytes())

    assert dict(hyloop.run(name, h, checkpoint=file, every=0, progress=keep)) == dict(expected)
    assert len(kept) > 1
    for each in kept:
        assert dict(hyloop.run(name, h, resume=each)) == dict(expected)


@pytest.mark.parametrize("times", [0, 2])
def test_a_session_that_stops_gathering(times, monkeypatch):
    start = decode.Gathering
    monkeypatch.setattr(decode, "Gathering", lambda session, wanted: start(Few(session, times), wanted))
    expected = hyloop.run("projection", H, backend="interpreter")
    assert hyloop.run("projection", H).streams == expected.streams


def test_a_wrong_number_says_its_row():
    gathered = Gathered(np.array([1.0, 2.0]), np.array([1, 3]), np.array([4, 0, 6]), np.array([1.0, 2.0, -3.0]))
    collector = decode.Collector(program_of("projection"), H)
    with pytest.raises(ModelError, match="-3 for overlap at row 7"):
        collector.add("overlap", gathered, H.counts)


def test_what_an_iteration_is_about():
    session = type(
        "Still", (), {"state": lambda _: np.array([[2.0, 0], [0, 5], [0, 9]]), "halted": lambda _: [False]}
    )()
    done = iter([0, 0, 0, 1, 1])
    session.iterations, session.advance = lambda: [next(done)], lambda _: None
    gathering = Gathering(session, [Wanted(0, 1, 2, 9)])
    gathering.advance(1)
    [[found]] = gathering.taken()
    assert (found.about.tolist(), found.ends.tolist(), found.places.tolist()) == ([2], [1], [0])
    assert gathering.taken() == []
