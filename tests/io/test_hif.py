from __future__ import annotations

import json
import re
import warnings
from decimal import Decimal
from fractions import Fraction

import fastjsonschema
import pytest
from hypothesis import given

from hyloop.errors import FormatError
from hyloop.hypergraph import Annotations, Hypergraph, IncidenceRecord
from hyloop.io.hif import HyloopWarning, read, write
from hyloop.io.hif_schema import DOCUMENT
from hypergraph_strategies import annotated


def text_of(H: Hypergraph) -> str:
    return "".join(write(H))


def document(**parts) -> str:
    return json.dumps({"incidences": [], **{name.replace("_", "-"): value for name, value in parts.items()}})


# Each faulty document stands beside a sound one that is as close to it as can be:
# the path of the fault, what the message says of it, the faulty document, the sound one.
FAULTS = {
    "no incidences": ("$", "incidences must be there", "{}", '{"incidences": []}'),
    "unknown part": ("$.vertices", "no such field", document(vertices=[]), document(nodes=[])),
    "network type": (
        "$.network-type",
        'expected "undirected" or "directed" or "asc"',
        document(network_type="mixed"),
        document(network_type="asc"),
    ),
    "network type null": ("$.network-type", "found null", document(network_type=None), document()),
    "metadata": ("$.metadata", "expected an object", document(metadata=[1]), document(metadata={"list": [1]})),
    "nodes": ("$.nodes", "expected an array", document(nodes={"node": 1}), document(nodes=[{"node": 1}])),
    "incidences": ("$.incidences", "expected an array", '{"incidences": {}}', '{"incidences": []}'),
    "record": ("$.nodes[0]", "expected an object", document(nodes=["a"]), document(nodes=[{"node": "a"}])),
    "label decimal": (
        "$.nodes[1].node",
        "expected a string or an integer, found the decimal number 1.5",
        document(nodes=[{"node": 1}, {"node": 1.5}]),
        document(nodes=[{"node": 1}, {"node": "1.5"}]),
    ),
    "label 1.0": ("$.nodes[0].node", "decimal number 1.0", '{"incidences":[],"nodes":[{"node":1.0}]}', document()),
    "label true": ("$.edges[0].edge", "found true", document(edges=[{"edge": True}]), document(edges=[{"edge": 1}])),
    "label null": ("$.edges[0].edge", "found null", document(edges=[{"edge": None}]), document(edges=[{"edge": ""}])),
    "label missing": (
        "$.incidences[0]",
        "field node must be there",
        document(incidences=[{"edge": 1}]),
        document(incidences=[{"edge": 1, "node": 1}]),
    ),
    "both labels missing": (
        "$.incidences[0]",
        "fields edge and node must be there",
        document(incidences=[{"weight": 1}]),
        document(incidences=[{"edge": 1, "node": 1, "weight": 1}]),
    ),
    "surplus": (
        "$.edges[0].colour",
        "no such field",
        document(edges=[{"edge": 1, "colour": "red"}]),
        document(edges=[{"edge": 1, "attrs": {"colour": "red"}}]),
    ),
    "surplus with blanks": ('$["a b"]', "no such field", document(**{"a b": 1}), document(metadata={"a b": 1})),
    "direction of a node": (
        "$.nodes[0].direction",
        "no such field",
        document(nodes=[{"node": 1, "direction": "head"}]),
        document(incidences=[{"edge": 1, "node": 1, "direction": "head"}]),
    ),
    "direction": (
        "$.incidences[0].direction",
        'expected "head" or "tail"',
        document(incidences=[{"edge": 1, "node": 1, "direction": "Head"}]),
        document(incidences=[{"edge": 1, "node": 1, "direction": "tail"}]),
    ),
    "weight text": (
        "$.incidences[0].weight",
        "expected a number, found the string '2'",
        document(incidences=[{"edge": 1, "node": 1, "weight": "2"}]),
        document(incidences=[{"edge": 1, "node": 1, "weight": -2}]),
    ),
    "weight true": (
        "$.nodes[0].weight",
        "expected a number, found true",
        document(nodes=[{"node": 1, "weight": True}]),
        document(nodes=[{"node": 1, "weight": 0}]),
    ),
    "attrs": (
        "$.nodes[0].attrs",
        "expected an object",
        document(nodes=[{"node": 1, "attrs": None}]),
        document(nodes=[{"node": 1, "attrs": {}}]),
    ),
    "a label with an exponent": (
        "$.nodes[0].node",
        "found the number 1, written with an exponent",
        '{"incidences": [], "nodes": [{"node": 1e0}]}',
        '{"incidences": [], "nodes": [{"node": 1}]}',
    ),
    "weight zero": (
        "$.edges[0].weight",
        "hyperedge 'e' is 0; a weight must be positive",
        document(edges=[{"edge": "e", "weight": 0}]),
        document(edges=[{"edge": "e", "weight": 0.001}]),
    ),
    "attribute weight negative": (
        "$.edges[0].attrs.weight",
        "must be positive",
        document(edges=[{"edge": "e", "attrs": {"weight": -1}}]),
        document(edges=[{"edge": "e", "attrs": {"weight": "-1"}}]),
    ),
    "monstrous weight": (
        "$.edges[0].weight",
        "beyond the limit of 1000 digits",
        '{"incidences": [], "edges": [{"edge": 1, "weight": 1e999999999}]}',
        '{"incidences": [], "edges": [{"edge": 1, "weight": 1e999}]}',
    ),
    "monstrous vertex weight": (
        "$.nodes[0].weight",
        "beyond the limit of 1000 digits",
        '{"incidences": [], "nodes": [{"node": 1, "weight": 1e-999999999}]}',
        '{"incidences": [], "nodes": [{"node": 1, "weight": -1e-999}]}',
    ),
    "monstrous exponent": (
        "$.metadata",
        "a number beyond 10^(10^18), which cannot be read",
        '{"incidences": [], "metadata": {"x": 1e9999999999999999999999}}',
        '{"incidences": [], "metadata": {"x": 1e999999}}',
    ),
    "monstrous integer": (
        "$.nodes[0].node",
        "expected a string or an integer, found an integer of 5,000 digits",
        '{"incidences": [], "nodes": [{"node": %s}]}' % ("9" * 5000),
        '{"incidences": [], "nodes": [{"node": %s}]}' % ("9" * 1000),
    ),
    "long number": (
        "$.metadata",
        "too many digits to be read: 5,001 characters, and it may have 5,000; in Python",
        '{"incidences": [], "metadata": {"x": %s}}' % ("9" * 5001),
        '{"incidences": [], "metadata": {"x": %s}}' % ("9" * 5000),
    ),
    "long integer label": (
        "$.incidences[0]",
        "more than 1000 digits",
        '{"incidences": [{"edge": 1, "node": %s}]}' % ("9" * 1001),
        '{"incidences": [{"edge": 1, "node": "%s"}]}' % ("9" * 1001),
    ),
    "lone surrogate": (
        "$.nodes[0]",
        "not valid Unicode",
        r'{"incidences": [], "nodes": [{"node": "\ud800"}]}',
        r'{"incidences": [], "nodes": [{"node": "\ud83d\ude00"}]}',
    ),
    "NaN": (
        "$.edges[0]",
        "NaN is not a number that JSON has",
        '{"incidences": [], "edges": [{"edge": 1, "weight": NaN}]}',
        '{"incidences": [], "edges": [{"edge": 1, "attrs": {"weight": "NaN"}}]}',
    ),
    "infinity": ("$.metadata", "-Infinity", '{"metadata": {"a": -Infinity}, "incidences": []}', document()),
    "twice a field": (
        "$.nodes[0]",
        "has the field 'node' twice",
        '{"incidences": [], "nodes": [{"node": 1, "node": 2}]}',
        '{"incidences": [], "nodes": [{"node": 1}, {"node": 2}]}',
    ),
    "twice a part": ("$", "'nodes' occurs twice", '{"incidences": [], "nodes": [], "nodes": []}', document(nodes=[])),
    "no object": ("$", "begins with {", "[]", document()),
    "nothing": ("$", "begins with {", " ", document()),
    "unfinished": ("$.incidences[0]", "line 1, column 17: Expecting value", '{"incidences": [', '{"incidences": []}'),
    "no comma": (
        "$.nodes",
        "expected , or ]",
        '{"incidences": [], "nodes": [{"node": 1} {"node": 2}]}',
        '{"incidences": [], "nodes": [{"node": 1} ,\n {"node": 2} ] }',
    ),
    "comma too many": (
        "$.nodes[1]",
        "line 2, column 25",
        '{"incidences": [],\n "nodes": [{"node": 1}, ]}',
        '{"incidences": [],\n "nodes": [{"node": 1} ]}',
    ),
    "no colon": ("$", "expected :", '{"incidences" []}', '{"incidences" : []}'),
    "no quotes": ("$", "double quotes", "{incidences: []}", '{"incidences": []}'),
    "what follows": ("$", "nothing may follow", '{"incidences": []} {}', '{"incidences": []} \n'),
}


