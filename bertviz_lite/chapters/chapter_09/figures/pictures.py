"""The chapter's figures, ready to be looked at: each says in its title what is to be seen, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters import changes as seed_by_seed
from bertviz_lite.chapters.chapter_09 import made_pairs as squares
from bertviz_lite.chapters.chapter_09.figures import axes as figures
from bertviz_lite.chapters.chapter_09.figures.alone import alone as dots_and_rings
from bertviz_lite.chapters.chapter_09.figures.moves import moves as arrows, way
from bertviz_lite.plots.display import Picture, picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from bertviz_lite.chapters.chapter_09.figures.moves import Three
    from bertviz_lite.evaluation.recorded.by_seed import BySeed

    Answers = Mapping[str, npt.NDArray[np.bool_]]
    BySeeds = Mapping[str, Mapping[str, npt.NDArray[np.float64]]]

__all__ = [
    "accepted",
    "alone",
    "changes",
    "exam",
    "fits",
    "head",
    "heads",
    "lengths",
    "made_pairs",
    "moves",
    "probes",
    "sides",
]


def fits(log_odds: Mapping[str, npt.ArrayLike], columns: Sequence[str]) -> Picture:
    """Show the log-odds of some Bs after some As, the last two Bs apart.

    The title speaks of as many Bs as there are As: each of those is told for one of them.
    """
    title = f"Each of the first {len(columns)} Bs gets most after the A that it fits"
    ax = figures.fits(log_odds, columns, title=title, apart=len(log_odds) - 2)
    said = [
        f"{second} " + ", ".join(f"{one:+.1f}" for one in np.asarray(each))
        for second, each in log_odds.items()
    ]
    return picture(ax, f"{len(said)} Bs after {len(columns)} As, in log-odds. {title}. {' '.join(said)}")


def head(pooled: npt.ArrayLike, weight: npt.ArrayLike) -> Picture:
    """Show the head on a few numbers, up to each label's loss."""
    z = np.asarray(weight, np.float64) @ np.asarray(pooled, np.float64)
    p0, p1 = np.exp(z) / np.exp(z).sum()
    title = f"Two rows of W make two logits; softmax gives {p0:.0%} to label 0"
    losses = f"losses {-np.log(p0):.2f} with label 0 and {-np.log(p1):.2f} with label 1"
    ax = figures.head(pooled, weight, title=title)
    return picture(ax, f"p, W, logits {z[0]:.1f} and {z[1]:.1f}, softmax, {losses}. {title}.")


def made_pairs() -> Picture:
    """Show how the eight kinds of pairs are made."""
    how = {name: recipe.in_training for name, recipe in squares.RECIPES.items()}
    on_purpose = sum(each in ("true", "false") for each in how.values())
    title = f"{len(how)} ways to make a pair; training made {on_purpose} on purpose"
    rows = "; ".join(f"{name}: {each}" for name, each in how.items())
    return picture(squares.made_pairs(title=title), f"Eight kinds of pairs. {title}. {rows}.")


def accepted(answers: Answers) -> Picture:
    """Show what share of each of the eight kinds is accepted."""
    how = {name: squares.RECIPES[name].in_training for name in answers}
    title = "Order of the parts counts; order within B and names hardly do"
    ax = figures.accepted(answers, how, title=title)
    said = ", ".join(f"{name} {each.mean():.0%}" for name, each in answers.items())
    return picture(ax, f"The share accepted, for each of eight kinds. {title}. {said}.")


def moves(log_odds: Mapping[str, Three]) -> Picture:
    """Show how far towards a stranger each way to spoil a B moves it, the farthest one last."""
    ways = {name: way(*three) for name, three in log_odds.items()}
    *_, (before, part), (last, _) = ways.items()
    title = f"A wrong {before} goes {part:.0%} of the way to a stranger, a wrong {last} all of it"
    said = "; ".join(
        f"{name} {now.mean():+.1f}, {ways[name]:.0%} of the way, {(now > 0).sum()} of {len(now)} accepted"
        for name, (_, now, _) in log_odds.items()
    )
    return picture(arrows(log_odds, title=title), f"An arrow for each way to spoil B. {title}. {said}.")


