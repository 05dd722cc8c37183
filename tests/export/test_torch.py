"""The PyTorch module computes what dense computes, bit for bit; hooks, gradients, batches and files work as usual."""

import copy
import io
import pickle
import sys
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import hyloop
from algorithm_inputs import WIDE
from effort import sample
from hyloop.algorithms import ALGORITHMS
from hyloop.compiler.compile import compile_program
from hyloop.errors import CapacityError, HyloopError, ModelError
from hyloop.execute import dense
from hyloop.execute.prepare import encoded_batch, given_to, program_of
from hyloop.execute.session import IterationLimitError
from hyloop.export import to_torch
from hyloop.lang import Count, Length, Outputs, algorithm, smaller
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layer import Head, Layer, Mlp
from hyloop.machine.layout import STANDARD, Column, Fill, Layout
from hyloop.machine.model import Capacity, Model
from hyloop.machine.positions import Parabola
from hyloop.memory import NotEnoughMemoryError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")

HARBOUR = hyloop.Hypergraph.from_hyperedges(
    {"ferry": list("QIC"), "launch": list("QM"), "mail": list("MIL"), "dinghy": list("LC"), "barge": list("CD")},
    vertices=list("QMILCDW"),
    weights={"ferry": 4, "launch": 1.5, "mail": 2, "dinghy": 0.5, "barge": 3},
)
PATH = hyloop.Hypergraph.from_hyperedges([["a", "b"], ["b", "c"]])
TINY = Capacity(rows=8, weight=8)
EVERY = [
    *((name, "float64", "packed") for name in sample(ALGORITHMS)),
    *((name, "float32", "packed") for name in sample(ALGORITHMS) if name not in WIDE),
    *((name, "float64", "one operation per layer") for name in ("dijkstra", "helly")),
]


@pytest.fixture
def dijkstra(compiled):
    return to_torch(compiled("dijkstra"))


@pytest.fixture
def exactly():
    """Puts PyTorch's precision of products back."""
    yield
    torch.set_float32_matmul_precision("highest")


# -- the same numbers


@pytest.mark.parametrize("which", EVERY, ids=" ".join)
def test_states_equal_dense_after_every_iteration(compiled, some, which):
    """In a batch of different sizes with padding, where each item halts when it does."""
    model = compiled(*which)
    inputs = some(model, 40, padding=2)
    module = to_torch(model)
    session = dense.start(model, inputs.X, inputs.incidences)
    for found in module.iterate(*module.tensors(inputs.X, inputs.incidences), limit=inputs.limit):
        assert found.X.dtype == getattr(torch, model.dtype)
        assert np.array_equal(found.X.numpy(), session.state())
        assert np.array_equal(found.iterations.numpy(), session.iterations())
        assert np.array_equal(found.halted.numpy(), session.halted())
        session.advance(1)
    assert session.halted().all()
    assert found.halted.all()
    assert len(set(found.iterations.tolist())) > 1


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_results_of_a_batch_equal_those_of_each_alone(compiled, some, name):
    model = compiled(name)
    pairs = some(model, 12, seed=5).pairs
    for (h, inputs), found in zip(pairs, to_torch(model).run(pairs), strict=True):
        alone = hyloop.run(model, h, backend="dense", **inputs)
        for part in ("vertices", "hyperedges", "scalars", "streams", "iterations", "halted"):
            assert getattr(found, part) == getattr(alone, part)


def random_model(rng):
    """Layers of small random integers: heads whose ties bring unequal values, and every kind of them."""
    layout = Layout((*STANDARD, Column("x", "array"), Column("halt", "global")), Parabola(), "halt")
    d = len(layout)

    def some(*shape):
        return rng.integers(-1, 2, shape).astype(float)

    def head(kind):
        return Head(kind, some(d, 2), some(d, 2), some(d, d))

    h = int(rng.integers(0, d + 1))
    mlp = Mlp((some(d, h), some(h, h), some(h, h), some(h, d)), names=tuple(f"u{i}" for i in range(h)))
    layer = Layer(tuple(head(kind) for kind in ("plain", "incidence", "transposed")), mlp)
    return Model("random", layout, (layer,), Capacity(10, 10))


