"""The session: batches, refusals, engines, interruption, and compiled code on disk."""

import os
import signal
import subprocess
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import commands
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.errors import HyloopWarning, ModelError
from hyloop.execute import cpu, dense
from hyloop.execute.cpu import engines
from hyloop.execute.cpu.engine_numpy import NumpyEngine
from hyloop.execute.cpu.plan import plan_for
from hyloop.execute.encode import Frame, batch, encode, pad
from hyloop.execute.loop import finish
from hyloop.hypergraph import Hypergraph
from hyloop.machine.model import Capacity

MODEL = compile_program(ALGORITHMS["dijkstra"].program)
GRAPHS = [
    Hypergraph.from_hyperedges([[1, 2], [2, 3], [3, 4], [5]], vertices=range(1, 6)),
    Hypergraph.from_hyperedges([], vertices=range(1, 4)),
    Hypergraph.from_hyperedges([[1, 2, 3], [3, 4, 5, 6], [6, 7], [7, 8], [8, 9]], vertices=range(1, 10)),
]


def frame_of(h):
    return Frame(len(h.vertices), len(h.hyperedges), (1,) * len(h.hyperedges), {"source": 1})


def a_batch():
    X = batch(MODEL, [frame_of(h) for h in GRAPHS])
    return X, [pad(MODEL, h, X.shape[1]) for h in GRAPHS]


def a_chain(length):
    h = Hypergraph.from_hyperedges([[j, j + 1] for j in range(1, length)], vertices=range(1, length + 1))
    return encode(MODEL, frame_of(h)), pad(MODEL, h, length + 1)


class TestBatch:
    def test_each_item_halts_by_itself(self, engine, same):
        runs = same(MODEL, *a_batch(), engine)
        counts = runs.fast.iterations().tolist()
        assert len(set(counts)) > 1
        assert runs.fast.halted().all()

    def test_an_item_that_has_halted_stays_as_it_is(self, engine):
        run = cpu.start(MODEL, *a_batch(), engine=engine)
        finish(run, 100)
        state, counts = run.state(), run.iterations().tolist()
        run.advance(5)
        assert np.array_equal(run.state(), state)
        assert run.iterations().tolist() == counts

    def test_what_was_given_is_not_changed_and_a_state_is_a_copy(self, engine):
        X, A = a_chain(9)
        before = X.copy()
        run = cpu.start(MODEL, X, A, engine=engine)
        run.advance(2)
        run.state()[:] = 99
        assert (run.state() != 99).any()
        assert np.array_equal(X, before)

    def test_no_iteration_at_all(self, engine):
        X, A = a_chain(9)
        run = cpu.start(MODEL, X, A, engine=engine)
        run.advance(0)
        assert np.array_equal(run.state(), X)
        assert run.iterations().tolist() == [0]
        run.close()


class TestRefusals:
    def test_the_same_as_of_dense(self):
        X, A = a_chain(4)
        for wrong in ((X[:, 1:], A), (X[np.newaxis], [A, A]), (X[1:], A)):
            with pytest.raises(ModelError) as ours:
                cpu.start(MODEL, *wrong)
            with pytest.raises(ModelError) as theirs:
                dense.start(MODEL, *wrong)
            assert str(ours.value) == str(theirs.value)

    def test_fewer_than_no_iterations(self, engine):
        with pytest.raises(ModelError, match="cannot advance by -1"):
            cpu.start(MODEL, *a_chain(4), engine=engine).advance(-1)

    def test_an_unknown_engine(self):
        with pytest.raises(ModelError, match="There is no engine 'steam'; there are native, numpy"):
            cpu.start(MODEL, *a_chain(4), engine="steam")


