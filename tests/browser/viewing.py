"""How to read and move a page of the viewer, and what a document says should be there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import hyloop
from hyloop.hypergraph import looks_like_integer

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Shown:
    """A trace, and the file of the page that shows it."""

    trace: hyloop.Trace
    file: Path

    @staticmethod
    def of(trace: hyloop.Trace, file: Path) -> Shown:
        """Write the page."""
        trace.save(file)
        return Shown(trace, file)

    @property
    def document(self) -> Mapping[str, Any]:
        """The document of docs/traces.md."""
        return self.trace.document

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self.trace)

    @cached_property
    def states(self) -> list[np.ndarray]:
        """The whole state X at every frame, from the changes alone."""
        columns = self.document["columns"]
        h = self.document["hypergraph"]
        X = np.zeros((1 + max(len(h["vertices"]), len(h["hyperedges"]), 1), len(columns)))
        for number, column in enumerate(columns):
            X[:, number] = column["initial"]
        found = []
        places = [list(zip(each["frame"], each["row"], each["value"], strict=True)) for each in columns]
        at = [0] * len(columns)
        for frame in range(self.frames):
            for number, changes in enumerate(places):
                while at[number] < len(changes) and changes[at[number]][0] == frame:
                    _, row, value = changes[at[number]]
                    X[slice(None) if row < 0 else row, number] = value
                    at[number] += 1
            found.append(X.copy())
        return found

    def place(self, frame: int) -> tuple[int, int]:
        """Iteration and layer of a frame."""
        frames = self.document["frames"]
        return frames["iteration"][frame], frames["layer"][frame]

    def frame(self, iteration: int, layer: int | None = None) -> int:
        """The frame of an iteration and layer (by default its last)."""
        layer = (self.layers if iteration else 0) if layer is None else layer
        return next(f for f in range(self.frames) if self.place(f) == (iteration, layer))

    @property
    def layers(self) -> int:
        """How many layers the model has."""
        return len(self.document["model"]["layers"])

    def section(self, frame: int) -> str:
        """Which statements run at a frame."""
        begins = self.document["algorithm"]["begins"]
        return "" if frame == 0 else "before" if begins and self.place(frame)[0] == 1 else "body"

    def implemented(self, layers: Iterable[Mapping[str, Any]], frame: int) -> list[int]:
        """The source lines of the operations that layers compute in the section of a frame."""
        lines = {(each["section"], each["op"]): each["line"] for each in self.document["algorithm"]["ops"]}
        held: list[Mapping[str, Any]] = []
        for layer in layers:
            held += [brought for head in layer["heads"] for brought in head["value"]]
            held += [unit for stage in layer["units"]["stages"] for unit in stage if not unit["carries"]]
        here = self.section(frame)
        return sorted({lines[section, op] for each in held for section, op, *_ in each["for"] if section == here} - {0})

    def variable(self, name: str) -> Mapping[str, Any]:
        """A variable that stands in a column."""
        return next(each for each in self.document["variables"] if each["name"] == name)

    def rows(self, scope: str) -> slice:
        """The rows of X that a variable of that scope has."""
        return slice(0, 1) if scope == "scalar" else slice(1, 1 + len(self.document["hypergraph"][scope]))

    def changes_of(self, name: str) -> list[int]:
        """The frames at which a state's values change."""
        each = self.variable(name)
        rows, column = self.rows(each["scope"]), each["column"]
        pairs = zip(self.states, self.states[1:], strict=False)
        return [f for f, (a, b) in enumerate(pairs, 1) if not np.array_equal(a[rows, column], b[rows, column])]

    def written(self, kind: str, value: float) -> str:
        """A number of the machine as the page writes it."""
        h = self.document["hypergraph"]
        if kind == "flag":
            return {0: "no", 1: "yes"}[value]
        if kind == "length":
            infinite = value == self.document["model"]["infinity"]
            return "∞" if infinite else length_text(Fraction(value) * Fraction(self.document["unit"]))
        if kind == "count":
            return length_text(Fraction(value))
        return "–" if value == 0 else name_of(h["vertices" if kind == "vertex" else "hyperedges"][int(value) - 1])

    def at(self, frame: int) -> dict[str, Any]:
        """`Trace.at` of a frame, as the page writes it."""
        variables = {each["name"]: each for each in self.document["variables"]}
        now, first = self.trace.at(*self.place(frame)), self.trace.at(0)
        found = {}
        for name, value in now.items():
            kind = variables[name]["kind"]
            found[name] = (
                {
                    name_of(label): "–" if self._unset(variables[name], label, now, first) else text_of(kind, each)
                    for label, each in value.items()
                }
                if isinstance(value, dict)
                else text_of(kind, value)
            )
        return found

    @staticmethod
    def _unset(variable: Mapping[str, Any], label: Any, now: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
        """Whether the answer has no value there, before the run and now, and the variable is as it began."""
        flag = variable.get("known", variable.get("unless"))
        if flag is None or now[variable["name"]][label] != first[variable["name"]][label]:
            return False
        return all(each[flag][label] == ("unless" in variable) for each in (first, now))


def name_of(label: str | int) -> str:
    """A label as the page writes it: in quotes where it would be taken for another."""
    if isinstance(label, int) or label == "":
        return str(label) or "(empty label)"
    misread = looks_like_integer(label.strip('\\"')) or label != label.strip() or label[0] == label[-1] == '"'
    return json.dumps(label, ensure_ascii=False) if misread else label


def length_text(value: Fraction) -> str:
    """1.5, or 4/3 where the decimals do not end."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = next(n for n in range(400) if (value * 10**n).denominator == 1)
    digits = str(abs(int(value * 10**places))).zfill(places + 1)
    sign = "-" if value < 0 else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


def text_of(kind: str, value: Any) -> str:
    """A value of `Trace.at` as the page writes it."""
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "length":
        return "∞" if value is None else length_text(value)
    return (
        ("–" if value is None else name_of(value)) if kind in ("vertex", "hyperedge") else length_text(Fraction(value))
    )


# -- reading --------------------------------------------------------------------------------------------------------

READ = """() => {
  const app = document.getElementById("app");
  const cell = (node) => ({
    old: node.querySelector(".old").textContent.replace(/ → $/, ""),
    now: node.querySelector(".now").textContent,
    beside: node.querySelector(".interpreter").textContent,
  });
  const table = (scope) => {
    const root = document.querySelector(`[data-testid=table-${scope}]`);
    const heads = [...root.querySelectorAll("[role=columnheader]")].slice(1);
    const rows = [...root.querySelectorAll("[data-row]")].filter((row) => !row.hidden);
    return {
      columns: heads.map((head) => ({
        name: head.dataset.name ?? head.textContent,
        program: head.classList.contains("program"),
        output: head.classList.contains("output"),
      })),
      rows: rows.map((row) => ({
        row: Number(row.dataset.row),
        label: row.querySelector("[role=rowheader]").textContent,
        cells: [...row.querySelectorAll(".cell:not([role=rowheader])")].map(cell),
      })),
    };
  };
  return {
    frame: Number(app.dataset.frame),
    iteration: Number(app.dataset.iteration),
    layer: Number(app.dataset.layer),
    where: document.querySelector("[data-testid=where]").textContent,
    picture: document.querySelector("[data-testid=picture]").getAttribute("aria-label"),
    served: [...document.querySelectorAll(".line.served")].map((line) => Number(line.dataset.line)),
    wrote: [...document.querySelectorAll(".line.wrote")].map((line) => Number(line.dataset.line)),
    scalars: [...document.querySelectorAll("[data-testid=scalars] .scalar")].map((node) => ({
      name: node.dataset.name,
      role: [...node.classList].find((name) => name !== "scalar"),
      ...cell(node),
    })),
    heads: [...document.querySelectorAll("[data-testid^=head-]")].map((node) => ({
      text: node.textContent,
      look: node.querySelector(".look")?.textContent ?? "",
      links: [...node.querySelectorAll(".links li")].map((item) => item.textContent),
    })),
    vertices: table("vertices"),
    hyperedges: table("hyperedges"),
  };
}"""

SEEK = """async (frame) => {
  const app = document.getElementById("app");
  window.hyloop.seek(frame);
  const there = () => app.dataset.frame === String(frame);
  for (let wait = 0; wait < 600 && !there(); wait++) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}"""

WALK = f"""async (frames) => {{
  const [seek, read, all] = [{SEEK}, {READ}, []];
  for (const frame of frames) {{
    await seek(frame);
    all.push(read());
  }}
  return all;
}}"""


def read(page: Any) -> dict[str, Any]:
    """All that the panels say now."""
    return page.evaluate(READ)


def walk(page: Any, frames: Iterable[int]) -> list[dict[str, Any]]:
    """What the panels say at each of these frames."""
    return page.evaluate(WALK, list(frames))


def seek(page: Any, frame: int) -> None:
    """Go to a frame, and wait until it is drawn."""
    page.evaluate(SEEK, frame)


def drawn(page: Any) -> None:
    """Wait until all that was asked for is drawn."""
    page.evaluate("async () => { for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame); }")


AT_REST = """async (node) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const place = () => JSON.stringify(node.getBoundingClientRect());
  let [before, still] = ["", 0];
  while (still < 3) {
    await frame();
    const now = place();
    still = now === before ? still + 1 : 0;
    before = now;
  }
}"""


def at_rest(page: Any, node: Any) -> dict[str, float]:
    """The box of an element as soon as the page has laid it out: it stays where it is for some frames."""
    node.evaluate(AT_REST)
    drawn(page)
    return dict(node.bounding_box())


def press(page: Any, *keys: str) -> None:
    """Press keys, and wait until what they ask for is drawn."""
    for key in keys:
        page.keyboard.press(key)
    drawn(page)


def place(page: Any) -> tuple[int, int, int]:
    """Frame, iteration and layer that are shown, when all that was asked for is drawn."""
    drawn(page)
    app = page.evaluate("() => ({...document.getElementById('app').dataset})")
    return int(app["frame"]), int(app["iteration"]), int(app["layer"])


def frame(page: Any) -> int:
    """The frame that is shown."""
    return place(page)[0]


def variables(seen: Mapping[str, Any]) -> dict[str, Any]:
    """The variables that the page shows, as `Trace.at` has them: no inputs, interpreter's locals or quotients."""
    found: dict[str, Any] = {
        each["name"]: each["now"] for each in seen["scalars"] if each["role"] not in ("input", "program")
    }
    for scope in ("vertices", "hyperedges"):
        for at, column in enumerate(seen[scope]["columns"]):
            if not column["program"] and not column["output"]:
                found[column["name"]] = {row["label"]: row["cells"][at]["now"] for row in seen[scope]["rows"]}
    return found


def events(page: Any) -> list[tuple[str, str, str, str]]:
    """The entries of the history: when, variable, value, line."""
    return [
        tuple(each)
        for each in page.evaluate(
            "() => [...document.querySelectorAll('[data-testid=history-list] .event')].map((e) => ["
            "'.when', '.var', '.what', '.line-number'].map((part) => e.querySelector(part).textContent))"
        )
    ]


def labels(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """The labels of the rows of a table."""
    return [each["label"] for each in items]
