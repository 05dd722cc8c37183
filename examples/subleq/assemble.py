"""Turn a program for subleq into a hypergraph: `python assemble.py sort.txt` writes sort.hif.json.

A line is an instruction, `a b c` or `a b` (then c is the next one), or `= value value ...`; `name:` before it names its
first cell. Operands are numbers, names, or a name and how far from it: A+1. Each line becomes a hyperedge of its cells.
"""

import sys
from pathlib import Path

import hyloop
from hyloop.hypergraph import Annotations


def lines(text):
    """The address, the name, the words and the text of each line that has any."""
    address = 0
    for number, line in enumerate(text.splitlines(), 1):
        code = line.partition("#")[0]
        name, colon, rest = code.rpartition(":")
        words = rest.split()
        if not words:
            continue
        if words[0] != "=" and len(words) not in (2, 3):
            raise SystemExit(f"line {number}: two or three operands, or = and values: {line.strip()}")
        cells = words[1:] if words[0] == "=" else [*words, str(address + 3)][:3]
        yield address, name.strip() if colon else "", cells, " ".join(words)
        address += len(cells)


def value(word, names):
    """What a cell holds at first."""
    name, _, offset = word.partition("+")
    if name not in names and not word.removeprefix("-").isdigit():
        raise SystemExit(f"{word} is neither a number nor a name of this program: {', '.join(names)}")
    return names[name] + int(offset or 0) if name in names else int(word)


def assemble(text):
    """The hypergraph of a program: cells are vertices, with the attributes `positive` and `negative`."""
    program = list(lines(text))
    names = {name: address for address, name, _, _ in program if name}
    edges, attributes = {}, {}
    for address, name, cells, said in program:
        labels = [f"{name}+{i}" if name and i else name or str(address + i) for i in range(len(cells))]
        edges[f"{address}: {said}"] = labels
        for label, word in zip(labels, cells, strict=True):
            held = value(word, names)
            attributes[label] = {"positive": max(held, 0), "negative": max(-held, 0)}
    return hyloop.Hypergraph.from_hyperedges(edges, annotations=Annotations(vertex_attributes=attributes))


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        hyloop.write(assemble(path.read_text(encoding="utf-8")), path.with_suffix(".hif.json"))
