"""Weights: what a number means, exactly, and the common unit."""

from __future__ import annotations

import enum
import time
from decimal import Decimal
from fractions import Fraction
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import HypergraphError
from hyloop.hypergraph import (
    Hypergraph,
    common_unit,
    exact,
    multiples,
)
from hypergraph_strategies import plain, positive_fractions


class TestWeights:
    @pytest.mark.parametrize(
        ("given_as", "meant"),
        [
            (3, Fraction(3)),
            (Fraction(1, 3), Fraction(1, 3)),
            (Decimal("2.50"), Fraction(5, 2)),
            (0.1, Fraction(1, 10)),
            (5e-324, Fraction(5, 10**324)),
            (1.7976931348623157e308, Fraction(17976931348623157 * 10**292)),
            (np.int8(7), Fraction(7)),
            (np.float64(0.1), Fraction(1, 10)),
            (np.float32(0.1), Fraction(1, 10)),
            (Decimal("1e999"), Fraction(10**999)),
            (Fraction(1, 2**3300), Fraction(1, 2**3300)),
        ],
    )
    def test_numbers_mean_what_they_print(self, given_as, meant):
        assert Hypergraph.from_hyperedges([["a"]], weights=[given_as]).weights == (meant,)

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_a_float_means_its_shortest_decimal(self, number):
        assert exact(number) == Fraction(repr(number))

    @pytest.mark.parametrize(
        "bad",
        [
            0,
            -1,
            0.0,
            Decimal("-0.5"),
            float("nan"),
            float("inf"),
            Decimal("NaN"),
            Decimal("sNaN"),
            True,
            "1",
            None,
            1j,
            np.float64("nan"),
            np.bool_(True),
            np.timedelta64(3),
            np.timedelta64(3, "s"),
            10**1000,
            Decimal("1e1000"),
            Decimal("1e-1000"),
            Decimal("1e999999999"),
        ],
        ids=type,
    )
    def test_other_weights_are_refused_and_the_hyperedge_named(self, bad):
        with pytest.raises(HypergraphError, match="weight of hyperedge 'road'"):
            Hypergraph.from_hyperedges({"road": ["a"]}, weights={"road": bad})

    def test_a_weight_that_is_not_given_is_1(self, harbour):
        assert harbour.weights == (2, 1, Fraction(1, 2))
        assert harbour.weight_of("road") == 1

    def test_weights_must_fit_the_hyperedges(self):
        with pytest.raises(HypergraphError, match=r"no hyperedge 'rode' .* Did you mean 'road'"):
            Hypergraph.from_hyperedges({"road": ["a"]}, weights={"rode": 2})
        with pytest.raises(HypergraphError, match="2 weights for 1 hyperedges"):
            Hypergraph.from_hyperedges([["a"]], weights=[1, 2])

    def test_integer_weights_are_the_smallest(self):
        H = Hypergraph.from_hyperedges([["a"]] * 3, weights=[0.5, 6, Fraction(3, 4)])
        assert H.integer_weights() == ((2, 24, 3), Fraction(1, 4))
        assert Hypergraph.from_hyperedges([["a"]] * 2, weights=[10, 20]).integer_weights() == ((1, 2), 10)

    @given(plain())
    def test_integer_weights_are_exact(self, H):
        integers, unit = H.integer_weights()
        assert tuple(integer * unit for integer in integers) == H.weights
        assert gcd(*integers) == (1 if integers else 0)

    def test_weights_without_a_common_unit_are_refused_before_they_fill_the_memory(self):
        weights = [Fraction(1, 10**400 + number) for number in (1, 3, 7)]
        assert len(Hypergraph.from_hyperedges([["a"]] * 2, weights=weights[:2]).integer_weights()[0]) == 2
        with pytest.raises(HypergraphError, match="no common unit"):
            Hypergraph.from_hyperedges([["a"]] * 3, weights=weights).integer_weights()

    def test_200_long_denominators_are_refused_in_a_moment(self):
        weights = [Fraction(1, 10**998 + 7 * number + 1) for number in range(2000)]
        begin = time.process_time()
        with pytest.raises(HypergraphError, match="no common unit"):
            Hypergraph.from_hyperedges([["a"]] * len(weights), weights=weights).integer_weights()
        assert time.process_time() - begin < 2

    @pytest.mark.parametrize(
        "weight",
        [
            10**5000,
            Fraction(1, 3**20_000),
            Decimal("1e999999999"),
            Decimal("-1e-999999999"),
            Decimal("1." + "1" * 10**6),
        ],
        ids=["int", "fraction", "large", "small", "digits"],
    )
    def test_absurd_weights_are_refused_in_a_moment(self, weight):
        begin = time.process_time()
        with pytest.raises(
            HypergraphError, match=r"weight of hyperedge 1 cannot be used: .* beyond the limit"
        ) as raised:
            Hypergraph.from_hyperedges([["a"]], weights=[weight])
        assert time.process_time() - begin < 1
        assert len(str(raised.value)) < 300

    @given(st.lists(positive_fractions))
    def test_the_common_unit_is_the_largest(self, lengths):
        unit = common_unit(lengths)
        numbers = [length / unit for length in lengths]
        assert all(number.denominator == 1 for number in numbers)
        assert gcd(*map(int, numbers)) == (1 if lengths else 0)
        assert multiples(lengths, unit) == tuple(map(int, numbers))


class Price(float, enum.Enum):
    HIGH = 2.123


class Rounded(float):
    def __str__(self):
        return f"{float(self):.1f}"

    __repr__ = __str__


@pytest.mark.parametrize("weight", [Price.HIGH, Rounded(2.123), np.float64(2.123)])
def test_a_weight_of_a_class_of_floats_is_its_number(weight):
    assert Hypergraph.from_hyperedges({"e": ["a"]}, weights={"e": weight}).weights == (Fraction("2.123"),)


@pytest.mark.parametrize("legacy", ["1.13", "1.21", False])
def test_print_options_of_numpy_change_no_number(legacy):
    kind = type(np.get_printoptions()["legacy"])
    with np.printoptions(legacy=legacy, precision=2):
        assert exact(np.float32(16777216)) == 16777216
        assert exact(np.float32(0.1234567)) == Fraction(1234567, 10**7)
        assert exact(np.float16(0.1)) == Fraction(1, 10)
        assert exact(np.longdouble(2) ** 52 + 1) == 2**52 + 1
    assert type(np.get_printoptions()["legacy"]) is kind
