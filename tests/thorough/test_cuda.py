"""All algorithms, random programs and changed weights through the generator of GPU code, in lock-step on the CPU."""

import platform
import random
from dataclasses import replace

import numpy as np
import pytest

import hyloop
from compiler.random_programs import array_inputs_for, drawn, inputs_for, program_of
from effort import every, share
from execute.cuda.lockstep import LONG, cases, compared, needs_compiler, packed
from hyloop import Capacity, HyloopError, HypergraphBatch
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.cuda.launch import Launch
from hyloop.execute.cuda.machines import Cpu, LockStep
from hyloop.execute.cuda.session import start
from hyloop.execute.cuda.source import INEXACT
from hyloop.execute.prepare import encoded, prepare
from hyloop.fitting import compiled
from hyloop.lang import LanguageError
from hyloop.machine.model import vouched
from hyloop.samples import hypergraphs

pytestmark = needs_compiler

SHAPES = {
    "a warp": [(32, 32, 1), (64, 32, 2)],
    "a warp of four rows a thread": [(128, 32, 4)],
    "a block": [(64, 64, 1)],
    "a block of two rows a thread": [(128, 64, 2)],
}
LARGE = [(4096, 1024, 4)]  # for models that need many rows


# Each algorithm in each shape; the first of every four is another shape from algorithm to algorithm.
PAIRS = [(name, list(SHAPES)[(at + n) % 4]) for at, name in enumerate(ALGORITHMS) for n in range(4)]


@pytest.mark.parametrize(("name", "shape"), every(4, PAIRS))
def test_every_algorithm_in_every_shape(name, shape):
    program = ALGORITHMS[name].program
    model = compiled(program, Capacity(40, 200))
    shapes = SHAPES[shape] if model.layout.least <= 64 else LARGE
    launch = compared(model, cases(program, 40), shapes=shapes, optimise=1)
    assert (launch.bits, launch.misguessed) == (32 if model.certificate.largest < 2**30 else 64, 0)


@pytest.mark.parametrize("name", every(3, ALGORITHMS))
def test_every_algorithm_in_64_bits_and_without_the_guess(name):
    program = ALGORITHMS[name].program
    model = compiled(program, Capacity(40, 200))
    given = cases(program, 40, seed=2)
    compared(model, given, guess=False, optimise=1)
    wide = vouched(replace(model, certificate=replace(model.certificate, largest=2**40)), "compiled")
    assert compared(wide, given, optimise=1).bits == 64


@pytest.mark.parametrize("name", every(4, ALGORITHMS))
def test_every_algorithm_as_a_session(name):
    program = ALGORITHMS[name].program
    model = compiled(program, None)
    for given in cases(program, 24, rows=8, seed=3)[::4]:
        ready = encoded(model, given)
        ours, theirs = start(model, ready.X, ready.incidence, machine=LockStep(1)), ready.start("cpu")
        for stride in (1, 1, 2, LONG):
            ours.advance(stride)
            theirs.advance(stride)
            assert np.array_equal(ours.state(), theirs.state())
            assert ours.iterations().tolist() == theirs.iterations().tolist()


def given_to(program, seed, inputs):
    draw, found = random.Random(seed), []
    for h, _ in zip(hypergraphs(seed, vertices=9, hyperedges=9, directed=seed % 2 == 1), range(30), strict=False):
        values = inputs(h, draw)
        if values is not None:
            found.append(prepare(program, h, values))
    return found


@pytest.mark.parametrize("seed", every(4, range(61)))
def test_random_programs(seed):
    arrays = seed % 3 == 0
    try:
        program = program_of(drawn(seed, 40, every=True), before=seed % 5, arrays=arrays, infinite=seed % 2 == 0)
        model = compiled(program, Capacity(12, 60))
    except LanguageError as wrong:
        pytest.skip(str(wrong))
    except HyloopError as wrong:
        pytest.skip(f"it has no model: {wrong}")
    given = [each for each in given_to(program, seed, array_inputs_for if arrays else inputs_for) if fits(model, each)]
    if not given:
        pytest.skip("no hypergraph fits it")
    compared(model, given, **({"shapes": SHAPES[list(SHAPES)[seed % 4]]} if model.layout.least <= 64 else {}))


