"""Figures of chapter 06: a token's way back, three coins, what answers cost, what models name, rates."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch

from bertviz_lite.plots import CYCLE, draw_lines, histogram
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import HALO, bare, entitle, headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = [
    "LEAST",
    "answers_by_rate",
    "belief_by_gap",
    "both_skills",
    "chosen_counts",
    "cost_curve",
    "loss_curves",
    "named_by_seed",
    "odds",
    "three_coins",
    "ways_back",
]

LEAST = 1e-8
"""The smallest probability that `belief_by_gap` has room for: smaller ones stand there too."""

_FAINT, _SOFT = "#d5dae0", "#59636e"
_LOOKS = (("#ffffff", "#8c959f"), ("#cfe3f3", "#0072b2"), ("#fbe3c2", "#c27400"), ("#cdeade", "#00875f"))
"""Face and edge of what isn't chosen, is hidden, is replaced, stays: the lab's colours."""

_LOOK_OF = {"hidden": 1, "in plain sight": 3}
"""The colour of a question about tokens that a model reads so; other questions take them in this order."""


def odds(p: float) -> str:
    """Write a probability with two decimals, near 0 and near 1 with three."""
    return f"{p:.2f}" if 0.01 <= p <= 0.99 else f"{p:.3f}"


def ways_back(
    tokens: Sequence[str], reads: Mapping[str, npt.ArrayLike], *, token: int, title: str = ""
) -> list[Axes]:
    """Draw two layers as a net: who reads a token in the first, and the ways back to its own place.

    Parameters
    ----------
    tokens
        The tokens of a text.
    reads
        For each panel's name a square of 0 and 1: whether a token, row, reads another one, column.
    token
        The token that is followed, by its place.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(reads), figsize=(9.0, 3.7), squeeze=False)
        headline(figure, title)
        row: list[Axes] = list(axes[0])
        for ax, (name, square) in zip(row, reads.items(), strict=True):
            edges = np.asarray(square, bool)
            for low, (to, start) in product((0, 1), np.argwhere(edges).tolist()):
                ax.plot([start, to], [low, low + 1], color=_FAINT, lw=1.2, zorder=1)
            for to in np.flatnonzero(edges[:, token]).tolist():
                ax.plot([token, to], [0, 1], color=CYCLE[1], lw=3.0, zorder=2)
            between = [k for k in range(len(tokens)) if edges[k, token] and edges[token, k]]
            for k in between:
                ax.plot([k, token], [1, 2], color=CYCLE[1], lw=3.0, zorder=2)
            _places(ax, tokens, token, lit=bool(between))
            if not between:
                ax.text(token, 2.1, "never comes back", ha="center", va="bottom", fontsize=11, color=CYCLE[1])
            ax.set_title(name, fontsize=12, fontweight="normal")
        row[0].set_yticks((0, 1, 2), ("input", "after one layer", "after two layers"))
    return row


def _places(ax: Axes, tokens: Sequence[str], token: int, *, lit: bool) -> None:
    """Draw a dot for each token at each height, and their names below; the followed one is strong."""
    for place, height in product(range(len(tokens)), range(3)):
        strong = place == token and (height == 0 or (height == 2 and lit))
        look: dict[str, Any] = {"color": CYCLE[1] if strong else "#8c959f", "markersize": 13 if strong else 8}
        ax.plot(place, height, "o", zorder=3, **look)
    ax.set_xticks(range(len(tokens)), tokens, parse_math=False)
    ax.get_xticklabels()[token].set(color=CYCLE[1], fontweight="bold")
    bare(ax)
    ax.set(xlim=(-0.4, len(tokens) - 0.6), ylim=(-0.2, 2.4), yticks=[])


