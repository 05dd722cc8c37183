"""Train one row of the table: one task, one kind of network, several seeds at once (torch.func.vmap).

    python examples/train/train.py --task levels --model looped --seeds 3 --steps 1000 --data standard.npz

Appends a JSON line with the losses and the validation accuracy over time, and writes the predictions for every test
part; table.py scores them. It needs numpy and torch, not hyloop: prepare.py made the data. A row that is there already
is not trained again. `--steps 0` tells how good the start is.
"""

import argparse
import copy
import json
import time
from pathlib import Path

import numpy as np
import torch
from models import KINDS, ONE_BY_ONE, loss_of, solver
from torch.func import functional_call, stack_module_state, vmap
from torch.nn import functional

RATES = {"compiled": 1e-6}  # a step of Adam moves every weight by this, the exact zeros, too
RATE = 1e-3
LONGEST = 1.0  # of the gradient of a seed: longer ones are cut, as loops need
AT_ONCE = 2_000_000  # entries of the incidences of a batch that is evaluated at once
LOOKS = 20  # points of a curve
CLOCKS = {"cpu": time.process_time, "cuda": time.monotonic}  # a CPU may be shared: seconds of one core then


# -- data -------------------------------------------------------------------------------------------------------------


def task_of(path, task):
    """What prepare.py wrote of a task: what it is, and its arrays."""
    with np.load(path) as file:
        arrays = {name.removeprefix(f"{task}/"): file[name] for name in file.files if name.startswith(f"{task}/")}
    if not arrays:
        raise SystemExit(f"{path} has no {task}: prepare.py --task {task} adds it.")
    return json.loads(str(arrays.pop("about"))), arrays


def part_of(arrays, name, device):
    """A part as tensors: features, whole incidences, masks, answers; hints where there are some."""
    found = {key.removeprefix(f"{name}/"): arrays[key] for key in arrays if key.startswith(f"{name}/")}
    counts, rows = found.pop("counts"), found["vertex"].shape[1]
    at = found["incidence"]
    found["A"] = np.zeros((len(counts), rows, rows), np.float32)
    found["A"][tuple(at)] = 1
    found["incidence"] = listed(at, len(counts))
    place = np.arange(rows)
    for column, kind in enumerate(("vertices", "hyperedges")):
        found[kind] = (place >= 1) & (place <= counts[:, column, np.newaxis])
    found["there"] = found["vertices"] | found["hyperedges"] | (place == 0)
    found.pop("number")
    return {key: torch.from_numpy(value).to(device) for key, value in found.items()}


def listed(at, count):
    """The incidences of each example, vertices above and hyperedges below, in lists of one length: row 0 pads."""
    many = np.bincount(at[0], minlength=count)
    place = np.arange(at.shape[1]) - np.repeat(np.cumsum(many) - many, many)
    found = np.zeros((count, 2, many.max()), np.int64)
    found[at[0], :, place] = at[1:].T
    return found


def chosen(part, places):
    """Some examples of a part; lists of incidences are as long as the longest of these."""
    found = {name: value[places] for name, value in part.items()}
    longest = int((found["incidence"][..., 0, :] > 0).sum(dim=-1).max())
    return found | {"incidence": found["incidence"][..., :longest]}


def split_of(about, arrays, device):
    """The training part and the validation part; without one, every tenth training example is held out."""
    names = {each["split"]: name for name, each in about["parts"].items()}
    train = joined([part_of(arrays, name, device) for name, e in about["parts"].items() if e["split"] == "train"])
    if "validation" in names:
        return train, part_of(arrays, names["validation"], device)
    out = torch.arange(len(train["A"]), device=device) % 10 == 0
    return chosen(train, ~out), chosen(train, out)


def joined(parts):
    """Training parts of several sizes as one: prepare.py gave them the same rows; the last step stays."""
    longest = max(part["states"].shape[1] for part in parts)
    most = max(part["incidence"].shape[2] for part in parts)
    for part in parts:
        part["states"] = lengthened(part["states"], longest)
        part["incidence"] = functional.pad(part["incidence"], (0, most - part["incidence"].shape[2]))
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def lengthened(states, steps):
    """States for so many steps: the last one stays."""
    more = max(0, steps - states.shape[1])
    return torch.cat([states, states[:, -1:].expand(-1, more, -1, -1)], dim=1)