def test_any_weights_and_ties_of_unequal_values():
    rng = np.random.default_rng(3)
    for _ in range(30):
        model = random_model(rng)
        X = rng.integers(0, 3, (5, len(model.layout))).astype(float)
        A = np.pad(rng.integers(0, 2, (4, 4)), ((1, 0), (1, 0))).astype(float)
        expected = dense.apply(model.layers[0], X[np.newaxis], _blocks(A))[0]
        found = to_torch(model).step(torch.tensor(X), torch.tensor(A)).numpy()
        # Averages need not be integers here, and sums of them depend on the order.
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def _blocks(A):
    vertex, hyperedge = np.nonzero(A)
    incidence = PaddedIncidence(len(A), vertex, hyperedge, A[vertex, hyperedge])
    return dense.Blocks.of([incidence], len(A), len(A), "float64")


def test_one_input_needs_no_batch(dijkstra):
    X, A = dijkstra.encode([HARBOUR], source="Q")
    batch, alone = dijkstra(X, A), dijkstra(X[0], A[0])
    assert torch.equal(alone.X, batch.X[0])
    assert alone.iterations == batch.iterations[0]
    assert torch.equal(dijkstra.step(X, A)[0], dijkstra.step(X[0], A[0]))


def test_a_limit_that_is_most_where_there_are_no_hyperedges():
    """The default limit is that of any hypergraph of so many rows, not that of the largest one."""

    @algorithm
    def count_down(h):
        c = h.state(Count, 0)
        with h.loop(at_most=h.vertices.count - h.hyperedges.count + 1) as loop:
            c.assign(c + 1)
            loop.stop_when(c == h.vertices.count - h.hyperedges.count)
        return Outputs(c=c)

    h = hyloop.Hypergraph.from_hyperedges([["a", "b"]], vertices=list("abcdefg"))
    module = to_torch(hyloop.compile(count_down, TINY))
    end = module(*module.encode([h]))
    expected = hyloop.run(count_down, h, backend="interpreter")
    assert (end.halted.tolist(), end.iterations.tolist()) == ([True], [expected.iterations])
    assert module.run(h)["c"] == hyloop.run(count_down, h, backend="torch")["c"] == expected["c"] == 6


def test_a_halted_item_stays_and_the_limit_holds(dijkstra):
    X, A = dijkstra.encode([HARBOUR, hyloop.Hypergraph.from_hyperedges({"e": ["Q"]})], source="Q")
    whole = dijkstra(X, A)
    assert whole.iterations.tolist() == [7, 3]
    again = dijkstra(whole.X, A)
    assert torch.equal(again.X, whole.X)
    assert again.iterations.tolist() == [0, 0]
    part = dijkstra(X, A, 4)
    assert part.iterations.tolist() == [4, 3]
    assert part.halted.tolist() == [False, True]
    rest = dijkstra(part.X, A)
    assert torch.equal(rest.X, whole.X)


def test_the_given_state_is_not_written_to(dijkstra):
    X, A = dijkstra.encode([HARBOUR], source="Q")
    before = X.clone()
    dijkstra.state.register_forward_hook(lambda *call: call[-1].zero_())
    dijkstra(X, A, 2)
    assert torch.equal(X, before)


def test_lesmis_among_others(compiled, shared):
    path = shared / "data" / "lesmis.hif.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not in the shared folder")
    h, model = hyloop.read(path), compiled("dijkstra")
    small = hyloop.Hypergraph.from_hyperedges([h.vertices[:2], h.vertices[1:3]])
    found = to_torch(model).run([small, h, (HARBOUR, {"source": "Q"})], source=h.vertices[0])
    assert found[1]["distance"] == hyloop.run("dijkstra", h, source=h.vertices[0])["distance"]
    assert found[0]["distance"] == hyloop.run("dijkstra", small, source=h.vertices[0])["distance"]
    assert found[2]["distance"] == hyloop.run("dijkstra", HARBOUR, source="Q")["distance"]


