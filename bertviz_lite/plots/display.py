"""Put a matplotlib figure into a notebook together with the sentence that says what is to be seen.

A picture without alt text is closed to a reader who cannot see it, and JupyterLab ignores an alt text that
travels beside an ``image/png``. So :func:`show` writes ``<figure><img alt=…></figure>``, which JupyterLab
(trusted or not), GitHub and nbviewer all keep, and a ``text/plain`` that is the alt text itself.

Left out: SVG (untrusted notebooks drop it) and animations.
"""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, FigureBase

from bertviz_lite.basics.arguments import ArgumentError, shown
from bertviz_lite.basics.figure_record import record
from bertviz_lite.basics.png import sealed
from bertviz_lite.plots.course_style import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from PIL.Image import Image as PilImage

__all__ = ["Picture", "picture", "show"]

MAX_BYTES = 100_000
"""The largest PNG that :func:`show` puts out: thirty such pictures keep a chapter under four megabytes."""

_LARGE = 45_000
"""Above this a picture gets 256 colours where no part of it looks different: a third of the bytes."""

DPI = 144
"""Pixels per inch of the PNG; a browser shows it at 96, so it stays sharp at 150 % and on a projector."""


_DRAWING = 0.97
"""What share of a drawing's pixels its 256 most frequent colours have, at least."""


class Picture:
    """A PNG and its alt text, shown by a notebook as one ``<figure>``.

    Parameters
    ----------
    png
        The bytes of the picture.
    alt
        What is to be seen, for a reader who cannot see it.
    width
        Width in CSS pixels at which the page shows it (the PNG itself is larger, hence sharp).
    """

    def __init__(self, png: bytes, alt: str, width: int) -> None:
        self.png = png
        self.alt = alt
        self.width = width

    def __repr__(self) -> str:
        return self.alt

    def html(self, caption: str = "") -> str:
        """Return ``<figure><img …></figure>``, everything escaped, `caption` under the picture."""
        data = base64.b64encode(self.png).decode("ascii")
        under = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
        return (
            f'<figure><img alt="{html.escape(self.alt)}" width="{self.width}" '
            f'src="data:image/png;base64,{data}">{under}</figure>'
        )

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.alt}


def picture(figure_or_axes: Figure | Axes | Sequence[Axes], alt: str) -> Picture:
    """Render a figure to the picture that :func:`show` displays, and close it.

    Parameters
    ----------
    figure_or_axes
        A matplotlib figure, one of its axes, or a sequence (array) of its axes.
    alt
        One or two sentences that say what is to be seen.

    Returns
    -------
    Picture
        The same bytes for the same figure: no date, no version in them; at most 100 kB. The PNG carries a
        record of what the figure says (:mod:`bertviz_lite.basics.figure_record`).

    Raises
    ------
    TypeError
        If `figure_or_axes` is not of matplotlib, or `alt` is no text.
    ValueError
        If `alt` is empty, or the picture is larger than 100 kB even at 96 pixels per inch with 256 colours.
    """
    _check_alt(alt)
    figure = _figure_of(figure_or_axes)
    png = _png(figure, DPI)
    said = record(figure)
    png = sealed(png, said)
    if len(png) > _LARGE:
        few = _fewer_colours(png)
        if len(few) < len(png) and (len(png) > MAX_BYTES or _look_alike(png, few)):
            png = sealed(few, said)
    if len(png) > MAX_BYTES:
        png = sealed(_fewer_colours(_png(figure, 96)), said)
    width = round(figure.get_figwidth() * 96)
    _close(figure)
    if len(png) > MAX_BYTES:
        raise ArgumentError(
            f"the figure is {len(png) / 1000:.0f} kB as PNG, at most {MAX_BYTES / 1000:.0f} kB are shown: "
            "make it smaller (figsize=…) or draw less in it."
        )
    return Picture(png, " ".join(alt.split()), width)


def show(figure_or_axes: Figure | Axes | Sequence[Axes], alt: str) -> None:
    """Display a figure in the notebook with its alt text, and close it.

    Parameters
    ----------
    figure_or_axes
        A matplotlib figure, one of its axes, or a sequence (array) of its axes.
    alt
        One or two sentences that say what is to be seen, not "a figure of …".

    Raises
    ------
    TypeError, ValueError
        As :func:`picture`.

    Examples
    --------
    >>> show(heatmap(matrix, tokens, tokens), alt="Only the diagonal is dark: each …")  # doctest: +SKIP
    """
    from IPython.display import display

    display(picture(figure_or_axes, alt))  # type: ignore[no-untyped-call]