def three_coins(chances: Sequence[float], outcomes: Sequence[str], *, of: int, title: str = "") -> Axes:
    """Draw three coins in a row, and below them how many tokens end where.

    Parameters
    ----------
    chances
        Of heads, for each coin: that a token is chosen, then hidden, then replaced.
    outcomes
        What is written into the four boxes: of tokens that aren't chosen, are hidden, are replaced, stay.
    of
        How many tokens there are.
    title
        The finding, in a sentence.
    """
    chosen, hidden, replaced = chances
    reach = (1.0, chosen, chosen * (1 - hidden))
    ends = (1 - chosen, chosen * hidden, reach[2] * replaced, reach[2] * (1 - replaced))
    with style():
        _, ax = plt.subplots(figsize=(9.0, 3.9))
        for at, name in enumerate(("chosen?", "hidden?", "replaced?")):
            answer = ("", "yes: ", "no: ")[at]
            _arrow(
                ax, (at - 0.76, 2), (at - 0.22, 2), f"{answer}{of * reach[at]:,.0f}" + " tokens" * (at == 0)
            )
            ax.plot(at, 2, "o", markersize=46, mfc="#ffffff", mec=INK, mew=2)
            _write(ax, (at, 2), f"{chances[at]:g}", size=14, weight="bold")
            _write(ax, (at, 2.5), name)
        for at, (start, answer) in enumerate(((0, "no"), (1, "yes"), (2, "yes"), (2, "no"))):
            _arrow(ax, (start + 0.2 * (at == 3), 1.68 + 0.12 * (at == 3)), (at, 1.08), answer)
            _box(ax, at, f"{of * ends[at]:,.0f}", outcomes[at])
        ax.set(xlim=(-0.78, 3.5), ylim=(0.0, 2.65), xticks=[], yticks=[])
        bare(ax)
        entitle(ax, title)
    return ax