def test_as_a_backend(compiled, some):
    """The session is what `check` and `run` start, so they can have it among their backends."""
    from hyloop.export.session import start

    model = compiled("dijkstra")
    inputs = some(model, 10)
    batch = start(model, inputs.X, inputs.incidences)
    reference = dense.start(model, inputs.X, inputs.incidences)
    for chunk in (0, 1, 3, 100):
        for session in (batch, reference):
            session.advance(chunk)
        assert np.array_equal(batch.state(), reference.state())
        assert np.array_equal(batch.iterations(), reference.iterations())
        assert np.array_equal(batch.halted(), reference.halted())
    single = start(model, inputs.X[-1], inputs.incidences[-1])
    single.advance(2)
    assert single.state().shape == inputs.X[-1].shape
    assert single.memory() > 0
    with pytest.raises(ModelError, match="cannot advance by -1"):
        single.advance(-1)
    assert hyloop.run("dijkstra", HARBOUR, backend="torch", source="Q") == replace(
        hyloop.run("dijkstra", HARBOUR, source="Q"), backend="torch"
    )
    assert hyloop.check("dijkstra", HARBOUR, backend="torch", source="Q").agrees


# -- an ordinary module


def test_names_say_layer_head_and_variable(dijkstra):
    names = dict(dijkstra.named_modules())
    head = names["layer1.head1_edge_best"]
    assert head is dijkstra.layers[0].heads[0]
    assert (head.kind, head.implements[0].split()[0]) == ("plain", "edge")
    assert names["layer2.head1_members"].kind == "incidence"
    assert names["layer3.head1_containing_touching"].kind == "transposed"
    mlp = names["layer3.mlp"]
    assert len(mlp.units) == mlp.linear1.out_features
    assert all("." not in part for layer in dijkstra.layers for part in layer.names)


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_head_has_a_name_of_its_own(compiled, name):
    model = compiled(name, schedule="one operation per layer")
    module = to_torch(model)
    names = [name for name, part in module.named_modules() if type(part).__name__ == "Head"]
    assert len(names) == len(set(names)) == sum(len(layer.heads) for layer in model.layers)
    assert all(name.replace(".", "").isidentifier() for name in names)
    assert [head.purpose for layer in module.layers for head in layer.heads] == [
        head.purpose for layer in model.layers for head in layer.heads
    ]


def test_hooks_see_patterns_values_and_hidden_units(dijkstra):
    seen = {}

    def keep(name):
        return lambda *call: seen.setdefault(name, []).append(call[-1].clone())

    for name in ("state", "layer1.head1_edge_best.pattern", "layer1.head1_edge_best.value", "layer3.mlp.relu2"):
        dijkstra.get_submodule(name).register_forward_hook(keep(name))
    X, A = dijkstra.encode([HARBOUR], source="Q")
    found = dijkstra(X, A)
    iterations, K, d = int(found.iterations[0]), *X.shape[1:]
    assert len(seen["state"]) == iterations + 1
    assert torch.equal(seen["state"][0], X)
    assert torch.equal(seen["state"][-1], found.X)
    assert [each.shape for each in seen["layer1.head1_edge_best.pattern"]] == [(1, K, K)] * iterations
    assert seen["layer1.head1_edge_best.value"][0].shape == (1, K, d)
    assert seen["layer3.mlp.relu2"][0].shape == (1, K, len(dijkstra.layers[2].mlp.units))
    # In its second iteration every row looks at the launch, the boat with the least key.
    assert seen["layer1.head1_edge_best.pattern"][1][0].argmax(dim=1).tolist() == [2] * K


def test_a_variable_that_is_called_as_a_column_of_ours():
    @algorithm
    def twice(h):
        weight = h.hyperedges.state(Length, 0)
        weight.assign(h.weight + h.weight)
        with h.loop(at_most=1) as loop:
            loop.stop_when(True)
        return Outputs(weight=weight)

    module = to_torch(hyloop.compile(twice, Capacity(5, 5)))
    found = module(*module.encode([hyloop.Hypergraph.from_hyperedges([["x"], ["x"]], weights=[2, 3])]))
    assert found.X[0, 1:3, module.column("weight")].tolist() == [4, 6]


