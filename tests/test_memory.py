"""How much memory is free, and refusals before it is taken."""

import pytest

from hyloop import memory
from hyloop.memory import NotEnoughMemoryError, free_bytes, in_words, require_memory


def test_what_is_free_is_known_here():
    free = free_bytes()
    assert free is None or 0 < free < 2**60


def test_a_container_may_allow_less(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    5000 kB\n")
    assert free_bytes() == 5_120_000
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("100\n")
    assert free_bytes() == 5_120_000
    (tmp_path / "memory.max").write_text("1100\n")
    assert free_bytes() == 1000


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
