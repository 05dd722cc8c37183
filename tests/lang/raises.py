"""Which `raise` statements of a module some tests have reached."""

import ast
import traceback
from pathlib import Path

import hyloop.lang

FOLDER = Path(hyloop.lang.__file__).parent


def sites(*modules):
    """Every `raise` with a message in these modules of lang/: module and line, and the first words of it."""
    found = {}
    for module in modules:
        text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for line in range(node.lineno, node.end_lineno + 1):
                    found[module, line] = (module, " ".join((ast.get_source_segment(text, node) or "").split())[:90])
    return found


def reached(wrong):
    """The places in lang/ that raised an error, or the ones that it replaced."""
    while wrong is not None:
        for frame in traceback.extract_tb(wrong.__traceback__):
            if Path(frame.filename).parent == FOLDER:
                yield Path(frame.filename).stem, frame.lineno
        wrong = wrong.__context__