class TestFaults:
    @pytest.mark.parametrize("case", FAULTS)
    def test_is_refused_with_its_path_and_what_was_expected(self, case):
        where, message, faulty, _ = FAULTS[case]
        with pytest.raises(FormatError) as raised:
            read(faulty)
        assert raised.value.where == where
        assert message in str(raised.value)
        assert str(raised.value).startswith(f"{where}: ") is (where != "$")

    @pytest.mark.parametrize("case", FAULTS)
    def test_the_sound_neighbour_is_accepted(self, case):
        assert isinstance(read(FAULTS[case][3]), Hypergraph)

    @pytest.mark.parametrize("depth", [2000, 200_000])
    def test_deep_nesting_is_refused(self, depth):
        sound = '{"incidences": [], "metadata": {"a": %s}}' % ("[" * 99 + "]" * 99)
        assert read(sound)
        with pytest.raises(FormatError, match="nested"):
            read(sound.replace("[" * 99, "[" * depth).replace("]" * 99, "]" * depth))

    def test_the_schema_alone_refuses_a_whole_document(self):
        validate = fastjsonschema.compile(DOCUMENT)
        validate({"incidences": [{"edge": 1, "node": "a", "weight": Decimal("-0.5")}]})
        with pytest.raises(fastjsonschema.JsonSchemaValueException, match="node"):
            validate({"incidences": [{"edge": 1, "node": Decimal("1.0")}]})