def alone(picked: Answers, hidden: Answers) -> Picture:
    """Show how often A's own B is picked by one kind of words alone, and without them."""
    title = "One suspect alone often picks A's own B; without it, the rest does"
    ax = dots_and_rings(picked, hidden, title=title)
    said = "; ".join(
        f"{name}: alone {int(each.sum())} of {len(each)}, hidden {int(hidden[name].sum())}"
        for name, each in picked.items()
    )
    return picture(ax, f"A dot and a ring for each kind of words. {title}. {said}.")


def sides(strips: Mapping[str, npt.NDArray[np.float64]], shift: float) -> Picture:
    """Show two strips of log-odds, of Bs after their own and after a wrong A, with the shift's two lines."""
    lines = {"with the shift": 0.0, "without it": shift}
    own, wrong = (int(((each > 0) & (each <= shift)).sum()) for each in strips.values())
    title = f"The shift lets {own} more own {'B' if own == 1 else 'Bs'} pass, and {wrong} more wrong ones"
    ax = figures.sides(strips, lines, title=title)
    said = "; ".join(
        f"{name}: {(each > 0).sum()}, without {(each > shift).sum()}" for name, each in strips.items()
    )
    return picture(ax, f"Two strips of dots, one a pair, and two lines. {title}. Yes: {said}.")


def heads(shares: BySeeds) -> Picture:
    """Show what each head judges right, of strangers and of Bs put before A."""
    title = "In our town, a head knows the false pairs of its own training, and hardly others"
    axes = figures.seeds(shares, title=title)
    return picture(axes, f"Two kinds of false pairs, three heads, three seeds. {title}. {_means(shares)}.")


def probes(shares: BySeeds) -> Picture:
    """Show what a probe reads off the vectors of five trainings."""
    title = "Vectors tell strangers better where a head was trained to tell them"
    axes = figures.seeds(shares, title=title)
    return picture(
        axes, f"Three kinds of false pairs, five trainings, three seeds. {title}. {_means(shares)}."
    )


def exam(right: Answers) -> Picture:
    """Show what share of each kind of the two exams is judged right."""
    town, people = (right[f"true, {whose}"] for whose in ("the town's", "people's"))
    lost = "none" if town.all() else f"{(~town).sum()}"
    title = f"The head refuses {(~people).sum()} of people's {len(people)} true pairs, "
    title += f"and {lost} of the town's {len(town)}"
    ax = figures.shares(right, title=title, label="share judged right")
    return picture(ax, f"Six dots with their intervals, three kinds of pairs. {title}.")


def lengths(right: Answers) -> Picture:
    """Show how often two lengths tell a false B, for each way to draw it; the careful way comes first."""
    careful, *_, careless = (each.mean() for each in right.values())
    title = f"From two lengths: {careless:.0%} right on careless pairs, {careful:.0%} on careful ones"
    label = "accuracy from two lengths"
    ax = figures.shares(right, title=title, label=label, reference={"guessing": 0.5})
    return picture(ax, f"Four dots, one for each way to draw a false B. {title}.")


def changes(found: BySeed, drops: Mapping[str, str], measures: Mapping[str, Sequence[str | int]]) -> Picture:
    """Show what dropping the loss changes, then dropping the false pairs, a mark a seed."""
    title = "Much changes for words that were named before, and little once fine-tuned"
    ax = seed_by_seed.changes(found, drops, measures, title=title)
    return picture(ax, f"Two changes, five measures, a mark for each seed. {title}.")


def _means(shares: BySeeds) -> str:
    """Say the mean over the seeds, for each training and each kind of pairs."""
    return "; ".join(
        f"{kind}: " + ", ".join(f"{who} {each.mean():.2f}" for who, each in of.items())
        for kind, of in shares.items()
    )
