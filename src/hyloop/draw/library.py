"""matplotlib, which is an extra: asked for when a picture is drawn, and without its settings of the day."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyloop.atomic import write_whole
from hyloop.errors import HyloopError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What would tell the day or the place of the drawing is left out: the same picture is the same file.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "hyloop"},
    "pdf": {"CreationDate": None, "Creator": "hyloop", "Producer": None},
    "png": {"Software": "hyloop"},
}
KINDS = tuple(METADATA)
DPI = {"svg": 200, "pdf": 200, "png": 300}  # of what is drawn as pixels
SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "hyloop",
    "pdf.fonttype": 42,
    "text.usetex": False,
    "text.parse_math": False,
    "font.family": ["DejaVu Sans", "sans-serif"],  # the first comes with matplotlib; the second is for viewers without
    "font.sans-serif": ["DejaVu Sans"],
    "hatch.linewidth": 0.5,
    "path.simplify": False,
}


def require_matplotlib() -> None:
    """Raise unless matplotlib is there."""
    try:
        import matplotlib  # noqa: F401  (an extra)
    except ImportError:
        raise HyloopError("Drawing needs matplotlib: pip install 'hyloop[draw]'.") from None


@contextmanager
def own_settings() -> Iterator[None]:
    """matplotlib as it comes, with our settings, whatever the user's own files say."""
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        settings: Any = SETTINGS  # the names that there are differ between versions
        mpl.rcParams.update(settings)
        # A label may have letters that the font lacks; viewers of an SVG have other fonts.
        warnings.filterwarnings("ignore", message=r"(Glyph|.*[Ff]ont)")
        yield


def kind_of(path: str) -> str:
    """What kind of picture a file is, by its ending."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in KINDS:
        raise HyloopError(f"{path} should end in .svg, .pdf or .png, which says what kind of picture it is.")
    return ending


def to_bytes(figure: Figure, kind: str) -> bytes:
    """A picture as the bytes of a file: the same picture gives the same bytes."""
    if kind not in KINDS:
        raise HyloopError(f"A picture is one of {', '.join(KINDS)}; not {kind!r}.")
    stream = io.BytesIO()
    with own_settings():
        figure.savefig(stream, format=kind, dpi=DPI[kind], metadata=METADATA[kind])
    return stream.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a picture to a file; its ending (.svg, .pdf, .png) says which kind."""
    drawn = to_bytes(figure, kind_of(str(path)))
    try:
        write_whole(path, drawn)
    except OSError as wrong:
        raise HyloopError(f"{path} cannot be written: {wrong.strerror}.") from None
