"""How many positions fit: the figures of the errata, searched anew where that is quick."""

import numpy as np
import pytest

from hyloop.paper.capacity import circle, largest, reads_right, rounded


@pytest.mark.parametrize(
    ("code", "dtype", "rows"),
    [
        ("parabola", "bfloat16", 16),
        ("parabola", "float16", 45),
        ("parabola", "float32", 4096),
        ("circle", "bfloat16", 21),
        ("circle", "float16", 46),
        ("quarter circle", "bfloat16", 9),
        ("quarter circle", "float16", 30),
    ],
)
def test_the_largest_n_with_every_pointer_right(code, dtype, rows):
    found = largest(code, dtype)
    assert found.rows == rows
    assert not found.sampled


def test_the_circle_holds_894_rows_in_float32_and_not_one_more():
    assert reads_right(circle(894, 2 * np.pi, "float32"), "float32")
    assert not reads_right(circle(895, 2 * np.pi, "float32"), "float32")


def test_progress_is_told_how_far_the_search_is():
    told = []
    largest("circle", "bfloat16", told.append)
    assert told == list(range(1, 22))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_rounding_by_the_significand_is_the_rounding_of_the_hardware(dtype):
    numbers = np.random.default_rng(0).normal(size=2000)
    assert rounded(numbers, dtype).tolist() == numbers.astype(dtype).astype(np.float64).tolist()


def test_bfloat16_keeps_eight_bits():
    assert rounded(np.array([255.0, 256.0, 257.0, 258.0, -259.0]), "bfloat16").tolist() == [255, 256, 256, 258, -260]