def _check_alt(alt: object) -> None:
    need = "say in a sentence what is to be seen, for a reader who cannot see the figure."
    if not isinstance(alt, str):
        raise ArgumentError(f"alt={shown(alt)}: {need}")
    if not alt.strip():
        raise ArgumentError(f"alt is empty: {need}")


def _figure_of(given: object) -> Figure:
    first = given
    if isinstance(given, list | tuple | np.ndarray):
        first = next(iter(np.ravel(np.asarray(given, dtype=object))), given)
    if isinstance(first, FigureBase | Artist):
        figure = first.get_figure(root=True)
        if isinstance(figure, Figure):
            return figure
    raise ArgumentError(f"show() draws a matplotlib Figure or Axes, not {type(given).__name__}.")


def _png(figure: Figure, dpi: int) -> bytes:
    """Draw once: ``savefig`` draws twice, to lay the figure out and to paint it, and gives the same bytes."""
    buffer = io.BytesIO()
    own = {"dpi": figure.dpi, "facecolor": figure.get_facecolor(), "edgecolor": figure.get_edgecolor()}
    shown_on, paper = figure.canvas, FigureCanvasAgg(figure)
    with style():
        try:
            figure.set(dpi=dpi, facecolor="white", edgecolor="white")
            paper.print_png(buffer, metadata={"Software": None})
        finally:
            figure.set(**own)
            figure.set_canvas(shown_on)
    return buffer.getvalue()


def _close(figure: Figure) -> None:
    """Close `figure` so that the notebook's inline backend does not show it a second time."""
    import matplotlib.pyplot as plt

    plt.close(figure)


def _fewer_colours(png: bytes) -> bytes:
    """Re-encode with 256 colours: a drawing's most frequent ones; else those that cover the picture's own."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        colours = image.convert("RGB")
    flat = _frequent_colours(np.asarray(colours))
    if flat is None:
        # Of very many colours (a photograph) it would take half a minute to keep the rare ones.
        few = colours.getcolors(50_000) is not None
        method = Image.Quantize.MAXCOVERAGE if few else Image.Quantize.MEDIANCUT
        flat = colours.quantize(colors=256, method=method, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    flat.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def _look_alike(png: bytes, other: bytes) -> bool:
    """Tell whether no patch of 16 pixels differs by more than 2 of 255: no area has another colour."""
    from PIL import Image

    drawn = []
    for data in (png, other):
        with Image.open(io.BytesIO(data)) as image:
            pixels = np.asarray(image.convert("RGB"), np.float64)
        height, width = (side // 16 * 16 for side in pixels.shape[:2])
        drawn.append(pixels[:height, :width].reshape(height // 16, 16, width // 16, 16, 3).mean(axis=(1, 3)))
    return bool(np.abs(drawn[0] - drawn[1]).max() <= 2)


def _frequent_colours(pixels: npt.NDArray[np.uint8]) -> PilImage | None:
    """Return a drawing with its 256 most frequent colours kept; None of what is no drawing.

    Nearly all of a drawing is areas of one colour, which stand for numbers and so must not change. The rest
    are the soft edges of letters and lines, which take the nearest colour.
    """
    from PIL import Image

    height, width, _ = pixels.shape
    codes = pixels.reshape(-1, 3).astype(np.int64) @ np.array([65536, 256, 1], np.int64)
    own, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = np.sort(np.argsort(-counts, kind="stable")[:256])
    if counts[kept].sum() < _DRAWING * counts.sum():
        return None
    colours = np.stack([own >> 16, own >> 8 & 255, own & 255], axis=1)
    palette = colours[kept]
    nearest = np.concatenate(
        [
            ((part[:, None] - palette) ** 2).sum(axis=2).argmin(axis=1)
            for part in np.array_split(colours, len(colours) // 1000 + 1)
        ]
    )
    flat = Image.fromarray(nearest.astype(np.uint8)[places].reshape(height, width))
    flat.putpalette(palette.astype(np.uint8).tobytes())
    return flat
