"""The version of hyloop, read by the build and by `hyloop --version`."""

__version__ = "0.1.0"
