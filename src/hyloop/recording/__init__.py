"""Recorded runs: `hyloop.trace` makes one, a `Trace` is saved, loaded and shown."""

from hyloop.recording.record import LIMIT, trace
from hyloop.recording.trace import Trace

__all__ = ["LIMIT", "Trace", "trace"]
