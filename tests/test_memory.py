"""How much memory is free, and refusals before it is taken."""

import pytest

from hyloop import memory
from hyloop.memory import NotEnoughMemoryError, free_bytes, in_words, require_memory


def test_what_is_free_is_known_here():
    free = free_bytes()
    assert free is None or 0 < free < 2**60


def test_a_container_may_allow_less(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "resource", None)
    monkeypatch.setattr(memory, "_CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    5000 kB\n")
    assert free_bytes() == 5_120_000
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("100\n")
    assert free_bytes() == 5_120_000
    (tmp_path / "memory.max").write_text("1100\n")
    assert free_bytes() == 1000


class Limits:
    """What Python's module `resource` has of it."""

    RLIMIT_AS, RLIM_INFINITY = 9, -1

    def __init__(self, most):
        self.most = most

    def getrlimit(self, which):
        assert which == self.RLIMIT_AS
        return self.most, self.RLIM_INFINITY


def test_a_process_may_be_allowed_less(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_ADDRESSES", tmp_path / "statm")
    monkeypatch.setattr(memory.os, "sysconf", lambda _: 1000, raising=False)
    (tmp_path / "meminfo").write_text("MemAvailable:    5000 kB\n")
    (tmp_path / "statm").write_text("70 20 10 1 0 9 0\n")
    for limits, free in (
        (Limits(Limits.RLIM_INFINITY), 5_120_000),
        (Limits(90_000), 20_000),
        (Limits(60_000), 0),
        (None, 5_120_000),  # Windows
    ):
        monkeypatch.setattr(memory, "resource", limits)
        assert free_bytes() == free


def test_a_refusal_gives_both_figures(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: 1_900_000_000)
    require_memory(1_900_000_000, "It")
    with pytest.raises(NotEnoughMemoryError, match=r"^It takes about 2\.5 GB of memory, and 1\.9 GB are free\.$"):
        require_memory(2_500_000_000, "It")
    with pytest.raises(NotEnoughMemoryError, match=r"are free\. Say less\.$"):
        require_memory(2_500_000_000, "It", "Say less.")
    monkeypatch.setattr(memory, "free_bytes", lambda: None)
    require_memory(2**70, "It")


def test_little_is_taken_without_asking(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: pytest.fail("asked"))
    require_memory(1000, "It")


def test_bytes_in_words():
    assert [in_words(count) for count in (5, 184_000_000, 10**9, 2 * 10**12)] == ["1 MB", "184 MB", "1.0 GB", "2.0 TB"]
