"""What all tests share: how hypothesis runs, what is collected, and where the files outside the repository are."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

import hyloop
from effort import ALL_LIBRARIES, EVERYTHING, EXAMPLES

ROOT = Path(__file__).parents[1]

# Code that tests compile goes into a folder of theirs, also that of the commands they start, and of xdist's workers.
if "HYLOOP_CACHE" not in os.environ:
    os.environ["HYLOOP_CACHE"] = tempfile.mkdtemp(prefix="hyloop-tests-")

    @atexit.register
    def remove_cache(folder: str = os.environ["HYLOOP_CACHE"], maker: int = os.getpid()) -> None:
        """Leave nothing behind. A fork inherits this function; the folder is not its own."""
        if os.getpid() == maker:
            shutil.rmtree(folder, ignore_errors=True)


# Each of those commands would compile all of hyloop's sources anew, where this is set.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell starts what runs in the background without interrupts, and tests interrupt the commands that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run looks at the same examples, on every machine; no example fails for taking long.
settings.register_profile("hyloop", deadline=None, derandomize=True, max_examples=EXAMPLES, print_blob=True)
settings.load_profile("hyloop")
# Hypothesis also draws constants that it finds in the modules loaded so far. Which these are depends on the tests that
# ran before in the same process, and so would the examples.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants

# What `make test` leaves out: a folder or a file, and the command that runs it. Whoever names it runs it.
APART = {
    "thorough": "make test-all",
    "browser": "make test-browser",
    "docs/test_interop.py": "make test-interop",
    "whole/test_examples_with_libraries.py": "make test-interop",
    "export/test_torch.py": "make test-interop",
    "interop/test_hypergraphx.py": "make test-interop",
    "interop/test_hypernetx.py": "make test-interop",
    "interop/test_pyg.py": "make test-interop",
}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is apart, unless it was named, or everything is wanted."""
    apart = next((each for each in APART if collection_path == ROOT / "tests" / each), None)
    if apart is None or EVERYTHING or (ALL_LIBRARIES and APART[apart] == "make test-interop"):
        return None
    named = [Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args]
    inside = any(one == collection_path or collection_path in one.parents for one in named)
    return None if inside else True


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of files that come with the project but not with the repository."""
    folder = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder}: set HYLOOP_DATA to where the shared files are")
    return folder


@pytest.fixture(scope="session")
def lesmis(shared: Path) -> hyloop.Hypergraph:
    """Les Misérables: who appears together, chapter by chapter."""
    file = shared / "data" / "lesmis.hif.json"
    if not file.is_file():
        pytest.skip(f"there is no file {file}")
    return hyloop.read(file)


@pytest.fixture(scope="session")
def davis() -> hyloop.Hypergraph:
    """Who came to which event: real data that is part of the repository."""
    return hyloop.read(ROOT / "examples" / "davis.hif.json")


@pytest.fixture(scope="session")
def library():
    """A function that imports a library with whatever warnings it has, or skips the test."""

    def imported(name: str):
        limit = sys.getrecursionlimit()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return pytest.importorskip(name, reason=f"{name} is not installed here: make test-interop brings it")
        finally:
            sys.setrecursionlimit(limit)  # some set their own

    return imported


@pytest.fixture
def interpreted(monkeypatch):
    """`hyloop.run` by the interpreter: for tests of what programs mean, not of what transformers compute."""
    monkeypatch.setattr(import_module("hyloop.running"), "DEFAULT_BACKEND", "interpreter")
