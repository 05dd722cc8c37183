"""Score the rows that train.py wrote with hyloop's verifiers; make the table and the curves of docs/data.md.

    python examples/train/table.py rows.jsonl standard -o table.md --curves curves.svg --json scored.jsonl
    python examples/train/table.py scored.jsonl                 # from rows that have their scores

Scores are those of `hyloop data score`: against the problem, every test part as a whole. A cell has the mean over the
seeds in percent, rounded down; that of nodes also has the lowest and the highest.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np

from hyloop import data
from hyloop.data.read import read_list
from hyloop.draw.library import own_settings, save


def predictions(path, task):
    """For each part and seed, the rows that `hyloop.data.score` takes."""
    with np.load(path) as file:
        column = str(file["column"])
        for name in sorted({each.split("/")[0] for each in file.files if "/" in each}):
            numbers, vertices = file[f"{name}/number"], file[f"{name}/vertices"]
            for seed, answers in enumerate(file[f"{name}/answers"]):
                yield (
                    name,
                    seed,
                    [
                        {"algorithm": task, "part": name, "number": int(number), column: answer[:n].astype(np.int64)}
                        for number, n, answer in zip(numbers, vertices, answers, strict=True)
                    ],
                )


def scored(task, told, folders):
    """Of each part, the shares of nodes and graphs that are right, seed by seed, and those of the reference."""
    where = {(e["algorithm"], e["part"]): folder for folder in folders for e in read_list(folder)["shards"]}
    found = {}
    for name, _, rows in told:
        [part] = data.score(rows, where[task, name])["parts"]
        about = found.setdefault(name, {"size": max(part["sizes"]), "examples": part["examples"], "missing": 0})
        about["missing"] += part["missing"]
        for kind in ("nodes", "graphs"):
            about.setdefault(kind, []).append(share(part[kind]))
            about[f"reference {kind}"] = share(part["reference"][kind])
    return found


def in_order(rows):
    """The rows of each task together, in the order of the networks: they are written in the order in which they end."""
    tasks, models = list(TASKS), list(NETWORKS)
    return sorted(
        rows, key=lambda row: (tasks.index(row["task"]), row["asked"] != 0, models.index(row["model"]), row["hints"])
    )


def with_scores(rows, base, folders):
    """The rows with their scores, and for each task a row without a network: the most frequent answer everywhere."""
    found = []
    for task in dict.fromkeys(row["task"] for row in in_order(rows)):
        mine = [row for row in in_order(rows) if row["task"] == task]
        found += [row | {"score": scored(task, predictions(base / row["predictions"], task), folders)} for row in mine]
        score = scored(task, constant(base / mine[0]["predictions"], task, folders), folders)
        found.append({"task": task, "model": "constant", "hints": False, "asked": 0, "score": score})
    return found


def constant(path, task, folders):
    """Predictions of the same parts as those in a file: everywhere the answer that most training vertices have."""
    parts = [(folder, e["part"]) for folder in folders for e in read_list(folder)["shards"] if trains(e, task)]
    with np.load(path) as file:
        column = str(file["column"])
    seen = [
        sample.example[column] for folder, part in parts for sample in data.load(folder, task, part=part, hints=False)
    ]
    values, counts = np.unique(np.concatenate(seen), return_counts=True)
    for name, seed, rows in predictions(path, task):
        if seed == 0:
            yield name, 0, [row | {column: np.full_like(row[column], values[counts.argmax()])} for row in rows]


def trains(shard, task):
    return shard["algorithm"] == task and shard["split"] == "train"


def share(part):
    return part["right"] / part["all"]


TASKS = ("levels", "dijkstra", "components", "core_numbers")
NETWORKS = {
    "looped": "looped transformer",
    "compiled": "compiled start",
    "hypergraph": "HypergraphConv",
    "star": "star expansion",
    "constant": "the most frequent answer",
}


def label(row):
    more = ["before training"] * (row["model"] == "compiled" and row["asked"] == 0) + ["hints"] * row["hints"]
    return ", ".join([NETWORKS[row["model"]], *more])


def percent(part):
    """Rounded down: 100.0 is all of them."""
    return f"{math.floor(round(1000 * part, 6)) / 10:.1f}"  # a mean of floats may lack the last bit


def nodes(shares):
    mean = percent(np.mean(shares))
    return mean if min(shares) == max(shares) else f"{mean} ({percent(min(shares))}–{percent(max(shares))})"


def graphs(shares):
    return percent(np.mean(shares))


def table(rows):
    """A Markdown table: a line for each row, two columns for each size; the reference is the last line of a task."""
    sizes = sorted({part["size"] for row in rows for part in row["score"].values()})
    heads = [f"{kind}, n = {size}" for size in sizes for kind in ("nodes", "graphs")]
    lines = [f"| task | network | steps | seconds | {' | '.join(heads)} |", "|---|---|" + "---:|" * (2 + len(heads))]
    for task in dict.fromkeys(row["task"] for row in rows):
        mine = [row for row in rows if row["task"] == task]
        lines += [line(task, label(row), *cost(row), *cells(row, sizes, "")) for row in mine]
        lines.append(line(task, "the reference", "", "", *cells(mine[0], sizes, "reference ")))
    return "\n".join(lines) + "\n"


def cost(row):
    return (f"{row['steps']:,}", round(row["seconds"])) if row["asked"] else ("", "")


def line(*words):
    return f"| {' | '.join(map(str, words))} |"


def cells(row, sizes, which):
    """Nodes and graphs at each size; nothing where there was no test."""
    parts = {part["size"]: part for part in row["score"].values()}
    return [
        told(np.atleast_1d(parts[size][f"{which}{told.__name__}"])) if size in parts else ""
        for size in sizes
        for told in (nodes, graphs)
    ]


def sweep(rows):
    """A Markdown table of compiled starts: vertices as recorded (validation) by temperature, before and after."""
    rates = sorted({row["rate"] for row in rows})
    [steps] = {row["steps"] for row in rows}
    lines = [
        line("temperature", "before", *(f"rate {rate:g}, {steps} steps" for rate in rates)),
        "|---:|" + "---:|" * (1 + len(rates)),
    ]
    for temperature in sorted({row["temperature"] for row in rows}):
        mine = {row["rate"]: row["curve"] for row in rows if row["temperature"] == temperature}
        before = nodes(mine[rates[0]][0]["validation"])
        lines.append(line(temperature, before, *(nodes(mine[rate][-1]["validation"]) for rate in rates)))
    return "\n".join(lines) + "\n"


COLOURS = {"looped": "#0072b2", "compiled": "#d55e00", "hypergraph": "#009e73", "star": "#a8497f"}


def curves(rows, path):
    """Validation accuracy over time, a panel for each task; the band is from the lowest to the highest seed."""
    from matplotlib.figure import Figure

    rows = [row for row in rows if row["asked"]]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    with own_settings():
        figure = Figure(figsize=(2.7 * len(tasks), 3.4), layout="constrained")
        panels = figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0]
        for panel, task in zip(panels, tasks, strict=True):
            panel.set(title=task, xlabel="seconds", ylim=(0, 1.02))
            for row in (row for row in rows if row["task"] == task):
                draw(panel, row)
        panels[0].set_ylabel("vertices as recorded (validation)")
        lines = {line.get_label(): line for panel in panels for line in panel.get_lines()}
        figure.legend(lines.values(), lines, loc="outside lower center", ncols=4, fontsize=8)
        save(figure, path)


def draw(panel, row):
    """One row; all steps of a row take the same time."""
    shares = np.array([point["validation"] for point in row["curve"]])
    seconds = row["seconds"] / row["steps"] * np.array([point["step"] for point in row["curve"]])
    colour, style = COLOURS[row["model"]], "--" if row["hints"] else "-"
    panel.plot(seconds, shares.mean(axis=1), style, color=colour, label=label(row), lw=1.3)
    panel.fill_between(seconds, shares.min(axis=1), shares.max(axis=1), color=colour, alpha=0.12, lw=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=Path, help="what train.py wrote")
    parser.add_argument("folders", nargs="*", type=Path, help="the data sets that prepare.py was given")
    parser.add_argument("-o", "--output", type=Path, help="the table, as Markdown (default: printed)")
    parser.add_argument("--json", type=Path, help="the rows with their scores, a JSON line each")
    parser.add_argument("--curves", type=Path, help="the curves, as SVG")
    parser.add_argument("--sweep", action="store_true", help="rows are compiled starts: temperatures by rates")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.rows.read_text().splitlines()]
    if not rows:
        raise SystemExit(f"{given.rows} has no rows: train.py writes them.")
    if not given.sweep and "score" not in rows[0]:
        rows = with_scores(rows, given.rows.parent, given.folders)
    if given.json:
        given.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if given.curves:
        curves(rows, given.curves)
    made = (sweep if given.sweep else table)(rows)
    given.output.write_text(made) if given.output else print(made, end="")


if __name__ == "__main__":
    main()
