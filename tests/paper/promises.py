"""What each lemma promises, stated once more in plain Python, row by row, apart from `hyloop.paper.lemmas`.

`x` are the columns before, `c` the row that the pointer names (None for none), `A` the incidence.
"""

from hyloop.paper.lemmas import LEMMAS
from paper.lemma_runs import LAST, before

BY_NAME = {lemma.name: lemma for lemma in LEMMAS}


def top(value, size):
    return [value] + [0] * (size - 1)


def selection(x, **_):
    return {"E": [one if condition else zero for condition, zero, one in zip(x["C"], x["V_0"], x["V_1"], strict=True)]}


def increment(x, *, size, code, number, **_):
    first, second = code.table(LAST)[number + 1]
    return {"D_1": top(first, size), "D_2": top(second, size)}


def comparison(x, **_):
    return {"E": [int(c < d) for c, d in zip(x["C"], x["D"], strict=True)]}


def read_scalar(x, *, size, c, **_):
    return {"E": top(x["D"][c] if c else 0, size)}


def write_scalar(x, *, c, **_):
    return {"E": [x["D"][0] if c and row == c else entry for row, entry in enumerate(x["E"])]}


def termination(x, *, size, **_):
    return {"E": top(int(0 not in x["C"][1:]), size)}


def read_incidence(x, *, size, c, A, **_):
    return {"D": [row[c] for row in A] if c else [0] * size}


def conjunction(x, **_):
    return {"E": [int(c == d == 1) for c, d in zip(x["C"], x["D"], strict=True)]}


def repeat_and(x, **_):
    rows = list(zip(x["D"], x["E"], strict=True))[1:]
    return {"D": [0, *(int(x["C"][0] == 1 and d == 1 and e == 0) for d, e in rows)]}


def repeat_addition(x, **_):
    return {"D": [0, *(x["C"][0] + d for d in x["D"][1:])]}


PROMISES = {
    "selection": selection,
    "increment": increment,
    "comparison": comparison,
    "read scalar": read_scalar,
    "write scalar": write_scalar,
    "termination": termination,
    "read incidence": read_incidence,
    "AND": conjunction,
    "repeat AND": repeat_and,
    "repeat addition": repeat_addition,
}


def promised(lemma, code, trial, names=None):
    """Every column after the lemma: those that the promise names, and all others as they were."""
    names = names or {}
    state = before(lemma, code, trial, names)
    x = {**state.columns, **{slot: state[column] for slot, column in names.items()}}
    row = trial.pointer if trial.pointer and trial.pointer < trial.size else None
    changed = PROMISES[lemma.name](x, size=trial.size, code=code, number=trial.pointer, c=row, A=trial.incidence)
    return {**state.columns, **{names.get(slot, slot): values for slot, values in changed.items()}}
