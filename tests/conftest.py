"""What all tests share: how hypothesis runs, and where the files outside the repository are."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# Code that tests compile goes into a folder of theirs, also that of the commands they start.
os.environ.setdefault("HYLOOP_CACHE", tempfile.mkdtemp(prefix="hyloop-tests-"))

# Locally every run looks at new examples; on CI every run looks at the same ones.
settings.register_profile("hyloop", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=40, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "hyloop")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of files that come with the project but not with the repository."""
    folder = Path(os.environ.get("HYLOOP_DATA") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder}: set HYLOOP_DATA to where the shared files are")
    return folder


@pytest.fixture
def interpreted(monkeypatch):
    """`hyloop.run` by the interpreter: for tests of what programs mean, not of what transformers compute."""
    monkeypatch.setattr(sys.modules["hyloop.run"], "DEFAULT_BACKEND", "interpreter")