def test_a_hook_changes_a_variable_in_the_middle_of_a_run(dijkstra):
    """A boat whose key becomes infinite while it waits is never taken."""
    key, row, calls = dijkstra.column("key"), 1 + HARBOUR.hyperedge_number("mail"), []

    def cancel(module, given, output):
        calls.append(int(output[0, row, key]))
        if len(calls) == 3:
            output = output.clone()
            output[0, row, key] = dijkstra.model.infinity
        return output

    hook = dijkstra.state.register_forward_hook(cancel)
    patched = dijkstra.run(HARBOUR, source="Q")
    hook.remove()
    assert calls[2] == 7
    assert patched["distance"] != dijkstra.run(HARBOUR, source="Q")["distance"]
    rest = [e for e in HARBOUR.hyperedges if e != "mail"]
    weights = dict(zip(HARBOUR.hyperedges, HARBOUR.weights, strict=True))
    without = hyloop.Hypergraph.from_hyperedges(
        {e: HARBOUR.members_of(e) for e in rest}, vertices=HARBOUR.vertices, weights={e: weights[e] for e in rest}
    )
    assert patched["distance"] == hyloop.run("dijkstra", without, source="Q")["distance"]


def test_state_dict_copies_and_pickles(dijkstra, compiled):
    X, A = dijkstra.encode([HARBOUR], source="Q")
    expected = dijkstra(X, A).X
    file = io.BytesIO()
    torch.save(dijkstra.state_dict(), file)
    file.seek(0)
    other = to_torch(compiled("dijkstra"))
    with torch.no_grad():
        for weight in other.parameters():
            weight.zero_()
    assert not torch.equal(other.step(X, A), dijkstra.step(X, A))
    assert str(other.load_state_dict(torch.load(file, weights_only=True))) == "<All keys matched successfully>"
    assert torch.equal(other(X, A).X, expected)
    twin = copy.deepcopy(dijkstra)
    with torch.no_grad():
        twin.layers[0].heads[0].value.weight.zero_()
    assert torch.equal(dijkstra(X, A).X, expected)
    assert torch.equal(pickle.loads(pickle.dumps(dijkstra))(X, A).X, expected)
    assert sum(weight.numel() for weight in dijkstra.parameters()) == compiled("dijkstra").parameters


# -- exact or refused


def test_float32_is_refused_where_it_is_not_exact(compiled):
    with pytest.raises(ModelError, match=r"up to 9,007,[\d,]+; float32 is exact below 16,777,216"):
        to_torch(compiled("dijkstra"), dtype="float32")
    small = hyloop.compile("bfs", Capacity(rows=20, weight=1))
    assert small.certificate.largest < 2**24
    for module in (to_torch(small, dtype=torch.float32), to_torch(compiled("bfs", "float32"), dtype="float64")):
        assert module.run(PATH, source="a")["level"] == {"a": 0, "b": 1, "c": 2}
    assert next(to_torch(compiled("dijkstra"), dtype="float32", trainable=True).parameters()).dtype == torch.float32


def test_products_of_less_than_float32_are_refused(compiled, exactly):
    single, double = to_torch(compiled("bfs", "float32")), to_torch(compiled("bfs"))
    X, A = single.encode([PATH], source="a")
    single.step(X, A)
    for precision in ("high", "medium"):
        torch.set_float32_matmul_precision(precision)
        with pytest.raises(HyloopError, match=r"not exact: torch\.set_float32_matmul_precision"):
            single.step(X, A)
        double.step(X.double(), A.double())
    torch.set_float32_matmul_precision("highest")
    with torch.autocast("cpu", dtype=torch.bfloat16), pytest.raises(HyloopError, match="Autocast"):
        single.step(X, A)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"dtype": "float16"}, "computes in float64 or float32; not in float16"),
        ({"attention": "sparse"}, "hard or softmax; not 'sparse'"),
        ({"attention": "softmax"}, "needs a temperature above 0; given None"),
        ({"attention": "softmax", "temperature": 0}, "needs a temperature above 0; given 0"),
        ({"attention": "softmax", "temperature": "1"}, "needs a temperature above 0; given '1'"),
        ({"attention": "softmax", "temperature": True}, "needs a temperature above 0; given True"),
        ({"temperature": 1}, "A temperature is for softmax attention"),
        ({"device": "nowhere"}, "cannot put the module on the device 'nowhere'"),
    ],
)
def test_options_that_make_no_sense(compiled, options, sentence):
    with pytest.raises(HyloopError, match=sentence):
        to_torch(compiled("bfs"), **options)


