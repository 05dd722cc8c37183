"""Recorded runs: `hyloop.trace` records one; a `Trace` can be saved, loaded and shown."""

from hyloop.recording.record import LIMIT, record_run, trace
from hyloop.recording.trace import Trace

__all__ = ["LIMIT", "Trace", "record_run", "trace"]