def fits(model, given):
    try:
        encoded(model, given)
    except HyloopError:
        return False
    return True


@pytest.mark.parametrize("seed", every(4, range(32)))
def test_changed_weights(seed):
    """A model with a hidden weight changed does something else, and the same here as on the cpu."""
    rng = np.random.default_rng(seed)
    name = list(ALGORITHMS)[int(rng.integers(len(ALGORITHMS)))]
    program = ALGORITHMS[name].program
    model = compiled(program, Capacity(40, 200))
    at = int(rng.choice([n for n, each in enumerate(model.layers) if each.mlp.width]))
    changed = vouched(
        replace(
            model,
            layers=tuple(_changed(e, rng) if n == at else e for n, e in enumerate(model.layers)),
            certificate=replace(model.certificate, largest=2**40),
        ),
        "compiled",
    )
    given = cases(program, 30, rows=8, seed=4)
    batch, inputs = packed(changed, given)
    for iterations in (1, 2, 4):
        launch = Launch(changed, LockStep(), whole=True)
        ran = launch.run(batch, inputs, np.full(len(batch), iterations))
        for place, each in enumerate(given):
            session = encoded(changed, each).start("cpu")
            session.advance(iterations)
            X = session.state()
            if ran.status[place] == INEXACT or np.abs(X).max() > 2**40:
                continue
            found = ran.state[ran.state_at[place] : ran.state_at[place + 1]].reshape(len(model.layout), len(X)).T
            assert np.array_equal(found, X), (name, iterations, place)
            assert ran.iterations[place] == session.iterations()[0]


def _changed(layer, rng):
    """Another integer for one of the weights of the MLP that are not 0."""
    weights = [each.copy() for each in layer.mlp.weights]
    sizes = [len(np.argwhere(each)) for each in weights]
    which = int(rng.choice(np.flatnonzero(sizes)))
    row, column = np.argwhere(weights[which])[int(rng.integers(sizes[which]))]
    weights[which][row, column] = int(
        rng.choice([each for each in (-2, -1, 0, 1, 2) if each != weights[which][row, column]])
    )
    return replace(layer, mlp=replace(layer.mlp, weights=tuple(weights)))


FLAGS = {"this CPU": ("-march=native",), "no AVX-512": ("-march=native", "-mno-avx512f"), "any CPU": ()}


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("name", share(ALGORITHMS, "dijkstra", "scc", "path_counts"))
def test_algorithms_in_the_vectors_of_a_cpu(name, flags):
    if flags == "no AVX-512" and platform.machine() not in {"x86_64", "AMD64"}:
        pytest.skip("another kind of CPU has no such flag")
    program = ALGORITHMS[name].program
    model = compiled(program, Capacity(40, 200))
    machine = Cpu()
    machine.flags = ("-O1", *FLAGS[flags])
    for shape in ("a warp", "a warp of four rows a thread"):
        shapes = SHAPES[shape] if model.layout.least <= SHAPES[shape][-1][0] else LARGE
        compared(model, cases(program, 40, seed=3), machine=machine, shapes=shapes)


def test_tensors_in_and_out_without_a_copy():
    torch = pytest.importorskip("torch")
    batch = HypergraphBatch.random(5, seed=1, vertices=(3, 6))
    names = ("vertices", "hyperedges", "member_at", "member", "weight")
    tensors = {name: torch.from_numpy(getattr(batch, name).copy()) for name in names}
    taken = HypergraphBatch.from_arrays(**tensors)
    assert all(np.shares_memory(getattr(taken, name), tensor.numpy()) for name, tensor in tensors.items())
    found = hyloop.run_many("levels", taken, backend="cpu", source=torch.tensor([1, 2, 3, 1, 2]))
    same = hyloop.run_many("levels", batch, backend="cpu", source=[1, 2, 3, 1, 2])
    level = torch.from_dlpack(found.array("level"))
    assert level.tolist() == same.array("level").tolist()
    assert level.data_ptr() == found.array("level").ctypes.data
