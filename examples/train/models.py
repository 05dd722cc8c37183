"""The networks of the table: looped transformers (random or compiled start) and two message-passing networks.

All of them see a batch in rows: row 0 is the graph, row v + 1 has vertex v and hyperedge v, and `A[v + 1, e + 1]` says
whether vertex v is in hyperedge e. All are loops: the same weights in every round. `rounds(batch, T)` yields what they
hold of vertices and of hyperedges (in a transformer: the same rows) after each round. Readouts turn it into answers.
"""

import math

import torch
from torch import nn
from torch.nn import functional

SHARP = 4.0  # how sure a compiled start is of what it holds: logits are this times the squared distance


def normalized(X):
    """Rows of mean square 1, without weights of its own."""
    return X * torch.rsqrt(X.square().mean(dim=-1, keepdim=True) + 1e-6)


def random_weight(*shape):
    """Uniform, by the size of the input, as in nn.Linear."""
    return nn.Parameter((torch.rand(*shape) * 2 - 1) / math.sqrt(shape[-2]))


# -- looped transformers ----------------------------------------------------------------------------------------------


class Layer(nn.Module):
    """The paper's layer with soft attention: heads times I, A or Aᵀ; then relu(relu(relu(X W1) W2) W3) W4."""

    def __init__(self, kinds, weights, temperature):
        super().__init__()
        self.kinds, self.temperature = tuple(kinds), temperature
        for name, weight in weights.items():
            self.register_parameter(name, weight)

    def forward(self, X, seen, A, there):
        """The state after this layer. `seen` is X, or X normalized by `Looped`."""
        at = seen(X).unsqueeze(-3)
        scores = (at @ self.query) @ (at @ self.key).transpose(-1, -2) / self.temperature
        pattern = scores.masked_fill(~there[..., None, None, :], -torch.inf).softmax(dim=-1)
        found = pattern @ (at @ self.value)
        for place, kind in enumerate(self.kinds):
            told = found[..., place, :, :]
            X = X + {"plain": lambda Y: Y, "incidence": A.matmul, "transposed": A.mT.matmul}[kind](told)
        hidden = seen(X)
        for weight in (self.w1, self.w2, self.w3):
            hidden = torch.relu(hidden @ weight)
        return X + hidden @ self.w4


class Looped(nn.Module):
    """A looped transformer of the paper's architecture. With `halt`, an example stays once that column is 1."""

    def __init__(self, layers, embed, halt):
        super().__init__()
        self.layers, self.embed, self.halt = nn.ModuleList(layers), embed, halt

    def begin(self, batch):
        if self.embed is None:
            return batch["encoded"]
        return self.embed(torch.cat([batch["vertex"], batch["hyperedge"], marks(batch)], dim=-1))

    def rounds(self, batch, most):
        X, seen = self.begin(batch), (lambda X: X) if self.embed is None else normalized
        # The compiled transformer needs no mask: it keeps padding apart by its own columns.
        there = batch["there"] | (self.embed is None)
        for _ in range(most):
            before = X
            for layer in self.layers:
                X = layer(X, seen, batch["A"], there)
            if self.halt is not None:
                X = torch.where((before[..., :1, self.halt] > 0.5)[..., None], before, X)
            yield X, X


def marks(batch):
    """What a row is: of the graph, of a vertex, of a hyperedge."""
    there = torch.stack([batch["there"], batch["vertices"], batch["hyperedges"]], dim=-1)
    return there.to(batch["A"].dtype)


def looped(about, widths, size):
    """The layers and kinds of heads of the compiled transformer, wider, with random weights."""
    layers = []
    for kinds in about["heads"]:
        shapes = {"query": (len(kinds), size, 16), "key": (len(kinds), size, 16), "value": (len(kinds), size, size)}
        mlp = {"w1": (size, 2 * size), "w2": (2 * size, 2 * size), "w3": (2 * size, 2 * size), "w4": (2 * size, size)}
        weights = {name: random_weight(*shape) for name, shape in (shapes | mlp).items()}
        with torch.no_grad():
            weights["value"] *= 0.2  # small changes at first: a loop has many of them
        layers.append(Layer(kinds, weights, 4.0))
    return Looped(layers, nn.Linear(sum(widths) + 3, size), None)


def compiled(about, arrays, temperature, noise):
    """The compiled transformer itself, with softmax instead of hardmax, and a little noise on its weights."""
    layers = []
    for number, kinds in enumerate(about["heads"]):
        names = ("query", "key", "value", "w1", "w2", "w3", "w4")
        exact = {name: torch.from_numpy(arrays[f"compiled/{number}/{name}"]) for name in names}
        weights = {name: nn.Parameter(weight + noise * torch.randn_like(weight)) for name, weight in exact.items()}
        layers.append(Layer(kinds, weights, temperature))
    return Looped(layers, None, about["halt"])


