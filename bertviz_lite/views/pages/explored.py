"""The page that ``bertviz-lite explore`` writes: a recording, with the model in it where that is small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.saved.blocks import compress

if TYPE_CHECKING:
    from pathlib import Path

    from bertviz_lite.views.attention.view import Explorer
    from bertviz_lite.views.base.page_model import PageModel

__all__ = ["MOST_MEGABYTES", "save_explored"]

MOST_MEGABYTES = 12.0
"""A page that somebody did not ask to be live holds the model up to this size: it can go by mail."""

_PIECE, _PIECES = 65_536, 64


def save_explored(view: Explorer, file: Path, *, live: bool | None = None) -> str:
    """Write the page, and say in a line what it is.

    Parameters
    ----------
    view
        What it shows.
    file
        Where it is written.
    live
        Whether the model is put in; None: if the page then has at most `MOST_MEGABYTES`.

    Raises
    ------
    ViewError
        With ``live=True``, if no page can hold or run the model.
    """
    model = view._page_model()
    if live is not None or model is None:
        view.save(file, live=bool(live))
        return _with_model(file) if live else f"{_megabytes(file):.1f} MB, a recording without the model."
    try:
        needed = _megabytes_of(model)
    except ViewError as why_not:
        view.save(file)  # so that the page says why, too
        return f"{_megabytes(file):.1f} MB, a recording. {why_not}"
    if needed <= MOST_MEGABYTES:
        view.save(file, live=True)
        if _megabytes(file) <= MOST_MEGABYTES:
            return _with_model(file)
    view.save(file, live=False)
    recorded = _megabytes(file)
    return (
        f"{recorded:.1f} MB, a recording; --live puts the model's {model.megabytes / 4:.0f} M weights in: "
        f"about {recorded + needed:.0f} MB."
    )


def _with_model(file: Path) -> str:
    return f"{_megabytes(file):.1f} MB, with the model, which answers in it."


def _megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6


def _megabytes_of(model: PageModel) -> float:
    """Return about how many megabytes a model adds to a page, from a sample: deflating all takes seconds."""
    packed = model.packed
    starts = range(0, len(packed), max(_PIECE, len(packed) // _PIECES))
    sample = b"".join(packed[start : start + _PIECE] for start in starts)
    return len(packed) / 1e6 * len(compress(sample)) / len(sample) * 4 / 3  # base64: four letters for three
