"""The locks: all that pyproject.toml asks for, pinned, with hashes, the same in each, from no place in particular."""

import re
import tomllib
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "locks").glob("*.txt")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SETS = {
    "demo": ("oracles", "prove", "draw"),
    "test": ("test",),
    "dev": ("test", "lint", "docs", "test-browser", "release"),
    "interop": ("test-interop",),
}
PYTHONS = ("3.11", "3.12", "3.13")
WITHOUT = {"torch"}  # locks/torch.in says why


@cache
def pinned(lock: str) -> list[tuple[Requirement, int]]:
    """The requirements of a lock, and how many hashes each has."""
    lines = [
        line for line in LOCKS[lock].replace("\\\n", " ").splitlines() if line and not line.lstrip().startswith("#")
    ]
    return [(Requirement(line.partition("--hash")[0].strip()), line.count("--hash=sha256:")) for line in lines]


def versions(lock: str, python: str) -> dict[str, str]:
    """What a lock installs with that Python on Linux."""
    environment = default_environment() | {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
    }
    found = {}
    for requirement, _ in pinned(lock):
        if requirement.marker is None or requirement.marker.evaluate(environment):
            name = canonicalize_name(requirement.name)
            assert name not in found, f"{name} twice"
            (found[name],) = (each.version for each in requirement.specifier)
    return found


def asked(extras: tuple[str, ...]) -> list[Requirement]:
    """What the project asks for with these extras, and with those that they name."""
    found = [Requirement(each) for each in PROJECT["dependencies"]]
    for extra in extras:
        for requirement in map(Requirement, PROJECT["optional-dependencies"][extra]):
            found += asked(tuple(requirement.extras)) if requirement.name == "hyloop" else [requirement]
    return found


def test_there_is_a_lock_for_every_set():
    assert set(LOCKS) == {*SETS, "build"}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_and_hashed(lock):
    for requirement, hashes in pinned(lock):
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement
        assert requirement.url is None
        assert hashes >= 1, requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_no_place_is_named(lock):
    assert not re.search(r"://|^\s*--?(?:i|f|index|extra-index|find-links)\b|file:", LOCKS[lock], re.MULTILINE)


@pytest.mark.parametrize(("lock", "python"), list(product(SETS, PYTHONS)))
def test_what_the_project_asks_for_is_there(lock, python):
    found = versions(lock, python)
    for requirement in asked(SETS[lock]):
        name = canonicalize_name(requirement.name)
        if name not in WITHOUT:
            assert requirement.specifier.contains(found.get(name, "none"), prereleases=True), requirement


@pytest.mark.parametrize("python", PYTHONS)
def test_the_locks_agree(python):
    everything = versions("dev", python)
    for lock in LOCKS:
        for name, version in versions(lock, python).items():
            assert everything.setdefault(name, version) == version, f"{name} in {lock}"


def test_the_build_tool_is_in_the_lock_of_builds():
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for requirement in map(Requirement, document["build-system"]["requires"]):
        assert requirement.specifier.contains(versions("build", "3.11")[requirement.name])


@pytest.mark.parametrize("file", ["Makefile", ".ci/run"])
def test_an_install_from_a_lock_looks_for_nothing_else(file):
    """Without --no-deps, pip 23 takes a newer release for `package[extra]`, which the lock has no hash for."""
    text = (ROOT / file).read_text(encoding="utf-8")
    locked = [line for line in text.splitlines() if "install" in line and "hashes" in line]
    assert locked
    assert all("--require-hashes --no-deps" in line for line in locked), locked
    for line in text.splitlines():
        if "-r locks/" in line:
            assert "$(locked)" in line or line in locked, line
