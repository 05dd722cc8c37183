"""A process that tries cases, under limits: a case that hangs or eats memory ends it, and a new one takes over."""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

SECONDS = 10.0  # of processor time, for a file
MEMORY = 2**30  # bytes, for a file
PATIENCE = 3  # how much longer than that the clock may say, since other processes want the processor too
PROGRAM_SECONDS = 300.0  # of processor time, for a program with all its inputs; the prover is the slow one
START_SECONDS = 300.0

Job = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came of a job: counts by name, and failures as pairs of what and told, each with its case."""

    counts: dict[str, int] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)


def drawn(seed: int) -> list[Any]:
    """The cases of a seed: every fourth program has loops in loops."""
    from fuzz import generate, nesting  # in the worker only

    return generate.cases(seed, make=nesting.nested if seed % 4 == 3 else generate.source)


def try_program(job: Job) -> Answer:
    """All inputs of a random program, or one case."""
    from fuzz import differential, runs, syntax  # in the worker only

    cases = [syntax.Case.from_json(job["case"])] if "case" in job else drawn(job["seed"])
    counts = runs.Counts()
    failures = differential.tried(cases, differential.available(job.get("wanted", {})), counts)
    said = [{"what": f.what, "told": f.told, "case": case.as_json()} for case, f in failures]
    return Answer(dict(counts.of), said)


def shrink_program(job: Job) -> Answer:
    """A failing case made smaller."""
    from fuzz import differential, minimise, runs, syntax  # in the worker only

    wanted, last = differential.available(job["wanted"]), [job["told"]]

    def fails(case: syntax.Case) -> bool:
        for _, failure in differential.tried([case], wanted, runs.Counts()):
            if failure.what == job["what"]:
                last.append(failure.told)
                return True
        return False

    case = syntax.Case.from_json(job["case"])
    small = minimise.minimised(case, fails, job["seconds"]) if fails(case) else case
    return Answer({}, [{"what": job["what"], "told": last[-1], "case": small.as_json()}])


def try_file(job: Job) -> Answer:
    """A mutated file, within the limits."""
    from fuzz import readers  # in the worker only

    recipe = readers.Recipe(**job["case"]) if "case" in job else readers.recipe_of(job["reader"], job["seed"])
    data = readers.edited(recipe)  # what that takes is not the reader's
    began = time.process_time()
    try:
        outcome = readers.use(recipe, data)
    except Exception as wrong:  # that is what is looked for
        place = next(filter(is_ours, reversed(traceback.extract_tb(wrong.__traceback__))), None)
        where = f" in {Path(place.filename).name}, {place.name}" if place else ""
        told = {"what": f"{recipe.reader}: raises {type(wrong).__name__}{where}", "told": str(wrong)[:300]}
        return Answer({f"{recipe.reader}: failed": 1}, [{**told, "case": recipe.as_json()}])
    took = time.process_time() - began
    if took > SECONDS:
        told = {"what": f"{recipe.reader}: over {SECONDS:g} s", "told": f"{took:.1f} s of processor time"}
        return Answer({f"{recipe.reader}: slow": 1}, [{**told, "case": recipe.as_json()}])
    return Answer({f"{recipe.reader}: {outcome}": 1})


def is_ours(place: traceback.FrameSummary) -> bool:
    """Whether a line of a traceback is in a function of hyloop's."""
    return "hyloop" in Path(place.filename).parts and not place.name.startswith("<")


def try_certificate(job: Job) -> Answer:
    """The certificate of a random program, of an algorithm, or of the first in a file."""
    from fuzz import certificates, runs  # in the worker only

    counts = runs.Counts()
    failures = certificates.tried(job, counts)
    return Answer(dict(counts.of), [{"what": each.what, "told": each.told} for each in failures])


JOBS: dict[str, Callable[[Job], Answer]] = {
    "program": try_program,
    "shrink": shrink_program,
    "file": try_file,
    "certificate": try_certificate,
}


def serve(pipe: Connection, files: bool) -> None:
    """Answer jobs until there are none."""
    if files:
        _limit_memory()
    pipe.send(Answer({"started": 1}))
    while (job := pipe.recv()) is not None:
        pipe.send(JOBS[job["job"]](job))


def _limit_memory() -> None:
    """So much more than a worker that has read a valid file of each kind."""
    from fuzz import readers  # in the worker only

    for reader in readers.READERS:
        readers.use(readers.Recipe(reader, readers.bases(reader)[0], []))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))


def spent(process: int) -> float:
    """Seconds of the processor that a process and its children have taken; those of the clock where nobody says."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")


class Worker:
    """A process of its own; started again when it is lost."""

    def __init__(self, *, files: bool) -> None:
        self.files = files
        self.process: Any = None

    def start(self) -> None:
        """Have a process."""
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.files), daemon=True)
        self.process.start()
        theirs.close()
        if not self.pipe.poll(START_SECONDS):
            self.stop()
            raise TimeoutError("a worker did not start")
        self.pipe.recv()

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None

    def _answers_within(self, seconds: float) -> bool:
        """Whether there is an answer within so much processor time; on the clock it may take a few times as long."""
        end = spent(self.process.pid) + seconds
        for _ in range(PATIENCE):
            if self.pipe.poll(seconds):
                return True
            if spent(self.process.pid) >= end:
                break
        return False

    def ask(self, job: Job, seconds: float) -> Answer | str:
        """The answer to a job, or how the process was lost over it."""
        if self.process is None:
            self.start()
        try:
            self.pipe.send(job)
            if self._answers_within(seconds):
                answer: Answer = self.pipe.recv()
                return answer
            self.stop()
            return f"no answer after {seconds:g} s"
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            self.stop()
            return f"the process ended with {code}"