def test_inputs_that_do_not_fit(dijkstra):
    X, A = dijkstra.encode([HARBOUR], source="Q")
    with pytest.raises(ModelError, match=r"must be K × 23, or a batch of such; given shape \(1, 8, 22\)"):
        dijkstra(X[..., :-1], A)
    with pytest.raises(ModelError, match=r"incidence of shape \(1, 7, 8\)"):
        dijkstra(X, A[:, 1:])
    with pytest.raises(ModelError, match=r"computes in torch.float64; it was given torch.float32"):
        dijkstra(X.float(), A)
    with pytest.raises(HyloopError, match="At least one hypergraph"):
        dijkstra.encode([])
    for limit in ("3", 2.0, float("nan")):
        with pytest.raises(HyloopError, match="The limit is a whole number of iterations"):
            dijkstra(X, A, limit=limit)
    with pytest.raises(HyloopError, match="device meta, which computes nothing"):
        to_torch(dijkstra.model).to("meta").run(HARBOUR, source="Q")
    assert dijkstra.run([]) == []
    small = to_torch(hyloop.compile("dijkstra", Capacity(rows=3, weight=3)))
    with pytest.raises(CapacityError, match="holds at most 3"):
        small.run(HARBOUR, source="Q")
    with pytest.raises(HyloopError, match="carries no program"):
        to_torch(random_model(np.random.default_rng(0)))(torch.zeros(2, 6).double(), torch.zeros(2, 2).double())


def test_a_run_that_does_not_halt(dijkstra):
    dijkstra.state.register_forward_hook(lambda *call: call[-1].index_fill(2, torch.tensor(dijkstra.halt), 0))
    with pytest.raises(IterationLimitError, match="did not stop within"):
        dijkstra.run(HARBOUR, source="Q")


def test_without_torch(compiled, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "hyloop.export.torch")
    with pytest.raises(HyloopError, match=r"needs PyTorch, which is not installed: pip install 'hyloop\[torch\]'"):
        to_torch(compiled("bfs"))


# -- the relaxation


def test_softmax_reaches_the_exact_states_as_the_temperature_falls():
    model = hyloop.compile("dijkstra", TINY)
    hard, soft = to_torch(model), to_torch(model, attention="softmax", temperature=1)
    X, A = hard.encode([HARBOUR], source="Q")
    exact = [found.X for found in hard.iterate(X, A)]
    errors = []
    for temperature in (1, 0.1, 0.05, 0.02, 0.001):
        soft.temperature = temperature
        states = [X]
        for _ in exact[1:]:
            states.append(soft.step(states[-1], A))
        errors.append(max(float((a - b).abs().max()) for a, b in zip(states, exact, strict=True)))
    assert errors[0] > 1
    assert errors[1:] == sorted(errors[1:], reverse=True)
    assert 0 < errors[3] < 1e-20
    assert errors[4] == 0
    # At the temperature that is exact the loop halts when it should, too.
    found = soft(X, A)
    assert torch.equal(found.X, exact[-1])
    assert int(found.iterations[0]) == len(exact) - 1


def test_gradients_flow_through_softmax_into_state_and_weights():
    model = hyloop.compile("dijkstra", TINY)
    soft = to_torch(model, attention="softmax", temperature=5.0, trainable=True)
    X, A = soft.encode([HARBOUR], source="Q")
    X.requires_grad_(True)
    found = soft(X, A, 3)
    found.X[0, 1:, soft.column("distance")].sum().backward()
    assert torch.isfinite(X.grad).all()
    assert X.grad[0, :, soft.column("weight")].any()
    head = soft.layers[0].heads[0]
    for weight in (head.query.weight, head.key.weight, head.value.weight, soft.layers[2].mlp.linear1.weight):
        assert torch.isfinite(weight.grad).all()
        assert weight.grad.any()
    hard = to_torch(model)
    assert not any(weight.requires_grad for weight in hard.parameters())


