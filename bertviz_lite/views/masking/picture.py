"""What the masking lab shows without scripts: the sentence as boxes, the guesses as bars, tables of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, Patch

from bertviz_lite.basics.text import clip, isolated
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.base.static import Static, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bertviz_lite.views.masking.view import Count, Guess, MaskingLab

__all__ = ["static"]

_WIDE, _TALL = 96.0, 3.9  # a line of boxes: letters of a token's line, and lines of text
_MOST = 64
_LOOKS = {  # face, edge, hatch
    "special": ("#ffffff", "#ffffff", ""),
    "left": ("#ffffff", "#c5ccd3", ""),
    "mask": ("#cfe3f3", "#0072b2", ""),
    "random": ("#fbe3c2", "#c27400", "//"),
    "keep": ("#cdeade", "#00875f", ""),
}
_NAMES = {"mask": "becomes [MASK]", "random": "a random piece", "keep": "stays, and is asked"}


class _Piece(NamedTuple):
    token: str
    fate: str
    reads: str
    label: str


def static(lab: MaskingLab) -> Static:
    """Return the script-free layer of the present state."""
    pieces = _pieces(lab)
    guesses = _guesses(lab)
    figure, (top, *below) = _axes(pieces, guesses)
    _draw_boxes(top, pieces[:_MOST], lab.selected)
    for ax, (name, guess) in zip(below, guesses.items(), strict=True):
        _draw_guess(ax, name, guess, pieces[lab.selected or 0].token)
    counts = lab.counts()
    tables = [_piece_table(pieces), _count_table(counts, lab.counts(every_seed=True))]
    return Static(figure, _alt(lab, pieces, counts, guesses), tables=tables)


def _pieces(lab: MaskingLab) -> list[_Piece]:
    input_ids, labels = lab.masked()
    reads = lab.tokenizer.convert_ids_to_tokens(input_ids[0].tolist())
    return [
        _Piece(token, fate, str(read), str(label) if label != IGNORED else "−100")
        for token, fate, read, label in zip(lab._tokens, lab.fates(), reads, labels[0].tolist(), strict=True)
    ]


def _guesses(lab: MaskingLab) -> dict[str, Guess]:
    place = lab.selected
    return lab.guesses() if place is not None and lab._predicts and lab._ordinary[place] else {}


def _lines(pieces: Sequence[_Piece]) -> list[tuple[float, int, float]]:
    """Place the boxes like words of a text: left end, number of the line, width."""
    places, left, line = [], 0.0, 0
    for piece in pieces:
        width = max(len(clip(text, 12)) for text in (piece.token, piece.reads, piece.label)) + 2.6
        if left + width > _WIDE and left:
            left, line = 0.0, line + 1
        places.append((left, line, width))
        left += width + 1.0
    return places


def _axes(pieces: Sequence[_Piece], guesses: dict[str, Guess]) -> tuple[Figure, list[Axes]]:
    lines = 1 + _lines(pieces[:_MOST])[-1][1]
    high = 0.9 + 0.86 * lines
    with style():
        figure = plt.figure(figsize=(9.0, high + (2.4 if guesses else 0.0)))
        if not guesses:
            return figure, [figure.add_subplot()]
        grid = figure.add_gridspec(2, 2, height_ratios=[high, 2.4])
        places = (grid[0, :], grid[1, 0], grid[1, 1])
        return figure, [figure.add_subplot(place) for place in places]


def _draw_boxes(ax: Axes, pieces: Sequence[_Piece], selected: int | None) -> None:
    places = _lines(pieces)
    with style():
        for index, (piece, (left, line, width)) in enumerate(zip(pieces, places, strict=True)):
            face, edge, hatch = _LOOKS[piece.fate]
            top = -line * (_TALL + 0.7)
            box = FancyBboxPatch(
                (left, top - _TALL),
                width,
                _TALL,
                boxstyle="round,pad=0,rounding_size=0.6",
                facecolor=face,
                edgecolor=INK if index == selected else edge,
                linewidth=3.0 if index == selected else 1.5,
            )
            ax.add_patch(box)
            if hatch:
                ax.add_patch(
                    FancyBboxPatch(
                        (left, top - 0.35), width, 0.35, boxstyle="round,pad=0", facecolor=edge, linewidth=0
                    )
                )
            soft = piece.fate in ("special", "left")
            for row, (text, weight, size) in enumerate(
                ((piece.token, "normal", 11), (piece.reads, "bold", 11), (piece.label, "normal", 9))
            ):
                ax.text(
                    left + width / 2,
                    top - 0.75 - 1.25 * row,
                    drawable(clip(text, 12)) if row != 1 or not soft else "·",
                    ha="center",
                    va="center",
                    fontsize=size,
                    weight=weight,
                    color="#59636e" if soft and row else INK,
                    parse_math=False,
                )
        ax.set(
            xlim=(-0.5, _WIDE + 0.5), ylim=(-(places[-1][1] + 1) * (_TALL + 0.7), 0.4), xticks=[], yticks=[]
        )
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.legend(
            handles=[
                Patch(facecolor=_LOOKS[name][0], edgecolor=_LOOKS[name][1], label=text, linewidth=1.5)
                for name, text in _NAMES.items()
            ],
            ncols=3,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            borderaxespad=0.0,
        )


def _draw_guess(ax: Axes, name: str, guess: Guess, truth: str) -> None:
    tokens = [token for token, _ in guess.top]
    colours = ["#0072b2" if token == truth else "#9aa2ac" for token in tokens]
    with style():
        bars = ax.barh(range(len(tokens)), [share for _, share in guess.top], color=colours)
        ax.bar_label(bars, [f"{share:.3f}" for _, share in guess.top], padding=4, fontsize=11)
        ax.set_yticks(range(len(tokens)), [drawable(clip(token, 14)) for token in tokens], parse_math=False)
        ax.invert_yaxis()
        ax.set(xlim=(0, 1.18), xticks=[0, 0.5, 1])
        ax.tick_params(axis="y", length=0)
        said = "in its place" if name == "before" else "hidden"
        ax.set_title(drawable(f"“{clip(truth, 14)}” {said}"), parse_math=False)


def _said(token: str) -> str:
    return f"“{isolated(token)}”"


def _alt(
    lab: MaskingLab, pieces: Sequence[_Piece], counts: Sequence[Count], guesses: dict[str, Guess]
) -> str:
    done = {
        "mask": lambda piece: f"{_said(piece.token)} becomes {piece.reads}",
        "random": lambda piece: f"{_said(piece.token)} becomes the random piece {_said(piece.reads)}",
        "keep": lambda piece: f"{_said(piece.token)} stays",
    }
    told = [done[piece.fate](piece) for piece in pieces if piece.fate in done]
    chosen = counts[0]
    said = f"{chosen.hits} of {chosen.tries} {chosen.of} chosen, {chosen.expected:.1f} expected"
    parts = [
        f"{len(pieces)} tokens, draw {lab.seed}: {said}.",
        f"{'; '.join(told[:12])}{'; …' * (len(told) > 12)}." if told else "Nothing is hidden.",
    ]
    for name, guess in guesses.items():
        (best, share), place = guess.top[0], "in its place" if name == "before" else "hidden"
        parts.append(
            f"With {_said(pieces[lab.selected or 0].token)} {place} the model’s first guess there is "
            f"{_said(best)} at {share:.3f}."
        )
    return " ".join(parts)


def _piece_table(pieces: Sequence[_Piece]) -> Table:
    said = {"special": "never chosen", "left": "not chosen", **_NAMES}
    rows = [
        [f"{index} {isolated(piece.token)}", said[piece.fate], isolated(piece.reads), piece.label]
        for index, piece in enumerate(pieces[:_MOST])
    ]
    what = "Every token" if len(pieces) <= _MOST else f"The first {_MOST} of {len(pieces)} tokens"
    return Table(f"{what}: what became of it", ("token", "fate", "the model reads", "label"), rows)


def _count_table(now: Sequence[Count], every: Sequence[Count]) -> Table:
    said = {"chosen": "chosen", **_NAMES}
    rows = [
        [
            f"{said[count.what]} ({when})",
            f"{count.hits} of {count.tries} {count.of}",
            f"{count.expected:.1f}",
            f"{count.low} to {count.high}",
        ]
        for when, counts in (("this draw", now), ("all draws", every))
        for count in counts
    ]
    return Table("Counts against expectation", ("what", "counted", "expected", "95 % of draws"), rows)
