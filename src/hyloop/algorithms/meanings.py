"""What the outputs of a shipped algorithm mean, in a few sentences, where its own text leaves that open.

Commands and pages show it beside an answer. docs/algorithms.md has the definitions, and these sentences once more.
"""

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "dijkstra": (
        "`predecessor` is the vertex before on a shortest path, and `hyperedge` the one that is crossed last; the "
        "source has neither. What is not reached has no distance."
    ),
    "bfs": (
        "`predecessor` is the vertex before on a shortest path, and `hyperedge` the one that is crossed last; the "
        "source has neither. What is not reached has no level."
    ),
    "dfs": (
        "`order` counts the vertices as the search comes to them, and `predecessor` is where it comes from. What is "
        "in another component than the source has neither."
    ),
    "components": (
        "Two vertices have the same `component` if hyperedges lead from one to the other. It is a label: the "
        "lowest-numbered vertex of the component."
    ),
    "helly": (
        "The property holds if every family of hyperedges that meet in pairs has a common vertex. If it does not "
        "hold, `witness` has three vertices, and the hyperedges that contain at least two of them have no common "
        "vertex, though each two of those hyperedges meet."
    ),
    "projection": "`overlap` is how many vertices two hyperedges have in common; that of a hyperedge with itself is 0.",
    "motifs": (
        "`counts` has a number for each of the 26 motifs, in the published order, which begins with 1. A motif is "
        "the way in which three connected hyperedges overlap: which of the seven regions of their Venn diagram are "
        "empty. Motifs 1 to 16 have a vertex in all three hyperedges, 17 to 26 have none."
    ),
    "core_numbers": (
        "The `k`-core is the largest set of vertices that are each in at least `k` hyperedges with two or more "
        "vertices of the set. `core` is 0 for a vertex that is in no hyperedge with another one."
    ),
    "k_core": "`core` says which vertices are in the set, `kept` which hyperedges have two or more of them.",
    "colouring": (
        "`colours` is how many are used. Vertices that share a hyperedge have different ones. The colours are given "
        "greedily, so fewer may be enough."
    ),
    "set_cover": "`step` is when a hyperedge was chosen. The choice is greedy, so fewer hyperedges may be enough.",
    "transversal": (
        "Without any one of the chosen vertices, some hyperedge would have none. Another transversal may have fewer."
    ),
    "spanning_tree": (
        "Each vertex is joined to its `predecessor` by `hyperedge`; the first vertex of each tree has none. "
        "`weight` is the sum over all vertices that are joined, so a hyperedge that joins several counts as often."
    ),
    "s_distance": "`previous` is the hyperedge before on a shortest way. What is not reached has no distance.",
    "bipartite": (
        "`side` is 1 or 2. If there are no two sides, `odd` has two neighbours on one side: an edge that closes an "
        "odd cycle."
    ),
    "acyclic": (
        "`parent` is the hyperedge that had all shared vertices of an ear when the ear went. If the hypergraph is "
        "acyclic, these are the edges of a join tree, and `kept` is empty. If it is not, `kept` are the hyperedges "
        "that no reduction removes, and only the ears that went have a `parent`: there is no join tree."
    ),
    "triangles": (
        "`triangles` is how many a vertex is in, and `count` how many there are. Each triangle has three vertices, "
        "so the numbers of all vertices add up to three times `count`."
    ),
    "matching": (
        "`vertex` is the one that stands for a hyperedge, `hyperedge` the one that a vertex stands for, and `size` "
        "how many hyperedges have a vertex. No choice gives more of them one."
    ),
    "label_propagation": (
        "Vertices with the same `label` are a community; a label is a vertex, whose own it was at first. `stable` "
        "says whether no label would change in another round; if not, the rounds were over."
    ),
    "weighted_set_cover": "`step` is when a hyperedge was chosen. The choice is greedy, so a lighter cover may exist.",
    "reachable": "`steps` is the least number of hyperedges to a vertex. What is not reached has none.",
    "forward_chaining": (
        "Facts are the heads of hyperedges without tails: where there is no such hyperedge, nothing is derived. "
        "`round` is when a vertex is derived first; facts are derived in round 1. What is not derived has none."
    ),
    "scc": (
        "Two vertices have the same `component` if each can be reached from the other. It is a label: the lowest-"
        "numbered vertex of the component. A vertex that leads back to no other is a component by itself."
    ),
    "topological": (
        "`order` is the place of a vertex, from 1. If there is no such order, `acyclic` is no: vertices that are on "
        "a cycle or behind one have no place, and `before` is the vertex before on one cycle."
    ),
    "b_distance": (
        "Derivations begin with hyperedges without tails: where there is none, every distance is infinite. What "
        "several tails need is paid for each of them. `hyperedge` is the last one of a cheapest derivation. "
        "`beyond` says that the cost is 200,000 times the heaviest weight, or more; then there is no number."
    ),
    "path_counts": (
        "`steps` is the least number of hyperedges, and `paths` how many ways have so many. `beyond` says that "
        "there are 1,000,000,000 or more; then there is no number."
    ),
    "pagerank": (
        "Ranks are integers, rounded down. Their mean comes close to 100,000 after many rounds if every vertex has "
        "a hyperedge to leave by, and each of these has heads; else it is less. Only their ratios matter: divided "
        "by their sum, they are shares of 1."
    ),
    "all_pairs": "`distance` from each vertex to each other one. Vertices in different components have none.",
    "closeness": (
        "`closeness` is `connected` divided by `farness`: the greater, the nearer are the others. A vertex that is "
        "connected with no other has none."
    ),
    "diameter": (
        "`ends` are two vertices that are so far apart. If not all vertices are connected, there is no diameter, "
        "and `ends` are two that are not connected."
    ),
    "subleq": (
        "A memory cell holds its `positive` minus its `negative`; one of the two is 0. `pc` is where the machine "
        "stands, none outside of the memory, and `steps` how many instructions it carried out. A program is numbers in "
        "the cells, whose addresses are 0, 1, 2, …: an instruction is three of them, and a jump to -1 halts."
    ),
}