# -- training ---------------------------------------------------------------------------------------------------------


def in_turn(function):
    """What vmap does, one after the other, for networks that vmap does not take."""

    def over(*given):
        count = len(next(iter(given[0].values())))
        found = [
            function(*({name: value[at] for name, value in each.items()} for each in given)) for at in range(count)
        ]
        if isinstance(found[0], tuple):
            return tuple(torch.stack(each) for each in zip(*found, strict=True))
        return torch.stack(found)

    return over


class Seeds:
    """Several networks of one kind as one: every weight has a seed in front."""

    def __init__(self, about, arrays, given, device):
        widths = [arrays[next(key for key in arrays if key.endswith(f"/{name}"))].shape[-1] for name in NAMES]
        made = []
        for seed in range(given.seeds):
            torch.manual_seed(seed)
            options = {"size": given.size, "temperature": given.temperature, "noise": given.noise}
            made.append(solver(given.model, about, arrays, widths, **options).to(device))
        self.weights, _ = stack_module_state(made)
        self.weights = {name: weight.detach().requires_grad_() for name, weight in self.weights.items()}
        self.base = copy.deepcopy(made[0]).to("meta")
        self.count, self.over = given.seeds, in_turn if given.model in ONE_BY_ONE else vmap
        self.parameters = sum(weight[0].numel() for weight in self.weights.values())

    def told(self, weights, batch, most, hints):
        return functional_call(self.base, weights, (batch, most, hints))

    def losses(self, batch, most, hints):
        """The loss of each seed on its own batch: of the answer, and of the hints."""

        def of_one(weights, batch):
            logits, lost = self.told(weights, batch, most, hints)
            return loss_of(logits, batch["answer"]), lost

        return self.over(of_one)(self.weights, batch)

    @torch.no_grad()
    def predicted(self, part, most):
        """What each seed answers at each row, in the code of the data set (-1 is none)."""
        step = max(1, AT_ONCE // part["A"][0].numel() // self.count)
        found = []
        for first in range(0, len(part["A"]), step):
            batch = chosen(part, slice(first, first + step))
            logits = self.over(lambda w, b=batch: self.told(w, b, most, False)[0])(self.weights)
            found.append(logits.argmax(dim=-1) - 1)
        return torch.cat(found, dim=1)

    def accuracy(self, part, most):
        """Of each seed, the share of vertices where it gives the recorded answer."""
        wanted = part["answer"]
        there = wanted >= 0
        right = (self.predicted(part, most) == wanted - 1) & there
        return (right.sum(dim=(1, 2)) / there.sum()).tolist()

    def cut(self):
        """Shorten the gradient of each seed; a seed whose gradient is no number takes no step."""
        gradients = [weight.grad for weight in self.weights.values() if weight.grad is not None]
        length = torch.stack([each.flatten(1).square().sum(dim=1) for each in gradients]).sum(dim=0).sqrt()
        factor = torch.where(length.isfinite(), (LONGEST / (length + 1e-6)).clamp(max=1), 0)
        for each in gradients:
            each.nan_to_num_(0, 0, 0).mul_(factor.view(-1, *[1] * (each.ndim - 1)))


NAMES = ("vertex", "hyperedge")


def trained(seeds, train, held, rounds, given):
    """Train until the steps are done or the time is over; the points of the curve."""
    optimizer = torch.optim.Adam(seeds.weights.values(), lr=given.rate)
    generator = torch.Generator().manual_seed(0)
    clock = CLOCKS[train["A"].device.type]
    began, curve, step, due = clock(), [], 0, 0.0
    while True:
        done = max(step / max(given.steps, 1), (clock() - began) / given.seconds)
        if done >= due or done >= 1:
            due += 1 / LOOKS
            curve.append({"step": step, "validation": seeds.accuracy(held, rounds)})
        if done >= 1 or given.steps == 0:
            return curve, step, clock() - began
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(1, (step + 1) / 20) * max(0.05, 1 - done)
        places = torch.randint(len(train["A"]), (seeds.count, given.batch), generator=generator)
        answer, hints = seeds.losses(chosen(train, places.to(train["A"].device)), rounds, given.hints)
        optimizer.zero_grad()
        (answer + hints).sum().backward()
        seeds.cut()
        optimizer.step()
        step += 1
        if curve and "loss" not in curve[-1]:
            curve[-1] |= {"loss": answer.tolist(), "hint_loss": hints.tolist()}


# -- a row ------------------------------------------------------------------------------------------------------------


def key_of(row):
    """What tells rows apart: the same key is not trained again."""
    return (
        row["task"],
        row["model"],
        row["hints"],
        row["asked"] == 0,
        row["rate"],
        row.get("temperature"),
        row.get("noise"),
    )


def name_of(row):
    """A name for the file of a row."""
    told = [row["task"], row["model"], *["hints"] * row["hints"], *["start"] * (row["asked"] == 0)]
    told += [
        f"{letter}{row[name]:g}"
        for letter, name in (("t", "temperature"), ("n", "noise"), ("r", "rate"))
        if name in row
    ]
    return "-".join(told)


def there_already(path, key):
    lines = path.read_text().splitlines() if path.exists() else []
    return any(key_of(json.loads(line)) == key for line in lines)


def main():
    given = arguments()
    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    row = {"task": given.task, "model": given.model, "hints": given.hints, "asked": given.steps, "rate": given.rate}
    row |= {"temperature": given.temperature, "noise": given.noise} if given.model == "compiled" else {}
    if there_already(given.out, key_of(row)):
        print(f"{given.out} has this row already.")
        return
    about, arrays = task_of(given.data, given.task)
    train, held = split_of(about, arrays, device)
    rounds = max(each["rounds"] for each in about["parts"].values() if each["split"] in {"train", "validation"})
    if not given.hints:
        train.pop("states")
    else:
        train["states"] = lengthened(train["states"], rounds)  # validation may take longer
    seeds = Seeds(about, arrays, given, device)
    curve, steps, seconds = trained(seeds, train, held, rounds, given)
    path = given.out.with_suffix("") / f"{name_of(row)}.npz"
    write_predictions(path, seeds, about, arrays, device)
    row |= {"seeds": given.seeds, "steps": steps, "seconds": round(seconds, 1), "parameters": seeds.parameters}
    row |= {"batch": given.batch, "size": given.size, "device": device, "torch": torch.__version__, "curve": curve}
    row |= {"threads": torch.get_num_threads()} if device == "cpu" else {}
    with given.out.open("a") as file:
        file.write(json.dumps({**row, "predictions": f"{path.parent.name}/{path.name}"}) + "\n")
    last = sum(curve[-1]["validation"]) / given.seeds
    print(f"{path.stem}: {steps} steps in {seconds:.1f} s on {device}; validation {last:.1%}")


def write_predictions(path, seeds, about, arrays, device):
    """The answers of every seed for every test part, with the numbers of the examples and of their vertices."""
    found = {"column": np.array(about["output"]["column"])}
    for name, each in about["parts"].items():
        if each["split"] == "test":
            answers = seeds.predicted(part_of(arrays, name, device), each["rounds"])[..., 1:]
            found[f"{name}/answers"] = answers.cpu().numpy().astype(np.int16)
            found[f"{name}/number"] = arrays[f"{name}/number"]
            found[f"{name}/vertices"] = arrays[f"{name}/counts"][:, 0]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **found)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="what prepare.py wrote")
    parser.add_argument("--task", required=True)
    parser.add_argument("--model", required=True, choices=KINDS)
    parser.add_argument("--hints", action="store_true", help="also learn the states after every step")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="stop training after this time; on a CPU, of one core"
    )
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--size", type=int, default=64, help="width of the networks that start at random")
    parser.add_argument("--rate", type=float, help="learning rate (default: 0.001; compiled start: 0.000001)")
    parser.add_argument("--temperature", type=float, default=0.05, help="of the attention of the compiled start")
    parser.add_argument("--noise", type=float, default=0.0, help="added to the weights of the compiled start")
    parser.add_argument("--out", type=Path, default=Path("rows.jsonl"))
    parser.add_argument("--device")
    given = parser.parse_args()
    given.rate = given.rate or RATES.get(given.model, RATE)
    return given


if __name__ == "__main__":
    main()