class TestEngines:
    def test_the_environment_names_one(self, monkeypatch):
        monkeypatch.setenv("HYLOOP_CPU_ENGINE", "numpy")
        run = cpu.start(MODEL, *a_chain(4))
        assert isinstance(run._items[0]._engine, NumpyEngine)

    def test_without_llvmlite_it_is_numpy_and_that_is_told_once(self, monkeypatch):
        monkeypatch.delenv("HYLOOP_CPU_ENGINE", raising=False)
        monkeypatch.setattr(engines, "unusable", lambda: "ImportError: not here")
        engines._say_once.cache_clear()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            runs = [cpu.start(MODEL, *a_chain(4)) for _ in range(3)]
        assert all(isinstance(run._items[0]._engine, NumpyEngine) for run in runs)
        assert [each.category for each in told] == [HyloopWarning]
        assert "llvmlite 0.45 or later" in str(told[0].message)
        assert "ImportError: not here" in str(told[0].message)

    @pytest.mark.parametrize("wrong", [RuntimeError("LLVM IR parsing error\nline 6"), AttributeError("no such name")])
    def test_where_native_code_cannot_be_made_it_is_numpy(self, monkeypatch, wrong, tmp_path):
        """As with llvmlite 0.43 and 0.44, which do not read the text."""
        library = pytest.importorskip("hyloop.execute.cpu.native.library")
        pytest.importorskip("llvmlite")
        monkeypatch.delenv("HYLOOP_CPU_ENGINE", raising=False)
        monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "empty"))

        def broken(_):
            raise wrong

        monkeypatch.setattr(library, "compiled", broken)
        library.library.cache_clear()
        engines._say_once.cache_clear()
        with pytest.warns(HyloopWarning, match=str(wrong).splitlines()[0]):
            run = cpu.start(MODEL, *a_chain(4))
        assert isinstance(run._items[0]._engine, NumpyEngine)
        expected = dense.start(MODEL, *a_chain(4))
        for each in (run, expected):
            each.advance(100)
        assert np.array_equal(run.state(), expected.state())
        with pytest.raises(ModelError, match="native engine needs llvmlite"):
            cpu.start(MODEL, *a_chain(4), engine="native")

    def test_the_oldest_llvmlite_is_the_one_that_is_declared(self):
        declared = (Path(__file__).parents[3] / "pyproject.toml").read_text()
        assert f'"llvmlite>={engines.OLDEST}"' in declared

    @pytest.mark.parametrize(
        ("version", "usable"), [("0.43.0", False), ("0.44.0rc1", False), ("0.45.0", True), ("1.0", True)]
    )
    def test_an_older_one_is_not_tried(self, version, usable, monkeypatch):
        library = pytest.importorskip("hyloop.execute.cpu.native.library")
        pytest.importorskip("llvmlite")
        monkeypatch.setattr(library, "_version", lambda: version)
        assert (library.unusable.__wrapped__() is None) == usable

    def test_an_engine_that_makes_no_progress_is_an_error(self, engine, monkeypatch):
        run = cpu.start(MODEL, *a_chain(4), engine=engine)
        monkeypatch.setattr(run._items[0]._engine, "run", lambda _: None)
        with pytest.raises(ModelError, match="no progress after iteration 0"):
            run.advance(3)

    def test_nothing_is_known_of_the_program(self):
        """The plan of a model whose words are all taken away is the same."""
        X, _ = a_chain(5)
        bare = type(MODEL)(
            "bare",
            MODEL.layout,
            tuple(type(layer)(tuple(type(h)(h.kind, h.query, h.key, h.value) for h in layer.heads), layer.mlp)
                  for layer in MODEL.layers),
            MODEL.capacity,
        )  # fmt: skip
        assert plan_for(bare, X).layers == plan_for(MODEL, X).layers

    def test_dijkstra_needs_no_slow_head(self):
        plan = plan_for(MODEL, a_chain(5)[0])
        assert not any(layer.slow for layer in plan.layers)
        assert sum(len(layer.scans) for layer in plan.layers) == 2


def test_an_interruption_is_noticed_soon_and_loses_nothing(engine):
    X, A = a_chain(30_000)
    run = cpu.start(MODEL, X, A, engine=engine)
    run.advance(5)
    begun = time.monotonic()
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run.advance(10**9)
    assert time.monotonic() - begun < 2
    again = cpu.start(MODEL, X, A, engine=engine)
    again.advance(int(run.iterations()[0]))
    assert np.array_equal(again.state(), run.state())


