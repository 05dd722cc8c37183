"""Recorded runs: `hyloop.trace` records one; a `Trace` can be saved, loaded and shown."""

from hyloop.recording.record import LIMIT, trace
from hyloop.recording.trace import Trace

__all__ = ["LIMIT", "Trace", "trace"]