# -- message passing --------------------------------------------------------------------------------------------------


def two_layers(width, size):
    return nn.Sequential(nn.Linear(width, size), nn.ReLU(), nn.Linear(size, size))


def taken(X, places):
    """The rows of X that the places of each example name."""
    return X.gather(-2, places.unsqueeze(-1).expand(*places.shape, X.shape[-1]))


def largest(told, places, rows):
    """For each row the entrywise largest of what it is told, at least 0; told is [..., incidence, column]."""
    none = told.new_zeros(*told.shape[:-2], rows, told.shape[-1])
    return none.scatter_reduce(-2, places.unsqueeze(-1).expand_as(told), torch.relu(told), "amax")


def nodes(batch):
    """Features of vertices and of hyperedges, as nodes alike: each has columns of its own, and a mark."""
    V, E = batch["vertex"], batch["hyperedge"]
    one, none = torch.ones_like(V[..., :1]), torch.zeros_like(V[..., :1])
    of_vertices, of_hyperedges = [V, torch.zeros_like(E), one, none], [torch.zeros_like(V), E, none, one]
    return [torch.cat(parts, dim=-1) for parts in (of_vertices, of_hyperedges)]


class StarNetwork(nn.Module):
    """Message passing on the star expansion: vertices and hyperedges are nodes alike, and messages meet in a maximum.

    A message is made of sender and receiver, as in the networks of CLRS-30; nodes are told apart by their features.
    """

    def __init__(self, widths, size):
        super().__init__()
        self.begin = nn.Linear(sum(widths) + 2, size)
        self.sender, self.receiver = nn.Linear(size, size), nn.Linear(size, size)
        self.last, self.update = nn.Linear(size, size), two_layers(3 * size, size)

    def heard(self, given, before, first, of, to):
        """What rows hold after messages of the rows `of` to the rows `to`; row 0 pads the lists and tells nothing."""
        sent, own = taken(self.sender(normalized(given)), of), taken(self.receiver(normalized(before)), to)
        told = self.last(torch.relu(own + sent)) * (to > 0).unsqueeze(-1)
        message = largest(told, to, before.shape[-2])
        return before + self.update(torch.cat([normalized(before), first, message], dim=-1))

    def rounds(self, batch, most):
        first = [self.begin(each) for each in nodes(batch)]
        vertices, hyperedges = batch["incidence"].unbind(-2)
        V, E = first
        for _ in range(most):
            E = self.heard(V, E, first[1], vertices, hyperedges)
            V = self.heard(E, V, first[0], hyperedges, vertices)
            yield V, E


class HypergraphNetwork(nn.Module):
    """HypergraphConv of PyTorch Geometric in a loop. Each hyperedge also has a node of its own, with its features.

    HypergraphConv itself gives vertices a state, and hyperedges a mean only, which would not see their weights.
    """

    def __init__(self, widths, size):
        super().__init__()
        from torch_geometric.nn import HypergraphConv  # only this network needs it

        self.begin = nn.Linear(sum(widths) + 2, size)
        self.conv, self.update = HypergraphConv(size, size), two_layers(3 * size, size)

    def rounds(self, batch, most):
        index, rows = members(batch), batch["there"].numel()
        first = torch.cat([self.begin(each).flatten(0, 1) for each in nodes(batch)])
        X = first
        for _ in range(most):
            seen = normalized(X)
            X = X + self.update(torch.cat([seen, first, self.conv(seen, index, num_edges=rows)], dim=-1))
            yield tuple(X.unflatten(0, (2, *batch["there"].shape)))


def members(batch):
    """The incidences of a batch as PyTorch Geometric lists them: nodes above, hyperedges below."""
    example, vertex, hyperedge = batch["A"].nonzero(as_tuple=True)
    example, rows = example * batch["A"].shape[-1], batch["there"].numel()
    own = batch["hyperedges"].flatten().nonzero().squeeze(-1)
    return torch.stack([torch.cat([example + vertex, own + rows]), torch.cat([example + hyperedge, own])])


# -- readouts ---------------------------------------------------------------------------------------------------------


class Numbers(nn.Module):
    """A class of each row: none, 0, 1, ..."""

    def __init__(self, size, classes):
        super().__init__()
        self.linear = nn.Linear(size, classes)

    def logits(self, of, _to, _there):
        return self.linear(of)

    def start(self, column, none):
        """The nearest number to a column; `none` stands for none. Squared distances, but for what they share."""
        value = torch.arange(-1.0, self.linear.out_features - 1)
        value[0] = none
        self.linear.weight.zero_()
        self.linear.weight[:, column] = SHARP * 2 * value
        self.linear.bias.copy_(-SHARP * value.square())

    def start_known(self, flag):
        """None where a flag is 0, and only there."""
        self.linear.weight[0].zero_()
        self.linear.weight[0, flag], self.linear.bias[0] = -2 * SHARP, SHARP


