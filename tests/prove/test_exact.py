"""Bounds of sums: what intervals leave open, the solver decides."""

import hyloop
from hyloop.prove import prove


def test_a_clamped_number_is_summed_over_all_rows():
    """At 131,071 rows a sum of clamped sums: the interval of the lesser of two numbers is too wide by as many rows."""
    proof = prove(hyloop.compile("path_counts"))
    assert proof.answer == "proved"
    [values] = [size for size in proof.work.sizes if (size.part, size.what) == ("layer 4, head 2", "values")]
    assert values.most == 131_072 * 10**9
