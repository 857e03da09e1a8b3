"""The chapter's figures, ready to be looked at: each says in its title what is to be seen, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters import changes as seed_by_seed
from bertviz_lite.chapters.chapter_09 import made_pairs as squares
from bertviz_lite.chapters.chapter_09.figures import axes as figures
from bertviz_lite.chapters.chapter_09.figures.verdict import verdict as two_panels
from bertviz_lite.plots.display import Picture, picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

    Answers = Mapping[str, npt.NDArray[np.bool_]]
    BySeeds = Mapping[str, Mapping[str, npt.NDArray[np.float64]]]

__all__ = [
    "accepted",
    "alone",
    "changes",
    "exam",
    "fits",
    "fresh_heads",
    "head",
    "heads",
    "lengths",
    "made_pairs",
    "probes",
    "sides",
    "sums",
    "verdict",
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
    title = f"Two rows of W make two logits; softmax gives label 0 {p0:.0%}"
    losses = f"losses {-np.log(p0):.2f} with label 0 and {-np.log(p1):.2f} with label 1"
    ax = figures.head(pooled, weight, title=title)
    return picture(ax, f"p, W, logits {z[0]:.1f} and {z[1]:.1f}, softmax, {losses}. {title}.")


def sums(products: Mapping[str, npt.ArrayLike], bias: float, shift: float) -> Picture:
    """Show how the products of each B add up to its log-odds; the shift isn't part of `bias`.

    The title says how much a quarter of the products makes of what lies between the first two Bs: those that
    are largest on the average of all Bs. They come first.
    """
    values = {name: np.asarray(each, np.float64) for name, each in products.items()}
    one, other, *_ = values.values()
    largest = np.argsort(-np.abs([*values.values()]).mean(axis=0), kind="stable")[: len(one) // 4]
    between = f"{(one - other)[largest].sum():.1f} of the {(one - other).sum():.1f}"
    title = f"A quarter of the products makes {between} between the first two Bs"
    ax = figures.sums(products, bias, shift, title=title)
    said = ", ".join(
        f"{name} {each.sum() + bias:+.1f}, then {each.sum() + bias + shift:+.1f}"
        for name, each in values.items()
    )
    return picture(ax, f"{len(values)} running sums. {title}. Before and after the shift: {said}.")


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


def alone(picked: Answers) -> Picture:
    """Show how often A's own B is picked by one kind of words alone."""
    title = "One suspect alone nearly always picks A's own B, where it can tell"
    label, line = "share of As whose own B gets more", {"guessing": 0.5}
    ax = figures.shares(picked, title=title, label=label, reference=line, counts=True)
    said = ", ".join(f"{name} {int(each.sum())} of {len(each)}" for name, each in picked.items())
    return picture(ax, f"A dot with its interval for each kind of words. {title}. {said}.")


def verdict(
    fell: Mapping[str, npt.NDArray[np.float64]],
    now: Mapping[str, npt.NDArray[np.float64]],
    alone: Answers,
    hidden: Answers,
) -> Picture:
    """Show for each trial what the suspect picks alone, and without it, and what spoiling costs."""
    title = "Names, things or tense: each can do, none is needed; exchanged parts cost most"
    axes = two_panels(fell, now, alone, hidden, title=title)
    said = "; ".join(
        f"{name}: "
        + (f"{int(alone[name].sum())} of {len(alone[name])} picked alone, " if name in alone else "")
        + (f"{int(hidden[name].sum())} with it hidden, " if name in hidden else "")
        + f"log-odds fall by {each.mean():.1f}, {int((now[name] <= 0).sum())} of {len(each)} refused"
        for name, each in fell.items()
    )
    return picture(axes, f"A row for each suspect, two panels. {title}. {said}.")


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


def fresh_heads(hits: Answers) -> Picture:
    """Show how often a fresh head tells the order, from each of the vectors that it may read."""
    pooled, words = (hits[f"without the opening: {name}"].mean() for name in ("pooled", "words"))
    title = f"Order, no opening: {pooled:.0%} from pooled, {words:.0%} from bare words"
    label, line = "accuracy of a fresh head", {"guessing": 0.5}
    ax = figures.shares(hits, title=title, label=label, reference=line)
    return picture(ax, f"Six dots with their intervals. {title}.")


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
