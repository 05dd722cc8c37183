"""Executing a user's Python file, and describing its errors in a sentence.

Whatever such code raises becomes an error message: also `sys.exit()`, an exception that is no `Exception`, and one
whose `__str__` fails. Only Ctrl-C passes through.
"""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from hyloop.errors import HyloopError
from hyloop.lang.source import file_name


class _Afresh(SourceFileLoader):
    """Compiles the current file. Python's bytecode cache would be stale after a quick change of equal size."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def run_file(
    file: Path, error: Callable[[str], HyloopError], quietly: AbstractContextManager[object] | None = None
) -> ModuleType:
    """The module of a user's Python file. Its failures are raised as `error`; a HyloopError passes unchanged."""
    if not file.is_file():
        raise error(f"There is no file {file}.")
    if file.suffix not in {".py", ".pyw"}:
        raise error(f"{file} is not a Python file.")
    linecache.cache.pop(str(file), None)  # messages quote its current lines
    name = f"hyloop_user_{file.stem}"
    loader = _Afresh(name, str(file))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise error(f"{file} is not a Python file.")
    module = module_from_spec(spec)
    try:
        with quietly or nullcontext():
            loader.exec_module(module)
    except (HyloopError, KeyboardInterrupt):
        raise
    except BaseException as wrong:
        raise error(f"{file} cannot be run: {told(wrong, file)}.") from wrong
    return module


def told(wrong: BaseException, file: Path, place: str = "line {line}: ") -> str:
    """A phrase for an exception in the user's file: line, class and message."""
    if isinstance(wrong, SyntaxError) and wrong.lineno is not None:
        there = Path(wrong.filename or file)
        where = place if same_file(str(there), file) else "{file}:{line}: "  # it imports another
        return where.format(file=file_name(str(there)), line=wrong.lineno) + str(wrong.msg)
    frames = traceback.walk_tb(wrong.__traceback__)
    lines = [number for frame, number in frames if same_file(frame.f_code.co_filename, file)]
    where = place.format(file=file_name(str(file)), line=lines[-1]) if lines else ""
    return f"{where}{_said(wrong)}".rstrip(": .")


def _said(wrong: BaseException) -> str:
    if isinstance(wrong, SystemExit):
        return "it ends Python (sys.exit)"
    name = type(wrong).__name__
    try:
        return f"{name}: {wrong}"
    except KeyboardInterrupt:
        raise
    except BaseException as again:  # noqa: BLE001  (its `__str__` may raise anything)
        return f"{name}, which cannot say what is wrong ({type(again).__name__})"


def same_file(name: str, file: Path) -> bool:
    """Whether the file name in a code object is that of the file."""
    try:
        return Path(name).resolve() == file.resolve()
    except ValueError:  # of code that was compiled under a name that no file can have
        return name == str(file)