def test_an_item_that_has_halted_before_its_first_iteration_runs_none():
    model = hyloop.compile("bfs", TINY)
    columns = tuple(
        replace(each, initial=(*each.initial, Fill(1.0, "global"))) if each.name == model.layout.halt else each
        for each in model.layout.columns
    )
    halted = replace(model, layout=replace(model.layout, columns=columns))
    found = to_torch(halted).run(PATH, source="a")
    assert found.iterations == 0
    assert found == replace(hyloop.run(halted, PATH, source="a"), backend="torch")


def test_torch_func_differentiates_the_loop_as_autograd_does():
    soft = to_torch(hyloop.compile("bfs", TINY), attention="softmax", temperature=3.0)
    X, A = soft.encode([PATH], source="a")

    def total(X):
        return soft(X, A, 3).X.sum()

    functional = torch.func.grad(total)(X)
    X.requires_grad_(True)
    total(X).backward()
    assert functional.abs().sum() > 0
    assert torch.equal(functional, X.grad)


def test_gradients_of_a_soft_head_are_right():
    soft = to_torch(hyloop.compile("dijkstra", TINY), attention="softmax", temperature=3.0)
    X, A = soft.encode([PATH], source="a")
    torch.manual_seed(0)
    X = (X * 0.1 + torch.rand_like(X)).requires_grad_(True)
    for head in soft.layers[2].heads:
        assert torch.autograd.gradcheck(lambda X, head=head: head(X, A), X)


def test_training_moves_the_weights():
    """Gradient descent makes good some of the damage to a weight."""
    model = hyloop.compile("bfs", Capacity(rows=4, weight=1))
    soft = to_torch(model, attention="softmax", temperature=0.5, trainable=True)
    X, A = soft.encode([PATH], source="a")
    expected = soft.step(X, A).detach()
    weight = soft.layers[0].heads[0].value.weight
    with torch.no_grad():
        weight += 0.05 * (weight != 0)
    optimiser = torch.optim.SGD([weight], lr=1e-4)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        loss = (soft.step(X, A) - expected).square().sum()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


def test_results_are_not_read_from_soft_states():
    soft = to_torch(hyloop.compile("dijkstra", TINY), attention="softmax", temperature=1)
    with pytest.raises(HyloopError, match="read from exact states"):
        soft.run(HARBOUR, source="Q")
    with pytest.raises(HyloopError, match="Hard attention has no temperature"):
        to_torch(hyloop.compile("dijkstra", TINY)).temperature = 1


def test_results_of_a_changed_module_are_not_verified(compiled):
    def standing(module):
        return module.run(PATH, source="a").verified

    made = compiled("dijkstra")
    assert standing(to_torch(made)) == "compiled"
    edited = to_torch(made, trainable=True)
    with torch.no_grad():
        edited.layer2.head3_erase.value.weight[0, 0] += 1
    assert standing(edited.requires_grad_(False)) == "unverified"
    replaced = to_torch(made)
    replaced.layer1.mlp.relu1 = torch.nn.ReLU6()
    assert standing(replaced) == "unverified"
    hooked = to_torch(made)
    hook = hooked.layer1.register_forward_hook(lambda *_: None)
    assert standing(hooked) == "unverified"
    hook.remove()
    assert standing(hooked) == "compiled"
    assert standing(copy.deepcopy(hooked)) == standing(pickle.loads(pickle.dumps(hooked))) == "compiled"
    assert standing(hooked.train().eval()) == "compiled"


def test_a_part_that_computes_another_way_is_noticed(compiled):
    def wrong(own, X, A):
        return type(own).forward(own, X, A) * 2

    patched = to_torch(compiled("dijkstra"))
    assert patched.is_the_model()
    patched.layer2.forward = partial(wrong, patched.layer2)
    assert not patched.is_the_model()
    del patched.layer2.forward
    assert patched.is_the_model()
    patched.halt += 0
    assert patched.is_the_model()
    patched.halt = 0
    assert not patched.is_the_model()