class TestMeaning:
    def test_records_come_first_in_the_numbering_wherever_they_stand(self):
        H = read(
            document(
                incidences=[{"edge": "f", "node": 3}, {"edge": "e", "node": 1}],
                nodes=[{"node": 1}, {"node": 2}],
                edges=[{"edge": "e"}],
            )
        )
        assert H.vertices == (1, 2, 3)
        assert H.hyperedges == ("e", "f")
        assert (H.members_of("e"), H.members_of("f")) == ((1,), (3,))

    def test_integer_and_string_labels_are_kept_apart(self):
        H = read(document(incidences=[{"edge": 1, "node": "1"}, {"edge": "1", "node": 1}]))
        assert H.members_of(1) == ("1",)
        assert H.members_of("1") == (1,)

    @pytest.mark.parametrize(
        ("record", "weight"),
        [
            ('{"edge": 1}', 1),
            ('{"edge": 1, "weight": 9}', 9),
            ('{"edge": 1, "weight": 0.10}', Fraction(1, 10)),
            ('{"edge": 1, "attrs": {"weight": 2.50}}', Fraction(5, 2)),
            ('{"edge": 1, "weight": 9, "attrs": {"weight": 9.0}}', 9),
            ('{"edge": 1, "attrs": {"weight": "heavy"}}', 1),
            ('{"edge": 1, "attrs": {"weight": true}}', 1),
            ('{"edge": 1}, {"edge": 1, "weight": 4}, {"edge": 1, "attrs": {"a": 1}}', 4),
        ],
    )
    def test_weight_is_the_records_then_the_attributes_then_1(self, record, weight):
        assert read(f'{{"incidences": [], "edges": [{record}]}}').weights == (weight,)

    def test_a_contradicting_attribute_is_replaced_with_a_warning(self):
        text = document(edges=[{"edge": 1}, {"edge": 2, "weight": 9, "attrs": {"weight": 4, "a": 1}}])
        with pytest.warns(HyloopWarning, match=r"\$\.edges\[1\]\.attrs\.weight contradicts"):
            H = read(text)
        assert H.weights == (1, 9)
        assert H.annotations.hyperedge_attributes == {2: {"a": 1}}
        assert json.loads(text_of(H))["edges"][1] == {"edge": 2, "weight": 9, "attrs": {"a": 1, "weight": 9}}

    def test_many_contradictions_are_one_warning(self):
        edges = [{"edge": number, "weight": 9, "attrs": {"weight": -4}} for number in range(3)]
        with pytest.warns(HyloopWarning) as warned:
            read(document(edges=edges))
        assert ["2 more" in str(warning.message) for warning in warned] == [True]

    def test_repeated_records_merge_and_the_later_wins(self):
        text = document(
            nodes=[{"node": 1, "weight": 2, "attrs": {"a": 1, "b": 1}}, {"node": 1, "attrs": {"b": 2}}],
            incidences=[
                {"edge": 1, "node": 1, "weight": 3, "attrs": {"a": 1, "b": 1}},
                {"edge": 1, "node": 1},
                {"edge": 1, "node": 1, "attrs": {"b": 2}},
            ],
        )
        with pytest.warns(HyloopWarning, match="the later count"):
            H = read(text)
        assert H.annotations == Annotations(
            vertex_weights={1: Fraction(2)},
            vertex_attributes={1: {"a": 1, "b": 2}},
            incidences={(1, 1): (IncidenceRecord(None, Fraction(3), {"a": 1, "b": 2}),)},
        )

    @pytest.mark.parametrize(
        ("parts", "told"),
        [
            (
                {"nodes": [{"node": 1, "weight": 2}, {"node": 1, "weight": 3}]},
                r"$.nodes[1].weight of vertex 1 is 3, before 2",
            ),
            (
                {"nodes": [{"node": "a", "attrs": {"b c": "x"}}, {"node": "a", "attrs": {"b c": None}}]},
                """$.nodes[1].attrs["b c"] of vertex 'a' is None, before 'x'""",
            ),
            ({"nodes": [{"node": 1, "attrs": {"x": None}}, {"node": 1, "attrs": {"x": 0}}]}, "is 0, before None"),
            ({"nodes": [{"node": 1, "attrs": {"x": 1}}, {"node": 1, "attrs": {"x": True}}]}, "is True, before 1"),
            (
                {"edges": [{"edge": "e", "weight": 2}, {"edge": 7}, {"edge": "e", "weight": 3.0}]},
                "$.edges[2].weight of hyperedge 'e' is 3, before 2",
            ),
            (
                {"edges": [{"edge": "e", "attrs": {"weight": 2}}, {"edge": "e", "attrs": {"weight": 3.0}}]},
                "$.edges[1].attrs.weight of hyperedge 'e' is 3, before 2",
            ),
            (
                {"edges": [{"edge": 1, "attrs": {"c": [1, 2]}}, {"edge": 1, "attrs": {"c": [2, 1]}}]},
                "$.edges[1].attrs.c of hyperedge 1 is [2, 1], before [1, 2]",
            ),
            (
                {"incidences": [{"edge": "e", "node": 1, "weight": number} for number in (1, -1)]},
                "$.incidences[1].weight of vertex 1 in hyperedge 'e' is -1, before 1",
            ),
            (
                {"incidences": [{"edge": 1, "node": 1, "direction": "head", "attrs": {"a": a}} for a in "xy"]},
                "$.incidences[1].attrs.a of vertex 1 in hyperedge 1 is 'y', before 'x'",
            ),
        ],
        ids=range(9),
    )
    def test_records_that_contradict_earlier_ones_are_named(self, parts, told):
        with pytest.warns(HyloopWarning, match=re.escape(told)) as warned:
            read(document(**parts))
        assert len(warned) == 1

    @pytest.mark.parametrize(
        "parts",
        [
            {
                "nodes": [
                    {"node": 1, "weight": 2, "attrs": {"a": [1.0]}},
                    {"node": 1, "weight": 2.0, "attrs": {"a": [1]}},
                ]
            },
            {"nodes": [{"node": 1, "attrs": {"a": 1}}, {"node": 1, "weight": 2, "attrs": {"b": 1}}, {"node": 1}]},
            {"edges": [{"edge": 1, "weight": 0.5}, {"edge": 1, "attrs": {"weight": 0.50, "c": {}}}, {"edge": 1}]},
            {"incidences": [{"edge": 1, "node": 1, "weight": 2}] * 2 + [{"edge": 1, "node": 1}]},
            {
                "incidences": [
                    {"edge": 1, "node": 1, "direction": way, "weight": w} for way, w in (("head", 1), ("tail", 2))
                ]
            },
        ],
        ids=range(5),
    )
    def test_records_that_agree_are_no_matter(self, parts):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert read(document(**parts))

    def test_many_contradicting_records_are_one_warning(self):
        with pytest.warns(HyloopWarning, match=r"before 0; .*; and 7 more\.$") as warned:
            read(document(nodes=[{"node": 1, "weight": number} for number in range(11)]))
        assert len(warned) == 1

    @pytest.mark.filterwarnings("ignore")
    def test_records_too_deep_to_compare_are_refused_like_any(self):
        deep = '{"node": 1, "attrs": {"a": %s}}' % ("[" * 400 + "]" * 400)
        with pytest.raises(FormatError, match="nested"):
            read(f'{{"incidences": [], "nodes": [{deep}, {deep}]}}')

    def test_head_and_tail_of_one_vertex_are_both_kept(self):
        H = read(
            document(
                incidences=[
                    {"edge": 1, "node": 1, "direction": "tail", "weight": -1},
                    {"edge": 1, "node": 1, "direction": "head"},
                ]
            )
        )
        assert H.directed
        assert H.members_of(1) == (1,)
        assert H.annotations.incidences == {(1, 1): (IncidenceRecord("head"), IncidenceRecord("tail", Fraction(-1)))}

    def test_a_simplicial_complex_is_read_as_its_listed_faces(self):
        H = read(document(network_type="asc", incidences=[{"edge": "abc", "node": node} for node in "abc"]))
        assert H.hyperedges == ("abc",)
        assert not H.directed

    def test_long_integers_in_metadata_stay_what_they_are(self):
        for digits in (4000, 4001, 5000):
            H = read('{"incidences": [], "metadata": {"x": [-%s]}}' % ("7" * (digits - 1)))
            assert f"-{'7' * (digits - 1)}]" in text_of(H)
            assert read(text_of(H)) == H
            assert repr(H.annotations)

    def test_numbers_in_attributes_stay_what_they_are(self):
        H = read('{"metadata": {"x": [1, 1.10, 1e400, -0.0, true]}, "incidences": []}')
        assert [type(value) for value in H.annotations.metadata["x"]] == [int, Decimal, Decimal, Decimal, bool]
        assert "[1, 1.10, 1E+400, -0.0, true]" in text_of(H)


