"""States in few bytes: what is unpacked is what was packed, bit for bit."""

import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hyloop.packed import pack, shape_of, unpack

STATES = st.sampled_from([np.float64, np.float32]).flatmap(
    lambda dtype: arrays.arrays(
        dtype,
        arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=9),
        elements=st.one_of(
            st.integers(-3, 300).map(float), st.just(-0.0), st.floats(width=32), st.sampled_from([2.0**53, 2.0**52])
        ),
    )
)


@given(STATES)
def test_bit_for_bit(X):
    found = unpack(*pack(X))
    assert (found.dtype, found.shape) == (X.dtype, X.shape)
    assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(X).tobytes()


def test_rows_squares_and_constants_take_next_to_nothing():
    rows = np.arange(100_000, dtype=np.float64)
    X = np.stack([rows, rows**2, np.ones(100_000), rows % 2, np.zeros(100_000)], axis=1)
    data, about = pack(X)
    assert data.nbytes + about.nbytes < X.nbytes / 1000
    assert np.array_equal(unpack(data, about), X)


def changed(**changes):
    return lambda data, about: (data, {**about, **changes})


@pytest.mark.parametrize(
    "damage",
    [
        changed(shape=[5, 2]),
        changed(shape=[3]),
        changed(shape=[-1, 2]),
        changed(shape=[True, 2]),
        changed(dtype="object"),
        changed(columns=[["int8", 0, 1]]),
        changed(columns=[["int8", 7, 9], ["int8", 0, 9]]),
        changed(columns=[["int128", 0, 9], ["int8", 0, 9]]),
        changed(columns=[["int8", 0, -1], ["int8", 0, 9]]),
        changed(columns=[["int8", 0, 10**9], ["int8", 0, 9]]),
        changed(shape=[10**15, 2]),
        lambda data, about: (data[:-1], about),
        lambda data, about: (data + b"x", about),
        lambda data, about: (b"\0" * len(data), about),
    ],
)
def test_damaged_ones_are_refused(damage):
    data, about = pack(np.ones((3, 2)))
    bytes_, said = damage(data.tobytes(), json.loads(about.tobytes()))
    with pytest.raises((ValueError, TypeError, KeyError, zlib.error, MemoryError)):
        unpack(np.frombuffer(bytes_, np.uint8), np.frombuffer(json.dumps(said).encode(), np.uint8))


def test_the_shape_is_known_before():
    assert shape_of(pack(np.ones((3, 2)))[1])[:2] == (3, 2)