def test_hooks_at_all_modules_there_are_are_noticed(compiled):
    module = to_torch(compiled("dijkstra"))
    hook = torch.nn.modules.module.register_module_forward_hook(lambda *_: None)
    try:
        assert module.run(PATH, source="a").verified == "unverified"
        with pytest.raises(HyloopError, match="hooks for all modules"):
            hyloop.run("dijkstra", PATH, source="a", backend="torch")
    finally:
        hook.remove()
    assert module.run(PATH, source="a").verified == "compiled"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_results_are_not_computed_in_a_dtype_that_rounds(dijkstra, dtype):
    with pytest.raises(HyloopError, match=r"not in torch|float32 is exact below"):
        dijkstra.to(getattr(torch, dtype)).run(PATH, source="a")


def test_too_few_rows_to_look_numbers_up_in_are_refused():
    @algorithm
    def squares(h):
        """A product, of numbers that are looked up in rows."""
        found = h.vertices.state(Count, 0)
        with h.loop(at_most=1) as loop:
            size = smaller(h.incidence @ h.hyperedges.every, 9)
            found.assign(size * size)
            loop.stop_when(True)
        return Outputs(found=found)

    module = to_torch(hyloop.compile(squares, TINY))
    X, A = module.encode([PATH])
    assert bool(module(X, A).halted.all())
    for run in (module, module.step):
        with pytest.raises(ModelError, match=f"needs at least {X.shape[1]} of them, with padding; given 4"):
            run(X[:, :4], A[:, :4, :4])


def test_objects_of_other_libraries_are_taken():
    nx = pytest.importorskip("networkx")
    module = to_torch(hyloop.compile("levels"))
    graph = nx.path_graph(4)
    assert module.run(graph, source=0)["level"] == {0: 0, 1: 1, 2: 2, 3: 3}
    assert [found["level"][3] for found in module.run([graph, (graph, {"source": 3})], source=0)] == [3, 0]
    with pytest.raises(HyloopError, match="hypergraph is needed"):
        module.run(7)
    with pytest.raises(HyloopError, match="hypergraph is needed"):
        module.run(["no hypergraph"], source=0)


def idle(h):
    x = h.vertices.state(Count, 3)
    with h.loop(at_most=4) as loop:
        loop.stop_when(False)
    return Outputs(x=x)


def test_a_model_whose_loop_changes_nothing():
    """It has no weights at all, and its module a number type and a device all the same."""
    model = compile_program(algorithm(idle).program)
    module = model.to_torch()
    looped = module(*module.encode([PATH]))
    assert not looped.halted.any()


def test_a_matrix_that_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    large = hyloop.Hypergraph.from_arrays([0, 20_000], [0, 0])
    monkeypatch.setattr(hyloop.memory, "free_bytes", lambda: 10**9)
    message = r"levels with a whole incidence matrix of 20,002 rows takes about 12\.8 GB .* The backend `cpu` takes"
    with pytest.raises(NotEnoughMemoryError, match=message):
        hyloop.run("levels", large, source=0, backend="torch")
    with pytest.raises(NotEnoughMemoryError, match=r"takes about 25\.6 GB"):
        to_torch(hyloop.compile("levels", Capacity(rows=30_000, weight=1))).encode([large, large], source=0)


def test_a_default_device_of_the_user_changes_nothing():
    """A module is made on the CPU, and moved by whoever wants it elsewhere."""
    h = hyloop.Hypergraph.from_hyperedges({"e": ["a", "b"], "f": ["b", "c"]})
    model = hyloop.compile("levels", Capacity(9, 9))
    with torch.device("meta"):
        assert hyloop.run(model, h, source="a", backend="torch")["level"] == {"a": 0, "b": 1, "c": 2}
        module, prepared = model.to_torch(), given_to(program_of(model), h, {"source": "a"})
        assert {each.device.type for each in (*module.parameters(), *module.buffers())} == {"cpu"}
        assert {each.device.type for each in module.tensors(*encoded_batch(model, [prepared]))} == {"cpu"}


def test_a_false_certificate_brings_no_narrower_dtype():
    small = hyloop.compile("levels", Capacity(50, 1))
    false = replace(small, certificate=replace(small.certificate, largest=1))
    assert to_torch(small, dtype="float32")
    with pytest.raises(ModelError, match="float32 is exact below"):
        to_torch(false, dtype="float32")
