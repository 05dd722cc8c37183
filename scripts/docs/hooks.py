"""What mkdocs is told while it builds the site: the pages that are made from the code, and their place in the menu."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

HERE = Path(__file__).parent


def _beside(name: str) -> ModuleType:
    """A module of this folder, which is not on Python's path."""
    spec = importlib.util.spec_from_file_location(f"hyloop_docs_{name}", HERE / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


cli_reference = _beside("cli_reference")
api_reference = _beside("api_reference")
gallery = _beside("gallery")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of the Python API to the menu, after the command line, and those of the gallery."""
    pages = [{each.title: each.page} for each in api_reference.modules()]
    [reference] = [part["Reference"] for part in config.nav or [] if "Reference" in part]
    reference[1:1] = [{"Python": pages}]
    [place] = [k for k, part in enumerate(config.nav or []) if "Use" in part]
    (config.nav or []).insert(place, {"Gallery": gallery.menu()})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from the code and from CHANGELOG.md, the playground and the gallery."""
    for path, text in _pages(Path(config.config_file_path).parent):
        files.append(File.generated(config, path, content=text))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Take away the page for missing pages: only a server shows it, and its links are absolute."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)


def _pages(root: Path) -> list[tuple[str, str | bytes]]:
    from hyloop import cli  # slow to import, and not needed to read the menu

    exit_codes: Any = getattr(cli, "EXIT_CODES", None)
    return [
        ("reference/cli.md", cli_reference.render(cli.app, exit_codes)),
        *api_reference.pages(),
        *gallery.files(),
        ("changelog.md", _changelog((root / "CHANGELOG.md").read_text(encoding="utf-8"))),
    ]


def _changelog(text: str) -> str:
    """The changelog with links from where it is on the site, and lists within lists as mkdocs indents them."""
    return re.sub(r"^  ( *- )", r"    \1", text.replace("](docs/", "]("), flags=re.MULTILINE)