class TestWriting:
    def test_one_record_a_line_and_everything_recorded(self):
        H = Hypergraph.from_hyperedges({"e": ["a", 1]}, vertices=["é"], weights=[0.5])
        assert text_of(H) == (
            '{\n"nodes": [\n  {"node": "é"},\n  {"node": "a"},\n  {"node": 1}\n],\n'
            '"edges": [\n  {"edge": "e", "weight": 0.5, "attrs": {"weight": 0.5}}\n],\n'
            '"incidences": [\n  {"edge": "e", "node": "a"},\n  {"edge": "e", "node": 1}\n]\n}\n'
        )

    def test_a_hypergraph_without_weights_gets_none(self):
        assert "weight" not in text_of(Hypergraph.from_hyperedges([["a"]]))

    def test_a_weight_that_no_decimal_equals_is_refused(self):
        def weighing(weight):
            return Hypergraph.from_hyperedges({"ferry": ["a"]}, weights=[weight])

        assert read(text_of(weighing(Fraction(1, 2**3300)))) == weighing(Fraction(1, 2**3300))
        with pytest.raises(FormatError, match=r"hyperedge 'ferry' is 1/3, .* edge-list and incidence-csv"):
            text_of(weighing(Fraction(1, 3)))

    def test_an_attribute_weight_that_is_no_number_stays(self):
        annotations = Annotations(hyperedge_attributes={1: {"weight": "heavy"}})
        H = Hypergraph.from_hyperedges([["a"]], weights=[2], annotations=annotations)
        assert json.loads(text_of(H))["edges"] == [{"edge": 1, "weight": 2, "attrs": {"weight": "heavy"}}]

    @given(annotated())
    def test_a_round_trip_loses_nothing(self, H):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            back = read(text_of(H))
        assert back == H
        assert text_of(back) == text_of(H)

    @given(annotated())
    def test_what_is_written_is_json_that_the_schema_accepts(self, H):
        fastjsonschema.validate(DOCUMENT, json.loads(text_of(H), parse_float=Decimal))


