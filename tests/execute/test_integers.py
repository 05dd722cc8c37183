"""The machine's numbers are compared with integers and read as integers; none is rounded on the way."""

import numpy as np
import pytest

from hyloop import ModelError
from hyloop.execute.integers import differing, expected, integers, read
from hyloop.lang.kinds import Count, Flag, Length, Scope, Type, Vertex

LARGE = 2**53 + 1  # the first integer that no float of 64 bits holds


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_equal_integers(dtype):
    assert not len(differing(np.array([0, 3, 2**24 - 1, -0.0], dtype=dtype), integers([0, 3, 2**24 - 1, 0])))


@pytest.mark.parametrize("wrong", [2.5, np.nan, np.inf, -np.inf, -3.0, np.nextafter(3.0, 4)])
@pytest.mark.parametrize("beside", [4, LARGE, 10**40])
def test_what_is_not_that_integer(wrong, beside):
    """Also where another integer of the array is too long for 64 bits, or for a float."""
    found = differing(np.array([wrong, float(beside)]), integers([3, beside]))
    assert 0 in found
    assert (1 in found) == (int(float(beside)) != beside)


@pytest.mark.parametrize("wanted", [LARGE, -LARGE, 2**63 - 1, 2**64 - 1, 10**34])
def test_the_nearest_float_is_not_the_integer(wanted):
    nearest = np.array([float(wanted)])
    assert int(nearest[0]) != wanted
    assert differing(nearest, integers(wanted)).tolist() == [0]
    assert differing(nearest, integers(int(nearest[0]))).tolist() == []


def test_numpy_would_have_rounded():
    """Why there is a function at all: this is what the comparison must not be."""
    assert np.array([2.0**53])[0] == np.array([LARGE])[0]


def test_integers_keep_their_digits():
    assert integers([LARGE, 1]).dtype == np.int64
    assert integers([2**63, 1]).tolist() == [2**63, 1]
    assert integers(np.array([1, 2], dtype=object)).dtype == np.int64
    with pytest.raises(TypeError):
        integers([0.5])


def test_infinity_is_omega_for_lengths_only():
    infinity = 2**61, 1000
    assert expected(Type(Length, Scope.VERTICES), np.array([3, 2**61]), infinity).tolist() == [3, 1000]
    assert expected(Type(Count, Scope.VERTICES), np.array([3, 2**61]), infinity).tolist() == [3, 2**61]
    assert expected(Type(Length), 10**40, (10**40, 2**63 + 1)).tolist() == [2**63 + 1]
    assert expected(Type(Length, Scope.VERTICES), np.array([3, 4]), (10**40, 1000)).tolist() == [3, 4]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Count, 0.5),
        (Count, np.nan),
        (Count, np.inf),
        (Count, -1.0),
        (Count, 2.0**53),  # it might have been 2**53 + 1
        (Length, 1e34),
        (Flag, 2.0),
        (Flag, 0.999),
        (Vertex, 4.0),
        (Vertex, -1.0),
    ],
)
def test_what_cannot_be_a_value_is_refused(kind, value):
    column = np.array([0.0, value, 0.0])
    with pytest.raises(ModelError, match=r"The machine holds .* for x at row 2, where a "):
        read("x", Type(kind, Scope.VERTICES), column, (3, 9))
    with pytest.raises(ModelError, match="at row 0"):
        read("x", Type(kind), column[1:2], (3, 9))


def test_what_can_be_a_value_is_read():
    assert read("x", Type(Vertex, Scope.HYPEREDGES), np.array([0.0, 3.0]), (3, 9)).tolist() == [0, 3]
    assert read("x", Type(Flag, Scope.VERTICES), np.array([0.0, 1.0, -0.0]), (3, 9)).tolist() == [0, 1, 0]
    assert read("x", Type(Count), np.array([2.0**53 - 1]), (3, 9)).tolist() == [2**53 - 1]
    with pytest.raises(ModelError):
        read("x", Type(Count), np.array([2.0**24], dtype=np.float32), (3, 9))
