"""matplotlib, an extra: imported when a picture is drawn, and independent of the user's settings."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hyloop.atomic import path_of, write_out
from hyloop.errors import HyloopError
from hyloop.hypergraph import is_number, shown
from hyloop.strict import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Without date and machine, so that the same picture gives the same file.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "hyloop"},
    "pdf": {"CreationDate": None, "Creator": "hyloop", "Producer": None},
    "png": {"Software": "hyloop"},
}
KINDS = tuple(METADATA)
DPI = {"svg": 200, "pdf": 200, "png": 300}  # resolution of rasterized parts
SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "hyloop",
    "pdf.fonttype": 42,
    "text.usetex": False,
    "text.parse_math": False,
    "font.family": ["DejaVu Sans", "sans-serif"],  # matplotlib has the first; the second is for other viewers
    "font.sans-serif": ["DejaVu Sans"],
    "hatch.linewidth": 0.5,
    "path.simplify": False,
}


def require_matplotlib() -> None:
    """Raise unless matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401  (an extra)
    except ImportError:
        raise HyloopError("Drawing needs matplotlib: pip install 'hyloop[draw]'.") from None
    except ValueError as wrong:  # of the environment
        raise HyloopError(f"matplotlib does not start; is MPLBACKEND right? It says: {printable(wrong)}") from None


def inches_of(width: object) -> float | None:
    """The width of a picture in inches, any kind of number; None leaves it to the picture."""
    if width is None:
        return None
    if not (is_number(width) and 1 <= cast("float", width) <= 40):
        raise HyloopError(f"The width is in inches, from 1 to 40; {shown(width)} is not.")
    return float(cast("float", width))


@contextmanager
def own_settings() -> Iterator[None]:
    """matplotlib's defaults with our settings, regardless of the user's configuration."""
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        settings: Any = SETTINGS  # the set of names differs between versions
        mpl.rcParams.update(settings)
        # A label may have characters that the font lacks; SVG viewers have other fonts.
        warnings.filterwarnings("ignore", message=r"(Glyph|.*[Ff]ont)")
        yield


def kind_of(path: str) -> str:
    """The format of a picture, by the file's extension."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in KINDS:
        raise HyloopError(f"{path} should end in .svg, .pdf or .png, which says what kind of picture it is.")
    return ending


def to_bytes(figure: Figure, kind: str) -> bytes:
    """The file content of a picture: the same picture gives the same bytes."""
    if kind not in KINDS:
        raise HyloopError(f"A picture is one of {', '.join(KINDS)}; not {kind!r}.")
    stream = io.BytesIO()
    with own_settings():
        figure.savefig(stream, format=kind, dpi=DPI[kind], metadata=METADATA[kind])
    return stream.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a picture to a file; the extension (.svg, .pdf, .png) determines the format."""
    if not hasattr(figure, "savefig"):
        raise HyloopError(f"A picture is what draw gives, a figure of matplotlib; not {shown(figure)}.")
    drawn = to_bytes(figure, kind_of(str(path_of(path))))
    write_out(path, drawn)
