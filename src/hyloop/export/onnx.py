"""A model as one ONNX file: the layers, and the loop around them until the halt flag is set, as a `Loop` operator.

    inputs   X (K × d), the first state;  A (K × K), the padded incidence;  limit, the most iterations to run;
             of a model that tells tails from heads also `tails` and `heads` (K × K), the incidence of each alone
    outputs  state (K × d), the last state;  iterations, how many were run

`K` is dynamic: one file runs every hypergraph within the model's capacity. The file's metadata describe the columns
before the first iteration and after the last, which is enough to write `X` and read the result. Intermediate values
have the names of the submodules of `to_torch`: `layer1.head1_edge_best.pattern`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, checker, helper, numpy_helper

from hyloop._version import __version__
from hyloop.atomic import path_of, write_out
from hyloop.export.names import head_names, labels, layer_name
from hyloop.machine.layer import Head, HeadKind, Layer, Mlp
from hyloop.machine.model import Model
from hyloop.machine.words import Words

OPSET = 18
IR_VERSION = 8  # the first IR version with this opset, which old runtimes read too


# Of each kind of heads the input that has its matrix, and what the matrix is called.
MATRICES: Mapping[HeadKind, tuple[str, str]] = {
    "incidence": ("A", "A"),
    "transposed": ("A", "A transposed"),
    "tails": ("tails", "tails"),
    "tails_transposed": ("tails", "tails transposed"),
    "heads": ("heads", "heads"),
    "heads_transposed": ("heads", "heads transposed"),
}


def write(model: Model, path: str | Path) -> None:
    """Implements `hyloop.export.to_onnx`. The same model gives the same bytes."""
    path = path_of(path)
    write_out(path, build(model).SerializeToString(deterministic=True))


def build(model: Model) -> onnx.ModelProto:
    """The ONNX model, checked."""
    proto = helper.make_model(
        _Writer(model).graph(),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="hyloop",
        producer_version=__version__,
        doc_string=(__doc__ or "").strip(),
    )
    helper.set_model_props(proto, labels(model))
    checker.check_model(proto, full_check=True)
    return proto


class _Writer:
    """Collects the nodes and weights of one model."""

    def __init__(self, model: Model) -> None:
        self.model, self.words = model, Words(model)
        self.dtype = np.dtype(model.dtype)
        self.type = helper.np_dtype_to_tensor_dtype(self.dtype)
        self.weights: list[onnx.TensorProto] = []
        self.nodes: list[onnx.NodeProto] = []

    def graph(self) -> onnx.GraphProto:
        """The loop and the nodes before it."""
        d = len(self.model.layout)
        body = self._body()
        self.nodes = []
        self._constants()
        used = {head.kind for layer in self.model.layers for head in layer.heads}
        for kind, (matrix, transposed) in MATRICES.items():
            if kind in used and matrix != transposed:
                self._add("Transpose", [matrix], transposed, perm=[1, 0])
        # No -0, as on every backend; runtimes would optimize `X + 0` to `X`.
        self._add("Equal", ["X", "nothing"], "X is 0")
        least = self.model.layout.least
        self._add("Where", ["X is 0", "nothing", "X"], "given state" if least else "first state")
        if least:
            self._require_rows(least)
        self._going("first state", "going at first")
        loop = ["limit", "going at first", "first state", "no iterations"]
        self.nodes.append(helper.make_node("Loop", loop, ["state", "iterations"], name="loop", body=body))
        return helper.make_graph(
            self.nodes,
            self.model.name,
            [
                helper.make_tensor_value_info("X", self.type, ["K", d]),
                helper.make_tensor_value_info("A", self.type, ["K", "K"]),
                *self._directed(),
                helper.make_tensor_value_info("limit", TensorProto.INT64, []),
            ],
            [
                helper.make_tensor_value_info("state", self.type, ["K", d]),
                helper.make_tensor_value_info("iterations", TensorProto.INT64, []),
            ],
            initializer=self.weights,
        )

    def _require_rows(self, least: int) -> None:
        """Fail where there are too few rows to look numbers up in: then row `least` is out of bounds.

        What is read there is added as 0, so that no runtime leaves it out.
        """
        self._weight("row of the largest number", np.array([least]), np.int64)
        name = f"X needs {least + 1} rows or more (least + 1 in the metadata)"
        row = self._add("Gather", ["given state", "row of the largest number"], name, axis=0)
        self._add("Sub", [row, row], "zeros")
        self._add("Add", ["given state", "zeros"], "first state")

    def _directed(self) -> list[onnx.ValueInfoProto]:
        """The inputs that only models with directions have."""
        if not self.model.layout.directed:
            return []
        return [helper.make_tensor_value_info(name, self.type, ["K", "K"]) for name in ("tails", "heads")]

    def _body(self) -> onnx.GraphProto:
        """One iteration. Incidence and weights come from the outer graph."""
        X = "state before"
        for number, layer in enumerate(self.model.layers):
            X = self._layer(layer_name(number), layer, X)
        self._add("Identity", [X], "state after")
        self._going("state after", "going on")
        self._add("Add", ["iterations before", "one iteration"], "iterations after")
        state: list[str | int | None] = ["K", len(self.model.layout)]
        return helper.make_graph(
            self.nodes,
            "iteration",
            [
                helper.make_tensor_value_info("iteration", TensorProto.INT64, []),
                helper.make_tensor_value_info("going", TensorProto.BOOL, []),
                helper.make_tensor_value_info("state before", self.type, state),
                helper.make_tensor_value_info("iterations before", TensorProto.INT64, []),
            ],
            [
                helper.make_tensor_value_info("going on", TensorProto.BOOL, []),
                helper.make_tensor_value_info("state after", self.type, state),
                helper.make_tensor_value_info("iterations after", TensorProto.INT64, []),
            ],
        )

    def _layer(self, name: str, layer: Layer, X: str) -> str:
        attended = X
        for head_name, head in zip(head_names(self.words, layer), layer.heads, strict=True):
            said = self._head(f"{name}.{head_name}", head, X)
            attended = self._add("Add", [attended, said], f"{name}.{head_name}.added")
        return self._mlp(f"{name}.mlp", layer.mlp, attended) if layer.mlp.width else attended

    def _head(self, name: str, head: Head, X: str) -> str:
        """`M σ(X Wq Wkᵀ Xᵀ) X Wv`: σ averages over ties, as sum ÷ count."""
        told = ", ".join(self.words.of_head(head))
        query, key, value = (
            self._add("MatMul", [X, self._weight(f"{name}.{part}.weight", weight)], f"{name}.{part}", told)
            for part, weight in (("query", head.query), ("key", head.key), ("value", head.value))
        )
        keys = self._add("Transpose", [key], f"{name}.keys", perm=[1, 0])
        scores = self._add("MatMul", [query, keys], f"{name}.scores", told)
        best = self._add("ReduceMax", [scores, "over columns"], f"{name}.best", keepdims=1)
        if self.model.tie_tolerance:
            best = self._add("Sub", [best, "tie tolerance"], f"{name}.enough")
        chosen = self._add("GreaterOrEqual", [scores, best], f"{name}.chosen")
        pattern = self._add("Cast", [chosen], f"{name}.pattern", told, to=self.type)
        total = self._add("MatMul", [pattern, value], f"{name}.sum")
        count = self._add("ReduceSum", [pattern, "over columns"], f"{name}.count", keepdims=1)
        seen = self._add("Div", [total, count], f"{name}.average", told)
        if head.kind == "plain":
            return seen
        return self._add("MatMul", [MATRICES[head.kind][1], seen], f"{name}.incidence", told)

    def _mlp(self, name: str, mlp: Mlp, X: str) -> str:
        """`X + relu(relu(relu(X W1) W2) W3) W4`."""
        hidden, units = X, "; ".join(self.words.of_unit(mlp, unit) for unit in range(mlp.width))
        for stage, weight in enumerate(mlp.weights, start=1):
            matrix = self._weight(f"{name}.linear{stage}.weight", weight)
            hidden = self._add("MatMul", [hidden, matrix], f"{name}.linear{stage}", units)
            if stage < 4:
                hidden = self._add("Relu", [hidden], f"{name}.relu{stage}", units)
        return self._add("Add", [X, hidden], f"{name}.added")

    def _going(self, X: str, name: str) -> None:
        """Whether the halt flag, on row 0, is not 1."""
        flag = self._add("GatherND", [X, "halt flag"], f"{name}: flag")
        halted = self._add("Equal", [flag, "set"], f"{name}: halted")
        self._add("Not", [halted], name)

    def _constants(self) -> None:
        halt = self.model.layout.number(self.model.layout.halt)
        self._weight("halt flag", np.array([0, halt]), np.int64)
        self._weight("set", np.array(1), self.dtype)
        self._weight("nothing", np.array(0), self.dtype)
        self._weight("no iterations", np.array(0), np.int64)
        self._weight("one iteration", np.array(1), np.int64)
        if not any(layer.heads for layer in self.model.layers):
            return
        self._weight("over columns", np.array([1]), np.int64)
        if self.model.tie_tolerance:
            self._weight("tie tolerance", np.array(self.model.tie_tolerance), self.dtype)

    def _weight(self, name: str, values: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> str:
        kept = np.ascontiguousarray(values, dtype=self.dtype if dtype is None else dtype).reshape(values.shape)
        self.weights.append(numpy_helper.from_array(kept, name))
        return name

    def _add(self, kind: str, inputs: Sequence[str], output: str, told: str = "", **options: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, doc_string=told, **options))
        return output
