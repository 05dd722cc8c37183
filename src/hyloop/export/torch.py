"""A model as a PyTorch module: the paper's formulas over named submodules, for hooks.

    attention:  X + Σ M σ(X Wq Wkᵀ Xᵀ) X Wv        M = I, Ã, Ãᵀ, ...; σ averages over ties, as sum ÷ count
    MLP:        X + relu(relu(relu(X W1) W2) W3) W4

A module is called with a batch of states (`B × K × d`) and incidences (`B × K × K`). Inputs of different sizes are
padded to the largest: padding rows do not affect the others. A model that tells tails from heads takes three incidences
an item (`B × 3 × K × K`): all members, tails, heads. The submodules:

    state                        the state before every iteration, and the final one
    layer1.head1_edge_best       what this head adds to the state; `.kind`, `.purpose`, `.implements` say more
      .query .key .value         linear, `K × 2`, `K × 2`, `K × d`
      .scores .pattern           `K × K`; the pattern is 1 where a row attends and 0 elsewhere: the average divides by
      .average                   its sum, so a patched pattern need not add up to 1
      .incidence                 times `Ã` or `Ãᵀ` (a plain head: nothing)
    layer1.attended              the state between heads and MLP
    layer1.mlp                   what the MLP adds; `.units` names the entries of `.relu1`, `.relu2` and `.relu3`

`layers[0].heads[0]` is the same module as `layer1.head1_edge_best`; tools that wrap modules (nnsight) know the latter.
Numbers in names start at 1, as in `model.circuit()`: its `layer1.stage2.unit3` is entry 2 of `layer1.mlp.relu2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, cast, get_args, overload

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from hyloop.errors import HyloopError, ModelError
from hyloop.execute import loop
from hyloop.execute.decode import Reader
from hyloop.execute.prepare import Given, encoded_batch, given_to, program_of
from hyloop.execute.session import IterationLimitError
from hyloop.export.names import head_names, layer_name
from hyloop.hypergraph import Hypergraph, is_number, shown
from hyloop.hypergraph.values import is_integer
from hyloop.interop import is_hypergraph
from hyloop.machine import layer as machine
from hyloop.machine.incidence import PaddedIncidence
from hyloop.machine.layout import state_column
from hyloop.machine.model import EXACT, DType, Model
from hyloop.machine.words import Words
from hyloop.memory import require_memory
from hyloop.result import Result
from hyloop.strict import SENTENCE, printable

FloatArray = npt.NDArray[np.floating]
Attention = Literal["hard", "softmax"]
DTYPES: Mapping[DType, torch.dtype] = {"float64": torch.float64, "float32": torch.float32}
# Of each kind of heads, which of the three incidences it multiplies by, and whether transposed.
PLACES: Mapping[machine.HeadKind, tuple[int, bool]] = {
    "incidence": (0, False),
    "transposed": (0, True),
    "tails": (1, False),
    "tails_transposed": (1, True),
    "heads": (2, False),
    "heads_transposed": (2, True),
}
_OF_EVERY_PART = frozenset({*vars(nn.Module()), "_parts"})  # what PyTorch keeps in each module, and the record itself
_HOOKS_OF_ALL = ("_global_forward_hooks", "_global_forward_pre_hooks")
# A hypergraph, ours or another library's; or a pair of one and its own inputs.
Item = object | tuple[object, Mapping[str, Any]]


class Looped(NamedTuple):
    """The result of a loop: the states, and for each item its number of iterations and whether it has halted."""

    X: Tensor
    iterations: Tensor
    halted: Tensor


# -- from a model to a module ---------------------------------------------------------------------------------------


def build(
    model: Model,
    *,
    dtype: str | torch.dtype | None = None,
    device: str | torch.device | None = None,
    attention: Attention = "hard",
    temperature: float | None = None,
    trainable: bool = False,
) -> LoopedTransformer:
    """Implements `hyloop.export.to_torch`."""
    if attention not in get_args(Attention):
        raise HyloopError(f"Attention is {' or '.join(get_args(Attention))}; not {attention!r}.")
    if attention == "hard" and temperature is not None:
        raise HyloopError("A temperature is for softmax attention: attention='softmax'.")
    if attention == "softmax":
        temperature = _temperature(temperature)
    name = _dtype_name(model.dtype if dtype is None else dtype)
    if attention == "hard" and not trainable:
        _require_exact(model, name)
    module = LoopedTransformer(model, temperature)
    try:
        return module.to(dtype=DTYPES[name], device=device).requires_grad_(trainable)
    except (RuntimeError, AssertionError, TypeError) as wrong:  # an unknown device; CUDA in a build without it
        first = printable(str(wrong).partition("\n")[0].rstrip("."), SENTENCE)
        raise HyloopError(f"PyTorch cannot put the module on the device {shown(device)} ({first}).") from None


def _temperature(given: object) -> float:
    if not (is_number(given) and 0 < cast("float", given) < float("inf")):
        raise HyloopError(f"Softmax attention needs a temperature above 0; given {shown(given)}.")
    return float(cast("float", given))


def _dtype_name(given: str | torch.dtype) -> DType:
    for name, dtype in DTYPES.items():
        if given in {name, dtype}:
            return name
    raise HyloopError(f"A module computes in {' or '.join(DTYPES)}; not in {given}.")


def _require_exact(model: Model, dtype: DType) -> None:
    """Raise if the numbers of a model are too large for a dtype other than its own."""
    if EXACT[dtype] >= EXACT[model.dtype]:
        return
    bound = model.largest
    if bound is None or bound >= EXACT[dtype]:
        held = "numbers without a bound" if bound is None else f"numbers up to {bound:,}"
        raise ModelError(
            f"The model {model.name!r} holds {held}; {dtype} is exact below {EXACT[dtype]:,}. "
            f"Compile it for {dtype}: hyloop.compile(..., dtype={dtype!r})."
        )


def require_exact_products(device: torch.device, dtype: torch.dtype) -> None:
    """Raise if PyTorch is configured to round the factors of float32 products: TF32, bfloat16, autocast."""
    if dtype != torch.float32:
        return
    if torch.is_autocast_enabled(device.type):
        raise HyloopError("Autocast rounds products to 16 bits, which are not exact: run the module outside of it.")
    allowed = _float32_products(device)
    if allowed not in {"none", "ieee", "highest"}:
        raise HyloopError(
            f"PyTorch is set to multiply float32 in {allowed}, which is not exact: "
            "torch.set_float32_matmul_precision('highest')."
        )


def _float32_products(device: torch.device) -> str:
    """The precision of float32 products on a device, by PyTorch's name. The most specific setting applies."""
    nearest = torch.backends.cuda if device.type == "cuda" else getattr(torch.backends, "mkldnn", None)
    if not hasattr(torch.backends, "fp32_precision"):  # before PyTorch 2.9
        return torch.get_float32_matmul_precision()
    for settings in (getattr(nearest, "matmul", None), nearest, torch.backends):
        precision = str(getattr(settings, "fp32_precision", "none"))
        if precision != "none":
            return precision
    return "none"