class TestKeptCode:
    @pytest.fixture
    def kept(self, tmp_path, monkeypatch):
        """A folder for compiled code, and a process that has compiled nothing yet."""
        library = pytest.importorskip("hyloop.execute.cpu.native.library")
        pytest.importorskip("llvmlite")
        monkeypatch.setenv("HYLOOP_CACHE", str(tmp_path / "kept"))
        library.library.cache_clear()
        compilations = []
        compiled = library.compiled
        monkeypatch.setattr(library, "compiled", lambda text: compilations.append(1) or compiled(text))
        yield tmp_path / "kept", compilations, library
        library.library.cache_clear()

    def run(self):
        run = cpu.start(MODEL, *a_chain(9), engine="native")
        run.advance(100)
        return run.state()

    def test_it_is_compiled_once(self, kept):
        folder, compilations, library = kept
        first = self.run()
        (file,) = folder.iterdir()
        library.library.cache_clear()
        assert np.array_equal(self.run(), first)
        assert (len(compilations), list(folder.iterdir())) == (1, [file])

    @pytest.mark.parametrize("damage", [b"", b"short", None])
    def test_a_damaged_file_is_made_again(self, kept, damage):
        folder, compilations, library = kept
        first = self.run()
        (file,) = folder.iterdir()
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if damage is None else damage)
        library.library.cache_clear()
        assert np.array_equal(self.run(), first)
        assert len(compilations) == 2
        assert file.read_bytes() == whole

    def test_another_model_has_another_file(self, kept):
        folder, compilations, _ = kept
        self.run()
        other = compile_program(ALGORITHMS["dijkstra"].program, Capacity(10, 10))
        cpu.start(other, *a_chain(5), engine="native")
        assert len(list(folder.iterdir())) == len(compilations) == 2

    def test_a_model_with_two_names_swapped_is_another_model(self, kept):
        """The weights and the halt column's name are the same; its number, which the code has, is not."""
        folder, compilations, library = kept
        layout = MODEL.layout
        other = next(c.name for c in layout.columns if c.scope == "global" and c.name != layout.halt)
        swap = {layout.halt: other, other: layout.halt}
        columns = tuple(replace(c, name=swap.get(c.name, c.name)) for c in layout.columns)
        swapped = replace(MODEL, layout=replace(layout, columns=columns))
        assert swapped.layout.number(layout.halt) != layout.number(layout.halt)
        cpu.start(swapped, *a_chain(9), engine="native").advance(1)
        library.library.cache_clear()
        expected = dense.start(MODEL, *a_chain(9))
        expected.advance(100)
        assert np.array_equal(self.run(), expected.state())
        assert len(list(folder.iterdir())) == len(compilations) == 2

    def test_another_cpu_or_llvmlite_has_another_file(self, kept, monkeypatch):
        _, _, library = kept
        before = library._key("text")
        assert library._key("other text") != before
        for name in ("_features", "_version"):
            with monkeypatch.context() as patch:
                patch.setattr(library, name, lambda: "another")
                assert library._key("text") != before

    def test_a_folder_that_cannot_be_written_is_not_needed(self, kept):
        folder, _, _ = kept
        folder.write_text("a file, where the folder should be")
        with pytest.warns(HyloopWarning, match="is no folder"):
            self.run()

    def test_another_process_finds_it(self, kept):
        folder, _, _ = kept
        self.run()
        script = (
            "from hyloop.execute.cpu.native import library\n"
            "def never(text): raise AssertionError\n"
            "library.compiled = never\n"
            "import hyloop\n"
            "from hyloop.execute import cpu\n"
            "from hyloop.execute.encode import Frame, encode, pad\n"
            "h = hyloop.Hypergraph.from_hyperedges([[1, 2]])\n"
            "model = hyloop.compile('dijkstra')\n"
            "X = encode(model, Frame(2, 1, (1,), {'source': 1}))\n"
            "run = cpu.start(model, X, pad(model, h, 3), engine='native')\n"
            "run.advance(9)\n"
            "assert run.halted().all()\n"
        )
        subprocess.run([*commands.python(), "-c", script], check=True, env=os.environ | {"HYLOOP_CACHE": str(folder)})
