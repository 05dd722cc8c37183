"""An extension of griffe: examples with `>>>` in a docstring become blocks of code, as people read them."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*\n?(?:^(?!\s*$).*\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring with fences around its examples: each from its first prompt to the next empty line."""
    return EXAMPLE.sub(lambda match: f"```python\n{match[0].rstrip()}\n```\n", text).rstrip()


class Doctests(griffe.Extension):
    """Rewrite the docstring of every object once, after it is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called by griffe for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
