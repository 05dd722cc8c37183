"""A position code: one inner product, largest exactly at the row that is looked for."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyloop.errors import CapacityError
from hyloop.machine.positions import Circle, Parabola, rotations

# The largest n for which every square up to n² is an exact integer (errata, "How many positions fit").
LIMIT = {"float64": 94_906_265, "float32": 4096, "float16": 45}


def feed(feeds, columns, dtype):
    """The two entries of a query or key: the sum of coefficient × column for each dimension."""
    vector = [dtype(0), dtype(0)]
    for (column, dimension), coefficient in feeds.items():
        vector[dimension] += dtype(coefficient) * dtype(columns[column])
    return vector


def parabola_score(i, j, dtype):
    code = Parabola()
    q = feed(code.query("first", "second", ["one"]), {"first": i, "second": i * i, "one": 1}, dtype)
    k = feed(code.key("first", "second"), {"first": j, "second": j * j}, dtype)
    return q[0] * k[0] + q[1] * k[1]


class TestParabola:
    @pytest.mark.parametrize("name", ["float64", "float32"])
    @given(data=st.data())
    def test_the_score_is_an_exact_integer_with_a_margin_of_at_least_one(self, name, data):
        dtype, row = np.dtype(name).type, st.integers(0, LIMIT[name])
        i = data.draw(row)
        j = data.draw(st.one_of(row, st.integers(max(0, i - 3), min(LIMIT[name], i + 3))))
        own, other = parabola_score(i, i, dtype), parabola_score(i, j, dtype)
        assert int(other) == 2 * i * j - j * j
        assert int(own) - int(other) == (i - j) ** 2

    def test_in_float32_all_of_4096_rows_find_themselves_and_nothing_else(self):
        codes = Parabola().table(LIMIT["float32"]).astype(np.float32)
        queries = np.stack([2 * codes[:, 0], np.full(len(codes), -1, np.float32)], axis=1)
        for first in range(0, len(codes), 512):
            scores = queries[first : first + 512] @ codes.T
            own = np.arange(first, first + len(scores))
            assert (scores.argmax(axis=1) == own).all()
            second, best = np.sort(scores, axis=1)[:, -2:].T
            assert (best - second >= 1).all()

    @pytest.mark.parametrize(("name", "bits"), [("float64", 53), ("float32", 24), ("float16", 11)])
    def test_the_stated_limits_are_the_last_exact_squares(self, name, bits):
        assert LIMIT[name] ** 2 <= 2**bits < (LIMIT[name] + 1) ** 2

    def test_past_the_limit_float32_loses_a_square(self):
        assert int(np.float32(4096**2)) == 4096**2
        assert int(np.float32(4097**2)) != 4097**2

    def test_the_table_holds_numbers_and_squares_from_zero(self):
        assert Parabola().table(3).tolist() == [[0, 0], [1, 1], [2, 4], [3, 9]]

    @given(st.integers(0, LIMIT["float64"] - 1))
    def test_a_step_leads_from_the_code_of_c_to_that_of_c_plus_1(self, c):
        code = (c, c * c, 1)
        following = [sum(int(a) * b for a, b in zip(row, code, strict=True)) for row in Parabola().step]
        assert following == [c + 1, (c + 1) ** 2]

    @given(st.integers(0, LIMIT["float64"]))
    def test_the_number_of_a_code_is_read_back(self, c):
        assert Parabola().number(float(c), float(c * c)) == c

    def test_the_largest_entry_is_the_last_square(self):
        assert Parabola().largest(12) == Parabola().table(12).max() == 144

    def test_zero_needs_nothing_to_stand_at_the_origin(self):
        assert Parabola().origin("bias") == {}


class TestCircle:
    @pytest.mark.parametrize("rows", [1, 4, 39, 500])
    @pytest.mark.parametrize(("dtype", "close"), [("float64", 1e-12), ("float32", 1e-4)])
    def test_the_recursion_goes_once_around_from_zero_one(self, rows, dtype, close):
        codes = Circle(rows, dtype).table(rows)
        angle = np.arange(rows + 1) * 2 * math.pi / (rows + 1)
        assert codes[0].tolist() == [0, 1]
        assert np.abs(codes - np.stack([np.sin(angle), np.cos(angle)], axis=1)).max() < close

    @given(rows=st.integers(1, 200), data=st.data())
    def test_a_step_leads_from_the_code_of_c_to_that_of_c_plus_1(self, rows, data):
        circle = Circle(rows)
        c = data.draw(st.integers(0, rows - 1))
        code = np.array([*circle.table(rows)[c], 1])
        assert np.array(circle.step) @ code == pytest.approx(circle.table(rows)[c + 1], abs=1e-15)

    @given(rows=st.integers(1, 120))
    def test_every_code_is_nearest_to_its_own_row_by_the_margin_of_one_step(self, rows):
        codes = Circle(rows).table(rows)
        scores = codes @ codes.T
        np.fill_diagonal(scores, -1)
        assert scores.max() < 1 - 0.9 * (1 - math.cos(2 * math.pi / (rows + 1)))

    @given(rows=st.integers(1, 120), data=st.data())
    def test_the_number_of_a_code_is_read_back(self, rows, data):
        circle = Circle(rows)
        c = data.draw(st.integers(0, rows))
        assert circle.number(*circle.table(c)[c]) == c

    def test_a_table_beyond_the_circle_is_refused_with_both_figures(self):
        assert len(Circle(10).table(10)) == 11
        with pytest.raises(CapacityError, match=r"10 positions.*; 11 were asked for"):
            Circle(10).table(11)

    def test_the_origin_is_the_code_of_zero(self):
        assert Circle(10).origin("bias") == {("bias", 1): 1.0}

    def test_the_largest_entry_is_one(self):
        assert Circle(39).largest(39) == pytest.approx(np.abs(Circle(39).table(39)).max())

    def test_the_recursion_rounds_in_the_precision_given(self):
        sine, cosine = Circle(50, "float32").rotation
        assert rotations(50, sine, cosine).dtype == np.float32
        assert Circle(50, "float32").table(50).tolist() != Circle(50, "float64").table(50).tolist()