def cost_curve(answers: Mapping[str, float], others: Mapping[str, float], *, title: str = "") -> Axes:
    """Draw -ln p over p, with a dot for each answer: filled for `answers`, hollow for `others`.

    Parameters
    ----------
    answers, others
        For each token the probability p that the model gave it. Tokens with nearly one p share a name.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        least = min(0.01, *answers.values(), *others.values())
        across, top = np.geomspace(0.9 * least, 1, 300), 0.2 - np.log(0.9 * least)
        ax.plot(across, -np.log(across), color=CYCLE[0], linewidth=2.5, zorder=1)
        for each, filled in ((answers, True), (others, False)):
            points = np.array(list(each.values()))
            look: dict[str, Any] = {"mec": CYCLE[1], "mew": 2, "mfc": CYCLE[1] if filled else "#ffffff"}
            ax.plot(points, -np.log(points), "o", markersize=9, **look)
            named: list[list[str]] = []
            for token in sorted(each, key=each.__getitem__):
                if named and each[token] - each[named[-1][0]] < 0.05:
                    named[-1].append(token)
                else:
                    named.append([token])
            for group in named:
                p = each[group[0]]
                written = ", ".join(f"{token} {odds(each[token])}" for token in group)
                place: dict[str, Any] = {"textcoords": "offset points", "fontsize": 12, "parse_math": False}
                side, offset = ("left", (9, 3)) if p < 0.5 else ("center", (4, 9))
                side, offset = ("right", (8, 11)) if p > 0.9 else (side, offset)
                place |= {"ha": side, "va": "bottom"}
                ax.annotate(written, (p, -np.log(p)), offset, color=CYCLE[1], **place)
        ax.set(
            xlim=(-0.02, 1.02), ylim=(-0.15, top), xticks=(0, 0.25, 0.5, 0.75, 1), yticks=range(int(top) + 1)
        )
        ax.set(xlabel="p, the probability of the true token", ylabel="cost of the answer: −ln p")
        look = {"transform": ax.transAxes, "ha": "right", "va": "top", "fontsize": 12}
        ax.text(1.0, 0.98, "filled: the lab's three questions\nhollow: hidden alone, the true token", **look)
        entitle(ax, title)
    return ax


def loss_curves(
    losses: Mapping[str, Sequence[float]], right: Mapping[str, float], blind: float, *, title: str = ""
) -> Axes:
    """Draw the loss of each step of some trainings; at the end of a line its name, and what was learned.

    Parameters
    ----------
    losses
        For each training the losses of its steps.
    right
        For each training the share of hidden tokens that it names in the end.
    blind
        The loss where all tokens are equally probable.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        steps = np.arange(1, 1 + len(next(iter(losses.values()))))
        draw_lines(ax, steps, list(losses.values()), list(losses))
        ends = [float(np.mean(row[-10:])) for row in losses.values()]
        for line, name, end in zip(ax.lines, losses, ends, strict=True):
            near = any(end < other < end + 1.2 for other in ends)  # it makes room for the one above it
            up = -15 if near else 21 if any(end - 1.2 < other < end for other in ends) else 0
            look: dict[str, Any] = {"va": "center", "fontsize": 12, "color": line.get_color()}
            written = f"{name}:\n{right[name]:.1%} right behind [MASK]"
            ax.annotate(written, (steps[-1], end), (8, up), textcoords="offset points", **look)
        ax.hlines(blind, 1, steps[-1], color=_SOFT, linestyle=":", linewidth=1.5)
        written = f"all tokens equally probable: {blind:.2f}"
        ax.text(steps[-1], blind + 0.12, written, ha="right", va="bottom", fontsize=12, color=_SOFT)
        ax.set(xlabel="step", ylabel="loss", xlim=(0, 1.55 * steps[-1]), ylim=(-0.6, 1.12 * blind))
        ax.set_xticks([1, len(steps) // 2, len(steps)])
        ax.spines["bottom"].set_bounds(1, steps[-1])
        entitle(ax, title)
    return ax


def belief_by_gap(
    near: Sequence[npt.NDArray[np.float64]],
    named: Mapping[str, tuple[float, float, bool]],
    curve: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    *,
    edge: float,
    title: str = "",
) -> Axes:
    """Draw what is believed: to the right, a word's p in a gap; up, how much the model believes it in sight.

    Parameters
    ----------
    near
        Groups of words with nearly one p in the gap, (words, 2) each: of each group the median is drawn, and
        a bar from quartile to quartile.
    named
        Words that have their name beside them: both numbers, and whether the word is true.
    curve
        What a reader who knows the coins would believe: places, and beliefs.
    edge
        The place where that is one half.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.0, 5.0))
        ax.plot(*curve, color=_SOFT, linewidth=2.5, zorder=1, label="a perfect reader")
        middle = np.array([np.median(pairs, axis=0) for pairs in near]).reshape(-1, 2)
        ends = np.array([np.percentile(pairs[:, 1], (25, 75)) for pairs in near]).reshape(-1, 2)
        ax.vlines(middle[:, 0], *ends.T, color=CYCLE[0], linewidth=5, alpha=0.35, zorder=3)
        label = "words put in: the median\n(bar: the middle half)"
        ax.plot(*middle.T, "o", color=CYCLE[0], markersize=9, zorder=4, label=label)
        green = _LOOKS[3][1]
        for colour, label in ((INK, "a lie in Anna's sentence"), (green, "a true word")):
            ax.plot([], [], "D", color=colour, markersize=6, label=label)
        for word, (gap, seen, true) in named.items():
            place, colour = (max(gap, LEAST), seen), green if true else INK
            ax.plot(*place, "D", color=colour, markersize=6, zorder=6)
            left = seen > 0.5 or 0.1 * edge < gap < edge  # to the right of it are the bars, or the edge
            side, offset = ("right", (-12, 0)) if left else ("left", (12, 4))
            side, offset = ("center", (0, 13)) if gap < 1e-3 * edge and not left else (side, offset)
            written: dict[str, Any] = {
                "ha": side,
                "va": "center",
                "color": colour,
                "fontsize": 12,
                "fontweight": "bold",
                "parse_math": False,
                "path_effects": HALO,
                "textcoords": "offset points",
                "zorder": 7,
            }
            ax.annotate(word, place, offset, **written)
        ax.axvline(edge, color=_SOFT, linestyle=":", linewidth=1.5, zorder=0)
        written = {"va": "bottom", "ha": "right", "fontsize": 12, "color": _SOFT, "path_effects": HALO}
        ax.text(0.8 * edge, 1.02, f"1 in {1 / edge:,.0f}", **written)
        ax.set_xscale("log")
        ax.set(xlim=(0.5 * LEAST, 2), ylim=(-0.14, 1.1), yticks=(0, 0.5, 1))
        ticks = {LEAST: "1 in 100 million\nor less", 1e-6: "1 in a million", 1e-3: "1 in a thousand", 1: "1"}
        ax.set_xticks(list(ticks), list(ticks.values()))
        ax.minorticks_off()
        ax.set(xlabel="p in the gap, where the word is hidden", ylabel="p in sight: belief")
        ax.legend(loc="center left", frameon=False, fontsize=12)
        entitle(ax, title)
    return ax


def named_by_seed(
    shares: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    said: Mapping[str, str] | None = None,
    title: str = "",
) -> list[Axes]:
    """Draw shares of trainings with several seeds, a panel a question: a bar for the mean, a dot a seed.

    Parameters
    ----------
    shares
        For each question ("hidden", "in plain sight": these have the lab's colours), for each way of
        training, the shares of its seeds.
    said
        What a way of training is called, in words, above its name.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each question, of one figure.
    """
    with style():
        ways = len(next(iter(shares.values())))
        size = (max(8.2, 2.6 + 3.2 * len(shares)), 1.9 + 0.55 * ways)  # the title wants room
        figure, axes = plt.subplots(1, len(shares), figsize=size, squeeze=False, sharey=True)
        headline(figure, title)
        row: list[Axes] = list(axes[0])
        for at_panel, (ax, (question, by_way)) in enumerate(zip(row, shares.items(), strict=True)):
            face, edge = _LOOKS[_LOOK_OF.get(question, 1 + at_panel % 3)]
            for at, seeds in enumerate(by_way.values()):
                values = np.asarray(seeds, float)
                ax.barh(at, values.mean(), height=0.7, color=face, edgecolor=edge)
                heights = at + 0.2 * np.linspace(-1, 1, len(values))  # else near seeds hide each other
                ax.plot(values, heights, "o", color=edge, markersize=5)
                written, right = f"{values.mean():.2f}", (values.max(), at)
                ax.annotate(written, right, (9, 0), textcoords="offset points", va="center", fontsize=12)
            ax.set_title(question, fontsize=12, fontweight="normal")
            ax.set(xlim=(0, 1.22), xticks=(0, 0.5, 1), ylim=(ways - 0.4, -0.6))
            ax.tick_params(axis="y", length=0)
            ax.spines["bottom"].set_bounds(0, 1)  # a share is at most 1; beyond it stand numbers
        names = list(next(iter(shares.values())))
        labels = [f"{said[name]}\n{name}" if said else name for name in names]
        row[0].set_yticks(range(ways), labels, parse_math=False)
        figure.supxlabel("share of tokens named right; bars: mean, dots: seeds", fontsize=12)
    return row


def both_skills(
    seen: Mapping[str, npt.ArrayLike],
    behind: Mapping[str, npt.ArrayLike],
    *,
    strong: str,
    hidden: float,
    said: Mapping[str, str],
    title: str = "",
) -> Axes:
    """Draw a dot for each seed: to the right, what it names in sight; up, what it finds behind random tokens.

    Parameters
    ----------
    seen, behind
        For each way of training, the shares of its seeds.
    strong
        The way that is to stand out.
    hidden
        The share that it names where a token is hidden: a line across.
    said
        What a way of training is called, in words.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.0, 5.0))
        for name, values in seen.items():
            across, up = np.asarray(values, float), np.asarray(behind[name], float)
            colour = CYCLE[1] if name == strong else CYCLE[0]
            ax.plot(across, up, "o", color=colour, markersize=9, alpha=0.75)
            rare = 0 < up.mean() < 0.005  # two digits would call it nothing
            behind_it = f"{up.mean():.3f}" if rare else f"{up.mean():.2f}"
            written = f"{name}, {said[name]}\n{across.mean():.2f} in sight, {behind_it} behind"
            weight = "bold" if name == strong else "normal"
            side, lift = ("top", 7) if 0 < hidden - up.mean() < 0.1 else ("center", 0)  # below the line
            look: dict[str, Any] = {"ha": "right", "va": side, "color": colour, "fontweight": weight}
            look |= {"textcoords": "offset points", "fontsize": 12, "parse_math": False}
            ax.annotate(written, (across.min(), up.mean()), (-12, lift), **look)
        ax.axhline(hidden, color=_SOFT, linestyle=":", linewidth=1.5, zorder=0)
        look = {"va": "bottom", "ha": "left", "fontsize": 12, "color": _SOFT}
        ax.text(0.01, hidden + 0.008, f"{strong}, where the word is hidden: {hidden:.2f}", **look)
        ax.set(xlim=(0, 1.04), ylim=(-0.08, 0.6), xticks=(0, 0.5, 1), yticks=(0, 0.2, 0.4, 0.6))
        ax.set(xlabel="share named in plain sight", ylabel="share found behind a random token")
        entitle(ax, title)
    return ax


def answers_by_rate(rates: Sequence[float], found: Mapping[str, Sequence[float]], *, title: str = "") -> Axes:
    """Draw how many questions a text has at several rates, and how many of them are answered right.

    Parameters
    ----------
    rates
        Shares of the tokens that are chosen.
    found
        As `rates.by_rate` returns it.
    title
        The finding, in a sentence.
    """
    commonest = "always the\ncommonest token"
    series = ("questions: hidden\nor replaced", "right answers\n(% of questions)", commonest)
    values = (found["asked"], found["right in a text"], found["commonest"])
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        draw_lines(ax, rates, values, series)
        for line, name, counts, up in zip(ax.lines, series, values, (0, 14, 0), strict=True):
            line.set_marker("o")  # what was measured
            if name == commonest:  # only to compare
                line.set(color=_SOFT, linewidth=1.5, marker="")
            look: dict[str, Any] = {"va": "center", "fontsize": 12, "color": line.get_color()}
            ax.annotate(name, (rates[-1], counts[-1]), (12, up), textcoords="offset points", **look)
        low = 0.1 * max(found["asked"])  # below such a dot is the third line
        for rate, count, share in zip(rates, found["right in a text"], found["right"], strict=True):
            look = {"va": "bottom", "ha": "center"} if count < low else {"va": "top", "ha": "left"}
            look |= {"textcoords": "offset points", "fontsize": 12, "color": CYCLE[1]}
            ax.annotate(f"{share:.0%}", (rate, count), (-3, 8) if count < low else (4, -9), **look)
        ax.axvline(0.15, color=_SOFT, linestyle=":", linewidth=1.5)
        look = {"va": "top", "fontsize": 12, "color": _SOFT, "transform": ax.get_xaxis_transform()}
        ax.text(0.16, 1.0, "BERT's rate", **look)
        ax.set_xticks(list(rates), [f"{rate:.0%}" for rate in rates])
        ax.set(xlabel="share of tokens chosen", ylabel="tokens per text (100 texts, three draws)")
        ax.set_xlim(0, 1.08)
        ax.set_ylim(-4, None)
        entitle(ax, title)
    return ax


def chosen_counts(counts: npt.ArrayLike, exact: int, *, title: str = "") -> Axes:
    """Draw in how many rows of 100 tokens coins chose how many, and the one count of the paper's code."""
    numbers = np.asarray(counts)
    low, high = int(numbers.min()), int(numbers.max())
    ax = histogram(
        numbers, np.arange(low, high + 2) - 0.5, title=title, label="chosen tokens, of 100 in a row"
    )
    ax.axvline(exact, color="black", linestyle="--", label=f"the paper's code: always {exact}")
    ax.legend(frameon=False, fontsize=11)
    ax.set_xticks(range(5, high + 1, 5))
    ax.set_ylabel(f"share of {len(numbers):,} rows")
    return ax


def _box(ax: Axes, at: int, count: str, text: str) -> None:
    face, edge = _LOOKS[at]
    box: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=0.08", "lw": 2}
    ax.add_patch(FancyBboxPatch((at - 0.46, 0.05), 0.92, 1.0, fc=face, ec=edge, **box))
    _write(ax, (at, 0.83), count, size=15, weight="bold")
    _write(ax, (at, 0.37), text, size=11)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str) -> None:
    """Draw an arrow, with its text above it where it is level, else to the right of it."""
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": _SOFT, "lw": 1.5})
    (x, y), level = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), start[1] == end[1]
    _write(ax, (x - 0.03, y + 0.13) if level else (x + 0.13, y + 0.03), text, color=_SOFT)


def _write(ax: Axes, at: tuple[float, float], text: str, *, size: float = 12, **look: Any) -> None:  # noqa: ANN401 - passed on
    ax.text(*at, text, ha="center", va="center", fontsize=size, parse_math=False, **look)
