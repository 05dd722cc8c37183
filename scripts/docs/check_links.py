"""Every link of the built site leads somewhere, and nothing on it is loaded from elsewhere. Needs no network.

    python scripts/docs/check_links.py build/site README.md

Pages are read as a browser would: a link to another page or file must find it, a link to a place on a page must find
an element with that id, and images, scripts and styles must lie in the site itself. Links of Markdown files are held
against the files of the repository and the headings in them. Links to other sites are listed, and not followed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

# What a browser fetches by itself: the tag and the attribute that holds the address.
LOADS = {
    *(("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src")),
    *(("link", "href"), ("object", "data"), ("embed", "src"), ("image", "href"), ("use", "href"), ("video", "poster")),
}
NO_LOAD = {"canonical", "next", "prev", "alternate", "author", "license"}
STYLE_LOAD = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2`*\s*?$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
MARKDOWN_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^#{1,6} +(.*?)(?: +#+)?$", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    """An address on a page, and whether a browser loads it without being asked."""

    address: str
    loads: bool = False


@dataclass
class Page(HTMLParser):
    """The ids and references of an HTML page."""

    ids: set[str] = field(default_factory=set)
    references: list[Reference] = field(default_factory=list)
    in_style: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag is called and where it points."""
        given = {name: value for name, value in attrs if value is not None}
        self.in_style = tag == "style"
        self.ids |= {given[name] for name in ("id", "name") if name in given and (name == "id" or tag == "a")}
        self.references += (Reference(address, loads=True) for address in _style_loads(given.get("style", "")))
        self.references += (Reference(each.split()[0], loads=True) for each in _srcset(given.get("srcset", "")))
        for name in ("href", "src", "data", "poster"):
            if (tag, name) in LOADS and name in given:
                passive = tag == "link" and given.get("rel") in NO_LOAD
                self.references.append(Reference(given[name], loads=not passive))
            elif tag in {"a", "area"} and name == "href" and name in given:
                self.references.append(Reference(given[name]))

    def handle_data(self, data: str) -> None:
        """Styles within a page load things too."""
        if self.in_style:
            self.references += (Reference(address, loads=True) for address in _style_loads(data))

    def handle_endtag(self, tag: str) -> None:
        """A style ends with its tag."""
        self.in_style = self.in_style and tag != "style"


def _style_loads(text: str) -> Iterator[str]:
    return (match[1] or match[2] for match in STYLE_LOAD.finditer(text))


def _srcset(text: str) -> Iterator[str]:
    return (each.strip() for each in text.split(",") if each.strip())


@dataclass
class Report:
    """What was found: broken links with where they stand, links to other sites, and how many were looked at."""

    broken: list[str] = field(default_factory=list)
    external: set[str] = field(default_factory=set)
    pages: int = 0
    links: int = 0


def check_site(site: Path) -> Report:
    """Look at every page and style of a built site."""
    report = Report()
    pages = {path.resolve(): _read(path) for path in sorted(site.rglob("*.html"))}
    report.pages = len(pages)
    ids = {path: page.ids for path, page in pages.items()}
    for path, page in pages.items():
        _look_at(path, page.references, ids, site, report)
    for path in sorted(site.rglob("*.css")):
        loads = [Reference(address, loads=True) for address in _style_loads(path.read_text(encoding="utf-8"))]
        _look_at(path.resolve(), loads, {}, site, report)
    return report


def check_markdown(files: Iterable[Path]) -> Report:
    """Look at Markdown files as they stand in the repository."""
    report = Report()
    for path in files:
        report.pages += 1
        text = _prose(path)
        references = [Reference(match[1]) for match in MARKDOWN_LINK.finditer(text)]
        targets = {_target(path, each.address)[0] for each in references} | {path.resolve()}
        ids = {target: _headings(target) for target in targets if target.suffix == ".md" and target.is_file()}
        _look_at(path.resolve(), references, ids, path.parent, report)
    return report


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _look_at(
    path: Path, references: Iterable[Reference], ids: dict[Path, set[str]], root: Path, report: Report
) -> None:
    where = path.relative_to(root.resolve())
    for each in references:
        report.links += 1
        parts = urlsplit(each.address)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            if each.loads:
                report.broken.append(f"{where}: {each.address} is loaded from elsewhere")
            report.external.add(each.address)
        elif wrong := _wrong(path, each.address, ids, root.resolve()):
            report.broken.append(f"{where}: {each.address} {wrong}")


def _wrong(path: Path, address: str, ids: dict[Path, set[str]], root: Path) -> str | None:
    """What is wrong with an address within the site, if anything."""
    if address.startswith("/"):
        return "is absolute, so it leads nowhere when the site is opened from disk"
    target, place = _target(path, address)
    if not target.is_relative_to(root):
        return "leads out of the site"
    if not target.exists() or (target.is_dir() and target.suffix == "" and path.suffix == ".html"):
        return "does not exist"
    # `tab=edit` is no id: the viewer's script reads such a fragment.
    if place and "=" not in place and target in ids and place not in ids[target]:
        return "names a place that is not on that page"
    return None


def _target(path: Path, address: str) -> tuple[Path, str]:
    """The file that an address on a page means, and the place in it."""
    file, place = urldefrag(address)
    file = unquote(file.partition("?")[0])
    return ((path.parent / file).resolve() if file else path.resolve()), unquote(place)


def _prose(path: Path) -> str:
    """A Markdown file without its code."""
    return CODE.sub("``", FENCE.sub("", path.read_text(encoding="utf-8")))


def _headings(path: Path) -> set[str]:
    """The places on a Markdown page, as GitHub names them."""
    found: set[str] = set()
    for match in HEADING.finditer(FENCE.sub("", path.read_text(encoding="utf-8"))):
        slug = re.sub(r"[^\w\- ]", "", match[1].replace("`", "").lower()).replace(" ", "-")
        number = 0
        while (name := slug if not number else f"{slug}-{number}") in found:
            number += 1
        found.add(name)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print what was found; 1 if a link is broken."""
    parser = argparse.ArgumentParser(description="Check the links of a built site, and of Markdown files.")
    parser.add_argument("site", type=Path)
    parser.add_argument("markdown", type=Path, nargs="*")
    given = parser.parse_args(arguments)
    if not (given.site / "index.html").is_file():
        sys.stderr.write(f"{given.site} has no index.html; build the site first, with `make docs`.\n")
        return 2
    reports = {"pages of the site": check_site(given.site), "Markdown files": check_markdown(given.markdown)}
    for what, report in reports.items():
        broken = f"{len(report.broken)} broken"
        sys.stdout.write(f"{report.pages} {what}: {report.links:,} links, {broken}.\n")
    external = sorted(set().union(*(report.external for report in reports.values())))
    sys.stdout.write("".join(f"To another site, not followed: {address}\n" for address in external))
    broken_links = [line for report in reports.values() for line in report.broken]
    sys.stdout.write("".join(f"Broken: {line}.\n" for line in broken_links))
    return 1 if broken_links else 0


if __name__ == "__main__":
    sys.exit(main())
