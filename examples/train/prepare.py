"""Turn data sets of `hyloop data make` into one .npz for train.py, which then needs numpy and torch alone.

    python examples/train/prepare.py standard -o standard.npz

For each task it has the parts as padded arrays (row 0 is the graph; vertex v and hyperedge v share row v + 1, as in the
paper), the states that the program holds after each step of the training examples, and the weights of the transformer
that hyloop compiles for 32 rows and weights up to 10.
"""

import argparse
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

import hyloop
from hyloop import data
from hyloop.data.read import read_list
from hyloop.execute.prepare import encoded_batch, given_to, program_of
from hyloop.machine.layout import Everywhere

TASKS = {"levels": "level", "components": "component", "dijkstra": "distance", "core_numbers": "core"}
CAPACITY = hyloop.Capacity(rows=32, weight=10)
CLASSES = {"count": 32, "length": 128}  # none, then 0, 1, ...: larger numbers cannot be answered
ROWS = 10**5  # more than any part has


def parts_of(folders, task, largest):
    """The samples of each part, by its name; parts with larger hypergraphs are left out."""
    found = {}
    for folder in folders:
        for each in read_list(folder)["shards"]:
            if each["algorithm"] == task and each["part"] not in found:
                samples = data.load(folder, task, part=each["part"], hints=each["split"] == "train")
                if max(samples.document["part"]["sizes"]) <= largest:
                    found[each["part"]] = samples
    return found


def rows_of(samples):
    """One row for the graph, then as many as the largest example has vertices or hyperedges."""
    return 1 + max(max(int(each.example["vertices"]), int(each.example["hyperedges"])) for each in samples)


def features(samples, rows):
    """What every model sees, padded: features by row, masks, incidences, answers."""
    shape = {name: samples[0].arrays()[name].shape[1] for name in ("vertex", "hyperedge")}
    found = {name: np.zeros((len(samples), rows, width), np.float32) for name, width in shape.items()}
    counts = np.array([[each.example["vertices"], each.example["hyperedges"]] for each in samples], np.int32)
    incidences = []
    for place, sample in enumerate(samples):
        arrays = sample.arrays()
        for name in shape:
            found[name][place, 1 : 1 + len(arrays[name])] = arrays[name]
        at = arrays["incidence"] + 1
        incidences.append(np.stack([np.full(at.shape[1], place), *at]))
    found["hyperedge"][..., 1] /= CAPACITY.weight
    return {
        **found,
        "counts": counts,
        "incidence": np.concatenate(incidences, axis=1).astype(np.int32),
        "number": np.array([each.example["number"] for each in samples], np.int32),
    }


def answers(samples, rows, output):
    """The answer at each vertex plus 1, so that none is 0: a class, or the row that is pointed at. -1 is padding."""
    found = np.full((len(samples), rows), -1, np.int16)
    for place, sample in enumerate(samples):
        found[place, 1 : 1 + len(sample.outputs[output])] = np.asarray(sample.outputs[output]) + 1
    return found


def states(samples, rows, rounds, variables):
    """Each state after each step, in the same code (flags: 0, 1); after the last step it stays. -1 is padding."""
    found = np.full((len(samples), rounds, rows, len(variables)), -1, np.int16)
    for place, sample in enumerate(samples):
        for step, values in enumerate(sample.steps()):
            for at, each in enumerate(variables if step else ()):  # the first is before step 1
                value = values[each["name"]]
                found[place, step - 1 :, 1 : 1 + len(value), at] = value + (each["kind"] != "flag")
    return found


def encoded(model, samples, rows):
    """The initial states of the compiled transformer; also of inputs beyond its capacity, which it then may fail."""
    roomy, program = without_bounds(model), program_of(model)
    givens = [in_ones(given_to(program, data.hypergraph_of(each.example), each.inputs)) for each in samples]
    found = [encoded_batch(roomy, [given], padding=rows - 1 - given.rows)[0] for given in givens]
    return np.concatenate(found).astype(np.float32)


def in_ones(given):
    """The same with weights in the unit 1, as answers are: `run` takes the largest unit that all weights share."""
    return replace(given, weights=given.weights * int(given.unit), unit=Fraction(1))


def without_bounds(model):
    """The same columns for inputs of any size: only the encoder may use it, since the weights stay as they are."""
    columns = tuple(
        replace(
            column, initial=tuple(replace(e, most=ROWS) if isinstance(e, Everywhere) else e for e in column.initial)
        )
        for column in model.layout.columns
    )
    capacity = hyloop.Capacity(rows=ROWS, weight=CAPACITY.weight)
    return replace(model, layout=replace(model.layout, columns=columns), capacity=capacity)


def compiled_arrays(model):
    """The weights of the compiled transformer by layer; heads side by side."""
    found = {}
    for number, layer in enumerate(model.layers):
        for name in ("query", "key", "value"):
            found[f"{number}/{name}"] = np.stack([getattr(head, name) for head in layer.heads]).astype(np.float32)
        for place, weight in enumerate(layer.mlp.weights):
            found[f"{number}/w{place + 1}"] = weight.astype(np.float32)
    return found


def about(task, model, samples, variables):
    """What train.py has to know of a task."""
    [output] = [each for each in samples.document["outputs"] if each["name"] == TASKS[task]]
    return {
        "task": task,
        "output": {"name": output["name"], "kind": output["kind"], "column": output["column"]},
        "variables": [{key: each[key] for key in ("name", "kind", "location")} for each in variables],
        "classes": CLASSES,
        "heads": [[head.kind for head in layer.heads] for layer in model.layers],
        "columns": [column.name for column in model.layout.columns],
        "halt": model.layout.number(model.layout.halt),
        "infinity": model.infinity,
        "parts": {},
    }


def prepared(folders, task, largest):
    """The arrays of a task, by name."""
    parts = parts_of(folders, task, largest)
    if not parts:
        raise SystemExit(f"There are no examples of {task} in {', '.join(map(str, folders))}.")
    model = hyloop.compile(task, CAPACITY, dtype="float32")
    document = next(iter(parts.values())).document
    variables = [each for each in document["variables"] if each["role"] == "state" and each["location"] != "graph"]
    told = about(task, model, next(iter(parts.values())), variables)
    found = {f"compiled/{name}": value for name, value in compiled_arrays(model).items()}
    # Training parts are joined: all have the rows of the largest, since the transformer's padding has positions, too.
    most = max((rows_of(each) for each in parts.values() if each.document["part"]["split"] == "train"), default=0)
    for name, samples in parts.items():
        rounds, part = max(int(each.example["steps"]) for each in samples), samples.document["part"]
        rows = most if part["split"] == "train" else rows_of(samples)
        told["parts"][name] = {"split": part["split"], "sizes": list(part["sizes"]), "rounds": rounds, "rows": rows}
        arrays = features(samples, rows) | {"answer": answers(samples, rows, TASKS[task])}
        arrays["encoded"] = encoded(model, samples, rows)
        if part["split"] == "train":
            arrays["states"] = states(samples, rows, rounds, variables)
        found |= {f"{name}/{key}": value for key, value in arrays.items()}
    found["about"] = np.array(json.dumps(told))
    return {f"{task}/{name}": value for name, value in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, help="data sets of hyloop data make")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--task", choices=TASKS, action="append", help="default: all that are there")
    parser.add_argument("--largest", type=int, default=160, help="parts with more vertices are left out")
    given = parser.parse_args()
    arrays = {}
    for task in given.task or TASKS:
        arrays |= prepared(given.folders, task, given.largest)
    np.savez_compressed(given.output, **arrays)
    print(f"Wrote {given.output}: {given.output.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
