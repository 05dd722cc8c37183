"""Recorded runs: the whole state of the transformer frame by frame, the interpreter beside it, and the source lines."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import hyloop
from effort import every, sample, share
from hyloop import Capacity, HyloopError, Hypergraph
from hyloop.algorithms import ALGORITHMS
from hyloop.execute.dense import Blocks, apply, cast
from hyloop.execute.encode import Frame, encode, pad
from hyloop.execute.prepare import prepare, program_of
from hyloop.execute.watch import Watched
from hyloop.lang import Count, Flag, Hyperedges, Length, Outputs, Vertex, Vertices, algorithm
from hyloop.lang import all as all_of
from hyloop.lang import any as any_of
from hyloop.machine.layer import Mlp
from hyloop.machine.layout import Fill
from hyloop.recording import record
from hyloop.recording.schema import require_trace
from hyloop.samples import hypergraphs, random_inputs
from hyloop.strict import as_browsers_do

H = Hypergraph.from_hyperedges(
    {"ab": ["a", "b"], "bc": ["b", "c"], "cd": ["c", "d"], "ad": ["a", "d"]},
    weights={"ab": 1.5, "bc": 2.5, "cd": 4, "ad": 10},
)
ARCS = Hypergraph.from_arcs({"fact": ([], ["a"]), "ab": (["a"], ["b", "c"]), "all": (["b", "c"], ["a", "d"])})


def inputs_of(name, h, seed=0):
    return random_inputs(program_of(name), h, np.random.default_rng(seed))


def replayed(document, frame):
    """The whole state at a frame, from the changes alone."""
    columns = document["columns"]
    size = 1 + max(len(document["hypergraph"]["vertices"]), len(document["hypergraph"]["hyperedges"]), 1)
    X = np.zeros((size, len(columns)))
    for number, column in enumerate(columns):
        X[:, number] = column["initial"]
        for at, row, value in zip(column["frame"], column["row"], column["value"], strict=True):
            if at <= frame:
                X[slice(None) if row < 0 else row, number] = value
    return X


@pytest.mark.parametrize("name", ["reachable", "forward_chaining", "scc"])
def test_directions_are_recorded_and_what_heads_bring_is_right(name):
    found = hyloop.trace(name, ARCS, **inputs_of(name, ARCS)).document
    told = found["hypergraph"]
    assert (told["members"], told["tails"]) == ([[1], [1, 2, 3], [1, 2, 3, 4]], [[], [1], [2, 3]])
    assert told["heads"] == [[1], [2, 3], [1, 4]]
    assert found["differences"] == {"first": None, "more": False, "values": {}}
    kinds = {head["kind"] for layer in found["model"]["layers"] for head in layer["heads"]}
    assert kinds >= {"heads", "tails_transposed"}
    plain = hyloop.trace(name, H, **inputs_of(name, H)).document["hypergraph"]
    assert not plain.keys() & {"tails", "heads"}


# Every algorithm in its usual form, and some in the others.
FORMS = [
    *((name, {}) for name in sample(ALGORITHMS)),
    ("dijkstra", {"schedule": "one operation per layer"}),
    ("helly", {"dtype": "float32"}),
]


@pytest.mark.parametrize(("name", "options"), every(3, FORMS))
def test_every_frame_holds_the_state_of_the_dense_formulas(name, options):
    model = hyloop.compile(name, Capacity(12, 200), **options)
    program = program_of(model)
    for h in [H, *islice(hypergraphs(9), 12, 15)]:
        inputs = inputs_of(name, h)
        if inputs is None or max(h.integer_weights()[0], default=1) > 200:
            continue
        found = hyloop.trace(model, h, layers=True, **inputs)
        assert found.agrees
        given = prepare(program, h, inputs)
        frame = Frame(len(h.vertices), len(h.hyperedges), given.weights, given.inputs)
        blocks = Blocks.of([pad(model, h, frame.size)], frame.size, frame.size, model.dtype)
        X = encode(model, frame)
        assert np.array_equal(replayed(found.document, 0), X)
        X = X[np.newaxis].astype(model.dtype)
        places = zip(found.document["frames"]["iteration"], found.document["frames"]["layer"], strict=True)
        for number, (_, layer) in enumerate(places):
            if number:
                X = apply(cast(model.layers[layer - 1], model.dtype), X, blocks)
                assert np.array_equal(replayed(found.document, number), X[0])
        assert X[0, 0, model.layout.number("halt")] == 1


@pytest.mark.parametrize("name", sample(ALGORITHMS))
@pytest.mark.parametrize("layers", [True, False])
def test_the_last_frame_holds_the_result(name, layers):
    inputs = inputs_of(name, H)
    found, result = hyloop.trace(name, H, layers=layers, **inputs), hyloop.run(name, H, **inputs)
    assert found.iterations == result.iterations
    last = found.at(found.iterations)
    assert last["halt"] is True
    program = program_of(name)
    for output in program.outputs:
        plain = output.form == "value" and output.known is None and output.unless is None and output.place is None
        if plain and program.state(output.state).type.scope.value != "scalar":
            assert last[output.state] == result[output.name]


def test_locals_are_there_while_they_stand_in_a_column():
    found = hyloop.trace("dijkstra", H, source="a", layers=True)
    assert "edge" not in found.at(1)
    assert "edge" not in found.at(0)
    after_first, after_second = found.at(2, 1), found.at(2, 2)
    assert after_first["edge"] == "ab"
    assert after_first["best"] == Fraction("1.5")
    assert after_second["fresh"] == {"a": False, "b": True, "c": False, "d": False}
    assert "edge" not in found.at(2)
    interpreted = {each["name"]: each for each in found.document["program"]}
    assert interpreted["edge"]["value"][0] == 1
    assert {"edge", "best", "members", "fresh", "tail", "reached"} <= set(interpreted)
    assert "source" not in interpreted


def test_a_change_knows_the_line_that_made_it():
    found = hyloop.trace("dijkstra", H, source="a").document
    source, first = found["algorithm"]["source"], found["algorithm"]["first"]
    assert found["algorithm"]["file"] == "dijkstra.py"
    assert source[0].strip() == "@algorithm"
    numbers = {each["name"]: each["column"] for each in found["variables"]}
    key = found["columns"][numbers["key"]]
    texts = {
        (at, row): source[line - first].strip()
        for at, row, line in zip(key["frame"], key["row"], key["line"], strict=True)
    }
    assert texts[3, 1] == "key.assign(h.weight, where=h.containing(source))"
    assert texts[6, 1] == "key[edge] = INFINITY"
    assert texts[6, 2] == "key.assign(best + h.weight, where=reached)"
    for variable in ("distance", "predecessor", "hyperedge", "settled", "queued"):
        column = found["columns"][numbers[variable]]
        assert all(source[line - first].strip().startswith(variable) for line in column["line"])


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_every_change_of_a_state_has_a_line(name):
    h = ARCS if name == "forward_chaining" else H  # which does nothing without facts
    found = hyloop.trace(name, h, **inputs_of(name, h)).document
    states = [each["column"] for each in found["variables"] if each["role"] == "state"]
    lines = [line for number in states for line in found["columns"][number]["line"]]
    assert lines
    first, last = found["algorithm"]["first"], found["algorithm"]["first"] + len(found["algorithm"]["source"])
    assert all(first <= line < last for line in lines)


@pytest.mark.parametrize("layers", [True, False])
@pytest.mark.parametrize("options", [{"last": 2}, {"every": 3}, {"first": 1, "last": 1}])
def test_a_change_has_no_line_of_an_iteration_that_did_not_make_it(options, layers):
    whole = hyloop.trace("dijkstra", H, source="a", layers=layers).document
    found = hyloop.trace("dijkstra", H, source="a", layers=layers, **options).document
    iterations = found["frames"]["iteration"]
    missing = {frame for frame in range(1, len(iterations)) if iterations[frame] - iterations[frame - 1] > 1}
    place = dict(enumerate(zip(iterations, found["frames"]["layer"], strict=True)))
    changed = 0
    for column, full in zip(found["columns"], whole["columns"], strict=True):
        known = lines_at(full, list(zip(whole["frames"]["iteration"], whole["frames"]["layer"], strict=True)))
        for frame, row, line in zip(column["frame"], column["row"], column.get("line", ()), strict=False):
            changed += frame in missing
            assert line == 0 or not (layers and frame in missing)
            assert frame in missing or row < 0 or line in known[place[frame], row]
    assert changed


def lines_at(column, places):
    """The lines of the changes of a column, by place and row."""
    found = {}
    for frame, row, line in zip(column["frame"], column["row"], column.get("line", ()), strict=False):
        for each in range(len(H.vertices) + 1) if row < 0 else [row]:
            found.setdefault((places[frame], each), set()).add(line)
    return found


def test_layers_implement_lines_before_the_loop_and_in_it():
    found = hyloop.trace("dijkstra", H, source="a").document
    layers = [lines_of(found, layer) for layer in found["model"]["layers"]]
    assert layers[0]["before"] == set()
    assert 22 in layers[0]["body"]
    assert all(line < 21 for layer in layers for line in layer["before"])
    assert all(line > 21 for layer in layers for line in layer["body"])


def lines_of(document, layer):
    """The source lines that a layer implements, by section."""
    ops = {(each["section"], each["op"]): each["line"] for each in document["algorithm"]["ops"]}
    purposes = [purpose for head in layer["heads"] for brought in head["value"] for purpose in brought["for"]]
    purposes += [purpose for stage in layer["units"]["stages"] for unit in stage for purpose in unit["for"]]
    return {name: {ops[name, op] for section, op, *_ in purposes if section == name} for name in ("before", "body")}


def test_attention_tells_who_looks_at_whom():
    found = hyloop.trace("dijkstra", H, source="a", layers=True).document
    search = next(each for each in found["attention"] if (each["layer"], each["head"]) == (1, 1))
    assert search["pattern"] == [0] * len(search["frame"])
    edges = next(each for each in found["variables"] if each["name"] == "edge")
    column = found["columns"][edges["column"]]
    popped = dict(zip(column["frame"], column["value"], strict=True))
    assert [search["row"][at] for at in range(1, 5)] == [popped[search["frame"][at]] for at in range(1, 5)]
    assert all(margin >= 1 for margin in search["margin"])
    spread = next(
        each
        for each in found["attention"]
        if found["model"]["layers"][each["layer"] - 1]["heads"][each["head"] - 1]["kind"] == "incidence"
    )
    per_frame = [spread["links"]["query"][a:b] for a, b in zip(spread["start"], spread["start"][1:], strict=False)]
    assert per_frame[1] == [1]  # the popped hyperedge, and nothing else, is spread to its members


# -- bounds ---------------------------------------------------------------------------------------------------------


def iterations(found):
    return sorted({*found.document["frames"]["iteration"]} - {0})


LINE = Hypergraph.from_hyperedges([[n, n + 1] for n in range(20)])


@pytest.fixture(scope="module")
def whole():
    return hyloop.trace("dijkstra", LINE, source=0, layers=True)


@pytest.mark.parametrize("layers", [True, False])
@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, [*range(1, 23)]),
        ({"every": 5}, [1, 5, 10, 15, 20, 22]),
        ({"first": 3}, [1, 2, 3]),
        ({"last": 2}, [21, 22]),
        ({"first": 2, "last": 2}, [1, 2, 21, 22]),
        ({"first": 100}, [*range(1, 23)]),
        ({"every": 3, "last": 5}, [18, 21, 22]),
        ({"every": 1000}, [1, 22]),
    ],
)
def test_which_iterations_are_recorded(asked, wanted, layers, whole):
    found = hyloop.trace("dijkstra", LINE, source=0, layers=layers, **asked)
    assert iterations(found) == wanted
    assert found.agrees
    for iteration in wanted:
        told, all_of_it = found.at(iteration), whole.at(iteration)
        assert told == {name: all_of_it[name] for name in told}


def test_only_the_first_iterations_says_so():
    found = hyloop.trace("dijkstra", LINE, source=0, first=3)
    assert found.iterations == 3
    assert not found.document["recorded"]["halted"]
    assert found.document["recorded"]["stopped"] == "Only the first 3 iterations were recorded."


def test_a_limit_stops_the_recording_with_a_sentence():
    found = hyloop.trace("dijkstra", LINE, source=0, limit=1000)
    assert 1 <= found.iterations < 22
    assert "reached its limit of 0.001 MB after iteration" in found.document["recorded"]["stopped"]
    assert not found.document["recorded"]["halted"]


def test_small_runs_have_layers_and_long_ones_do_not(monkeypatch):
    monkeypatch.setattr(record, "FEW", 40_000)
    assert hyloop.trace("dijkstra", LINE, source=0).document["recorded"]["layers"]
    many = Hypergraph.from_hyperedges([[n, n + 1] for n in range(200)])
    assert not hyloop.trace("dijkstra", many, source=0, first=100).document["recorded"]["layers"]
    assert hyloop.trace("dijkstra", many, source=0, first=2).document["recorded"]["layers"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"every": None}, "`every` is a number of iterations, at least 1; not None."),
        ({"every": 0}, "`every` is a number of iterations, at least 1; not 0."),
        ({"first": -1}, "`first` is a number of iterations, at least 1; not -1."),
        ({"last": True}, "`last` is a number of iterations, at least 1; not True."),
        ({"limit": 0}, "The limit is a number of bytes, at least 1; not 0."),
        ({"limit": float("nan")}, "The limit is a number of bytes, at least 1; not nan."),
        ({"layers": "no"}, "layers is True or False; not 'no'."),
        ({"ignore_direction": "no"}, "ignore_direction is True or False; not 'no'."),
        ({"name": 5}, "The name of the hypergraph is a text, of whole letters; not 5."),
        ({"name": None}, "The name of the hypergraph is a text, of whole letters; not None."),
        ({"name": "\ud800"}, "The name of the hypergraph is a text, of whole letters; not"),
        ({"keep": 5}, "keep is a dictionary of places by label; not 5."),
        ({"keep": {"a": "ab"}}, "A vertex is kept at two numbers, x and y; not 'a' at"),
        ({"keep": {"a": (None, 1)}}, "A vertex is kept at two numbers, x and y; not 'a' at"),
        ({"backend": "interpreter"}, "A recording is of the transformer, by one of cpu, cuda, dense, torch"),
    ],
)
def test_what_is_refused(asked, message):
    with pytest.raises(HyloopError, match=message.replace("(", r"\(")):
        hyloop.trace("dijkstra", H, source="a", **asked)


def test_dense_records_the_same():
    by_cpu, by_dense = (hyloop.trace("dijkstra", H, source="a", backend=each).document for each in ("cpu", "dense"))
    differing = {key for key in by_cpu if by_cpu[key] != by_dense[key]}
    assert differing == {"recorded"}


@pytest.mark.parametrize("h", [Hypergraph.from_hyperedges([]), Hypergraph.from_hyperedges([[]], vertices=["a"])])
def test_odd_hypergraphs(h):
    for name in ("components", "helly", "projection", "motifs"):
        found = hyloop.trace(name, h)
        assert found.agrees
        assert found.document["recorded"]["halted"]


# -- differences ----------------------------------------------------------------------------------------------------


def broken(model, column, change):
    """The model with one weight that writes a column changed."""
    number = model.layout.number(column)
    layer = len(model.layers) - 1
    weights = [weight.copy() for weight in model.layers[layer].mlp.weights]
    unit = int(np.flatnonzero(weights[3][:, number])[0])
    weights[3][unit, number] += change
    layers = [*model.layers]
    layers[layer] = replace(layers[layer], mlp=Mlp(tuple(weights), layers[layer].mlp.purposes))
    return replace(model, layers=tuple(layers))


@pytest.mark.parametrize("column", ["distance", "key", "predecessor", "queued"])
@pytest.mark.parametrize("change", [1, -1, 0.5])
def test_the_first_difference_is_the_one_that_check_finds(column, change, dijkstra):
    model = broken(dijkstra, column, change)
    checked, found = hyloop.check(model, H, source="a"), hyloop.trace(model, H, source="a", layers=True)
    assert (checked.difference is None) == found.agrees == (column == "predecessor")  # one weight that is spare here
    if checked.difference is None:
        return
    first = found.document["differences"]["first"]
    frames = found.document["frames"]
    assert frames["iteration"][first["frame"]] == checked.difference.iteration
    assert first["variable"] == checked.difference.variable
    assert (first["row"], first["expected"], first["found"]) == (
        checked.difference.row,
        checked.difference.expected,
        checked.difference.found,
    )
    listed = found.document["differences"]["values"][first["variable"]]
    assert (listed["frame"][0], listed["row"][0], listed["expected"][0]) == (
        first["frame"],
        first["row"],
        first["expected"],
    )


def test_a_model_that_never_halts_is_recorded_until_its_bound():
    model = broken(hyloop.compile("dijkstra", Capacity(20, 100)), "halt", -1)
    found = hyloop.trace(model, H, source="a")
    assert found.iterations == 6
    assert not found.document["recorded"]["halted"]
    assert "did not halt within the 6 iterations" in found.document["recorded"]["stopped"]
    assert found.document["differences"]["first"]["variable"] == "halt"


# -- source ---------------------------------------------------------------------------------------------------------


@algorithm
def reachable(h, source: Vertex):
    """The vertices that can be reached from `source`."""
    reached = h.vertices.state(Flag, False)
    reached[source] = True
    with h.loop(at_most=h.vertices.count) as loop:
        fresh = h.covered(h.touching(reached)) & ~reached
        loop.stop_when(~any_of(fresh))
        reached.assign(True, where=fresh)
    return Outputs(reached=reached)


def test_an_algorithm_of_the_users_own_shows_its_file():
    found = hyloop.trace(reachable, H, source="a").document
    assert found["algorithm"]["file"] == "test_record.py"
    assert found["algorithm"]["source"][:2] == ["@algorithm", "def reachable(h, source: Vertex):"]
    assert not found["algorithm"]["listing"]


def test_a_model_file_shows_the_source_of_an_algorithm_of_ours(tmp_path):
    hyloop.save(hyloop.compile("levels"), tmp_path / "levels.safetensors")
    found = hyloop.trace(hyloop.load(tmp_path / "levels.safetensors"), H, source="a").document
    assert found["algorithm"]["file"] == "levels.py"


def test_a_model_file_of_another_program_shows_its_listing(tmp_path):
    hyloop.save(hyloop.compile(reachable), tmp_path / "mine.safetensors")
    found = hyloop.trace(hyloop.load(tmp_path / "mine.safetensors"), H, source="a").document
    own = found["algorithm"]
    assert own["listing"]
    assert own["file"] == "reachable (listing)"
    assert own["source"][0] == "algorithm reachable"
    state = next(each for each in found["variables"] if each["name"] == "reached")
    assert own["source"][state["line"] - 1].startswith("state reached:")
    lines = found["columns"][state["column"]]["line"]
    assert all(own["source"][line - 1].split()[1] == "where" for line in lines)
    named = [lines_of(found, layer)["body"] for layer in found["model"]["layers"]]
    assert any(named)
    assert all(own["source"][line - 1].split()[0].isdigit() for lines in named for line in lines)


# -- what to show ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "settled", "hyperedges"),
    [
        ("dijkstra", "distance", "settled", "key"),
        ("bfs", "level", "settled", "waiting"),
        ("levels", "level", "reached", "touched"),
        ("dfs", "order", "visited", None),
        ("components", "component", None, "touched"),
        ("degradation", "distance", None, "waiting"),
    ],
)
def test_what_a_picture_shows(name, value, settled, hyperedges):
    shown = hyloop.trace(name, H, **inputs_of(name, H)).document["shows"]
    assert (shown["value"], shown["settled"], shown["frontier"]["hyperedges"]) == (value, settled, hyperedges)


def _where(algorithm):
    """Of each state, the flag that says where the answer has it."""
    found = hyloop.trace(algorithm, H, **inputs_of(algorithm, H) if isinstance(algorithm, str) else {}).document
    said = {each["name"]: (each.get("known"), each.get("unless")) for each in found["variables"]}
    return {name: flags for name, flags in said.items() if flags != (None, None)}


def test_a_variable_names_the_flag_where_the_answer_has_it():
    assert _where("levels") == {"level": ("reached", None)}
    assert _where("topological") == {"order": (None, "left"), "before": ("cycle", None)}
    assert _where("dijkstra") == {}


def test_of_a_state_that_is_also_answered_everywhere_no_flag_is_named():
    @hyloop.lang.algorithm
    def both(h):
        """An output with and without a flag."""
        size, chosen = h.vertices.state(hyloop.lang.Count, 0), h.vertices.state(hyloop.lang.Flag, False)
        with h.loop(at_most=1) as loop:
            loop.stop_when(hyloop.lang.any(chosen))
            chosen.assign(True)
            size.assign(1)
        return hyloop.lang.Outputs(all=size, some=hyloop.lang.known(size, where=chosen))

    assert _where(both) == {}


@pytest.mark.parametrize("name", sample(ALGORITHMS))
def test_what_a_picture_shows_exists(name):
    found = hyloop.trace(name, H, **inputs_of(name, H)).document
    names = {each["name"] for each in [*found["variables"], *found["program"]]}
    shown = found["shows"]
    told = [shown["value"], shown["settled"], *shown["frontier"].values(), *shown["current"], shown["predecessor"]]
    assert {each for each in [*told, shown["through"]] if each is not None} <= names


# -- what an adversary found ----------------------------------------------------------------------------------------


@algorithm
def cleared(h):
    """Two statements change one state on all rows, each on some of them."""
    low = h.vertices.state(Flag, True)
    with h.loop(at_most=h.vertices.count + 2) as loop:
        loop.stop_when(~any_of(low))
        front = h.covered(h.containing(h.vertices.first))
        low.assign(False, where=front)
        low.assign(False, where=~front)
    return Outputs(low=low)


def test_a_change_of_all_rows_by_two_statements_has_both_lines():
    found = hyloop.trace(cleared, H).document
    state = next(each for each in found["variables"] if each["name"] == "low")
    column = found["columns"][state["column"]]
    texts = {
        row: found["algorithm"]["source"][line - found["algorithm"]["first"]].strip()
        for row, line in zip(column["row"], column["line"], strict=True)
    }
    assert texts == {
        row: f"low.assign(False, where={'front' if row in (1, 2, 4) else '~front'})" for row in (1, 2, 3, 4)
    }


@algorithm
def handed_on(h):
    """Values that are computed for one state, and assigned to others too; in a loop of its own as well."""
    newest = h.vertices.state(Count, 0)
    ahead = h.vertices.state(Count, 0)
    older = h.vertices.state(Count, 0)
    with h.loop(at_most=3) as loop:
        more = newest + 1
        ahead.assign(newest + 1)
        older.assign(newest)
        newest.assign(more)
        loop.stop_when(all_of(newest == 3))
        with h.loop(at_most=2) as again:
            again.stop_when(all_of(ahead == newest + 1))
            ahead.assign(newest + 1)
            older.assign(newest + 1)
    return Outputs(older=older)


@pytest.mark.parametrize("given", [handed_on, *share(ALGORITHMS, "pagerank", "k_core", "dijkstra", "scc")])
def test_the_line_of_a_change_assigns_to_that_state(given):
    h = ARCS if given == "forward_chaining" else H
    found = hyloop.trace(given, h, **({} if given is handed_on else inputs_of(given, h))).document
    source, first = found["algorithm"]["source"], found["algorithm"]["first"]
    seen = 0
    for each in found["variables"]:
        if each["role"] == "state" and each["named"] and each["name"].isidentifier() and not each.get("made"):
            for line in set(found["columns"][each["column"]]["line"]):
                assert names(each["name"]).search(source[line - first]), (each["name"], source[line - first])
                seen += 1
    assert seen or given != handed_on


def names(state):
    """What a line has that assigns to a state. In pagerank, some are the parameters of a function."""
    called = f"({state}|number|rest)" if state in ("rank", "sums", "left", "over") else state
    return re.compile(rf"\b{called}(\.assign\(|\[.*\] = )|\bas {state}:")


def test_lines_are_counted_as_python_counts_them(tmp_path):
    text = '"""A page\x0cbreak, and \u2028 another."""\n\nfrom hyloop.lang import Flag, Outputs, algorithm\n\n\n'
    text += "@algorithm\ndef once(h):\n    done = h.vertices.state(Flag, False)\n    with h.loop(at_most=2) as loop:\n"
    text += "        loop.stop_when(h.vertices.count == 0)\n        done.assign(True)\n    return Outputs(done=done)\n"
    (tmp_path / "once.py").write_text(
        text.replace("h.vertices.count == 0", "h.hyperedges.count == h.hyperedges.count"), encoding="utf-8"
    )
    from hyloop.lang.tracing import load

    found = hyloop.trace(load(tmp_path / "once.py")[0], H).document
    assert found["algorithm"]["source"][0] == "@algorithm"
    assert found["algorithm"]["first"] == 6


def test_integers_that_a_browser_would_round_keep_all_digits():
    h = Hypergraph.from_hyperedges([[2**53 - 1, 2**53, -(2**60)]])
    found = hyloop.trace("components", h)
    long = [{"integer": str(2**53)}, {"integer": str(-(2**60))}]
    assert found.document["hypergraph"]["vertices"] == [2**53 - 1, *long]
    assert found.at(found.iterations)["component"] == dict.fromkeys([2**53 - 1, 2**53, -(2**60)], 2**53 - 1)


@pytest.fixture(scope="module")
def dijkstra():
    return hyloop.compile("dijkstra", Capacity(30, 100))


@pytest.mark.parametrize("seed", every(4, range(18)))
def test_any_model_that_somebody_edited_can_be_recorded(seed, dijkstra):
    rng, model = np.random.default_rng(seed), dijkstra
    layer = int(rng.integers(len(model.layers)))
    weights = [weight.copy() for weight in model.layers[layer].mlp.weights]
    stage = int(rng.integers(4))
    at = tuple(int(rng.integers(size)) for size in weights[stage].shape)
    weights[stage][at] += rng.choice([1, -1, 0.5, 2.0**60, -(2.0**60), 1e300])
    layers = [*model.layers]
    layers[layer] = replace(layers[layer], mlp=Mlp(tuple(weights), layers[layer].mlp.purposes))
    h = [H, LINE, Hypergraph.from_hyperedges([["a", "b"]] * 6)][seed % 3]
    for asked in ({"layers": True}, {"layers": False}, {"last": 2}):
        with np.errstate(all="ignore"):
            found = hyloop.trace(replace(model, layers=tuple(layers)), h, source=h.vertices[0], **asked)
        require_trace(as_browsers_do(found.to_json()), "run.json")
        assert found.document["recorded"]["halted"] or found.document["recorded"]["stopped"]


def test_a_model_that_halts_before_its_first_iteration_is_read_back(dijkstra):
    halting = {"initial": (Fill(1, "global"),)}
    columns = [replace(each, **(halting if each.role == "halt" else {})) for each in dijkstra.layout.columns]
    found = hyloop.trace(replace(dijkstra, layout=replace(dijkstra.layout, columns=tuple(columns))), LINE, source=0)
    assert found.document["differences"]["first"]["frame"] == 0
    require_trace(as_browsers_do(found.to_json()), "run.json")


class Elsewhere(Watched):
    """Layers that end in another state than the executor."""

    def iteration(self, before):
        *steps, (X, seen) = super().iteration(before)
        yield from steps
        yield X + 1, seen


def test_layers_that_end_elsewhere_are_a_fault_of_the_executor_or_of_an_unverified_model(monkeypatch):
    """Where a number leaves the exact range within a layer, sums in another order differ."""
    monkeypatch.setattr(record, "Watched", Elsewhere)
    model = hyloop.compile("levels", Capacity(20, 100))
    with pytest.raises(HyloopError, match=r"executor 'dense' ends in another .* levels, which is verified: .* report"):
        hyloop.trace(model, H, source="a", backend="dense")
    with pytest.raises(HyloopError, match=r"levels leaves the range in which .* is unverified; .* without its layers"):
        hyloop.trace(replace(model), H, source="a")
    assert hyloop.trace(replace(model), H, source="a", layers=False).document["recorded"]["halted"]


@pytest.mark.parametrize(("role", "of"), [("state", "zzz"), ("state", "settled"), ("input", "distance"), ("value", "")])
def test_a_model_whose_columns_say_something_else_is_not_recorded(role, of):
    """Its document would not be taken back."""
    model = hyloop.compile("dijkstra", hyloop.Capacity(30, 30))
    columns = [replace(each, role=role, of=of) if each.of == "distance" else each for each in model.layout.columns]
    edited = replace(model, layout=replace(model.layout, columns=tuple(columns)))
    with pytest.raises(HyloopError, match="The columns of the model are not those of its program"):
        hyloop.trace(edited, LINE, source=0)


@algorithm
def unused(h, near: Vertices[Flag], toll: Hyperedges[Length], most: Count):
    """Nothing depends on the inputs, so no column has them."""
    del near, toll, most
    n = h.state(Count, 0)
    with h.loop(at_most=3) as loop:
        n.assign(n + 1)
        loop.stop_when(n == 2)
    return Outputs(n=n)


def test_arrays_that_no_column_has_are_kept_beside_them(tmp_path):
    found = hyloop.trace(unused, H, near={"a", "c"}, toll=[Fraction(1, 4), 0, 1, 2], most=7)
    assert found.document["unit"] == "0.25"
    assert [(each["name"], each["scope"], each["values"]) for each in found.document["arrays"]] == [
        ("near", "vertices", [1, 0, 1, 0]),
        ("toll", "hyperedges", [1, 0, 4, 8]),
    ]
    found.save(tmp_path / "run.json")
    assert hyloop.Trace.load(tmp_path / "run.json").document == found.document
    assert "arrays" not in hyloop.trace("dijkstra", H, source="a").document


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"toll": [2**53, 1, 1, 1], "most": 1}, "that of a model is below 9,007,199,254,740,992"),
        ({"toll": [1] * 4, "most": 2**53}, r"a recording holds numbers below 2\^53"),
    ],
)
def test_an_input_that_nothing_depends_on_must_be_a_number_that_a_page_can_read(given, told):
    with pytest.raises(HyloopError, match=told):
        hyloop.trace(unused, H, near=set(), **given)
