"""Score the rows that train.py wrote with hyloop's verifiers; make the table and the curves of docs/data.md.

    python examples/train/table.py rows.jsonl standard -o table.md --curves curves.svg --json scored.jsonl
    python examples/train/table.py scored.jsonl                 # from rows that have their scores

Scores are those of `hyloop data score`: against the problem, every test part as a whole. A cell has the mean over the
seeds in percent, of nodes with the lowest and the highest.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from hyloop import data
from hyloop.data.read import read_list


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


def scored(row, base, folders):
    """Of each part, the shares of nodes and graphs that are right, seed by seed, and those of the reference."""
    where = {(e["algorithm"], e["part"]): folder for folder in folders for e in read_list(folder)["shards"]}
    found = {}
    for name, _, rows in predictions(base / row["predictions"], row["task"]):
        [part] = data.score(rows, where[row["task"], name])["parts"]
        about = found.setdefault(name, {"size": max(part["sizes"]), "examples": part["examples"], "missing": 0})
        about["missing"] += part["missing"]
        for kind in ("nodes", "graphs"):
            about.setdefault(kind, []).append(share(part[kind]))
            about[f"reference {kind}"] = share(part["reference"][kind])
    return found


def share(part):
    return part["right"] / part["all"]


NETWORKS = {
    "looped": "looped transformer",
    "compiled": "compiled start",
    "hypergraph": "HypergraphConv",
    "star": "star expansion",
}


def label(row):
    more = ["before training"] * (row["asked"] == 0) + ["hints"] * row["hints"]
    return ", ".join([NETWORKS[row["model"]], *more])


def nodes(shares):
    mean = f"{100 * np.mean(shares):.1f}"
    return mean if min(shares) == max(shares) else f"{mean} ({100 * min(shares):.1f}–{100 * max(shares):.1f})"


def graphs(shares):
    return f"{100 * np.mean(shares):.1f}"


def table(rows):
    """A Markdown table: a line for each row, two columns for each size; the reference is the last line of a task."""
    sizes = sorted({part["size"] for row in rows for part in row["score"].values()})
    heads = [f"{kind}, n = {size}" for size in sizes for kind in ("nodes", "graphs")]
    lines = [f"| task | network | steps | seconds | {' | '.join(heads)} |", "|---|---|" + "---:|" * (2 + len(heads))]
    for task in dict.fromkeys(row["task"] for row in rows):
        mine = [row for row in rows if row["task"] == task]
        lines += [
            line(task, label(row), f"{row['steps']:,}", round(row["seconds"]), *cells(row, sizes, "")) for row in mine
        ]
        lines.append(line(task, "the reference", "", "", *cells(mine[0], sizes, "reference ")))
    return "\n".join(lines) + "\n"


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


def curves(rows, path):
    """Validation accuracy over steps, a panel for each task; the band is from the lowest to the highest seed."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    rows = [row for row in rows if row["asked"]]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    colours = {name: f"C{place}" for place, name in enumerate(dict.fromkeys(row["model"] for row in rows))}
    figure, panels = plt.subplots(1, len(tasks), figsize=(3.2 * len(tasks), 3), sharey=True, squeeze=False)
    for panel, task in zip(panels[0], tasks, strict=True):
        for row in (row for row in rows if row["task"] == task):
            steps = [point["step"] for point in row["curve"]]
            shares = np.array([point["validation"] for point in row["curve"]])
            style = {"color": colours[row["model"]]}
            panel.plot(steps, shares.mean(axis=1), "--" if row["hints"] else "-", label=label(row), **style)
            panel.fill_between(steps, shares.min(axis=1), shares.max(axis=1), alpha=0.15, **style)
        panel.set(title=task, xlabel="steps", ylim=(0, 1.02))
    panels[0][0].set_ylabel("vertices as recorded (validation)")
    panels[0][-1].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


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
    if not given.sweep:
        rows = [
            row if "score" in row else row | {"score": scored(row, given.rows.parent, given.folders)} for row in rows
        ]
    if given.json:
        given.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if given.curves:
        curves(rows, given.curves)
    made = (sweep if given.sweep else table)(rows)
    given.output.write_text(made) if given.output else print(made, end="")


if __name__ == "__main__":
    main()
