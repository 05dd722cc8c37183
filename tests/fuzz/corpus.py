"""The kept cases: every failure that was ever found, made small, as a JSON file each.

    {"job": "program" or "file", "what": ..., "told": ..., "found": where it came from, "case": ..., "open": reason}

A file with "open" is a fault that is known and not mended yet; with "slow", replaying it takes long until it is. With
"expect" a damaged file must be "refused", not only read without a fault.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from fuzz.syntax import Case, print_source
from fuzz.worker import PATIENCE, PROGRAM_SECONDS, SECONDS, Worker

CORPUS = Path(__file__).parent / "corpus"


def kept() -> list[Path]:
    """The files of the corpus."""
    return sorted(CORPUS.glob("*.json"))


def read(path: Path) -> dict[str, Any]:
    """One of them."""
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def again(entry: dict[str, Any], worker: Worker) -> list[str]:
    """What is wrong with a case when it is tried once more."""
    job = {"job": entry["job"], "case": entry["case"], "wanted": entry.get("wanted", {})}
    answer = worker.ask(job, PROGRAM_SECONDS if entry["job"] == "program" else PATIENCE * SECONDS)
    if isinstance(answer, str):
        return [answer]
    expected = f"{entry['case']['reader']}: {entry['expect']}" if "expect" in entry else None
    missed = [f"not {entry['expect']}"] if expected is not None and expected not in answer.counts else []
    return missed + [f"{f['what']}: {f['told']}" for f in answer.failures]


def open_kinds() -> set[str]:
    """The kinds of failure that are known and not mended yet."""
    return {entry["what"] for entry in map(read, kept()) if entry.get("open")}


def write(folder: Path, entry: dict[str, Any]) -> Path:
    """Write a case, under a name that says what it shows. A program's source stands in it too, for people."""
    if entry["job"] == "program":
        entry = {**entry, "source": print_source(Case.from_json(entry["case"]).source).splitlines()[3:]}
    words = re.sub(r"[^a-z0-9]+", "-", entry["what"].lower()).strip("-")[:60]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{words}-{hashlib.sha256(json.dumps(entry['case']).encode()).hexdigest()[:6]}.json"
    path.write_text(text_of(entry))
    return path


def text_of(entry: dict[str, Any]) -> str:
    """A case as JSON, a line each part."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in entry.items()) + "\n}\n"


def closed(path: Path) -> None:
    """From now on the case may not fail."""
    path.write_text(text_of({key: value for key, value in read(path).items() if key not in {"open", "slow"}}))
