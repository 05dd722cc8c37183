"""Fuzzing: random programs and mutated files, with a reference meaning that knows docs/language.md alone."""
