"""`python -m fuzz --minutes 5`: random programs and mutated files until the time is over. See docs/fuzzing.md."""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz import corpus
from fuzz.readers import READERS, recipe_of
from fuzz.worker import PATIENCE, PROGRAM_SECONDS, SECONDS, Answer, Job, Worker

KINDS = ("programs", *READERS)
PROGRAMS_SHARE = 0.6  # of the time, if files are tried too
SHRINK_SECONDS = 60.0
MOST_OF_A_KIND = 3  # failures of one kind that are made small and written; the rest are counted


@dataclass
class Tally:
    """What all threads have seen."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, counts: dict[str, int]) -> None:
        """Add counts."""
        with self.lock:
            self.counts.update(counts)

    def wanted(self, what: str) -> bool:
        """Count a failure; whether it is one of the first of its kind."""
        with self.lock:
            self.failures[what] += 1
            return self.failures[what] <= MOST_OF_A_KIND


@dataclass(frozen=True)
class Plan:
    """What is to be done."""

    end: float
    seed: int
    threads: int
    kinds: tuple[str, ...]
    folder: Path
    extras: dict[str, bool]
    often: int = 1


def shares(plan: Plan, seed: int) -> dict[str, bool]:
    """What a program is held against beside the usual: the slow ones on a share of them."""
    from fuzz.engines import due  # seconds, and not for --help

    return {name: is_due and plan.extras.get(name, True) for name, is_due in due(seed, plan.often).items()}


def programs_turn(plan: Plan, tally: Tally, worker: Worker, seed: int) -> None:
    """One random program."""
    wanted = shares(plan, seed)
    answer = worker.ask({"job": "program", "seed": seed, "wanted": wanted}, PROGRAM_SECONDS)
    if isinstance(answer, str):
        note(
            plan,
            tally,
            {"job": "program", "what": f"program: {answer}", "told": "", "found": f"seed {seed}", "seed": seed},
        )
        return
    tally.count(answer.counts)
    for failure in answer.failures:
        if tally.wanted(failure["what"]):
            small = shrunk(worker, failure, wanted)
            note(plan, tally, {"job": "program", "found": f"seed {seed}", "wanted": wanted, **small}, counted=True)


def shrunk(worker: Worker, failure: dict[str, Any], wanted: dict[str, bool]) -> dict[str, Any]:
    """A failure with a smaller case."""
    needed = {name: is_on and (name in failure["what"] or name == "quiet") for name, is_on in wanted.items()}
    job = {"job": "shrink", "wanted": needed, "seconds": SHRINK_SECONDS, **failure}
    answer = worker.ask(job, SHRINK_SECONDS + PROGRAM_SECONDS)
    return failure if isinstance(answer, str) else answer.failures[0]


def files_turn(plan: Plan, tally: Tally, worker: Worker, reader: str, seed: int) -> None:
    """One mutated file."""
    failure = tried_file(worker, {"job": "file", "reader": reader, "seed": seed}, tally)
    if failure is None or not tally.wanted(failure["what"]):
        return
    small = fewer_edits(worker, failure)
    note(plan, tally, {"job": "file", "found": f"{reader}, seed {seed}", **small}, counted=True)


def tried_file(worker: Worker, job: Job, tally: Tally | None = None) -> dict[str, Any] | None:
    """How a file fails; None if it does not."""
    answer = worker.ask(job, SECONDS * PATIENCE)
    if isinstance(answer, Answer):
        if tally is not None:
            tally.count(answer.counts)
        return answer.failures[0] if answer.failures else None
    recipe = job.get("case") or recipe_of(job["reader"], job["seed"]).as_json()
    return {"what": f"{recipe['reader']}: {answer}", "told": "", "case": recipe}


def fewer_edits(worker: Worker, failure: dict[str, Any]) -> dict[str, Any]:
    """The same failure from a recipe with as few edits as possible."""
    number = 0
    while len(failure["case"]["edits"]) > 1 and number < len(failure["case"]["edits"]):
        edits = failure["case"]["edits"]
        case = {**failure["case"], "edits": edits[:number] + edits[number + 1 :]}
        again = tried_file(worker, {"job": "file", "case": case})
        if again is not None and again["what"] == failure["what"]:
            failure = again
        else:
            number += 1
    return failure


def note(plan: Plan, tally: Tally, entry: dict[str, Any], *, counted: bool = False) -> None:
    """Write a failure down and tell of it."""
    if not counted and not tally.wanted(entry["what"]):
        return
    path = corpus.write(plan.folder, entry) if "case" in entry else None
    with tally.lock:
        tally.files += [path] if path else []
    print(f"FAILED {entry['what']}: {entry['told'][:200]} ({entry['found']}) -> {path}", flush=True)


def turns(plan: Plan, tally: Tally, thread: int) -> None:
    """One thread: its own two workers, and seeds that no other thread has."""
    programs, files = Worker(files=False), Worker(files=True)
    readers = [kind for kind in plan.kinds if kind != "programs"]
    spent = {"programs": 0.0, "files": 0.0}
    number = thread
    try:
        for worker, needed in ((programs, "programs" in plan.kinds), (files, bool(readers))):
            if needed:
                worker.start()
        while time.monotonic() < plan.end:
            began = time.monotonic()
            total = sum(spent.values()) or 1.0
            is_program = "programs" in plan.kinds and (not readers or spent["programs"] / total <= PROGRAMS_SHARE)
            if is_program:
                programs_turn(plan, tally, programs, plan.seed + number)
            else:
                files_turn(plan, tally, files, readers[number // plan.threads % len(readers)], plan.seed + number)
            spent["programs" if is_program else "files"] += time.monotonic() - began
            number += plan.threads
    finally:
        programs.stop()
        files.stop()


def told(tally: Tally, seconds: float) -> str:
    """How far it has come, in a line."""
    files = sum(n for name, n in tally.counts.items() if name.split(":")[0] in KINDS[1:])
    programs = tally.counts["programs"]
    return (
        f"{seconds / 60:5.1f} min: {programs:,} programs ({programs / max(seconds, 1):.1f}/s), "
        f"{tally.counts['inputs']:,} inputs, "
        f"{tally.counts['iterations']:,} iterations; {files:,} files ({files / max(seconds, 1):.1f}/s); "
        f"{sum(tally.failures.values())} failures of {len(tally.failures)} kinds"
    )


def summary(tally: Tally, *, every: bool) -> None:
    """The counts by kind."""
    for name, number in sorted(tally.counts.items()):
        if every or not name.startswith("refused: "):
            print(f"  {number:>9,}  {name}")
    for name, number in tally.failures.most_common():
        print(f"  {number:>9,}  FAILED {name}")


def replay(*, close: bool) -> int:
    """Every file of the corpus once; how many fail that should not. `close`: what is mended is no longer open."""
    workers = {"program": Worker(files=False), "file": Worker(files=True)}
    bad = 0
    for path in corpus.kept():
        entry = corpus.read(path)
        failed = bool(corpus.again(entry, workers[entry["job"]]))
        if entry.get("open"):
            state = "still open" if failed else "closed" if close else "mended: --close says so in its file"
            if close and not failed:
                corpus.closed(path)
        else:
            state = "FAILED" if failed else "ok"
        bad += failed and not entry.get("open")
        print(f"{state:12} {path.name}")
    for worker in workers.values():
        worker.stop()
    return bad


def parsed(words: list[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=None, help="where seeds start; by default by the clock")
    parser.add_argument("--processes", type=int, default=min(os.cpu_count() or 1, 8))
    parser.add_argument("--only", default=",".join(KINDS), help=f"some of {', '.join(KINDS)}")
    parser.add_argument("--into", type=Path, default=Path("build/fuzz"), help="where failing cases are written")
    parser.add_argument("--often", type=int, default=1, help="so many times the share of each engine")
    parser.add_argument("--refused", action="store_true", help="say what the language refused, too")
    parser.add_argument("--replay", action="store_true", help="only try the kept corpus again")
    parser.add_argument("--close", action="store_true", help='the same; what is mended loses its mark "open"')
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Fuzz; 1 if anything failed."""
    options = parsed(words)
    os.environ.setdefault(
        "OMP_NUM_THREADS", "1"
    )  # each worker has a core: PyTorch on two threads takes five times as long
    if "HYLOOP_CACHE" not in os.environ:
        os.environ["HYLOOP_CACHE"] = tempfile.mkdtemp(prefix="hyloop-fuzz-")
        atexit.register(shutil.rmtree, os.environ["HYLOOP_CACHE"], ignore_errors=True)
    if options.replay or options.close:
        return int(replay(close=options.close) > 0)
    from fuzz.differential import installed  # seconds, and not for --help
    from fuzz.engines import counted

    kinds = tuple(options.only.split(","))
    if not set(kinds) <= set(KINDS):
        raise SystemExit(f"--only takes {', '.join(KINDS)}; given {options.only}.")
    seed = int(time.time()) * 1000 if options.seed is None else options.seed
    began = time.monotonic()
    plan = Plan(began + 60 * options.minutes, seed, options.processes, kinds, options.into, installed(), options.often)
    missing = [name for name, there in plan.extras.items() if not there]
    print(f"seeds from {seed}; {plan.threads} processes; not installed: {', '.join(missing) or 'nothing'}", flush=True)
    tally = Tally(Counter(dict.fromkeys(counted(), 0) if "programs" in kinds else {}))
    threads = [threading.Thread(target=turns, args=(plan, tally, n), daemon=True) for n in range(plan.threads)]
    for thread in threads:
        thread.start()
    while alive := [thread for thread in threads if thread.is_alive()]:
        alive[0].join(30)
        print(told(tally, time.monotonic() - began), flush=True)
    summary(tally, every=options.refused)
    for path in tally.files:
        print(path)
    return int(bool(tally.failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