@pytest.mark.parametrize("side", ["tail", "head"])
@pytest.mark.parametrize("plain", [{}, {"weight": 2}, {"attrs": {"x": 1}}], ids=str)
@pytest.mark.parametrize("first", [0, 1])
def test_a_record_without_a_direction_beside_a_directed_one_is_both(side, plain, first):
    records = [{"edge": "e", "node": 2, "direction": side}, {"edge": "e", "node": 2, **plain}]
    others = [{"edge": "e", "node": 1, "direction": "tail"}, {"edge": "f", "node": 2, "direction": "head"}]
    H = read(json.dumps({"incidences": [others[0], records[first], others[1], records[1 - first]]}))
    assert (H.tails_of("e"), H.heads_of("e")) == ((1, 2), (2,))
    assert (H.tails_of("f"), H.heads_of("f")) == ((), (2,))
    assert read(text_of(H)) == H


@pytest.mark.parametrize("first", [0, 1])
def test_the_weight_of_a_record_counts_more_than_an_attribute_of_any_record(first):
    records = [{"edge": "f", "weight": 2}, {"edge": "f", "attrs": {"weight": 0.5}}]
    told = rf"\$\.edges\[{1 - first}\]\.attrs\.weight contradicts the weight of its edge record and was replaced by it"
    with pytest.warns(HyloopWarning, match=told):
        H = read(json.dumps({"incidences": [], "edges": [records[first], records[1 - first]]}))
    assert H.weights == (2,)
    assert H.annotations.hyperedge_attributes == {}


def test_a_decimal_attribute_stays_one():
    H = read('{"incidences": [], "nodes": [{"node": 1, "attrs": {"p": 1.5e1, "q": 1.0, "r": 1e3, "s": 15}}]}')
    assert '{"p": 15.0, "q": 1.0, "r": 1E+3, "s": 15}' in text_of(H)
    again = read(text_of(H))
    kinds = [type(each) for each in again.annotations.vertex_attributes[1].values()]
    assert kinds == [Decimal, Decimal, Decimal, int]
    assert again == H


def test_the_place_of_what_is_wrong_with_the_whole_file_is_left_out():
    with pytest.raises(FormatError) as whole:
        read("[]")
    assert (whole.value.where, str(whole.value)[:5]) == ("$", "a HIF")
    with pytest.raises(FormatError, match=r"^\$\.nodes: "):
        read('{"incidences": [], "nodes": 5}')
