"""Run the notebooks of examples/ and store what their cells show: `python scripts/notebooks.py`.

No Jupyter is needed: a cell is executed as Python, in the notebook's folder, and its last expression is displayed by
its `repr` and `_repr_html_`. The tests run the notebooks in the same way and compare.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import os
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"


def notebooks() -> list[Path]:
    """The notebooks, in the order of their names."""
    return sorted(EXAMPLES.glob("*.ipynb"))


def executed(path: Path) -> dict[str, Any]:
    """A notebook with the outputs that its cells have now."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    space: dict[str, Any] = types.ModuleType(path.stem).__dict__
    number = 0
    with contextlib.chdir(path.parent):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cell["outputs"] = list(_outputs("".join(cell["source"]), space, number))
                cell["execution_count"] = number
    return notebook


def _outputs(source: str, space: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    name = f"cell_{number}.py"
    # An algorithm of a cell is quoted in messages, as Jupyter makes it possible, too.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    body, shown = _parted(source)
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        exec(compile(body, name, "exec"), space)
        value = None if shown is None else eval(compile(shown, name, "eval"), space)
    if written.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": written.getvalue().splitlines(keepends=True)}
    if value is not None:
        html = value._repr_html_().splitlines(keepends=True) if hasattr(value, "_repr_html_") else None
        data = {"text/plain": repr(value).splitlines(keepends=True), **({"text/html": html} if html else {})}
        yield {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}


def _parted(source: str) -> tuple[ast.Module, ast.Expression | None]:
    """The statements of a cell, and the expression at its end, if there is one."""
    tree = ast.parse(source)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return tree, None
    return ast.Module(tree.body[:-1], []), ast.Expression(tree.body[-1].value)


def as_text(notebook: dict[str, Any]) -> str:
    """A notebook as its file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for each in notebooks():
        each.write_text(as_text(executed(each)), encoding="utf-8")
        print(f"{each.relative_to(Path(os.curdir).resolve())}: {each.stat().st_size / 1000:,.0f} kB")
