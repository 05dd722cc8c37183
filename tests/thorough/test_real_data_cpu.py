"""Real hypergraphs on the fast executor: the answers of independent programs."""

from __future__ import annotations

from functools import cache

import pytest

import hyloop
from oracles.distances import bfs_in_star, dijkstra_in_star
from oracles.families import helly_by_triples
from oracles.overlaps import motifs_by_sizes
from oracles.searches import components_by_networkx, dfs_by_walking, levels_by_networkx

# From programs that have nothing to do with this project.
LESMIS = (
    *(2068, 11766, 666, 719, 3886, 2627, 80, 332, 327, 809, 169, 294, 4),
    *(80, 96, 23, 122, 952, 2462, 6779, 11879, 16042, 57, 394, 409, 94),
)


@pytest.fixture(scope="module")
def read(shared):
    @cache
    def read(name):
        file = shared / "data" / f"{name}.hif.json"
        if not file.exists():
            pytest.skip(f"there is no file {file}")
        return hyloop.read(file)

    return read


def agrees(found, expected):
    for name, value in expected.items():
        assert found[name] == value, name


@pytest.mark.parametrize(
    ("name", "oracle"),
    [
        ("dijkstra", dijkstra_in_star),
        ("bfs", bfs_in_star),
        ("levels", levels_by_networkx),
        ("dfs", dfs_by_walking),
    ],
)
def test_searches_in_contact_high_school(read, name, oracle):
    h = read("contact-high-school")
    source = h.vertices[17]
    agrees(hyloop.run(name, h, backend="cpu", source=source), oracle(h, source=source))


def test_components_of_publications(read):
    h = read("publications")
    agrees(hyloop.run("components", h, backend="cpu"), components_by_networkx(h))


def test_projection_of_contact_high_school(read):
    h = read("contact-high-school")
    members = {edge: set(h.members_of(edge)) for edge in h.hyperedges}
    entries = hyloop.run("projection", h, backend="cpu").streams["overlap"].entries
    assert [entry.about for entry in entries] == list(h.hyperedges)
    pairs = {frozenset((entry.about, other)) for entry in entries for other in entry.values if other != entry.about}
    assert len(pairs) == 593_188
    for entry in entries[::400]:
        shared = {other: len(members[entry.about] & members[other]) for other in h.hyperedges if other != entry.about}
        assert entry.values == {other: count for other, count in shared.items() if count}


def test_motifs_of_lesmis(read):
    h = read("lesmis")
    found = hyloop.run("motifs", h, backend="cpu")["counts"]
    assert found == LESMIS == motifs_by_sizes(h)["counts"]


def test_motifs_of_a_part_of_workplace(read):
    whole = read("workplace")
    part = hyloop.Hypergraph.from_hyperedges({edge: whole.members_of(edge) for edge in whole.hyperedges[::4]})
    assert hyloop.run("motifs", part, backend="cpu")["counts"] == motifs_by_sizes(part)["counts"]


@pytest.mark.parametrize(("name", "helly"), [("publications", True), ("lesmis", False), ("workplace", False)])
def test_the_helly_property(read, name, helly):
    h = read(name)
    assert hyloop.run("helly", h, backend="cpu")["helly"] is helly
    assert helly_by_triples(h)["helly"] is helly