class Flags(nn.Module):
    """Yes or no for each row."""

    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, 1)

    def logits(self, of, _to, _there):
        told = self.linear(of)
        return torch.cat([torch.zeros_like(told), told], dim=-1)

    def start(self, column, _none):
        self.linear.weight.zero_()
        self.linear.weight[0, column] = 2 * SHARP
        self.linear.bias.fill_(-SHARP)


class Pointers(nn.Module):
    """A row that each row points at; row 0 is none."""

    def __init__(self, size, rank=16):
        super().__init__()
        self.query, self.key = nn.Linear(size, rank), nn.Linear(size, rank)

    def logits(self, of, to, there):
        scores = self.query(of) @ self.key(to).transpose(-1, -2)
        return scores.masked_fill(~there.unsqueeze(-2), -1e9)

    def start(self, column, places):
        """The row whose number is nearest to a column; `places` are the columns of numbers and of their squares."""
        for weight in self.parameters():
            weight.zero_()
        self.query.weight[0, column], self.query.bias[1] = 2 * SHARP, -SHARP
        self.key.weight[0, places[0]], self.key.weight[1, places[1]] = 1, 1


def readout(kind, size, classes):
    return {"flag": lambda: Flags(size), "vertex": lambda: Pointers(size), "hyperedge": lambda: Pointers(size)}.get(
        kind, lambda: Numbers(size, classes.get(kind))
    )()


class Solver(nn.Module):
    """A network with the readout of the answer, and of each state that hints are given for."""

    def __init__(self, about, network, size):
        super().__init__()
        self.about, self.network = about, network
        self.answer = readout(about["output"]["kind"], size, about["classes"])
        self.states = nn.ModuleList(readout(each["kind"], size, about["classes"]) for each in about["variables"])

    def start(self):
        """Read what the columns of the compiled transformer hold."""
        columns, infinity = self.about["columns"], self.about["infinity"]
        places = columns.index("P_1"), columns.index("P_2")
        none = {"length": infinity, "count": -1}
        for each, states in zip(self.about["variables"], self.states, strict=True):
            states.start(columns.index(each["name"]), none.get(each["kind"], places))
        output = self.about["output"]
        self.answer.start(columns.index(output["name"]), none.get(output["kind"], places))
        if self.about["task"] == "levels":  # the answer is the level where it is known
            self.answer.start_known(columns.index("reached"))

    def read(self, readout, kind, location, V, E, batch):
        of, to = (V if location == "vertex" else E), (E if kind == "hyperedge" else V)
        there = batch["hyperedges" if kind == "hyperedge" else "vertices"].clone()
        there[..., 0] = True
        return readout.logits(of, to, there)

    def forward(self, batch, most, hints):
        """The logits of the answer after the last round, and the mean loss of the states after each (0 without)."""
        lost = batch["A"].new_zeros(())
        for step, (V, E) in enumerate(self.network.rounds(batch, most)):
            for place, each in enumerate(self.about["variables"] if hints else ()):
                logits = self.read(self.states[place], each["kind"], each["location"], V, E, batch)
                lost = lost + loss_of(logits, batch["states"][..., step, :, place])
        told = self.read(self.answer, self.about["output"]["kind"], "vertex", V, E, batch)
        return told, lost / (most * max(1, len(self.about["variables"])))


def loss_of(logits, wanted):
    """The mean cross-entropy where something is wanted (-1 is padding)."""
    each = functional.cross_entropy(logits.flatten(0, -2), wanted.flatten().clamp(min=0).long(), reduction="none")
    there = (wanted.flatten() >= 0).to(each.dtype)
    return (each * there).sum() / there.sum()


KINDS = ("looped", "compiled", "hypergraph", "star")
ONE_BY_ONE = {
    "hypergraph"
}  # vmap refuses the boolean masks of HypergraphConv: its seeds take their turns in every step


def solver(kind, about, arrays, widths, *, size, temperature, noise):
    """A network of one kind, with its readouts."""
    if kind == "compiled":
        made = Solver(about, compiled(about, arrays, temperature, noise), len(about["columns"]))
        with torch.no_grad():
            made.start()
        return made
    network = {
        "looped": lambda: looped(about, widths, size),
        "hypergraph": lambda: HypergraphNetwork(widths, size),
        "star": lambda: StarNetwork(widths, size),
    }[kind]()
    return Solver(about, network, size)
