"""Every algorithm against its oracles on real hypergraphs, by the interpreter: the files are not in the repository."""

import csv

import pytest

import hyloop
from algorithm_inputs import inputs_of
from hyloop.algorithms import ALGORITHMS
from oracles import ORACLES, disagreements
from oracles.overlaps import NUMBER_OF_CODE

pytestmark = pytest.mark.usefixtures("interpreted")

FROM_A_SOURCE = [name for name, algorithm in ALGORITHMS.items() if algorithm.inputs == ("source",)]
OF_ALL = [name for name, algorithm in ALGORITHMS.items() if not algorithm.inputs]


def test_motif_table_is_the_published_one(shared):
    with (shared / "motifs.csv").open() as file:
        rows = [[int(cell) for cell in row.values()] for row in csv.DictReader(file)]
    assert {tuple(code): motif - 1 for motif, *code in rows} == NUMBER_OF_CODE


REAL = ["davis-southern-women", "lesmis", "workplace", "justice", "contact-high-school", "publications"]
DAVIS = (0, 2, 4, 12, 6, 6, 0, 8, 10, 33, 3, 16, 0, 6, 19, 4, 0, 0, 0, 21, 1, 58, 0, 4, 3, 0)


@pytest.fixture(scope="module")
def real(shared):
    """Read a real hypergraph once."""
    read = {}

    def reader(name):
        if name not in read:
            read[name] = hyloop.read(shared / "data" / f"{name}.hif.json")
        return read[name]

    return reader


@pytest.mark.parametrize("file", REAL)
@pytest.mark.parametrize("name", [*FROM_A_SOURCE, "components"])
def test_real_hypergraphs(name, file, real):
    H = real(file)
    busiest = max(H.vertices, key=lambda vertex: len(H.hyperedges_of(vertex)))
    assert disagreements(name, H, {"source": busiest} if name in FROM_A_SOURCE else {}) == []


# What the interpreter runs for minutes: iterations with the square of the vertices.
LONG = {"acyclic", "triangles", "all_pairs", "closeness", "diameter"}


@pytest.mark.parametrize("name", ["all_pairs", "closeness", "diameter"])
def test_searches_from_every_vertex(name, real):
    assert disagreements(name, real("davis-southern-women"), {}) == []


@pytest.mark.parametrize("file", ["davis-southern-women", "lesmis", "workplace"])
@pytest.mark.parametrize("name", [name for name in list(ALGORITHMS)[9:] if name not in LONG])
def test_smaller_real_hypergraphs(name, file, real):
    H = real(file)
    assert disagreements(name, H, inputs_of(name, H)[0]) == []


def test_davis_counts_and_helly(real):
    H = real("davis-southern-women")
    assert hyloop.run("motifs", H)["counts"] == DAVIS
    assert hyloop.run("helly", H)["helly"] is False
    for name in OF_ALL:
        assert disagreements(name, H, {}) == []


@pytest.mark.parametrize("file", ["lesmis", "workplace", "justice", "contact-high-school"])
def test_real_hypergraphs_that_are_not_helly(file, real):
    result = hyloop.run("helly", real(file))
    triples = ORACLES["helly"]["sets, all triples"](real(file))
    assert (result["helly"], result["witness"]) == (False, triples["witness"])


def test_projection_of_lesmis(real):
    assert disagreements("projection", real("lesmis"), {}) == []


def test_the_davis_data_are_those_of_others(real, davis):
    """In the other file the two events with the same guests are one of weight 2, and two names are spelt otherwise."""
    spelt = {"Katherina Rogers": "Katherine Rogers", "Myra Liddel": "Myra Liddell"}
    theirs = real("davis-southern-women")
    names = {v: theirs.annotations.vertex_attributes[v]["name"] for v in theirs.vertices}
    guests = [{spelt.get(names[v], names[v]) for v in theirs.members_of(e)} for e in theirs.hyperedges]
    assert [*guests, guests[-1]] == [set(davis.members_of(e)) for e in davis.hyperedges]