# -- the module -----------------------------------------------------------------------------------------------------


def _linear(weight: machine.Matrix) -> nn.Linear:
    """`X W` as a PyTorch layer, which stores `Wᵀ`."""
    linear = nn.Linear(weight.shape[0], weight.shape[1], bias=False, device="meta")
    linear.weight = nn.Parameter(torch.from_numpy(np.array(weight.T, dtype=np.float64, order="C")))
    return linear


class Scores(nn.Module):
    """`Q Kᵀ`."""

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The attention scores."""
        return queries @ keys.transpose(-1, -2)


class Hardmax(nn.Module):
    """1 where the score of a row is largest (or within the tie tolerance of it), else 0."""

    def __init__(self, tie_tolerance: float) -> None:
        super().__init__()
        self.tie_tolerance = tie_tolerance

    def forward(self, scores: Tensor) -> Tensor:
        """The attention pattern: 1 where a row attends."""
        best = scores.amax(dim=-1, keepdim=True)
        return (scores >= best - self.tie_tolerance).to(scores.dtype)


class Softmax(nn.Module):
    """`exp ((score - largest) ÷ temperature)`: 1 where the score is largest, and less elsewhere."""

    def __init__(self, temperature: float) -> None:
        super().__init__()
        self.temperature = temperature

    def forward(self, scores: Tensor) -> Tensor:
        """The attention weights. The average divides by the sum, so the largest has no gradient."""
        best = scores.detach().amax(dim=-1, keepdim=True)
        return torch.exp((scores - best) / self.temperature)


class Average(nn.Module):
    """The average of the values that a row attends to, as sum ÷ count."""

    def forward(self, pattern: Tensor, values: Tensor) -> Tensor:
        """The attended value of each row."""
        return (pattern @ values) / pattern.sum(dim=-1, keepdim=True)


class IncidenceProduct(nn.Module):
    """`M Y`, where `M` is `I` (plain), `Ã` (incidence) or `Ãᵀ` (transposed); or the same of tails or of heads."""

    def __init__(self, kind: machine.HeadKind, *, directed: bool) -> None:
        super().__init__()
        self.kind = kind
        self.directed = directed
        self.place, self.transposes = (0, False) if kind == "plain" else PLACES[kind]

    def forward(self, seen: Tensor, A: Tensor) -> Tensor:
        """The attended values, multiplied by the matrix."""
        if self.kind == "plain":
            return seen
        whole = A[..., self.place, :, :] if self.directed else A
        return (whole.transpose(-1, -2) if self.transposes else whole) @ seen


class Head(nn.Module):
    """One head; its output is added to the residual stream."""

    def __init__(self, head: machine.Head, pattern: nn.Module, words: Words) -> None:
        super().__init__()
        self.kind = head.kind
        self.purpose = head.purpose
        self.implements = words.of_head(head)
        self.query = _linear(head.query)
        self.key = _linear(head.key)
        self.value = _linear(head.value)
        self.scores = Scores()
        self.pattern = pattern
        self.average = Average()
        self.incidence = IncidenceProduct(head.kind, directed=words.model.layout.directed)

    def forward(self, X: Tensor, A: Tensor) -> Tensor:
        """`M σ(X Wq Wkᵀ Xᵀ) X Wv`."""
        pattern = self.pattern(self.scores(self.query(X), self.key(X)))
        return cast("Tensor", self.incidence(self.average(pattern, self.value(X)), A))

    def extra_repr(self) -> str:
        """The kind and the variables that the head implements."""
        return f"{self.kind}, implements={self.implements}"


class Mlp(nn.Module):
    """The MLP; its output is added to the residual stream. `units` names the hidden units, the same in each stage."""

    def __init__(self, mlp: machine.Mlp, words: Words) -> None:
        super().__init__()
        self.kind = "mlp"
        self.purposes = mlp.purposes
        self.units = tuple(words.of_unit(mlp, unit) for unit in range(mlp.width))
        self.implements = words.of_mlp(mlp)
        if mlp.width:
            self.linear1, self.linear2, self.linear3, self.linear4 = (_linear(weight) for weight in mlp.weights)
            self.relu1, self.relu2, self.relu3 = nn.ReLU(), nn.ReLU(), nn.ReLU()

    def forward(self, X: Tensor) -> Tensor:
        """`relu(relu(relu(X W1) W2) W3) W4`."""
        if not self.units:
            return torch.zeros_like(X)
        hidden = self.relu1(self.linear1(X))
        hidden = self.relu2(self.linear2(hidden))
        hidden = self.relu3(self.linear3(hidden))
        return cast("Tensor", self.linear4(hidden))

    def extra_repr(self) -> str:
        """The number of hidden units."""
        return f"{len(self.units)} units"


class Layer(nn.Module):
    """Heads, then MLP, both with a residual connection."""

    def __init__(self, layer: machine.Layer, patterns: Iterator[nn.Module], words: Words) -> None:
        super().__init__()
        self.implements = words.of_layer(layer)
        self.names = tuple(head_names(words, layer))
        for name, head in zip(self.names, layer.heads, strict=True):
            self.add_module(name, Head(head, next(patterns), words))
        self.attended = nn.Identity()
        self.mlp = Mlp(layer.mlp, words)

    @property
    def heads(self) -> tuple[Head, ...]:
        """The heads in order; each is also a submodule of the name that `names` says."""
        return tuple(cast("Head", self.get_submodule(name)) for name in self.names)

    def forward(self, X: Tensor, A: Tensor) -> Tensor:
        """One layer on a batch of states."""
        attended = X
        for head in self.heads:
            attended = attended + head(X, A)
        attended = self.attended(attended)
        return cast("Tensor", attended + self.mlp(attended))


class Iteration(nn.Module):
    """One iteration of the loop: all layers, once. `torch.export` supports this module."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__()
        self.depth = len(layers)
        self.state = nn.Identity()
        for number, layer in enumerate(layers):
            self.add_module(layer_name(number), layer)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers in order; each is also a submodule: `layer1` and so on."""
        return tuple(cast("Layer", self.get_submodule(layer_name(number))) for number in range(self.depth))

    def forward(self, X: Tensor, A: Tensor) -> Any:
        """The state after one iteration."""
        return self._layers(self.state(X), A)

    def _layers(self, X: Tensor, A: Tensor) -> Tensor:
        require_exact_products(X.device, X.dtype)
        for layer in self.layers:
            X = layer(X, A)
        return X


class LoopedTransformer(Iteration):
    """A looped transformer: the layers are applied until an item's halt flag is 1; its state is then frozen.

    Every iteration computes the whole batch, halted items too, so that an item has the same index in every hook.
    """

    zero: Tensor

    def __init__(self, model: Model, temperature: float | None = None) -> None:
        tolerance = model.tie_tolerance
        patterns = iter(lambda: Hardmax(tolerance) if temperature is None else Softmax(temperature), None)
        words = Words(model)
        super().__init__([Layer(layer, patterns, words) for layer in model.layers])
        self.model = model
        self.columns = tuple(column.name for column in model.layout.columns)
        self.halt = model.layout.number(model.layout.halt)
        self._softness = temperature
        self._parts = _parts_of(self)
        # Keeps dtype and device, also for a model without weights.
        kind = torch.float64 if model.dtype == "float64" else torch.float32
        self.register_buffer("zero", torch.zeros((), dtype=kind, device="cpu"), persistent=False)

    @property
    def temperature(self) -> float | None:
        """The temperature of softmax attention; None for hard attention."""
        return self._softness

    @temperature.setter
    def temperature(self, temperature: float) -> None:
        if self._softness is None:
            raise HyloopError("Hard attention has no temperature: to_torch(attention='softmax', temperature=...).")
        self._softness = _temperature(temperature)
        for part in self.modules():
            if isinstance(part, Softmax):
                part.temperature = self._softness
        self._parts = _parts_of(self)

    def column(self, name: str) -> int:
        """The index of a column of the state, by its name, such as a variable of the program."""
        if not isinstance(cast("object", name), str):
            raise HyloopError(f"A column is asked for by its name; not {shown(name)}.")
        layout, own = self.model.layout, state_column(name)  # where it is called as a column of hyloop's, too
        return layout.number(own if own in layout.numbers else name)

    def step(self, X: Tensor, A: Tensor) -> Tensor:
        """The state after one iteration, of one input (`K × d`, `K × K`) or a batch of them."""
        self._require_rows(X.shape[-2])
        return cast("Tensor", super().forward(X, A))

    def iteration(self) -> Iteration:
        """One iteration as a module of its own, with the same layers (not copies): for `torch.export`."""
        return Iteration(self.layers)

    def forward(self, X: Tensor, A: Tensor, limit: int | None = None) -> Looped:
        """Run until every item has halted or has run `limit` iterations, by default as many as the program declares
        for the padded number of rows.

        One input (`K × d`, `K × K`) or a batch of them. Nothing is raised for an item that did not halt; see `halted`.
        """
        if X.ndim == 2:
            found = self._run(X.unsqueeze(0), A.unsqueeze(0), limit)
            return Looped(*(each.squeeze(0) for each in found))
        return self._run(X, A, limit)

    def _run(self, X: Tensor, A: Tensor, limit: int | None) -> Looped:
        for found in self.iterate(X, A, limit):
            last = found
        return last

    def iterate(self, X: Tensor, A: Tensor, limit: int | None = None) -> Iterator[Looped]:
        """The initial batch, then the batch after each iteration, until every item has halted or `limit` is reached."""
        if limit is not None and not is_integer(limit):
            raise HyloopError(f"The limit is a whole number of iterations; not {shown(limit)}.")
        session = TorchSession(self, X, A)
        for _ in loop.iterate(session, self._most(X.shape[1]) if limit is None else limit):
            yield session.now

    def advanced(self, now: Looped, A: Tensor) -> Looped:
        """The batch after another iteration of the items that have not halted."""
        halted = now.halted
        X = self.state(torch.where(halted[:, None, None], now.X, self._layers(now.X, A)))
        return Looped(X, now.iterations + ~halted, self._halted(X))

    def begun(self, X: Tensor, A: Tensor) -> Looped:
        """The batch before its first iteration."""
        self._check(X, A)
        # No -0, as on every backend; and a copy, so that hooks do not modify the caller's state.
        X = self.state(X + 0)
        return Looped(X, torch.zeros(len(X), dtype=torch.int64, device=X.device), self._halted(X))

    def _halted(self, X: Tensor) -> Tensor:
        """Whether `X[0, halt] = 1`; with softmax attention, whether it is nearer to 1 than to 0."""
        flag = X[:, 0, self.halt]
        return flag == 1 if self._softness is None else flag > 0.5

    def _most(self, size: int) -> int:
        if not self.model.program:
            raise HyloopError(f"The model {self.model.name!r} carries no program that bounds its loop: give a limit.")
        return program_of(self.model).most_iterations_within(size - 1)

    def _check(self, X: Tensor, A: Tensor) -> None:
        d, dtype = len(self.columns), self.zero.dtype
        if X.ndim != 3 or X.shape[2] != d or 0 in X.shape:
            raise ModelError(f"The state must be K × {d}, or a batch of such; given shape {tuple(X.shape)}.")
        self._require_rows(X.shape[1])
        three = (3,) if self.model.layout.directed else ()
        if A.shape != (X.shape[0], *three, X.shape[1], X.shape[1]):
            of = ", and this model takes those of members, tails and heads" if three and A.ndim == 3 else ""
            raise ModelError(
                f"A state of shape {tuple(X.shape)} was given with incidence of shape {tuple(A.shape)}{of}."
            )
        if X.dtype != dtype or A.dtype != dtype:
            raise ModelError(f"The module computes in {dtype}; it was given {X.dtype} and {A.dtype}.")

    def _require_rows(self, given: int) -> None:
        least = self.model.layout.least + 1
        if given < least:
            raise ModelError(
                f"The model {self.model.name!r} looks numbers up in rows: the state needs at least {least:,} of them, "
                f"with padding; given {given:,}. module.encode adds them."
            )

    # -- hypergraphs and results with labels

    def encode(self, /, hypergraphs: Iterable[Item], **inputs: Any) -> tuple[Tensor, Tensor]:
        """The arguments of the module for some hypergraphs: initial states and incidences, padded to one size.

        Each item is a hypergraph, or a pair of a hypergraph and its own inputs.
        """
        return self._encoded([self._given(item, inputs) for item in hypergraphs])

    @overload
    def run(self, /, hypergraphs: Hypergraph, **inputs: Any) -> Result: ...

    @overload
    def run(self, /, hypergraphs: Sequence[Item], **inputs: Any) -> list[Result]: ...

    @overload
    def run(self, /, hypergraphs: object, **inputs: Any) -> Any: ...

    def run(self, /, hypergraphs: object, **inputs: Any) -> Result | list[Result]:
        """Results with labels, as from `hyloop.run`: of one hypergraph, or of several in one batch."""
        if self._softness is not None:
            raise HyloopError("Results are read from exact states; those of softmax attention are near them at best.")
        if is_hypergraph(hypergraphs):
            return self.run([hypergraphs], **inputs)[0]
        if not isinstance(hypergraphs, Iterable) or getattr(hypergraphs, "ndim", None) == 0:
            raise HyloopError(f"A hypergraph is needed, or several; not {type(hypergraphs).__name__}.")
        trainable = any(weight.requires_grad for weight in self.parameters())
        name = _dtype_name(self.zero.dtype)  # it may have been changed: `module.half()`
        if not trainable:
            _require_exact(self.model, name)
        givens = [self._given(item, inputs) for item in hypergraphs]
        if not givens:
            return []
        readers = [Reader(self.model, given) for given in givens]
        limits = [reader.most_iterations for reader in readers]
        with torch.no_grad():
            for found in self.iterate(*self._encoded(givens), limit=max(limits)):
                _read(readers, found)
        for reader, limit in zip(readers, limits, strict=True):
            if not reader.halted or reader.iterations > limit:
                states, iterations = found.X.cpu().numpy(), found.iterations.cpu().numpy()
                raise IterationLimitError(limit, states, iterations, int((~found.halted).sum()), self.model.name)
        verified = "unverified" if trainable or not self.is_the_model() else self.model.verified
        return [reader.result("torch", verified) for reader in readers]

    def is_the_model(self) -> bool:
        """Whether weights and parts are those of the model still, and there is no hook, which could change anything."""
        hooked = any(part._forward_hooks or part._forward_pre_hooks for part in self.modules())
        if hooked or hooked_everywhere() or not _are_parts(_parts_of(self), self._parts):
            return False
        pairs = zip(self.layers, self.model.layers, strict=True)
        return all(_is_layer(own, layer) for own, layer in pairs)

    def _given(self, item: Item, inputs: Mapping[str, Any]) -> Given:
        given, own = item if isinstance(item, tuple) and len(item) == 2 else (item, {})
        return given_to(program_of(self.model), given, {**inputs, **own})

    def _encoded(self, givens: Sequence[Given]) -> tuple[Tensor, Tensor]:
        if self.zero.device.type == "meta":
            raise HyloopError("The module is on PyTorch's device meta, which computes nothing: module.to('cpu').")
        if not givens:
            raise HyloopError("At least one hypergraph is needed.")
        return self.tensors(*encoded_batch(self.model, givens))

    def tensors(
        self, X: np.ndarray[Any, np.dtype[np.floating]], incidence: PaddedIncidence | Sequence[PaddedIncidence]
    ) -> tuple[Tensor, Tensor]:
        """The executors' states and incidences as tensors of the module's dtype, on its device."""
        like, directed = self.zero, self.model.layout.directed
        self._require_room(incidence)
        if isinstance(incidence, PaddedIncidence):
            A = _whole(incidence, directed=directed)
        else:
            A = np.stack([_whole(each, directed=directed) for each in incidence])
        made = partial(torch.tensor, dtype=like.dtype, device=like.device)
        return made(X), made(A)

    def _require_room(self, incidence: PaddedIncidence | Sequence[PaddedIncidence]) -> None:
        """Raise before `K × K` matrices are made that this machine cannot hold: see `TorchSession.memory`."""
        batch = [incidence] if isinstance(incidence, PaddedIncidence) else incidence
        entries = sum(each.size**2 for each in batch) * (3 if self.model.layout.directed else 1)
        # Two copies in float64 until the tensor is there; the others are where the module is.
        needed = 4 * self.zero.element_size() if self.zero.device.type == "cpu" else 0
        require_memory(
            entries * max(16, needed),
            f"{self.model.name} with a whole incidence matrix of {max(each.size for each in batch):,} rows",
            "The backend `cpu` takes far less.",
        )


def hooked_everywhere() -> bool:
    """Whether PyTorch runs hooks at every module there is: `torch.nn.modules.module.register_module_forward_hook`."""
    return any(getattr(nn.modules.module, name, None) for name in _HOOKS_OF_ALL)


def _parts_of(module: nn.Module) -> dict[str, dict[str, Any]]:
    """Of each part its class and what it keeps beside weights and parts, a `forward` of its own included."""
    return {
        name: {"": type(part), **{key: value for key, value in vars(part).items() if key not in _OF_EVERY_PART}}
        for name, part in module.named_modules()
    }


def _are_parts(found: dict[str, dict[str, Any]], wanted: dict[str, dict[str, Any]]) -> bool:
    return found.keys() == wanted.keys() and all(
        part.keys() == wanted[name].keys() and all(_is(value, wanted[name][key]) for key, value in part.items())
        for name, part in found.items()
    )


def _is(found: object, wanted: object) -> bool:
    return found is wanted or (type(found) is type(wanted) and isinstance(found, int | float) and found == wanted)


def _is_layer(own: Layer, layer: machine.Layer) -> bool:
    """Whether the weights of a layer are these."""
    wanted = [weight for head in layer.heads for weight in (head.query, head.key, head.value)]
    found = [each for head in own.heads for each in (head.query, head.key, head.value)]
    if layer.mlp.width:
        mlp = own.mlp
        wanted += layer.mlp.weights
        found += [mlp.linear1, mlp.linear2, mlp.linear3, mlp.linear4]
    return all(
        bool((linear.weight.detach().cpu().double() == torch.from_numpy(np.array(weight.T, np.float64))).all())
        for linear, weight in zip(found, wanted, strict=True)
    )


def _whole(incidence: PaddedIncidence, *, directed: bool) -> FloatArray:
    """`K × K`, all zeros included; in a directed machine `3 × K × K`."""
    kinds: tuple[machine.HeadKind, ...] = ("incidence", "tails", "heads")
    found = [incidence.of_kind(kind).rows(0, incidence.size) for kind in (kinds if directed else kinds[:1])]
    return np.stack(found) if directed else found[0]


def _read(readers: Sequence[Reader], found: Looped) -> None:
    """Pass each running item's state to its reader."""
    iterations, halted = found.iterations.tolist(), found.halted.tolist()
    for reader, X, done, ended in zip(readers, found.X, iterations, halted, strict=True):
        reader.read(lambda X=X: X.cpu().numpy(), done, halted=ended)  # type: ignore[misc]


