"""How much a test run tries: `make test` a fixed share, `make test-all` (HYLOOP_TESTS=all) everything,
`make test-interop` (HYLOOP_TESTS=libraries) the share with all libraries.

Both try the same each time: hypothesis draws its examples from a seed that follows from the test.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import settings

EVERYTHING = os.environ.get("HYLOOP_TESTS") == "all"
ALL_LIBRARIES = EVERYTHING or os.environ.get("HYLOOP_TESTS") == "libraries"
TIMES = 10 if EVERYTHING else 1
EXAMPLES = 300 if EVERYTHING else 20

# What `make test` installs, of the packages that hyloop can talk to. With the others: `make test-interop`.
LIBRARIES = {"networkx", "xgi", "pandas", "scipy", "onnx", "onnxruntime"}


def installed(package: str) -> bool:
    """Whether this run tests with a package that hyloop can talk to."""
    return ALL_LIBRARIES or package in LIBRARIES


def examples(count: int) -> settings:
    """Fewer hypothesis examples than the others have, where each takes long."""
    return settings(max_examples=count * TIMES)


def share(every: Iterable[Any], *here: Any) -> Sequence[Any]:
    """The variants of a test: all of them in `make test-all`, the given ones in `make test`."""
    everything = list(every)
    assert all(one in everything for one in here), "a share is a share of something"
    return everything if EVERYTHING else here


def every(step: int, variants: Iterable[Any]) -> Sequence[Any]:
    """The same, every n-th variant, from the first on."""
    return list(variants)[:: 1 if EVERYTHING else step]


def sample(every: Iterable[Any]) -> Sequence[Any]:
    """The algorithms of an expensive test: all of them in `make test-all`, the first eight in `make test`.

    The ninth is motifs, which takes as long as the eight.
    """
    return list(every)[: None if EVERYTHING else 8]