# -- the module as a backend ----------------------------------------------------------------------------------------


class TorchSession:
    """The session of a batch that a module runs. `now` is the current batch."""

    def __init__(self, module: LoopedTransformer, X: Tensor, A: Tensor, *, single: bool = False) -> None:
        self._module, self._A, self._single = module, A, single
        self.now = module.begun(X, A)

    def advance(self, iterations: int) -> None:
        """Apply the layers that many times to every item that has not halted."""
        if iterations < 0:
            raise ModelError(f"A session cannot advance by {iterations} iterations.")
        for _ in range(iterations):
            if bool(self.now.halted.all()):
                return
            self.now = self._module.advanced(self.now, self._A)

    def state(self) -> FloatArray:
        """A copy of the state, in the shape of the input."""
        X = self.now.X[0] if self._single else self.now.X
        return np.array(X.detach().cpu().numpy())

    def iterations(self) -> npt.NDArray[np.int64]:
        """How many iterations each item has run."""
        return _numbers(self.now.iterations)

    def halted(self) -> npt.NDArray[np.bool_]:
        """Whether each item has halted."""
        return _numbers(self.now.halted)

    def memory(self) -> int:
        """Bytes of states and copies, the incidence, and three matrices of its size: scores, pattern, a temporary."""
        return int(4 * self.now.X.nbytes + 4 * self._A.nbytes)

    def close(self) -> None:
        """Nothing to release."""


def _numbers(items: Tensor) -> npt.NDArray[Any]:
    """One number per item of a batch, as an array. Tensors wrapped by `torch.func` have no storage: item by item."""
    try:
        return np.array(items.cpu().numpy())
    except RuntimeError:
        return np.array([item.item() for item in items])
